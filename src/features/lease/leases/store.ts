import { and, asc, count, desc, eq, getTableName, inArray, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { inLease } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving } from '../../../../db/query.ts'
import { type BookingRow, booking } from '../../../../db/schema/bookings.ts'
import { leasePayer, signature } from '../../../../db/schema/contracts.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { document } from '../../../../db/schema/documents.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { rentChange } from '../../../../db/schema/rents.ts'
import { ofParty, ofTenant, within } from '../../../core/scope.ts'
import { UNSEEN } from './rules.ts'

/** The terms that the parties agree on; the other columns of a booking are its history. */
export type AgreedTerms = Omit<
  BookingRow,
  | 'id'
  | 'orgId'
  | 'rentCurrency'
  | 'depositCurrency'
  | 'status'
  | 'terminationReason'
  | 'creditAmount'
  | 'anchorDate'
  | 'nextPeriod'
  | 'nextRunOn'
  | 'settlement'
  | 'notice'
  | 'nextRentOn'
  | 'nextRentAmount'
  | 'version'
  | `${string}At`
>
export const insertBooking = inserting('booking.insert', booking)
export const saveBooking = saving(
  'booking',
  booking,
  'unitId',
  'propertyId',
  'ownerUserId',
  'tenantId',
  'tenantUserId',
  'tenantName',
  'unitLabel',
  'propertyName',
  'rentCurrency',
  'requestedBy',
  'renewsBookingId',
  'creditAmount',
  'vouched',
)

const named = query('booking.name', ['orgId', 'id', 'tenantId', 'tenantUserId', 'tenantName'], (db, p) =>
  db
    .update(booking)
    .set({
      tenantId: sql`${p.tenantId}`,
      tenantUserId: sql`${p.tenantUserId}`,
      tenantName: sql`${p.tenantName}`,
      requestedBy: null,
    })
    .where(and(eq(booking.orgId, p.orgId), eq(booking.id, p.id))),
)
const left = ([document, invoice, payment] as const).map((table) =>
  query(`${getTableName(table)}.left`, ['orgId', 'id', 'at'], (db, p) =>
    db
      .update(table)
      .set({ tenantUserId: null, updatedAt: sql`${p.at}`, version: sql`version + 1` })
      .where(and(eq(table.orgId, p.orgId), eq(table.bookingId, p.id))),
  ),
)
/**
 * Puts the right tenant in the place of one who was named by mistake; what was made in the wrong name belongs to no
 * tenant's account then.
 */
export const nameTenant = (
  tx: Tx,
  of: Pick<BookingRow, 'orgId' | 'id' | 'tenantId' | 'tenantUserId' | 'tenantName' | 'updatedAt'>,
): void => {
  const { orgId, id, tenantId, tenantUserId, tenantName, updatedAt: at } = of
  named(tx).run({ orgId, id, tenantId, tenantUserId, tenantName })
  for (const table of left) table(tx).run({ orgId, id, at })
}

export const findBooking = reading('booking.byId', booking)

/**
 * A booking as far as the scope reaches; tenants see what they asked for, and a lease once it was sent to them: until
 * then its landlord may have mistyped whose it is.
 */
export const getBooking = within(findBooking, (scope, row) => {
  const isVisible = ofTenant(scope, row) && row.submittedAt !== null
  return isVisible || (scope.kind === 'tenant' && row.requestedBy === scope.userId)
})
/** The same, also for an owner who is its tenant. */
export const partyBooking = ofParty(getBooking)

type TenantFilter = { readonly tenantUserId?: string | undefined; readonly bookingId?: string | undefined }
/** The tenant that a list is filtered by: the given one, or the tenant of the given lease. */
export const filteredTenantId = (
  db: Db,
  orgId: string,
  { tenantUserId, bookingId }: TenantFilter,
): string | undefined =>
  tenantUserId ?? (bookingId === undefined ? undefined : (findBooking(db, orgId, bookingId)?.tenantUserId ?? undefined))

/** Leases that are out for signing, each with the ids of the rows that its text is made from. */
export const pendingLeases = query('booking.pending', ['orgId'], (db, p) =>
  db
    .select({
      id: booking.id,
      tenant: booking.tenantId,
      property: booking.propertyId,
      unit: booking.unitId,
      user: booking.ownerUserId,
    })
    .from(booking)
    .where(and(eq(booking.orgId, p.orgId), eq(booking.status, sql`'PENDING'`)))
    .orderBy(asc(booking.id)),
)
const clash = exists('booking.clash', ['orgId', 'unitId', 'id', 'start', 'end'], booking, (p) =>
  and(
    eq(booking.orgId, p.orgId),
    eq(booking.unitId, p.unitId),
    inArray(booking.status, ['PENDING', 'ACTIVE']),
    ne(booking.id, p.id),
    sql`${booking.startDate} <= ${p.end}`,
    sql`coalesce(${booking.endDate}, '9999-12-31') >= ${p.start}`,
  ),
)
/** Whether another PENDING or ACTIVE booking of the unit overlaps the dates (inclusive; no end means forever). */
export const overlapping = (
  db: Db,
  row: Pick<BookingRow, 'orgId' | 'unitId' | 'id'>,
  startDate: string,
  endDate: string | null,
): boolean =>
  clash(db, {
    orgId: row.orgId,
    unitId: row.unitId,
    id: row.id,
    start: startDate,
    end: endDate ?? '9999-12-31',
  })

const requests = query('booking.openRequests', ['orgId', 'userId'], (db, p) =>
  db
    .select({ n: count() })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.tenantUserId, p.userId),
        eq(booking.requestedBy, p.userId),
        eq(booking.status, sql`'DRAFT'`),
      ),
    ),
)
export const openRequests = (db: Db, orgId: string, userId: string): number =>
  requests(db).get({ orgId, userId })?.n ?? 0

const renewal = query('booking.renewal', ['orgId', 'unitId', 'id'], (db, p) =>
  db
    .select({ id: booking.id, status: booking.status })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.unitId, p.unitId),
        eq(sql`+${booking.renewsBookingId}`, p.id),
        inArray(booking.status, ['DRAFT', 'PENDING', 'ACTIVE']),
      ),
    )
    .limit(1),
)
/** The lease that follows on, or a draft of it. */
export const anyRenewalOf = (db: Db, row: Pick<BookingRow, 'orgId' | 'unitId' | 'id'>) =>
  renewal(db).get({ orgId: row.orgId, unitId: row.unitId, id: row.id })

const follower = query('booking.follower', ['orgId', 'unitId', 'id'], (db, p) =>
  db
    .select()
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.unitId, p.unitId),
        eq(sql`+${booking.renewsBookingId}`, p.id),
        eq(booking.status, sql`'ACTIVE'`),
      ),
    )
    .limit(1),
)
/** The lease in force that goes on from another. */
export const renewalOf = (db: Db, row: Pick<BookingRow, 'orgId' | 'unitId' | 'id'>): BookingRow | undefined =>
  follower(db).get({ orgId: row.orgId, unitId: row.unitId, id: row.id })

const leases = query('booking.ofTenant', ['orgId', 'tenantId', 'limit'], (db, p) =>
  db
    .select()
    .from(booking)
    .where(
      and(
        eq(booking.orgId, sql`+${p.orgId}`),
        eq(booking.tenantId, sql`+${p.tenantId}`),
        inArray(sql`+${booking.status}`, ['ACTIVE', 'TERMINATED']),
      ),
    )
    .orderBy(desc(booking.id))
    .limit(p.limit),
)
/** A tenant's running and ended leases, the newest first. */
export const leasesOf = (db: Db, orgId: string, tenantId: string, limit: number): BookingRow[] =>
  leases(db).all({ orgId, tenantId, limit })

const hasSigned = (party: SQL): SQL =>
  sql`iif(exists (select 1 from ${signature} where ${signature.orgId} = ${booking.orgId} and ${signature.bookingId} = ${booking.id} and +${signature.party} = ${party} and +${signature.status} = 'VALID'), json('true'), json('false'))`
/** Of the lines of an invoice, in JSON. */
const isRent = (lines: SQLWrapper): SQL => sql`instr(${lines}, '"RENT"') > 0`
export const listBookings = list({
  name: 'bookings',
  table: booking,
  org: booking.orgId,
  id: booking.id,
  columns: listColumns(booking, ...UNSEEN),
  computed: () => ({
    openAmount: sql<number>`(select coalesce(sum(${invoice.grossAmount} - ${invoice.amountPaid}), 0) from ${invoice} where ${invoice.bookingId} = ${booking.id} and ${invoice.status} in ('ISSUED','OVERDUE'))`,
    // Null while the lease runs, or nothing is held.
    depositHeldAmount: sql<
      number | null
    >`iif(${booking.status} = 'TERMINATED', (select nullif(${depositEntry.heldAmount}, 0) from ${depositEntry} where ${depositEntry.orgId} = ${booking.orgId} and ${depositEntry.bookingId} = ${booking.id} order by ${depositEntry.id} desc limit 1), null)`,
    coveredUntil: sql<string>`(select ${invoice.periodEnd} from ${invoice} where ${invoice.bookingId} = ${booking.id} and +${invoice.status} = 'PAID' and ${isRent(invoice.lines)} and ${invoice.periodStart} < coalesce((select o.period_start from ${invoice} o where o.booking_id = ${booking.id} and o.status in ('ISSUED','OVERDUE') and ${isRent(sql`o.lines`)} order by o.period_start limit 1), '9999') order by ${invoice.periodStart} desc limit 1)`,
    signatures: sql<{
      landlord: boolean
      tenant: boolean
    }>`json_object('landlord', ${hasSigned(sql`'LANDLORD'`)}, 'tenant', ${hasSigned(sql`'TENANT'`)})`,
  }),
  json: ['signatures'],
  filters: {
    unitId: { column: booking.unitId, narrow: true },
    tenantId: { column: booking.tenantId, narrow: true },
    tenantUserId: { column: booking.tenantUserId, narrow: true },
    propertyId: { column: booking.propertyId },
    status: { column: booking.status, several: true },
    requested: { where: (p) => sql`(${booking.requestedBy} is not null) = (${p} = 'true')` },
    q: { where: inLease },
  },
  ranges: {
    endsBefore: { column: booking.endDate, op: '<=' },
    updatedSince: { column: booking.updatedAt, op: '>=' },
  },
  scopes: {
    owner: { column: booking.ownerUserId },
    limited: ofProperty(booking.propertyId),
    tenant: {
      column: booking.tenantUserId,
      where: (p) =>
        sql`${booking.tenantUserId} = ${p} and (+${booking.submittedAt} is not null or +${booking.requestedBy} = ${p})`,
    },
  },
})

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

const countChanges = query('rentChange.count', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ n: sql<number>`count(*)` })
    .from(rentChange)
    .where(and(eq(rentChange.orgId, p.orgId), eq(rentChange.bookingId, p.bookingId))),
)
export const rentChangesCounted = (db: Db, orgId: string, bookingId: string): number =>
  countChanges(db).get({ orgId, bookingId })?.n ?? 0

/** The changes of a rent that a person signed, oldest first. */
export const rentChangesSignedBy = query('rentChange.ofSigner', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(rentChange)
    .where(and(eq(rentChange.orgId, p.orgId), eq(rentChange.signedBy, p.userId)))
    .orderBy(asc(rentChange.id)),
)
export const listRentChanges = list({
  name: 'rent-changes',
  table: rentChange,
  org: rentChange.orgId,
  id: rentChange.id,
  columns: listColumns(rentChange),
  filters: { bookingId: { column: rentChange.bookingId, base: true } },
  ranges: { updatedSince: { column: rentChange.updatedAt, op: '>=' } },
  scopes: {},
})

export type PayerRow = typeof leasePayer.$inferSelect
/** The payers of a lease, by its id; the version is that of all of them. */
export type Payers = { readonly id: string; readonly rows: readonly PayerRow[]; readonly version: number }
export const insertPayer = inserting('leasePayer.insert', leasePayer)
export const savePayer = saving('lease_payer', leasePayer, 'bookingId', 'phoneNumber', 'source')
const payers = query('leasePayer.ofBooking', ['orgId', 'bookingId'], (db, p) =>
  db
    .select()
    .from(leasePayer)
    .where(and(eq(leasePayer.orgId, p.orgId), eq(leasePayer.bookingId, p.bookingId)))
    .orderBy(asc(leasePayer.id)),
)
/** Who else pays for a lease, in the order in which they became known. */
export const payersOf = (db: Db, orgId: string, bookingId: string): PayerRow[] => payers(db).all({ orgId, bookingId })
const dropPayerRow = query('leasePayer.delete', ['orgId', 'id'], (db, p) =>
  db.delete(leasePayer).where(and(eq(leasePayer.orgId, p.orgId), eq(leasePayer.id, p.id))),
)
export const dropPayer = (tx: Tx, { orgId, id }: PayerRow): void => void dropPayerRow(tx).run({ orgId, id })
const paidFrom = query('leasePayer.byPhone', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select({ bookingId: leasePayer.bookingId, kiosk: leasePayer.kiosk })
    .from(leasePayer)
    .where(and(eq(leasePayer.orgId, p.orgId), eq(leasePayer.phoneNumber, p.phoneNumber)))
    .orderBy(desc(leasePayer.kiosk), asc(leasePayer.bookingId))
    .limit(20),
)
/** The leases that a number is known to pay for, and whether it is marked as a kiosk's there; marked ones first. */
export const leasesPaidFrom = (db: Db, orgId: string, phoneNumber: string) => paidFrom(db).all({ orgId, phoneNumber })
/** Takes the payers off the leases of a tenant who is erased, and off all leases those with a number of the person. */
export const forgetPayersOf = query('leasePayer.forget', ['orgId', 'userId', 'phoneNumber'], (db, p) =>
  db.delete(leasePayer).where(
    sql`${leasePayer.id} in (select y.id from ${booking} b cross join ${leasePayer} y on y.org_id = b.org_id and y.booking_id = b.id
        where b.org_id = ${p.orgId} and b.tenant_user_id = ${p.userId}
      union all select y.id from ${leasePayer} y where y.org_id = ${p.orgId} and y.phone_number = ${p.phoneNumber})`,
  ),
)
/** What leases say of the payer with a number. */
export const payersOfNumber = query('leasePayer.ofNumber', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select({
      id: leasePayer.id,
      bookingId: leasePayer.bookingId,
      fullName: leasePayer.fullName,
      phoneNumber: leasePayer.phoneNumber,
      source: leasePayer.source,
      kiosk: leasePayer.kiosk,
      createdAt: leasePayer.createdAt,
    })
    .from(leasePayer)
    .where(and(eq(leasePayer.orgId, p.orgId), eq(leasePayer.phoneNumber, p.phoneNumber))),
)
