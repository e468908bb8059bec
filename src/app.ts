import { type Base, createBase } from './base.ts'
import type { Deps } from './deps.ts'
import { data } from './features/data.ts'
import { lease } from './features/lease.ts'
import { money } from './features/money.ts'
import { news } from './features/news.ts'
import { papers } from './features/papers.ts'
import { people } from './features/people.ts'
import { property } from './features/property.ts'

/** The whole application. */
export const createApp = (deps: Deps, build?: string) => complete(createBase(deps, build))

/** Adds the features to the base: one line per group, with the paths that it serves. */
export function complete({ app, deps, http, routes, fetch }: Base) {
  const own = [...app.routes]
  app
    // under /api/v1: /registration /account /me /legal /tenants /admin/users /admin/organization /organization; and /u
    .use(people(deps, http))
    // under /api/v1: /properties /units
    .use(property(deps, http))
    // under /api/v1: /documents /media /verification /admin/verification; and /verify /p
    .use(papers(deps, http))
    // under /api/v1: /bookings /lease-templates /requests /inspections
    .use(lease(deps, http))
    // under /api/v1: /invoices /payments /rent-changes, and of a booking /payments /deposit /terminate /reinstate
    .use(money(deps, http))
    // under /api/v1: /reminders /notices and the reminders of an invoice; /i and /webhooks
    .use(news(deps, http))
    // under /api/v1: /search /reports /imports /exports /account/export /webhook-endpoints /events /admin/audit, and of a booking /file /timeline
    .use(data(deps, http))
    .compile()
  // The document names shared schemas after their first use, and describes the server itself last.
  routes.read({ routes: [...app.routes.slice(own.length), ...own] })
  return { routes: routes.routes, routeOf: routes.routeOf, fetch, handle: async (request: Request) => fetch(request) }
}
