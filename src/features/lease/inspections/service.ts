import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { change, record, update, visible } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { holds } from '../../../core/scope.ts'
import { AppError, hold, invalid, notFound, refused } from '../../../errors.ts'
import { ownMedia } from '../../papers/media/service.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { findUnit } from '../../property/units/store.ts'
import { bookingOf } from '../leases/service.ts'
import { findBooking } from '../leases/store.ts'
import type { InspectionCreate, InspectionPatch, InspectionPhotoAdd } from './model.ts'
import { compared, dayRule, deductionsOf, MOST_PHOTOS, roomsProblem, toCheck } from './rules.ts'
import {
  deletePhoto,
  findPhoto,
  getInspection,
  type InspectedRoom,
  type InspectionRow,
  type InspectionSignatureRow,
  insertInspection,
  insertInspectionSignature,
  insertPhoto,
  inspectionOf,
  inspectionSignatures,
  type PhotoRow,
  photosOfInspection,
  saveInspection,
  saveInspectionSignature,
} from './store.ts'
import { ROOMS } from './texts.ts'

/** The signed inspection of the beginning that one of the end is compared with. */
export const entryOf = (db: Db, { orgId, bookingId, kind }: InspectionRow): InspectionRow | undefined => {
  const entry = kind === 'EXIT' ? inspectionOf(db, orgId, bookingId, 'ENTRY') : undefined
  return entry?.status === 'SIGNED' ? entry : undefined
}

/** The scan of the paper signed by hand: a picture of the inspection as a whole. */
export const scanOf = (db: Db, { orgId, id }: InspectionRow): PhotoRow | undefined =>
  photosOfInspection(db, orgId, id).find(({ place }) => place === id)

/** Keeps that scan, with which the inspection is signed. */
export function keepScan(ctx: Ctx, before: InspectionRow, mediaObjectId: string, sha256: string): InspectionRow {
  const { id, orgId, documentId } = before
  const { userId: addedBy } = ctx.caller
  const scan = { id: ctx.newId(), orgId, inspectionId: id, place: id, mediaObjectId, sha256, addedBy }
  insertPhoto(ctx.tx, { ...scan, createdAt: ctx.now })
  const patch = { status: 'SIGNED', documentId, signedAt: ctx.now } as const
  return moveInspection(ctx, before, patch, 'inspection.signed_copy', { mediaObjectId, sha256 })
}

/** An inspection with all that its readers see beside it. @throws not_found */
export function whole(db: Db, row: InspectionRow) {
  const lease = findBooking(db, row.orgId, row.bookingId)
  if (!lease) throw notFound()
  const { unitLabel, propertyName, tenantName } = lease
  const signatures = inspectionSignatures(db, row.orgId, row.id)
  const signedCopyMediaId = scanOf(db, row)?.mediaObjectId
  return { ...row, signedCopyMediaId, unitLabel, propertyName, tenantName, entry: entryOf(db, row), signatures }
}

/** An inspection within the caller's reach. @throws not_found */
export const inspectionFor = visible(getInspection)
export const isLandlord = ({ scope }: Caller, row: InspectionRow): boolean => holds(scope, row)
/** An inspection that the caller fills in as landlord. @throws not_found, forbidden, invalid_state */
export function draftOf(ctx: Ctx, id: string): InspectionRow {
  const row = inspectionFor(ctx, id)
  if (!isLandlord(ctx.caller, row)) throw new AppError('forbidden')
  if (row.status !== 'DRAFT') throw refused(row.status, row.status === 'PROPOSED' ? ['revise'] : [])
  return row
}

/** Rooms to begin with, by what is known of the unit. */
function usualRooms(ctx: Ctx, { orgId, unitId, locale }: BookingRow): InspectedRoom[] {
  const t = ROOMS[locale]
  const unit = findUnit(ctx.tx, orgId, unitId)
  const many = (n: number | null | undefined): number[] =>
    Array.from({ length: Math.min(Math.max(n ?? 1, 1), 8) }, (_, i) => i + 1)
  const [beds, baths] = [many(unit?.bedrooms), many(unit?.bathrooms)]
  const named: [string, readonly string[]][] = [
    [t.living, t.room],
    ...beds.map((n): [string, readonly string[]] => [t.bedroom(n, beds.length), t.room]),
    [t.kitchen, [...t.room, ...t.water, ...t.kitchens]],
    ...baths.map((n): [string, readonly string[]] => [
      t.bathroom(n, baths.length),
      [...t.room, ...t.water, ...t.bathrooms],
    ]),
    [t.outside, t.outsides],
  ]
  return named.map(([name, items]) => ({
    id: ctx.newId(),
    name,
    items: items.map((item) => ({ id: ctx.newId(), name: item, state: 'NOT_CHECKED' as const })),
  }))
}

/** @throws validation_failed for a day to come */
function checkDay(ctx: Ctx, inspectedOn: string): void {
  hold(dayRule({ inspectedOn }, todayOf(ctx)))
}

/** A DRAFT with the usual rooms, or those of the beginning; one of each kind in a lease. @throws not_found, invalid_state, duplicate */
export function createInspection(ctx: Ctx, { bookingId, kind, inspectedOn }: InspectionCreate): InspectionRow {
  const lease = bookingOf(ctx, bookingId)
  const allowed: readonly BookingRow['status'][] = kind === 'ENTRY' ? ['PENDING', 'ACTIVE'] : ['ACTIVE', 'TERMINATED']
  if (!allowed.includes(lease.status)) throw refused(lease.status, [])
  if (inspectionOf(ctx.tx, lease.orgId, bookingId, kind))
    throw new AppError('duplicate', {
      en: 'This lease already has an inspection of this kind.',
      fr: 'Ce bail a déjà cet état des lieux.',
    })
  const on = inspectedOn ?? todayOf(ctx)
  checkDay(ctx, on)
  const entry = kind === 'EXIT' ? inspectionOf(ctx.tx, lease.orgId, bookingId, 'ENTRY') : undefined
  const row: InspectionRow = {
    id: ctx.newId(),
    orgId: lease.orgId,
    bookingId,
    propertyId: lease.propertyId,
    ownerUserId: lease.ownerUserId,
    tenantUserId: lease.tenantUserId,
    kind,
    status: 'DRAFT',
    inspectedOn: on,
    rooms: entry ? toCheck(entry.rooms) : usualRooms(ctx, lease),
    meters: [],
    keyCount: null,
    note: null,
    documentId: null,
    startedBy: ctx.caller.userId,
    proposedAt: null,
    signedAt: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertInspection(ctx.tx, row)
  record(ctx, 'inspection.create', { type: 'inspection', after: row })
  return row
}

/** @throws not_found, forbidden, invalid_state, validation_failed */
export function updateInspection(ctx: Ctx, id: string, body: InspectionPatch): InspectionRow {
  const before = draftOf(ctx, id)
  const patch = {
    inspectedOn: body.inspectedOn ?? before.inspectedOn,
    rooms: body.rooms ?? before.rooms,
    meters: body.meters ?? before.meters,
    keyCount: body.keyCount === undefined ? before.keyCount : body.keyCount,
    note: body.note === undefined ? before.note : body.note,
  }
  checkDay(ctx, patch.inspectedOn)
  const wrong = roomsProblem(patch.rooms, before.kind)
  if (wrong !== undefined)
    throw invalid(
      wrong,
      'An item is given twice, there are too many items, or an ENTRY inspection has a deduction.',
      'En double, en trop, ou une retenue dans un état des lieux d’entrée.',
    )
  const { inspectedOn, rooms, meters, keyCount, note } = before
  if (isDeepStrictEqual(patch, { inspectedOn, rooms, meters, keyCount, note })) return before
  return change(ctx, saveInspection, before, patch, 'inspection.update')
}

/** A step of an inspection: the trail names it. */
export const moveInspection = (
  ctx: Ctx,
  before: InspectionRow,
  patch: Pick<InspectionRow, 'status' | 'documentId'> & Partial<Pick<InspectionRow, 'proposedAt' | 'signedAt'>>,
  action: string,
  details?: Readonly<Record<string, string>>,
): InspectionRow => change(ctx, saveInspection, before, patch, action, details)

/** Signatures of a text that is taken back. @returns how many there were */
export function voidInspectionSignatures(ctx: Ctx, { orgId, id }: InspectionRow): number {
  const all = inspectionSignatures(ctx.tx, orgId, id)
  for (const row of all) update(ctx, saveInspectionSignature, row, { status: 'VOID', voidedAt: ctx.now })
  return all.length
}

/** A party's signature under the paper that is out. @returns the inspection after it, and all signatures that count */
export function addInspectionSignature(ctx: Ctx, before: InspectionRow, signature: InspectionSignatureRow) {
  insertInspectionSignature(ctx.tx, signature)
  const { party, onBehalf, documentId, sha256 } = signature
  const after = change(ctx, saveInspection, before, {}, 'inspection.sign', { party, onBehalf, documentId, sha256 })
  return { after, signatures: inspectionSignatures(ctx.tx, before.orgId, before.id) }
}

/** One of the caller's own photos, at a room or an item. @throws what `draftOf` does; validation_failed, too_many_photos, duplicate */
export function addInspectionPhoto(
  ctx: Ctx,
  id: string,
  { place, mediaObjectId }: InspectionPhotoAdd,
): PhotoRow & { version: 1 } {
  const row = draftOf(ctx, id)
  if (!row.rooms.some((room) => room.id === place || room.items.some((item) => item.id === place)))
    throw invalid('/place', 'Nothing here has this id.', 'Rien ici ne porte cet identifiant.')
  const file = ownMedia(ctx, mediaObjectId, 'USER')
  if (file.kind !== 'PHOTO' || file.sha256 === null)
    throw invalid('/mediaObjectId', 'Must be a photo (kind PHOTO).', 'Doit être une photo (kind PHOTO).')
  const there = photosOfInspection(ctx.tx, row.orgId, id)
  if (there.some((photo) => photo.mediaObjectId === mediaObjectId)) throw new AppError('duplicate')
  if (there.length >= MOST_PHOTOS) throw new AppError('too_many_photos')
  const photo: PhotoRow = {
    id: ctx.newId(),
    orgId: row.orgId,
    inspectionId: id,
    place,
    mediaObjectId,
    sha256: file.sha256,
    addedBy: ctx.caller.userId,
    createdAt: ctx.now,
  }
  insertPhoto(ctx.tx, photo)
  record(ctx, 'inspection.photo', { type: 'inspection', after: row, details: { mediaObjectId } })
  return { ...photo, version: 1 }
}

/** @throws what `draftOf` does */
export function removeInspectionPhoto(ctx: Ctx, id: string, photoId: string): true {
  const row = draftOf(ctx, id)
  const photo = findPhoto(ctx.tx, row.orgId, photoId)
  if (photo?.inspectionId !== id) throw notFound()
  deletePhoto(ctx.tx).run({ orgId: row.orgId, id: photoId })
  record(ctx, 'inspection.photo_removed', {
    type: 'inspection',
    after: row,
    details: { mediaObjectId: photo.mediaObjectId },
  })
  return true
}

/** What the inspection at the end of a lease proposes to keep of the deposit, as far as the caller sees it; francs. */
export function proposedDeductions(db: Db, { orgId, scope }: Caller, bookingId: string) {
  const exit = inspectionOf(db, orgId, bookingId, 'EXIT')
  const row = exit && getInspection(db, orgId, scope, exit.id)
  if (!row) return { bookingId, totalAmount: 0, items: [] }
  const all = deductionsOf(compared(row.rooms, entryOf(db, row)?.rooms))
  return {
    bookingId,
    inspectionId: row.id,
    status: row.status,
    totalAmount: all.reduce((sum, { deduction }) => sum + deduction, 0),
    items: all.map(({ room, name, before, state, note, deduction }) => ({
      room,
      item: name,
      ...(before === undefined ? {} : { before }),
      state,
      ...(note === undefined ? {} : { note }),
      amount: deduction,
    })),
  }
}
