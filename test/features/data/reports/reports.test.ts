// Reports: each figure of a small world by hand, and the three forms.
import { describe, expect, test } from 'bun:test'
import { readSheet } from 'read-excel-file/universal'
import { field } from '../../../../src/adapters/tables/csv.ts'
import { cash, letting, premises, type Stage, stage } from '../../../support/scenario.ts'

type Line = Readonly<Record<string, string | number | undefined>>
type Answered = { readonly from: string; readonly to: string; readonly rows: Line[]; readonly totals: Line }
const NAMES = 'rent-roll arrears collection occupancy tva-journal owner-statement owner-account profit-loss'.split(' ')

async function report(s: Stage, who: 'ana' | 'eve' | 'mia', query: string): Promise<Answered> {
  const answer = await s.ask(who, `GET /reports/${query}`)
  expect(`${query} ${answer.status}`).toBe(`${query} 200`)
  return answer.body as unknown as Answered
}
/** Rows as words: members in the order named, blanks as dots. */
const lines = ({ rows }: Answered, ...members: string[]): string[] =>
  rows.map((row) => members.map((m) => row[m] ?? '·').join(' '))

test('a rent roll has every unit of the month: let, not invoiced, vacant; archived ones only while they were let', async () => {
  const s = await stage({ given: letting({ billFrom: '2026-03-01' }) })
  await s.make('ana', 'POST /properties/{villa}/units', { label: 'A10', rentAmount: 40_000 }, 'a10')
  await s.make('ana', 'POST /properties/{villa}/units', { label: 'B', rentAmount: 1 }, 'b')
  await s.make('ana', 'PATCH /units/{b}', { status: 'ARCHIVED' })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(25_000))
  const members = ['unitLabel', 'tenantName', 'rentAmount', 'invoiceNumber', 'amountPaid', 'balanceAmount', 'status']
  const march = await report(s, 'ana', 'rent-roll')
  expect([march.from, march.to]).toEqual(['2026-03-01', '2026-03-31'])
  expect(lines(march, ...members)).toEqual([
    'A1 tom Test 60000 2026-000001 25000 35000 OVERDUE',
    'A2 · 60000 · 0 0 VACANT',
    'A10 · 40000 · 0 0 VACANT',
  ])
  expect(march.totals).toEqual({
    rows: 3,
    grossAmount: 60_000,
    creditedAmount: 0,
    waivedAmount: 0,
    amountPaid: 25_000,
    balanceAmount: 35_000,
  })
  expect(lines(await report(s, 'ana', 'rent-roll?from=2026-04-01'), ...members)).toEqual([
    'A1 tom Test 60000 · 0 0 NOT_INVOICED',
    'A2 · 60000 · 0 0 VACANT',
    'A10 · 40000 · 0 0 VACANT',
  ])
  expect(lines(await report(s, 'ana', 'rent-roll?to=2026-02-15'), 'unitLabel', 'status')).toEqual([
    'A1 VACANT',
    'A2 VACANT',
    'A10 VACANT',
  ])
})

test.each([
  [0, undefined],
  [1, '1 DAYS_0_30'],
  [30, '30 DAYS_0_30'],
  [31, '31 DAYS_31_60'],
  [60, '60 DAYS_31_60'],
  [61, '61 DAYS_61_90'],
  [90, '90 DAYS_61_90'],
  [91, '91 OVER_90_DAYS'],
])('a debt %d days after it was due', async (days, line) => {
  const s = await stage({
    now: '2026-03-06T08:00:00.000Z',
    given: letting({ autoRenew: false, endDate: '2026-03-31' }),
  })
  s.t.advance(days)
  await s.t.work()
  const { rows, totals } = await report(s, 'ana', 'arrears')
  expect(rows.map((r) => `${r.daysLate} ${r.age}`)).toEqual(line ? [line] : [])
  expect(totals.balanceAmount).toBe(line ? 60_000 : 0)
  const ages = ['days0To30Amount', 'days31To60Amount', 'days61To90Amount', 'over90DaysAmount']
  expect(ages.reduce((n, age) => n + Number(totals[age]), 0)).toBe(Number(totals.balanceAmount))
})

test('a line each for the invoices of a time, by period; and days of the journal are those of the organization', async () => {
  const s = await stage({
    now: '2026-03-31T23:30:00.000Z',
    given: letting({ startDate: '2026-01-15', billFrom: '2026-01-15', tvaBasisPoints: 1925 }),
  })
  const roll = await report(s, 'ana', 'rent-roll?from=2026-01-01&to=2026-04-30')
  expect(lines(roll, 'unitLabel', 'periodStart', 'grossAmount')).toEqual([
    'A1 2026-01-15 71550',
    'A1 2026-02-15 71550',
    'A1 2026-03-15 71550',
    'A2 · 0',
  ])
  expect(roll.totals).toMatchObject({ rows: 4, grossAmount: 214_650, balanceAmount: 214_650 })
  await s.make('ana', 'POST /invoices/{i2}/cancel')
  const [tenant] = (await s.ask('ana', 'GET /tenants')).body as unknown as { id: string }[]
  await s.make('ana', `PATCH /tenants/${tenant?.id}`, { niu: 'M085400001476E' })
  // In Douala the first of April had begun.
  expect((await report(s, 'ana', 'tva-journal?from=2026-03-01&to=2026-03-31')).rows).toEqual([])
  const april = await report(s, 'ana', 'tva-journal?from=2026-04-01&to=2026-04-01')
  expect(lines(april, 'invoiceNumber', 'issuedOn', 'status', 'cancelledOn', 'standingTvaAmount', 'tenantNiu')).toEqual([
    '2026-000001 2026-04-01 OVERDUE · 11550 M085400001476E',
    '2026-000002 2026-04-01 CANCELLED · 11550 M085400001476E',
    '2026-000003 2026-04-01 OVERDUE · 11550 M085400001476E',
    // What was cancelled has a credit note, by the day on which it was.
    '2026-000002 2026-04-01 CANCELLED · -11550 M085400001476E',
  ])
  for (const zone of ['Europe/Paris', 'America/New_York']) {
    await s.make('ada', 'PATCH /admin/organization', { timeZone: zone })
    // The dates are those of the papers, which no setting changes.
    const found = await report(s, 'ana', 'tva-journal?from=2026-04-01&to=2026-04-01')
    const printed = (await s.ask('ana', 'GET /documents?kind=INVOICE&order=asc')).body as unknown as Line[]
    expect(found.rows.map((r) => r.issuedOn)).toEqual(printed.map((d) => d.issuedOn))
    expect((await report(s, 'ana', 'tva-journal?from=2026-03-01&to=2026-03-31')).rows).toEqual([])
  }
})

test('what is paid, cancelled or not yet due is no arrears', async () => {
  const s = await stage({ given: letting({ startDate: '2026-01-01', billFrom: '2026-01-01' }) })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(60_000))
  await s.make('ana', 'POST /invoices/{i2}/cancel')
  expect(lines(await report(s, 'ana', 'arrears'), 'invoiceNumber')).toEqual(['2026-000003'])
  expect(lines(await report(s, 'ana', 'arrears?to=2026-03-06'), 'invoiceNumber')).toEqual([])
  expect(lines(await report(s, 'ana', 'arrears?from=2026-03-07'), 'invoiceNumber')).toEqual([])
  expect(lines(await report(s, 'ana', 'collection?from=2026-01-01&to=2026-03-31'), 'month', 'collectionRate')).toEqual([
    '2026-01 10000',
    '2026-03 0',
  ])
})

test('days that a unit was let count once, and never those of a lease that was ended before it began', async () => {
  const s = await stage({ given: letting({ startDate: '2026-03-06', autoRenew: false, endDate: '2026-03-20' }) })
  const terms = { unitId: '{a2}', tenantUserId: '{tia}', startDate: '2026-03-25' }
  await s.make('ana', 'POST /bookings', terms, 'never')
  for (const move of ['submit', 'activate', 'terminate']) await s.make('ana', `POST /bookings/{never}/${move}`)
  await s.t.work()
  const { rows } = await report(s, 'ana', 'occupancy')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ units: 2, unitDays: 62, occupiedDays: 15, vacantDays: 47, occupancyRate: 2419 })
})

test('an owner statement tells money received from tax withheld and from what went back', async () => {
  const s = await stage({ given: letting({ startDate: '2026-02-10', billFrom: '2026-02-10' }) })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(54_000))
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(6_000, { method: 'WITHHOLDING', reference: 'ATT-1' }))
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(60_500, { paidOn: '2026-02-28' }))
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(500, { type: 'REFUND' }))
  const march = await report(s, 'ana', 'owner-statement')
  expect(march.rows).toHaveLength(1)
  expect(march.rows[0]).toMatchObject({
    unitLabel: 'A1',
    tenantName: 'tom Test',
    grossAmount: 60_000,
    receivedAmount: 54_000,
    withheldAmount: 6_000,
    refundedAmount: 500,
    balanceAmount: 0,
  })
  const february = await report(s, 'ana', 'owner-statement?from=2026-02-01&to=2026-02-28')
  expect(february.rows[0]).toMatchObject({ grossAmount: 60_000, receivedAmount: 60_500, withheldAmount: 0 })
})

test('part cash and part withholding make an invoice PAID', async () => {
  const s = await stage({ given: letting({ tvaBasisPoints: 1925 }) })
  const withheld = { method: 'WITHHOLDING', reference: 'ATT-2026-17' }
  await s.play(['ana', 'POST /invoices/{i1}/payments', cash(65_550), 201, undefined, PART])
  await s.play(['ana', 'POST /invoices/{i1}/payments', cash(6_001, withheld), 422, { code: 'overpayment' }])
  await s.play(['ana', 'POST /invoices/{i1}/payments', cash(6_000, withheld), 201, undefined, PAID])
  expect(s.ledger()).toEqual(['2026-03-01..03-31 PAID 71550/71550'])
  await s.play(['ana', 'POST /invoices/{i1}/payments', cash(6_000, withheld), 409])
})
const PART = { audit: 'invoice.balance, payment.record', jobs: 'payment.confirmed' }
const PAID = { audit: 'invoice.paid, payment.record', jobs: 'payment.confirmed' }

describe('owners see what is theirs, and nothing else', async () => {
  const s = await stage({ given: letting() })
  await s.make('eve', 'POST /properties', { name: 'Tour', addressLine: 'Rue 2', city: 'Douala' }, 'tour')
  await s.make('eve', 'POST /properties/{tour}/units', { label: 'E1', rentAmount: 1_000 })
  const handed = { propertyId: '{villa}', amount: 5_000, method: 'CASH', paidOn: '2026-03-09' }
  await s.make('mia', 'POST /owner-transfers', handed)
  const spent = { propertyId: '{villa}', kind: 'TAX', amount: 1_000, paidBy: 'MANAGEMENT', spentOn: '2026-03-09' }
  await s.make('mia', 'POST /expenses', spent)
  const names = (r: Answered) => [...new Set(r.rows.map((row) => row.propertyName))]
  for (const name of NAMES)
    test(name, async () => {
      const hers = name === 'rent-roll' || name === 'occupancy' ? ['Tour'] : []
      expect(names(await report(s, 'ana', name))).toEqual(['Villa'])
      expect(names(await report(s, 'eve', name))).toEqual(hers)
      expect(names(await report(s, 'mia', name))).toEqual([...hers, 'Villa'])
      expect(names(await report(s, 'mia', `${name}?propertyId={villa}`))).toEqual(['Villa'])
      for (const [who, id] of [
        ['eve', '{villa}'],
        ['zoe', '{villa}'],
        ['mia', '{nobody}'],
      ] as const)
        expect((await s.ask(who, `GET /reports/${name}?propertyId=${id}`)).status).toBe(404)
    })
})

describe('what cannot be asked', async () => {
  const s = await stage()
  for (const query of [
    'from=2026-02-30',
    'from=2026-03-31&to=2026-03-01',
    'from=2026-01-01&to=2027-01-02',
    'format=docx',
    'format=csv&format=xlsx',
    "propertyId=1'--",
  ])
    test(`${query} → 422`, async () => {
      expect((await s.ask('ana', `GET /reports/rent-roll?${query}`)).status).toBe(422)
    })
  test('an unknown report is no path', async () => {
    expect((await s.ask('ana', 'GET /reports/profit')).status).toBe(404)
  })
  test('a year and a day is a report', async () => {
    expect((await s.ask('ana', 'GET /reports/rent-roll?from=2026-01-01&to=2027-01-01')).status).toBe(200)
  })
})

describe('as a sheet', async () => {
  const s = await stage({ given: premises() })
  await s.make('ana', 'PATCH /properties/{villa}', { name: '=cmd|\' /C calc\'!A0;"x"' })
  await s.make('ana', 'PATCH /units/{a1}', { label: 'Étage <1> & 2' })
  const file = (name: string, format: string, language: string) =>
    s.t.app.handle(
      new Request(`http://localhost/api/v1/reports/${name}?format=${format}`, {
        headers: { authorization: `Bearer ${s.wordOf('ana')}`, 'accept-language': language },
      }),
    )

  test('CSV: a BOM, semicolons, French headings and words, formulas disarmed, sums last', async () => {
    const answer = await file('rent-roll', 'csv', 'fr-CM,fr;q=0.9')
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="rent-roll-2026-03-01-2026-03-31.csv"')
    expect(new TextDecoder().decode(bytes).split('\r\n')).toEqual([
      'Bien;Logement;Locataire;Loyer mensuel HT;Facture;Début de période;Fin de période;Échéance;Montant TTC;Avoir;Remises;Payé;Reste dû;Statut',
      `"'=cmd|' /C calc'!A0;""x""";A2;;60000;;;;;0;0;;0;0;Vacant`,
      `"'=cmd|' /C calc'!A0;""x""";Étage <1> & 2;;60000;;;;;0;0;;0;0;Vacant`,
      'Total;;;;;;;;0;0;0;0;0;',
      '',
    ])
  })

  test('a phone number is no number, dates are days that a spreadsheet knows', async () => {
    const let_ = await stage({
      given: async (x) => {
        await letting({ startDate: '2026-02-10', billFrom: '2026-02-10' })(x)
        const [tenant] = (await x.ask('ana', 'GET /tenants')).body as unknown as { id: string }[]
        await x.make('ana', `PATCH /tenants/${tenant?.id}`, { fullName: '@SUM(A1)', phoneNumber: '+237699000010' })
      },
    })
    const { text } = await let_.ask('ana', 'GET /reports/arrears?format=csv&locale=fr')
    expect(text).toContain(
      "Villa;A1;'@SUM(A1);(+237) 699\u00a000\u00a000\u00a010;2026-000001;2026-02-10;2026-02-15;60000",
    )
  })

  test('rates are percentages in the language of the caller', async () => {
    const last = async (language: string) =>
      (await (await file('occupancy', 'csv', language)).text()).split('\r\n').at(-2)
    expect(await last('fr')).toBe('Total;2;62;0;62;0,00%')
    expect(await last('en')).toBe('Total;2;62;0;62;0.00%')
  })

  test('XLSX: numbers are numbers, formulas are text', async () => {
    const answer = await file('rent-roll', 'xlsx', 'en')
    const rows = await readSheet(new Blob([await answer.arrayBuffer()]))
    expect(rows[0]?.slice(0, 4)).toEqual(['Property', 'Unit', 'Tenant', 'Monthly rent, net'])
    expect(rows[2]?.slice(0, 4)).toEqual(['=cmd|\' /C calc\'!A0;"x"', 'Étage <1> & 2', null, 60_000])
    expect(rows.at(-1)?.at(0)).toBe('Total')
  })

  test.each([
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['+237677000001', '+237677000001'],
    ['Rue; 1', '"Rue; 1"'],
    ['dit "le Grand"', '"dit ""le Grand"""'],
    ['Villa', 'Villa'],
  ])('the field %s is written %s', (text, written) => {
    expect(field(text)).toBe(written)
  })
})
