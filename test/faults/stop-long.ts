// What may be under way when the service is told to stop, and takes longer than a stop may.
import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { startServer } from '../support/server.ts'
import { slowRequest } from './stop.ts'

type Row = Record<string, string | number | null>
const idOf = (kind: string, n: number): string => `0190000a-0000-7000-8000-${kind}${String(n).padStart(10, '0')}`

/** Copies of one row of a table, each with what is its own. */
function multiply(client: Database.Database, row: Row, table: string, times: number, own: (n: number) => Row): void {
  const columns = Object.keys(row)
  const put = client.prepare(`insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`)
  for (let n = 0; n < times; n++) put.run(Object.values({ ...row, ...own(n) }))
}

/** The demo's database, stopped, with more in it. */
async function withDemo(data: string, change: (client: Database.Database) => void): Promise<void> {
  await (await startServer({ data })).end('SIGTERM')
  const client = new Database(join(data, 'loyer.db'))
  client.transaction(() => change(client))()
  client.close()
}
const asked = (data: string, sql: string): Row[] => {
  const client = new Database(join(data, 'loyer.db'), { readonly: true })
  const rows = client.prepare(sql).all() as Row[]
  client.close()
  return rows
}

/** Leases that are years behind: tens of thousands of invoices to be issued. */
export async function stopWhileBilling(data: string, signal: 'SIGTERM' | 'SIGHUP') {
  await withDemo(data, (client) => {
    const lease = client.prepare("select * from booking where status = 'ACTIVE' limit 1").get() as Row
    const unit = client.prepare('select * from unit where id = ?').get(lease.unit_id) as Row
    multiply(client, unit, 'unit', 1500, (n) => ({ id: idOf('01', n), label: `N${n}` }))
    multiply(client, lease, 'booking', 1500, (n) => ({
      id: idOf('02', n),
      unit_id: idOf('01', n),
      start_date: '2012-01-01',
      anchor_date: '2012-01-01',
      bill_from: null,
      end_date: null,
      next_period: 0,
      next_run_on: '2012-01-01',
    }))
  })
  const count = "select count(*) as n from invoice where booking_id like '0190000a-%'"
  const server = await startServer({ data })
  while (Number(asked(data, count)[0]?.n) < 500) await Bun.sleep(50)
  const { code, ms } = await server.end(signal)
  const issued = Number(asked(data, count)[0]?.n)
  const again = await startServer({ data })
  while (Number(asked(data, count)[0]?.n) <= issued) await Bun.sleep(50)
  await again.end('SIGTERM')
  const gaps = asked(
    data,
    "select b.id from booking b join invoice i on i.booking_id = b.id where b.next_period > 0 group by b.id having count(*) <> b.next_period and b.start_date = '2012-01-01'",
  )
  return { code, ms, issued, output: server.output(), gaps: gaps.length }
}

/** Two gigabytes of photos to be packed: one of 20 MB under many names. */
export async function stopWhilePacking(data: string, photos: number) {
  const bytes = new Uint8Array(20 * 1024 * 1024).fill(7)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const media = join(data, 'media')
  const pathOf = (id: string) => join(media, id.slice(-2), id.slice(-4, -2))
  await withDemo(data, (client) => {
    const { org_id, id: property, owner_user_id } = client.prepare('select * from property limit 1').get() as Row
    const put = client.prepare(
      `insert into media_object (id, org_id, owner_type, owner_id, owner_user_id, property_id, kind, filename, content_type, size_bytes, sha256, status, created_at, updated_at)
       values (?, ?, 'PROPERTY', ?, ?, ?, 'PHOTO', 'photo.png', 'image/png', ${bytes.length}, '${sha256}', 'AVAILABLE', '2026-01-01', '2026-01-01')`,
    )
    for (let n = 0; n < photos; n++) {
      const id = idOf('03', n)
      put.run(id, org_id, property, owner_user_id, property)
      mkdirSync(pathOf(id), { recursive: true })
      if (n === 0) writeFileSync(join(pathOf(id), `${id}.${sha256}`), bytes)
      else linkSync(join(pathOf(idOf('03', 0)), `${idOf('03', 0)}.${sha256}`), join(pathOf(id), `${id}.${sha256}`))
    }
  })
  const server = await startServer({ data })
  const { status } = await server.call(await server.token('ADMIN'), 'POST /api/v1/exports', {})
  const left = () => readdirSync(join(media, 'tmp'))
  while (asked(data, 'select status from export_run')[0]?.status !== 'RUNNING') await Bun.sleep(20)
  await Bun.sleep(800)
  const { code, ms } = await server.end('SIGTERM')
  return {
    status,
    code,
    ms,
    left: left(),
    runs: asked(data, 'select status, attempts from export_run'),
    output: server.output(),
  }
}

/** A receiver of webhooks that never answers, beside a request that never ends. */
export async function stopBesideSlow(data: string) {
  const taken: string[] = []
  const receiver = createServer((request) => void taken.push(request.url ?? ''))
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const server = await startServer({ data, env: { WEBHOOK_PRIVATE_ADDRESSES: 'on' } })
  const [admin, owner] = [await server.token('ADMIN'), await server.token('OWNER')]
  const made = await server.call(admin, 'POST /api/v1/webhook-endpoints', { url, events: ['verification.created'] })
  await server.call(owner, 'POST /api/v1/verification/kyc', {})
  void slowRequest(server, owner, 'never', new Promise(() => {}))
  while (taken.length === 0) await Bun.sleep(20)
  const { code, ms } = await server.end('SIGTERM')
  receiver.closeAllConnections()
  receiver.close()
  return { made: made.status, code, ms, output: server.output() }
}
