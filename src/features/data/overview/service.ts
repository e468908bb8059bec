import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { Caller } from '../../../context.ts'
import { addDays, daysBetween } from '../../../core/dates.ts'
import { leastIdAt } from '../../../core/id.ts'
import { CURRENCY } from '../../../core/money.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import { repairsWaiting } from '../../lease/repairs/store.ts'
import { coveredUntil } from '../../money/invoices/rules.ts'
import { landlordOf } from '../../papers/parties/service.ts'
import { whereToPay } from '../../people/organizations/service.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { monthOf } from '../figures/rules.ts'
import type { Need, Overview } from './model.ts'
import {
  ENDING_DAYS,
  firstLeases,
  IMPORT_MS,
  MOST_LATE,
  monthsUntil,
  type NeedKind,
  UNDELIVERED_DAYS,
} from './rules.ts'
import {
  billed,
  checking,
  declared,
  ending,
  failedPapers,
  importsDone,
  invoicesOf,
  lastNotice,
  lateFirst,
  lateOf,
  overdue,
  ownLeases,
  requested,
  toReview,
  undelivered,
  unitCounts,
  unmatched,
  unsigned,
} from './store.ts'

/** Whose overview, on which day (in the organization's zone), at which instant. */
type Asked = { readonly org: OrganizationRow; readonly caller: Caller; readonly today: string; readonly nowMs: number }

/** How many late invoices are read to find the first late leases: these may be behind by 20 each. */
const LATE_READ = 400
const DAY_MS = 86_400_000

async function needsOf(db: Db, { org, caller, today, nowMs }: Asked, owner: string, rest: Rest): Promise<Need[]> {
  const of = { orgId: org.id, owner }
  const self = { orgId: org.id, userId: caller.userId }
  const isAdmin = caller.roles.includes('ADMIN')
  type Found = { n: number; oldestAt?: string | null; firstOn?: string | null; amount?: number } | undefined
  const questions: readonly (readonly [NeedKind, () => Found])[] = [
    ['PAYMENT_DECLARED', () => declared(db).get(of)],
    ['MESSAGE_UNMATCHED', () => unmatched(db).get(of)],
    ['BOOKING_REQUESTED', () => requested(db).get(of)],
    ['REPAIR_REQUESTED', () => repairsWaiting(db).get({ ...of, today })],
    ['LEASE_TO_SIGN', () => unsigned(db).get(of)],
    ['LEASE_ENDING', () => ending(db).get({ ...of, from: today, to: addDays(today, ENDING_DAYS) })],
    ['VERIFICATION_TO_REVIEW', () => (isAdmin ? toReview(db).get(self) : undefined)],
    ['PAPER_FAILED', () => failedPapers(db).get(of)],
    ['MESSAGE_UNDELIVERED', () => undelivered(db).get({ ...of, after: leastIdAt(nowMs - UNDELIVERED_DAYS * DAY_MS) })],
    ['IMPORT_DONE', () => importsDone(db).get({ ...self, since: new Date(nowMs - IMPORT_MS).toISOString() })],
    ['SETUP', () => (isAdmin ? { n: org.name === null ? 1 : 0, oldestAt: org.createdAt } : undefined)],
  ]
  const found: [NeedKind, Found][] = []
  for (const [kind, ask] of questions) {
    found.push([kind, ask()])
    await rest()
  }
  return found.flatMap(([kind, row]) =>
    row === undefined || row.n === 0
      ? []
      : [
          {
            kind,
            count: row.n,
            ...(row.oldestAt ? { oldestAt: row.oldestAt } : {}),
            ...(row.firstOn ? { firstOn: row.firstOn } : {}),
            ...(row.amount === undefined ? {} : { amount: row.amount }),
          },
        ],
  )
}

function lateLeases(db: Db, { org, today }: Asked, owner: string): Overview['late'] {
  const orgId = org.id
  const rows = lateFirst(db, { orgId, owner, today, limit: LATE_READ })
  return firstLeases(rows, MOST_LATE).flatMap((bookingId) => {
    const lease = findBooking(db, orgId, bookingId)
    const invoices = lateOf(db)
      .all({ orgId, bookingId, today })
      .sort((a, b) => (a.dueDate < b.dueDate ? -1 : 1))
    const [oldest] = invoices
    if (!lease || !oldest) return []
    const phone = findTenant(db, orgId, lease.tenantId)?.phoneNumber
    const notice = lastNotice(db).get({ orgId, bookingId })
    return [
      {
        bookingId,
        invoiceId: oldest.id,
        tenantName: lease.tenantName,
        ...(phone ? { tenantPhoneNumber: phone } : {}),
        propertyName: lease.propertyName,
        unitLabel: lease.unitLabel,
        invoices: invoices.length,
        balanceAmount: invoices.reduce((total, { balanceAmount }) => total + balanceAmount, 0),
        oldestDueDate: oldest.dueDate,
        daysLate: daysBetween(oldest.dueDate, today),
        ...(notice ? { lastNoticeAt: notice.createdAt } : {}),
      },
    ]
  })
}

const NOTHING = { invoicedAmount: 0, collectedAmount: 0, paidCount: 0, openCount: 0 }

/**
 * What a landlord sees first; amounts in francs, `month` as YYYY-MM. Others have their turn between its statements, as each
 * may read all of a month.
 */
export async function landlordOverview(db: Db, asked: Asked, month: string, rest: Rest): Promise<Overview> {
  const { org, caller, today } = asked
  const orgId = org.id
  const owner = caller.scope.kind === 'all' ? '' : caller.scope.userId
  const all: (typeof NOTHING & { month: string })[] = []
  for (const one of monthsUntil(month)) {
    all.push({ month: one, ...(billed(db).get({ orgId, owner, ...monthOf(`${one}-01`) }) ?? NOTHING) })
    await rest()
  }
  const late = overdue(db).get({ orgId, owner, today }) ?? { overdueAmount: 0, overdueCount: 0 }
  await rest()
  const units = unitCounts(db).get({ orgId, owner }) ?? { total: 0, vacant: 0 }
  const needs = await needsOf(db, asked, owner, rest)
  const { invoicedAmount, collectedAmount, paidCount, openCount } = all.at(-1) ?? NOTHING
  return {
    today,
    month,
    currency: CURRENCY,
    invoicedAmount,
    collectedAmount,
    balanceAmount: invoicedAmount - collectedAmount,
    paidCount,
    openCount,
    ...late,
    units,
    needs,
    late: lateLeases(db, asked, owner),
    months: all.map((one) => ({
      month: one.month,
      invoicedAmount: one.invoicedAmount,
      collectedAmount: one.collectedAmount,
    })),
  }
}

const PAID_SHOWN = 12
const by =
  <T>(key: (row: T) => string) =>
  (a: T, b: T): number =>
    key(a) < key(b) ? -1 : 1

/** What a tenant sees first: what they owe of all their leases, and to whom it goes; amounts in francs, invoices and payments as rows. */
export function tenantOverview(db: Db, { org, caller, today }: Asked) {
  const self = { orgId: org.id, userId: caller.userId }
  const invoices = invoicesOf(db)
    .all(self)
    .sort(by((i) => i.periodStart))
  const open = invoices.filter(({ status }) => status === 'ISSUED' || status === 'OVERDUE').sort(by((i) => i.dueDate))
  const waiting = checking(db).all(self)
  const leases = ownLeases(db).all(self)
  const running = leases.filter(({ status }) => status === 'ACTIVE')
  const covered = running.map(({ id }) => coveredUntil(invoices.filter(({ bookingId }) => bookingId === id)))
  const earliest = covered.includes(undefined) ? undefined : covered.toSorted()[0]
  const lease = running[0] ?? leases[0]
  const parties = lease && landlordOf(db, org, lease.ownerUserId)
  const phone = parties?.agent?.phoneNumber ?? parties?.landlord.phoneNumber
  return {
    today,
    owedAmount: open.reduce((total, { grossAmount, amountPaid }) => total + grossAmount - amountPaid, 0),
    checkingAmount: waiting.reduce((total, { amount }) => total + amount, 0),
    ...(earliest === undefined ? {} : { coveredUntil: earliest }),
    open,
    paid: invoices
      .filter(({ status }) => status === 'PAID')
      .reverse()
      .slice(0, PAID_SHOWN),
    checking: waiting,
    payTo: whereToPay(db, org, { ...caller, scope: { ...caller.scope, kind: 'tenant' } }).payTo,
    ...(parties
      ? { landlord: { name: (parties.agent ?? parties.landlord).name, ...(phone ? { phoneNumber: phone } : {}) } }
      : {}),
  }
}
