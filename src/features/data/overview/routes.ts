import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { localDate } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { digestOf, etagOf, isKnown } from '../../../http/cache.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { oneOf } from '../../../http/schema.ts'
import { toInvoice } from '../../money/invoices/model.ts'
import { toPayment } from '../../money/payments/model.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { MonthOf, Overview, TenantOverview } from './model.ts'
import { landlordOverview, tenantOverview } from './service.ts'

const Query = Type.Object(
  {
    month: Type.Optional({
      ...MonthOf,
      description: 'YYYY-MM; the current month if omitted. It has no effect for a tenant.',
    }),
    as: Type.Optional(
      oneOf(['TENANT'], {
        $id: 'OverviewView',
        description: 'For a landlord who also rents: TENANT returns what they see as a tenant, a TenantOverview.',
      }),
    ),
  },
  { additionalProperties: true },
)

const ofTenant = ({ open, paid, checking, refused, ...rest }: Awaited<ReturnType<typeof tenantOverview>>) => ({
  ...rest,
  open: open.map(toInvoice),
  paid: paid.map(toInvoice),
  checking: checking.map(toPayment),
  refused: refused.map(toPayment),
})

/** The one request of the first screens. */
export const overview = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/overview', tags: ['Reports'] }).use(http).get(
    '',
    async ({ caller, query, request, one }) => {
      const org = findOrganization(deps.db, caller.orgId)
      if (!org) throw notFound()
      const nowMs = deps.clock.now()
      const today = localDate(nowMs, org.timeZone)
      const month = query.month ?? today.slice(0, 7)
      const rents = query.as === 'TENANT' || caller.scope.kind === 'tenant'
      const asked = { org, caller, today, nowMs }
      // Any write of the organization may change it, and so does a new day.
      const version = digestOf([deps.store.orgVersion(org.id), today, month, rents, caller.userId, caller.roles])
      const known = isKnown(request.headers, etagOf(deps.store.epoch, version))
      const rest = deps.store.resting()
      if (rents) {
        const own = known ? undefined : ofTenant(await tenantOverview(deps.db, asked, rest))
        return one({ version }, () => own)
      }
      const shown = known ? undefined : await landlordOverview(deps.db, asked, month, rest)
      return one({ version }, () => shown)
    },
    {
      access: EVERYONE,
      query: Query,
      answers: { 200: Type.Union([Overview, TenantOverview]) },
      detail: {
        summary: 'Read the start page of the caller',
        operationId: 'getOverview',
        description:
          'Shows who has paid, who has not, and what waits for the caller; for a tenant, what they owe. MANAGER and ADMIN get an Overview of the whole organization, an OWNER of their own properties, a TENANT a TenantOverview of what they rent. A person who is both landlord and tenant gets the landlord’s, and with `as=TENANT` the tenant’s.',
      },
    },
  )
