import type { Transitions } from '../../../core/lifecycle.ts'

export const BOOKING_STATUS = ['DRAFT', 'PENDING', 'ACTIVE', 'CANCELLED', 'TERMINATED'] as const
export type BookingStatus = (typeof BOOKING_STATUS)[number]
export type BookingAction = 'submit' | 'activate' | 'cancel' | 'terminate' | 'reinstate'

export const NOTICE_BY = ['LANDLORD', 'TENANT'] as const
/** A notice to leave that stands. */
export type NoticeGiven = {
  readonly by: (typeof NOTICE_BY)[number]
  /** The user who gave or recorded it. */
  readonly enteredBy: string
  readonly givenOn: string
  /** The last day of the lease. */
  readonly leaveOn: string
  readonly reason: string | null
  /** The months of notice that the lease asks for, and the first day that they allow; null where none are agreed. */
  readonly noticeMonths: number | null
  readonly earliestLeaveOn: string | null
  /** The end of the lease without the notice; null if it has none. */
  readonly endDate: string | null
  /** Whether it went on past that end by itself. */
  readonly autoRenew: boolean
}

export const bookingMoves: Transitions<BookingStatus, BookingAction> = {
  submit: { from: ['DRAFT'], to: 'PENDING' },
  activate: { from: ['PENDING'], to: 'ACTIVE' },
  cancel: { from: ['DRAFT', 'PENDING'], to: 'CANCELLED' },
  terminate: { from: ['ACTIVE'], to: 'TERMINATED' },
  reinstate: { from: ['TERMINATED'], to: 'ACTIVE' },
}
