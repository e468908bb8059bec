import { Elysia } from 'elysia'
import type { Deps } from './deps.ts'
import { system } from './features/system.ts'
import { createAnswers } from './http/answers.ts'
import { auth } from './http/auth.ts'
import { createCache } from './http/cache.ts'
import { cors, options } from './http/cors.ts'
import { firstRun } from './http/first-run.ts'
import { headers } from './http/headers.ts'
import { host } from './http/host.ts'
import { language } from './http/language.ts'
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
  const cache = createCache(deps)
  const { plugin, entrance } = auth(deps, createLimits(deps.config))
  const http = createHttp(deps, createAnswers(deps, build, cache), plugin)
  const routes = createRouteTable()
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .onError(onError(deps, routes))
    .use(headers(deps))
    .use(cors(deps))
    .use(language())
    .use(host(deps))
    .use(firstRun(deps))
    .use(options(routes))
    .use(plugin)
    .use(cache.plugin)
    .use(system(deps, http, routes))
    .use(realm(deps, http))
  routes.read(app)
  return { app, deps, http, routes, fetch: entrance(app) }
}
export type Base = ReturnType<typeof createBase>
