// Stands in the page itself and runs before anything else: asks the provider for a token while all other files are still
// on their way, and sets what is seen at once, language and colours.
import './areas.ts'
import { lendHash, SignedOut, securityUrl, session } from './recognize.ts'

type Ahead = { readonly url: string; readonly answer: Promise<Response> }
export const loyer = { session, securityUrl, SignedOut, lendHash, ahead: undefined as Ahead | undefined }
globalThis.loyer = loyer

const root = document.documentElement
// pages without scripts keep it as a cookie, which is the later word where both are there
const chosen = /(?:^|; )loyer_lang=(\w+)/.exec(document.cookie)?.[1] ?? localStorage.getItem('loyer.locale')
// What the person chose, else what the browser prefers.
root.lang = chosen === 'fr' || chosen === 'en' ? chosen : /^en\b/i.test(navigator.language) ? 'en' : 'fr'
const theme = localStorage.getItem('loyer.theme')
if (theme !== null) root.dataset.theme = theme

/** What the page of an address asks for first: sent before the page's own script is here. */
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
  // who takes it says what went wrong
  answer.catch(() => undefined)
  loyer.ahead = { url: location.origin + first, answer }
}

void session.begin().then(() => {
  const roles = session.roles()
  // the address of the product leads to the console: who only rents belongs to the portal
  if (location.pathname.startsWith('/console') && roles.length > 0 && roles.every((role) => role === 'TENANT'))
    location.replace('/portal')
})
