import { addMonths } from '../../../core/dates.ts'

/** How many late leases and months an overview shows. */
export const MOST_LATE = 20
export const MONTHS = 6
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
