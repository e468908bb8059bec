import { and, eq, sql } from 'drizzle-orm'
import { query } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { meterReading } from '../../../../db/schema/meters.ts'
import { regularisation, regularisationShare } from '../../../../db/schema/regularisations.ts'

/** The landlord of the meter that an object is a photo of, with each tenant whose charges count with it. */
export const metered = query('media.meter', ['orgId', 'mediaObjectId'], (db, p) =>
  db
    .select({
      ownerUserId: meterReading.ownerUserId,
      propertyId: meterReading.propertyId,
      // A tenant sees it once it counts in charges of their lease.
      tenantUserId: booking.tenantUserId,
      requestedBy: sql<null>`null`,
    })
    .from(meterReading)
    .leftJoin(
      regularisationShare,
      and(
        eq(regularisationShare.orgId, meterReading.orgId),
        eq(regularisationShare.unitId, meterReading.unitId),
        sql`exists (select 1 from json_each(${regularisationShare.readingIds}) where value = ${meterReading.id})`,
        sql`exists (select 1 from ${regularisation} where ${regularisation.orgId} = ${regularisationShare.orgId} and ${regularisation.id} = ${regularisationShare.regularisationId} and +${regularisation.status} = 'ISSUED')`,
      ),
    )
    .leftJoin(booking, and(eq(booking.orgId, regularisationShare.orgId), eq(booking.id, regularisationShare.bookingId)))
    .where(and(eq(meterReading.orgId, p.orgId), eq(meterReading.mediaObjectId, p.mediaObjectId))),
)
