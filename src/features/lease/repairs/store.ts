import { and, count, eq, gt, sql } from 'drizzle-orm'
import { erased } from '../../../../db/erasure.ts'
import { reach } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, saving } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { property, unit } from '../../../../db/schema/properties.ts'
import { type RepairRow, repair, repairEntry } from '../../../../db/schema/repairs.ts'
import { within } from '../../../core/scope.ts'

export const insertRepair = inserting('repair.insert', repair)
export const saveRepair = saving(
  'repair',
  repair,
  'unitId',
  'propertyId',
  'ownerUserId',
  'bookingId',
  'tenantUserId',
  'reportedBy',
)
/** Of a repair, when the person is erased who reported it: the landlord's books, without the person's words. */
export const REPAIR_LEFT = erased(
  repair,
  [
    ...(['unitId', 'propertyId', 'ownerUserId', 'bookingId', 'tenantUserId', 'reportedBy'] as const),
    ...(['category', 'urgency', 'status', 'plannedOn', 'doneOn', 'refusalReason', 'closedAt'] as const),
    ...(['costAmount', 'costCurrency', 'costKind', 'costOn'] as const),
  ],
  { title: '' },
)
export const findRepair = reading('repair.byId', repair)

/** A request as far as the scope reaches: its tenant, who may be an owner too, sees it. */
export const getRepair = within(findRepair, ({ userId }, row) => row.tenantUserId === userId)

const named = query('repair.named', ['orgId', 'unitId', 'bookingId'], (db, p) =>
  db
    .select({ unitLabel: unit.label, propertyName: property.name, tenantName: booking.tenantName })
    .from(unit)
    .innerJoin(property, and(eq(property.orgId, unit.orgId), eq(property.id, unit.propertyId)))
    .leftJoin(booking, and(eq(booking.orgId, unit.orgId), eq(booking.id, p.bookingId)))
    .where(and(eq(unit.orgId, p.orgId), eq(unit.id, p.unitId))),
)
/** The names of the places and the tenant of a request. */
export const namesOf = (db: Db, { orgId, unitId, bookingId }: RepairRow) =>
  named(db).get({ orgId, unitId, bookingId: bookingId ?? '' })

export const listRepairs = list({
  name: 'repairs',
  table: repair,
  org: repair.orgId,
  id: repair.id,
  columns: listColumns(repair, 'ownerUserId'),
  joins: sql`left join ${unit} on ${unit.orgId} = ${repair.orgId} and ${unit.id} = ${repair.unitId} left join ${property} on ${property.orgId} = ${repair.orgId} and ${property.id} = ${repair.propertyId} left join ${booking} on ${booking.orgId} = ${repair.orgId} and ${booking.id} = ${repair.bookingId}`,
  computed: () => ({
    unitLabel: sql<string>`${unit.label}`,
    propertyName: sql<string>`${property.name}`,
    tenantName: sql<string>`${booking.tenantName}`,
  }),
  filters: {
    bookingId: { column: repair.bookingId, narrow: true },
    unitId: { column: repair.unitId, narrow: true },
    tenantUserId: { column: repair.tenantUserId, narrow: true },
    propertyId: { column: repair.propertyId },
    status: { column: repair.status, several: true },
    urgency: { where: (p) => sql`+${repair.urgency} = ${p}` },
  },
  ranges: { updatedSince: { column: repair.updatedAt, op: '>=' } },
  scopes: {
    owner: { column: repair.ownerUserId },
    limited: ofProperty(repair.propertyId),
    tenant: { column: repair.tenantUserId },
  },
})

const counted = query('repair.countOf', ['orgId', 'bookingId', 'unitId'], (db, p) =>
  db
    .select({ all: count(), open: sql<number | null>`sum(${repair.status} in ('OPEN','SEEN','PLANNED'))` })
    .from(repair)
    .where(and(eq(repair.orgId, p.orgId), eq(repair.unitId, p.unitId), sql`+${repair.bookingId} is ${p.bookingId}`)),
)
/** How many requests a lease has, and how many of them are open; for a unit only those without a lease. */
export const countRepairs = (
  db: Db,
  { orgId, unitId, bookingId }: Pick<RepairRow, 'orgId' | 'unitId' | 'bookingId'>,
): { readonly all: number; readonly open: number } => {
  const { all = 0, open } = counted(db).get({ orgId, unitId, bookingId }) ?? {}
  return { all, open: open ?? 0 }
}

export const repairsWaiting = query('repair.waiting', ['orgId', 'owner', 'today'], (db, p) =>
  db
    .select({ n: count(), oldestAt: sql<string | null>`min(${repair.createdAt})` })
    .from(repair)
    .where(
      and(
        eq(repair.orgId, p.orgId),
        sql`${repair.status} in ('OPEN','SEEN','PLANNED')`,
        sql`(${repair.status} = 'OPEN' or +${repair.plannedOn} < ${p.today})`,
        reach(repair, p.owner),
      ),
    ),
)

const reported = query('repair.reportedBy', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(repair)
    .where(and(eq(repair.orgId, p.orgId), eq(repair.tenantUserId, p.userId), eq(sql`+${repair.reportedBy}`, p.userId))),
)
/** The requests that a tenant reported themselves. */
export const reportedBy = (db: Db, orgId: string, userId: string): RepairRow[] => reported(db).all({ orgId, userId })

export type EntryRow = typeof repairEntry.$inferSelect
export const insertEntry = inserting('repairEntry.insert', repairEntry)
export const findEntry = reading('repairEntry.byId', repairEntry)
export const saveEntry = saving('repair_entry', repairEntry, 'repairId', 'kind', 'side', 'authorUserId', 'plannedOn')

/** Of an entry of an erased person: that they wrote, and when. */
export const ENTRY_LEFT = erased(repairEntry, ['repairId', 'kind', 'side', 'authorUserId', 'plannedOn'])

export const listEntries = list({
  name: 'repairEntries',
  table: repairEntry,
  org: repairEntry.orgId,
  id: repairEntry.id,
  columns: listColumns(repairEntry),
  filters: { repairId: { column: repairEntry.repairId, base: true } },
  ranges: { updatedSince: { column: repairEntry.updatedAt, op: '>=' } },
  scopes: {},
})

const entryCounts = query('repairEntry.counted', ['orgId', 'repairId'], (db, p) =>
  db
    .select({
      all: count(),
      photos: sql<number>`coalesce(sum(${repairEntry.mediaObjectId} is not null), 0)`,
      reopened: sql<number>`coalesce(sum(${repairEntry.kind} = 'REOPENED'), 0)`,
    })
    .from(repairEntry)
    .where(and(eq(repairEntry.orgId, p.orgId), eq(repairEntry.repairId, p.repairId))),
)
/** How long the thread of a request is, and how many photos it has. */
export const threadOf = (db: Db, orgId: string, repairId: string) =>
  entryCounts(db).get({ orgId, repairId }) ?? { all: 0, photos: 0, reopened: 0 }

const since = query('repairEntry.since', ['orgId', 'userId', 'since'], (db, p) =>
  db
    .select({ n: count() })
    .from(repairEntry)
    .where(
      and(eq(repairEntry.orgId, p.orgId), eq(repairEntry.authorUserId, p.userId), gt(repairEntry.createdAt, p.since)),
    ),
)
/** How much a person wrote into threads since a time. */
export const writtenSince = (db: Db, orgId: string, userId: string, at: string): number =>
  since(db).get({ orgId, userId, since: at })?.n ?? 0

/** What a person wrote or sent into threads, of which something is left. */
export const entriesBy = query('repairEntry.ofAuthor', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(repairEntry)
    .where(
      and(
        eq(repairEntry.orgId, p.orgId),
        eq(repairEntry.authorUserId, p.userId),
        sql`(${repairEntry.text} is not null or ${repairEntry.mediaObjectId} is not null)`,
      ),
    ),
)
