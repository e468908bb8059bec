import { Elysia } from 'elysia'
import { localDate } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { digestOf, etagOf } from '../../../http/etag.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { LeaseAccount, Parameters } from './model.ts'
import { accountOf, accountPaper, leaseSeen } from './service.ts'
import { TEXTS } from './texts.ts'

/** What the tenant of a lease was asked for and paid, at any time. */
export const leaseAccount = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] }).use(http).get(
    '/:id/account',
    async ({ caller, params, query: { from, to, format, locale }, one, inTurn }) => {
      const org = findOrganization(deps.db, caller.orgId)
      if (!org) throw notFound()
      const lease = leaseSeen(deps.db, caller, params.id)
      const today = localDate(deps.clock.now(), org.timeZone)
      const account = accountOf(deps.db, lease, today, { from, to })
      if (format !== 'pdf') return one({ version: digestOf(account) }, () => account)
      const words = { locale: locale ?? lease.locale, issuedOn: today }
      const data = accountPaper(deps.db, org, lease, account, words)
      const bytes = await inTurn(async () => deps.pdf.render('report', data, null))
      const name = `${TEXTS[words.locale].fileName}-${account.from}-${account.to}.pdf`
      return new Response(bytes, {
        headers: {
          etag: etagOf(deps.store.epoch, digestOf([account, words])),
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="${name}"`,
        },
      })
    },
    {
      access: EVERYONE,
      query: Parameters,
      answers: { 200: LeaseAccount },
      detail: {
        summary: 'Read the account of the tenant of a lease',
        operationId: 'getLeaseAccount',
        description:
          'Invoices, credit notes, payments and refunds of the lease in the order of their days, with the balance after each: what the tenant still owes, or has paid ahead. The lines add up to the open balances of its invoices less its credit. For its landlords, and for its tenant (403 for co-tenants). With `format=pdf` the same as a paper.',
        'x-versioned': true,
        'x-files': { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
      } as object,
    },
  )
