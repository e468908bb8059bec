import { CODES } from '../../../core/budgets.ts'

/**
 * RECOVERY: handed over by an administrator instead of being sent; it opens a PASSWORD_RESET. REAUTHENTICATION: sent to the
 * number on file, in place of a password, before another number takes its place.
 */
export const PURPOSES = [
  'REGISTRATION',
  'PASSWORD_RESET',
  'PHONE_CHANGE',
  'PHONE_VERIFICATION',
  'RECOVERY',
  'SIGNING',
  'REAUTHENTICATION',
] as const
export type Purpose = (typeof PURPOSES)[number]
/** Purposes of people who are not signed in: each network that asks has a challenge of its own, and accounts do not show. */
export const ANONYMOUS: readonly Purpose[] = ['REGISTRATION', 'PASSWORD_RESET']
export const CHANNELS = ['WHATSAPP', 'SMS'] as const

export const CODE_MS = 600_000
export const TICKET_MS = 900_000
export const RESEND_MS = CODES.againMs
export const MAX_ATTEMPTS = CODES.attempts
/** An administrator's code waits for its owner a day, and is too long for the five guesses that each reset has. */
export const RECOVERY_MS = 24 * 3_600_000
export const RECOVERY_DIGITS = 12

/** STRANGER: without a token and from a network unknown to the account; KNOWN: from a known one, or to an invited number; OWN: signed in. */
export const SEND_KINDS = ['STRANGER', 'KNOWN', 'OWN'] as const
export type SendKind = (typeof SEND_KINDS)[number]
/**
 * SENT costs the operator; VERIFIED did and was used; UNSENT no vendor took; JOINED shares a code that was under way;
 * DECOY looks like one that was sent.
 */
export const SEND_STATUS = ['SENT', 'VERIFIED', 'UNSENT', 'JOINED', 'DECOY'] as const
