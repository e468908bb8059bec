import { type Locale, makeFormats } from '../../shared/formats.ts'

const NEAR_DAYS: Record<Locale, Readonly<Record<number, string>>> = {
  fr: { [-2]: 'avant-hier', [-1]: 'hier', 0: 'aujourd’hui', 1: 'demain', 2: 'après-demain' },
  en: { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' },
}
const DAY_MS = 86_400_000

/** `in 3 days`, `yesterday`: how far `date` is from `today`. */
export function away(locale: Locale, date: string, today: string): string {
  const days = Math.round((Date.parse(date.slice(0, 10)) - Date.parse(today.slice(0, 10))) / DAY_MS)
  const near = NEAR_DAYS[locale][days]
  if (near !== undefined) return near
  const count = makeFormats(locale).number(Math.abs(days))
  if (locale === 'fr') return `${days < 0 ? 'il y a' : 'dans'} ${count}\u00a0jours`
  return days < 0 ? `${count}\u00a0days ago` : `in ${count}\u00a0days`
}
