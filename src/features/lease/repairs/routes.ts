import { type TSchema, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { RepairRow } from '../../../../db/schema/repairs.ts'
import { asTenant, type Caller } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { type ErrorCode, notFound } from '../../../errors.ts'
import { rowOf, withNames } from '../../../http/mutation.ts'
import { filtersOf, ListParameters, Of } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { Body, oneOf, someOf } from '../../../http/schema.ts'
import { LINK_STEP, LISTED_SECONDS } from '../../papers/media/rules.ts'
import { onToday } from '../../people/organizations/store.ts'
import {
  REOPENING,
  Repair,
  RepairCreate,
  RepairDone,
  RepairEntry,
  RepairEntryCreate,
  RepairPatch,
  RepairPlan,
  RepairReason,
  toEntry,
  toRepair,
} from './model.ts'
import { placeRule, REPAIR_STATUS, URGENCIES, withoutCost } from './rules.ts'
import {
  addEntry,
  createRepair,
  finishRepair,
  isLandlord,
  named,
  planRepair,
  refuseRepair,
  reopenRepair,
  seeRepair,
  updateRepair,
} from './service.ts'
import { getRepair, listEntries, listRepairs } from './store.ts'

const Query = ListParameters({
  status: Type.Optional(someOf(REPAIR_STATUS)),
  urgency: Type.Optional(oneOf(URGENCIES, { description: 'Only those of this urgency.' })),
  bookingId: Of('this lease'),
  unitId: Of('this unit'),
  propertyId: Of('this property'),
  tenantUserId: Of("this user's leases"),
})
const FILTERS = filtersOf(Query)
const THUMBNAIL = '320'

export function repairs(deps: Deps, http: Http) {
  const viewOf = (caller: Caller) =>
    withNames((row: RepairRow): Repair => {
      const view = toRepair(named(deps.db, row))
      return isLandlord(caller, row) ? view : withoutCost(view)
    }, listRepairs.computed)
  /** What every move of a request has in common. */
  const moving = <B extends TSchema>(
    body: B,
    summary: string,
    operationId: string,
    more: { readonly description?: string; readonly problems?: readonly ErrorCode[] } = {},
  ) => ({
    body,
    problems: ['invalid_state', 'too_many_repairs', ...(more.problems ?? [])] as const,
    answers: { 200: Repair },
    detail: { summary, operationId, ...(more.description ? { description: more.description } : {}) },
  })
  const current = rowOf(getRepair)

  return new Elysia({
    prefix: '/api/v1/requests',
    ...section(
      'Repairs',
      'Repair requests: OPEN, SEEN, PLANNED, then DONE or REFUSED, with a thread of messages and photos between landlord and tenant. Each lease has its own; earlier and later tenants do not see them.',
    ),
  })
    .use(http)
    .post(
      '',
      ({ caller, body, mutate }) =>
        mutate({ status: 201, body, run: (ctx) => createRepair(ctx, body), view: viewOf(caller) }),
      {
        access: EVERYONE,
        body: RepairCreate,
        rules: onToday(deps, placeRule),
        problems: ['not_found', 'invalid_state', 'too_many_repairs', 'quota_exceeded'],
        creates: ['/api/v1/requests/{id}'],
        answers: { 201: Repair },
        detail: {
          summary: 'Request a repair, as a tenant or on behalf of a tenant',
          description:
            'The other side gets a message. A tenant can have ten open requests in a lease; more are refused with 409 `too_many_repairs`.',
          operationId: 'createRepair',
        },
      },
    )
    .get(
      '',
      ({ many, query }) =>
        many({ name: 'repairs', query, filters: FILTERS }, (q) => {
          const scope = asTenant(q.scope, q.values.tenantUserId)
          const page = listRepairs(deps.db, { ...q, scope })
          return scope.kind === 'tenant' ? { ...page, rows: page.rows.map(withoutCost) } : page
        }),
      {
        access: EVERYONE,
        query: Query,
        answers: { 200: Type.Array(Repair) },
        detail: {
          summary: 'List repair requests',
          description: 'A tenant sees the requests of their own leases, without the costs.',
          operationId: 'listRepairs',
        },
      },
    )
    .get(
      '/:id',
      ({ caller, params, one }) => one(getRepair(deps.db, caller.orgId, caller.scope, params.id), viewOf(caller)),
      {
        access: EVERYONE,
        answers: { 200: Repair },
        detail: { summary: 'Read a repair request', operationId: 'getRepair' },
      },
    )
    .patch('/:id', ({ caller, body, mutate }) => mutate({ body, run: updateRepair, view: viewOf(caller), current }), {
      access: LANDLORDS,
      body: RepairPatch,
      answers: { 200: Repair },
      detail: {
        summary: 'Change a repair request or record its cost (JSON merge patch)',
        operationId: 'updateRepair',
      },
    })
    .post('/:id/see', ({ caller, body, mutate }) => mutate({ body, run: seeRepair, view: viewOf(caller), current }), {
      access: LANDLORDS,
      ...moving(Body({}), 'Mark a repair request as seen', 'seeRepair'),
    })
    .post('/:id/plan', ({ caller, body, mutate }) => mutate({ body, run: planRepair, view: viewOf(caller), current }), {
      access: LANDLORDS,
      ...moving(RepairPlan, 'Set or change the day of a repair', 'planRepair'),
    })
    .post(
      '/:id/done',
      ({ caller, body, mutate }) => mutate({ body, run: finishRepair, view: viewOf(caller), current }),
      {
        access: LANDLORDS,
        ...moving(RepairDone, 'Mark a repair as done and record its cost', 'finishRepair'),
      },
    )
    .post(
      '/:id/refuse',
      ({ caller, body, mutate }) => mutate({ body, run: refuseRepair, view: viewOf(caller), current }),
      {
        access: LANDLORDS,
        ...moving(RepairReason, 'Refuse a repair request', 'refuseRepair', {
          description: 'The tenant can read the reason.',
        }),
      },
    )
    .post(
      '/:id/reopen',
      ({ caller, body, mutate }) => mutate({ body, run: reopenRepair, view: viewOf(caller), current }),
      {
        access: EVERYONE,
        ...moving(RepairReason, 'Reopen a repair request that is DONE or REFUSED', 'reopenRepair', {
          description: REOPENING,
        }),
      },
    )
    .get(
      '/:id/entries',
      ({ caller, params, many, query }) => {
        if (!getRepair(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        const span = Math.floor(deps.clock.wall() / 1000 / LINK_STEP)
        const listQuery = { ...query, repairId: params.id }
        const linked = (id: string) =>
          deps.links.sign('GET', '/media-files', id, LISTED_SECONDS, { size: THUMBNAIL }, LINK_STEP).url
        return many(
          { name: 'repairEntries', query: listQuery, filters: ['repairId', 'updatedSince'] },
          (q) => {
            const page = listEntries(deps.db, q)
            const rows = page.rows.map((row) =>
              row.mediaObjectId === undefined ? row : { ...row, url: linked(row.mediaObjectId) },
            )
            return { ...page, rows }
          },
          { seenAs: `person${span}`, keep: false },
        )
      },
      {
        access: EVERYONE,
        query: ListParameters({}),
        answers: { 200: Type.Array(RepairEntry) },
        detail: {
          summary: 'List the messages, photos and status changes of a repair request',
          operationId: 'listRepairEntries',
        },
      },
    )
    .post('/:id/entries', ({ body, mutate }) => mutate({ status: 201, body, run: addEntry, view: toEntry, current }), {
      access: EVERYONE,
      body: RepairEntryCreate,
      problems: ['not_found', 'invalid_state', 'too_many_repairs'],
      creates: ['/api/v1/requests/:id/entries'],
      answers: { 201: RepairEntry },
      detail: { summary: 'Add a message or photo to a repair request', operationId: 'addRepairEntry' },
    })
}
