import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { localDate } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { digestOf, etagOf, isKnown } from '../../../http/etag.ts'
import { ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { oneOf, Uuid } from '../../../http/schema.ts'
import { toSignature } from '../../lease/contracts/model.ts'
import { partyBooking } from '../../lease/leases/store.ts'
import { toRepair } from '../../lease/repairs/model.ts'
import { withoutCost } from '../../lease/repairs/rules.ts'
import { toInvoice } from '../../money/invoices/model.ts'
import { toPayment } from '../../money/payments/model.ts'
import { toRentMessage } from '../../news/reminders/model.ts'
import { toDocument } from '../../papers/documents/model.ts'
import { messagingOf } from '../../people/organizations/rules.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { facadesOf } from './facades.ts'
import { archiveName, leaseFiles, recordFile } from './lease-file.ts'
import { Facades, MonthOf, Overview, SearchHit, SearchQuery, TenantOverview, TimelineEntry } from './model.ts'
import { search } from './search.ts'
import { landlordOverview, tenantOverview } from './service.ts'
import { type Happening, timelineOf } from './timeline.ts'

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
      const viewpoint = { org, caller, today, nowMs }
      // Any write of the organization may change it, and so does a new day.
      const version = digestOf([
        messagingOf(deps),
        deps.store.orgVersion(org.id),
        today,
        month,
        rents,
        caller.userId,
        caller.roles,
      ])
      const known = isKnown(request.headers, etagOf(deps.store.epoch, version))
      const rest = deps.store.resting()
      if (rents) {
        const own = known ? undefined : ofTenant(await tenantOverview(deps.db, viewpoint, rest))
        return one({ version }, () => own)
      }
      const { waiting = 0, ...overview } = known ? {} : await landlordOverview(deps.db, viewpoint, month, rest)
      return one(
        { version },
        () =>
          !known && {
            ...overview,
            messaging: { ...messagingOf(deps), waiting },
          },
      )
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

/** The homes of the start page. */
export const facades = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/overview/homes', tags: ['Reports'] }).use(http).get(
    '',
    async ({ caller, query, request, one }) => {
      const org = findOrganization(deps.db, caller.orgId)
      if (!org) throw notFound()
      const nowMs = deps.clock.now()
      const today = localDate(nowMs, org.timeZone)
      const { propertyId = null } = query
      const version = digestOf([deps.store.orgVersion(org.id), today, propertyId, caller.userId, caller.roles])
      const known = isKnown(request.headers, etagOf(deps.store.epoch, version))
      const rest = deps.store.resting()
      const viewpoint = { org, caller, today, nowMs }
      const shown = known ? undefined : await facadesOf(deps.db, viewpoint, propertyId ?? undefined, rest)
      return one({ version }, () => shown)
    },
    {
      access: LANDLORDS,
      query: Type.Object(
        { propertyId: Type.Optional({ ...Uuid, description: 'One building, with all its doors.' }) },
        { additionalProperties: true },
      ),
      answers: { 200: Facades },
      detail: {
        summary: 'Read how each home stands this month',
        operationId: 'getHomes',
        description:
          'By building, with the sums of the month. An OWNER and a manager of some properties see theirs. Debts of earlier months count too.',
      },
    },
  )

const USUAL = 20

export const finding = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/search', ...section('Search', 'Search by a word of a name, a number or a reference.') })
    .use(http)
    .get(
      '',
      ({ caller, query }) => search(deps.db, caller, query.q ?? '', Number(query.limit ?? USUAL), deps.clock.now()),
      {
        access: LANDLORDS,
        query: SearchQuery,
        answers: { 200: Type.Array(SearchHit) },
        detail: {
          summary: 'Search tenants, properties, units, leases, invoices, payments and documents',
          operationId: 'search',
          description:
            'Matches of whole words come first, then the newest. At most 50 in all, as `limit` says. Owners find only what is theirs. For an owner, the beginning of a number is searched among the newest thousand invoices, payments and documents; a whole number is searched among all.',
        },
      },
    )

function viewOf(happening: Happening) {
  switch (happening.kind) {
    case 'SIGNATURE':
      return { signature: toSignature(happening.row) }
    case 'INVOICE':
      return { invoice: toInvoice(happening.row) }
    case 'PAYMENT':
      return { payment: toPayment(happening.row) }
    case 'MESSAGE':
      return { message: toRentMessage(happening.row) }
    case 'DOCUMENT':
      return { document: toDocument(happening.row) }
    case 'REPAIR':
      return { repair: withoutCost(toRepair(happening.row)) }
  }
}
/** An entry as the list of its own kind answers it. */
const toEntry = (happening: Happening) => {
  const { kind, row } = happening
  return { id: row.id, kind, at: row.createdAt, ...viewOf(happening) }
}

/** What happened in a lease, in one list. */
export const timeline = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] }).use(http).get(
    '/:id/timeline',
    ({ caller, params, many, query }) => {
      if (!partyBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
      return many(
        { name: 'timeline', query: { ...query, bookingId: params.id }, filters: ['bookingId', 'updatedSince'] },
        (q) => {
          const page = timelineOf(deps.db, q)
          return { ...page, rows: page.rows.map(toEntry) }
        },
      )
    },
    {
      access: EVERYONE,
      query: ListParameters({}),
      answers: { 200: Type.Array(TimelineEntry) },
      detail: {
        summary: 'List the events of a lease',
        description:
          'Lists signatures, invoices, payments, messages, papers and repairs, newest first. Tenants and landlords each see what is theirs. The cost of a repair is on the repair itself.',
        operationId: 'listTimeline',
      },
    },
  )

/** The file of a lease that a landlord gives to a bailiff. */
export const leaseFile = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Reminders'] }).use(http).get(
    '/:id/file',
    async ({ caller, perform }) => {
      const now = new Date(deps.clock.now())
      const lease = await perform({ run: recordFile })
      return new Response(deps.zip(leaseFiles(deps, caller, lease), now), {
        headers: {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${archiveName(lease, now.toISOString().slice(0, 10))}"`,
          'cache-control': 'no-store',
        },
      })
    },
    {
      access: LANDLORDS,
      detail: {
        summary: 'Get the file of a lease for a bailiff, as a ZIP',
        description:
          'Contains leases, invoices, receipts, statements and letters as PDF; the ledger with its running balance and the messages as CSV; proofs of payment; and a list of all files with their SHA-256 digests. It is in the language of the lease. The audit trail records each request.',
        operationId: 'getLeaseFile',
        responses: {
          200: {
            description: 'The archive, while it is made.',
            content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      } as object,
    },
  )
