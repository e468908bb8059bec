import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import { addDays, localDate, maxDate, minDate } from '../../../core/dates.ts'
import { moneyOf } from '../owner-statements/store.ts'
import { creditedOf, creditsOf, pieceOf, takenByInvoices, takenOfPayments } from './store.ts'

type Asked = {
  readonly orgId: string
  readonly propertyId: string
  readonly from: string
  readonly to: string
  readonly today: string
  readonly timeZone: string
}
type Amounts = Map<string, number>
/** Days that are gone through in one piece. */
const SLICE = 31

/**
 * The credit of a property's tenants, francs by lease: `added` from `from` to `to`, and `held` at the end of `to`, which is
 * the credit of now less what was added since.
 */
export async function tenantCredit(db: Db, asked: Asked, rest: Rest): Promise<{ added: Amounts; held: Amounts }> {
  const { orgId, propertyId, from, to, today } = asked
  const added: Amounts = new Map()
  await addMoves(db, asked, from, minDate(to, today), added, rest)
  const held: Amounts = new Map(creditsOf(db, { orgId, propertyId }).map((c) => [c.bookingId, c.amount]))
  const since: Amounts = new Map()
  await addMoves(db, asked, addDays(to, 1), today, since, rest)
  for (const [bookingId, amount] of since) held.set(bookingId, (held.get(bookingId) ?? 0) - amount)
  return { added, held }
}

/** Adds what moved from day to day: money that came or went back, what invoices took of it, what ends of leases gave back. */
async function addMoves(db: Db, asked: Asked, first: string, last: string, sums: Amounts, rest: Rest): Promise<void> {
  if (first > last) return
  const { orgId, propertyId } = asked
  const add = (bookingId: string, amount: number) => sums.set(bookingId, (sums.get(bookingId) ?? 0) + amount)
  for (let from = first; from <= last; from = addDays(from, SLICE)) {
    const to = minDate(last, addDays(from, SLICE - 1))
    const range = { orgId, propertyId, from, to }
    for (const { bookingId, type, amount } of moneyOf(db, range)) add(bookingId, type === 'REFUND' ? -amount : amount)
    for (const { bookingId, amount } of takenOfPayments(db, { ...range, until: last })) add(bookingId, -amount)
    await rest()
  }
  for (let after: number | undefined = 0; after !== undefined; ) {
    const until = pieceOf(db, propertyId, after)
    const taken = takenByInvoices(db, {
      orgId,
      propertyId,
      after,
      until: until ?? Number.MAX_SAFE_INTEGER,
      from: first,
      to: last,
    })
    for (const { bookingId, amount } of taken) add(bookingId, -amount)
    after = until
    await rest()
  }
  const within = (day: string): boolean => day >= first && day <= last
  for (const { bookingId, amount, endedOn, takenOn } of creditedInvoices(db, asked)) {
    if (takenOn > endedOn) continue
    // Until the end of the lease the invoice had it.
    if (within(takenOn)) add(bookingId, -amount)
    if (within(endedOn)) add(bookingId, amount)
  }
}

/** Invoices of which the end of a lease gave back a part that a payment had settled, and the days of both. */
function creditedInvoices(db: Db, { orgId, propertyId, timeZone }: Asked) {
  const all = new Map<string, { bookingId: string; amount: number; endedOn: string; takenOn: string }>()
  for (const { invoiceId, bookingId, amount, endedAt, issuedOn, paidOn } of creditedOf(db, { orgId, propertyId })) {
    const takenOn = maxDate(all.get(invoiceId)?.takenOn ?? issuedOn, paidOn)
    const endedOn = localDate(Date.parse(endedAt ?? ''), timeZone)
    all.set(invoiceId, { bookingId, amount, endedOn, takenOn })
  }
  return all.values()
}
