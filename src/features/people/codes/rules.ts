import { createHmac } from 'node:crypto'
import { CODES } from '../../../core/budgets.ts'
import { DAY_MS } from '../../../core/dates.ts'

/**
 * RECOVERY: an administrator hands the code over instead of sending it; it opens a PASSWORD_RESET. REAUTHENTICATION:
 * sent to the number on file, in place of a password, before that number is changed.
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
/**
 * Purposes of people who are not signed in. Each network has its own challenge, so that answers do not reveal
 * accounts.
 */
export const ANONYMOUS: readonly Purpose[] = ['REGISTRATION', 'PASSWORD_RESET']
export const CHANNELS = ['WHATSAPP', 'SMS'] as const

export const CODE_MS = 600_000
export const TICKET_MS = 900_000
export const RESEND_MS = CODES.againMs
export const MAX_ATTEMPTS = CODES.attempts
export const RECOVERY_MS = DAY_MS
/** What lets another ADMIN back in: a code for a new password, or their second factor removed. */
export const RECOVERY_KINDS = ['RECOVERY_CODE', 'SECOND_FACTOR'] as const
export type RecoveryKind = (typeof RECOVERY_KINDS)[number]
/** PENDING: can still be stopped. EFFECTIVE: confirmed, used or carried out. STOPPED: void. */
export const RECOVERY_STATUS = ['PENDING', 'EFFECTIVE', 'STOPPED'] as const
/** How many an organization sees at once, at most. */
export const MOST_RECOVERIES = 50
/** How long the person has to stop it, unless they confirm it before. */
export const RECOVERY_DELAY_MS = DAY_MS
/** Digits of a recovery code, which is valid for a day, and of codes to a number that strangers flood or guess at. */
export const LONG_DIGITS = 12

/**
 * SENT: the operator paid for it. VERIFIED: paid for and used. UNSENT: no vendor accepted it. JOINED: shares a code
 * already sent. DECOY: only looks like a code that was sent. HELD: a reset that no budget had room for; it counts
 * for the requester only, or asking alone would hold back the next code.
 */
export const SEND_STATUS = ['SENT', 'VERIFIED', 'UNSENT', 'JOINED', 'DECOY', 'HELD'] as const

const pepper = (masterKey: Uint8Array): Buffer =>
  createHmac('sha256', masterKey).update('loyer one-time codes v1').digest()
/** Marks the stored form of a long code: strangers' guesses do not count at it, so that all who ask can share it. */
export const LONG = 'long '
/** The stored form of a code. */
export const hashOf = (masterKey: Uint8Array, purpose: Purpose, id: string, code: string): string =>
  createHmac('sha256', pepper(masterKey)).update(`${purpose}|${id}|${code}`).digest('base64url')
