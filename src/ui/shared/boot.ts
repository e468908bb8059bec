// Stands in the page itself and runs before anything else: asks the provider for a token while all other files are still
// on their way, and sets what is seen at once, language and colours.
import './areas.ts'
import { lendHash, SignedOut, securityUrl, session } from './recognize.ts'

export const loyer = { session, securityUrl, SignedOut, lendHash }
globalThis.loyer = loyer

const root = document.documentElement
// pages without scripts keep it as a cookie, which is the later word where both are there
const chosen = /(?:^|; )loyer_lang=(\w+)/.exec(document.cookie)?.[1] ?? localStorage.getItem('loyer.locale')
// What the person chose, else what the browser prefers.
root.lang = chosen === 'fr' || chosen === 'en' ? chosen : /^en\b/i.test(navigator.language) ? 'en' : 'fr'
const theme = localStorage.getItem('loyer.theme')
if (theme !== null) root.dataset.theme = theme

void session.begin().then(() => {
  const roles = session.roles()
  // the address of the product leads to the console: who only rents belongs to the portal
  if (location.pathname.startsWith('/console') && roles.length > 0 && roles.every((role) => role === 'TENANT'))
    location.replace('/portal')
})
