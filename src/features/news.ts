import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from '../http/routes.ts'
import { deliveryReports } from './news/delivery-reports/routes.ts'
import { reminders, reminding, shared } from './news/reminders/routes.ts'

/** Reminders to tenants, and what vendors report of messages. */
export const news = (deps: Deps, http: Http) =>
  new Elysia({ name: 'news' })
    .use(reminders(deps, http))
    .use(reminding(deps, http))
    .use(shared(deps, http))
    .use(deliveryReports(deps, http))
