import { isDeepStrictEqual } from 'node:util'
import { change, record, visible } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { RECORDS } from '../../../core/budgets.ts'
import { formatDate } from '../../../core/dates.ts'
import { formatCount } from '../../../core/meters.ts'
import { AppError, hold, invalid, notFound, refused } from '../../../errors.ts'
import { ownMedia } from '../../papers/media/service.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { propertyOf } from '../../property/properties/service.ts'
import { findUnit } from '../../property/units/store.ts'
import type { MeterCreate, MeterPatch, ReadingCreate, ReadingPatch } from './model.ts'
import { MOST_METERS_OF_UNIT, readingRule, thousandthsOf } from './rules.ts'
import {
  findReading,
  getMeter,
  getReading,
  insertMeter,
  insertReading,
  type MeterRow,
  metersOf,
  neighboursOf,
  type ReadingRow,
  readingOn,
  readingsOf,
  saveMeter,
  saveReading,
} from './store.ts'

const MEASURES: Readonly<Record<MeterRow['kind'], string>> = { WATER: 'm³', POWER: 'kWh', GAS: 'm³', OTHER: 'u.' }

/** A sub-meter of a unit of the caller's. @throws not_found, duplicate, quota_exceeded */
export function createMeter(ctx: Ctx, { unitId, kind, number, measure }: MeterCreate): MeterRow {
  const unit = findUnit(ctx.tx, ctx.caller.orgId, unitId)
  if (!unit) throw notFound()
  const { id: propertyId, orgId, ownerUserId } = propertyOf(ctx, unit.propertyId)
  const there = metersOf(ctx.tx, orgId, unitId)
  if (there.some((m) => m.kind === kind && m.number === (number ?? null)))
    throw new AppError('duplicate', {
      en: 'This unit already has a meter of this kind. Another one needs a number of its own.',
      fr: 'Ce logement a déjà un tel compteur\u00a0; un autre doit porter son propre numéro.',
    })
  if (there.length >= MOST_METERS_OF_UNIT)
    throw new AppError('quota_exceeded', {
      en: `A unit can have at most ${MOST_METERS_OF_UNIT} meters.`,
      fr: `Un logement a au plus ${MOST_METERS_OF_UNIT} compteurs.`,
    })
  const row: MeterRow = {
    id: ctx.newId(),
    orgId,
    unitId,
    propertyId,
    ownerUserId,
    kind,
    number: number ?? null,
    measure: measure ?? MEASURES[kind],
    retiredAt: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertMeter(ctx.tx, row)
  record(ctx, 'meter.create', { type: 'meter', after: row })
  return row
}

const meterOf = visible(getMeter)

/** @throws not_found */
export function updateMeter(ctx: Ctx, id: string, { retired, ...patch }: MeterPatch): MeterRow {
  const before = meterOf(ctx, id)
  const retiredAt = retired === undefined ? before.retiredAt : retired ? (before.retiredAt ?? ctx.now) : null
  const changed = { ...before, ...patch, retiredAt }
  return isDeepStrictEqual(changed, before) ? before : change(ctx, saveMeter, before, changed, 'meter.update')
}

/** A meter counts up: a reading lies between its neighbours. @throws validation_failed, duplicate */
function check(ctx: Ctx, row: ReadingRow, before?: ReadingRow): void {
  const { orgId, meterId, readOn, thousandths, finalThousandths } = row
  const there = readingOn(ctx.tx, orgId, meterId, readOn)
  if (there !== undefined && there !== row.id)
    throw new AppError('duplicate', {
      en: 'This meter was already read on that day. Correct that reading instead.',
      fr: 'Ce compteur a déjà été relevé ce jour-là\u00a0: corrigez ce relevé.',
    })
  const { earlier, later } = neighboursOf(ctx.tx, orgId, meterId, readOn)
  const reached = finalThousandths ?? thousandths
  if (earlier && reached < earlier.thousandths) {
    const [en, fr] = [formatDate(earlier.readOn, 'en'), formatDate(earlier.readOn, 'fr')]
    throw invalid(
      finalThousandths === null ? '/value' : '/finalValue',
      `It showed ${formatCount(earlier.thousandths, 'en')} on ${en}. If the meter was replaced or set back, say so and give what it showed at the end.`,
      `Il indiquait ${formatCount(earlier.thousandths, 'fr')} le ${fr}. Si le compteur a été remplacé ou remis à zéro, dites-le et donnez son dernier chiffre.`,
    )
  }
  if (later && (later.finalThousandths ?? later.thousandths) < thousandths) {
    const reads = later.finalThousandths ?? later.thousandths
    throw invalid(
      '/value',
      `It showed ${formatCount(reads, 'en')} on ${formatDate(later.readOn, 'en')} already.`,
      `Il n’indiquait que ${formatCount(reads, 'fr')} le ${formatDate(later.readOn, 'fr')}.`,
    )
  }
  if (row.mediaObjectId !== null && row.mediaObjectId !== before?.mediaObjectId) {
    const { kind } = ownMedia(ctx, row.mediaObjectId, 'USER')
    if (kind !== 'PHOTO')
      throw invalid('/mediaObjectId', 'Must be a photo (kind PHOTO).', 'Doit être une photo (kind PHOTO).')
  }
}

/** @throws not_found, invalid_state of a retired meter, quota_exceeded, validation_failed, duplicate */
export function createReading(ctx: Ctx, body: ReadingCreate): ReadingRow {
  hold(readingRule(body, todayOf(ctx)))
  const { id: meterId, orgId, unitId, propertyId, ownerUserId, retiredAt } = meterOf(ctx, body.meterId)
  if (retiredAt !== null) throw refused('RETIRED', [])
  if (readingsOf(ctx.tx, orgId, meterId) >= RECORDS.meter)
    throw new AppError('quota_exceeded', {
      en: `A meter can have at most ${RECORDS.meter} readings, including cancelled ones. Take it out of use, and enter another meter.`,
      fr: `Un compteur a au plus ${RECORDS.meter} relevés, annulés compris. Mettez-le hors service et saisissez-en un autre.`,
    })
  const row: ReadingRow = {
    id: ctx.newId(),
    orgId,
    meterId,
    unitId,
    propertyId,
    ownerUserId,
    readOn: body.readOn ?? todayOf(ctx),
    thousandths: thousandthsOf(body.value),
    finalThousandths: typeof body.finalValue === 'number' ? thousandthsOf(body.finalValue) : null,
    mediaObjectId: body.mediaObjectId ?? null,
    recordedBy: ctx.caller.userId,
    status: 'RECORDED',
    billed: 0,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  check(ctx, row)
  insertReading(ctx.tx, row)
  record(ctx, 'meter_reading.create', { type: 'meter_reading', after: row })
  return row
}

/** A reading that no charge is based on yet. @throws not_found, invalid_state */
function openReading(ctx: Ctx, id: string): ReadingRow {
  const row = getReading(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id)
  if (!row) throw notFound()
  if (row.billed > 0)
    throw new AppError(
      'invalid_state',
      {
        en: 'A regularisation of charges uses this reading. Cancel that regularisation first.',
        fr: 'Des charges ont été facturées d’après ce relevé. Annulez d’abord cette régularisation.',
      },
      { currentStatus: row.status, allowed: [] },
    )
  return row
}

/** @throws not_found, invalid_state, validation_failed, duplicate */
export function updateReading(ctx: Ctx, id: string, body: ReadingPatch): ReadingRow {
  const { value, finalValue, ...patch } = body
  const before = openReading(ctx, id)
  if (before.status === 'CANCELLED') throw refused(before.status, [])
  hold(readingRule(body, todayOf(ctx)))
  const thousandths = value === undefined ? before.thousandths : thousandthsOf(value)
  const finalThousandths =
    finalValue === undefined ? before.finalThousandths : finalValue === null ? null : thousandthsOf(finalValue)
  const changed = { ...before, ...patch, thousandths, finalThousandths }
  if (isDeepStrictEqual(changed, before)) return before
  check(ctx, changed, before)
  return change(ctx, saveReading, before, changed, 'meter_reading.update')
}

/** Cancels a reading that was a mistake. @throws not_found, invalid_state */
export function cancelReading(ctx: Ctx, id: string): ReadingRow {
  const before = openReading(ctx, id)
  return before.status === 'CANCELLED'
    ? before
    : change(ctx, saveReading, before, { status: 'CANCELLED' }, 'meter_reading.cancel')
}

/** Counts how many invoiced regularisations use these readings: one more (1) or one less (−1). */
export function countBilled(ctx: Ctx, ids: Iterable<string>, by: 1 | -1): void {
  for (const id of ids) {
    const before = findReading(ctx.tx, ctx.caller.orgId, id)
    if (before) change(ctx, saveReading, before, { billed: before.billed + by }, 'meter_reading.bill')
  }
}
