import { and, count, desc, eq, inArray, isNotNull, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { fullName, reach } from '../../../../db/list/filters.ts'
import { query } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { auditEntry } from '../../../../db/schema/operations.ts'
import { property } from '../../../../db/schema/properties.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { ACTION_OF, type Adjustment } from '../../../core/adjustments.ts'

const details = auditEntry.details
const kind = sql<Adjustment>`json_extract(${details}, '$.adjustment')`
const propertyId = sql`json_extract(${details}, '$.propertyId')`
const bookingId = sql`json_extract(${details}, '$.bookingId')`
/** Adjustments among the entries that `selection` selects, of the properties within reach of `owner`. */
const adjusted = (orgId: Placeholder, owner: Placeholder, ...selection: SQL[]) =>
  and(
    eq(auditEntry.orgId, orgId),
    ...selection,
    sql`${kind} is not null`,
    // What the service does by itself, such as ending a lease on the day of a notice, is nobody's act.
    isNotNull(auditEntry.actorUserId),
    eq(property.orgId, auditEntry.orgId),
    eq(property.id, propertyId),
    reach({ ownerUserId: property.ownerUserId, propertyId: property.id }, owner),
  )
/** The actions stand in the statement itself, so that SQLite reads the few entries of each. */
const since = (after: Placeholder): SQL =>
  sql`${inArray(auditEntry.action, Object.values(ACTION_OF)).inlineParams()} and ${auditEntry.id} > ${after}`

const columns = {
  id: auditEntry.id,
  createdAt: auditEntry.createdAt,
  kind,
  subjectId: auditEntry.subjectId,
  actorUserId: auditEntry.actorUserId,
  actorName: fullName(appUser),
  reason: sql<string | null>`json_extract(${details}, '$.reason')`,
  amount: sql<number | null>`json_extract(${details}, '$.amount')`,
  propertyId: property.id,
  propertyName: property.name,
  bookingId: booking.id,
  unitLabel: booking.unitLabel,
}
const listed = (name: string, selection: (of: Placeholder) => SQL) =>
  query(name, ['orgId', 'owner', 'of', 'limit'], (db, p) =>
    db
      .select(columns)
      .from(auditEntry)
      .crossJoin(property)
      .leftJoin(booking, and(eq(booking.orgId, auditEntry.orgId), eq(booking.id, bookingId)))
      .leftJoin(appUser, and(eq(appUser.orgId, auditEntry.orgId), eq(appUser.id, auditEntry.actorUserId)))
      .where(adjusted(p.orgId, p.owner, selection(p.of)))
      .orderBy(desc(auditEntry.id))
      .limit(p.limit),
  )
/** The adjustments after the id `of`, newest first. */
export const recent = listed('adjustment.recent', since)
/** Those of the object `of`, such as an invoice. */
export const ofSubject = listed('adjustment.ofSubject', (of) => sql`${auditEntry.subjectId} = ${of}`)
/** The one with the id `of`. */
export const ofId = listed('adjustment.ofId', (of) => sql`${auditEntry.id} = ${of}`)
export type AdjustmentRow = ReturnType<ReturnType<typeof recent>['all']>[number]

/** Adjustments by somebody else than this user and than the owner of the property. */
export const adjustedByOthers = query('overview.adjusted', ['orgId', 'owner', 'userId', 'after'], (db, p) =>
  db
    .select({ n: count(), oldestAt: sql<string | null>`min(${auditEntry.createdAt})` })
    .from(auditEntry)
    .crossJoin(property)
    .where(
      adjusted(
        p.orgId,
        p.owner,
        since(p.after),
        sql`${auditEntry.actorUserId} not in (${p.userId}, ${property.ownerUserId})`,
      ),
    ),
)
