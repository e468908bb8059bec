import { CODES, type Refilled } from '../../../core/budgets.ts'
import { DAY_MS } from '../../../core/dates.ts'

/** In the order in which a message moves, never back. So a report of delivery overrides one of failure. */
export const MESSAGE_STATUS = ['QUEUED', 'SENDING', 'EXPIRED', 'SENT', 'FAILED', 'DELIVERED', 'READ'] as const
export type MessageStatus = (typeof MESSAGE_STATUS)[number]
export const MESSAGE_CHANNELS = ['WHATSAPP', 'SMS'] as const

/** Whether a message may change from one status to another: forward only. */
export const moves = (from: MessageStatus, to: MessageStatus): boolean =>
  MESSAGE_STATUS.indexOf(to) > MESSAGE_STATUS.indexOf(from)

/** The status that a delivery report stands for; undefined if it says nothing new. */
export const reportedStatus = (status: string): MessageStatus | undefined =>
  status === 'SENT' || status === 'DELIVERED' || status === 'READ'
    ? status
    : status === 'FAILED' || status === 'REJECTED' || status === 'EXPIRED'
      ? 'FAILED'
      : undefined

/** News is worth sending for a day, a code for as long as it is valid. */
export const NEWS_LIFE_MS = DAY_MS
/** If the process that claimed a message dies, the message can be claimed again after this time. */
export const LEASE_MS = 60_000
/** Waits before the second, third and fourth attempt: short for a code, as a person is waiting for it. */
const WAITS_MS = { code: [1_000, 3_000, 9_000], news: [60_000, 600_000, 7_200_000] } as const

/**
 * When to retry a message that the vendor did not accept: after a growing wait with jitter of a quarter (`random` in
 * 0…1), never before the time that the vendor asked for. Undefined after three retries, or if that would be too late.
 */
export function nextAttempt(of: {
  readonly attempts: number
  readonly code: boolean
  readonly now: number
  readonly expiresAt: number
  readonly afterMs: number
  readonly random: number
}): number | undefined {
  const wait = WAITS_MS[of.code ? 'code' : 'news'][of.attempts - 1]
  if (wait === undefined) return undefined
  const at = of.now + Math.max(Math.round(wait * (0.75 + of.random / 2)), of.afterMs)
  return at < of.expiresAt ? at : undefined
}

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
