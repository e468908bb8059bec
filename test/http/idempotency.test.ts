// Idempotency-Key: one effect a key, kept a day for one caller, method and path, together with the effect or not at all.
import { describe, expect, test } from 'bun:test'
import { type Answer, createTestApp, ORG } from '../support/app.ts'
import { fill } from '../support/routes.ts'
import { cash, samples, traces, worldApp } from '../support/world.ts'

const place = { name: 'N', addressLine: 'R', city: 'C' }
const key = (value: string) => ({ 'idempotency-key': value })
/** Status, body and the headers that a client reads. */
const told = ({ status, text, headers }: Answer): unknown => [
  status,
  // Signed links are made afresh.
  text.replace(/,"upload":.*$/, ''),
  ...['content-type', 'cache-control', 'etag', 'link', 'vary'].map((name) => headers.get(name)),
]

// What answers with codes or tokens is never stored: nothing under registration and account. A preview has no effect.
const names = samples((await worldApp()).w).flatMap(({ line, code }) =>
  line.startsWith('POST /api/v1/') && !code && !/registration|account|preview|otp/.test(line) ? [line] : [],
)
describe.each(names.map((line) => [line]))('%s', (line) => {
  test('is done once; each twin gets the first answer, word for word', async () => {
    const { t, w } = await worldApp()
    const sample = samples(w).find((s) => s.line === line)
    const as = /(withdraw|decline)$/.test(line)
      ? w.as.tom
      : /webhook|owner-transfers|ledger|attribute/.test(line)
        ? w.as.mia
        : w.as.ana
    const body = line === 'POST /api/v1/bookings' ? { ...sample?.body, tenantId: w.tenants.LINKED } : sample?.body
    const send = (more = {}) => t.call(as, fill(line, sample?.mine), { ...body, ...more }, key('once'))
    const first = await send()
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([sample?.status ?? 0, null])
    const after = traces(t)
    const version = t.store.orgVersion(ORG)
    t.time.now += 3_600_000
    const twin = await send()
    expect(t.store.orgVersion(ORG)).toBe(version)
    expect(twin.headers.get('idempotency-replayed')).toBe('true')
    expect(told(twin)).toEqual(told(first))
    const different = await send({
      ...(line.includes('payments') || line.endsWith('tenants') ? { reference: 'x' } : { nothing: 1 }),
    })
    expect(different.status).toBe(422)
    expect(traces(t)).toBe(after)
  })
})

describe('what changes nothing leaves lists as they are known', async () => {
  const { t, w } = await worldApp()
  const again: [line: string, body: object][] = [
    [`POST /api/v1/properties/${w.properties.ARCHIVED}/archive`, {}],
    [`POST /api/v1/properties/${w.properties.PUBLISHED}/publish`, {}],
    [`POST /api/v1/bookings/${w.bookings.ACTIVE}/activate`, {}],
    [`POST /api/v1/bookings/${w.bookings.TERMINATED}/terminate`, {}],
    [`POST /api/v1/payments/${w.payments.CONFIRMED}/confirm`, {}],
    [`PATCH /api/v1/properties/${w.properties.PUBLISHED}`, { name: 'Villa' }],
    ['PATCH /api/v1/me', { firstName: 'ana' }],
  ]
  test.each(again)('%s, done before', async (line, body) => {
    const list = await t.call(w.as.ana, 'GET /api/v1/bookings')
    const known = { 'if-none-match': list.headers.get('etag') ?? '' }
    for (const headers of [{}, key(`again ${line}`.replaceAll(' ', '-'))]) {
      const answer = await t.call(w.as.ana, line, body, headers)
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null])
      expect((await t.call(w.as.ana, 'GET /api/v1/bookings', undefined, known)).status).toBe(304)
    }
    // The key was kept for all that.
    if (line.startsWith('POST'))
      expect(
        (await t.call(w.as.ana, line, body, key(`again ${line}`.replaceAll(' ', '-')))).headers.get(
          'idempotency-replayed',
        ),
      ).toBe('true')
  })
  test('and what changes something does not', async () => {
    const before = t.store.orgVersion(ORG)
    await t.call(w.as.ana, 'POST /api/v1/properties', place, key('new'))
    expect(t.store.orgVersion(ORG)).toBe(before + 1)
  })
})

describe('a key', async () => {
  const { t, w } = await worldApp()
  const line = 'POST /api/v1/properties'
  const send = (value: string, as = w.as.ana, body: object = place, to = line) => t.call(as, to, body, key(value))

  test.each([
    ['1 character', 'k', 201],
    ['255 characters', 'k'.repeat(255), 201],
    ['every visible one', '!"#$%&\'()*+,-./0:;<=>?@A[\\]^_`a{|}~', 201],
    ['256 characters', 'k'.repeat(256), 422],
    ['nothing', '', 422],
    ['a blank inside', 'a b', 422],
    ['a tab inside', 'a\tb', 422],
    ['a letter beyond ASCII', 'é', 422],
  ])('of %s → %#', async (_what, value, status) => {
    const before = traces(t)
    const answer = await send(value)
    expect(answer.status).toBe(status)
    if (status === 422) {
      expect((answer.body.errors as { path: string }[])[0]?.path).toBe('Idempotency-Key')
      expect(traces(t)).toBe(before)
    }
  })

  test('with another body is refused; the same members in another spelling are the same body', async () => {
    await send('body')
    expect([(await send('body', w.as.ana, { ...place, name: 'M' })).body.code]).toEqual(['idempotency_mismatch'])
    const spelled = await t.call(w.as.ana, line, ` ${JSON.stringify(place)}\n`, key('body'))
    expect(spelled.headers.get('idempotency-replayed')).toBe('true')
  })

  test('is one caller’s, on one path, in one organization', async () => {
    const first = await send('mine')
    const ids = new Set([first.body.id])
    for (const as of [w.as.eve, w.as.mia, 'OWNER.ana~elsewhere']) {
      const { status, headers, body } = await send('mine', as)
      expect([status, headers.get('idempotency-replayed')]).toEqual([201, null])
      ids.add(body.id)
    }
    expect(ids.size).toBe(4)
    const elsewhere = await send('mine', w.as.ana, { fullName: 'T' }, 'POST /api/v1/tenants')
    expect([elsewhere.status, elsewhere.headers.get('idempotency-replayed')]).toEqual([201, null])
    const unit = { label: 'K', rentAmount: 1 }
    for (const id of [w.properties.PUBLISHED, w.properties.DRAFT])
      expect(
        (await send('units', w.as.ana, unit, `POST /api/v1/properties/${id}/units`)).headers.has(
          'idempotency-replayed',
        ),
      ).toBe(false)
  })

  test('is nothing to GET and PATCH', async () => {
    for (const to of ['GET /api/v1/me', 'PATCH /api/v1/me'])
      for (const _twice of [1, 2])
        expect(
          (await t.call(w.as.ana, to, to.startsWith('GET') ? undefined : { locale: 'fr' }, key('k'))).headers.has(
            'idempotency-replayed',
          ),
        ).toBe(false)
  })

  test('of a request that failed is free again', async () => {
    const unit = { labels: ['a', 'a'] }
    const path = `POST /api/v1/properties/${w.properties.PUBLISHED}/units`
    const failures: [name: string, status: number, run: () => Promise<Answer>][] = [
      ['400', 400, () => t.call(w.as.ana, path, '{', key('free'))],
      ['403', 403, () => send('free', w.as.tom, unit, path)],
      ['404', 404, () => send('free', w.as.ana, { label: 'F' }, path.replace(w.properties.PUBLISHED, w.hers.property))],
      [
        '409',
        409,
        () => send('free', w.as.ana, { label: 'F' }, path.replace(w.properties.PUBLISHED, w.properties.ARCHIVED)),
      ],
      [
        '412',
        412,
        () =>
          t.call(w.as.ana, `PATCH /api/v1/properties/${w.properties.DRAFT}`, {}, { ...key('free'), 'if-match': '"x"' }),
      ],
      ['422 by schema', 422, () => send('free', w.as.ana, { label: 1 }, path)],
      ['422 by rule', 422, () => send('free', w.as.ana, unit, path)],
    ]
    for (const [name, status, run] of failures) expect([name, (await run()).status]).toEqual([name, status])
    expect(t.rows("select * from idempotency where key = 'free'")).toEqual([])
    expect((await send('free', w.as.ana, { label: 'F' }, path)).status).toBe(201)
  })

  test('is looked at before the object: a replay outlives the state that allowed it', async () => {
    const path = `POST /api/v1/invoices/${w.invoices.ISSUED}/payments`
    const first = await send('state', w.as.ana, cash(50_000), path)
    expect(first.status).toBe(201)
    expect((await send('other', w.as.ana, cash(50_000), path)).status).toBe(409)
    expect(told(await send('state', w.as.ana, cash(50_000), path))).toEqual(told(first))
  })

  test('is kept for 24 hours of real time', async () => {
    const own = createTestApp()
    const as = 'OWNER.olga'
    const call = () => own.call(as, line, place, key('day'))
    const first = await call()
    own.time.now += 24 * 3_600_000 - 1
    expect((await call()).body.id).toBe(first.body.id)
    own.time.now += 1
    const later = await call()
    expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(later.body.id).not.toBe(first.body.id)
    expect(own.rows('select count(*) as n from idempotency')).toEqual([{ n: 1 }])
  })
})
