import { COUNTRIES, HOME_COUNTRY } from './countries/countries.ts'

/** An international number as the API carries it: a plus sign and 7 to 15 digits. */
export const E164 = /^\+[1-9]\d{6,14}$/

const SEPARATORS = /[\s.()/\u2010-\u2015-]/g
const TWO_DIGIT_CODES = new Set(
  (
    '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 ' +
    '60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'
  ).split(' '),
)

/**
 * A number as people write it → E.164, or undefined. Without + or 00 it is read as Cameroonian (677 12 34 56,
 * 237 6…); other countries need the prefix. Refuses letters and the 8-digit numbers of before 2014.
 */
export function normalizePhone(input: string): string | undefined {
  if (input.length > 40) return undefined
  // '+33 (0)6 …': the bracketed trunk zero is not dialled from abroad.
  const compact = input.replace(/(?<=\d.*)\(\s*0\s*\)/, '').replace(SEPARATORS, '')
  const digits = compact.replace(/^(?:\+|00)/, '')
  const international = digits !== compact
  if (!/^\d+$/.test(digits)) return undefined
  const { code, national } = HOME_COUNTRY.phone
  if (digits.startsWith(code) && (international || digits.length !== 9)) {
    return national.test(digits.slice(code.length)) ? `+${digits}` : undefined
  }
  if (international) return E164.test(`+${digits}`) ? `+${digits}` : undefined
  // Bare digits that begin with the country's code are a cut-off international number rather than a line of that block.
  return national.test(digits) && !digits.startsWith(code) ? `+${code}${digits}` : undefined
}

/** The groups of digits that the numbers of a country are read out in. */
const GROUPED = Object.values(COUNTRIES).map(({ phone: { code, groups } }) => ({
  number: new RegExp(`^(\\+${code})${groups.map((digits) => `(\\d{${digits}})`).join('')}$`),
  spaced: [code, ...groups].map((_, i) => `$${i + 1}`).join('\u00a0'),
}))
/** A number as it is read out: `+237 677 12 34 56`; those of countries not in the table stay as they are. */
export const formatPhone = (e164: string): string =>
  GROUPED.reduce((text, { number, spaced }) => text.replace(number, spaced), e164)

/** A number fit for screens and logs: country code, bullets, last two digits; bullets alone for what is no E.164. */
export function maskPhone(e164: string): string {
  if (!E164.test(e164)) return '•••••••'
  const code = 1 + countryCodeLength(e164.slice(1))
  return e164.slice(0, code) + '•'.repeat(e164.length - code - 2) + e164.slice(-2)
}

/** The same for any number that a person typed: of an account or an identity paper the last two characters remain. */
export function maskNumber(typed: string): string {
  const e164 = normalizePhone(typed)
  return e164 === undefined ? '•'.repeat(Math.max(typed.length - 2, 3)) + typed.slice(-2) : maskPhone(e164)
}

/** Whether codes may be sent to this number: it begins with one of `allowed`, or `allowed` holds '*'. */
export function prefixAllowed(e164: string, allowed: readonly string[]): boolean {
  // An empty prefix or a lone plus sign would open every country by accident.
  return allowed.some((prefix) => prefix === '*' || (prefix.length > 1 && e164.startsWith(prefix)))
}

/** ITU zones: 1 and 7 are whole codes, the listed pairs have two digits, all others (spare ones too) three. */
function countryCodeLength(digits: string): number {
  if (digits.startsWith('1') || digits.startsWith('7')) return 1
  return TWO_DIGIT_CODES.has(digits.slice(0, 2)) ? 2 : 3
}

/** The name shown for a person without one: the last digits of their number. */
export const lastDigits = (e164: string | null): string => maskPhone(e164 ?? '')

/** What is no name: a phone number however it is grouped, also with words beside it, or its last digits. */
const NUMBER = /^\+?[\d\s()./_,\u2010-\u2015-]{6,}$|\d(?:[\s()./_,\u2010-\u2015-]{0,3}\d){8}|•/
/** Whether a name is really a phone number, or holds one. */
export const isUnnamed = (name: string): boolean => NUMBER.test(name)

/** Digits that were typed in groups (`677 12 34 56`) as one word; undefined for anything else. */
export function digitsOf(q: string): string | undefined {
  const digits = q.replace(/[\s.()+-]/g, '')
  return /^\d{4,20}$/.test(digits) ? digits : undefined
}
