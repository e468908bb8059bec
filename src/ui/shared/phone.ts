const COUNTRY = '237'

/** A number as people type it in Cameroon: `677 12 34 56` is +237677123456; what is none stays as typed, for the server to judge. */
export function phoneOf(text: string): string {
  const digits = text.replace(/[\s./()\u2010-\u2015-]/g, '')
  if (/^237[26]\d{8}$/.test(digits)) return `+${digits}`
  if (/^[26]\d{8}$/.test(digits)) return `+${COUNTRY}${digits}`
  return digits.replace(/^00/, '+')
}
/** `+237677123456` → `+237 677 12 34 56`. */
export const spaced = (number: string): string =>
  number.replace(/^\+237(\d{3})(\d\d)(\d\d)(\d\d)$/, '+237\u00a0$1\u00a0$2\u00a0$3\u00a0$4')
/** What a link to a chat takes: digits alone. */
export const chatOf = (number: string): string => `https://wa.me/${number.replace(/\D/g, '')}`
