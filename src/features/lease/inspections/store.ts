import { and, asc, eq, sql } from 'drizzle-orm'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, readingBy, saving } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { inspection, inspectionPhoto, inspectionSignature } from '../../../../db/schema/inspections.ts'
import { within } from '../../../core/scope.ts'

export type { InspectedRoom } from '../../../../db/schema/inspections.ts'
export type InspectionRow = typeof inspection.$inferSelect
export const insertInspection = inserting('inspection.insert', inspection)
export const saveInspection = saving(
  'inspection',
  inspection,
  'bookingId',
  'propertyId',
  'ownerUserId',
  'tenantUserId',
  'kind',
  'startedBy',
)
export const findInspection = reading('inspection.byId', inspection)
export const inspectionOf = readingBy(
  'inspection.ofLease',
  inspection,
  inspection.orgId,
  inspection.bookingId,
  inspection.kind,
)

/** An inspection as far as the scope reaches: a tenant sees it once it is out for signing. */
export const getInspection = within(
  findInspection,
  ({ userId }, row) => row.tenantUserId === userId && row.status !== 'DRAFT',
)

export const listInspections = list({
  name: 'inspections',
  table: inspection,
  org: inspection.orgId,
  id: inspection.id,
  columns: listColumns(inspection, 'ownerUserId', 'rooms', 'meters'),
  joins: sql`left join ${booking} on ${booking.orgId} = ${inspection.orgId} and ${booking.id} = ${inspection.bookingId}`,
  computed: () => ({
    unitLabel: sql<string>`${booking.unitLabel}`,
    propertyName: sql<string>`${booking.propertyName}`,
    tenantName: sql<string>`${booking.tenantName}`,
  }),
  filters: {
    bookingId: { column: inspection.bookingId, narrow: true },
    tenantUserId: { column: inspection.tenantUserId, narrow: true },
    propertyId: { column: inspection.propertyId },
    kind: { where: (p) => sql`+${inspection.kind} = ${p}` },
    status: { column: inspection.status, several: true },
  },
  ranges: { updatedSince: { column: inspection.updatedAt, op: '>=' } },
  scopes: {
    owner: { column: inspection.ownerUserId },
    limited: ofProperty(inspection.propertyId),
    tenant: {
      column: inspection.tenantUserId,
      where: (p) => sql`${inspection.tenantUserId} = ${p} and +${inspection.status} <> 'DRAFT'`,
    },
  },
})

export type PhotoRow = typeof inspectionPhoto.$inferSelect
export const insertPhoto = inserting('inspectionPhoto.insert', inspectionPhoto)
export const findPhoto = reading('inspectionPhoto.byId', inspectionPhoto)
const photos = query('inspectionPhoto.all', ['orgId', 'inspectionId'], (db, p) =>
  db
    .select()
    .from(inspectionPhoto)
    .where(and(eq(inspectionPhoto.orgId, p.orgId), eq(inspectionPhoto.inspectionId, p.inspectionId)))
    .orderBy(asc(inspectionPhoto.id)),
)
/** The photos of an inspection, the oldest first. */
export const photosOfInspection = (db: Db, orgId: string, inspectionId: string): PhotoRow[] =>
  photos(db).all({ orgId, inspectionId })
export const deletePhoto = query('inspectionPhoto.delete', ['orgId', 'id'], (db, p) =>
  db.delete(inspectionPhoto).where(and(eq(inspectionPhoto.orgId, p.orgId), eq(inspectionPhoto.id, p.id))),
)
export type InspectionSignatureRow = typeof inspectionSignature.$inferSelect
export const insertInspectionSignature = inserting('inspectionSignature.insert', inspectionSignature)
export const saveInspectionSignature = saving(
  'inspection_signature',
  inspectionSignature,
  'inspectionId',
  'documentId',
  'sha256',
  'party',
  'userId',
  'onBehalf',
  'fullName',
  'remarks',
  'channel',
  'maskedNumber',
  'signedAt',
  'challengeId',
  'requestId',
)
const signatures = query('inspectionSignature.valid', ['orgId', 'inspectionId'], (db, p) =>
  db
    .select()
    .from(inspectionSignature)
    .where(
      and(
        eq(inspectionSignature.orgId, p.orgId),
        eq(inspectionSignature.inspectionId, p.inspectionId),
        eq(inspectionSignature.status, 'VALID'),
      ),
    )
    .orderBy(asc(inspectionSignature.id)),
)
/** The signatures of an inspection that count, in the order in which they were given. */
export const inspectionSignatures = (db: Db, orgId: string, inspectionId: string): InspectionSignatureRow[] =>
  signatures(db).all({ orgId, inspectionId })
/** Every inspection that a person signed, oldest first. */
export const inspectionSignaturesOf = query('inspectionSignature.ofUser', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(inspectionSignature)
    .where(and(eq(inspectionSignature.orgId, p.orgId), eq(inspectionSignature.userId, p.userId)))
    .orderBy(asc(inspectionSignature.id)),
)
