import type { Db } from '../../../../db/open.ts'
import { change, record } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { FILE } from '../../../core/budgets.ts'
import { next } from '../../../core/lifecycle.ts'
import { holds } from '../../../core/scope.ts'
import { FOREIGN_FORMATS, foreignFormat } from '../../../core/sheet-formats.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid, notFound, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getProperty } from '../../property/properties/store.ts'
import { findUnit, unitVisible } from '../../property/units/store.ts'
import { isOfMeter, withMeters } from './meter-photos.ts'
import type { MediaCreate, MediaPatch } from './model.ts'
import {
  fileName,
  isBloated,
  isPersonal,
  isPicture,
  isSheet,
  isSheetOf,
  KEPT,
  MAX_BYTES,
  mediaMoves,
  NO_PHOTO,
  nameWithEnding,
  type OwnerType,
  PENDING_MS,
  quotaPassed,
  THUMBNAILS,
  takes,
  thumbnailName,
  uploadName,
} from './rules.ts'
import {
  casesOf,
  deleteMedia,
  findMedia,
  insertMedia,
  isInUse,
  type MediaRow,
  photosOf,
  placePhoto,
  proven,
  saveMedia,
  showingTo,
  usageOf,
} from './store.ts'

type Files = Pick<Deps, 'db' | 'blobs' | 'images'>
/** The property that a new photo or document would belong to; undefined if the caller may not see it. */
function propertyIdOf(db: Db, { orgId, scope }: Caller, ownerType: OwnerType, ownerId: string): string | undefined {
  const unit = ownerType === 'UNIT' ? findUnit(db, orgId, ownerId) : undefined
  const property = getProperty(db, orgId, scope, unit?.propertyId ?? ownerId)
  if (!property || (ownerType === 'UNIT' && !unit)) return undefined
  return unit && !unitVisible(db, scope, property.status, unit) ? undefined : property.id
}

/** Whether a scope reaches what a file belongs to, also where an owner rents from another one. */
const isShownTo = (of: ReturnType<typeof showingTo>[number], scope: Caller['scope']): boolean =>
  holds(scope, of) || of.tenantUserId === scope.userId || (scope.kind === 'tenant' && of.requestedBy === scope.userId)

/**
 * An object as far as the caller sees it (decisions section 3): their own papers; what belongs to properties and units
 * that they see, of which tenants see the photos; an ADMIN other people's papers while a review of them is open; and a
 * landlord the proof of a payment that is theirs to confirm.
 */
export function seeMedia(db: Db, caller: Caller, id: string): MediaRow | undefined {
  const row = findMedia(db, caller.orgId, id)
  if (!row) return undefined
  // Everybody who may see a lease may see its signed copy; the same of a repair, an inspection and their photos.
  if (withMeters(db, row, showingTo(db, row.orgId, id)).some((p) => isShownTo(p, caller.scope))) return row
  if (isPersonal(row.ownerType)) {
    const reviewed = row.ownerType === 'VERIFICATION' && caller.roles.includes('ADMIN')
    const seen =
      row.ownerUserId === caller.userId ||
      (reviewed && casesOf(db, row.orgId, id).includes('UNDER_REVIEW')) ||
      (row.ownerType === 'USER' && provesTo(db, caller, id))
    return seen ? row : undefined
  }
  if (caller.scope.kind === 'tenant' && (row.kind !== 'PHOTO' || row.status !== 'AVAILABLE')) return undefined
  return propertyIdOf(db, caller, row.ownerType, row.ownerId) === undefined ? undefined : row
}

/** Whether an object is the proof of a payment that the caller, as landlord, records and confirms. */
function provesTo(db: Db, { orgId, scope }: Caller, id: string): boolean {
  if (scope.kind === 'tenant') return false
  return proven(db)
    .all({ orgId, mediaObjectId: id })
    .some((payment) => holds(scope, payment))
}

/** An object that the caller may change. @throws not_found for what they do not see, forbidden for what they only see */
export function mediaToChange(db: Db, caller: Caller, id: string): MediaRow {
  const row = seeMedia(db, caller, id)
  if (!row) throw notFound()
  if (isPersonal(row.ownerType) ? row.ownerUserId !== caller.userId : caller.scope.kind === 'tenant')
    throw new AppError('forbidden')
  return row
}

/** An uploaded file of the caller, which imports, payments and verifications may use. @throws not_found */
export function ownMedia(ctx: Ctx, id: string, ownerType?: OwnerType): MediaRow {
  const row = findMedia(ctx.tx, ctx.caller.orgId, id)
  if (row?.ownerUserId !== ctx.caller.userId || row.status !== 'AVAILABLE') throw notFound()
  if (ownerType !== undefined && row.ownerType !== ownerType) throw notFound()
  return row
}

/** The caller's own file that people can look at. @throws not_found, validation_failed for a sheet, named by `member` */
export function ownPaper(ctx: Ctx, id: string, member: string, ownerType?: OwnerType): MediaRow {
  const row = ownMedia(ctx, id, ownerType)
  if (isSheet(row.contentType)) throw invalid(member, 'Must be a picture or a PDF.', 'Doit être une image ou un PDF.')
  return row
}

/** Announces a file. @throws not_found, forbidden, validation_failed, quota_exceeded, photos_unavailable */
export function createMedia(
  ctx: Ctx,
  { images, clock }: Pick<Deps, 'images' | 'clock'>,
  { ownerType, ownerId, kind, filename, contentType, sizeBytes }: MediaCreate,
): MediaRow {
  const { orgId, userId, scope } = ctx.caller
  const personal = isPersonal(ownerType)
  const propertyId = personal ? null : propertyIdOf(ctx.tx, ctx.caller, ownerType, ownerId)
  if (propertyId === undefined || (personal && ownerId !== userId)) throw notFound()
  if (!personal && scope.kind === 'tenant') throw new AppError('forbidden')
  if (!takes(kind, contentType, ownerType))
    throw kind === 'PHOTO'
      ? invalid('/contentType', NO_PHOTO.en, NO_PHOTO.fr)
      : invalid('/contentType', 'Sheets are for ownerType USER only.', 'Les tableaux : ownerType USER seulement.')
  if (sizeBytes > MAX_BYTES[kind])
    throw invalid('/sizeBytes', `Must be at most ${MAX_BYTES[kind]}.`, `Doit être au plus ${MAX_BYTES[kind]}.`)
  if (kind === 'PHOTO' && !images.available) throw new AppError('photos_unavailable', undefined, { retryAfter: 3600 })
  const passed = quotaPassed(scope.kind === 'limited' ? 'owner' : scope.kind, usageOf(ctx.tx, orgId, userId), sizeBytes)
  if (passed) throw new AppError('quota_exceeded', passed)
  const row: MediaRow = {
    id: ctx.newId(),
    orgId,
    ownerType,
    ownerId,
    ownerUserId: userId,
    propertyId,
    kind,
    filename: nameWithEnding(filename, contentType),
    contentType,
    sizeBytes,
    sha256: null,
    status: 'PENDING',
    purgeAt: clock.wall() + PENDING_MS,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
    position: null,
  }
  insertMedia(ctx.tx, row)
  record(ctx, 'media.create', { type: 'media', after: row })
  return row
}

/** A PENDING object for which the caller may have a new upload link. @throws not_found, forbidden, invalid_state */
export function mediaToUpload(ctx: Ctx, id: string): MediaRow {
  const row = mediaToChange(ctx.tx, ctx.caller, id)
  if (row.status !== 'PENDING') throw refused(row.status, [])
  return row
}

export type Stored = { readonly sizeBytes: number; readonly sha256: string }

/**
 * Checks an uploaded file and stores it for good; a photo is encoded again and gets thumbnails. Undefined if that
 * has been done before. @throws not_found, forbidden, upload_missing, content_mismatch
 */
export async function prepareCompletion(files: Files, caller: Caller, id: string): Promise<Stored | undefined> {
  const row = mediaToChange(files.db, caller, id)
  if (row.status === 'AVAILABLE') return undefined
  return files.images.inTurn(async () => {
    try {
      return await store(files, row)
    } catch (e) {
      // A file with the wrong content is deleted at once, so that it uses no space until the next upload.
      if (e instanceof AppError && e.code === 'content_mismatch')
        await files.blobs.remove(id, (name) => name === uploadName(id))
      throw e
    }
  })
}

async function store({ blobs, images }: Files, row: MediaRow): Promise<Stored> {
  const upload = await blobs.open(uploadName(row.id))
  if (!upload) throw new AppError('upload_missing')
  const bytes = await upload.bytes()
  const inspected = images.inspect(bytes)
  const sheet = isSheet(row.contentType) && !inspected && isSheetOf(row.contentType, bytes)
  const detected = sheet ? { contentType: row.contentType, width: 0, height: 0, whole: true } : inspected
  if (bytes.byteLength !== row.sizeBytes || detected?.contentType !== row.contentType || !detected.whole) {
    const format = isSheet(row.contentType) ? foreignFormat(bytes) : undefined
    throw new AppError('content_mismatch', format && FOREIGN_FORMATS[format])
  }
  const picture = isPicture(row.contentType)
  if (picture && (detected.width < 1 || detected.height < 1)) throw new AppError('content_mismatch')
  if (detected.width * detected.height > FILE.pixels || Math.max(detected.width, detected.height) > FILE.side)
    throw new AppError('content_mismatch', {
      en: 'The picture is too large: at most 50 megapixels and 12,000 pixels a side.',
      fr: 'L’image est trop grande : au plus 50 mégapixels et 12 000 pixels de côté.',
    })
  if (row.kind === 'PHOTO' && isBloated(detected.width * detected.height, bytes.byteLength))
    throw new AppError('content_mismatch', {
      en: 'The file is far too small for a picture of this size.',
      fr: 'Le fichier est bien trop petit pour une image de cette taille.',
    })
  const photo = row.kind === 'PHOTO' ? await images.prepare(bytes, THUMBNAILS, FILE.pixels) : { bytes, thumbnails: {} }
  if (!photo) throw new AppError('content_mismatch')
  const stored = await blobs.receive(photo.bytes, Number.POSITIVE_INFINITY)
  await stored.keep(fileName(row.id, stored.sha256))
  for (const size of THUMBNAILS) {
    const thumbnail = (photo.thumbnails as Readonly<Record<string, Uint8Array>>)[size]
    if (!thumbnail) continue
    await (await blobs.receive(thumbnail, Number.POSITIVE_INFINITY)).keep(thumbnailName(row.id, stored.sha256, size))
  }
  return stored
}

/** PENDING to AVAILABLE, with the bytes that `prepareCompletion` stored; doing it twice changes nothing. */
export function completeMedia(ctx: Ctx, id: string, stored: Stored | AppError | undefined): MediaRow {
  const before = mediaToChange(ctx.tx, ctx.caller, id)
  if (next(mediaMoves, before.status, 'complete').kind === 'already') return before
  if (stored instanceof AppError) throw stored
  if (!stored) throw new AppError('upload_missing')
  const { sizeBytes, sha256 } = stored
  const complete = { status: 'AVAILABLE', sizeBytes, sha256, purgeAt: null } as const
  const after = change(ctx, saveMedia, before, complete, 'media.complete')
  enqueue(ctx, 'media.completed', id)
  return after
}

/**
 * Moves a photo to a place among the photos of its owner: the others are numbered around it. @throws not_found,
 * forbidden, validation_failed for what is no photo of a property or unit
 */
export function moveMedia(ctx: Ctx, id: string, { position }: MediaPatch): MediaRow {
  const before = mediaToChange(ctx.tx, ctx.caller, id)
  if (position === undefined || position === before.position) return before
  if (before.kind !== 'PHOTO' || before.propertyId === null)
    throw invalid(
      '/position',
      'Only photos of properties and units have a place.',
      'Seules les photos de biens et de logements ont une place.',
    )
  const others = position === null ? [] : photosOf(ctx.tx, before).filter((other) => other.id !== id)
  for (const [at, other] of others.entries()) {
    const place = at < Number(position) ? at : at + 1
    if (other.position !== place) placePhoto(ctx, other.id, place)
  }
  return change(ctx, saveMedia, before, { position }, 'media.move')
}

/** Forgets an object; its links die at once, its files in a job. @throws not_found, forbidden, invalid_state */
export function removeMedia(ctx: Ctx, id: string): void {
  const row = mediaToChange(ctx.tx, ctx.caller, id)
  if (proven(ctx.tx).all({ orgId: row.orgId, mediaObjectId: id }).length > 0)
    throw new AppError(
      'invalid_state',
      {
        en: 'This file is the proof of a payment and is kept with it.',
        fr: 'Ce fichier est la preuve d’un paiement : il doit être conservé avec lui.',
      },
      { currentStatus: row.status, allowed: [] },
    )
  const inUse = isInUse(ctx.tx, ctx.caller.orgId, id) || isOfMeter(ctx, id)
  if (inUse) throw new AppError('invalid_state', KEPT, { currentStatus: row.status, allowed: [] })
  forget(ctx, row)
}

/** Forgets an upload that nobody completed in time; one completed meanwhile stays. */
export function purgeMedia(ctx: Ctx, id: string): boolean {
  const row = findMedia(ctx.tx, ctx.caller.orgId, id)
  if (row?.status === 'PENDING') forget(ctx, row)
  return true
}

/** Forgets a file whose owner is forgotten, unless it is a paper of a verification that stays, or the signed copy of a lease. */
export function forgetFile(ctx: Ctx, id: string): void {
  const row = findMedia(ctx.tx, ctx.caller.orgId, id)
  if (row && !isInUse(ctx.tx, ctx.caller.orgId, id) && !isOfMeter(ctx, id)) forget(ctx, row)
}

function forget(ctx: Ctx, row: MediaRow): void {
  deleteMedia(ctx.tx).run({ orgId: row.orgId, id: row.id })
  record(ctx, 'media.delete', { type: 'media', before: row })
  enqueue(ctx, 'media.deleted', row.id)
}

/** The file that a download link is asked for. @throws not_found, invalid_state */
export function mediaToDownload(db: Db, caller: Caller, id: string): MediaRow {
  const row = seeMedia(db, caller, id)
  if (!row) throw notFound()
  if (row.status !== 'AVAILABLE') throw refused(row.status, ['complete'])
  return row
}
export function recordView(ctx: Ctx, id: string): MediaRow {
  const after = mediaToDownload(ctx.tx, ctx.caller, id)
  record(ctx, 'media.view', { type: 'media', after })
  return after
}

/** The bytes of a stored file, opened only when streamed; empty if it was deleted in the meantime. */
export async function* streamFile(blobs: Deps['blobs'], name: string): AsyncGenerator<Uint8Array> {
  const file = await blobs.open(name)
  if (file) yield* (await file.part(0, file.sizeBytes - 1)).stream()
}
