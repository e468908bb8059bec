import { and, asc, eq, gte, inArray, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { type BookingRow, booking } from '../../../../db/schema/bookings.ts'
import { regularisation } from '../../../../db/schema/regularisations.ts'

const meeting = query('regularisation.meeting', ['orgId', 'propertyId', 'from', 'to'], (db, p) =>
  db
    .select({ items: regularisation.items })
    .from(regularisation)
    .where(
      and(
        eq(regularisation.orgId, p.orgId),
        eq(regularisation.propertyId, p.propertyId),
        gte(regularisation.periodEnd, p.from),
        lte(sql`+${regularisation.periodStart}`, p.to),
        eq(sql`+${regularisation.status}`, 'ISSUED'),
      ),
    ),
)
/** What was charged on of a property in periods that meet another. */
export const chargedIn = (db: Db, orgId: string, propertyId: string, from: string, to: string) =>
  meeting(db)
    .all({ orgId, propertyId, from, to })
    .flatMap(({ items }) => items)

const running = query('regularisation.leases', ['orgId', 'propertyId', 'from', 'to', 'limit'], (db, p) =>
  db
    .select()
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.propertyId, p.propertyId),
        inArray(sql`+${booking.status}`, ['ACTIVE', 'TERMINATED']),
        lte(sql`+${booking.startDate}`, p.to),
        sql`coalesce(+${booking.endDate}, '9999-12-31') >= ${p.from}`,
        // One that ended before it began ran on no day.
        sql`(${booking.terminatedAt} is null or substr(${booking.terminatedAt}, 1, 10) >= ${booking.startDate})`,
      ),
    )
    .orderBy(asc(booking.id))
    .limit(p.limit),
)
/** The leases of a property that run on a day of a period. */
export const leasesIn = (
  db: Db,
  given: { orgId: string; propertyId: string; from: string; to: string; limit: number },
): BookingRow[] => running(db).all(given)

/** Shares that are made on the main thread; one takes about a millisecond. */
export const FEW = 20
type Span = Omit<Parameters<typeof leasesIn>[1], 'limit'>
/** Whether a regularisation of these days is too long for the main thread. */
export const hasManyShares = (db: Db, span: Span): boolean => leasesIn(db, { ...span, limit: FEW + 1 }).length > FEW
