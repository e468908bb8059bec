import { Elysia } from 'elysia'
import { ROLES, type Role } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { createForms, PAGE, seeOther } from '../../../http/forms.ts'
import { edgeOf } from '../../../http/gate.ts'
import type { Http } from '../../../http/routes.ts'
import { demoPage } from '../../../web/doors/demo.ts'
import { operatorOrganization } from '../../people/organizations/store.ts'
import { peopleOf } from './store.ts'

const entryOf = (roles: readonly string[]): string =>
  roles.length > 0 && roles.every((role) => role === 'TENANT') ? '/portal' : '/console'
/** The role that shows most. */
const highest = (roles: readonly string[]): Role => ROLES.findLast((role) => roles.includes(role)) ?? 'TENANT'

/** The product's own address, which leads everybody to their place, and the page of a sandbox that offers its people. */
export function front(deps: Deps, http: Http) {
  const { embedded, config, db, setup } = deps
  const forms = createForms(config)
  const people = () => {
    const org = operatorOrganization(db)
    return org === undefined ? [] : peopleOf(db, org.id)
  }

  /** Where somebody belongs: by the session of their browser; without one it leads to sign-in. */
  async function placeOf(request: Request): Promise<string> {
    if (setup?.isOpen()) return '/setup'
    if (!embedded) return '/console'
    const visitor = request.headers.has('cookie') ? await embedded.visitor(request, edgeOf(request).address) : null
    if (visitor) return entryOf(visitor.roles)
    return config.sandbox ? '/demo' : '/console'
  }

  const routes = new Elysia()
    .use(http)
    .get(
      '/',
      async ({ request }) =>
        forms.elsewhere(request) ??
        new Response(null, { status: 302, headers: { location: await placeOf(request), 'cache-control': 'no-store' } }),
      { access: 'public', detail: { summary: 'The front page', operationId: 'home', hide: true } },
    )
  if (!config.sandbox || !embedded) return routes
  return routes
    .get(
      '/demo',
      ({ request }) => {
        const { locale, lang } = forms.languageOf(request)
        const shown = people().map(({ id, firstName, lastName, roles, limited }) => {
          const name = [firstName, lastName].filter(Boolean).join(' ')
          return { id, name, role: limited ? ('CARETAKER' as const) : highest(roles) }
        })
        return forms.elsewhere(request) ?? demoPage(locale, lang, shown, config.resetMs)
      },
      PAGE,
    )
    .post(
      '/demo',
      async ({ request }) => {
        const { address } = edgeOf(request)
        const fields = await forms.fieldsOf(request)
        const person = people().find(({ id }) => id === fields('person'))
        if (!person) throw notFound()
        const cookies = await embedded.beginSession(request, address, person.id, ['pwd'])
        return seeOther(entryOf(person.roles), cookies)
      },
      PAGE,
    )
}
