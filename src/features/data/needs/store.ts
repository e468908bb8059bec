import { and, count, eq, gte, inArray, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { reach } from '../../../../db/matching.ts'
import { query } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { signature } from '../../../../db/schema/contracts.ts'
import { document } from '../../../../db/schema/documents.ts'
import { inspection } from '../../../../db/schema/inspections.ts'
import { outboundMessage } from '../../../../db/schema/messages.ts'
import { moneyMessage } from '../../../../db/schema/mobile-money.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { notice } from '../../../../db/schema/reminders.ts'
import { rentChange } from '../../../../db/schema/rents.ts'
import { importRun } from '../../../../db/schema/transfers.ts'
import { verificationCase } from '../../../../db/schema/verification.ts'

const sum = (of: ReturnType<typeof sql>) => sql<number>`coalesce(sum(${of}), 0)`
const oldest = (column: AnySQLiteColumn) => sql<string | null>`min(${column})`
export const declared = query('overview.declared', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(payment.createdAt), amount: sum(sql`${payment.amount}`) })
    .from(payment)
    .where(and(eq(payment.orgId, p.orgId), eq(payment.status, sql`'PENDING'`), reach(payment, p.owner))),
)
export const unmatched = query('overview.unmatched', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(moneyMessage.createdAt), amount: sum(sql`${moneyMessage.amount}`) })
    .from(moneyMessage)
    .where(
      and(
        eq(moneyMessage.orgId, p.orgId),
        eq(moneyMessage.status, sql`'UNMATCHED'`),
        sql`(${p.owner} in ('', +${moneyMessage.recordedBy}, '@' || ${moneyMessage.recordedBy}))`,
      ),
    ),
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
        reach(booking, p.owner),
      ),
    ),
)
export const unsigned = query('overview.unsigned', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(booking.submittedAt) })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.status, sql`'PENDING'`),
        reach(booking, p.owner),
        sql`not exists (select 1 from ${signature} where ${signature.orgId} = ${booking.orgId} and ${signature.bookingId} = ${booking.id} and +${signature.party} = 'LANDLORD' and +${signature.status} = 'VALID')`,
      ),
    ),
)
const renewal = sql`(select 1 from ${booking} as next where next.org_id = ${booking.orgId} and next.unit_id = ${booking.unitId} and +next.renews_booking_id = ${booking.id} and next.status in ('DRAFT','PENDING','ACTIVE'))`
const only = sql<string | null>`min(${booking.id})`
/** Leases about to end, or just ended, whose inspection nobody has begun; `from` and `to`: days. */
export const inspectionsDue = query('overview.inspectionsDue', ['orgId', 'owner', 'from', 'to'], (db, p) =>
  db
    .select({ n: count(), firstOn: oldest(booking.endDate), bookingId: only })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        gte(booking.endDate, p.from),
        lte(booking.endDate, p.to),
        sql`(+${booking.status} = 'TERMINATED' or (+${booking.status} = 'ACTIVE' and ${booking.autoRenew} = 0))`,
        reach(booking, p.owner),
        sql`not exists ${renewal}`,
        sql`not exists (select 1 from ${inspection} where ${inspection.orgId} = ${booking.orgId} and ${inspection.bookingId} = ${booking.id} and ${inspection.kind} = 'EXIT')`,
      ),
    ),
)
export const inspectionsOut = query('overview.inspectionsOut', ['orgId', 'owner'], (db, p) =>
  db
    .select({
      n: count(),
      oldestAt: oldest(inspection.proposedAt),
      bookingId: sql<string | null>`min(${inspection.bookingId})`,
    })
    .from(inspection)
    .where(and(eq(inspection.orgId, p.orgId), eq(inspection.status, sql`'PROPOSED'`), reach(inspection, p.owner))),
)
/** Changes of the rent that wait for a tenant's signature. */
export const ridersOut = query('overview.ridersOut', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(rentChange.createdAt), bookingId: only })
    .from(rentChange)
    .crossJoin(booking)
    .where(
      and(
        eq(rentChange.orgId, p.orgId),
        eq(rentChange.status, sql`'PROPOSED'`),
        eq(booking.orgId, rentChange.orgId),
        eq(booking.id, rentChange.bookingId),
        sql`+${booking.status} = 'ACTIVE'`,
        reach(booking, p.owner),
      ),
    ),
)
/** Running leases under notice; the first day on which one is left. */
export const noticed = query('overview.noticed', ['orgId', 'owner'], (db, p) =>
  db
    .select({
      n: count(),
      firstOn: sql<string | null>`min(json_extract(${booking.notice}, '$.leaveOn'))`,
      bookingId: only,
    })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        // Written as in the partial index.
        sql`${booking.notice} is not null`,
        sql`+${booking.status} = 'ACTIVE'`,
        reach(booking, p.owner),
      ),
    ),
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
        sql`+${booking.status} = 'ACTIVE' and ${booking.autoRenew} = 0 and ${booking.notice} is null`,
        reach(booking, p.owner),
        sql`not exists ${renewal}`,
      ),
    ),
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
    ),
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
        reach(document, p.owner),
      ),
    ),
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
        reach(booking, p.owner),
      ),
    ),
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
    ),
)
