import { Elysia } from 'elysia'
import type { Deps } from './deps.ts'
import { system } from './features/system.ts'
import { auth } from './http/auth.ts'
import { createAnswers } from './http/cache.ts'
import { gate } from './http/gate.ts'
import { createLimits } from './http/limits.ts'
import { onError } from './http/problems.ts'
import { realm } from './http/realm.ts'
import { createRouteTable } from './http/route-table.ts'
import { createHttp } from './http/routes.ts'

/**
 * What answers first after a start: the server's own state and pages, and sign-in. The groups of features are added by
 * app.ts, which takes as long to load as all the rest.
 */
export function createBase(deps: Deps, build = 'dev') {
  const answers = createAnswers(deps, build)
  const { plugin, entrance } = auth(deps, createLimits(deps.config), answers)
  const http = createHttp(deps, answers, plugin)
  const routes = createRouteTable()
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .onError(onError(deps, routes))
    .use(gate(deps, routes))
    .use(plugin)
    .use(system(deps, http, routes))
    .use(realm(deps, http))
  routes.read(app)
  return { app, deps, http, routes, fetch: entrance(app) }
}
export type Base = ReturnType<typeof createBase>
