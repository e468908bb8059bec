import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from '../http/routes.ts'
import { deliveryReports } from './news/delivery-reports/routes.ts'
import { reminders } from './news/reminders/routes.ts'
import { reminding } from './news/reminding/routes.ts'
import { shared } from './news/shared/routes.ts'

/** Reminders to tenants, and what vendors report of messages. */
export const news = (deps: Deps, http: Http) =>
  new Elysia({ name: 'news' })
    .use(reminders(deps, http))
    .use(reminding(deps, http))
    .use(shared(deps, http))
    .use(deliveryReports(deps, http))
