// The owner statement as a paper: what stands on it is what the report says, in both languages.
import { describe, expect, test } from 'bun:test'
import { formatMoney } from '../../../../src/core/money.ts'
import { readPdf } from '../../../support/papers.ts'
import { cash, letting, type Stage, stage, villa } from '../../../support/scenario.ts'

type Rows = { readonly rows: Record<string, string | number>[]; readonly totals: Record<string, number> }
const PERIOD = 'from=2026-02-01&to=2026-03-31'

async function leased() {
  const s = await stage({ given: letting({ startDate: '2026-02-10', billFrom: '2026-02-10', tvaBasisPoints: 1925 }) })
  await s.make('ana', 'PATCH /properties/{villa}', { name: 'Résidence Ɛbɔlɔwa', quartier: 'Bonapriso' })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(65_550))
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(6_000, { method: 'WITHHOLDING', reference: 'ATT-1' }))
  await s.make('ana', 'POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 120_000, paidOn: '2026-02-10' })
  await s.make('ana', 'POST /bookings/{lease}/deposit', {
    type: 'DEDUCTED',
    amount: 15_250,
    paidOn: '2026-03-02',
    reason: 'Vitre',
  })
  await s.make('eve', 'POST /properties', { name: 'Tour', addressLine: 'Rue 2', city: 'Douala' }, 'tour')
  return s
}
const file = (s: Stage, who: Parameters<Stage['wordOf']>[0], path: string, language?: string) =>
  s.t.app.handle(
    new Request(`http://localhost/api/v1/reports/${path}`, {
      headers: { authorization: `Bearer ${s.wordOf(who)}`, ...(language ? { 'accept-language': language } : {}) },
    }),
  )
const paper = async (answer: Response) => readPdf(new Uint8Array(await answer.arrayBuffer()))

describe('as a paper', async () => {
  const s = await leased()
  const json = (await s.ask('ana', `GET /reports/owner-statement?${PERIOD}`)).body as unknown as Rows
  for (const [language, locale, said] of [
    ['fr-CM', 'fr', ['Relevé du propriétaire', 'du 1er février 2026 au 31 mars 2026', 'Page 1 sur 1', 'Cautions']],
    ['en', 'en', ['Owner statement', '1 February 2026 to 31 March 2026', 'Page 1 of 1', 'Security deposits']],
  ] as const)
    test(`every figure of the report, ${locale}`, async () => {
      const answer = await file(s, 'ana', `owner-statement?${PERIOD}&format=pdf`, language)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      expect(answer.headers.get('content-disposition')).toBe(
        'attachment; filename="owner-statement-2026-02-01-2026-03-31.pdf"',
      )
      const { text, marked, info, roles } = await paper(answer)
      expect([marked, info.Language]).toEqual([true, locale])
      for (const role of ['H1', 'H2', 'H3', 'Table', 'TH', 'TD']) expect(roles).toContain(role)
      const [row = {}] = json.rows
      expect(json.rows).toHaveLength(1)
      expect(row.ownerAmount).toBe(65_550 + 15_250)
      const plain = (n: unknown) =>
        formatMoney(Number(n), locale)
          .replace(/\s?FCFA\s?/, '')
          .replace(/\s/g, ' ')
      const cells = (...names: string[]): string => names.map((n) => plain(row[n])).join(' ')
      const rents = ['gross', 'credited', 'received', 'withheld', 'refunded', 'balance'].map((n) => `${n}Amount`)
      const deposits = ['Received', 'Deducted', 'Returned', 'Moved', 'Held'].map((n) => `deposit${n}Amount`)
      for (const words of [
        ...said,
        'Résidence Ɛbɔlɔwa',
        'Bonapriso',
        `A1 tom Test ${cells(...rents)}`,
        `Total ${cells(...rents)}`,
        `A1 tom Test ${cells(...deposits)}`,
        formatMoney(Number(row.ownerAmount), locale).replace(/\s/g, ' '),
      ])
        expect(text).toContain(words)
      for (const unsaid of ['undefined', 'NaN', 'APERÇU', 'PREVIEW', 'Tour']) expect(text).not.toContain(unsaid)
    })

  test("without a language of the caller's it is in the organization's, and `locale` goes before both", async () => {
    const title = async (query: string, language?: string) =>
      (await paper(await file(s, 'ana', `owner-statement?format=pdf${query}`, language))).info.Title
    expect(await title('')).toContain('Relevé')
    expect(await title('', 'en')).toContain('Owner statement')
    expect(await title('&locale=fr', 'en')).toContain('Relevé')
  })

  test('a manager sees every property with figures, and one without when it is asked for by name', async () => {
    const all = await paper(await file(s, 'mia', `owner-statement?${PERIOD}&format=pdf`, 'en'))
    expect(all.text).not.toContain('Tour')
    const one = await s.ask('mia', 'GET /reports/owner-statement?propertyId={tour}&format=pdf')
    expect(one.status).toBe(200)
  })

  test('it names the owner with the address and NIU that they gave, and nobody else’s', async () => {
    const s = await leased()
    const read = async () => (await paper(await file(s, 'ana', `owner-statement?${PERIOD}&format=pdf`, 'en'))).text
    expect(await read()).not.toContain('NIU')
    await s.make('ana', 'PATCH /me', { niu: 'P012345678901X', address: '45 Commercial Avenue, Bamenda' })
    await s.make('eve', 'PATCH /me', { niu: 'P099999999999Z' })
    const text = await read()
    expect(text).toMatch(/Owner: ana Test, Tel\. [+0-9 ]+, 45 Commercial Avenue, Bamenda, NIU P012345678901X/)
    expect(text).not.toContain('P099999999999Z')
  })

  test('nobody gets another’s', async () => {
    expect((await file(s, 'tom', 'owner-statement?format=pdf')).status).toBe(403)
    expect((await s.ask('eve', 'GET /reports/owner-statement?format=pdf&propertyId={villa}')).status).toBe(404)
  })
})

test('an owner statement has what moved of deposits in the time, and what is held at its end', async () => {
  const s = await stage({ given: letting({ startDate: '2026-02-10', billFrom: '2026-02-10' }) })
  const enter = (type: string, amount: number, paidOn: string, more = {}) =>
    s.make('ana', 'POST /bookings/{lease}/deposit', { type, amount, paidOn, ...more })
  await enter('RECEIVED', 120_000, '2026-02-10')
  await enter('DEDUCTED', 20_000, '2026-03-02', { reason: 'Vitre' })
  await enter('RETURNED', 30_000, '2026-03-09')
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(54_000))
  const members = ['Received', 'Deducted', 'Returned', 'Held'].map((m) => `deposit${m}Amount`)
  const of = async (query: string) => {
    const { rows } = (await s.ask('ana', `GET /reports/owner-statement?${query}`)).body as unknown as Rows
    return rows.map((row) => [...members, 'receivedAmount', 'ownerAmount'].map((m) => row[m]).join(' '))
  }
  expect(await of('from=2026-01-01&to=2026-01-31')).toEqual([])
  expect(await of('from=2026-02-01&to=2026-02-28')).toEqual(['120000 0 0 120000 0 0'])
  expect(await of('from=2026-03-01&to=2026-03-02')).toEqual(['0 20000 0 100000 0 20000'])
  expect(await of('from=2026-02-10&to=2026-03-31')).toEqual(['120000 20000 30000 70000 54000 74000'])
})

describe('what was kept of a deposit for invoices of the tenant’s lease in another property of the owner', async () => {
  /** Of 150,000 held for the villa, 60,000 pay the house’s invoice of February, 20,000 that of March, 10,000 the villa’s. */
  const given = async () => {
    const s = await stage({ given: letting({ startDate: '2026-03-01', billFrom: '2026-03-01' }) })
    await s.make('ana', 'POST /properties', { ...villa, name: 'Maison' }, 'house')
    await s.make('ana', 'POST /properties/{house}/units', { label: 'B1', rentAmount: 60_000 }, 'b1')
    const terms = { unitId: '{b1}', tenantUserId: '{tom}', startDate: '2026-02-10', billFrom: '2026-02-10' }
    await s.make('ana', 'POST /bookings', terms, 'other')
    await s.make('ana', 'POST /bookings/{other}/submit')
    await s.make('ana', 'POST /bookings/{other}/activate')
    await s.t.work()
    await s.make('ana', 'POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 150_000, paidOn: '2026-02-20' })
    const invoices = async (lease: string) =>
      ((await s.ask('ana', `GET /invoices?bookingId={${lease}}&order=asc`)).body as unknown as { id: string }[]).map(
        ({ id }) => id,
      )
    const keep = async (amount: number, invoiceIds: unknown[], paidOn: string) =>
      s.make('ana', 'POST /bookings/{lease}/deposit', { type: 'DEDUCTED', amount, invoiceIds, paidOn }, 'entry')
    const [villas, houses] = [await invoices('lease'), await invoices('other')]
    // Before those invoices are dated.
    const kept = await keep(80_000, houses.slice(0, 2), '2026-02-25')
    await keep(10_000, villas.slice(0, 1), '2026-03-10')
    return { s, kept }
  }
  const AMOUNTS = ['depositReceived', 'depositDeducted', 'depositMoved', 'depositHeld', 'creditAdded', 'owner']
  const told = (row: Record<string, string | number | undefined> = {}) =>
    AMOUNTS.map((a) => row[`${a}Amount`]).join(' ')
  const { s } = await given()
  const statement = async (period: string, property: string, of = s) =>
    (await of.ask('ana', `GET /reports/owner-statement?${period}&propertyId={${property}}`)).body as unknown as Rows
  const YEAR = 'from=2026-01-01&to=2026-12-31'

  test('each property brought in what collection and profit and loss say', async () => {
    expect(told((await statement(YEAR, 'villa')).totals)).toBe('150000 10000 -80000 60000 0 10000')
    expect(told((await statement(YEAR, 'house')).totals)).toBe('0 80000 80000 0 0 80000')
    for (const [property, amount] of [
      ['villa', 10_000],
      ['house', 80_000],
    ] as const) {
      const of = async (report: string) =>
        ((await s.ask('ana', `GET /reports/${report}&propertyId={${property}}`)).body as unknown as Rows).totals
      expect((await of(`collection?${YEAR}`)).paidAmount).toBe(amount)
      expect((await of('profit-loss?year=2026')).resultAmount).toBe(amount)
      expect((await statement(YEAR, property)).rows).toHaveLength(1)
    }
  })

  test('all together are what they were: nothing went over, and nothing is counted twice', async () => {
    const { totals } = (await s.ask('ana', `GET /reports/owner-statement?${YEAR}`)).body as unknown as Rows
    expect(told(totals)).toBe('150000 90000 0 60000 0 90000')
    const eve = (await s.ask('eve', `GET /reports/owner-statement?${YEAR}`)).body as unknown as Rows
    expect(eve.rows).toEqual([])
  })

  test('day by day it is credit of the lease that owes it, until the invoice is dated', async () => {
    const days = ['from=2026-01-01&to=2026-02-28', 'from=2026-03-01&to=2026-03-31']
    const of = async (property: string) => {
      const sums = []
      for (const period of days) sums.push(told((await statement(period, property)).totals))
      return sums
    }
    expect(await of('villa')).toEqual(['150000 0 -80000 70000 0 0', '0 10000 0 60000 0 10000'])
    expect(await of('house')).toEqual(['0 80000 80000 0 80000 0', '0 0 0 0 -80000 80000'])
  })

  test('the sheet and the paper say the same', async () => {
    const csv = await s.ask('ana', `GET /reports/owner-statement?${YEAR}&propertyId={house}&format=csv&locale=en`)
    const [head = '', line = ''] = csv.text.replace('\uFEFF', '').split('\r\n')
    const cells = new Map(head.split(';').map((name, n) => [name, line.split(';')[n]]))
    expect(
      ['Kept of deposits', 'Deposits carried between leases', 'Earned by the owner'].map((c) => cells.get(c)),
    ).toEqual(['80000', '80000', '80000'])
    const { text } = await paper(
      await file(s, 'ana', `owner-statement?${YEAR}&propertyId=${s.names.get('house')}&format=pdf`, 'en'),
    )
    expect(text).toContain('B1 tom Test 0 80,000 0 80,000 0')
  })

  test('a payment that is reversed is of neither', async () => {
    const { s, kept } = await given()
    await s.make('ana', `POST /payments/${kept.paymentId}/reverse`)
    expect(told((await statement(YEAR, 'villa', s)).totals)).toBe('150000 10000 0 140000 0 10000')
    expect((await statement(YEAR, 'house', s)).totals.ownerAmount).toBe(0)
  })
})
