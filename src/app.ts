import { Elysia } from 'elysia'
import type { Deps } from './deps.ts'
import { audit } from './features/data/audit/routes.ts'
import { auditArchives } from './features/data/audit-archives/routes.ts'
import { webhookEndpoints } from './features/data/events/routes.ts'
import { dataExports } from './features/data/exports/routes.ts'
import { imports } from './features/data/imports/routes.ts'
import { leaseFile } from './features/data/lease-file/routes.ts'
import { personalData } from './features/data/personal-data/routes.ts'
import { reports } from './features/data/reports/routes.ts'
import { bookings } from './features/lease/bookings/routes.ts'
import { leaseTemplates } from './features/lease/lease-templates/routes.ts'
import { signing } from './features/lease/signing/routes.ts'
import { billing } from './features/money/billing/routes.ts'
import { deposits } from './features/money/deposits/routes.ts'
import { endings } from './features/money/endings/routes.ts'
import { invoices } from './features/money/invoices/routes.ts'
import { mobileMoney } from './features/money/mobile-money/routes.ts'
import { payments } from './features/money/payments/routes.ts'
import { webhooks } from './features/news/delivery-reports/routes.ts'
import { reminders } from './features/news/reminders/routes.ts'
import { documents } from './features/papers/documents/routes.ts'
import { media } from './features/papers/media/routes.ts'
import { verification } from './features/papers/verification/routes.ts'
import { account } from './features/people/account/routes.ts'
import { legal } from './features/people/legal/routes.ts'
import { numberUndo } from './features/people/number-undo/routes.ts'
import { organizations } from './features/people/organizations/routes.ts'
import { passwordReset } from './features/people/password-reset/routes.ts'
import { phoneChange } from './features/people/phone-change/routes.ts'
import { registration } from './features/people/registration/routes.ts'
import { secondFactors } from './features/people/second-factor/routes.ts'
import { tenants } from './features/people/tenants/routes.ts'
import { users, usersAdministration } from './features/people/users/routes.ts'
import { properties } from './features/property/properties/routes.ts'
import { units } from './features/property/units/routes.ts'
import { docs } from './features/system/docs/routes.ts'
import { files } from './features/system/files/routes.ts'
import { service } from './features/system/health/routes.ts'
import { pages } from './features/system/pages/routes.ts'
import { sandbox } from './features/system/sandbox/routes.ts'
import { auth } from './http/auth.ts'
import { createAnswers } from './http/cache.ts'
import { gate } from './http/gate.ts'
import { createLimits } from './http/limits.ts'
import { createRouteTable, onError } from './http/problems.ts'
import { realm } from './http/realm.ts'
import { createHttp } from './http/routes.ts'

/** Everything the service answers, a line a feature. */
export function createApp(deps: Deps, build = 'dev') {
  const answers = createAnswers(deps, build)
  const { plugin, entrance } = auth(deps, createLimits(deps.config), answers)
  const http = createHttp(deps, answers, plugin)
  const routes = createRouteTable()
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .onError(onError(deps, routes))
    .use(gate(deps, routes))
    .use(plugin)
    .use(service(deps, http))
    .use(registration(deps, http))
    .use(passwordReset(deps, http))
    .use(legal(deps, http))
    .use(account(deps, http))
    .use(phoneChange(deps, http))
    .use(personalData(deps, http))
    .use(users(deps, http))
    .use(organizations(deps, http))
    .use(usersAdministration(deps, http))
    .use(secondFactors(deps, http))
    .use(properties(deps, http))
    .use(units(deps, http))
    .use(tenants(deps, http))
    .use(bookings(deps, http))
    .use(signing(deps, http))
    .use(billing(deps, http))
    .use(endings(deps, http))
    .use(invoices(deps, http))
    .use(payments(deps, http))
    .use(mobileMoney(deps, http))
    .use(deposits(deps, http))
    .use(reports(deps, http))
    .use(reminders(deps, http))
    .use(documents(deps, http))
    .use(leaseTemplates(deps, http))
    .use(imports(deps, http))
    .use(dataExports(deps, http))
    .use(media(deps, http))
    .use(files(deps, http))
    .use(verification(deps, http))
    .use(webhooks(deps, http))
    .use(webhookEndpoints(deps, http))
    .use(audit(deps, http))
    .use(auditArchives(deps, http))
    .use(sandbox(deps, http))
    .use(realm(deps, http))
  // On its own, for the compiler: a longer chain is a deeper type.
  app.use(leaseFile(deps, http))
  app.use(numberUndo(deps, http))
  app.use(docs(deps, http, app))
  app.use(pages(deps, http))
  routes.read(app)
  const fetch = entrance(app.fetch)
  return { routes: app.routes, fetch, handle: async (request: Request) => fetch(request) }
}
