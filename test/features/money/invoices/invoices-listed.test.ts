// The list of invoices is written by SQLite: each row must say what the invoice itself says, letter by letter.
import { describe, expect, test } from 'bun:test'
import { cash, type Json, letting, stage } from '../../../support/scenario.ts'

const NAMES: readonly (readonly [what: string, label: string])[] = [
  ['quotes', 'A "1" l’eau'],
  ['backslashes', 'C:\\n \\" \\u0041'],
  ['what SQL and formats read', `%s %d '); drop table invoice; -- ?`],
  ['accents, an emoji and a line separator', 'Éléphant 🐘\u2028fin'],
  ['brackets and markup', '[{</script>}],'],
  ['its whole length', 'é"'.repeat(30)],
]

const month = { startDate: '2026-01-05', endDate: '2026-12-31' }
describe('a row of the list is the invoice', () => {
  for (const [what, label] of NAMES)
    test(`${what} in its names and lines`, async () => {
      const s = await stage({ now: '2026-01-05T08:00:00.000Z', given: letting(month) })
      await s.make('ana', 'PATCH /units/{a1}', { label })
      await s.make('ana', 'POST /invoices/{i1}/charges', { label, amount: 700 })
      s.t.advance(31)
      await s.t.work()
      const { body } = await s.ask('ana', 'GET /invoices?order=asc')
      const rows = body as unknown as Json[]
      expect(rows.length).toBeGreaterThan(1)
      for (const row of rows) {
        const { body: read } = await s.ask('ana', `GET /invoices/${row.id}`)
        expect(row).toEqual(read)
        expect(Object.values(row)).not.toContain(null)
      }
      expect(rows.some((row) => JSON.stringify(row.lines).includes(JSON.stringify(label)))).toBe(true)
    })
})

const STATES: readonly (readonly [what: string, request: string, body: Json])[] = [
  ['open', 'GET /invoices', {}],
  ['paid in part', 'POST /invoices/{i1}/payments', cash(1, { paidOn: '2026-01-05' })],
  ['paid', 'POST /invoices/{i1}/payments', cash(60_000, { paidOn: '2026-01-05' })],
  ['cancelled', 'POST /invoices/{i1}/cancel', {}],
  ['replaced at the end of its lease', 'POST /bookings/{lease}/terminate', { endDate: '2026-01-05' }],
]
describe('in every state', () => {
  for (const [what, request, body] of STATES)
    test(what, async () => {
      const s = await stage({ now: '2026-01-05T08:00:00.000Z', given: letting({ ...month, rentAmount: 60_000 }) })
      if (!request.startsWith('GET')) await s.make('ana', request, body)
      for (const who of ['ana', 'mia', 'tom'] as const) {
        const rows = (await s.ask(who, 'GET /invoices')).body as unknown as Json[]
        expect(rows.length).toBeGreaterThan(0)
        for (const row of rows) expect(row).toEqual((await s.ask(who, `GET /invoices/${row.id}`)).body)
      }
      expect((await s.ask('eve', 'GET /invoices')).text).toBe('[]')
    })
})

test('pages, several values and a range hold every row once', async () => {
  const s = await stage({ now: '2026-01-05T08:00:00.000Z', given: letting(month) })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(1_000, { paidOn: '2026-01-05' }))
  for (let n = 0; n < 4; n++) {
    s.t.advance(31)
    await s.t.work()
  }
  const whole = (await s.ask('ana', 'GET /invoices')).body as unknown as Json[]
  expect(whole.length).toBe(5)
  for (const query of ['order=desc', 'status=ISSUED,OVERDUE,PAID&order=desc', 'dueFrom=2026-01-01&order=desc']) {
    const found: Json[] = []
    for (let path: string | undefined = `/invoices?limit=2&${query}`; path; ) {
      const answer = await s.ask('ana', `GET ${path}`)
      found.push(...(answer.body as unknown as Json[]))
      path = /<[^>]*\/api\/v1([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(found).toEqual(whole)
  }
})

test('a number that an archive brought is a text, in the list and in reports', async () => {
  const odd = '20"26\\-1'
  const s = await stage({ now: '2026-01-05T08:00:00.000Z', given: letting(month) })
  s.t.store.client.prepare('update invoice set number = ?').run(odd)
  const rows = (path: string) => s.ask('mia', `GET ${path}`).then(({ body }) => JSON.stringify(body))
  for (const path of [
    '/invoices',
    '/reports/rent-roll?from=2026-01-01&to=2026-01-31',
    '/reports/tva-journal?from=2026-01-01&to=2026-01-31',
  ])
    expect(await rows(path)).toContain(JSON.stringify(odd))
})
