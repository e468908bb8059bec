// A part of an invoice that the landlord no longer asks for: a credit note, and nobody's money.
import { expect, test } from 'bun:test'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { imbalances } from '../../../support/ledger.ts'
import { readPdf } from '../../../support/papers.ts'
import { solid } from '../../../support/papers-read.ts'
import { cash, type Json, letting, phoneOf, type Stage, scenario, stage } from '../../../support/scenario.ts'

const given = letting({ startDate: '2026-03-10' })
const waiver = (amount: number, reason = 'Travaux faits par le locataire') => ({ amount, reason })
const waived = { audit: 'invoice.credit', jobs: 'invoice.waived', sent: 'invoice_waived' }

scenario('a part of an open invoice is waived, by whoever lets it; never more than is owed', { given }, [
  ['tom', 'POST /invoices/{i1}/waive', waiver(1), 403],
  ['eve', 'POST /invoices/{i1}/waive', waiver(1), 404],
  ['ana', 'POST /invoices/{i1}/waive', { amount: 1 }, 422, { errors: [{ path: '/reason' }] }],
  ['ana', 'POST /invoices/{i1}/waive', waiver(1, ' '), 422, { errors: [{ path: '/reason' }] }],
  ['ana', 'POST /invoices/{i1}/waive', waiver(0), 422, { errors: [{ path: '/amount' }] }],
  ['ana', 'POST /invoices/{i1}/waive', waiver(60_001), 422, { errors: [{ path: '/amount' }] }],
  [
    'ana',
    'POST /invoices/{i1}/waive',
    waiver(10_000),
    200,
    { status: 'ISSUED', creditedAmount: 10_000, balanceAmount: 50_000 },
    { audit: waived.audit, jobs: waived.jobs },
  ],
  ['days', 0, { sent: waived.sent }],
  [
    'ana',
    'GET /invoices/{i1}/credit-notes',
    undefined,
    200,
    [{ number: 'AV-2026-000001', reason: 'WAIVED', grossAmount: 10_000, issuedOn: '2026-03-10' }],
  ],
  // Another part, and what is left: nothing was paid, and nothing can be.
  ['ana', 'POST /invoices/{i1}/waive', waiver(20_000), 200, {}, { audit: waived.audit, jobs: waived.jobs }],
  [
    'ana',
    'POST /invoices/{i1}/waive',
    waiver(30_000),
    200,
    { status: 'PAID', creditedAmount: 60_000, balanceAmount: 0 },
    { audit: waived.audit, jobs: waived.jobs },
  ],
  ['ana', 'POST /invoices/{i1}/waive', waiver(1), 409, { currentStatus: 'PAID', allowed: [] }],
  ['ana', 'GET /payments', undefined, 200, []],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 0 }],
])

test('the owner and the administrators read what somebody else waived, and why', async () => {
  const s = await stage({ given })
  await s.make('ana', 'POST /invoices/{i1}/waive', waiver(1_000))
  await s.t.work()
  expect(s.t.sent.filter(({ purpose }) => purpose === 'adjustment_made')).toEqual([])
  await s.make('mia', 'POST /invoices/{i1}/waive', waiver(2_000, 'Geste'))
  await s.t.work()
  const told = s.t.sent.filter(({ purpose }) => purpose === 'adjustment_made')
  expect(told.map(({ to }) => to).sort()).toEqual([phoneOf('ada'), phoneOf('ana')].sort())
  const { body } = await s.ask('ada', 'GET /adjustments')
  expect(body as unknown as Json[]).toMatchObject([
    { kind: 'INVOICE_WAIVED', amount: 2_000, reason: 'Geste', subjectId: s.names.get('i1') },
    { kind: 'INVOICE_WAIVED', amount: 1_000 },
  ])
})

const totals = async (s: Stage, report: string): Promise<Json> =>
  (await s.ask('ana', `GET /reports/${report}`)).body.totals as Json
test('it is money in no report, and in the month of its credit note its TVA is taken back', async () => {
  const terms = { startDate: '2026-03-10', tvaBasisPoints: 1925 }
  const s = await stage({ settings: { tvaRegistered: true }, given: letting(terms, 'ACTIVE', 'OFFICE') })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(59_625))
  const march = await totals(s, 'tva-journal?from=2026-03-01&to=2026-03-31')
  s.advance(22)
  await s.make('ana', 'POST /invoices/{i1}/waive', waiver(11_925))
  const year = 'from=2026-01-01&to=2026-12-31'
  expect(await totals(s, `owner-statement?${year}`)).toMatchObject({ receivedAmount: 59_625, ownerAmount: 59_625 })
  expect(await totals(s, `collection?${year}`)).toMatchObject({ invoicedAmount: 59_625, balanceAmount: 0 })
  expect(await totals(s, `rent-roll?${year}`)).toMatchObject({
    ...{ grossAmount: 71_550, creditedAmount: 11_925, waivedAmount: 11_925, amountPaid: 59_625, balanceAmount: 0 },
  })
  const { body } = await s.ask('ana', 'GET /reports/profit-loss?year=2026')
  expect(body.rows as Json[]).toMatchObject([
    { line: 'RECEIVED', resultAmount: 59_625 },
    { line: 'WAIVED', resultAmount: 0, waivedAmount: 11_925 },
  ])
  expect(body.totals).toMatchObject({ resultAmount: 59_625, waivedAmount: 11_925 })
  expect(await totals(s, 'tva-journal?from=2026-03-01&to=2026-03-31')).toEqual(march)
  expect(await totals(s, 'tva-journal?from=2026-04-01&to=2026-04-30')).toMatchObject({ tvaAmount: -1_925 })
})

const stated = (s: Stage) =>
  s
    .rows("select variant, void_reason from document where kind = 'RECEIPT' order by id")
    .map((d) => Object.values(d).join(' '))
async function readLast(s: Stage, where: string): Promise<string> {
  while ((await renderDocuments(s.deps)) > 0);
  const [row] = s.rows(`select id, sha256 from document where ${where} order by id desc limit 1`)
  const file = await s.documents.open(`${row?.id}.${row?.sha256}`)
  return (await readPdf((await file?.bytes()) ?? new Uint8Array())).text
}
test('papers say that it is waived, and acknowledge what was paid alone', async () => {
  const s = await stage({ given })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(50_000))
  expect(stated(s)).toEqual(['PARTIAL '])
  await s.make('ana', 'POST /invoices/{i1}/waive', waiver(10_000))
  // The receipt is a quittance now; that of before no longer stands.
  expect(stated(s)).toEqual(['PARTIAL REPLACED', 'FULL '])
  const receipt = solid(await readLast(s, "kind = 'RECEIPT'"))
  expect(receipt).toContain(solid('Remise de 10 000 FCFA'))
  expect(receipt).toContain('50000')
  expect(receipt).not.toContain('60000FCFA')
  const note = solid(await readLast(s, "variant = 'CREDIT_NOTE'"))
  for (const said of ['Remise accordée par le bailleur', 'Travaux faits par le locataire', 'AV-2026-000001'])
    expect(note).toContain(solid(said))
})

const off = async (s: Stage, invoice: string) =>
  s
    .rows(
      'select reason, gross_amount g from credit_note where invoice_id = ? and withdrawn_on is null order by id',
      invoice,
    )
    .map(({ reason, g }) => `${reason} ${g}`)
test('the end of the lease takes off what is left of the time after it; undone, all is as before', async () => {
  for (const [paid, part, after, credit] of [
    // 60 000 for the month; 19 355 until the 19th.
    [0, 10_000, ['WAIVED 10000', 'ENDED 40645'], 0],
    [0, 50_000, ['WAIVED 50000', 'ENDED 10000'], 0],
    [0, 60_000, ['WAIVED 60000'], 0],
    [50_000, 10_000, ['WAIVED 10000', 'ENDED 40645'], 40_645],
  ] as const) {
    const s = await stage({ given })
    if (paid > 0) await s.make('ana', 'POST /invoices/{i1}/payments', cash(paid))
    await s.make('ana', 'POST /invoices/{i1}/waive', waiver(part))
    const i1 = String(s.names.get('i1'))
    const stood = s.rows('select amount_paid, credited_amount, noted_amount, status from invoice')
    s.advance(9)
    await s.make('ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-19' })
    expect(await off(s, i1)).toEqual([...after])
    expect((await s.ask('ana', 'GET /bookings/{lease}')).body.creditAmount).toBe(credit)
    expect(imbalances(s.t)).toEqual([])
    await s.make('ana', 'POST /bookings/{lease}/reinstate')
    await s.work()
    expect(s.rows('select amount_paid, credited_amount, noted_amount, status from invoice')).toMatchObject(
      stood.map((row) => ({ ...row, ...(row.status === 'ISSUED' ? { status: expect.any(String) } : {}) })),
    )
    expect(imbalances(s.t)).toEqual([])
  }
})

test('an invoice that stands in the place of another is waived as that one was', async () => {
  const s = await stage({ given })
  await s.make('ana', 'POST /invoices/{i1}/waive', waiver(10_000))
  await s.make('ana', 'POST /bookings/{lease}/rent-changes', { from: '2026-03-10', rentAmount: 50_000, confirm: true })
  const [fresh] = s.rows("select id, amount_paid, gross_amount from invoice where status <> 'CANCELLED'")
  expect(fresh).toMatchObject({ amount_paid: 10_000, gross_amount: 50_000 })
  expect(await off(s, String(fresh?.id))).toEqual(['WAIVED 10000'])
  expect(await off(s, String(s.names.get('i1')))).toEqual(['CANCELLED 60000'])
  expect(imbalances(s.t)).toEqual([])
  // Cancelled by hand, nothing of it is owed, and nothing was paid.
  await s.make('ana', `POST /invoices/${fresh?.id}/cancel`)
  expect(await off(s, String(fresh?.id))).toEqual(['CANCELLED 50000'])
  expect(imbalances(s.t)).toEqual([])
})
