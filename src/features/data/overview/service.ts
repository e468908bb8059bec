import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import { addDays, daysBetween } from '../../../core/dates.ts'
import { CURRENCY } from '../../../core/money.ts'
import { reachOf } from '../../../core/scope.ts'
import { findBooking } from '../../lease/leases/store.ts'
import { claimOf } from '../../money/deposits/service.ts'
import { coveredUntil } from '../../money/invoices/rules.ts'
import { messagesWaiting } from '../../news/reminders/outbox.ts'
import { landlordOf } from '../../papers/documents/parties.ts'
import { whereToPay } from '../../people/organizations/service.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { billedOf } from '../reports/figures.ts'
import { monthOf } from '../reports/rules.ts'
import type { Overview } from './model.ts'
import { needsOf, type Viewpoint } from './needs.ts'
import { firstLeases, MOST_LATE, monthsUntil } from './rules.ts'
import {
  billed,
  billedBefore,
  invoicesOf,
  lastMessage,
  lateFirst,
  lateFirstIn,
  lateOf,
  overdue,
  overdueIn,
  ownLeases,
  undecided,
  unitCounts,
} from './store.ts'

/** How many late invoices are read to find the first late leases: these may be behind by 20 each. */
const LATE_READ = 400

const by =
  <T>(key: (row: T) => string) =>
  (a: T, b: T): number =>
    key(a) < key(b) ? -1 : 1

type Late = { readonly overdueAmount: number; readonly overdueCount: number }
type LateRow = { readonly bookingId: string; readonly dueDate: string }
/** The late amounts, and the invoices late for longest; for a limited manager read property by property. */
async function lateness(
  db: Db,
  { org, caller, today }: Viewpoint,
  owner: string,
  rest: Rest,
): Promise<{ readonly sums: Late; readonly rows: readonly LateRow[] }> {
  const orgId = org.id
  const sums = { overdueAmount: 0, overdueCount: 0 }
  if (caller.scope.kind !== 'limited') {
    const rows = lateFirst(db, { orgId, owner, today, limit: LATE_READ })
    await rest()
    return { sums: overdue(db).get({ orgId, owner, today }) ?? sums, rows }
  }
  let rows: LateRow[] = []
  for (const propertyId of caller.scope.properties ?? []) {
    const of = overdueIn(db).get({ propertyId, today }) ?? sums
    sums.overdueAmount += of.overdueAmount
    sums.overdueCount += of.overdueCount
    await rest()
    rows = [...rows, ...lateFirstIn(db, { propertyId, today, limit: LATE_READ })]
      .sort(by((row) => row.dueDate))
      .slice(0, LATE_READ)
    await rest()
  }
  return { sums, rows }
}

function lateLeases(db: Db, { org, today }: Viewpoint, rows: readonly LateRow[]): Overview['late'] {
  const orgId = org.id
  return firstLeases(rows, MOST_LATE).flatMap((bookingId) => {
    const lease = findBooking(db, orgId, bookingId)
    const invoices = lateOf(db)
      .all({ orgId, bookingId, today })
      .sort((a, b) => (a.dueDate < b.dueDate ? -1 : 1))
    const [oldest] = invoices
    if (!lease || !oldest) return []
    const phone = findTenant(db, orgId, lease.tenantId)?.phoneNumber
    const last = lastMessage(db).get({ orgId, bookingId })
    const { askedAmount, depositAmount } = claimOf(db, { orgId, bookingId }, invoices)
    return [
      {
        bookingId,
        invoiceId: oldest.id,
        tenantName: lease.tenantName,
        ...(phone ? { tenantPhoneNumber: phone } : {}),
        propertyName: lease.propertyName,
        unitLabel: lease.unitLabel,
        invoices: invoices.length,
        balanceAmount: askedAmount + depositAmount,
        depositAmount,
        askedAmount,
        oldestDueDate: oldest.dueDate,
        daysLate: daysBetween(oldest.dueDate, today),
        ...(last ? { lastMessageAt: last.createdAt } : {}),
      },
    ]
  })
}

const NOTHING = { invoicedAmount: 0, paidAmount: 0, paidCount: 0, openCount: 0 }
/** The amounts billed and paid of each month until `month`; for a limited manager read property by property. */
async function monthly(db: Db, { org, caller }: Viewpoint, owner: string, month: string, rest: Rest) {
  const orgId = org.id
  const all = monthsUntil(month).map((one) => ({ ...NOTHING, month: one }))
  if (caller.scope.kind !== 'limited') {
    for (const sums of all) {
      const range = { orgId, owner, ...monthOf(`${sums.month}-01`) }
      Object.assign(sums, (sums.month === month ? billed(db) : billedBefore(db)).get(range))
      await rest()
    }
    return all
  }
  const range = { orgId, from: `${all[0]?.month}-01`, to: monthOf(`${month}-01`).to }
  for (const propertyId of caller.scope.properties ?? []) {
    for (const day of await billedOf(db, range, propertyId, rest)) {
      const sums = all.find((one) => day.periodStart.startsWith(one.month)) ?? { ...NOTHING }
      sums.invoicedAmount += day.gross - day.credited
      sums.paidAmount += day.paid - day.credited
      sums.paidCount += day.paidCount
      sums.openCount += day.openCount
    }
    await rest()
  }
  return all
}

/**
 * What a landlord sees first; amounts in francs, `month` as YYYY-MM. Other requests run between its statements, because
 * each may read a whole month.
 */
export async function landlordOverview(
  db: Db,
  viewpoint: Viewpoint,
  month: string,
  rest: Rest,
): Promise<Omit<Overview, 'messaging'> & { readonly waiting: number }> {
  const { org, caller, today } = viewpoint
  const orgId = org.id
  const owner = reachOf(caller.scope)
  const all = await monthly(db, viewpoint, owner, month, rest)
  const late = await lateness(db, viewpoint, owner, rest)
  await rest()
  const units = unitCounts(db).get({ orgId, owner }) ?? { total: 0, vacant: 0 }
  const needs = await needsOf(db, viewpoint, owner, rest)
  const { invoicedAmount, paidAmount, paidCount, openCount } = all.at(-1) ?? NOTHING
  return {
    today,
    month,
    currency: CURRENCY,
    invoicedAmount,
    paidAmount,
    balanceAmount: invoicedAmount - paidAmount,
    paidCount,
    openCount,
    ...late.sums,
    units,
    needs,
    waiting: messagesWaiting(db, viewpoint),
    late: lateLeases(db, viewpoint, late.rows),
    months: all.map((one) => ({
      month: one.month,
      invoicedAmount: one.invoicedAmount,
      paidAmount: one.paidAmount,
    })),
  }
}

const PAID_SHOWN = 12
/** A refusal is shown for this many days, unless the invoice is paid or the payment declared again before. */
const REFUSED_SHOWN_DAYS = 30
/** Invoices of a tenant that are read at a time. */
const READ_AT_ONCE = 200
/** The invoices of a tenant, by their periods. */
async function tenantInvoices(db: Db, self: { orgId: string; userId: string }, rest: Rest) {
  const all: ReturnType<ReturnType<typeof invoicesOf>['all']> = []
  for (let more = true; more; await rest()) {
    const slice = invoicesOf(db).all({ ...self, after: all.at(-1)?.place ?? 0, limit: READ_AT_ONCE })
    all.push(...slice)
    more = slice.length === READ_AT_ONCE
  }
  return all.map(({ place: _place, ...invoice }) => invoice).sort(by((i) => i.periodStart))
}

/** What a tenant sees first: what they owe of all their leases, and to whom it goes; amounts in francs, invoices and payments as rows. */
export async function tenantOverview(db: Db, { org, caller, today }: Viewpoint, rest: Rest) {
  const self = { orgId: org.id, userId: caller.userId }
  const invoices = await tenantInvoices(db, self, rest)
  const open = invoices.filter(({ status }) => status === 'ISSUED' || status === 'OVERDUE').sort(by((i) => i.dueDate))
  const declared = undecided(db).all({ ...self, since: addDays(today, -REFUSED_SHOWN_DAYS) })
  const waiting = declared.filter(({ status }) => status === 'PENDING')
  const lastOf = new Map(declared.flatMap((one) => one.invoiceIds.map((id) => [id, one] as const)))
  const last = new Set(open.flatMap(({ id }) => lastOf.get(id) ?? []))
  const leases = ownLeases(db).all(self)
  const running = leases.filter(({ status }) => status === 'ACTIVE')
  const claims = [...Map.groupBy(open, ({ bookingId }) => bookingId)].map(([bookingId, debts]) =>
    claimOf(db, { orgId: org.id, bookingId }, debts),
  )
  const byLease = Map.groupBy(invoices, ({ bookingId }) => bookingId)
  const covered = running.map(({ id }) => coveredUntil(byLease.get(id) ?? []))
  const earliest = covered.includes(undefined) ? undefined : covered.toSorted()[0]
  const lease = running[0] ?? leases[0]
  const parties = lease && landlordOf(db, org, lease.ownerUserId)
  const phone = parties?.agent?.phoneNumber ?? parties?.landlord.phoneNumber
  const { where } = whereToPay(db, org, { ...caller, scope: { ...caller.scope, kind: 'tenant' } }, today)
  return {
    today,
    owedAmount: claims.reduce((total, { askedAmount }) => total + askedAmount, 0),
    depositAmount: claims.reduce((total, { depositAmount }) => total + depositAmount, 0),
    checkingAmount: waiting.reduce((total, { amount }) => total + amount, 0),
    ...(earliest === undefined ? {} : { coveredUntil: earliest }),
    open,
    paid: invoices
      .filter(({ status }) => status === 'PAID')
      .reverse()
      .slice(0, PAID_SHOWN),
    checking: waiting,
    refused: [...last].filter(({ status }) => status === 'REJECTED'),
    ...where,
    ...(parties
      ? { landlord: { name: (parties.agent ?? parties.landlord).name, ...(phone ? { phoneNumber: phone } : {}) } }
      : {}),
  }
}
