import { isDeepStrictEqual } from 'node:util'
import { change, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { addMonths } from '../../../core/dates.ts'
import { next } from '../../../core/lifecycle.ts'
import { CURRENCY } from '../../../core/money.ts'
import { AppError, hold, invalid, notFound, refused, refusedAt } from '../../../errors.ts'
import { findRepair } from '../../lease/repairs/store.ts'
import { ownPaper } from '../../papers/media/service.ts'
import { checkRoom, takeRepeated } from '../../people/organizations/quotas.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { propertyOf } from '../../property/properties/service.ts'
import { findProperty } from '../../property/properties/store.ts'
import { findUnit } from '../../property/units/store.ts'
import type { ExpenseCreate, ExpensePatch } from './model.ts'
import { expenseMoves, expenseRule, nextOn, taxRule, YEARS } from './rules.ts'
import { type ExpenseRow, findExpense, getExpense, insertExpense, isRepairPaid, saveExpense } from './store.ts'

/** An expense that the caller may change: an owner not what the management paid. @throws not_found, forbidden */
function expenseOf(ctx: Ctx, id: string): ExpenseRow {
  const row = getExpense(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id)
  if (!row) throw notFound()
  if (ctx.caller.scope.kind === 'owner' && row.paidBy !== 'OWNER') throw new AppError('forbidden')
  return row
}

/** @throws validation_failed for a receipt, unit, day or series that does not fit */
function check(ctx: Ctx, row: ExpenseRow, before?: ExpenseRow): void {
  const { propertyId, unitId, spentOn, receiptMediaId, repeatUntil } = row
  if (unitId !== null && findUnit(ctx.tx, row.orgId, unitId)?.propertyId !== propertyId)
    throw invalid('/unitId', 'It is no unit of this property.', 'Ce logement n’est pas de ce bien.')
  hold((spentOn === before?.spentOn ? taxRule : expenseRule)(row, todayOf(ctx)))
  if (ctx.caller.scope.kind === 'owner' && row.paidBy !== 'OWNER')
    throw invalid(
      '/paidBy',
      'Only the management can record what it paid itself.',
      'Seule la gestion indique ce qu’elle a payé elle-même.',
    )
  if (receiptMediaId !== null && receiptMediaId !== before?.receiptMediaId) {
    const file = ownPaper(ctx, receiptMediaId, '/receiptMediaId')
    if (file.propertyId !== propertyId || file.kind !== 'DOCUMENT')
      throw invalid(
        '/receiptMediaId',
        'Upload it for this property, as a document.',
        'Envoyez ce fichier pour ce bien, comme document.',
      )
  }
  if (repeatUntil === null) return
  if (row.repeatOf !== null)
    throw invalid('/repeat', 'It is of a series already.', 'Cette dépense fait déjà partie d’une série.')
  if (repeatUntil <= spentOn || repeatUntil > addMonths(spentOn, 12 * YEARS))
    throw invalid(
      '/repeat/until',
      `Must be after the first day and within ${YEARS} years.`,
      `Après le premier jour, et au plus ${YEARS} ans plus tard.`,
    )
}

/** What was charged on to tenants stays as it was. @throws invalid_state */
function checkOpen({ regularisationId, status }: ExpenseRow): void {
  if (regularisationId === null) return
  throw new AppError(
    'invalid_state',
    {
      en: 'This expense was charged on to the tenants. Cancel that regularisation first.',
      fr: 'Cette dépense a été refacturée aux locataires. Annulez d’abord cette régularisation.',
    },
    { currentStatus: status, allowed: [] },
  )
}
const COUNTED = ['amount', 'tvaAmount', 'chargeable', 'unitId', 'spentOn'] as const

/** With the day on which the series goes on, if it does. */
const withNext = (row: ExpenseRow): ExpenseRow => ({
  ...row,
  nextOn:
    row.repeatEvery === null || row.repeatUntil === null || row.status === 'CANCELLED'
      ? null
      : nextOn(row.spentOn, row.repeatEvery, row.repeatUntil, row.repeated),
})

/** The repair that an expense pays for, of the same property and not paid for yet. @throws not_found, duplicate */
function repairPaid(ctx: Ctx, propertyId: string, repairId: string | null): string | null {
  if (repairId === null) return null
  const { orgId } = ctx.caller
  if (findRepair(ctx.tx, orgId, repairId)?.propertyId !== propertyId) throw notFound()
  if (isRepairPaid(ctx.tx, orgId, repairId))
    throw refusedAt('/repairId', 'duplicate', {
      en: 'The cost of this repair is already recorded as an expense.',
      fr: 'Le coût de cette réparation figure déjà parmi les dépenses.',
    })
  return repairId
}

/** @throws not_found, validation_failed, quota_exceeded, duplicate */
export function createExpense(ctx: Ctx, body: ExpenseCreate): ExpenseRow {
  const property = propertyOf(ctx, body.propertyId)
  checkRoom(ctx, 'expense')
  const draft: ExpenseRow = {
    id: ctx.newId(),
    orgId: property.orgId,
    propertyId: property.id,
    unitId: body.unitId ?? null,
    ownerUserId: property.ownerUserId,
    kind: body.kind,
    amount: body.amount,
    tvaAmount: body.tvaAmount ?? null,
    currency: CURRENCY,
    spentOn: body.spentOn,
    paidBy: body.paidBy ?? (ctx.caller.scope.kind === 'owner' ? 'OWNER' : 'MANAGEMENT'),
    supplier: body.supplier ?? null,
    note: body.note ?? null,
    chargeable: body.chargeable ?? false,
    receiptMediaId: body.receiptMediaId ?? null,
    status: 'RECORDED',
    recordedBy: ctx.caller.userId,
    repeatEvery: body.repeat?.every ?? null,
    repeatUntil: body.repeat?.until ?? null,
    nextOn: null,
    repeated: 0,
    repeatOf: null,
    repeatNumber: null,
    repairId: repairPaid(ctx, property.id, body.repairId ?? null),
    regularisationId: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  check(ctx, draft)
  const row = withNext(draft)
  insertExpense(ctx.tx, row)
  record(ctx, 'expense.create', { type: 'expense', after: row })
  return row
}

/** Changes the members named. @throws not_found, forbidden, invalid_state once it is cancelled or charged on, validation_failed */
export function updateExpense(ctx: Ctx, id: string, { repeat, ...patch }: ExpensePatch): ExpenseRow {
  const before = expenseOf(ctx, id)
  if (before.status === 'CANCELLED') throw refused(before.status, [])
  const series = repeat === undefined ? {} : { repeatEvery: repeat?.every ?? null, repeatUntil: repeat?.until ?? null }
  const after = { ...before, ...patch, ...series }
  if (isDeepStrictEqual(after, before)) return before
  if (COUNTED.some((name) => after[name] !== before[name])) checkOpen(before)
  check(ctx, after, before)
  return change(ctx, saveExpense, before, withNext(after), 'expense.update')
}

/** Cancels an expense and ends its series; expenses that the series already made stay. @throws not_found, forbidden, invalid_state */
export function cancelExpense(ctx: Ctx, id: string): ExpenseRow {
  const before = expenseOf(ctx, id)
  const step = next(expenseMoves, before.status, 'cancel')
  if (step.kind !== 'move') return before
  checkOpen(before)
  return change(ctx, saveExpense, before, { status: step.to, nextOn: null }, 'expense.cancel')
}

/**
 * Makes what is due of a series, each once. It ends with its property, and where the organization has no room.
 * @returns how many were made
 */
export function continueSeries(ctx: Ctx, id: string): number {
  const before = findExpense(ctx.tx, ctx.caller.orgId, id)
  if (!before) return 0
  const today = todayOf(ctx)
  const property = findProperty(ctx.tx, before.orgId, before.propertyId)
  let first = before
  while (first.nextOn !== null && first.nextOn <= today) {
    if (property?.status === 'ARCHIVED' || !takeRepeated(ctx, 'expense', before.recordedBy)) {
      first = change(ctx, saveExpense, first, { repeatEvery: null, repeatUntil: null, nextOn: null }, 'expense.end')
      break
    }
    const repeatNumber = first.repeated + 1
    const row: ExpenseRow = {
      ...first,
      id: ctx.newId(),
      spentOn: first.nextOn,
      receiptMediaId: null,
      repeatEvery: null,
      repeatUntil: null,
      nextOn: null,
      repeated: 0,
      repeatOf: first.id,
      repeatNumber,
      repairId: null,
      regularisationId: null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
      version: 1,
    }
    insertExpense(ctx.tx, row)
    record(ctx, 'expense.repeat', { type: 'expense', after: row })
    first = change(ctx, saveExpense, first, withNext({ ...first, repeated: repeatNumber }), 'expense.continue')
  }
  return first.repeated - before.repeated
}

/** Expenses are charged on by a regularisation, or no more. */
export function chargeOn(ctx: Ctx, ids: readonly string[], regularisationId: string | null): void {
  for (const id of ids) {
    const before = findExpense(ctx.tx, ctx.caller.orgId, id)
    if (before) change(ctx, saveExpense, before, { regularisationId }, 'expense.charge')
  }
}
