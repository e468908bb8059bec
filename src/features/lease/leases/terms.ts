import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { Ctx } from '../../../context.ts'
import { addDays, localDate, maxDate } from '../../../core/dates.ts'
import { CURRENCY } from '../../../core/money.ts'
import { firstPeriodFrom, periodAt } from '../../../core/periods.ts'
import { AppError, hold, invalid, refused } from '../../../errors.ts'
import { organizationOf, todayOf } from '../../people/organizations/service.ts'
import { billedFrom, termsRule } from './rules.ts'

type Dates = Pick<BookingRow, 'startDate' | 'endDate' | 'billFrom'>
/** @throws validation_failed for dates that do not fit together */
export const checkTerms = (ctx: Ctx, terms: Dates): void => hold(termsRule(terms, todayOf(ctx)))

/** The first day that is billed if none was agreed. */
export const defaultBillFrom = (
  ctx: Ctx,
  { startDate, createdAt }: Pick<BookingRow, 'startDate' | 'createdAt'>,
): string => billedFrom(startDate, localDate(Date.parse(createdAt), organizationOf(ctx).timeZone))

/** Where the billing of a lease begins; the billing job checks the lease from today on. */
export function billingStart(ctx: Ctx, row: BookingRow): Pick<BookingRow, 'billFrom' | 'nextPeriod' | 'nextRunOn'> {
  const billFrom = row.billFrom ?? defaultBillFrom(ctx, row)
  return { billFrom, nextPeriod: firstPeriodFrom(row.anchorDate, billFrom), nextRunOn: todayOf(ctx) }
}

/**
 * The first day of the periods of a lease with other terms. A lease that renewed itself
 * after an end within a period counts its periods from that end on, and keeps them. @throws validation_failed if earlier
 * days would be billed again
 */
function anchorOf(before: BookingRow, { startDate, endDate, billFrom }: Dates): string {
  if (before.anchorDate === before.startDate || endDate !== before.endDate) return startDate
  const { anchorDate } = before
  if (billFrom !== null && billFrom < anchorDate) {
    const agreed = addDays(anchorDate, -1)
    throw invalid(
      '/endDate',
      `This lease has continued automatically since ${anchorDate}. To bill earlier days anew, also give the end date that was agreed: ${agreed}.`,
      `Ce bail se poursuit de lui-même depuis le ${anchorDate}. Pour refacturer des jours antérieurs, indiquez aussi la fin convenue\u00a0: ${agreed}.`,
    )
  }
  return maxDate(startDate, anchorDate)
}

type Currencies = 'rentCurrency' | 'depositCurrency'
type TermsPatch = Partial<Omit<BookingRow, Currencies>> & { readonly [K in Currencies]?: unknown }
/** A lease with other terms. @throws validation_failed for dates that do not fit together */
export function withTerms(ctx: Ctx, before: BookingRow, patch: TermsPatch): BookingRow {
  const { rentCurrency: _r, depositCurrency: _d, ...members } = patch
  const changed: BookingRow = { ...before, ...members }
  changed.depositCurrency = changed.depositAmount === null ? null : CURRENCY
  // A billFrom that nobody gave follows the start.
  if (patch.billFrom === undefined && before.billFrom === defaultBillFrom(ctx, before)) changed.billFrom = null
  checkTerms(ctx, changed)
  changed.billFrom ??= defaultBillFrom(ctx, changed)
  changed.anchorDate = anchorOf(before, changed)
  return changed
}

/** Dates are limited: the calendar's last day has no next. */
const LAST_DAY = '2199-12-31'

/**
 * The end that an open-ended lease in force takes. @throws invalid_state where it has one, or notice was given;
 * validation_failed for a day whose rent is invoiced already
 */
function checkNewEnd(row: BookingRow, endDate: string, today: string): void {
  if (row.endDate !== null) throw refused(row.status, ['renew', 'notice', 'terminate'])
  const first = maxDate(today, addDays(periodAt(row.anchorDate, row.nextPeriod).start, -1))
  if (endDate < first || endDate > LAST_DAY)
    throw invalid(
      '/endDate',
      `Must be from ${first} to ${LAST_DAY}, because rent is invoiced until then. For an earlier day, give notice.`,
      `Doit être du ${first} au ${LAST_DAY} : le loyer est facturé jusque-là. Pour une date plus proche, donnez congé.`,
    )
}

const RUNNING: readonly string[] = ['autoRenew', 'endDate']
/** Whether a patch changes only what may be changed of a lease in force. */
export const isOfRunning = (patch: object): boolean => Object.keys(patch).every((member) => RUNNING.includes(member))

type Term = Pick<BookingRow, 'autoRenew' | 'endDate'>
/** The new term of a lease in force; undefined where it stays. @throws invalid_state, validation_failed */
export function newTerm(
  row: BookingRow,
  patch: { readonly autoRenew?: boolean; readonly endDate?: string | null },
  today: string,
): Term | undefined {
  const { autoRenew = row.autoRenew, endDate = row.endDate } = patch
  if (autoRenew === row.autoRenew && endDate === row.endDate) return undefined
  if (row.notice) throw refused(row.status, ['notice', 'terminate'])
  if (endDate === null)
    throw new AppError(
      'invalid_state',
      {
        en: 'This lease has no end date, so it continues automatically. Give it an end date, or give notice.',
        fr: 'Ce bail n’a pas de date de fin\u00a0: il continue de lui-même. Donnez-lui une date de fin, ou donnez congé.',
      },
      { currentStatus: row.status, allowed: ['notice', 'terminate'] },
    )
  if (endDate !== row.endDate) checkNewEnd(row, endDate, today)
  return { autoRenew, endDate }
}

/**
 * The first day of a lease's renewal. @throws invalid_state where notice was given, or it has no end; duplicate where it is
 * `renewed` already
 */
export function renewalStart(row: BookingRow, renewed: boolean): string {
  if (row.status === 'ACTIVE' && row.notice) throw refused(row.status, ['withdraw notice'])
  if (row.endDate === null)
    throw new AppError(
      'invalid_state',
      {
        en: 'This lease has no end date and continues automatically. Give it an endDate first.',
        fr: 'Ce bail n’a pas de fin : il continue de lui-même. Donnez-lui d’abord une date de fin.',
      },
      { currentStatus: row.status, allowed: ['terminate'] },
    )
  if (renewed)
    throw new AppError('duplicate', {
      en: 'This lease already has a renewal.',
      fr: 'Ce bail a déjà un renouvellement.',
    })
  return addDays(row.endDate, 1)
}

/** The rent of a lease on a day, by the changes agreed so far. */
export const rentFrom = ({ rentAmount, nextRentOn, nextRentAmount }: BookingRow, day: string): number =>
  nextRentOn !== null && nextRentAmount !== null && nextRentOn <= day ? nextRentAmount : rentAmount
