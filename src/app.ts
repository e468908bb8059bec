import { type Base, createBase } from './base.ts'
import type { Deps } from './deps.ts'
import { data } from './features/data.ts'
import { lease } from './features/lease.ts'
import { money } from './features/money.ts'
import { news } from './features/news.ts'
import { papers } from './features/papers.ts'
import { people } from './features/people.ts'
import { property } from './features/property.ts'

/*
 * Where an address is served, without /api/v1: a feature serves all that begins with one of its addresses, unless a longer
 * one stands elsewhere. The identity provider serves /realms; test/addresses.test.ts holds this table.
 *
 *   people/accounts         /registration /account/password /account/password-reset /account/phone /account/sessions /account/recoveries /admin/users/{id}/recovery-code /admin/users/{id}/second-factor /a /u
 *   people/users            /me /people /admin/users
 *   people/organizations    /organization /admin/organization
 *   people/tenants          /tenants
 *   people/notifications    /me/notifications
 *   people/legal            /legal
 *   property/properties     /properties
 *   property/units          /units /homes /properties/{id}/units /properties/{id}/duplicate
 *   papers/documents        /documents /verify
 *   papers/media            /media
 *   papers/vacancies        /p
 *   papers/verification     /verification /admin/verification
 *   lease/leases            /bookings
 *   lease/contracts         /lease-templates
 *   lease/signing           /bookings/{id}/signatures /bookings/{id}/signed-copy /bookings/{id}/parties /s
 *   lease/inspections       /inspections /bookings/{id}/proposed-deductions
 *   lease/repairs           /requests
 *   lease/meters            /meters /meter-readings
 *   money/invoices          /invoices
 *   money/waivers           /invoices/{id}/waive
 *   money/payments          /payments /invoices/{id}/payments /bookings/{id}/payments /bookings/{id}/advance
 *   money/transfers         /transfers
 *   money/deposits          /bookings/{id}/deposit
 *   money/leaving           /bookings/{id}/notice /bookings/{id}/terminate /bookings/{id}/reinstate /bookings/{id}/settlement /bookings/{id}/correct
 *   money/rents             /rent-changes /bookings/{id}/rent-changes
 *   money/charges           /regularisations /properties/{id}/regularisations /bookings/{id}/charge-shares /bookings/{id}/invoices
 *   money/expenses          /expenses
 *   money/accounting        /ledger
 *   money/adjustments       /adjustments
 *   money/owner-transfers   /owner-transfers
 *   news/reminders          /reminders /invoices/{id}/remind /bookings/{id}/messages /messages /i /r
 *   news/delivery-reports   /webhooks
 *   data/reports            /reports
 *   data/overview           /overview /search /bookings/{id}/timeline /bookings/{id}/file
 *   data/lease-account      /bookings/{id}/account
 *   data/imports            /imports
 *   data/exports            /exports
 *   data/personal-data      /account
 *   data/audit              /admin/audit
 *   data/events             /webhook-endpoints /webhook-deliveries /events
 *   system/health           /healthz /readyz /metrics /admin/health
 *   system/backups          /admin/backups
 *   system/files            /media-files /media-uploads
 *   system/setup            /setup /admin/sample-data
 *   system/demo             /sandbox
 *   system/docs             / /console /portal /ui /docs /openapi.json
 */

/** The whole application. */
export const createApp = (deps: Deps, build?: string) => complete(createBase(deps, build))

/** Adds the features to the base: one line for each group. */
export function complete({ app, deps, http, routes, fetch }: Base) {
  const own = [...app.routes]
  app
    .use(people(deps, http))
    .use(property(deps, http))
    .use(papers(deps, http))
    .use(lease(deps, http))
    .use(money(deps, http))
    .use(news(deps, http))
    .use(data(deps, http))
    .compile()
  // The document names shared schemas after their first use, and describes the server itself last.
  routes.read({ routes: [...app.routes.slice(own.length), ...own] })
  return { routes: routes.routes, routeOf: routes.routeOf, fetch, handle: async (request: Request) => fetch(request) }
}
