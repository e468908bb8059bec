import type { PAYMENT_METHODS } from '../../../core/money.ts'

/** Who needs a second factor at sign-in: nobody, or the organization's ADMIN and MANAGER. */
export const SECOND_FACTOR = ['OFF', 'STAFF'] as const

/** Where rent is paid: a number or account, whose name appears when paying, and what else to know. */
export type PayInstruction = {
  readonly method: (typeof PAYMENT_METHODS)[number]
  readonly number?: string
  readonly holder?: string
  readonly note?: string
}

/** From a day on, business premises bear another rate of TVA, in basis points; 0: the landlord is not registered. */
export type TvaChange = { readonly from: string; readonly before: number; readonly after: number }

/** The default days for reminding a tenant, counted from the due date: before, on the day, after. */
export const REMINDERS: readonly number[] = [-3, 0, 3, 7, 15]

/** Local times, HH:MM, between which nothing that can wait is sent; two equal times mean no quiet hours. */
export type QuietHours = { readonly from: string; readonly to: string }
export const QUIET_HOURS: QuietHours = { from: '20:00', to: '07:00' }

type Settings = {
  readonly reminderSchedule: readonly number[] | null
  readonly quietFrom: string | null
  readonly quietTo: string | null
}
export const remindersOf = ({ reminderSchedule }: Settings): readonly number[] => reminderSchedule ?? REMINDERS
export const quietHoursOf = ({ quietFrom, quietTo }: Settings): QuietHours =>
  quietFrom === null || quietTo === null ? QUIET_HOURS : { from: quietFrom, to: quietTo }

/**
 * Whether a local time, HH:MM, is in the quiet hours: `from` included, `to` excluded, across midnight if `to` is
 * earlier.
 */
export const isQuiet = ({ from, to }: QuietHours, time: string): boolean =>
  from <= to ? time >= from && time < to : time >= from || time < to

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
/** Ms from a local time, HH:MM, until the quiet hours end. */
export const quietMs = ({ to }: QuietHours, time: string): number =>
  ((minutes(to) - minutes(time) + 1440) % 1440) * 60_000
