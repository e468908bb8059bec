// Provisions that were given back of an invoice of rent, and the end of the lease in the middle of its period.
import { describe, expect, test } from 'bun:test'
import { imbalances } from '../../../support/ledger.ts'
import { cash, type Json, type Stage } from '../../../support/scenario.ts'
import { guard, house, path } from '../../../support/shared-charges.ts'

const cheap = { ...guard, costs: [{ label: 'Gardien', amount: 3_000 }] }
const all = { periodStart: '2026-01-01', periodEnd: '2026-04-30', items: [cheap] }

/**
 * On 30 April, the service being off since the 10th: Tom leaves on the 20th, and provisions of 8,000 on the invoice of April,
 * with `paid` francs on all that he owes, are regularised before the end is settled.
 */
async function regularisedFirst(
  paid: number | 'ALL',
  more: Json = {},
): Promise<{ s: Stage; april: string; before: () => unknown }> {
  const s = await house({ dueDay: 28, ...more })
  const april = String(
    s.t.rows("select id from invoice where booking_id = ? and period_start = '2026-04-01'", s.fill('{toms}'))[0]?.id,
  )
  await s.make('ana', `POST /invoices/${april}/charges`, { label: 'Provision', amount: 8_000, provision: true })
  const invoices = (await s.ask('ana', 'GET /invoices?bookingId={toms}&limit=50')).body as unknown as Json[]
  const owed = invoices.reduce((sum, { balanceAmount }) => sum + Number(balanceAmount), 0)
  const rest = invoices.find(({ id }) => id === april)?.balanceAmount
  const amount = paid === 'ALL' ? owed : owed - Number(rest) + paid
  await s.make('ana', 'POST /bookings/{toms}/payments', cash(amount, { paidOn: '2026-04-10' }))
  await s.make('ana', 'POST /bookings/{toms}/notice', { by: 'LANDLORD', leaveOn: '2026-04-20' })
  s.t.advance(20)
  return {
    s,
    april,
    before: () => [
      s.t.rows('select id, amount_paid, credited_amount, noted_amount from invoice where id = ?', april),
      s.t.rows('select credit_amount from booking where id = ?', s.fill('{toms}')),
    ],
  }
}
const notes = (s: Stage, invoice: string) =>
  s.t
    .rows(
      'select reason, gross_amount g, tva_amount t from credit_note where invoice_id = ? and withdrawn_on is null order by reason',
      invoice,
    )
    .map(({ reason, g, t }) => `${reason} ${g} ${t}`)
const invoiceOf = async (s: Stage, id: string) => (await s.ask('ana', `GET /invoices/${id}`)).body
const statusOf = (s: Stage) => s.t.rows('select status from booking where id = ?', s.fill('{toms}'))[0]?.status

describe('a notice whose day was over while the service was off', () => {
  for (const [paid, balance, credit] of [
    // 60 000 for April are 40 000 until the 20th; of 8 000 provisions 917 are due, 110 of 360 days of 3 000.
    ['ALL', 0, 27_083],
    [30_000, 10_917, 0],
    [0, 40_917, 0],
    [50_000, 0, 9_083],
  ] as const)
    test(`ends the lease after provisions were given back, with ${paid} paid`, async () => {
      const { s, april, before } = await regularisedFirst(paid)
      await s.make('ana', path(), all, 'one')
      expect([statusOf(s), notes(s, april)]).toEqual(['ACTIVE', ['REGULARISED 7083 0']])
      const stood = before()
      await s.t.work()
      expect(statusOf(s)).toBe('TERMINATED')
      expect(notes(s, april)).toEqual(['ENDED 20000 0', 'REGULARISED 7083 0'])
      expect(await invoiceOf(s, april)).toMatchObject({
        grossAmount: 68_000,
        creditedAmount: 27_083,
        balanceAmount: balance,
      })
      expect((await s.ask('ana', 'GET /bookings/{toms}')).body.creditAmount).toBe(credit)
      expect(imbalances(s.t)).toEqual([])
      // Undone, everything is as it was; the notes that stood stand.
      await s.make('ana', 'POST /bookings/{toms}/reinstate')
      expect(notes(s, april)).toEqual(['REGULARISED 7083 0'])
      expect([before(), imbalances(s.t)]).toEqual([stood, []])
    })

  test('undone the other way round: the provisions first, then the end', async () => {
    for (const paid of ['ALL', 30_000, 50_000] as const) {
      const { s, april, before } = await regularisedFirst(paid)
      const stood = before()
      await s.make('ana', path(), all, 'one')
      await s.t.work()
      await s.make('ana', 'POST /regularisations/{one}/cancel')
      expect(notes(s, april)).toEqual(['ENDED 20000 0'])
      expect(await invoiceOf(s, april)).toMatchObject({ creditedAmount: 20_000 })
      expect(imbalances(s.t)).toEqual([])
      await s.make('ana', 'POST /bookings/{toms}/reinstate')
      expect(notes(s, april)).toEqual([])
      expect([before(), imbalances(s.t)]).toEqual([stood, []])
    }
  })

  test('gives back no more TVA than the invoice bears, whichever note came first', async () => {
    const { s, april } = await regularisedFirst('ALL', { tvaBasisPoints: 1925 })
    await s.make('ana', path(), all, 'one')
    await s.t.work()
    expect(notes(s, april)).toEqual(['ENDED 23850 3850', 'REGULARISED 8446 1363'])
    const { rows } = (await s.ask('ana', 'GET /reports/tva-journal?from=2026-04-01&to=2026-04-30')).body
    const taken = (rows as Json[]).flatMap(({ kind, tvaAmount }) => (kind === 'CREDIT_NOTE' ? [tvaAmount] : []))
    expect(taken.sort()).toEqual([-1_363, -3_850])
    expect(imbalances(s.t)).toEqual([])
  })

  test('what the end gave back does not stand in the way of giving back provisions later', async () => {
    const { s, april } = await regularisedFirst('ALL')
    await s.t.work()
    expect(notes(s, april)).toEqual(['ENDED 20000 0'])
    await s.make('ana', path(), all, 'one')
    expect(notes(s, april)).toEqual(['ENDED 20000 0', 'REGULARISED 7083 0'])
    expect(await invoiceOf(s, april)).toMatchObject({ status: 'PAID', creditedAmount: 27_083 })
    // By hand it is cancelled by nobody, and given back twice by nobody.
    expect((await s.ask('ana', `POST /invoices/${april}/cancel`)).status).toBe(409)
    expect(notes(s, april)).toHaveLength(2)
    expect(imbalances(s.t)).toEqual([])
  })
})

/** On 10 April Tom leaves at once; `before` that and `after` it so much is charged as provisions of April. Then it is the 30th. */
async function chargedAround(before: number, after: number): Promise<{ s: Stage; provide: () => unknown }> {
  const s = await house({ dueDay: 28 })
  const april = () =>
    String(
      s.t.rows(
        "select id from invoice where booking_id = ? and period_start = '2026-04-01' and status <> 'CANCELLED'",
        s.fill('{toms}'),
      )[0]?.id,
    )
  const charge = async (amount: number) => {
    if (amount > 0)
      await s.make('ana', `POST /invoices/${april()}/charges`, { label: 'Provision', amount, provision: true })
  }
  await charge(before)
  await s.make('ana', 'POST /bookings/{toms}/terminate')
  await charge(after)
  s.t.advance(20)
  return {
    s,
    provide: () =>
      s.t.rows(
        "select provision_amount n from regularisation_share where booking_id = ? and regularisation_id in (select id from regularisation where status = 'ISSUED')",
        s.fill('{toms}'),
      ),
  }
}
const dear = { ...all, items: [{ ...guard, costs: [{ label: 'Gardien', amount: 900_000 }] }] }

test('provisions that were charged after the end and set off do not go along when it is undone', async () => {
  const { s, provide } = await chargedAround(0, 8_000)
  await s.make('ana', path(), dear, 'one')
  expect(provide()).toEqual([{ n: 8_000 }])
  const refused = await s.ask('ana', 'POST /bookings/{toms}/reinstate')
  expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state'])
  expect(String(refused.body.detail)).toContain('Cancel that regularisation first.')
  expect([statusOf(s), imbalances(s.t)]).toEqual(['TERMINATED', []])
  // Without it the end is undone, and what was charged has an invoice of its own, set off once.
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  await s.make('ana', 'POST /bookings/{toms}/reinstate')
  await s.make('ana', path(), dear, 'two')
  expect([provide(), imbalances(s.t)]).toEqual([[{ n: 8_000 }], []])
})

test('provisions that the invoice from before asks for too go along, and are set off once', async () => {
  const { s, provide } = await chargedAround(8_000, 0)
  await s.make('ana', path(), dear, 'one')
  await s.make('ana', 'POST /bookings/{toms}/reinstate')
  expect([provide(), statusOf(s), imbalances(s.t)]).toEqual([[{ n: 8_000 }], 'ACTIVE', []])
  const again = await s.ask('ana', path('/preview'), dear)
  const share = ((again.body.shares ?? []) as { unitLabel: string; provisionAmount: number }[]).find(
    ({ unitLabel }) => unitLabel === 'A1',
  )
  expect(share?.provisionAmount ?? 0).toBe(0)
})
