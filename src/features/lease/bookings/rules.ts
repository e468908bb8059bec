import { addDays, addMonths } from '../../../core/dates.ts'
import type { Transitions } from '../../../core/lifecycle.ts'

export const BOOKING_STATUS = ['DRAFT', 'PENDING', 'ACTIVE', 'CANCELLED', 'TERMINATED'] as const
export type BookingStatus = (typeof BOOKING_STATUS)[number]
export type BookingAction = 'submit' | 'activate' | 'cancel' | 'terminate' | 'reinstate'

export const bookingMoves: Transitions<BookingStatus, BookingAction> = {
  submit: { from: ['DRAFT'], to: 'PENDING' },
  activate: { from: ['PENDING'], to: 'ACTIVE' },
  cancel: { from: ['DRAFT', 'PENDING'], to: 'CANCELLED' },
  terminate: { from: ['ACTIVE'], to: 'TERMINATED' },
  reinstate: { from: ['TERMINATED'], to: 'ACTIVE' },
}

/** A lease that began within so many months before it was entered is billed from its start … */
const LATE_MONTHS = 2
/** … and an older one from this many days before. */
const BACK_DAYS = 31

/** The day from which a lease is billed where none is agreed: entered late, it loses no period of the last two months. */
export const billedFrom = (startDate: string, enteredOn: string): string =>
  startDate >= addMonths(enteredOn, -LATE_MONTHS) ? startDate : addDays(enteredOn, -BACK_DAYS)
