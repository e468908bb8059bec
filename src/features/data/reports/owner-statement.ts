import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import { addDays, localDate, maxDate, minDate } from '../../../core/dates.ts'
import { deductionsForOthers } from '../../money/deposits/store.ts'
import type { ReportRequest } from './figures.ts'
import type { StatementRow } from './model.ts'
import { piecesOf } from './rules.ts'
import {
  billedByLease,
  creditedOf,
  creditsOf,
  depositsByLease,
  leaseNames,
  moneyOf,
  openOf,
  paymentPieces,
  pieceOf,
  takenByInvoices,
  takenFrom,
  takenOfPayments,
  waivedOf,
} from './store.ts'

/** Sorts `A2` before `A10`. */
const { compare } = new Intl.Collator('fr', { numeric: true })
export const EMPTY = {
  netAmount: 0,
  tvaAmount: 0,
  grossAmount: 0,
  creditedAmount: 0,
  receivedAmount: 0,
  withheldAmount: 0,
  refundedAmount: 0,
  setOffAmount: 0,
  balanceAmount: 0,
  depositReceivedAmount: 0,
  depositDeductedAmount: 0,
  depositReturnedAmount: 0,
  depositMovedAmount: 0,
  depositHeldAmount: 0,
  creditAddedAmount: 0,
  creditHeldAmount: 0,
  ownerAmount: 0,
}

type Property = { readonly id: string; readonly name: string }
/**
 * What each lease of a property was billed and paid from `from` to `to`, by unit; leases without any figure are left
 * out.
 */
export async function statementOf(
  db: Db,
  request: ReportRequest,
  { id: propertyId, name }: Property,
  rest: Rest,
): Promise<StatementRow[]> {
  const { orgId, from, to } = request
  const range = { orgId, propertyId, from, to }
  const rows = new Map<string, StatementRow>()
  const leases = leaseNames(db, { orgId, propertyId })
  const names = new Map(leases.map((l) => [l.id, l]))
  const of = (bookingId: string): StatementRow => {
    let row = rows.get(bookingId)
    if (!row) {
      const { unitLabel = '', tenantName = '' } = names.get(bookingId) ?? {}
      row = { propertyId, propertyName: name, bookingId, unitLabel, tenantName, ...EMPTY }
      rows.set(bookingId, row)
    }
    return row
  }
  for (const piece of piecesOf(leases)) {
    for (const billed of billedByLease(db).all({ ...range, ...piece })) Object.assign(of(billed.bookingId), billed)
    await rest()
  }
  for (const piece of paymentPieces(db, range)) {
    for (const { bookingId, type, method, amount } of moneyOf(db, piece)) {
      const row = of(bookingId)
      if (method === 'SET_OFF') row.setOffAmount += type === 'REFUND' ? -amount : amount
      else if (type === 'REFUND') row.refundedAmount += amount
      else if (method === 'WITHHOLDING') row.withheldAmount += amount
      // What came out of the deposit is in depositDeductedAmount.
      else if (method !== 'DEPOSIT') row.receivedAmount += amount
    }
    await rest()
  }
  for (const { bookingId, grossAmount, amountPaid } of openOf(db, { orgId, propertyId, to }))
    of(bookingId).balanceAmount += grossAmount - amountPaid
  await rest()
  for (const deposits of depositsByLease(db).all(range)) {
    const { bookingId, ...amounts } = deposits
    if (Object.values(amounts).some((amount) => amount !== 0)) Object.assign(of(bookingId), amounts)
  }
  const { added, held } = await tenantCredit(db, { ...request, propertyId }, rest)
  const ofProperty = (bookingId: string) => (names.has(bookingId) ? of(bookingId) : undefined)
  for (const deduction of deductionsForOthers(db, range)) moveDeduction(deduction, to, ofProperty, added)
  await rest()
  for (const [bookingId, amount] of added) if (amount !== 0) of(bookingId).creditAddedAmount = amount
  for (const [bookingId, amount] of held) if (amount !== 0) of(bookingId).creditHeldAmount = amount
  for (const row of rows.values())
    row.ownerAmount =
      row.receivedAmount - row.refundedAmount + row.setOffAmount + row.depositDeductedAmount - row.creditAddedAmount
  await rest()
  return [...rows.values()].sort((a, b) => compare(a.unitLabel, b.unitLabel) || (a.bookingId < b.bookingId ? -1 : 1))
}

type Deduction = ReturnType<typeof deductionsForOthers>[number]
/** A deposit that paid an invoice of another lease counts as earned there, and as moved from the lease that held it. */
function moveDeduction(
  deduction: Deduction,
  to: string,
  rowOf: (bookingId: string) => StatementRow | undefined,
  added: Amounts,
): void {
  const sides = [
    [deduction.holderId, -deduction.amount],
    [deduction.debtorId, deduction.amount],
  ] as const
  for (const [bookingId, amount] of sides) {
    const row = rowOf(bookingId)
    if (!row) continue
    row.depositDeductedAmount += amount
    row.depositMovedAmount += amount
    // The invoice is issued later: until then the amount is credit.
    if (deduction.issuedOn > to) addTo(added, bookingId, amount)
  }
}

/** The owner's part of a property's income from `from` to `to`, before fees and expenses. */
export const ownerAmountOf = async (db: Db, request: ReportRequest, property: Property, rest: Rest): Promise<number> =>
  ownerAmountIn(await statementOf(db, request, property, rest))
export const ownerAmountIn = (rows: readonly StatementRow[]): number =>
  rows.reduce((sum, { ownerAmount }) => sum + ownerAmount, 0)

type OfProperty = ReportRequest & { readonly propertyId: string }
type Amounts = Map<string, number>
/**
 * The credit of a property's tenants, in francs by lease: `added` from `from` to `to`, and `held` at the end of `to`,
 * which is today's credit minus what was added since.
 */
async function tenantCredit(db: Db, request: OfProperty, rest: Rest): Promise<{ added: Amounts; held: Amounts }> {
  const { orgId, propertyId, from, to, today } = request
  const added: Amounts = new Map()
  await addMoves(db, request, from, minDate(to, today), added, rest)
  const held: Amounts = new Map(creditsOf(db, { orgId, propertyId }).map((c) => [c.bookingId, c.amount]))
  const since: Amounts = new Map()
  await addMoves(db, request, addDays(to, 1), today, since, rest)
  for (const [bookingId, amount] of since) addTo(held, bookingId, -amount)
  const credited = [...creditedInvoices(db, request)]
  for (const [bookingId, amount] of usedAt(db, credited, addDays(from, -1))) addTo(added, bookingId, amount)
  for (const [bookingId, amount] of usedAt(db, credited, to)) {
    addTo(added, bookingId, -amount)
    addTo(held, bookingId, -amount)
  }
  return { added, held }
}
const addTo = (sums: Amounts, bookingId: string, amount: number) =>
  sums.set(bookingId, (sums.get(bookingId) ?? 0) + amount)

/**
 * Adds the movements of each day: payments and refunds, and amounts used by invoices.
 */
async function addMoves(
  db: Db,
  request: OfProperty,
  first: string,
  last: string,
  sums: Amounts,
  rest: Rest,
): Promise<void> {
  if (first > last) return
  const { orgId, propertyId } = request
  const add = (bookingId: string, amount: number) => addTo(sums, bookingId, amount)
  for (const piece of paymentPieces(db, { orgId, propertyId, from: first, to: last })) {
    for (const { bookingId, type, amount } of moneyOf(db, piece)) add(bookingId, type === 'REFUND' ? -amount : amount)
    for (const { bookingId, amount } of takenOfPayments(db, { ...piece, issuedBy: last })) add(bookingId, -amount)
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
}

type Credited = {
  readonly bookingId: string
  readonly amount: number
  readonly endedOn: string
  readonly takenOn: string
  readonly payments: Map<string, number>
}
/** Invoices on which the end of a lease credited an amount that payments had settled, with the days of both. */
function creditedInvoices(db: Db, { orgId, propertyId, timeZone }: OfProperty) {
  const all = new Map<string, Credited>()
  const rows = creditedOf(db, { orgId, propertyId })
  const waived = waivedOf(
    db,
    orgId,
    rows.map(({ invoiceId: id, amount: creditedAmount }) => ({ id, creditedAmount })),
  )
  for (const { invoiceId, bookingId, amount: credited, endedAt, issuedOn, ...payment } of rows) {
    // Nothing that was waived had been paid.
    const amount = credited - (waived.get(invoiceId) ?? 0)
    const { takenOn = issuedOn, payments = new Map<string, number>() } = all.get(invoiceId) ?? {}
    const endedOn = localDate(Date.parse(endedAt ?? ''), timeZone)
    payments.set(payment.id, payment.paidAmount)
    all.set(invoiceId, { bookingId, amount, endedOn, takenOn: maxDate(takenOn, payment.paidOn), payments })
  }
  return all.values()
}

/**
 * Amounts, in francs by lease, that invoices had used at the end of a day and that the end of a lease gave back later. At
 * most what was left that day of the payments that still count: the rest left with a reversed payment, or paid older debts.
 */
function usedAt(db: Db, credited: readonly Credited[], day: string): Amounts {
  const used: Amounts = new Map()
  const rests = new Map<string, number>()
  for (const { bookingId, amount, takenOn, endedOn, payments } of credited) {
    if (takenOn > day || endedOn <= day) continue
    let left = amount
    for (const [paymentId, paid] of payments) {
      const rest = rests.get(paymentId) ?? leftOf(db, paymentId, paid, day)
      const taken = Math.min(left, rest)
      rests.set(paymentId, rest - taken)
      left -= taken
    }
    addTo(used, bookingId, amount - left)
  }
  return used
}

/** What was left of a payment at the end of a day. */
const leftOf = (db: Db, paymentId: string, paid: number, day: string): number =>
  takenFrom(db)
    .all({ paymentId })
    .reduce((left, { amount, takenOn }) => (takenOn <= day ? left - amount : left), paid)
