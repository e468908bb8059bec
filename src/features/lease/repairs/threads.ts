import type { RepairRow } from '../../../../db/schema/repairs.ts'
import { record, update } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { DAY_MS } from '../../../core/dates.ts'
import { AppError, invalid } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { ownMedia } from '../../papers/media/service.ts'
import { MOST_A_DAY, MOST_ENTRIES, MOST_PHOTOS, type Side } from './rules.ts'
import { ENTRY_LEFT, type EntryRow, entriesBy, insertEntry, saveEntry, threadOf, writtenSince } from './store.ts'

/** Whose side a caller writes for. */
export const sideOf = ({ userId }: Caller, row: Pick<RepairRow, 'tenantUserId'>): Side =>
  row.tenantUserId === userId ? 'TENANT' : 'LANDLORD'

export const flooded = (): AppError => new AppError('too_many_repairs')

/**
 * `more`: entries beyond the most that a thread takes. @throws too_many_repairs where the thread, or what the caller wrote
 * within a day, is at its most
 */
export function checkThread({ tx, caller, nowMs }: Ctx, row: RepairRow, more = 0): void {
  const today = writtenSince(tx, row.orgId, caller.userId, new Date(nowMs - DAY_MS).toISOString())
  if (threadOf(tx, row.orgId, row.id).all >= MOST_ENTRIES + more || today >= MOST_A_DAY[sideOf(caller, row)])
    throw flooded()
}

type Written = Pick<EntryRow, 'kind'> & Partial<Pick<EntryRow, 'text' | 'plannedOn' | 'mediaObjectId'>>
/** Adds to the thread of a request; a job tells the other side what concerns it. */
export function writeEntry(ctx: Ctx, row: RepairRow, entry: Written): EntryRow {
  const side = sideOf(ctx.caller, row)
  const written: EntryRow = {
    id: ctx.newId(),
    orgId: row.orgId,
    repairId: row.id,
    side,
    authorUserId: ctx.caller.userId,
    text: null,
    plannedOn: null,
    mediaObjectId: null,
    ...entry,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertEntry(ctx.tx, written)
  if (row.bookingId === null || entry.kind === 'PHOTO' || entry.kind === 'SEEN') return written
  // One message an hour is announced; the others are read with it.
  const source = entry.kind === 'MESSAGE' ? `${row.id}:${side}:${ctx.now.slice(0, 13)}` : written.id
  enqueue(ctx, entry.kind === 'MESSAGE' ? 'repair.message' : 'repair.moved', source, { entry: written.id })
  return written
}

/** One of the caller's own photos. @throws not_found, validation_failed, too_many_repairs */
export function addPhoto(ctx: Ctx, row: RepairRow, mediaObjectId: string): EntryRow {
  const file = ownMedia(ctx, mediaObjectId, 'USER')
  if (file.kind !== 'PHOTO')
    throw invalid('/mediaObjectId', 'Must be a photo (kind PHOTO).', 'Doit être une photo (kind PHOTO).')
  checkThread(ctx, row)
  if (threadOf(ctx.tx, row.orgId, row.id).photos >= MOST_PHOTOS) throw flooded()
  const entry = writeEntry(ctx, row, { kind: 'PHOTO', mediaObjectId })
  record(ctx, 'repair.photo', { type: 'repair', after: row, details: { mediaObjectId } })
  return entry
}

/** Erases the words and photos of a person in all threads; that they wrote, and when, stays. */
export function forgetEntries(ctx: Ctx, userId: string): void {
  for (const row of entriesBy(ctx.tx).all({ orgId: ctx.caller.orgId, userId })) update(ctx, saveEntry, row, ENTRY_LEFT)
}
