import { HOME_COUNTRY } from './countries/countries.ts'

/** The one currency: the CFA franc of Central Africa. */
export const CURRENCY = HOME_COUNTRY.currency

/** How rent is paid; WITHHOLDING is tax that a business tenant pays to the state instead. */
export const PAYMENT_METHODS = [
  'CASH',
  'MTN_MOMO',
  'ORANGE_MONEY',
  'BANK_TRANSFER',
  'CHEQUE',
  'WITHHOLDING',
  'OTHER',
] as const

/**
 * How a payment may have been made: by one of these methods, from the deposit that the landlord holds, or from the credit of
 * another lease.
 */
export const PAID_BY = [...PAYMENT_METHODS, 'DEPOSIT', 'SET_OFF'] as const

/** Largest amount of one field, in minor units (whole francs). */
export const MAX_AMOUNT = 1_000_000_000_000

/**
 * TVA on a net amount: floor((net × basisPoints + 5000) / 10000), that is half up.
 * `net` in francs, 0…MAX_AMOUNT; `basisPoints` 0…10000 (1925 = 19.25 %). Throws RangeError outside.
 */
export function tvaAmount(net: number, basisPoints: number): number {
  within(net, MAX_AMOUNT, 'net')
  within(basisPoints, 10_000, 'basisPoints')
  return shareOf(net, basisPoints, 10_000)
}

/**
 * `amount × days / daysInPeriod`, half up. `amount` in francs, 0…MAX_AMOUNT; 0 ≤ days ≤ daysInPeriod ≤ 100,000.
 * Throws RangeError outside.
 */
export function prorate(amount: number, days: number, daysInPeriod: number): number {
  within(amount, MAX_AMOUNT, 'amount')
  within(daysInPeriod, 100_000, 'daysInPeriod')
  if (daysInPeriod === 0) throw new RangeError('daysInPeriod must be positive')
  within(days, daysInPeriod, 'days')
  return shareOf(amount, days, daysInPeriod)
}

/**
 * `amount` (0 or more) divided by weights (whole, 0 or more, not all 0): whole parts that add up to it. What is left over
 * goes franc by franc to the largest remainders, the first of equals first. Throws RangeError outside.
 */
export function divide(amount: number, weights: readonly number[]): number[] {
  within(amount, Number.MAX_SAFE_INTEGER, 'amount')
  for (const weight of weights) within(weight, Number.MAX_SAFE_INTEGER, 'weight')
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (whole === 0n) throw new RangeError('weights must not all be 0')
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight))
  const parts = exact.map((share) => Number(share / whole))
  const left = amount - parts.reduce((sum, part) => sum + part, 0)
  const order = exact.map((share, n) => [share % whole, n] as const).sort(([a], [b]) => (a < b ? 1 : a > b ? -1 : 0))
  for (const [, n] of order.slice(0, left)) parts[n] = (parts[n] ?? 0) + 1
  return parts
}

/**
 * An amount of francs as text: `150 000 FCFA` (fr) or `FCFA 150,000` (en). Its spaces are U+00A0: the U+202F of CLDR's
 * French has no glyph in many PDF fonts; its minus is U+2212. Throws RangeError for what is no whole number of francs.
 */
export function formatMoney(amount: number, locale: 'fr' | 'en'): string {
  if (!Number.isSafeInteger(amount)) throw new RangeError('amount must be a whole number of francs')
  const sign = amount < 0 ? '\u2212' : ''
  // Grouped by hand: Intl's spaces differ between ICU versions, so Bun and Deno could print different receipts.
  const digits = String(Math.abs(amount)).replace(/\B(?=(?:\d{3})+$)/g, locale === 'fr' ? '\u00a0' : ',')
  return locale === 'fr' ? `${sign}${digits}\u00a0FCFA` : `${sign}FCFA\u00a0${digits}`
}

// Computing quotient and remainder separately keeps every product below 2^53: exact without BigInt.
function shareOf(amount: number, part: number, whole: number): number {
  const rest = amount % whole
  return ((amount - rest) / whole) * part + Math.floor((2 * rest * part + whole) / (2 * whole))
}

function within(value: number, max: number, name: string): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > max) {
    throw new RangeError(`${name} must be an integer from 0 to ${max}`)
  }
}
