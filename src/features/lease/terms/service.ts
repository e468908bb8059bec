import { addDays, maxDate } from '../../../core/dates.ts'
import { periodAt } from '../../../core/periods.ts'
import { AppError, invalid, refused } from '../../../errors.ts'
import type { BookingRow } from '../bookings/store.ts'

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
      `Must be from ${first} to ${LAST_DAY}: rent is invoiced until then. For an earlier day give notice.`,
      `Doit être du ${first} au ${LAST_DAY} : le loyer est facturé jusque-là. Pour une date plus proche, donnez congé.`,
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
  if (row.notice || endDate === null) throw refused(row.status, ['notice', 'terminate'])
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
        en: 'This lease has no end: it goes on by itself. Give it an endDate first.',
        fr: "Ce bail n'a pas de fin : il continue de lui-même. Donnez-lui d'abord une date de fin.",
      },
      { currentStatus: row.status, allowed: ['terminate'] },
    )
  if (renewed)
    throw new AppError('duplicate', {
      en: 'This lease has a renewal already.',
      fr: 'Ce bail a déjà un renouvellement.',
    })
  return addDays(row.endDate, 1)
}

/** The rent that a lease has come to by a day, as far as it is agreed. */
export const rentFrom = ({ rentAmount, nextRentOn, nextRentAmount }: BookingRow, day: string): number =>
  nextRentOn !== null && nextRentAmount !== null && nextRentOn <= day ? nextRentAmount : rentAmount
