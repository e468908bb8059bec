import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, saving, shown } from '../../../../db/query.ts'
import { rentChange } from '../../../../db/schema/rents.ts'

export type RentChangeRow = typeof rentChange.$inferSelect
export const insertRentChange = inserting('rentChange.insert', rentChange)
export const findRentChange = reading('rentChange.byId', rentChange)
export const saveRentChange = saving(
  'rent_change',
  rentChange,
  'bookingId',
  'fromDate',
  'rentAmount',
  'previousAmount',
  'reason',
  'needsAgreement',
  'createdBy',
)

const ofBooking = query('rentChange.ofBooking', ['orgId', 'bookingId'], (db, p) =>
  db
    .select()
    .from(rentChange)
    .where(
      and(
        eq(rentChange.orgId, p.orgId),
        eq(rentChange.bookingId, p.bookingId),
        ne(sql`+${rentChange.status}`, sql`'CANCELLED'`),
      ),
    ),
)
/** The changes of a lease's rent that were not cancelled, by their day. */
export const rentChangesOf = (db: Db, orgId: string, bookingId: string): RentChangeRow[] =>
  ofBooking(db)
    .all({ orgId, bookingId })
    .sort((a, b) => (a.fromDate < b.fromDate ? -1 : 1))

const count = query('rentChange.count', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ n: sql<number>`count(*)` })
    .from(rentChange)
    .where(and(eq(rentChange.orgId, p.orgId), eq(rentChange.bookingId, p.bookingId))),
)
export const rentChangesCounted = (db: Db, orgId: string, bookingId: string): number =>
  count(db).get({ orgId, bookingId })?.n ?? 0

const ofSigner = query('rentChange.ofSigner', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(rentChange)
    .where(and(eq(rentChange.orgId, p.orgId), eq(rentChange.signedBy, p.userId)))
    .orderBy(asc(rentChange.id)),
)
/** The changes of a rent that a person signed, oldest first. */
export const rentChangesSignedBy = (db: Db, orgId: string, userId: string): RentChangeRow[] =>
  ofSigner(db).all({ orgId, userId })

export const listRentChanges = list({
  name: 'rent-changes',
  table: rentChange,
  org: rentChange.orgId,
  id: rentChange.id,
  columns: shown(rentChange),
  filters: { bookingId: { column: rentChange.bookingId, base: true } },
  ranges: { updatedSince: { column: rentChange.updatedAt, op: '>=' } },
  scopes: {},
})
