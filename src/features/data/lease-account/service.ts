import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { ReportData } from '../../../adapters/pdf/port.ts'
import type { Caller } from '../../../context.ts'
import { maxDate } from '../../../core/dates.ts'
import { CURRENCY, formatMoney } from '../../../core/money.ts'
import { METHOD_NAMES } from '../../../core/payment-methods.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { findBooking, getBooking, partyBooking } from '../../lease/leases/store.ts'
import { paymentsWithRest } from '../../money/allocations/store.ts'
import { landlordOf } from '../../papers/documents/parties.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import { maskedName } from '../../people/tenants/store.ts'
import type { AccountEntry, LeaseAccount } from './model.ts'
import { givenOf, invoicesOf, notesOf, paymentsOf, refundedFrom, takenOf } from './store.ts'
import { TEXTS } from './texts.ts'

/** The lease whose account a caller reads: landlords those within their reach, a tenant their own. @throws not_found, forbidden */
export function leaseSeen(db: Db, { orgId, scope, userId }: Caller, id: string): BookingRow {
  const own = scope.kind === 'tenant' ? undefined : getBooking(db, orgId, scope, id)
  if (own && maskedName(db, scope, own) !== undefined) throw notFound()
  const row = own ?? partyBooking(db, orgId, scope, id)
  if (!row) throw notFound()
  if (!own && row.tenantUserId !== userId) throw new AppError('forbidden')
  return row
}

/** What moves an account; above zero the tenant owes it. Amounts in francs. */
type Entry = Pick<AccountEntry, 'happenedOn' | 'kind' | 'number' | 'method' | 'reference'> & { readonly amount: number }

const dayOf = (instant: string | null): string => instant?.slice(0, 10) ?? ''

/** Everything that was asked of the tenant of a lease, taken off it, paid, given back, and carried from and to other leases. */
function entriesOf(db: Db, { orgId, id: bookingId, activatedAt }: BookingRow): Entry[] {
  const of = { orgId, bookingId }
  const entries: Entry[] = []
  const add = (entry: Entry): void => void (entry.amount !== 0 && entries.push(entry))
  for (const i of invoicesOf(db).all(of)) {
    const about = { happenedOn: i.issuedOn, number: i.number }
    add({ ...about, kind: 'INVOICE', amount: i.grossAmount })
    // Taken off before credit notes were made.
    const off = (i.status === 'CANCELLED' ? i.grossAmount : i.creditedAmount) - i.notedAmount
    add({ ...about, kind: 'CREDIT_NOTE', amount: -off })
  }
  for (const { number, issuedOn, withdrawnOn, grossAmount } of notesOf(db).all(of)) {
    add({ happenedOn: issuedOn, kind: 'CREDIT_NOTE', number, amount: -grossAmount })
    if (withdrawnOn !== null)
      add({ happenedOn: withdrawnOn, kind: 'CREDIT_NOTE_WITHDRAWN', number, amount: grossAmount })
  }
  const carry = (happenedOn: string, amount: number): void => add({ happenedOn, kind: 'CARRIED', amount })
  for (const { type, method, reference, paidOn, amount, rest, creditBookingId } of paymentsOf(db).all(of)) {
    const how = { happenedOn: paidOn, method, ...(reference === null ? {} : { reference }) }
    add({ ...how, kind: type, amount: type === 'REFUND' ? amount : -amount })
    // Credit that a renewal has now.
    if (creditBookingId !== null && creditBookingId !== bookingId)
      carry(maxDate(paidOn, dayOf(findBooking(db, orgId, creditBookingId)?.activatedAt ?? null)), rest)
  }
  for (const p of paymentsWithRest(db, orgId, bookingId))
    if (p.bookingId !== bookingId) carry(maxDate(p.paidOn, dayOf(activatedAt)), -p.unallocatedAmount)
  for (const { usedOn, amount } of givenOf(db).all(of)) carry(usedOn, amount)
  for (const { usedOn, amount } of [...takenOf(db).all(of), ...refundedFrom(db).all(of)]) carry(usedOn, -amount)
  return entries
}

type Span = { readonly from?: string | undefined; readonly to?: string | undefined }
/**
 * The account of a lease's tenant from one day to another, by default all of it until `today`: what was owed before, and line
 * by line what is. @throws validation_failed
 */
export function accountOf(db: Db, lease: BookingRow, today: string, { from, to = today }: Span): LeaseAccount {
  const entries = entriesOf(db, lease).sort((a, b) => a.happenedOn.localeCompare(b.happenedOn))
  const first = from ?? entries[0]?.happenedOn ?? lease.startDate
  if (first > to && from !== undefined) throw invalid('/to', 'Cannot be before `from`.', 'Ne peut pas précéder `from`.')
  let balanceAmount = 0
  let openingAmount = 0
  const rows: AccountEntry[] = []
  for (const { amount, ...entry } of entries) {
    if (entry.happenedOn > to) break
    balanceAmount += amount
    if (entry.happenedOn < first) openingAmount = balanceAmount
    else
      rows.push({
        ...entry,
        debitAmount: Math.max(0, amount),
        creditAmount: Math.max(0, -amount),
        balanceAmount,
      })
  }
  const sum = (of: 'debitAmount' | 'creditAmount'): number => rows.reduce((all, row) => all + row[of], 0)
  return {
    bookingId: lease.id,
    currency: CURRENCY,
    from: first,
    to,
    openingAmount,
    rows,
    debitAmount: sum('debitAmount'),
    creditAmount: sum('creditAmount'),
    balanceAmount,
  }
}

/** The account as a paper. `issuedOn`: today. @throws not_found */
export function accountPaper(
  db: Db,
  org: OrganizationRow,
  lease: BookingRow,
  account: LeaseAccount,
  { locale, issuedOn }: { readonly locale: 'fr' | 'en'; readonly issuedOn: string },
): ReportData {
  const t = TEXTS[locale]
  const { from, to, openingAmount, debitAmount, creditAmount, balanceAmount } = account
  const { landlord, agent } = landlordOf(db, org, lease.ownerUserId)
  const figure = (amount: number): string => formatMoney(amount, locale).replace(/\u00a0?FCFA\u00a0?/, '')
  const day = (date: string): string => date.split('-').reverse().join('/')
  const what = ({ kind, method }: AccountEntry): string =>
    method === undefined ? t.kinds[kind] : `${t.kinds[kind]}\n${METHOD_NAMES[locale][method]}`
  const rows = account.rows.map((row) => [
    day(row.happenedOn),
    what(row),
    row.number ?? row.reference ?? '',
    row.debitAmount === 0 ? '' : figure(row.debitAmount),
    row.creditAmount === 0 ? '' : figure(row.creditAmount),
    figure(row.balanceAmount),
  ])
  const opening = openingAmount === 0 ? [] : [[day(from), t.opening, '', '', '', figure(openingAmount)]]
  return {
    locale,
    issuedOn,
    number: `${from} – ${to}`,
    title: t.title,
    landlord: agent ?? landlord,
    period: { from, to },
    headline: {
      label: balanceAmount < 0 ? t.ahead : t.owed,
      value: formatMoney(Math.abs(balanceAmount), locale),
      notes: [lease.tenantName, lease.unitLabel, lease.propertyName],
    },
    columns: t.columns.map((label, n) => ({ label, share: SHARES[n] ?? 0, right: n > 2 })),
    groups: [{ rows: [...opening, ...rows] }],
    totals: ['', t.total, '', figure(debitAmount), figure(creditAmount), figure(balanceAmount)],
    basis: t.basis,
  }
}
const SHARES = [0.13, 0.25, 0.2, 0.14, 0.14, 0.14]
