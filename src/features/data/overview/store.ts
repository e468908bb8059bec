import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  type Placeholder,
  sql,
} from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { query, readingAll } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { signature } from '../../../../db/schema/contracts.ts'
import { document } from '../../../../db/schema/documents.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { outboundMessage } from '../../../../db/schema/messages.ts'
import { moneyMessage } from '../../../../db/schema/mobile-money.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { property, unit } from '../../../../db/schema/properties.ts'
import { notice } from '../../../../db/schema/reminders.ts'
import { importRun } from '../../../../db/schema/transfers.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { verificationCase } from '../../../../db/schema/verification.ts'

/** `owner`: the rows of this user alone; all rows of the organization if it is ''. */
const reach = (column: AnySQLiteColumn, owner: Placeholder) => sql`(${owner} = '' or +${column} = ${owner})`
const sum = (of: ReturnType<typeof sql>) => sql<number>`coalesce(sum(${of}), 0)`
const balance = sql`${invoice.grossAmount} - ${invoice.amountPaid}`
/** Written as in the partial indexes, so that SQLite uses them. */
const open = sql`${invoice.status} in ('ISSUED','OVERDUE')`

/** The owner asked about, else every owner of the organization; either has invoices of this organization alone. */
const owners = (orgId: Placeholder, owner: Placeholder) =>
  sql`${invoice.ownerUserId} in (select ${appUser.id} from ${appUser} where ${appUser.orgId} = ${orgId} and ${appUser.id} = ${owner} union select ${property.ownerUserId} from ${property} where ${property.orgId} = ${orgId} and ${owner} = '')`
/** Invoices that are not cancelled with a period begun from `from` to `to`, as the collection report counts them. */
export const billed = query('overview.billed', ['orgId', 'owner', 'from', 'to'], (db, p) =>
  db
    .select({
      invoicedAmount: sum(sql`${invoice.grossAmount} - ${invoice.creditedAmount}`),
      collectedAmount: sum(sql`${invoice.amountPaid} - ${invoice.creditedAmount}`),
      paidCount: sum(
        sql`${invoice.amountPaid} >= ${invoice.grossAmount} and ${invoice.creditedAmount} < ${invoice.grossAmount}`,
      ),
      openCount: sum(sql`${invoice.amountPaid} < ${invoice.grossAmount}`),
    })
    .from(invoice)
    .where(
      and(
        owners(p.orgId, p.owner),
        sql`${invoice.periodStart} between ${p.from} and ${p.to} and ${invoice.status} <> 'CANCELLED'`,
      ),
    )
    .prepare(),
)

/** What is owed past its due date, as the arrears report counts it. */
export const overdue = query('overview.overdue', ['orgId', 'owner', 'today'], (db, p) =>
  db
    .select({ overdueAmount: sum(balance), overdueCount: count() })
    .from(invoice)
    .where(and(eq(invoice.orgId, p.orgId), lt(invoice.dueDate, p.today), open, reach(invoice.ownerUserId, p.owner)))
    .prepare(),
)
/** The leases of the invoices that are late longest. */
export const lateFirst = readingAll(
  'overview.lateFirst',
  ['orgId', 'owner', 'today', 'limit'],
  { bookingId: invoice.bookingId },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .where(and(eq(invoice.orgId, p.orgId), lt(invoice.dueDate, p.today), open, reach(invoice.ownerUserId, p.owner)))
      .orderBy(asc(invoice.dueDate))
      .limit(p.limit),
)
/** The late invoices of a lease. */
export const lateOf = query('overview.lateOf', ['orgId', 'bookingId', 'today'], (db, p) =>
  db
    .select({ id: invoice.id, dueDate: invoice.dueDate, balanceAmount: sql<number>`${balance}` })
    .from(invoice)
    .where(
      and(eq(sql`+${invoice.orgId}`, p.orgId), eq(invoice.bookingId, p.bookingId), open, lt(invoice.dueDate, p.today)),
    )
    .prepare(),
)
export const lastNotice = query('overview.lastNotice', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ createdAt: notice.createdAt })
    .from(notice)
    .where(and(eq(notice.orgId, p.orgId), eq(notice.bookingId, p.bookingId), isNull(notice.withheld)))
    .orderBy(desc(notice.id))
    .limit(1)
    .prepare(),
)

/** Units in use, of properties in use. */
export const unitCounts = query('overview.units', ['orgId', 'owner'], (db, p) =>
  db
    .select({ total: count(), vacant: sum(sql`${unit.status} = 'AVAILABLE'`) })
    .from(property)
    // A cross join fixes the order in which SQLite reads the tables.
    .crossJoin(unit)
    .where(
      and(
        eq(property.orgId, p.orgId),
        sql`+${property.status} <> 'ARCHIVED'`,
        reach(property.ownerUserId, p.owner),
        eq(unit.orgId, property.orgId),
        eq(unit.propertyId, property.id),
        sql`${unit.status} <> 'ARCHIVED'`,
      ),
    )
    .prepare(),
)

const oldest = (column: AnySQLiteColumn) => sql<string | null>`min(${column})`
export const declared = query('overview.declared', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(payment.createdAt), amount: sum(sql`${payment.amount}`) })
    .from(payment)
    .where(and(eq(payment.orgId, p.orgId), eq(payment.status, sql`'PENDING'`), reach(payment.ownerUserId, p.owner)))
    .prepare(),
)
export const unmatched = query('overview.unmatched', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(moneyMessage.createdAt), amount: sum(sql`${moneyMessage.amount}`) })
    .from(moneyMessage)
    .where(
      and(
        eq(moneyMessage.orgId, p.orgId),
        eq(moneyMessage.status, sql`'UNMATCHED'`),
        reach(moneyMessage.recordedBy, p.owner),
      ),
    )
    .prepare(),
)
export const requested = query('overview.requested', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(booking.createdAt) })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.status, sql`'DRAFT'`),
        isNotNull(booking.requestedBy),
        reach(booking.ownerUserId, p.owner),
      ),
    )
    .prepare(),
)
export const unsigned = query('overview.unsigned', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(booking.submittedAt) })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.status, sql`'PENDING'`),
        reach(booking.ownerUserId, p.owner),
        sql`not exists (select 1 from ${signature} where ${signature.orgId} = ${booking.orgId} and ${signature.bookingId} = ${booking.id} and +${signature.party} = 'LANDLORD' and +${signature.status} = 'VALID')`,
      ),
    )
    .prepare(),
)
/** Leases that end by themselves soon and that nobody has drawn up anew. */
export const ending = query('overview.ending', ['orgId', 'owner', 'from', 'to'], (db, p) =>
  db
    .select({ n: count(), firstOn: oldest(booking.endDate) })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        gte(booking.endDate, p.from),
        lte(booking.endDate, p.to),
        sql`+${booking.status} = 'ACTIVE' and ${booking.autoRenew} = 0`,
        reach(booking.ownerUserId, p.owner),
        sql`not exists (select 1 from ${booking} as next where next.org_id = ${booking.orgId} and next.unit_id = ${booking.unitId} and +next.renews_booking_id = ${booking.id} and next.status in ('DRAFT','PENDING','ACTIVE'))`,
      ),
    )
    .prepare(),
)
/** Cases that this reviewer may take or has taken. */
export const toReview = query('overview.toReview', ['orgId', 'userId'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(verificationCase.submittedAt) })
    .from(verificationCase)
    .where(
      and(
        eq(verificationCase.orgId, p.orgId),
        inArray(verificationCase.status, ['SUBMITTED', 'UNDER_REVIEW']),
        sql`(+${verificationCase.status} = 'SUBMITTED' or ${verificationCase.assignedTo} = ${p.userId})`,
        ne(sql`+${verificationCase.subjectUserId}`, p.userId),
        ne(verificationCase.createdBy, p.userId),
      ),
    )
    .prepare(),
)
export const failedPapers = query('overview.failedPapers', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(document.createdAt) })
    .from(document)
    .where(
      and(
        eq(document.orgId, p.orgId),
        eq(document.status, sql`'FAILED'`),
        isNull(document.voidedAt),
        reach(document.ownerUserId, p.owner),
      ),
    )
    .prepare(),
)
/** Notices that arrived neither by WhatsApp nor by the SMS sent in its place; `after`: an id. */
export const undelivered = query('overview.undelivered', ['orgId', 'owner', 'after'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(notice.createdAt) })
    .from(outboundMessage)
    .crossJoin(notice)
    .crossJoin(booking)
    .where(
      and(
        eq(outboundMessage.orgId, p.orgId),
        // Written as in the partial index.
        sql`${outboundMessage.status} in ('FAILED','EXPIRED')`,
        sql`${outboundMessage.id} > ${p.after}`,
        sql`not exists (select 1 from ${outboundMessage} as sms where sms.instead_of = ${outboundMessage.id})`,
        eq(notice.orgId, outboundMessage.orgId),
        eq(notice.id, sql`coalesce(${outboundMessage.insteadOf}, ${outboundMessage.id})`),
        eq(booking.orgId, notice.orgId),
        eq(booking.id, notice.bookingId),
        reach(booking.ownerUserId, p.owner),
      ),
    )
    .prepare(),
)
export const importsDone = query('overview.importsDone', ['orgId', 'userId', 'since'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(importRun.finishedAt) })
    .from(importRun)
    .where(
      and(
        eq(importRun.orgId, p.orgId),
        eq(importRun.createdBy, p.userId),
        gte(importRun.finishedAt, p.since),
        sql`${importRun.dryRun} = 0`,
      ),
    )
    .prepare(),
)

/** The invoices of a tenant, the newest first. */
export const invoicesOf = query('overview.invoicesOf', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(invoice)
    .where(
      and(
        eq(sql`+${invoice.orgId}`, p.orgId),
        eq(invoice.tenantUserId, p.userId),
        ne(sql`+${invoice.status}`, sql`'CANCELLED'`),
      ),
    )
    .prepare(),
)
export const checking = query('overview.checking', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(payment)
    .where(
      and(eq(payment.orgId, p.orgId), eq(payment.tenantUserId, p.userId), eq(sql`+${payment.status}`, sql`'PENDING'`)),
    )
    .orderBy(asc(payment.id))
    .prepare(),
)
export const ownLeases = query('overview.leasesOf', ['orgId', 'userId'], (db, p) =>
  db
    .select({
      id: booking.id,
      ownerUserId: booking.ownerUserId,
      propertyId: booking.propertyId,
      status: booking.status,
    })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.tenantUserId, p.userId),
        inArray(sql`+${booking.status}`, ['PENDING', 'ACTIVE', 'TERMINATED']),
      ),
    )
    .orderBy(desc(booking.id))
    .prepare(),
)
