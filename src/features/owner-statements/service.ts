import type { Db } from '../../../db/open.ts'
import type { StatementRow } from '../reports/model.ts'
import { openInvoices } from '../reports/store.ts'
import { billedByLease, depositsByLease, leaseNames, moneyOf } from './store.ts'

/** `A2` comes before `A10`. */
const { compare } = new Intl.Collator('fr', { numeric: true })
const EMPTY = {
  netAmount: 0,
  tvaAmount: 0,
  grossAmount: 0,
  creditedAmount: 0,
  receivedAmount: 0,
  withheldAmount: 0,
  refundedAmount: 0,
  balanceAmount: 0,
  depositReceivedAmount: 0,
  depositDeductedAmount: 0,
  depositReturnedAmount: 0,
  depositHeldAmount: 0,
  ownerAmount: 0,
}

/** What each lease of a property was billed and brought in from `from` to `to`, by unit; leases without any figure are left out. */
export function statementOf(
  db: Db,
  { orgId, from, to }: { readonly orgId: string; readonly from: string; readonly to: string },
  { id: propertyId, name }: { readonly id: string; readonly name: string },
): StatementRow[] {
  const range = { orgId, propertyId, from, to }
  const rows = new Map<string, StatementRow>()
  const names = new Map(leaseNames(db, { orgId, propertyId }).map((l) => [l.id, l]))
  const of = (bookingId: string): StatementRow => {
    let row = rows.get(bookingId)
    if (!row) {
      const { unitLabel = '', tenantName = '' } = names.get(bookingId) ?? {}
      row = { propertyId, propertyName: name, bookingId, unitLabel, tenantName, ...EMPTY }
      rows.set(bookingId, row)
    }
    return row
  }
  for (const billed of billedByLease(db).all(range)) Object.assign(of(billed.bookingId), billed)
  for (const { bookingId, type, method, amount } of moneyOf(db, range)) {
    const row = of(bookingId)
    if (type === 'REFUND') row.refundedAmount += amount
    else if (method === 'WITHHOLDING') row.withheldAmount += amount
    else row.receivedAmount += amount
  }
  for (const i of openInvoices(db, { orgId, propertyId, from: '0001-01-01', before: '9999-12-31' }))
    if (i.periodStart <= to) of(i.bookingId).balanceAmount += i.grossAmount - i.amountPaid
  for (const deposits of depositsByLease(db).all(range)) {
    const { bookingId, ...amounts } = deposits
    if (Object.values(amounts).some((amount) => amount !== 0)) Object.assign(of(bookingId), amounts)
  }
  for (const row of rows.values()) row.ownerAmount = row.receivedAmount - row.refundedAmount + row.depositDeductedAmount
  return [...rows.values()].sort((a, b) => compare(a.unitLabel, b.unitLabel) || (a.bookingId < b.bookingId ? -1 : 1))
}
