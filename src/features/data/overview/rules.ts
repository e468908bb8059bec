import { addMonths } from '../../../core/dates.ts'

/** What may wait for a landlord, in the order of a day's work. */
export const NEEDS = [
  'PAYMENT_DECLARED',
  'MESSAGE_UNMATCHED',
  'BOOKING_REQUESTED',
  'REPAIR_REQUESTED',
  'LEASE_TO_SIGN',
  'LEASE_ENDING',
  'VERIFICATION_TO_REVIEW',
  'PAPER_FAILED',
  'MESSAGE_UNDELIVERED',
  'IMPORT_DONE',
  'SETUP',
] as const
export type NeedKind = (typeof NEEDS)[number]

/** How many late leases and months an overview shows. */
export const MOST_LATE = 20
export const MONTHS = 6
/** How many days ahead the end of a lease is told, and how many back a message that did not arrive. */
export const ENDING_DAYS = 60
export const UNDELIVERED_DAYS = 14
/** How long the end of an import is told, in milliseconds. */
export const IMPORT_MS = 24 * 3_600_000

/** The months that end with `month`, oldest first, as YYYY-MM. */
export const monthsUntil = (month: string): string[] =>
  Array.from({ length: MONTHS }, (_, n) => addMonths(`${month}-01`, n - MONTHS + 1).slice(0, 7))

/** How many different leases the first `most` late invoices are of; `rows` are in the order of their due dates. */
export function firstLeases(rows: Iterable<{ readonly bookingId: string }>, most: number): string[] {
  const found = new Set<string>()
  for (const { bookingId } of rows) {
    found.add(bookingId)
    if (found.size === most) break
  }
  return [...found]
}
