// Answers in gzip: for whom, of what size, and under which tags.
import { describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { worldApp } from '../support/world.ts'

const { t, w } = await worldApp()
const LIST = '/api/v1/properties'
for (let i = 0; i < 12; i++)
  await t.call(w.as.eve, 'POST /api/v1/properties', { name: `Maison ${i}`, addressLine: 'Rue', city: 'Kribi' })
const long = await t.call(w.as.ana, 'POST /api/v1/properties', {
  name: 'Longue',
  addressLine: 'Rue',
  city: 'Kribi',
  amenities: Array.from({ length: 50 }, (_, i) => `Commodité numéro ${i} de cette maison`),
})
const ONE = `/api/v1/properties/${long.body.id}`
const SHORT = `/api/v1/properties/${w.properties.DRAFT}`

async function ask(path: string, headers: Record<string, string> = {}, who: string = w.as.ana, method = 'GET') {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { authorization: `Bearer ${who}`, ...headers },
  })
  const response = await t.app.handle(request)
  const bytes = Buffer.from(await response.arrayBuffer())
  const coding = response.headers.get('content-encoding')
  return { response, bytes, coding, text: String(coding === 'gzip' ? gunzipSync(bytes) : bytes) }
}

describe.each([
  ['gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['br;q=1, gzip;q=0.5', 'gzip'],
  ['*', 'gzip'],
  ['identity;q=0', null],
  ['identity;q=0, gzip', 'gzip'],
  ['*;q=0, gzip;q=0.1', 'gzip'],
  ['gzip;q=0.5, identity;q=0.6', null],
  ['gzip;q=0', null],
  ['gzip;q=0.000, *', null],
  ['*, gzip;q=0', null],
  ['br', null],
  ['', null],
  ['xgzip', null],
  [`${'a,'.repeat(5_000)}gzip`, null],
])('Accept-Encoding: %.40s', (accept, coding) => {
  test.each([[`${LIST}?limit=20`], [ONE]])('%s', async (path) => {
    const plain = await ask(path, {}, w.as.mia)
    const got = await ask(path, { 'accept-encoding': accept }, w.as.mia)
    expect([plain.coding, got.coding]).toEqual([null, coding])
    expect(got.text).toBe(plain.text)
    expect(got.response.headers.get('vary')).toContain('Accept-Encoding')
    if (coding) expect(got.bytes.length * 2).toBeLessThan(plain.bytes.length)
  })
})

test('what is short stays as it is, unless that is refused', async () => {
  expect((await ask(SHORT, { 'accept-encoding': 'gzip' })).coding).toBeNull()
  expect((await ask(SHORT, { 'accept-encoding': 'gzip, identity;q=0' })).coding).toBe('gzip')
})

test('writes, reports and answers kept for a replay are packed too', async () => {
  const post = (headers: Record<string, string>) =>
    t.app.handle(
      new Request(`http://localhost/api/v1/properties/${w.properties.DRAFT}/units`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${w.as.ana}`,
          'content-type': 'application/json',
          'idempotency-key': 'packed-1',
          ...headers,
        },
        body: JSON.stringify({ labels: Array.from({ length: 20 }, (_, i) => `P${i}`), rentAmount: 1_000 }),
      }),
    )
  const first = await post({ 'accept-encoding': 'gzip' })
  expect([first.status, first.headers.get('content-encoding')]).toEqual([201, 'gzip'])
  const made = String(gunzipSync(await first.arrayBuffer()))
  const again = await post({})
  expect([again.status, again.headers.get('idempotency-replayed'), again.headers.get('content-encoding')]).toEqual([
    201,
    'true',
    null,
  ])
  expect(JSON.parse(await again.text())).toEqual(JSON.parse(made))
  const report = '/api/v1/reports/rent-roll?from=2025-12-01&to=2026-03-31'
  const packed = await ask(report, { 'accept-encoding': 'gzip' })
  expect([packed.coding, packed.text]).toEqual(['gzip', (await ask(report)).text])
})

test('one version under a tag for each form; either is known, either may be changed', async () => {
  const plain = (await ask(ONE)).response.headers.get('etag') ?? ''
  const packed = (await ask(ONE, { 'accept-encoding': 'gzip' })).response.headers.get('etag') ?? ''
  expect(packed).toBe(`${plain.slice(0, -1)}-gzip"`)
  for (const etag of [plain, packed, `W/${packed}`, `"x", ${packed}`])
    for (const accept of ['gzip', 'identity']) {
      const { response, bytes } = await ask(ONE, { 'accept-encoding': accept, 'if-none-match': etag })
      expect([etag, response.status, bytes.length]).toEqual([etag, 304, 0])
      expect(etag).toContain(response.headers.get('etag') ?? 'none')
      expect(response.headers.get('content-encoding')).toBeNull()
    }
  expect((await ask(ONE, { 'accept-encoding': 'gzip', 'if-none-match': '"x-gzip"' })).response.status).toBe(200)
  const change = (etag: string, name: string) => t.call(w.as.ana, `PATCH ${ONE}`, { name }, { 'if-match': etag })
  expect((await change(packed, 'Un')).status).toBe(200)
  expect((await change(packed, 'Deux')).status).toBe(412)
  const list = async (accept: string) =>
    (await ask(`${LIST}?limit=20`, { 'accept-encoding': accept }, w.as.mia)).response.headers.get('etag')
  expect(await list('gzip')).toBe(await list('identity'))
})

test('what is kept in memory leaves in the form asked for, to its own caller, until something changes', async () => {
  const path = `${LIST}?limit=20&city=Kribi`
  const want = (await ask(path, {}, w.as.mia)).text
  for (const accept of ['gzip', 'identity', 'gzip', 'gzip', 'identity', 'identity', 'gzip'])
    expect((await ask(path, { 'accept-encoding': accept }, w.as.mia)).text).toBe(want)
  for (const accept of ['gzip', 'gzip', 'gzip'])
    expect((await ask(path, { 'accept-encoding': accept }, w.as.ana)).text).not.toBe(want)
  await t.call(w.as.eve, 'POST /api/v1/properties', { name: 'Neuve', addressLine: 'Rue', city: 'Kribi' })
  expect((await ask(path, { 'accept-encoding': 'gzip' }, w.as.mia)).text).toContain('Neuve')
})

test('files, which are packed already, and problems stay as they are', async () => {
  const report = '/api/v1/reports/rent-roll?format=xlsx&from=2026-03-01&to=2026-03-31'
  expect((await ask(report, { 'accept-encoding': 'gzip' })).coding).toBeNull()
  const gone = await ask('/api/v1/properties/nobody', { 'accept-encoding': 'gzip' })
  expect([gone.response.status, gone.coding]).toEqual([404, null])
})

test('a long report leaves packed piece by piece, as a sheet of text too, and a short one as it is', async () => {
  const path = '/api/v1/reports/rent-roll?from=2026-03-01&to=2026-03-31'
  const plain = await ask(path)
  const got = await ask(path, { 'accept-encoding': 'gzip' })
  expect([plain.coding, got.coding, got.text]).toEqual([null, 'gzip', plain.text])
  expect(plain.bytes.length).toBeGreaterThan(1024)
  const sheet = `${path}&format=csv`
  const asText = await ask(sheet)
  const only = await ask(sheet, { 'accept-encoding': 'gzip, identity;q=0' })
  expect([asText.coding, only.coding, only.text]).toEqual([null, 'gzip', asText.text])
  expect(only.response.headers.get('content-disposition')).toContain('rent-roll-2026-03-01-2026-03-31.csv')
  const short = await ask('/api/v1/reports/arrears?from=1950-01-01&to=1950-01-31', { 'accept-encoding': 'gzip' })
  expect([short.coding, short.response.status]).toEqual([null, 200])
})
