import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { edgeOf } from './request.ts'
import type { Http } from './routes.ts'

/** The embedded OpenID provider under /realms/svc; with an external provider this adds no routes. */
export const realm = ({ embedded }: Deps, http: Http) =>
  new Elysia().use(http).all(
    '/realms/svc/*',
    ({ request }) => {
      if (!embedded) throw notFound()
      return embedded.fetch(request, edgeOf(request).address)
    },
    { detail: { hide: true, 'x-roles': 'public' } as object, parse: 'none' },
  )
