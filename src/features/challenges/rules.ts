import { CODES } from '../../core/budgets.ts'

/** RECOVERY: handed over by an administrator instead of being sent; it opens a PASSWORD_RESET. */
export const PURPOSES = [
  'REGISTRATION',
  'PASSWORD_RESET',
  'PHONE_CHANGE',
  'PHONE_VERIFICATION',
  'RECOVERY',
  'SIGNING',
] as const
export type Purpose = (typeof PURPOSES)[number]
export const CHANNELS = ['WHATSAPP', 'SMS'] as const

export const CODE_MS = 600_000
export const TICKET_MS = 900_000
export const RESEND_MS = CODES.againMs
export const MAX_ATTEMPTS = CODES.attempts
/** An administrator's code waits for its owner a day, and is too long for the five guesses that each reset has. */
export const RECOVERY_MS = 24 * 3_600_000
export const RECOVERY_DIGITS = 12

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** How often a code may be sent within a window: against pumping, guessing and the operator's bill (decisions section 8). */
export const CAPS = [
  { of: 'phoneAndAddress', ms: DAY, most: 5 },
  { of: 'phoneAndPurpose', ms: HOUR / 6, most: 3 },
  { of: 'phoneAndPurpose', ms: DAY, most: 5 },
  { of: 'phone', ms: DAY, most: 10 },
  { of: 'user', ms: DAY, most: 5 },
  { of: 'address', ms: HOUR, most: 10 },
  { of: 'address', ms: DAY, most: 30 },
  { of: 'prefix', ms: HOUR, most: 20 },
  { of: 'all', ms: HOUR, most: 200 },
  { of: 'all', ms: DAY, most: 2000 },
] as const
export type CapKind = (typeof CAPS)[number]['of']

/** Neighbouring numbers share it: the number without its last four digits. */
export const prefixOf = (phoneNumber: string): string => phoneNumber.slice(0, -4)
