/** In the order in which a message moves: never back. A report of delivery outweighs one of failure. */
export const MESSAGE_STATUS = ['QUEUED', 'SENDING', 'EXPIRED', 'SENT', 'FAILED', 'DELIVERED', 'READ'] as const
export type MessageStatus = (typeof MESSAGE_STATUS)[number]
export const MESSAGE_CHANNELS = ['WHATSAPP', 'SMS'] as const

/** Whether a message in one state takes another: forward only. */
export const moves = (from: MessageStatus, to: MessageStatus): boolean =>
  MESSAGE_STATUS.indexOf(to) > MESSAGE_STATUS.indexOf(from)

/** What a delivery report says of a message; undefined where it says nothing new. */
export const reportedStatus = (status: string): MessageStatus | undefined =>
  status === 'SENT' || status === 'DELIVERED' || status === 'READ'
    ? status
    : status === 'FAILED' || status === 'REJECTED' || status === 'EXPIRED'
      ? 'FAILED'
      : undefined

/** News is worth reading for a day; a code for as long as it lives. */
export const NOTICE_LIFE_MS = 24 * 3_600_000
/** A claim whose process died is taken up again after it. */
export const LEASE_MS = 60_000
/** Waits before the second, third and fourth attempt: somebody waits for a code, nobody for news. */
const WAITS_MS = { code: [1_000, 3_000, 9_000], notice: [60_000, 600_000, 7_200_000] } as const

/**
 * When a message that the vendor did not take is tried again: after a wait that grows, a quarter more or less by chance
 * (`random` in 0…1), never sooner than the vendor asked. Undefined after three tries again, or when it would be too late.
 */
export function nextAttempt(of: {
  readonly attempts: number
  readonly code: boolean
  readonly now: number
  readonly expiresAt: number
  readonly afterMs: number
  readonly random: number
}): number | undefined {
  const wait = WAITS_MS[of.code ? 'code' : 'notice'][of.attempts - 1]
  if (wait === undefined) return undefined
  const at = of.now + Math.max(Math.round(wait * (0.75 + of.random / 2)), of.afterMs)
  return at < of.expiresAt ? at : undefined
}
