// Another owner or name for a property with thousands of papers: in a thread, in one step, and others go on.
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { cleaner, temporaryFolder } from '../../../support/folder.ts'
import { type Server, startServer } from '../../../support/server.ts'

afterAll(cleaner())
type Row = Record<string, string | number | null>
// Lists tell totals to 10,000.
const INVOICES = 9_000
const idOf = (kind: string, n: number): string => `0190000b-0000-7000-8000-${kind}${String(n).padStart(10, '0')}`

/** The demo with very many invoices of one lease of its owner. */
async function crowded(): Promise<{ server: Server; property: string; lease: string; other: string }> {
  const data = temporaryFolder('handover')
  await (await startServer({ data })).end('SIGTERM')
  const client = new Database(join(data, 'loyer.db'))
  const { row: _, ...invoice } = client.prepare('select * from invoice limit 1').get() as Row
  const columns = Object.keys(invoice)
  const put = client.prepare(`insert into invoice (${columns.join()}) values (${columns.map(() => '?').join()})`)
  const day = (n: number) => new Date(Date.UTC(1950, 0, 1 + n)).toISOString().slice(0, 10)
  // After the demo's own owner, whose token is asked for.
  const other = 'ffffffff-0000-7000-8000-000000000001'
  client.transaction(() => {
    for (let n = 0; n < INVOICES; n++) {
      const own = {
        id: idOf('02', n),
        number: `X-${n}`,
        period_start: day(n),
        period_end: day(n),
        replaced_by_id: null,
      }
      put.run(Object.values({ ...invoice, ...own }))
    }
    const owner = client.prepare('select * from app_user where id = ?').get(invoice.owner_user_id) as Row
    const changed = { ...owner, id: other, subject: other, phone_number: null, username: null, email: null }
    client
      .prepare(
        `insert into app_user (${Object.keys(changed).join()}) values (${Object.keys(changed)
          .map(() => '?')
          .join()})`,
      )
      .run(Object.values(changed))
  })()
  client.close()
  return {
    server: await startServer({ data }),
    property: String(invoice.property_id),
    lease: String(invoice.booking_id),
    other,
  }
}

test('a property with 9,000 invoices changes hands: nobody waits, and nobody sees a part of it', async () => {
  const { server, property, lease, other } = await crowded()
  const [admin, owner] = [await server.token('ADMIN'), await server.token('OWNER')]
  const list = `GET /api/v1/invoices?bookingId=${lease}&limit=1&count=true`
  const total = async (token: string) => Number((await server.call(token, list)).headers.get('x-total-count'))
  const all = await total(owner)
  expect(all).toBeGreaterThan(INVOICES)
  const seen = new Set<number>()
  let slowest = 0
  let over = false
  const reading = (async () => {
    while (!over) {
      const began = performance.now()
      await fetch(`${server.base}/healthz`)
      slowest = Math.max(slowest, performance.now() - began)
      seen.add(await total(owner))
    }
  })()
  const stale = await server.call(
    admin,
    `PATCH /api/v1/properties/${property}`,
    { ownerUserId: other },
    { 'if-match': '"x.1"' },
  )
  const nobody = await server.call(admin, `PATCH /api/v1/properties/${property}`, { ownerUserId: lease })
  const began = performance.now()
  let tookMs = 0
  const [moved, written] = await Promise.all([
    server
      .call(admin, `PATCH /api/v1/properties/${property}`, { ownerUserId: other, name: 'Autre nom' })
      .then((answer) => {
        tookMs = performance.now() - began
        return answer
      }),
    Bun.sleep(50).then(() => server.call(admin, 'POST /api/v1/tenants', { fullName: 'Pendant' })),
  ])
  over = true
  await reading
  expect([stale.status, nobody.status, moved.status, written.status]).toEqual([412, 422, 200, 201])
  expect(moved.body).toMatchObject({ id: property, ownerUserId: other, name: 'Autre nom' })
  const read = await server.call(admin, `GET /api/v1/properties/${property}`)
  expect(read.headers.get('etag')).toBe(moved.headers.get('etag'))
  // All of it, or nothing of it.
  expect([...seen].filter((n) => n !== all && n !== 0)).toEqual([])
  expect(await total(owner)).toBe(0)
  expect(await total(admin)).toBe(all)
  expect((await server.call(owner, `GET /api/v1/properties/${property}`)).status).toBe(404)
  expect((await server.call(owner, `GET /api/v1/invoices/${idOf('02', 7)}`)).status).toBe(404)
  // Held in one piece, everybody would have waited for as long as the change took.
  expect(slowest).toBeLessThan(tookMs / 2)
  expect((await server.end('SIGTERM')).code).toBe(0)
}, 60_000)
