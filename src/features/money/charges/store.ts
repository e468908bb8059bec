import { and, asc, eq, gte, inArray, lte, sql } from 'drizzle-orm'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, saving } from '../../../../db/query.ts'
import { type BookingRow, booking } from '../../../../db/schema/bookings.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { property } from '../../../../db/schema/properties.ts'
import { regularisation, regularisationShare as share } from '../../../../db/schema/regularisations.ts'
import { within } from '../../../core/scope.ts'

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
  range: { orgId: string; propertyId: string; from: string; to: string; limit: number },
): BookingRow[] => running(db).all(range)

export type RegularisationRow = typeof regularisation.$inferSelect
export const insertRegularisation = inserting('regularisation.insert', regularisation)
export const saveRegularisation = saving(
  'regularisation',
  regularisation,
  'propertyId',
  'ownerUserId',
  'periodStart',
  'periodEnd',
  'issuedOn',
  'dueDate',
  'items',
  'costAmount',
  'chargedAmount',
  'deductedAmount',
  'provisionAmount',
  'issuedBy',
)
const byId = reading('regularisation.byId', regularisation)
/** As far as the scope reaches: an owner's own properties; tenants see their own shares, and no more. */
export const getRegularisation = within(byId)

const ofDay = query('regularisation.ofDay', ['orgId', 'propertyId', 'day'], (db, p) =>
  db
    .select({ n: sql<number>`count(*)` })
    .from(regularisation)
    .where(
      and(
        eq(regularisation.orgId, p.orgId),
        eq(regularisation.propertyId, p.propertyId),
        eq(sql`+${regularisation.issuedOn}`, p.day),
      ),
    ),
)
export const issuedOn = (db: Db, orgId: string, propertyId: string, day: string): number =>
  ofDay(db).get({ orgId, propertyId, day })?.n ?? 0

const sharesWithLeases = query('regularisation.shares', ['orgId', 'id'], (db, p) =>
  db
    .select({ share, lease: booking, invoice })
    .from(share)
    .innerJoin(booking, and(eq(booking.orgId, share.orgId), eq(booking.id, share.bookingId)))
    .leftJoin(invoice, and(eq(invoice.orgId, share.orgId), eq(invoice.id, share.invoiceId)))
    .where(and(eq(share.orgId, p.orgId), eq(share.regularisationId, p.id)))
    .orderBy(asc(share.id)),
)
/** Its shares with their leases and the invoices that ask for them, in the order of its units. */
export const sharesSeen = (db: Db, { orgId, id }: RegularisationRow) => sharesWithLeases(db).all({ orgId, id })

export const listRegularisations = list({
  name: 'regularisations',
  table: regularisation,
  org: regularisation.orgId,
  id: regularisation.id,
  columns: listColumns(regularisation, 'ownerUserId', 'items'),
  joins: sql`left join ${property} on ${property.orgId} = ${regularisation.orgId} and ${property.id} = ${regularisation.propertyId}`,
  computed: () => ({ propertyName: sql<string>`${property.name}` }),
  filters: {
    propertyId: { column: regularisation.propertyId },
    status: { column: regularisation.status },
  },
  ranges: { updatedSince: { column: regularisation.updatedAt, op: '>=' } },
  scopes: { owner: { column: regularisation.ownerUserId }, limited: ofProperty(regularisation.propertyId) },
})
