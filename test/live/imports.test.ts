// Imports as they run for real, in a thread of their own: beside other writes, over a crash, and with files made to harm.
import { afterAll, expect, test } from 'bun:test'
import { zip } from '../../src/adapters/archive/zip.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { freePort, type Server, startServer } from '../support/server.ts'

afterAll(cleaner())

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
type Run = { id: string; status: string; rowsDone: number; problems: { message: string }[]; created: object }

async function begin(s: Server, token: string, kind: string, bytes: Uint8Array<ArrayBuffer>, type = 'text/csv') {
  const { body: me } = await s.call(token, 'GET /api/v1/me')
  const owner = { ownerType: 'USER', ownerId: me.id, kind: 'DOCUMENT', filename: type === XLSX ? 'a.xlsx' : 'a.csv' }
  const { body } = await s.call(token, 'POST /api/v1/media', { ...owner, contentType: type, sizeBytes: bytes.length })
  const { url, headers } = body.upload as { url: string; headers: Record<string, string> }
  const path = new URL(url)
  expect((await fetch(`${s.base}${path.pathname}${path.search}`, { method: 'PUT', headers, body: bytes })).status).toBe(
    204,
  )
  expect((await s.call(token, `POST /api/v1/media/${body.id}/complete`, {})).status).toBe(200)
  const run = await s.call(token, 'POST /api/v1/imports', { kind, mediaObjectId: body.id })
  expect(run.status).toBe(202)
  return String(run.body.id)
}
const look = async (s: Server, token: string, id: string) =>
  (await s.call(token, `GET /api/v1/imports/${id}`)).body as unknown as Run
async function ended(s: Server, token: string, id: string): Promise<Run> {
  for (;;) {
    const run = await look(s, token, id)
    if (run.status === 'SUCCEEDED' || run.status === 'FAILED') return run
    await Bun.sleep(20)
  }
}
const csvOf = (head: string, rows: number, line: (i: number) => string) =>
  new TextEncoder().encode([head, ...Array.from({ length: rows }, (_, i) => line(i))].join('\n'))
const total = async (s: Server, token: string, path: string) =>
  Number((await s.call(token, `GET /api/v1/${path}?limit=1&count=true`)).headers.get('x-total-count'))

test('what others write while it runs is saved; killed in the middle it ends, is not begun again, and left nothing', async () => {
  const data = temporaryFolder('imports')
  const port = await freePort()
  let s = await startServer({ data, port })
  const token = await s.token()
  const property = { name: 'Tour', addressLine: 'Rue 1', city: 'Douala' }
  expect((await s.call(token, 'POST /api/v1/properties', property)).status).toBe(201)
  const tenants = await total(s, token, 'tenants')
  const id = await begin(
    s,
    token,
    'tenants',
    csvOf('Nom', 2000, (i) => `Personne ${i}`),
  )
  const seen = new Set<number>()
  const others: ReturnType<typeof s.call>[] = []
  for (let over = false; !over; await Bun.sleep(10)) {
    const { rowsDone, status } = await look(s, token, id)
    seen.add(rowsDone)
    over = status === 'SUCCEEDED'
    // These wait for the import's one transaction, while reads go on.
    if (others.length < 5) others.push(s.call(token, 'PATCH /api/v1/me', { lastName: `Autre ${others.length}` }))
  }
  expect((await ended(s, token, id)).created).toEqual({ tenants: 2000 })
  expect([...seen].filter((n) => n > 0 && n < 2000).length).toBeGreaterThan(0)
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(5).fill(200))

  const again = await begin(
    s,
    token,
    'tenants',
    csvOf('Nom', 2000, (i) => `Gens ${i}`),
  )
  while ((await look(s, token, again)).status === 'QUEUED') await Bun.sleep(5)
  await s.end('SIGKILL')
  s = await startServer({ data, port })
  const fresh = await s.token()
  // A file that took the process along would take it along again.
  const over = await ended(s, fresh, again)
  expect([over.status, over.created]).toEqual(['FAILED', {}])
  expect(await total(s, fresh, 'tenants')).toBe(tenants + 2000)
  expect((await s.end('SIGTERM')).code).toBe(0)
}, 60_000)

test('a bomb and half a million rows are refused with a sentence, and the service stays as it was', async () => {
  const s = await startServer({ data: temporaryFolder('imports') })
  const token = await s.token()
  async function* much(): AsyncGenerator<string> {
    for (let i = 0; i < 200; i++) yield '0'.repeat(1024 * 1024)
  }
  const parts = [
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: 'xl/workbook.xml', content: '<workbook/>' },
    { name: 'xl/worksheets/sheet1.xml', content: much() },
  ]
  const bomb = new Uint8Array(await new Response(zip(parts, new Date('2026-01-01T00:00:00Z'))).arrayBuffer())
  for (const [file, type, words] of [
    // Its sheet is named by no workbook, so nothing of it is unpacked.
    [bomb, XLSX, 'This is no CSV or XLSX file'],
    [csvOf('Nom', 500_000, () => 'x'), 'text/csv', 'more than 2000 rows'],
  ] as const) {
    const run = await ended(s, token, await begin(s, token, 'tenants', file, type))
    expect([run.status, run.problems[0]?.message]).toEqual(['FAILED', expect.stringContaining(words)])
  }
  const after = csvOf('Nom', 1, () => 'Après')
  expect((await ended(s, token, await begin(s, token, 'tenants', after))).status).toBe('SUCCEEDED')
  expect((await s.end('SIGTERM')).code).toBe(0)
}, 60_000)
