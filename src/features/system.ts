import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from '../http/routes.ts'
import { backups } from './system/backups/routes.ts'
import { changes } from './system/changes/routes.ts'
import { checks } from './system/checks/routes.ts'
import { docs } from './system/docs/routes.ts'
import { files } from './system/files/routes.ts'
import { front } from './system/front/routes.ts'
import { health } from './system/health/routes.ts'
import { pages } from './system/pages/routes.ts'
import { sampleData } from './system/sample-data/routes.ts'
import { sandbox } from './system/sandbox/routes.ts'
import { setup } from './system/setup/routes.ts'

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
    .use(changes(deps, http))
    .use(sandbox(deps, http))
    .use(docs(deps, http, app))
    .use(pages(deps, http))
