// Small and first: asks the provider for a token while the rest of the page is still on its way.
import { session } from './session.ts'

void session.begin().then(() => {
  const roles = session.roles()
  // the address of the product leads to the console: who only rents belongs to the portal
  if (location.pathname.startsWith('/console') && roles.length > 0 && roles.every((role) => role === 'TENANT'))
    location.replace('/portal')
})
