// reliability T-22: what is refused, what is taken, and that a refusal leaves nothing behind.
import { describe, expect, test } from 'bun:test'
import { cash, traces, worldApp } from '../support/world.ts'

const { t, w } = await worldApp()
type Problem = { code: string; errors: { path: string; message: string }[] }

/** Sends JSON text; of a refusal the code and the broken members, of a success nothing. */
async function send(line: string, json: string): Promise<string> {
  const before = traces(t)
  const { status, body, text } = await t.call<Problem>(w.as.ana, line, json)
  if (status < 300) return 'taken'
  expect(traces(t)).toBe(before)
  // Never the value that was sent.
  for (const { message } of body.errors ?? []) expect(message.length).toBeLessThan(200)
  expect(text).not.toContain('CANARY')
  return `${status} ${body.code} ${(body.errors ?? []).map(({ path }) => path).join(' ')}`.trim()
}
const member = (name: string, json: string): string =>
  `{"name":"N","addressLine":"R","city":"C",${JSON.stringify(name)}:${json}}`
const PROPERTY = 'POST /api/v1/properties'
const UNIT = `POST /api/v1/properties/${w.properties.PUBLISHED}/units`
const refused = (path: string): string => `422 validation_failed /${path}`

describe('amounts are whole francs from 0 to 10^12, and JSON numbers', () => {
  const cases: [json: string, taken: boolean][] = [
    ['0', true],
    ['-0', true],
    ['1', true],
    ['1e3', true],
    ['1.0', true],
    ['2147483648', true],
    ['1000000000000', true],
    ['null', true],
    ['1000000000001', false],
    ['9007199254740991', false],
    ['9007199254740992', false],
    ['9007199254740993', false],
    ['1e309', false],
    ['-1e309', false],
    ['1e999', false],
    ['-1', false],
    ['0.5', false],
    ['1.5', false],
    ['1e-7', false],
    ['"1"', false],
    ['""', false],
    ['" 5"', false],
    ['"0x10"', false],
    ['"NaN"', false],
    ['true', false],
    ['[]', false],
    ['[1]', false],
    ['{}', false],
  ]
  test.each(cases)('rentAmount %s taken: %p', async (json, taken) => {
    expect(await send(UNIT, `{"label":"L","rentAmount":${json}}`)).toBe(taken ? 'taken' : refused('rentAmount'))
  })
  test.each([['NaN'], ['Infinity'], ['01'], ['+1'], ['.5'], ['0x10'], ['1_000'], ['1n'], ['-']])(
    'rentAmount %s is no JSON at all',
    async (json) => expect(await send(UNIT, `{"label":"L","rentAmount":${json}}`)).toBe('400 malformed_json'),
  )
  test('what is taken is kept exactly', async () => {
    const { body } = await t.call(w.as.ana, UNIT, { label: 'Max', rentAmount: 1_000_000_000_000 })
    const kept = await t.call(w.as.ana, `GET /api/v1/units/${body.id}`)
    expect(kept.body.rentAmount).toBe(1_000_000_000_000)
    expect(t.rows('select typeof(rent_amount) as type from unit where id = ?', body.id)).toEqual([{ type: 'integer' }])
  })
})

describe('the ends of what is taken', () => {
  const lease = (more: object): string =>
    JSON.stringify({ unitId: w.units.SPARE, tenantId: w.tenants.LINKED, startDate: '2026-06-01', ...more })
  test.each([
    ['startDate', { startDate: '0001-01-01' }],
    ['startDate', { startDate: '1899-12-31' }],
    ['startDate', { startDate: '9999-12-31' }],
    ['endDate', { endDate: '9999-12-31' }],
    ['billFrom', { billFrom: '9999-12-31' }],
  ])('a lease with %s of %p is refused: no period can be counted there', async (name, more) => {
    expect(await send('POST /api/v1/bookings', lease(more))).toBe(refused(name))
  })
  test.each([
    [{ startDate: '2199-12-31' }],
    [{ startDate: '2100-02-28', endDate: '2199-12-31', openingBalance: 10 ** 12 }],
  ])('a lease of %p is billed, paid, renewed and ended without a fault', async (more) => {
    const { t: own, w: o } = await worldApp()
    const { body } = await own.call(o.as.ana, 'POST /api/v1/bookings', {
      unitId: o.units.SPARE,
      tenantId: o.tenants.LINKED,
      ...more,
    })
    const call = (action: string, given = {}) => own.call(o.as.ana, `POST /api/v1/bookings/${body.id}/${action}`, given)
    for (const action of ['submit', 'activate']) expect((await call(action)).status).toBe(200)
    await own.work()
    expect((await call('payments', cash(10 ** 9))).status).toBe(201)
    expect((await call('renew')).status).toBeLessThan(500)
    expect((await call('terminate')).status).toBe(200)
    await own.work()
    expect(own.rows('select * from job where last_error is not null')).toEqual([])
  })
  test('a charge that makes an invoice too large is refused', async () => {
    const line = `POST /api/v1/invoices/${w.invoices.ISSUED}/charges`
    expect(await send(line, '{"label":"L","amount":1000000000000}')).toBe(refused('amount'))
  })
  // Known: creditAmount is documented as one amount, and is a sum of them.
  test('two advances of the largest amount', async () => {
    const { t: own, w: o } = await worldApp()
    const line = `POST /api/v1/bookings/${o.bookings.ACTIVE}/payments`
    for (const _twice of [1, 2]) expect((await own.call(o.as.ana, line, cash(10 ** 12))).status).toBe(201)
  })
})

describe('places on earth', () => {
  const cases: [latitude: string, longitude: string, answer: string][] = [
    ['4.05', '9.7', 'taken'],
    ['-90', '180', 'taken'],
    ['90', '-180', 'taken'],
    ['-0', '0', 'taken'],
    ['null', 'null', 'taken'],
    ['90.0001', '0', refused('latitude')],
    ['0', '-180.1', refused('longitude')],
    ['1e999', '0', refused('latitude')],
    ['"4.05"', '9.7', refused('latitude')],
    ['4.05', 'null', refused('longitude')],
    ['null', '9.7', refused('latitude')],
  ]
  test.each(cases)('%s, %s → %s', async (latitude, longitude, answer) => {
    expect(
      await send(PROPERTY, `{"name":"N","addressLine":"R","city":"C","latitude":${latitude},"longitude":${longitude}}`),
    ).toBe(answer)
  })
})

describe('dates are those of the calendar', () => {
  const impossible = [
    ...['2026-02-29', '2026-02-30', '2025-02-29', '2100-02-29', '1900-02-29', '2026-04-31', '2026-06-31', '2026-09-31'],
    ...['2026-11-31', '2026-01-32', '2026-00-10', '2026-13-01', '2026-01-00', '2026-00-00', '0000-01-01', '0000-00-00'],
    ...['10000-01-01', '-2026-01-01', '+2026-01-01', '2026-1-1', '26-01-01', '2026/01/01', '01-01-2026', '20260101'],
    ...[
      '2026-01-01T00:00:00Z',
      '2026-01-01 ',
      ' 2026-01-01',
      '2026-W01-1',
      '2026-001',
      '٢٠٢٦-٠١-٠١',
      '2026-01-01\n',
      '',
    ],
    ...['today', '1767225600'],
  ]
  const lease = (startDate: unknown): string =>
    JSON.stringify({ unitId: w.units.SPARE, tenantId: w.tenants.LINKED, startDate })
  test.each(impossible.map((date) => [date]))('%p is none', async (date) => {
    expect(await send('POST /api/v1/bookings', lease(date))).toBe(refused('startDate'))
    const filter = await t.call(w.as.ana, `GET /api/v1/invoices?dueFrom=${encodeURIComponent(date)}`)
    expect(filter.status).toBe(422)
  })
  test.each([[20260101], [null], [true], [['2026-01-01']], [{}]])('%p is none', async (date) => {
    expect(await send('POST /api/v1/bookings', lease(date))).toBe(refused('startDate'))
  })
  test.each([['2024-02-29'], ['2000-02-29'], ['2026-12-31'], ['2026-01-01']])('%s is one', async (date) => {
    expect(await send('POST /api/v1/bookings', lease(date))).toBe('taken')
  })
})

describe('text', () => {
  const cases: [what: string, json: string, answer: string][] = [
    ['letters of the country', '"Ñkòm Ébolowa – n°3"', 'taken'],
    ['an emoji', '"🏠"', 'taken'],
    ['a joined emoji', '"👩‍👩‍👧"', 'taken'],
    ['Arabic', '"بيت"', 'taken'],
    ['a decomposed letter', '"e\\u0301"', 'taken'],
    ['200 code points of two units', `"${'😀'.repeat(200)}"`, 'taken'],
    ['201 code points', `"${'x'.repeat(201)}"`, refused('name')],
    ['201 emoji', `"${'😀'.repeat(201)}"`, refused('name')],
    ['nothing', '""', refused('name')],
    ['blanks', '"  \\u00a0 "', refused('name')],
    ['a NUL', '"a\\u0000b"', refused('name')],
    ['a bell', '"\\u0007"', refused('name')],
    ['a line break', '"a\\nb"', refused('name')],
    ['a tab', '"a\\tb"', refused('name')],
    ['DEL', '"a\\u007f"', refused('name')],
    ['a C1 control', '"a\\u0085"', refused('name')],
    ['a lone high surrogate', '"a\\ud800"', refused('name')],
    ['a lone low surrogate', '"\\udc00a"', refused('name')],
    ['surrogates the wrong way round', '"\\udc00\\ud800"', refused('name')],
    ['right-to-left override', '"a\\u202eb"', refused('name')],
    ['embedding', '"\\u202a"', refused('name')],
    ['isolate', '"a\\u2066b\\u2069"', refused('name')],
    ['a number', '1', refused('name')],
    ['null', 'null', refused('name')],
    ['a list', '["a"]', refused('name')],
    ['an object', '{"a":"CANARY"}', refused('name')],
  ]
  test.each(cases)('a name of %s', async (_what, json, answer) => {
    expect(await send(PROPERTY, `{"name":${json},"addressLine":"R","city":"C"}`)).toBe(answer)
  })
  test.each([
    ['amenities', '["wifi",1]', 'amenities/1'],
    ['amenities', `[${Array.from({ length: 51 }, () => '"a"').join(',')}]`, 'amenities'],
    ['amenities', '["a\\u202e"]', 'amenities/0'],
    ['amenities', `["${'x'.repeat(65)}"]`, 'amenities/0'],
    ['amenities', '"wifi"', 'amenities'],
    ['amenities', '{"0":"wifi","length":1}', 'amenities'],
    ['ownerUserId', '"urn:uuid:019cd6c2-8c00-70a1-8b9a-78c04e0842c8"', 'ownerUserId'],
    ['ownerUserId', `"${'0'.repeat(36)}"`, 'ownerUserId'],
  ])('%s of %s', async (name, json, path) => expect(await send(PROPERTY, member(name, json))).toBe(refused(path)))

  test('it is kept in NFC', async () => {
    const { body } = await t.call(w.as.ana, PROPERTY, { name: 'e\u0301', addressLine: 'R', city: 'C' })
    expect(body.name).toBe('\u00e9')
  })
  test('in a query it is judged as in a body', async () => {
    for (const q of ['%00', '%E2%80%AEx', 'a%0Ab', '', '%20', 'x'.repeat(101)])
      expect((await t.call(w.as.ana, `GET /api/v1/properties?q=${q}`)).status).toBe(422)
    for (const q of ['%25', '_', "'", '%ff', '%zz', '%F0%9F%8F%A0', "x'--"])
      expect((await t.call(w.as.ana, `GET /api/v1/properties?q=${q}`)).status).toBe(200)
  })
  const phones = [
    '67712345',
    '377123456',
    '237677123',
    '06 77 12 34 56',
    '+0677123456',
    '+23767712345x',
    '+1234567890123456',
    '+123456',
    '＋237677123456',
    '',
  ]
  test.each(phones.map((p) => [p]))('%p is no phone number', async (phoneNumber) => {
    expect(await send('POST /api/v1/tenants', JSON.stringify({ fullName: 'T', phoneNumber }))).toBe(
      refused('phoneNumber'),
    )
  })
  const mails = [
    'a',
    'a@b',
    '@b.cm',
    'a@b.cm ',
    'a b@c.cm',
    'a@b@c.cm',
    `${'a'.repeat(65)}@b.cm`,
    'a@b.',
    'a\n@b.cm',
    'a\u0000@b.cm',
    'a\u202e@b.cm',
    'a\ud800@b.cm',
    'a\u0085@b.cm',
    'a@b.c\u200b',
  ]
  test.each(mails.map((m) => [m]))('%p is no e-mail address', async (email) => {
    expect(await send('PATCH /api/v1/me', JSON.stringify({ email }))).toBe(refused('email'))
  })
  test.each([['a@b.cm'], ['ngo.bassa+loyer@exemple-1.co.cm'], ['é@ü.cm']])('%p is one', async (email) => {
    expect(await send('PATCH /api/v1/me', JSON.stringify({ email }))).toBe('taken')
  })
})

describe('currencies', () => {
  test.each([
    ['"XAF"', 'taken'],
    ['null', 'taken'],
    ['"EUR"', refused('rentCurrency')],
    ['"xaf"', refused('rentCurrency')],
    ['""', refused('rentCurrency')],
  ])('%s → %s', async (json, answer) =>
    expect(await send(UNIT, `{"label":"L","rentAmount":1,"rentCurrency":${json}}`)).toBe(answer),
  )
})
