import { type BodyRule, isText, wrongAt } from '../../../core/body-rules.ts'
import { addDays, addMonths } from '../../../core/dates.ts'
import type { Transitions } from '../../../core/lifecycle.ts'
import { prorate } from '../../../core/money.ts'

export const BOOKING_STATUS = ['DRAFT', 'PENDING', 'ACTIVE', 'CANCELLED', 'TERMINATED'] as const
export type BookingStatus = (typeof BOOKING_STATUS)[number]
export type BookingAction = 'submit' | 'activate' | 'cancel' | 'terminate' | 'reinstate'

/** How a payer of a lease became known: by an operator's message, by a payment recorded by hand, or by their entry in the list. */
export const PAYER_SOURCES = ['MESSAGE', 'PAYMENT', 'ENTERED'] as const
export type PayerSource = (typeof PAYER_SOURCES)[number]
/** Payers that a lease remembers. */
export const MOST_PAYERS = 20

/** How a lease has its rent reviewed, and the first day on which it may be. */
export type ReviewClause = { readonly formula: string; readonly from: string }

type Reviewed = { readonly rentByAgreement: boolean | null; readonly reviewClause: ReviewClause | null }
/**
 * Whether a higher rent from a day on needs the tenant's signature. That of business premises does, but by the review clause
 * of the lease, and never without them for a period that has begun.
 */
export function risesByAgreement(lease: Reviewed, home: boolean, from: string, today: string): boolean {
  if (lease.rentByAgreement === true) return true
  if (home) return lease.rentByAgreement ?? true
  return lease.reviewClause === null || from < lease.reviewClause.from || from <= today
}

/** Whether a lease that has notice ends by itself. */
export const isEnding = (notice: StandingNotice | null): notice is StandingNotice =>
  notice !== null && notice.tooShort !== true

/** What only this service needs of a lease. */
export const UNSEEN = [
  'ownerUserId',
  'anchorDate',
  'nextPeriod',
  'nextRunOn',
  'vouched',
  'settlement',
  'tvaFollowed',
] as const

export const NOTICE_BY = ['LANDLORD', 'TENANT'] as const
/** A notice to leave that stands. */
export type StandingNotice = {
  readonly by: (typeof NOTICE_BY)[number]
  /** The user who gave or recorded it. */
  readonly enteredBy: string
  readonly givenOn: string
  /** The last day of the lease. */
  readonly leaveOn: string
  readonly reason: string | null
  /** The months of notice that the lease asks for, and the first day that they or the law allow; null where none are set. */
  readonly noticeMonths: number | null
  readonly earliestLeaveOn: string | null
  /** The end of the lease without the notice; null if it has none. */
  readonly endDate: string | null
  /** Whether it went on past that end by itself. */
  readonly autoRenew: boolean
  /** Shorter than the law has it: the lease ends on that day only if both agree, so never by itself. */
  readonly tooShort?: true
}

export const bookingMoves: Transitions<BookingStatus, BookingAction> = {
  submit: { from: ['DRAFT'], to: 'PENDING' },
  activate: { from: ['PENDING'], to: 'ACTIVE' },
  cancel: { from: ['DRAFT', 'PENDING'], to: 'CANCELLED' },
  terminate: { from: ['ACTIVE'], to: 'TERMINATED' },
  reinstate: { from: ['TERMINATED'], to: 'ACTIVE' },
}

/** A lease that began within so many months before it was entered is billed from its start, and one that ended is renewed … */
const LATE_MONTHS = 2
/** … and an older one from this many days before. */
const BACK_DAYS = 31

/** The day from which a lease is billed where none is agreed: entered late, it loses no period of the last two months. */
export const billedFrom = (startDate: string, enteredOn: string): string =>
  startDate >= addMonths(enteredOn, -LATE_MONTHS) ? startDate : addDays(enteredOn, -BACK_DAYS)

type Ended = {
  readonly status: string
  /** What an early end settled; null of one by its date. */
  readonly settlement: object | null
  readonly endDate: string | null
}
/** Whether a lease ended by its date so lately that a renewal still follows on. */
export const endedLately = ({ status, settlement, endDate }: Ended, today: string): boolean =>
  status === 'TERMINATED' && settlement === null && endDate !== null && endDate >= addMonths(today, -LATE_MONTHS)

/** How many months back billFrom may lie. */
const BACK_MONTHS = 120
/** Dates are limited, because periods need a next day and the calendar's last day has none. */
const FIRST_DAY = '1900-01-01'
const LAST_DAY = '2199-12-31'

const BEFORE_START = { en: 'Cannot be before the start.', fr: 'Ne peut pas précéder le début.' }
const AFTER_END = { en: 'Cannot be after the end.', fr: 'Ne peut pas suivre la fin.' }
/** The dates of a lease lie within the calendar, and one after the other. */
export const termsRule: BodyRule = ({ startDate, endDate, billFrom }, today) => {
  const outside = Object.entries({ startDate, endDate, billFrom }).flatMap(([member, date]) => {
    const first = member === 'billFrom' ? addMonths(today, -BACK_MONTHS) : FIRST_DAY
    if (!isText(date) || (date >= first && date <= LAST_DAY)) return []
    return wrongAt(
      { en: `Must be from ${first} to ${LAST_DAY}.`, fr: `Doit être du ${first} au ${LAST_DAY}.` },
      `/${member}`,
    )
  })
  if (outside.length > 0) return outside
  const isAfter = (later: unknown, earlier: unknown): boolean => isText(later) && isText(earlier) && later > earlier
  return [
    ...(isAfter(startDate, endDate) ? wrongAt(BEFORE_START, '/endDate') : []),
    ...(isAfter(startDate, billFrom) ? wrongAt(BEFORE_START, '/billFrom') : []),
    ...(isAfter(billFrom, endDate) && !isAfter(startDate, endDate) ? wrongAt(AFTER_END, '/billFrom') : []),
  ]
}

/** PROPOSED: waits for the tenant's signature. SCHEDULED: counts from its day. IN_FORCE: its day has come. */
export const RENT_CHANGE_STATUS = ['PROPOSED', 'SCHEDULED', 'IN_FORCE', 'CANCELLED'] as const

type Step = { readonly fromDate: string; readonly rentAmount: number; readonly previousAmount: number }

/** The net rent (francs) of a full period that starts on `day`. `steps`: the changes that count, by their day. */
export function rentOn(steps: readonly Step[], rentNow: number, day: string): number {
  const later = steps.find((step) => step.fromDate > day)
  return later?.previousAmount ?? steps.at(-1)?.rentAmount ?? rentNow
}

/**
 * The net rent (francs) of a full period that an invoice was made out at: a period that was paid before a change keeps
 * its own. `amount` is the rent of `days` of the period's `daysInPeriod`.
 */
export function rentBehind(
  steps: readonly Step[],
  rentNow: number,
  invoice: { readonly start: string; readonly amount: number; readonly days: number; readonly daysInPeriod: number },
): number {
  const { start, amount, days, daysInPeriod } = invoice
  if (days === daysInPeriod) return amount
  const known = rentOn(steps, rentNow, start)
  const all = [known, ...steps.flatMap((step) => [step.previousAmount, step.rentAmount])]
  return all.find((rent) => prorate(rent, days, daysInPeriod) === amount) ?? known
}
