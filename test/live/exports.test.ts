// The demo, packed by one process and brought into an empty folder by another: what both then answer is the same.
import { afterAll, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { DEMO_PASSWORD, DEMO_USERS } from '../../src/features/system/demo/rules.ts'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { LISTS } from '../support/lists.ts'
import { launch, type Server, startServer } from '../support/server.ts'

afterAll(cleaner())
type Row = Record<string, unknown>
const REPORTS = ['rent-roll', 'arrears', 'collection', 'occupancy', 'tva-journal', 'owner-statement']

async function read(s: Server, token: string, path: string): Promise<{ status: number; text: string }> {
  const url = path.startsWith('http') ? s.base + path.replace(/^https?:\/\/[^/]+/, '') : `${s.base}${path}`
  const answer = await fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} })
  return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') }
}
const list = async (s: Server, token: string, path: string) =>
  JSON.parse((await read(s, token, `/api/v1/${path}`)).text) as Row[]
async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await Bun.sleep(100)
}

test('reports to the franc, every list, every paper byte for byte, and codes that are still known', async () => {
  const home = temporaryFolder('export')
  const here = await startServer({ data: home })
  const admin = await here.token('ADMIN')
  const owner = await here.token('OWNER')
  const [late] = await list(here, owner, 'invoices?status=OVERDUE&limit=1')
  // On some dates the demo has sent this one's notice itself, on the same day.
  const notice = await here.call(owner, `POST /api/v1/invoices/${late?.id}/remind`, { step: 'FORMAL_NOTICE' })
  expect(notice.status).toBeOneOf([201, 409])
  const deposit = { type: 'RECEIVED', amount: 85_000, paidOn: String(late?.periodStart) }
  expect((await here.call(owner, `POST /api/v1/bookings/${late?.bookingId}/deposit`, deposit)).status).toBe(201)
  const drawn = (rows: Row[]) => rows.length > 0 && rows.every(({ status }) => status === 'READY')
  await until(async () => drawn(await list(here, admin, 'documents?limit=200')))
  const [rentMessage] = await list(here, owner, `bookings/${late?.bookingId}/messages?limit=1`)
  await until(async () => (await read(here, owner, `/api/v1/messages/${rentMessage?.id}/letter-url`)).status === 200)

  const { body: asked } = await here.call(admin, 'POST /api/v1/exports', {})
  await until(async () => (await here.call(admin, `GET /api/v1/exports/${asked.id}`)).body.status === 'SUCCEEDED')
  const { body: link } = await here.call(admin, `GET /api/v1/exports/${asked.id}/download-url`)
  const zip = join(temporaryFolder('zip'), 'loyer.zip')
  writeFileSync(zip, (await read(here, '', String(link.url))).text, 'latin1')
  const data = temporaryFolder('import')
  const bring = (file: string) => launch({ data, command: 'import', args: [file, '--operator'] })
  // What was cut changes nothing.
  const cut = `${zip}.part`
  const whole = readFileSync(zip)
  writeFileSync(cut, whole.subarray(0, whole.length * 0.9))
  const failed = bring(cut)
  expect((await failed.end()).code).toBe(1)
  expect(failed.output()).toContain('damaged or was changed')
  expect(Object.keys(contents(data)).filter((name) => /^(media|documents)/.test(name))).toEqual([])
  const brought = bring(zip)
  expect([(await brought.end()).code, brought.output()]).toEqual([0, expect.stringContaining('organization ')])
  const again = bring(zip)
  expect([(await again.end()).code, again.output()]).toEqual([1, expect.stringContaining('there already')])

  // What the operator packs at the server is a file of theirs alone, and never in place of another.
  const packed = join(temporaryFolder('packed'), 'all.zip')
  const atServer = (...args: string[]) => launch({ data, command: 'export', args })
  const exported = atServer(packed)
  expect([(await exported.end()).code, exported.output()]).toEqual([0, expect.stringContaining('organization ')])
  expect(statSync(packed).mode & 0o777).toBe(0o600)
  const over = atServer(packed)
  expect([(await over.end()).code, over.output()]).toEqual([1, expect.stringContaining('cannot be made')])
  const gone = bring(`${packed}.not-here`)
  expect([(await gone.end()).code, gone.output()]).toEqual([66, expect.stringContaining('There is no file')])

  const there = await startServer({ data, command: 'serve' })
  const tokens = await Promise.all([here, there].map(async (s) => [await s.token('ADMIN'), await s.token('OWNER')]))
  const both = async (path: string, who: 0 | 1) =>
    Promise.all([read(here, tokens[0]?.[who] ?? '', path), read(there, tokens[1]?.[who] ?? '', path)])
  for (const name of REPORTS)
    for (const query of ['', '?from=2026-01-01&to=2026-12-31']) {
      const [mine, its] = await both(`/api/v1/reports/${name}${query}`, 1)
      expect([mine?.status, its?.text]).toEqual([200, mine?.text])
    }
  const parents: Row = { properties: 'properties', bookings: 'bookings', invoices: 'invoices' }
  const compared: string[] = []
  // Identity papers stay with their subject, and so do the cases and files that show them.
  for (const { line } of LISTS.filter((l) => !/webhook|audit|imports|exports|verification|media$/.test(l.line))) {
    const path = line.replace('GET /api/v1/', '')
    const [parent = '', , child] = path.split('/')
    const ids = path.includes(':id')
      ? (await list(here, owner, `${parents[parent] ?? parent}?limit=200`)).map(({ id }) => id)
      : ['']
    for (const id of ids)
      for (const who of [0, 1] as const) {
        const [mine, its] = await both(`/api/v1/${path.replace(':id', String(id))}?limit=200`, who)
        // What a vendor said of a message stays with the server that sent it.
        if (mine?.status === 200) expect(its?.text).toBe(mine.text.replaceAll(/,"delivery":"\w+"/g, ''))
        else expect(its?.status).toBe(Number(mine?.status))
        if (mine?.text !== '[]') compared.push(child ?? path)
      }
  }
  expect(new Set(compared).size).toBeGreaterThan(10)
  const database = new Database(join(home, 'loyer.db'), { readonly: true })
  const codes = new Map(database.prepare('select id, code from document').raw().all() as [string, string][])
  database.close()
  expect(codes.size).toBeGreaterThan(20)
  for (const [id, code] of codes) {
    const [mine, its] = await both(`/api/v1/documents/${id}/download-url`, 0)
    const files = [
      await read(here, '', JSON.parse(mine?.text ?? '').url),
      await read(there, '', JSON.parse(its?.text ?? '').url),
    ]
    expect(files[0]?.text).toStartWith('%PDF')
    expect(files[1]?.text === files[0]?.text).toBe(true)
    const pages = [await read(here, '', `/verify/${code}`), await read(there, '', `/verify/${code}`)]
    expect([pages[0]?.status, pages[1]?.status]).toEqual([200, 200])
  }
  const letters = await both(`/api/v1/messages/${rentMessage?.id}/letter-url`, 1)
  const [mine = '', its = ''] = letters.map(({ text }) => String(JSON.parse(text).url))
  expect((await read(there, '', its)).text).toBe((await read(here, '', mine)).text)
  // Passwords stay behind; a new one is set by phone.
  const phone = DEMO_USERS[0].phone
  const signIn = (password: string) => there.call('', 'POST /api/v1/sandbox/token', { username: phone, password })
  expect((await signIn(DEMO_PASSWORD)).status).toBe(401)
  const reset = await there.call('', 'POST /api/v1/account/password-reset/request', { phoneNumber: phone })
  const codeOf = async () => (await list(there, '', `sandbox/messages?to=${phone.slice(1)}`))[0]?.code
  await until(async () => (await codeOf()) !== undefined)
  const newPassword = 'plantain et maïs'
  const given = { challengeId: reset.body.challengeId, code: await codeOf(), newPassword }
  expect((await there.call('', 'POST /api/v1/account/password-reset/complete', given)).status).toBeLessThan(300)
  expect((await signIn(newPassword)).status).toBe(200)
  for (const s of [here, there]) expect((await s.end('SIGTERM')).code).toBe(0)
}, 120_000)
