// Decisions section 2: token → role → path id → media type, size, JSON → schema → existence → state → rules. Each row
// breaks everything from its own check on, and only the first broken check is told.
import { describe, expect, test } from 'bun:test'
import { uuid } from '../support/app.ts'
import { cash, traces, worldApp } from '../support/world.ts'

const { t, w } = await worldApp()
const BIG = `{"note":"${'x'.repeat(65_536)}"}`
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const archive = (id: string) => `POST /api/v1/properties/${id}/archive`
const charge = (id: string) => `POST /api/v1/invoices/${id}/charges`
const pay = (id: string) => `POST /api/v1/invoices/${id}/payments`

type Row = [
  broken: string,
  as: string | undefined,
  line: string,
  body: unknown,
  headers: Record<string, string>,
  answer: string,
]
const rows: Row[] = [
  ['token and all else', undefined, 'POST /api/v1/admin/nowhere?x=1&x=2', BIG, FORM, '401 unauthorized'],
  ['token, on a known route', undefined, archive('x'), '{', FORM, '401 unauthorized'],
  ['role and all else', w.as.tom, archive('x'), BIG, FORM, '403 forbidden'],
  ['path id and all else', w.as.ana, `${archive('x')}?x=1&x=2`, BIG, FORM, '404 not_found'],
  ['media type and all else', w.as.ana, `${archive(uuid('no'))}?x=1&x=2`, BIG, FORM, '415 unsupported_media_type'],
  ['size and all else', w.as.ana, `${archive(uuid('no'))}?x=1&x=2`, BIG, {}, '413 body_too_large'],
  ['JSON and all else', w.as.ana, `${archive(uuid('no'))}?x=1&x=2`, '{', {}, '400 malformed_json'],
  ['query and all else', w.as.ana, `${archive(uuid('no'))}?x=1&x=2`, { a: 1 }, {}, '422 validation_failed'],
  ['schema and all else', w.as.ana, archive(uuid('no')), { a: 1 }, { 'idempotency-key': ' ' }, '422 validation_failed'],
  [
    'schema, where the state is wrong too',
    w.as.ana,
    charge(w.invoices.PAID),
    { label: 1 },
    {},
    '422 validation_failed',
  ],
  ['existence', w.as.ana, archive(uuid('no')), {}, { 'if-match': '"x"' }, '404 not_found'],
  [
    'version and state',
    w.as.ana,
    charge(w.invoices.PAID),
    { label: 'L', amount: 1 },
    { 'if-match': '"x"' },
    '412 precondition_failed',
  ],
  ['state and rules', w.as.ana, pay(w.invoices.PAID), cash(10 ** 12), {}, '409 invalid_state'],
  ['rules', w.as.ana, pay(w.invoices.ISSUED), cash(10 ** 12), {}, '422 overpayment'],
  ['date rule', w.as.ana, pay(w.invoices.ISSUED), cash(1, { paidOn: '2026-03-11' }), {}, '422 validation_failed'],
]
test.each(rows)('%s', async (_broken, as, line, body, headers, answer) => {
  const before = traces(t)
  const { status, body: problem, headers: sent } = await t.call(as, line, body, headers)
  expect(`${status} ${problem.code}`).toBe(answer)
  expect(sent.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(traces(t)).toBe(before)
})

describe('bodies', () => {
  const JSON_TYPE = 'application/json'
  const body = '{"name":"N","addressLine":"R","city":"C"}'
  const types: [type: string, status: number][] = [
    [JSON_TYPE, 201],
    ['application/json; charset=utf-8', 201],
    ['application/json;charset="UTF-8"', 201],
    ['APPLICATION/JSON', 201],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=iso-8859-1', 415],
    ['application/jsonx', 415],
    ['application/problem+json', 415],
    ['application/merge-patch+json', 415],
    ['application/json, text/plain', 415],
    ['text/json', 415],
    ['text/plain', 415],
    ['text/plain; application/json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/xml', 415],
    [';', 415],
  ]
  test.each(types)('Content-Type %s → %d', async (type, status) => {
    expect((await t.call(w.as.ana, 'POST /api/v1/properties', body, { 'content-type': type })).status).toBe(status)
  })

  /** A body without a length, as a stream of two pieces. */
  const stream = (text: string, type = JSON_TYPE) =>
    t.app.handle(
      new Request('http://localhost/api/v1/properties', {
        method: 'POST',
        headers: { authorization: `Bearer ${w.as.ana}`, ...(type ? { 'content-type': type } : {}) },
        body: new ReadableStream({
          start(controller) {
            const bytes = new TextEncoder().encode(text)
            controller.enqueue(bytes.slice(0, 10))
            controller.enqueue(bytes.slice(10))
            controller.close()
          },
        }),
      }),
    )
  const padded = (size: number): string => body.padEnd(size, ' ')
  test.each([
    [65_536, 201],
    [65_537, 413],
    [1_000_000, 413],
  ])('%d bytes → %d, with a length and without', async (size, status) => {
    expect((await t.call(w.as.ana, 'POST /api/v1/properties', padded(size))).status).toBe(status)
    expect((await stream(padded(size))).status).toBe(status)
  })
  test('a length that is too large is refused before a byte is read', async () => {
    let read = false
    const lying = new Request('http://localhost/api/v1/properties', {
      method: 'POST',
      headers: { authorization: `Bearer ${w.as.ana}`, 'content-type': JSON_TYPE, 'content-length': '65537' },
      body: new ReadableStream(
        {
          pull(controller) {
            read = true
            controller.close()
          },
        },
        { highWaterMark: 0 },
      ),
    })
    expect([(await t.app.handle(lying)).status, read]).toEqual([413, false])
  })
  test('a stream without a type is 415, an empty one is no body', async () => {
    expect((await stream(body, '')).status).toBe(415)
    expect((await stream('', '')).status).toBe(422)
  })

  const texts: [what: string, text: string, status: number][] = [
    ['an empty text', '', 422],
    ['an empty object', '{}', 422],
    ['a byte order mark before it', `\ufeff${body}`, 201],
    ['blanks around it', ` \n\t${body} `, 201],
    ['blanks only', '   ', 400],
    ['null', 'null', 400],
    ['a list', `[${body}]`, 400],
    ['a text', '"x"', 400],
    ['a number', '1', 400],
    ['two objects', `${body}${body}`, 400],
    ['a comma too many', '{"name":"N",}', 400],
    ['single quotes', "{'name':'N'}", 400],
    ['a comment', '{/**/}', 400],
    ['an object cut off', '{"name":"N', 400],
    ['a line break in a text', '{"name":"a\nb"}', 400],
    ['a wrong escape', '{"name":"\\x41"}', 400],
    ['21 levels', `{"amenities":${'['.repeat(20)}${']'.repeat(20)}}`, 400],
    ['30,000 levels', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 400],
    ['30,000 open brackets', '['.repeat(30_000), 400],
  ]
  test.each(texts)('%s → %#', async (_what, text, status) => {
    expect((await t.call(w.as.ana, 'POST /api/v1/properties', text)).status).toBe(status)
  })
  test('bytes that are no UTF-8 are 400', async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{"name":"'), 0xff, 0xc0, 0x22, 0x7d])
    const answer = await t.app.handle(
      new Request('http://localhost/api/v1/properties', {
        method: 'POST',
        headers: { authorization: `Bearer ${w.as.ana}`, 'content-type': JSON_TYPE },
        body: bytes,
      }),
    )
    expect(answer.status).toBe(400)
  })
  test('a body that breaks off is 400, and nothing is written', async () => {
    const before = traces(t)
    const broken = new Request('http://localhost/api/v1/properties', {
      method: 'POST',
      headers: { authorization: `Bearer ${w.as.ana}`, 'content-type': JSON_TYPE },
      body: new ReadableStream({ pull: (c) => c.error(new Error('gone')) }),
    })
    expect((await t.app.handle(broken)).status).toBe(400)
    expect(traces(t)).toBe(before)
  })
  test('an operation without payload takes none, {} or nothing at all', async () => {
    const line = `POST /api/v1/properties/${w.properties.DRAFT}/publish`
    for (const given of [undefined, {}, '']) expect((await t.call(w.as.ana, line, given)).status).toBe(200)
    for (const [given, status] of [
      ['[]', 400],
      ['null', 400],
      ['{"a":1}', 422],
      ['{bad', 400],
    ] as const)
      expect((await t.call(w.as.ana, line, given)).status).toBe(status)
  })
  test('a body on a read is not looked at', async () => {
    const answer = await t.call(w.as.ana, 'GET /api/v1/me')
    expect(answer.status).toBe(200)
  })
})
