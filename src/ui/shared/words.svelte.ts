// Two languages, typed: each folder has its words beside its pages, and a word that one language lacks does not compile.
import { remember } from './storage.ts'

export type Locale = 'fr' | 'en'

/** As the page's first script found it. */
let chosen = $state<Locale>(document.documentElement.lang === 'en' ? 'en' : 'fr')

export const language = {
  get locale(): Locale {
    return chosen
  },
  get other(): Locale {
    return chosen === 'fr' ? 'en' : 'fr'
  },
  speak(next: Locale): void {
    chosen = next
    document.documentElement.lang = next
    remember('localStorage', 'loyer.locale', next)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in too many browsers
    document.cookie = `loyer_lang=${next}; Path=/; Max-Age=31536000; SameSite=Lax`
  },
}

/** Words in both languages; `words.t` are those of the language spoken now. */
export function bilingual<W>(fr: W, en: W): { readonly t: W } {
  return {
    get t() {
      return chosen === 'fr' ? fr : en
    },
  }
}

/** A formatter takes long to make: each is made when it is first used. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

function makeFormats(locale: Locale) {
  const tag = `${locale}-CM`
  // XAF has no decimals: an amount is never divided
  const money = lazily(() => new Intl.NumberFormat(tag, { style: 'currency', currency: 'XAF' }))
  const number = lazily(() => new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }))
  const date = (options: Intl.DateTimeFormatOptions) =>
    lazily(() => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options }))
  const day = date({ dateStyle: 'medium' })
  const shortDay = date({ day: 'numeric', month: 'short' })
  const month = date({ month: 'long', year: 'numeric' })
  const shortMonth = date({ month: 'short' })
  const time = date({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'Africa/Douala' })
  const relative = lazily(() => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
  const ordinal = (text: string): string => (locale === 'fr' ? text.replace(/^1(?=\s)/, '1er') : text)
  /** No line begins within a date. */
  const whole = (text: string): string => ordinal(text).replaceAll(' ', '\u00a0')
  const at = (text: string): Date => new Date(`${text.slice(0, 10)}T00:00Z`)
  const firstOf = (text: string): Date => at(`${text.slice(0, 7)}-01`)
  return {
    /** `85 000 FCFA`, in English `FCFA 85,000`; below zero with a true minus sign. */
    money: (amount: number): string => money().format(amount).replace('-', '−'),
    number: (value: number): string => number().format(value),
    /** A date without a time: no zone may move it. */
    day: (text: string): string => whole(day().format(at(text))),
    /** The same without its year. */
    shortDay: (text: string): string => whole(shortDay().format(at(text))),
    month: (text: string): string => whole(month().format(firstOf(text))),
    shortMonth: (text: string): string => shortMonth().format(firstOf(text)),
    /** An instant, as the clock in Douala shows it. */
    time: (instant: string | number): string =>
      ordinal(time().format(new Date(instant))).replaceAll(/(?<!,) /g, '\u00a0'),
    /** `in 3 days`, `yesterday`: how far `date` is from `today`. */
    away: (text: string, today: string): string =>
      relative()
        .format(Math.round((at(text).getTime() - at(today).getTime()) / 86_400_000), 'day')
        .replaceAll(/(?<=\d) /g, '\u00a0'),
  }
}
const all: Record<Locale, ReturnType<typeof makeFormats> | undefined> = { fr: undefined, en: undefined }
/** Money, dates and numbers as the language spoken now writes them in Cameroon; call it where it may follow a change. */
export function formats(): ReturnType<typeof makeFormats> {
  const made = all[chosen] ?? makeFormats(chosen)
  all[chosen] = made
  return made
}
/** Makes the formatters of a first page one at a time, so that none of them holds up what comes in the meantime. */
export function warmFormats(): void {
  const { money, day, month, shortMonth } = formats()
  const steps = [() => money(0), () => month('2000-01'), () => shortMonth('2000-01'), () => day('2000-01-01')]
  for (const step of steps) setTimeout(step)
}
