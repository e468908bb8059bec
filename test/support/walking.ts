// Moves of the random walks beside rent and its payments: deposits, notices, charges and their regularisation, rates of TVA, cash that waits.
import { expect } from 'bun:test'
import type { Lived } from './agreed.ts'
import type { Fee } from './owning.ts'
import type { Json, Person, Stage } from './scenario.ts'
import type { seeded } from './seeded.ts'
import { sharing } from './sharing.ts'
import { keepRates, stopRates, type Tax, withTax } from './taxed.ts'

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
  /** Whose lease it is to sign, pay or leave. */
  readonly signer: (lease: string) => Person
  readonly taxesSoFar: () => number
  taxes: readonly Tax[]
  fees: readonly Fee[]
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
  const provision = { label: 'Provision', provision: true }
  const amount = () => random.pick([1, 7_777, 20_000])
  /** An invoice with provisions, by mistake, also of those that were set off. */
  async function cancelSome(): Promise<void> {
    const id = some('invoice', "status in ('ISSUED', 'OVERDUE') and lines like '%provision%'")
    const { status } = await ask('ana', `POST /invoices/${id}/cancel`)
    if (status === 'CANCELLED') w.byHand.add(id)
  }
  const cash = () => w.money({ method: 'CASH', receivedBy: '{ana}' })
  const waiting = () => some('payment', "status = 'PENDING' and received_by is not null")
  async function deposit(): Promise<void> {
    const held = 'id in (select booking_id from deposit_entry)'
    const type = s.rows(`select 1 from booking where ${held}`).length
      ? random.pick(['RECEIVED', 'DEDUCTED', 'DEDUCTED', 'RETURNED'])
      : 'RECEIVED'
    const entry = { type, amount: random.pick([1, 20_000, 60_000]), paidOn: day(-20, 0), reason: 'Vitre' }
    const of = some('booking', type === 'DEDUCTED' ? held : 'true')
    // Also of another lease of the same tenant.
    const open = s.rows(
      `select i.id from invoice i join booking b on b.id = i.booking_id join booking o on o.tenant_id = b.tenant_id
       where o.id = ? and i.status in ('ISSUED', 'OVERDUE')`,
      of,
    )
    const invoiceIds = type === 'DEDUCTED' && random.int(0, 2) ? { invoiceIds: open.map(({ id }) => id) } : {}
    await ask('ana', `POST /bookings/${of}/deposit`, { ...entry, ...invoiceIds })
  }
  const notice = () =>
    random.pick([
      () => ask('ana', `POST /bookings/${w.lease()}/notice`, { by: 'LANDLORD', leaveOn: day(0, 70) }),
      () => {
        const of = w.lease()
        return ask(w.signer(of), `POST /bookings/${of}/notice`, { by: 'TENANT', leaveOn: day(0, 70) })
      },
      // Whoever gave it takes it back.
      async () => {
        const of = some('booking', 'notice is not null')
        const [row] = s.rows("select json_extract(notice, '$.by') by from booking where id = ?", of)
        await ask(row?.by === 'TENANT' ? w.signer(of) : 'ana', `DELETE /bookings/${of}/notice`)
      },
    ])()
  return [
    [4, deposit],
    [3, notice],
    [2, tax],
    [5, () => ask('ana', `POST /bookings/${w.lease()}/invoices`, { lines: [{ ...provision, amount: amount() }] })],
    [
      5,
      () =>
        ask('ana', `POST /invoices/${some('invoice', "status = 'ISSUED' and amount_paid = 0")}/charges`, {
          ...provision,
          amount: amount(),
        }),
    ],
    [2, () => cancelSome()],
    ...sharing(w),
    [1, () => ask('ada', 'PATCH /admin/organization', { confirmCash: random.int(0, 3) > 0 })],
    [2, () => ask('mia', `POST /invoices/${w.invoice()}/payments`, cash())],
    [2, () => ask('mia', `POST /bookings/${w.lease()}/payments`, cash())],
    [1, () => ask('mia', `POST /payments/${waiting()}/confirm`)],
    [2, () => ask('ana', `POST /payments/${waiting()}/confirm`)],
    [1, () => ask(random.pick(['ana', 'mia']), `POST /payments/${waiting()}/reject`, { reason: 'Rien reçu' })],
  ]
}
