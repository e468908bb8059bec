import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from '../http/routes.ts'
import { backups } from './system/backups/routes.ts'
import { sandbox } from './system/demo/routes.ts'
import { docs, front, pages } from './system/docs/routes.ts'
import { files } from './system/files/routes.ts'
import { checks, health } from './system/health/routes.ts'
import { sampleData, setup } from './system/setup/routes.ts'

/** The server itself: its state, its files, and its description of the routes of `app`. */
export const system = (deps: Deps, http: Http, app: Pick<Elysia, 'routes'>) =>
  new Elysia({ name: 'system' })
    .use(health(deps, http))
    .use(checks(deps, http))
    .use(backups(deps, http))
    .use(setup(deps, http))
    .use(sampleData(deps, http))
    .use(front(deps, http))
    .use(files(deps, http))
    .use(sandbox(deps, http))
    .use(docs(deps, http, app))
    .use(pages(deps, http))
