import { and, asc, count, eq, gt, isNull, lte, notExists, sql } from 'drizzle-orm'
import { managedBy } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { signedCopy } from '../../../../db/schema/contracts.ts'
import { expense } from '../../../../db/schema/expenses.ts'
import { inspection, inspectionPhoto } from '../../../../db/schema/inspections.ts'
import { mediaObject } from '../../../../db/schema/media.ts'
import { meterReading } from '../../../../db/schema/meters.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { property } from '../../../../db/schema/properties.ts'
import { regularisation, regularisationShare } from '../../../../db/schema/regularisations.ts'
import { rentChange } from '../../../../db/schema/rents.ts'
import { repair, repairEntry } from '../../../../db/schema/repairs.ts'
import { verificationCase, verificationDocument } from '../../../../db/schema/verification.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'
import type { Ctx } from '../../../context.ts'

export type MediaRow = typeof mediaObject.$inferSelect
export const insertMedia = inserting('media.insert', mediaObject)
export const saveMedia = saving(
  'media',
  mediaObject,
  'ownerType',
  'ownerId',
  'ownerUserId',
  'propertyId',
  'kind',
  'filename',
  'contentType',
)

export const findMedia = reading('media.byId', mediaObject)

/** The object that a signed link names: the signature stands for the organization. */
export const findLinkedMedia = query('media.anywhere', ['id'], (db, p) =>
  db.select().from(mediaObject).where(eq(mediaObject.id, p.id)),
)
export const deleteMedia = query('media.delete', ['orgId', 'id'], (db, p) =>
  db.delete(mediaObject).where(and(eq(mediaObject.orgId, p.orgId), eq(mediaObject.id, p.id))),
)
const used = query('media.used', ['orgId', 'userId'], (db, p) =>
  db
    .select({
      objects: count(),
      bytes: sql<number>`coalesce(sum(${mediaObject.sizeBytes}), 0)`,
      ownObjects: sql<number>`coalesce(sum(${mediaObject.ownerUserId} = ${p.userId}), 0)`,
      ownBytes: sql<number>`coalesce(sum((${mediaObject.ownerUserId} = ${p.userId}) * ${mediaObject.sizeBytes}), 0)`,
      pending: sql<number>`coalesce(sum(${mediaObject.status} = 'PENDING' and ${mediaObject.ownerUserId} = ${p.userId}), 0)`,
    })
    .from(mediaObject)
    .where(eq(mediaObject.orgId, p.orgId)),
)
/** The storage that an organization uses, one person's part of it, and how many uploads this person has open. */
export const usageOf = (db: Db, orgId: string, userId: string) =>
  used(db).get({ orgId, userId }) ?? { objects: 0, bytes: 0, ownObjects: 0, ownBytes: 0, pending: 0 }

/** Uploads that nobody completed in time. */
export const staleMedia = query('media.stale', ['now', 'limit'], (db, p) =>
  db
    .select({ id: mediaObject.id, orgId: mediaObject.orgId })
    .from(mediaObject)
    .where(and(lte(mediaObject.purgeAt, p.now), livesHere(mediaObject.orgId)))
    .orderBy(asc(mediaObject.purgeAt))
    .limit(p.limit),
)
const attachedTo = query('media.attached', ['orgId', 'mediaObjectId'], (db, p) =>
  db
    .select({ status: verificationCase.status })
    .from(verificationDocument)
    .innerJoin(
      verificationCase,
      and(eq(verificationCase.orgId, verificationDocument.orgId), eq(verificationCase.id, verificationDocument.caseId)),
    )
    .where(and(eq(verificationDocument.orgId, p.orgId), eq(verificationDocument.mediaObjectId, p.mediaObjectId))),
)
/** The statuses of the verifications that an object is a paper of. */
export const casesOf = (db: Db, orgId: string, mediaObjectId: string): string[] =>
  attachedTo(db)
    .all({ orgId, mediaObjectId })
    .map(({ status }) => status)

/** Owner and property of the payments that an object is the proof of. */
export const proven = query('media.provenBy', ['orgId', 'mediaObjectId'], (db, p) =>
  db
    .select({ ownerUserId: payment.ownerUserId, propertyId: payment.propertyId })
    .from(payment)
    .where(and(eq(payment.orgId, p.orgId), eq(payment.proofMediaId, p.mediaObjectId))),
)
const rented = (column: typeof booking.propertyId | typeof booking.unitId, p: unknown) =>
  sql`(select ${column} from ${booking} where ${booking.orgId} = ${sql.placeholder('orgId')} and ${booking.tenantUserId} = ${p} and ${booking.status} in ('PENDING', 'ACTIVE'))`
const own = (p: unknown) => sql`(${mediaObject.propertyId} is null and +${mediaObject.ownerUserId} = ${p})`

const ofUser = query('media.ofUser', ['orgId', 'userId', 'after', 'limit'], (db, p) =>
  db
    .select()
    .from(mediaObject)
    .where(
      and(eq(mediaObject.orgId, p.orgId), gt(mediaObject.id, p.after), eq(sql`+${mediaObject.ownerUserId}`, p.userId)),
    )
    .orderBy(asc(mediaObject.id))
    .limit(p.limit),
)
/** What a person uploaded, the oldest first. */
export const filesOf = (db: Db, orgId: string, userId: string, after: string, limit: number): MediaRow[] =>
  ofUser(db).all({ orgId, userId, after, limit })

const personal = query('media.personal', ['orgId', 'userId', 'limit'], (db, p) =>
  db
    .select({ id: mediaObject.id })
    .from(mediaObject)
    .where(
      and(
        eq(mediaObject.orgId, p.orgId),
        eq(sql`+${mediaObject.ownerUserId}`, p.userId),
        isNull(sql`+${mediaObject.propertyId}`),
        ...[verificationDocument, signedCopy, repairEntry, inspectionPhoto, meterReading].map((table) =>
          notExists(
            db
              .select({ id: table.id })
              .from(table)
              .where(and(eq(table.orgId, mediaObject.orgId), eq(table.mediaObjectId, mediaObject.id))),
          ),
        ),
      ),
    )
    .limit(p.limit),
)
/** A person's own papers; not those that stay with a verification, a lease, a repair, an inspection or a meter. */
export const personalFilesOf = (db: Db, orgId: string, userId: string, limit: number): string[] =>
  personal(db)
    .all({ orgId, userId, limit })
    .map(({ id }) => id)

const ofOwner = query('media.ofOwner', ['orgId', 'ownerId', 'ownerType'], (db, p) =>
  db
    .select({ id: mediaObject.id, position: mediaObject.position })
    .from(mediaObject)
    .where(
      and(
        eq(mediaObject.orgId, p.orgId),
        eq(mediaObject.ownerId, p.ownerId),
        eq(sql`+${mediaObject.ownerType}`, p.ownerType),
        eq(sql`+${mediaObject.kind}`, 'PHOTO'),
      ),
    )
    .orderBy(asc(mediaObject.id)),
)
/** The photos of a photo's property or unit in their order: those with a place, then the others, the oldest first. */
export const photosOf = (db: Db, { orgId, ownerId, ownerType }: MediaRow) =>
  ofOwner(db)
    .all({ orgId, ownerId, ownerType })
    .sort((a, b) => (a.position ?? Number.POSITIVE_INFINITY) - (b.position ?? Number.POSITIVE_INFINITY) || 0)

const place = query('media.place', ['orgId', 'id', 'position', 'now'], (db, p) =>
  db
    .update(mediaObject)
    .set({
      position: sql`${p.position}`,
      updatedAt: sql`${p.now}`,
      version: sql`${mediaObject.version} + 1`,
    })
    .where(and(eq(mediaObject.orgId, p.orgId), eq(mediaObject.id, p.id))),
)
/** Renumbers the photos around one that is moved. The audit trail records only the moved one. */
export const placePhoto = ({ tx, caller, now }: Ctx, id: string, position: number): void =>
  void place(tx).run({ orgId: caller.orgId, id, position, now })

export const listMedia = list({
  name: 'media',
  table: mediaObject,
  org: mediaObject.orgId,
  id: mediaObject.id,
  columns: listColumns(mediaObject, 'propertyId', 'sha256', 'purgeAt'),
  filters: {
    ownerId: { column: mediaObject.ownerId, narrow: true },
    // An organization has few files: all are read in order, and those of other owners are skipped.
    ownerIds: { where: (p) => sql`+${mediaObject.ownerId} in (select value from json_each(${p}))` },
    ownerType: { column: mediaObject.ownerType },
    kind: { column: mediaObject.kind },
    status: { column: mediaObject.status, several: true },
    // Who sees a whole organization still sees other people's papers only while they review them.
    manager: { where: (p) => sql`(${mediaObject.propertyId} is not null or ${own(p)})` },
    reviewer: {
      where: (p) =>
        sql`(${mediaObject.propertyId} is not null or ${own(p)} or (+${mediaObject.ownerType} = 'VERIFICATION' and exists (select 1 from ${verificationDocument} join ${verificationCase} on ${verificationCase.orgId} = ${verificationDocument.orgId} and ${verificationCase.id} = ${verificationDocument.caseId} where ${verificationDocument.orgId} = ${mediaObject.orgId} and ${verificationDocument.mediaObjectId} = ${mediaObject.id} and +${verificationCase.status} = 'UNDER_REVIEW')))`,
    },
  },
  ranges: { updatedSince: { column: mediaObject.updatedAt, op: '>=' } },
  scopes: {
    owner: {
      where: (p) =>
        sql`(${own(p)} or exists (select 1 from ${property} where ${property.orgId} = ${mediaObject.orgId} and ${property.id} = ${mediaObject.propertyId} and +${property.ownerUserId} = ${p}))`,
    },
    limited: { where: (p) => sql`(${own(p)} or ${mediaObject.propertyId} in (${managedBy(p)}))` },
    tenant: {
      where: (p) =>
        sql`(${own(p)} or (+${mediaObject.kind} = 'PHOTO' and +${mediaObject.status} = 'AVAILABLE' and (exists (select 1 from ${property} where ${property.orgId} = ${mediaObject.orgId} and ${property.id} = ${mediaObject.propertyId} and +${property.status} = 'PUBLISHED') or (+${mediaObject.ownerType} = 'PROPERTY' and ${mediaObject.propertyId} in ${rented(booking.propertyId, p)}) or (+${mediaObject.ownerType} = 'UNIT' and ${mediaObject.ownerId} in ${rented(booking.unitId, p)}))))`,
    },
  },
})

const copied = query('media.signedCopy', ['orgId', 'mediaObjectId'], (db, p) =>
  db
    .select({
      ownerUserId: booking.ownerUserId,
      propertyId: booking.propertyId,
      tenantUserId: booking.tenantUserId,
      requestedBy: booking.requestedBy,
    })
    .from(signedCopy)
    .innerJoin(booking, and(eq(booking.orgId, signedCopy.orgId), eq(booking.id, signedCopy.bookingId)))
    .where(and(eq(signedCopy.orgId, p.orgId), eq(signedCopy.mediaObjectId, p.mediaObjectId))),
)
const ridden = query('media.signedRider', ['orgId', 'mediaObjectId'], (db, p) =>
  db
    .select({
      ownerUserId: booking.ownerUserId,
      propertyId: booking.propertyId,
      tenantUserId: booking.tenantUserId,
      requestedBy: booking.requestedBy,
    })
    .from(rentChange)
    .innerJoin(booking, and(eq(booking.orgId, rentChange.orgId), eq(booking.id, rentChange.bookingId)))
    .where(and(eq(rentChange.orgId, p.orgId), eq(rentChange.mediaObjectId, p.mediaObjectId))),
)
const reporting = query('media.repair', ['orgId', 'mediaObjectId'], (db, p) =>
  db
    .select({
      ownerUserId: repair.ownerUserId,
      propertyId: repair.propertyId,
      tenantUserId: repair.tenantUserId,
      requestedBy: sql<null>`null`,
    })
    .from(repairEntry)
    .innerJoin(repair, and(eq(repair.orgId, repairEntry.orgId), eq(repair.id, repairEntry.repairId)))
    .where(and(eq(repairEntry.orgId, p.orgId), eq(repairEntry.mediaObjectId, p.mediaObjectId))),
)
const inspected = query('media.inspection', ['orgId', 'mediaObjectId'], (db, p) =>
  db
    .select({
      ownerUserId: inspection.ownerUserId,
      propertyId: inspection.propertyId,
      // The tenant sees an inspection once it is out for signing.
      tenantUserId: sql<string | null>`iif(${inspection.status} = 'DRAFT', null, ${inspection.tenantUserId})`,
      requestedBy: sql<null>`null`,
    })
    .from(inspectionPhoto)
    .innerJoin(
      inspection,
      and(eq(inspection.orgId, inspectionPhoto.orgId), eq(inspection.id, inspectionPhoto.inspectionId)),
    )
    .where(and(eq(inspectionPhoto.orgId, p.orgId), eq(inspectionPhoto.mediaObjectId, p.mediaObjectId))),
)
/** The parties of the leases that an object is the signed copy or rider of, and of the repairs and inspections that it is a photo of. */
export const showingTo = (db: Db, orgId: string, mediaObjectId: string) => [
  ...copied(db).all({ orgId, mediaObjectId }),
  ...ridden(db).all({ orgId, mediaObjectId }),
  ...reporting(db).all({ orgId, mediaObjectId }),
  ...inspected(db).all({ orgId, mediaObjectId }),
]

const spent = exists('media.receipt', ['orgId', 'mediaObjectId'], expense, (p) =>
  and(eq(expense.orgId, p.orgId), eq(expense.receiptMediaId, p.mediaObjectId)),
)
/**
 * Whether an object is a paper of a verification or of a lease, the receipt of an expense, or a photo of a repair or an
 * inspection, which keep it.
 */
export const isInUse = (db: Db, orgId: string, mediaObjectId: string): boolean =>
  casesOf(db, orgId, mediaObjectId).length + showingTo(db, orgId, mediaObjectId).length > 0 ||
  spent(db, { orgId, mediaObjectId })

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
