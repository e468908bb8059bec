// ETag, If-None-Match and If-Match: a version is read, kept by the client, and changed by who has read it.
import { describe, expect, test } from 'bun:test'
import { fill, listRoutes } from '../support/routes.ts'
import { samples, traces, worldApp } from '../support/world.ts'

const { t, w } = await worldApp()
const all = samples(w).filter(({ code }) => !code)
const lists = new Set(listRoutes(t.app).map(({ line }) => line))
const single = all.filter(
  ({ line }) =>
    line.startsWith('GET /api/v1/') &&
    !lists.has(line) &&
    !/sandbox|legal|events$|sessions|recoveries|search|secret|export|\/file$|reports|imports\/templates|archives\/:id\/download|inspections\/:id\/photos|proposed-deductions|charge-shares|credit-notes|admin\/backups/.test(
      line,
    ),
)

describe.each(single.map(({ line, mine, theirs }) => [fill(line, theirs?.ada ?? mine)]))('%s', (line) => {
  test('has a strong ETag, and answers 304 without a body to who knows it', async () => {
    const first = await t.call(w.as.ada, line)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+\.\d+"$/)
    expect((await t.call(w.as.ada, line)).headers.get('etag')).toBe(etag)
    for (const known of [etag, `W/${etag}`, `"a", ${etag}`, `${etag}, "b"`, '*']) {
      const again = await t.call(w.as.ada, line, undefined, { 'if-none-match': known })
      expect([known, again.status, again.text, again.headers.get('etag')]).toEqual([known, 304, '', etag])
      expect(again.headers.get('vary')).toContain('Authorization')
    }
    for (const unknown of ['"a"', etag.slice(1, -1), `${etag.slice(0, -1)}0"`, '', 'W/"a"'])
      expect((await t.call(w.as.ada, line, undefined, { 'if-none-match': unknown })).status).toBe(200)
  })
})

const listed = all.filter(({ line }) => lists.has(line)).map(({ line, mine }) => fill(line, mine))
test.each(listed.map((line) => [line]))('%s has a weak ETag of the organization and of who sees it', async (line) => {
  const etag = (await t.call(w.as.ada, line)).headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/"[^"]+"$/)
  for (const known of [etag, etag.slice(2), `"a", ${etag}`, `${etag}, "b"`, '*'])
    expect([known, (await t.call(w.as.ada, line, undefined, { 'if-none-match': known })).status]).toEqual([known, 304])
  for (const unknown of ['"a"', `${etag.slice(0, -1)}0"`, ''])
    expect((await t.call(w.as.ada, line, undefined, { 'if-none-match': unknown })).status).toBe(200)
  // Who changes the token, and keeps what the last one was told, is not told that it still holds.
  const tom = await t.call(w.as.tom, line, undefined, { 'if-none-match': etag })
  expect(tom.status).not.toBe(304)
  await t.call(w.as.ada, 'PATCH /api/v1/admin/organization', { name: `N${crypto.randomUUID().slice(0, 8)}` })
  const after = await t.call(w.as.ada, line, undefined, { 'if-none-match': etag })
  expect([after.status, after.headers.get('etag') === etag]).toEqual([200, false])
})
test.each([['GET /api/v1/media'], ['GET /api/v1/verification/kyc/mine']])(
  '%s differs by person among those who see a whole organization',
  async (line) => {
    const paper = { kind: 'DOCUMENT', filename: 'a.pdf', contentType: 'application/pdf', sizeBytes: 9 }
    await t.call(w.as.ada, 'POST /api/v1/media', { ...paper, ownerType: 'USER', ownerId: w.userIds.ada })
    const etag = (await t.call(w.as.ada, line)).headers.get('etag') ?? ''
    const mia = await t.call(w.as.mia, line, undefined, { 'if-none-match': etag })
    expect([mia.status, mia.text === (await t.call(w.as.ada, line)).text]).toEqual([200, false])
    // And by role: who is no administrator any more does not go on with what one was told.
    const ada = await t.call('MANAGER.ada', line, undefined, { 'if-none-match': etag })
    expect(ada.status).toBe(line.endsWith('media') ? 200 : 304)
  },
)
test.each(listed.map((line) => [line]))('%s: another organization cannot move its ETag', async (line) => {
  const etag = (await t.call(w.as.ada, line)).headers.get('etag') ?? ''
  await t.call('OWNER.oli~elsewhere', 'POST /api/v1/properties', { name: 'N', addressLine: 'R', city: 'C' })
  expect((await t.call(w.as.ada, line, undefined, { 'if-none-match': etag })).status).toBe(304)
})

test('what is asked wrongly is refused, whatever the client says it knows', async () => {
  for (const query of ['limit=0', 'x=1&x=2', 'cursor=bad'])
    expect(
      (await t.call(w.as.ada, `GET /api/v1/bookings?${query}`, undefined, { 'if-none-match': '"a"' })).status,
    ).toBe(422)
  const gone = `GET /api/v1/bookings/${w.userIds.ana}`
  expect((await t.call(w.as.ada, gone, undefined, { 'if-none-match': '*' })).status).toBe(404)
})

/** Where the version of what an operation changes is read. */
const READ: Readonly<Record<string, string>> = {
  property: 'properties',
  unit: 'units',
  tenant: 'tenants',
  booking: 'bookings',
  invoice: 'invoices',
  payment: 'payments',
  media: 'media',
  endpoint: 'webhook-endpoints',
}
const operations = all.filter(
  ({ line, kind }) =>
    !line.endsWith('/otp') &&
    !line.endsWith('/preview') &&
    kind &&
    kind in READ &&
    /^(PATCH|POST) .*(:id|\/[a-z]+)$/.test(line) &&
    !line.endsWith('/units'),
)
describe.each(operations.map((sample) => [sample.line, sample] as const))(
  '%s with If-Match',
  (line, { kind, body }) => {
    // A world of its own: each operation moves what it is tried on.
    const prepare = async () => {
      const { t: own, w: ours } = await worldApp()
      const mine = samples(ours).find((s) => s.line === line)?.mine ?? ''
      const as = line.endsWith('/withdraw') ? ours.as.tom : kind === 'endpoint' ? ours.as.mia : ours.as.ana
      const read = `GET /api/v1/${READ[kind ?? '']}/${mine}`
      return { own, as, mine, etag: (await own.call(as, read)).headers.get('etag') ?? '' }
    }
    test('of another version is 412 and changes nothing; of this one goes through, once', async () => {
      const { own, as, mine, etag } = await prepare()
      const before = traces(own)
      const other = etag.replace(/\.(\d+)"$/, (_m, n: string) => `.${Number(n) + 1}"`)
      for (const stale of [other, `W/${etag}`, '"x"', etag.slice(1, -1), `"foreign.1"`, '""']) {
        const refused = await own.call(as, fill(line, mine), body, { 'if-match': stale })
        expect([stale, refused.status, refused.body.code]).toEqual([stale, 412, 'precondition_failed'])
      }
      expect(traces(own)).toBe(before)
      const done = await own.call(as, fill(line, mine), body, { 'if-match': `"a", ${etag}` })
      expect(done.status).toBeLessThan(300)
      expect(traces(own)).not.toBe(before)
    })
  },
)

test('If-Match: * goes through, and an answer carries the version that it made', async () => {
  const path = `/api/v1/properties/${w.properties.DRAFT}`
  const changed = await t.call(w.as.ana, `PATCH ${path}`, { quartier: 'Q' }, { 'if-match': '*' })
  const etag = changed.headers.get('etag') ?? ''
  expect([changed.status, (await t.call(w.as.ana, `GET ${path}`)).headers.get('etag')]).toEqual([200, etag])
  const twice = await Promise.all(
    [1, 2].map((n) => t.call(w.as.ana, `PATCH ${path}`, { quartier: `${n}` }, { 'if-match': etag })),
  )
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 412])
})

test('PATCH: absent stays, null clears, a value replaces', async () => {
  const path = `PATCH /api/v1/properties/${w.properties.DRAFT}`
  await t.call(w.as.ana, path, { quartier: 'Q', province: 'P' })
  const { body } = await t.call(w.as.ana, path, { quartier: null })
  expect([body.quartier, body.province, body.city]).toEqual([undefined, 'P', 'Douala'])
  const empty = await t.call(w.as.ana, path, {})
  expect([empty.status, empty.body.province]).toEqual([200, 'P'])
  expect((await t.call(w.as.ana, path, { name: null })).status).toBe(422)
})

test('what is computed has the tag of its address, of who asks, of what the organization knows, and of the day', async () => {
  const asked = (end: string) => `GET /api/v1/bookings/${w.bookings.ACTIVE}/settlement?endDate=2026-03-${end}`
  const etagOf = async (who: string, line: string) => (await t.call(who, line)).headers.get('etag') ?? ''
  const etag = await etagOf(w.as.ana, asked('10'))
  const again = async (line: string, who = w.as.ana, known = etag) =>
    (await t.call(who, line, undefined, { 'if-none-match': known })).status
  expect(await again(asked('10'))).toBe(304)
  expect([await again(asked('09')), await again(asked('10'), w.as.ada)]).toEqual([200, 200])
  // neither a tag nor `*` tells that there is something where the caller sees nothing
  expect([await again(asked('10'), w.as.eve), await again(asked('10'), w.as.eve, '*')]).toEqual([404, 404])
  t.time.now += 86_400_000
  expect(await again(asked('10'))).toBe(200)
  await t.call(w.as.ana, `PATCH /api/v1/properties/${w.properties.DRAFT}`, { quartier: `Q${crypto.randomUUID()}` })
  expect(await again(asked('10'), w.as.ana, await etagOf(w.as.ana, asked('10')))).toBe(304)
})
