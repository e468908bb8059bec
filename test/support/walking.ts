// Moves of the random walks beside rent and its payments: deposits, notices, charges and their regularisation, rates of TVA, cash that waits.
import { expect } from 'bun:test'
import { addDays } from '../../src/core/dates.ts'
import type { Lived } from './agreed.ts'
import type { Json, Person, Stage } from './scenario.ts'
import type { seeded } from './seeded.ts'
import { keepRates, misshared, type Shared, stopRates, type Tax, toSetOff, withTax } from './taxed.ts'

/** Everything that the end of a lease may touch, as far as it stands. */
export const standing = (s: Stage) => [
  s.rows(
    "select id, status, start_date, end_date, credit_amount, anchor_date, next_period, next_run_on from booking where status <> 'DRAFT' order by id",
  ),
  s.rows(
    "select id, number, status, gross_amount, amount_paid, credited_amount, lines from invoice where status <> 'CANCELLED' order by id",
  ),
  s.rows(
    "select id, status, unallocated_amount from payment where method <> 'SET_OFF' or status = 'CONFIRMED' order by id",
  ),
  s.rows('select * from allocation where amount > 0 order by payment_id, target_id'),
  s.rows('select id, status from unit order by id'),
]

export type Walk = {
  readonly s: Stage
  readonly random: ReturnType<typeof seeded>
  readonly ask: (who: Person, line: string, body?: Json) => Promise<Json>
  readonly today: () => string
  readonly day: (low: number, high: number) => string
  readonly some: (table: string, where?: string) => string
  readonly invoice: () => string
  readonly lease: () => string
  readonly money: (more?: Json) => Json
  readonly agreed: Map<string, Lived>
  readonly byHand: Set<string>
  readonly standing: () => unknown
  taxes: readonly Tax[]
}
export type Move = readonly [weight: number, move: () => Promise<unknown>]

export function moreMoves(w: Walk): Move[] {
  const { s, random, ask, today, day, some } = w
  /** The landlord registers, the rate changes, from a day that was or is to come. */
  async function tax(): Promise<void> {
    await s.work()
    const [from, basisPoints] = [day(-40, 60), random.pick([0, 1000, 1925])]
    keepRates(s, w.agreed, w.taxes)
    const { tvaChanges, id } = await ask('ada', 'PATCH /admin/organization', { tvaChange: { from, basisPoints } })
    if (!id) return
    stopRates(s, w.agreed, w.taxes)
    w.taxes = withTax(w.taxes, from, basisPoints, today())
    expect((tvaChanges ?? []) as unknown[]).toEqual([...w.taxes])
    await s.work()
  }
  async function expense(): Promise<void> {
    const cost = { kind: random.pick(['WATER', 'GUARD', 'CLEANING']), spentOn: day(-60, 0) }
    const amount = random.pick([1, 999, 30_000, 90_001])
    await ask('ana', 'POST /expenses', {
      ...cost,
      amount,
      propertyId: '{villa}',
      chargeable: random.int(0, 4) > 0,
      paidBy: 'OWNER',
    })
  }
  const provision = { label: 'Provision', provision: true }
  const amount = () => random.pick([1, 7_777, 20_000])
  async function regularise(): Promise<void> {
    await s.work()
    const periodStart = day(-100, 0)
    const last = Math.round((Date.parse(today()) - Date.parse(periodStart)) / 86_400_000)
    const costs = Array.from({ length: random.int(1, 2) }, () => random.pick([1, 10_000, 90_001, 400_000]))
    const [found] = s.rows(
      "select id, amount from expense where chargeable and status = 'RECORDED' and regularisation_id is null",
    )
    const typed = costs.map((cost) => ({ label: 'Gardien', amount: cost }))
    const charged = found && random.int(0, 1) ? [{ expenseId: found.id }] : []
    const items = [typed, charged].filter((given) => given.length > 0)
    const body = {
      periodStart,
      periodEnd: random.int(0, 1) ? today() : addDays(periodStart, random.int(0, last)),
      setOffProvisions: random.int(0, 4) > 0,
      items: items.map((given, n) => ({ label: `Charges ${n}`, key: 'EQUAL', costs: given })),
    }
    const sums = [costs.reduce((sum, cost) => sum + cost, 0), ...(charged.length > 0 ? [Number(found?.amount)] : [])]
    const [before, provided] = [w.standing(), toSetOff(s, body)]
    const preview = await ask('ana', 'POST /properties/{villa}/regularisations/preview', body)
    expect(w.standing()).toEqual(before)
    const issued = await ask('ana', 'POST /properties/{villa}/regularisations', body)
    expect(issued.shares === undefined).toBe(preview.shares === undefined)
    if (!issued.shares) return
    const shares = issued.shares as (Shared & { readonly grossAmount: number; readonly creditAmount: number })[]
    expect(misshared(s, body, sums, shares)).toEqual([])
    const shown = ({ bookingId, amount: part, provisionAmount, grossAmount, creditAmount }: (typeof shares)[number]) =>
      [bookingId, part, provisionAmount, grossAmount, creditAmount].join(' ')
    expect(shares.map(shown).sort()).toEqual((preview.shares as typeof shares).map(shown).sort())
    for (const one of shares)
      expect([one.bookingId, one.provisionAmount]).toEqual([one.bookingId, provided.get(one.bookingId) ?? 0])
    if (random.int(0, 1)) return
    await undo(String(issued.id))
    expect(w.standing()).toEqual(before)
  }
  async function undo(id: string): Promise<void> {
    const asked = s.rows('select invoice_id id from regularisation_share where regularisation_id = ?', id)
    const { status } = await ask('ana', `POST /regularisations/${id}/cancel`)
    if (status === 'CANCELLED') for (const one of asked) w.byHand.add(String(one.id))
  }
  /** An invoice with provisions, by mistake, also of those that were set off. */
  async function cancelSome(): Promise<void> {
    const id = some('invoice', "status in ('ISSUED', 'OVERDUE') and lines like '%provision%'")
    const { status } = await ask('ana', `POST /invoices/${id}/cancel`)
    if (status === 'CANCELLED') w.byHand.add(id)
  }
  const cash = () => w.money({ method: 'CASH', receivedBy: '{ana}' })
  const waiting = () => some('payment', "status = 'PENDING' and received_by is not null")
  async function deposit(): Promise<void> {
    const type = random.pick(['RECEIVED', 'RECEIVED', 'DEDUCTED', 'RETURNED'])
    const entry = { type, amount: random.pick([1, 20_000, 60_000]), paidOn: day(-20, 0), reason: 'Vitre' }
    const of = some('booking')
    const open = s.rows("select id from invoice where booking_id = ? and status in ('ISSUED', 'OVERDUE')", of)
    const invoiceIds = type === 'DEDUCTED' && random.int(0, 2) ? { invoiceIds: open.map(({ id }) => id) } : {}
    await ask('ana', `POST /bookings/${of}/deposit`, { ...entry, ...invoiceIds })
  }
  const notice = () =>
    random.pick([
      () => ask('ana', `POST /bookings/${w.lease()}/notice`, { by: 'LANDLORD', leaveOn: day(0, 70) }),
      () => ask('tom', `POST /bookings/${w.lease()}/notice`, { by: 'TENANT', leaveOn: day(0, 70) }),
      // Whoever gave it takes it back.
      async () => {
        const of = some('booking', 'notice is not null')
        const [row] = s.rows("select json_extract(notice, '$.by') by from booking where id = ?", of)
        await ask(row?.by === 'TENANT' ? 'tom' : 'ana', `DELETE /bookings/${of}/notice`)
      },
    ])()
  return [
    [3, deposit],
    [3, notice],
    [2, tax],
    [2, expense],
    [5, () => ask('ana', `POST /bookings/${w.lease()}/invoices`, { lines: [{ ...provision, amount: amount() }] })],
    [
      5,
      () =>
        ask('ana', `POST /invoices/${some('invoice', "status = 'ISSUED' and amount_paid = 0")}/charges`, {
          ...provision,
          amount: amount(),
        }),
    ],
    [4, regularise],
    [2, () => cancelSome()],
    [2, () => undo(some('regularisation', "status = 'ISSUED'"))],
    [1, () => ask('ada', 'PATCH /admin/organization', { confirmCash: random.int(0, 3) > 0 })],
    [2, () => ask('mia', `POST /invoices/${w.invoice()}/payments`, cash())],
    [2, () => ask('mia', `POST /bookings/${w.lease()}/payments`, cash())],
    [1, () => ask('mia', `POST /payments/${waiting()}/confirm`)],
    [2, () => ask('ana', `POST /payments/${waiting()}/confirm`)],
    [1, () => ask(random.pick(['ana', 'mia']), `POST /payments/${waiting()}/reject`, { note: 'Rien reçu' })],
  ]
}
