// A month of the TVA journal that was declared never changes: what is given back later has a credit note of its own month.
import { expect, test } from 'bun:test'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { readPdf } from '../../../support/papers.ts'
import { cash, type Json, letting, type Stage, scenario, stage } from '../../../support/scenario.ts'

const terms = { startDate: '2026-03-01', tvaBasisPoints: 1925 }
const journal = async (s: Stage, month: string, who: 'ana' | 'mia' = 'ana') => {
  const { body } = await s.ask(who, `GET /reports/tva-journal?from=2026-${month}-01&to=2026-${month}-28`)
  const amounts = ({ kind, invoiceNumber, netAmount, tvaAmount, grossAmount }: Json) =>
    [kind, invoiceNumber, netAmount, tvaAmount, grossAmount].join(' ')
  return { rows: (body.rows as Json[]).map(amounts), totals: body.totals as Json }
}

test('cancelled, credited and undone in later months, the month of the invoice stays as it was declared', async () => {
  const s = await stage({ settings: { tvaRegistered: true }, given: letting(terms, 'ACTIVE', 'OFFICE') })
  const march = await journal(s, '03')
  expect(march.rows).toEqual(['INVOICE 2026-000001 60000 11550 71550'])
  s.advance(30)
  await s.work()
  s.nameAll()
  // Nothing is added to an invoice of a month that may be declared.
  const late = await s.ask('ana', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 4_500 })
  expect(late.status).toBe(409)
  await s.make('ana', 'POST /invoices/{i2}/payments', cash(71_550, { paidOn: '2026-04-09' }))
  await s.make('ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-10', confirm: true })
  const april = await journal(s, '04')
  expect(april.rows).toEqual([
    'INVOICE 2026-000002 60000 11550 71550',
    'INVOICE 2026-000003 19355 3726 23081',
    'CREDIT_NOTE 2026-000001 -60000 -11550 -71550',
    'CREDIT_NOTE 2026-000002 -60000 -11550 -71550',
  ])
  expect(april.totals.standingTvaAmount).toBe(3_726 - 11_550)
  expect(await journal(s, '03')).toEqual(march)
  s.advance(30)
  await s.make('ana', 'POST /bookings/{lease}/reinstate')
  expect((await journal(s, '05')).rows).toEqual([
    'CREDIT_NOTE 2026-000003 -19355 -3726 -23081',
    'CREDIT_NOTE_WITHDRAWN 2026-000001 60000 11550 71550',
    'CREDIT_NOTE_WITHDRAWN 2026-000002 60000 11550 71550',
  ])
  expect((await journal(s, '04')).rows).toEqual(april.rows)
  expect(await journal(s, '03')).toEqual(march)
  // Whoever does not see the property sees none of it.
  expect((await s.ask('eve', 'GET /reports/tva-journal?from=2026-04-01&to=2026-04-28')).body.rows).toEqual([])
})

test('the TVA journal leaves out no number; what was credited is in a credit note of its own month', async () => {
  const given = letting({ startDate: '2026-01-10', billFrom: '2026-01-10', tvaBasisPoints: 1925 }, 'ACTIVE', 'OFFICE')
  const s = await stage({ given })
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(3 * 71_550))
  await s.make('ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-10' })
  const { body } = await s.ask('ana', 'GET /reports/tva-journal')
  const [rows, totals] = [body.rows as Json[], body.totals as Json]
  const [n1, n2, n3] = ['2026-000001', '2026-000002', '2026-000003']
  expect(rows.map((r) => r.invoiceNumber)).toEqual([n1, n2, n3, n3])
  expect(rows[2]).toMatchObject({
    kind: 'INVOICE',
    standingTvaAmount: 11_550,
    standingGrossAmount: 71_550,
    creditedAmount: 0,
  })
  // One day of 31 is 60,000 / 31 net and its TVA; the rest went back.
  expect(rows[3]).toMatchObject({
    kind: 'CREDIT_NOTE',
    creditNoteNumber: 'AV-2026-000001',
    issuedOn: '2026-03-10',
    netAmount: 1_935 - 60_000,
    tvaAmount: 372 - 11_550,
    grossAmount: 2_307 - 71_550,
    status: 'PAID',
  })
  expect(totals.standingGrossAmount).toBe(2 * 71_550 + 2_307)
  expect((await journal(s, '02')).rows).toEqual([])
})

scenario('the credit note of a cancelled invoice, read by both parties only', { given: letting(terms) }, [
  ['ana', 'GET /invoices/{i1}/credit-notes', undefined, 200, []],
  ['ana', 'POST /invoices/{i1}/cancel', {}, 200, {}, { audit: 'invoice.cancel' }],
  [
    'tom',
    'GET /invoices/{i1}/credit-notes',
    undefined,
    200,
    [
      {
        number: 'AV-2026-000001',
        issuedOn: '2026-03-10',
        reason: 'CANCELLED',
        netAmount: 60_000,
        tvaAmount: 11_550,
        grossAmount: 71_550,
      },
    ],
  ],
  ['eve', 'GET /invoices/{i1}/credit-notes', undefined, 404],
  ['tia', 'GET /invoices/{i1}/credit-notes', undefined, 404],
])

const water = { lines: [{ label: 'Eau (Camwater), mars', amount: 4_500 }] }
scenario(
  'charges have an invoice of their own, whatever is paid in advance and after the end',
  { given: letting(terms) },
  [
    ['tom', 'POST /bookings/{lease}/invoices', water, 403],
    ['eve', 'POST /bookings/{lease}/invoices', water, 404],
    ['ana', 'POST /bookings/{lease}/invoices', { lines: [] }, 422, { errors: [{ path: '/lines' }] }],
    [
      'ana',
      'POST /bookings/{lease}/invoices',
      { ...water, dueDate: '2026-03-09' },
      422,
      { errors: [{ path: '/dueDate' }] },
    ],
    [
      'ana',
      'POST /bookings/{lease}/payments',
      cash(3 * 71_550 + 1_000),
      201,
      { creditAmount: 1_000 },
      {
        audit: 'payment.record, invoice.paid, invoice.issue, invoice.paid, invoice.issue, invoice.paid',
        jobs: 'invoice.issued ×2, payment.confirmed',
      },
    ],
    [
      'ana',
      'POST /bookings/{lease}/invoices',
      { ...water, dueDate: '2026-03-31' },
      201,
      {
        kind: 'CHARGES',
        status: 'ISSUED',
        grossAmount: 5_366,
        tvaAmount: 866,
        amountPaid: 1_000,
        dueDate: '2026-03-31',
      },
      { audit: 'invoice.issue, invoice.balance', jobs: 'invoice.issued' },
    ],
    // A second one of the day stands beside it, and rent is covered as before.
    [
      'ana',
      'POST /bookings/{lease}/invoices',
      water,
      201,
      { kind: 'CHARGES' },
      { audit: 'invoice.issue', jobs: 'invoice.issued' },
    ],
    ['ana', 'GET /bookings?tenantUserId={tom}', undefined, 200, [{ coveredUntil: '2026-05-31', openAmount: 9_732 }]],
  ],
)

test('a credit note and an invoice of charges on paper', async () => {
  const s = await stage({ given: letting(terms) })
  await s.make('ana', 'POST /bookings/{lease}/invoices', water)
  await s.make('ana', 'POST /invoices/{i1}/cancel')
  while ((await renderDocuments(s.deps)) > 0);
  const read = async (where: string): Promise<string> => {
    const [row] = s.rows(`select * from document where ${where}`)
    const file = await s.documents.open(`${row?.id}.${row?.sha256}`)
    return (await readPdf((await file?.bytes()) ?? new Uint8Array())).text
  }
  const [bill, avoir] = [await read("number = '2026-000002'"), await read("variant = 'CREDIT_NOTE'")]
  expect(bill).toContain('Eau (Camwater), mars')
  expect(bill).not.toContain('Période')
  expect(avoir).toContain('Avoir n° AV-2026-000001')
  expect(avoir).toContain('Facture n° 2026-000001')
  expect(avoir).toContain('Facture annulée')
  expect(avoir).not.toContain('À payer au plus tard le')
})
