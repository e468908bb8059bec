import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { mediaTypeOf, readBytes } from './body.ts'
import { languageChosen, languageOf, requestedLanguage } from './language.ts'

const FORM_BYTES = 8192
/** Options of a route that answers with a page, and reads its form itself. */
export const PAGE = { parse: 'none', detail: { hide: true, 'x-roles': 'public' } as object } as const

const notOurs = (): AppError =>
  new AppError('forbidden', {
    en: 'This form did not come from this service. Open the page again and fill it in there.',
    fr: 'Ce formulaire ne vient pas de ce service. Rouvrez la page et remplissez-le ici.',
  })

/**
 * Whether a page of this service sent the form: browsers name the sender's origin in each POST, and a program that
 * names none has no person's cookies.
 */
function isOwn({ headers }: Request, origin: string): boolean {
  const from = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  return from === null ? site === null || site === 'same-origin' : from === origin
}

/** What the pages with forms share: language, the one host they live on, and the form that was sent. */
export function createForms({ publicUrl, locale }: Pick<Config, 'publicUrl' | 'locale'>) {
  const { host, origin } = new URL(publicUrl)
  return {
    /** The page under PUBLIC_URL where it was opened on another host: its cookies and the sign-in are of that host. */
    elsewhere(request: Request): Response | undefined {
      const { pathname, search } = new URL(request.url)
      if ((request.headers.get('host') ?? host) === host) return undefined
      return new Response(null, { status: 302, headers: { location: `${publicUrl}${pathname}${search}` } })
    },
    /** The reader's language, and the query that keeps one they chose. */
    languageOf(request: Request): { readonly locale: 'fr' | 'en'; readonly lang: string } {
      const language = requestedLanguage(request)
      return {
        locale: languageChosen(request) ?? languageOf(request, locale),
        lang: language === undefined ? '' : `?lang=${language}`,
      }
    },
    /** The fields of a form that a page of this service sent. @throws forbidden, unsupported_media_type, body_too_large */
    async fieldsOf(request: Request): Promise<(name: string) => string> {
      if (!isOwn(request, origin)) throw notOurs()
      if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') throw new AppError('unsupported_media_type')
      const fields = new URLSearchParams(new TextDecoder().decode(await readBytes(request, FORM_BYTES)))
      return (name) => (fields.get(name) ?? '').slice(0, 1024).normalize('NFC')
    },
  }
}

/** Leads a browser on after a form: to `to`, with cookies as Set-Cookie headers. */
export function seeOther(to: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location: to, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
