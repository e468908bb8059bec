import type { Db } from '../../../../db/open.ts'
import type { RepairRow } from '../../../../db/schema/repairs.ts'
import { change, record, visible } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { RECORDS } from '../../../core/budgets.ts'
import { addDays, addMonths } from '../../../core/dates.ts'
import { next } from '../../../core/lifecycle.ts'
import { CURRENCY } from '../../../core/money.ts'
import { holds } from '../../../core/scope.ts'
import { AppError, invalid, notFound, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { propertyOf } from '../../property/properties/service.ts'
import { unitOf } from '../../property/units/service.ts'
import { findBooking, partyBooking } from '../leases/store.ts'
import type {
  Cost,
  RepairCreate,
  RepairDone,
  RepairEntryCreate,
  RepairPatch,
  RepairPlan,
  RepairReason,
} from './model.ts'
import type { EntryKind, Side } from './rules.ts'
import { MOST_OPEN, MOST_REOPENED, REOPEN_DAYS, type RepairAction, repairMoves } from './rules.ts'
import {
  countRepairs,
  type EntryRow,
  getRepair,
  insertRepair,
  namesOf,
  REPAIR_LEFT,
  reportedBy,
  saveRepair,
  threadOf,
} from './store.ts'
import { addPhoto, checkThread, flooded, forgetEntries, sideOf, writeEntry } from './threads.ts'

/** A day that somebody comes lies within so many months. */
const PLANNED_MONTHS = 12
/** A full thread takes this many moves more, so that its request can be closed. */
const MOVES_MORE = 100

/** Whether a caller sees a request as its landlord: a tenant alone does not see what it cost. */
export const isLandlord = ({ scope }: Caller, row: RepairRow): boolean => holds(scope, row)
/** A request with the names of its places. @throws not_found */
export function named(db: Db, row: RepairRow) {
  const names = namesOf(db, row)
  if (!names) throw notFound()
  return { ...row, ...names }
}

/** A request within the caller's reach. @throws not_found */
const repairOf = visible(getRepair)
/** A request that the caller handles as landlord. @throws not_found, forbidden */
function handled(ctx: Ctx, id: string): RepairRow {
  const row = repairOf(ctx, id)
  if (!isLandlord(ctx.caller, row)) throw new AppError('forbidden')
  return row
}

/** The tenant of a lease that is over reads what there is, and adds nothing. @throws invalid_state */
function checkRunning(ctx: Ctx, row: Pick<RepairRow, 'orgId' | 'bookingId'>, side: Side): void {
  if (side === 'LANDLORD' || row.bookingId === null) return
  const status = findBooking(ctx.tx, row.orgId, row.bookingId)?.status ?? 'CANCELLED'
  if (status !== 'ACTIVE') throw refused(status, [])
}

/** The unit that a new request is about, and the lease whose tenant sees it. */
function placeOf(ctx: Ctx, { bookingId, unitId }: RepairCreate) {
  const { tx, caller } = ctx
  if (bookingId) {
    if (unitId) throw invalid('/unitId', 'Leave it out: the lease says it.', 'Ne le donnez pas : le bail le dit.')
    const lease = partyBooking(tx, caller.orgId, caller.scope, bookingId)
    // Somebody who only asked for the unit has no lease of it.
    if (!lease || (caller.scope.kind === 'tenant' && lease.tenantUserId !== caller.userId)) throw notFound()
    if (lease.status !== 'ACTIVE') throw refused(lease.status, [])
    const { propertyId, ownerUserId, tenantUserId } = lease
    return { unitId: lease.unitId, propertyId, ownerUserId, bookingId: lease.id, tenantUserId }
  }
  if (caller.scope.kind === 'tenant' || !unitId)
    throw invalid('/bookingId', 'Say which lease it is about.', 'Indiquez le bail concerné.')
  const unit = unitOf(ctx, unitId)
  const property = propertyOf(ctx, unit.propertyId)
  return {
    unitId: unit.id,
    propertyId: property.id,
    ownerUserId: property.ownerUserId,
    bookingId: null,
    tenantUserId: null,
  }
}

/**
 * A new request, with its first photos. @throws not_found, invalid_state, validation_failed, quota_exceeded, too_many_repairs
 */
export function createRepair(ctx: Ctx, body: RepairCreate): RepairRow {
  const { orgId, userId } = ctx.caller
  const place = placeOf(ctx, body)
  const side = sideOf(ctx.caller, place)
  const there = countRepairs(ctx.tx, { orgId, ...place })
  if (there.all >= RECORDS.repairs[side])
    throw new AppError('quota_exceeded', {
      en: `The maximum of ${there.all} requests is reached, and no more can be entered. Call the other side.`,
      fr: `Il y a déjà eu ${there.all} demandes ici, et aucune autre ne peut être saisie. Convenez-en par téléphone.`,
    })
  if (there.open >= MOST_OPEN[side])
    throw new AppError('too_many_repairs', {
      en: `There are already ${MOST_OPEN[side]} open requests here. Add a message to one of them.`,
      fr: `Il y a déjà ${MOST_OPEN[side]} demandes en cours ici. Complétez l’une d’elles.`,
    })
  const row: RepairRow = {
    id: ctx.newId(),
    orgId,
    ...place,
    reportedBy: userId,
    title: body.title,
    description: body.description ?? null,
    category: body.category ?? 'OTHER',
    urgency: body.urgency ?? 'NORMAL',
    status: 'OPEN',
    plannedOn: null,
    doneOn: null,
    refusalReason: null,
    costAmount: null,
    costCurrency: null,
    costKind: null,
    costOn: null,
    closedAt: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertRepair(ctx.tx, row)
  record(ctx, 'repair.create', { type: 'repair', after: row })
  for (const mediaObjectId of body.mediaObjectIds ?? []) addPhoto(ctx, row, mediaObjectId)
  if (row.bookingId !== null) enqueue(ctx, 'repair.reported', row.id, { side })
  return row
}

/** The members of a patch that say what a repair cost. @throws validation_failed */
function costOf(ctx: Ctx, before: RepairRow, { costAmount, costKind, costOn }: Cost) {
  const today = todayOf(ctx)
  if (costAmount === undefined && costKind === undefined && costOn === undefined) return {}
  const amount = costAmount === undefined ? before.costAmount : costAmount
  if (amount === null) {
    if (costKind || costOn) throw invalid('/costAmount', 'Say how much it was.', 'Indiquez le montant de la dépense.')
    return { costAmount: null, costCurrency: null, costKind: null, costOn: null }
  }
  const on = (costOn === undefined ? before.costOn : costOn) ?? today
  if (on > today) throw invalid('/costOn', 'Cannot be in the future.', 'Ne peut pas être dans le futur.')
  return {
    costAmount: amount,
    costCurrency: CURRENCY,
    costKind: costKind === undefined ? before.costKind : costKind,
    costOn: on,
  }
}

/** Changes what a request says of itself, and what it cost. @throws not_found, forbidden, validation_failed */
export function updateRepair(ctx: Ctx, id: string, body: RepairPatch): RepairRow {
  const before = handled(ctx, id)
  const { title = before.title, category = before.category, urgency = before.urgency } = body
  const patch = { title, category, urgency, ...costOf(ctx, before, body) }
  const same = Object.entries(patch).every(([name, value]) => before[name as keyof typeof patch] === value)
  return same ? before : change(ctx, saveRepair, before, patch, 'repair.update')
}

type Move = Partial<Pick<RepairRow, 'plannedOn' | 'doneOn' | 'refusalReason' | 'costAmount'>>
type Said = { readonly text?: string | null | undefined; readonly plannedOn?: string }

/**
 * Moves a request and records that in its thread. The status that it already has changes nothing, except for another
 * planned day.
 */
function move(ctx: Ctx, before: RepairRow, action: RepairAction, patch: Move, { text, plannedOn }: Said): RepairRow {
  const step = next(repairMoves, before.status, action)
  if (step.kind === 'already') return before
  if (step.kind === 'refused') throw refused(before.status, step.allowed)
  if (action === 'plan' && before.plannedOn === plannedOn && before.status === 'PLANNED' && !text) return before
  checkThread(ctx, before, MOVES_MORE)
  const over = step.to === 'DONE' || step.to === 'REFUSED'
  const after = change(
    ctx,
    saveRepair,
    before,
    { plannedOn: null, doneOn: null, refusalReason: null, closedAt: over ? ctx.now : null, ...patch, status: step.to },
    `repair.${action}`,
  )
  const kind = action === 'reopen' ? 'REOPENED' : (step.to as Exclude<EntryKind, 'MESSAGE' | 'PHOTO'>)
  writeEntry(ctx, after, { kind, text: text ?? null, plannedOn: plannedOn ?? null })
  return after
}

export const seeRepair = (ctx: Ctx, id: string): RepairRow => {
  const row = handled(ctx, id)
  // Planning a request implies that it was seen.
  return row.status === 'PLANNED' ? row : move(ctx, row, 'see', {}, {})
}
export function planRepair(ctx: Ctx, id: string, { plannedOn, text }: RepairPlan): RepairRow {
  const row = handled(ctx, id)
  const today = todayOf(ctx)
  if (plannedOn < today || plannedOn > addMonths(today, PLANNED_MONTHS))
    throw invalid(
      '/plannedOn',
      'Must be today or later, within a year.',
      'Doit être aujourd’hui ou après, d’ici un an.',
    )
  return move(ctx, row, 'plan', { plannedOn }, { text, plannedOn })
}
export function finishRepair(ctx: Ctx, id: string, { doneOn, text, ...cost }: RepairDone): RepairRow {
  const row = handled(ctx, id)
  const today = todayOf(ctx)
  if (doneOn && doneOn > today) throw invalid('/doneOn', 'Cannot be in the future.', 'Ne peut pas être dans le futur.')
  return move(ctx, row, 'finish', { doneOn: doneOn ?? today, ...costOf(ctx, row, cost) }, { text })
}
export const refuseRepair = (ctx: Ctx, id: string, { reason }: RepairReason): RepairRow =>
  move(ctx, handled(ctx, id), 'refuse', { refusalReason: reason }, { text: reason })

/** By the landlord at any time, by the tenant for some weeks. @throws not_found, invalid_state, too_many_repairs */
export function reopenRepair(ctx: Ctx, id: string, { reason }: RepairReason): RepairRow {
  const row = repairOf(ctx, id)
  const side = sideOf(ctx.caller, row)
  checkRunning(ctx, row, side)
  const last = row.closedAt?.slice(0, 10)
  if (side === 'TENANT' && last !== undefined && addDays(last, REOPEN_DAYS) < todayOf(ctx))
    throw new AppError(
      'invalid_state',
      {
        en: `This request was closed more than ${REOPEN_DAYS} days ago. Create a new one.`,
        fr: `Elle est close depuis plus de ${REOPEN_DAYS} jours. Faites une nouvelle demande.`,
      },
      { currentStatus: row.status, allowed: [] },
    )
  if (side === 'TENANT' && threadOf(ctx.tx, row.orgId, id).reopened >= MOST_REOPENED) throw flooded()
  return move(ctx, row, 'reopen', {}, { text: reason })
}

/**
 * A message or a photo of one of the parties. @throws not_found, invalid_state, validation_failed, too_many_repairs
 */
export function addEntry(ctx: Ctx, id: string, { text, mediaObjectId }: RepairEntryCreate): EntryRow {
  const row = repairOf(ctx, id)
  checkRunning(ctx, row, sideOf(ctx.caller, row))
  if ((text ?? null) === null) {
    if (mediaObjectId) return addPhoto(ctx, row, mediaObjectId)
    throw invalid('/text', 'Write something, or add a photo.', 'Écrivez quelque chose, ou joignez une photo.')
  }
  if (mediaObjectId)
    throw invalid('/mediaObjectId', 'One at a time: a message or a photo.', 'Un message ou une photo à la fois.')
  checkThread(ctx, row)
  const entry = writeEntry(ctx, row, { kind: 'MESSAGE', text: text ?? null })
  record(ctx, 'repair.message', { type: 'repair', after: row })
  return entry
}

/**
 * Erases what a person wrote and showed: words and photos of threads, and what they said of their own requests. The dates,
 * the state and the cost of a repair stay with the landlord's books.
 */
export function forgetRepairs(ctx: Ctx, userId: string, words: string): void {
  const { orgId } = ctx.caller
  for (const row of reportedBy(ctx.tx, orgId, userId))
    change(ctx, saveRepair, row, { ...REPAIR_LEFT, title: words }, 'repair.erase')
  forgetEntries(ctx, userId)
}
