import { CODES, type Refilled } from '../../../core/budgets.ts'

/** Who asks for a code. STRANGER: no token, unknown network. KNOWN: no token, a network known to the account. OWN: signed in. */
export const SEND_KINDS = ['STRANGER', 'KNOWN', 'OWN'] as const
export type SendKind = (typeof SEND_KINDS)[number]

/** The number without its last four digits: neighbouring numbers share a budget under this prefix. */
export const prefixOf = (phoneNumber: string): string => phoneNumber.slice(0, -4)

/** What was spent of a budget in its time window; `first` and `last` in epoch ms, null if nothing was. */
export type Spent = { readonly n: number; readonly first: number | null; readonly last: number | null }

/** Ms until a plain budget has room for one more; 0 means now. */
export const waitOf = (b: { readonly ms: number; readonly most: number }, { n, first }: Spent, now: number): number =>
  n < b.most ? 0 : Math.max(1, (first ?? now) + b.ms - now)

/** What the caller's site spent in the last hour, and whether somebody signed in there lately. */
export type OfSite = { readonly n: number; readonly known: boolean }

/** Ms until a refilling budget has room for one more; 0 means now. */
export function refillOf(b: Refilled, { n, first, last }: Spent, site: OfSite, now: number): number {
  if (n < b.most + (site.n < CODES.quietBelow ? b.quiet : 0)) return 0
  if (site.n >= CODES.loudFrom) return waitOf(b, { n, first, last }, now)
  return site.known ? 0 : Math.max(0, (last ?? 0) + b.thenEvery - now)
}

/**
 * Why news is not sent: the number's prefix is not allowed, the daily budgets are spent for days ahead, or no vendor
 * sends messages here.
 */
export const WITHHELD = ['NUMBER_NOT_ALLOWED', 'BUDGET_SPENT', 'NO_VENDOR'] as const
export type Withheld = (typeof WITHHELD)[number]
