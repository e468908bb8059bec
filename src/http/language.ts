import { Elysia } from 'elysia'
import { isService } from './pages.ts'
import { edgeOf } from './request.ts'

const asLanguage = (match: RegExpExecArray | null): 'fr' | 'en' | undefined =>
  match?.[1] === 'fr' || match?.[1] === 'en' ? match[1] : undefined
/** The language that the address asks for. */
export const requestedLanguage = ({ url }: Request): 'fr' | 'en' | undefined =>
  asLanguage(/[?&]lang=(fr|en)(?:&|$)/.exec(url))
/** The language that the reader of a page chose: now, or on a page before. */
export const languageChosen = (request: Request): 'fr' | 'en' | undefined =>
  requestedLanguage(request) ??
  asLanguage(/(?:^|;\s*)loyer_lang=(fr|en)(?:;|$)/.exec(request.headers.get('cookie') ?? ''))

/** The better of French and English by Accept-Language; `otherwise` where it says neither. */
export function languageOf(request: Request, otherwise: 'fr' | 'en' = 'en'): 'fr' | 'en' {
  const header = request.headers.get('accept-language')
  if (!header) return otherwise
  let best: { language: 'fr' | 'en'; q: number } = { language: otherwise, q: 0 }
  for (const part of header.slice(0, 200).split(',')) {
    const match = /^\s*(fr|en)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*$/i.exec(part)
    const q = Number(match?.[2] ?? 1)
    if (match && q > best.q) best = { language: match[1]?.toLowerCase() === 'fr' ? 'fr' : 'en', q }
  }
  return best.language
}

/** Keeps the language that a page's address asks for, in a cookie. */
export const language = () =>
  new Elysia({ name: 'language' }).onRequest(({ request, set }) => {
    const requested =
      request.method === 'GET' && !isService(edgeOf(request).path) ? requestedLanguage(request) : undefined
    if (requested !== undefined)
      set.headers['set-cookie'] = `loyer_lang=${requested}; Path=/; Max-Age=31536000; SameSite=Lax`
  })
