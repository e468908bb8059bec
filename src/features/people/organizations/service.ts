import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { countryOf, HOME_COUNTRY } from '../../../core/countries/countries.ts'
import { numberOn } from '../../../core/countries/country.ts'
import { addMonths, localDate } from '../../../core/dates.ts'
import { standardTva, tvaOn } from '../../../core/tva.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, hold, invalid, notFound, PASSING } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { OrganizationPatch } from './model.ts'
import { type PayInstruction, payToRule, saidOn, type WhereToPay, withTvaChange } from './rules.ts'
import {
  findOrganization,
  insertOrganization,
  type OrganizationRow,
  rentedBy,
  revisionOf,
  saveOrganization,
  timeZones,
} from './store.ts'

type TvaPatch = NonNullable<OrganizationPatch['tvaChange']>
export type OrganizationDefaults = { readonly timeZone: string; readonly locale: 'fr' | 'en' }

/** Creates an organization when its id is first seen, with the operator's defaults. */
export function createOrganization(
  ctx: Ctx,
  id: string,
  defaults: OrganizationDefaults,
  name: string | null = null,
): OrganizationRow {
  const row: OrganizationRow = {
    id,
    name,
    address: null,
    niu: null,
    rccm: null,
    tvaRegistered: false,
    timeZone: defaults.timeZone,
    locale: defaults.locale,
    dueDay: null,
    issueDaysBefore: 0,
    requireProof: false,
    reminderSchedule: null,
    remindedOn: null,
    quietFrom: null,
    quietTo: null,
    secondFactor: 'OFF',
    payTo: null,
    payToChangedAt: null,
    phoneNumber: null,
    tvaChanges: null,
    confirmCash: false,
    country: HOME_COUNTRY.code,
    formalNoticeDays: null,
    messagesPerDay: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertOrganization(ctx.tx, row)
  record(ctx, 'organization.create', { type: 'organization', after: row })
  return row
}

/** Cache of one use case, which asks for its organization a dozen times. */
const known = new WeakMap<Ctx, OrganizationRow>()
/** The caller's organization. @throws not_found */
export function organizationOf(ctx: Ctx): OrganizationRow {
  const row = known.get(ctx) ?? findOrganization(ctx.tx, ctx.caller.orgId)
  if (!row) throw notFound()
  known.set(ctx, row)
  return row
}

/**
 * Where a caller's rent is paid: in each property that they rent, and `where`, a tenant's own newest or what the
 * organization says.
 */
export function whereToPay(db: Db, org: OrganizationRow, { userId, scope }: Caller, today: string) {
  const places = rentedBy(db, org.id, userId).map(({ payTo, payToChangedAt, ...place }) => ({
    ...place,
    ...whereOf(org, { payTo, payToChangedAt }, today),
  }))
  const newest = scope.kind === 'tenant' ? places[0] : undefined
  const { payTo, payToChangedOn } = newest ?? whereOf(org, undefined, today)
  return { where: { payTo, ...(payToChangedOn && { payToChangedOn }) }, places }
}

type Said = { readonly [K in 'payTo' | 'payToChangedAt']: OrganizationRow[K] | undefined }
/** Where the rent of a property is paid, and since when if that is new. */
export function whereOf(org: OrganizationRow, place: Said | undefined, today: string): WhereToPay {
  const times = [place?.payToChangedAt, place?.payTo ? undefined : org.payToChangedAt]
  const payToChangedOn = saidOn(times, today, org.timeZone)
  return { payTo: [...(place?.payTo ?? org.payTo ?? [])], ...(payToChangedOn && { payToChangedOn }) }
}

type Moved = { readonly place?: { readonly id: string; readonly name: string } } & Readonly<
  Record<'before' | 'after', readonly PayInstruction[] | null>
>
/**
 * What a change of where the rent is paid leaves on its row; the people of the place are told of it. Where nobody had
 * said it before, tenants need no warning.
 */
export function movedPayTo(ctx: Ctx, { place, before, after }: Moved): { payToChangedAt?: string } {
  const [was, is] = [before ?? [], after ?? []]
  if (isDeepStrictEqual(was, is)) return {}
  enqueue(ctx, 'payTo.changed', ctx.newId(), {
    ...(place && { propertyId: place.id, propertyName: place.name }),
    ...{ by: ctx.caller.userId, before: JSON.stringify(was), after: JSON.stringify(is) },
  })
  return was.length === 0 ? {} : { payToChangedAt: ctx.now }
}

/** Today in the organization's time zone; periods, due dates and ends of leases go by it. */
export const todayOf = (ctx: Ctx, org: OrganizationRow = organizationOf(ctx)): string =>
  localDate(ctx.nowMs, org.timeZone)

/** The years that the law has leases and invoices kept. */
export const recordsKept = (ctx: Ctx): number =>
  numberOn(countryOf(organizationOf(ctx).country), 'RECORDS_KEPT', todayOf(ctx))

/** The rate of TVA of business premises today, in basis points; 0 where the organization is not registered. */
export const tvaToday = (ctx: Ctx): number => tvaOn(organizationOf(ctx), todayOf(ctx))

const TVA_YEARS_AHEAD = 2
const MOST_TVA_CHANGES = 50
/** The organization with another rate of TVA from a day on. @throws validation_failed */
function taxed(row: OrganizationRow, { from, basisPoints }: TvaPatch, today: string): OrganizationRow {
  const [first, latest] = [addMonths(today, -12), addMonths(today, 12 * TVA_YEARS_AHEAD)]
  if (from < first || from > latest)
    throw invalid('/tvaChange/from', `Must be from ${first} to ${latest}.`, `Doit être du ${first} au ${latest}.`)
  const tvaChanges = withTvaChange(row, from, basisPoints, today)
  if (!tvaChanges)
    throw invalid(
      '/tvaChange/from',
      'A change of a later day is in force: give that day or one after it.',
      'Un changement d’une date ultérieure est en vigueur : donnez cette date ou une date suivante.',
    )
  if (tvaChanges.length > MOST_TVA_CHANGES)
    throw new AppError('quota_exceeded', {
      en: `At most ${MOST_TVA_CHANGES} changes of the rate are kept.`,
      fr: `Au plus ${MOST_TVA_CHANGES} changements de taux sont conservés.`,
    })
  const last = tvaChanges.at(-1)
  if (last) return { ...row, tvaChanges, tvaRegistered: last.after > 0 }
  // The only change, which was still to come, was withdrawn.
  const before = row.tvaChanges?.[0]?.before
  return { ...row, tvaChanges: null, tvaRegistered: before === undefined ? row.tvaRegistered : before > 0 }
}

/** Changes the given settings; a job then updates the billing days of running leases, and their rates of TVA. */
export function updateOrganization(
  ctx: Ctx,
  { quietHours, tvaChange, tvaRegistered, ...patch }: OrganizationPatch,
): OrganizationRow {
  hold(payToRule(patch))
  const before = organizationOf(ctx)
  const today = todayOf(ctx)
  const registered = tvaRegistered ?? before.tvaRegistered
  const registering =
    registered === before.tvaRegistered
      ? undefined
      : { from: today, basisPoints: registered ? standardTva(countryOf(before.country), today) : 0 }
  const change = tvaChange ?? registering
  const changed: OrganizationRow = { ...(change ? taxed(before, change, today) : before), ...patch }
  if (patch.payTo?.length === 0) changed.payTo = null
  Object.assign(changed, movedPayTo(ctx, { before: before.payTo, after: changed.payTo }))
  if (patch.reminderSchedule) changed.reminderSchedule = [...new Set(patch.reminderSchedule)].sort((a, b) => a - b)
  if (quietHours !== undefined) {
    changed.quietFrom = quietHours?.from ?? null
    changed.quietTo = quietHours?.to ?? null
  }
  if (isDeepStrictEqual(changed, before)) return { ...before, version: revisionOf(before) }
  const updatedAt = new Date(Math.max(ctx.nowMs, revisionOf(before) + 1)).toISOString()
  const after: OrganizationRow = { ...changed, updatedAt }
  saveOrganization(ctx.tx, after)
  known.delete(ctx)
  record(ctx, 'organization.update', { type: 'organization', before, after })
  if (
    after.timeZone !== before.timeZone ||
    after.issueDaysBefore !== before.issueDaysBefore ||
    after.tvaChanges !== before.tvaChanges
  )
    enqueue(ctx, 'billing.reschedule', `${after.id}:${updatedAt}`)
  return { ...after, version: revisionOf(after) }
}

type Due = { readonly id: string; readonly orgId: string }
const BATCH = 256
/**
 * Rows processed at once: a person's write waits for no more than these. More would end a billing night sooner, and
 * make everybody wait longer in it.
 */
const AT_ONCE = 8

/**
 * Processes what is due, in batches, each row by the calendar day of its own time zone. A failing row is logged and
 * retried in the next round, so that it does not block the others; a failing store or a stop ends the round.
 * @returns how many were done
 */
export async function sweep<R extends Due>(
  { db, clock, log, stopping }: Pick<Deps, 'db' | 'clock' | 'log' | 'stopping'>,
  name: string,
  due: (timeZone: string, today: string, limit: number) => readonly R[],
  work: (row: R) => Promise<unknown>,
): Promise<number> {
  const failed = new Set<string>()
  let done = 0
  for (const timeZone of timeZones(db)) {
    const today = localDate(clock.now(), timeZone)
    while (!stopping.aborted) {
      const rows = due(timeZone, today, BATCH + failed.size).filter((row) => !failed.has(row.id))
      if (rows.length === 0) break
      for (let at = 0; at < rows.length && !stopping.aborted; at += AT_ONCE) {
        const part = rows.slice(at, at + AT_ONCE)
        const outcomes = await Promise.allSettled(part.map(work))
        for (const [i, outcome] of outcomes.entries()) {
          if (outcome.status === 'fulfilled') done += 1
          else if (outcome.reason instanceof AppError && PASSING.includes(outcome.reason.code)) throw outcome.reason
          else if (!stopping.aborted) {
            const id = part[i]?.id ?? ''
            failed.add(id)
            log.error(`${name}.failed`, outcome.reason, { id })
          }
        }
      }
    }
  }
  return done
}
