// Two languages, typed: each folder has its words beside its pages, and a word that one language lacks does not compile.
import { type Locale, makeFormats } from './formats.ts'
import { forgetSeen, remember } from './storage.ts'

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
    forgetSeen()
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

const all: Record<Locale, ReturnType<typeof makeFormats> | undefined> = { fr: undefined, en: undefined }
/** Money, dates and numbers as the language spoken now writes them in Cameroon; call it where it may follow a change. */
export function formats(): ReturnType<typeof makeFormats> {
  const formats = all[chosen] ?? makeFormats(chosen)
  all[chosen] = formats
  return formats
}
