import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { normalizePhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { contains, ListParameters } from '../../../http/paging.ts'
import { type Http, LANDLORDS, rowOf } from '../../../http/routes.ts'
import { Phone, Text, Uuid } from '../../../http/schema.ts'
import { judged } from '../organizations/store.ts'
import { Tenant, TenantCreate, TenantPatch, toTenant } from './model.ts'
import { tenantJudge } from './rules.ts'
import { createTenant, updateTenant } from './service.ts'
import { getTenant, listTenants } from './store.ts'

const ById = Type.Object({ id: Uuid })
const Query = ListParameters({ phoneNumber: Type.Optional(Phone), q: Type.Optional(Text({ max: 100 })) })

export const tenants = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/tenants', tags: ['Tenants'] })
    .use(http)
    .post('', ({ body, mutate }) => mutate(201, body, (ctx) => createTenant(ctx, body), toTenant), {
      access: LANDLORDS,
      body: TenantCreate,
      judges: judged(deps, tenantJudge),
      problems: ['duplicate', 'member_elsewhere', 'quota_exceeded'],
      creates: ['/api/v1/tenants/{id}'],
      answers: { 201: Tenant },
      detail: {
        summary: 'Enter a tenant; a phone number invites it',
        description:
          'duplicate: the caller sees a tenant with this number already. What other owners entered is no part of it.',
        operationId: 'createTenant',
      },
    })
    .get(
      '',
      ({ many, query }) =>
        many(
          'tenants',
          {
            ...query,
            phoneNumber: query.phoneNumber && (normalizePhone(query.phoneNumber) ?? query.phoneNumber),
            q: contains(query.q),
          },
          ['phoneNumber', 'q', 'updatedSince'],
          (q) => listTenants(deps.db, q),
        ),
      {
        access: LANDLORDS,
        query: Query,
        answers: { 200: Type.Array(Tenant) },
        detail: { summary: 'List tenants', operationId: 'listTenants' },
      },
    )
    .get(
      '/:id',
      ({ caller, params, kept }) => kept(getTenant(deps.db, caller.orgId, caller.scope, params.id), toTenant),
      {
        access: LANDLORDS,
        params: ById,
        answers: { 200: Tenant },
        detail: { summary: 'Read a tenant', operationId: 'getTenant' },
      },
    )
    .patch(
      '/:id',
      ({ params, body, mutate }) =>
        mutate(200, body, (ctx) => updateTenant(ctx, params.id, body), toTenant, rowOf(getTenant, params.id)),
      {
        access: LANDLORDS,
        params: ById,
        body: TenantPatch,
        problems: ['duplicate', 'member_elsewhere', 'manager_required'],
        answers: { 200: Tenant },
        detail: {
          summary: 'Change a tenant (JSON merge patch)',
          description:
            'A new number leads to the account that proved to hold it, and gives that account the leases of this tenant; an account once linked stays. manager_required: another owner has a lease with the tenant, or the tenant has an account and says their name and number themselves.',
          operationId: 'updateTenant',
        },
      },
    )
