// Stands in the page itself and runs before anything else: asks the provider for a token while all other files are still
// on their way, and sets what is seen at once, language and colours.
import './areas.ts'
import { lendHash, SignedOut, securityUrl, session } from './recognize.ts'

type Ahead = { readonly url: string; readonly answer: Promise<Response> }
export const loyer = { session, securityUrl, SignedOut, lendHash, ahead: undefined as Ahead | undefined }
globalThis.loyer = loyer

const root = document.documentElement
// pages without scripts store the language in a cookie, which is newer if both exist
const chosen = /(?:^|; )loyer_lang=(\w+)/.exec(document.cookie)?.[1] ?? localStorage.getItem('loyer.locale')
// What the person chose, else what the browser prefers.
root.lang = chosen === 'fr' || chosen === 'en' ? chosen : /^en\b/i.test(navigator.language) ? 'en' : 'fr'
const theme = localStorage.getItem('loyer.theme')
if (theme !== null) root.dataset.theme = theme

/** The first request of each page, sent before the page's own script has arrived. */
const FIRST: Readonly<Record<string, string>> = {
  '/portal': '/api/v1/overview?as=TENANT',
  '/console': '/api/v1/overview',
  '/console/invoices': '/api/v1/invoices?limit=25&count=true',
}
const first = location.search === '' ? FIRST[location.pathname] : undefined
if (first !== undefined) {
  const answer = session.token().then((token) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-language': root.lang }
    return fetch(first, { headers })
  })
  // the code that uses the answer reports its error
  answer.catch(() => undefined)
  loyer.ahead = { url: location.origin + first, answer }
}

void session.begin().then(() => {
  const roles = session.roles()
  // the main address leads to the console: people who only rent belong in the portal
  if (location.pathname.startsWith('/console') && roles.length > 0 && roles.every((role) => role === 'TENANT'))
    location.replace('/portal')
})
