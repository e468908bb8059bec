// Amounts and dates as people in Cameroon write them. The browser's own formatters take a slow phone a third of a second
// before the first amount is seen.
export type Locale = 'fr' | 'en'

const MONTHS = {
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  en: 'January February March April May June July August September October November December',
}
const SHORT_MONTHS = {
  fr: 'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.',
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec',
}
/** Douala keeps one time all year, an hour before Greenwich. */
const ZONE_MS = 3_600_000
/** Of an instant, in the zone where the houses are: `2026-03-05T09:07`. */
const local = (instant: string | number | Date): string =>
  new Date(new Date(instant).getTime() + ZONE_MS).toISOString().slice(0, 16)
export const localDay = (instant: number): string => local(instant).slice(0, 10)

export function makeFormats(locale: Locale) {
  const isFrench = locale === 'fr'
  const [between, point] = isFrench ? ['\u202f', ','] : [',', '.']
  const months = MONTHS[locale].split(' ')
  const shortMonths = SHORT_MONTHS[locale].split(' ')
  const monthOf = (text: string): number => Number(text.slice(5, 7)) - 1

  function number(value: number, decimals = 1): string {
    const rounded = Math.round(Math.abs(value) * 10 ** decimals) / 10 ** decimals
    const [whole = '', rest] = String(rounded).split('.')
    const digits = whole.replace(/\B(?=(\d{3})+$)/g, between) + (rest === undefined ? '' : point + rest)
    return value < 0 && rounded > 0 ? `−${digits}` : digits
  }
  /** No line begins within a date. */
  function shortDay(text: string): string {
    const date = Number(text.slice(8, 10))
    return `${isFrench && date === 1 ? '1er' : date}\u00a0${shortMonths[monthOf(text)]}`
  }
  const day = (text: string): string => `${shortDay(text)}\u00a0${text.slice(0, 4)}`
  return {
    /** `85 000 FCFA`, in English `FCFA 85,000`; below zero with a true minus sign. XAF has no decimals. */
    money: (amount: number): string =>
      isFrench ? `${number(amount)}\u00a0FCFA` : `${amount < 0 ? '−' : ''}FCFA\u00a0${number(Math.abs(amount))}`,
    number,
    /** A date without a time: no zone may move it. */
    day,
    /** The same without its year. */
    shortDay,
    month: (text: string): string => `${months[monthOf(text)]}\u00a0${text.slice(0, 4)}`,
    shortMonth: (text: string): string => shortMonths[monthOf(text)] ?? '',
    /** An instant, as the clock in Douala shows it. */
    time(instant: string | number): string {
      const at = local(instant)
      return `${day(at)}, ${at.slice(11)}`
    },
  }
}
