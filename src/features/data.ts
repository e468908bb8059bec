import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from '../http/routes.ts'
import { audit, auditArchives } from './data/audit/routes.ts'
import { changes, events } from './data/events/routes.ts'
import { dataExports } from './data/exports/routes.ts'
import { imports } from './data/imports/routes.ts'
import { leaseAccount } from './data/lease-account/routes.ts'
import { facades, finding, leaseFile, overview, timeline } from './data/overview/routes.ts'
import { personalData } from './data/personal-data/routes.ts'
import { reports } from './data/reports/routes.ts'

/** All of an organization's data: reports, imports and exports. */
export const data = (deps: Deps, http: Http) =>
  new Elysia({ name: 'data' })
    .use(overview(deps, http))
    .use(facades(deps, http))
    .use(reports(deps, http))
    .use(finding(deps, http))
    .use(imports(deps, http))
    .use(dataExports(deps, http))
    .use(personalData(deps, http))
    .use(leaseFile(deps, http))
    .use(leaseAccount(deps, http))
    .use(timeline(deps, http))
    .use(events(deps, http))
    .use(changes(deps, http))
    .use(audit(deps, http))
    .use(auditArchives(deps, http))
