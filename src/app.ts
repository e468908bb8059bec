import { Elysia } from 'elysia'
import type { Deps } from './deps.ts'
import { account } from './features/account/routes.ts'
import { audit } from './features/audit/routes.ts'
import { billing } from './features/billing/routes.ts'
import { bookings } from './features/bookings/routes.ts'
import { deposits } from './features/deposits/routes.ts'
import { docs } from './features/docs/routes.ts'
import { documents } from './features/documents/routes.ts'
import { endings } from './features/endings/routes.ts'
import { dataExports } from './features/exports/routes.ts'
import { files } from './features/files/routes.ts'
import { imports } from './features/imports/routes.ts'
import { invoices } from './features/invoices/routes.ts'
import { leaseFile } from './features/lease-file/routes.ts'
import { leaseTemplates } from './features/lease-templates/routes.ts'
import { legal } from './features/legal/routes.ts'
import { media } from './features/media/routes.ts'
import { mobileMoney } from './features/mobile-money/routes.ts'
import { numberUndo } from './features/number-undo/routes.ts'
import { organizations } from './features/organizations/routes.ts'
import { passwordReset } from './features/password-reset/routes.ts'
import { payments } from './features/payments/routes.ts'
import { personalData } from './features/personal-data/routes.ts'
import { phoneChange } from './features/phone-change/routes.ts'
import { properties } from './features/properties/routes.ts'
import { registration } from './features/registration/routes.ts'
import { reminders } from './features/reminders/routes.ts'
import { reports } from './features/reports/routes.ts'
import { sandbox } from './features/sandbox/routes.ts'
import { secondFactors } from './features/second-factor/routes.ts'
import { service } from './features/service/routes.ts'
import { signing } from './features/signing/routes.ts'
import { tenants } from './features/tenants/routes.ts'
import { units } from './features/units/routes.ts'
import { users, usersAdministration } from './features/users/routes.ts'
import { verification } from './features/verification/routes.ts'
import { webhookEndpoints } from './features/webhook-endpoints/routes.ts'
import { webhooks } from './features/webhooks/routes.ts'
import { createAnswers } from './http/answers.ts'
import { createEdge } from './http/edge.ts'
import { atOnce, createHttp } from './http/http.ts'
import { createRouteTable, onError } from './http/on-error.ts'
import { realm } from './http/realm.ts'

/** Everything the service answers, a line a feature. */
export function createApp(deps: Deps, build = 'dev') {
  const answers = createAnswers(deps, build)
  const http = createHttp(deps, answers)
  const routes = createRouteTable()
  const again = (request: Request): Response | Promise<Response> => app.fetch(request)
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .onError(onError(deps, routes))
    .onRequest(createEdge(deps, answers, routes, again))
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
    .use(sandbox(deps, http))
    .use(realm(deps, http))
  // On its own, for the compiler: a longer chain is a deeper type.
  app.use(leaseFile(deps, http))
  app.use(numberUndo(deps, http))
  app.use(docs(deps, http, app))
  atOnce(app)
  routes.read(app)
  return app
}
