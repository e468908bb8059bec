import { Elysia } from 'elysia'
import type { Deps } from './deps.ts'
import { data } from './features/data.ts'
import { lease } from './features/lease.ts'
import { money } from './features/money.ts'
import { news } from './features/news.ts'
import { papers } from './features/papers.ts'
import { people } from './features/people.ts'
import { property } from './features/property.ts'
import { system } from './features/system.ts'
import { auth } from './http/auth.ts'
import { createAnswers } from './http/cache.ts'
import { gate } from './http/gate.ts'
import { createLimits } from './http/limits.ts'
import { createRouteTable, onError } from './http/problems.ts'
import { realm } from './http/realm.ts'
import { createHttp } from './http/routes.ts'

/** The whole application: one line per group, with the paths that it serves. */
export function createApp(deps: Deps, build = 'dev') {
  const answers = createAnswers(deps, build)
  const { plugin, entrance } = auth(deps, createLimits(deps.config, deps.team), answers)
  const http = createHttp(deps, answers, plugin)
  const routes = createRouteTable()
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .onError(onError(deps, routes))
    .use(gate(deps, routes))
    .use(plugin)
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
    // under /api/v1: /search /reports /imports /exports /account/export /webhook-endpoints /admin/audit, and of a booking /file /timeline
    .use(data(deps, http))
    // / /healthz /readyz /metrics /media-uploads /media-files /api/v1/events /openapi.json /docs /console /portal /ui; under /api/v1: /sandbox /setup /admin/health /admin/sample-data
    .use(system(deps, http, routes))
    // /realms/svc
    .use(realm(deps, http))
  routes.read(app)
  const fetch = entrance(app.fetch)
  return { routes: app.routes, routeOf: routes.routeOf, fetch, handle: async (request: Request) => fetch(request) }
}
