import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../../context.ts'
import { ELSEWHERE } from '../../../core/budgets.ts'
import { digitsOf, normalizePhone } from '../../../core/phone.ts'
import { isPart } from '../../../core/scope.ts'
import type { Deps } from '../../../deps.ts'
import { rowOf } from '../../../http/mutation.ts'
import { contains, ListParameters, NameWords } from '../../../http/paging.ts'
import { type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { Phone } from '../../../http/schema.ts'
import { onToday } from '../organizations/store.ts'
import { Tenant, TenantCreate, TenantPatch, toTenant } from './model.ts'
import { tenantRule } from './rules.ts'
import { createTenant, updateTenant } from './service.ts'
import { findTenant, getTenant, listTenants, type TenantRow, tenantSeen } from './store.ts'

const Query = ListParameters({ phoneNumber: Type.Optional(Phone), q: NameWords })

/** A tenant as the caller may read them. */
const viewOf =
  ({ db }: Pick<Deps, 'db'>, { scope }: Caller) =>
  (row: TenantRow) =>
    toTenant(tenantSeen(db, scope, row))

export const tenants = (deps: Deps, http: Http) =>
  new Elysia({
    prefix: '/api/v1/tenants',
    ...section(
      'Tenants',
      "People known to a landlord, with or without an account. MANAGER and ADMIN see all of them. An OWNER sees the tenants whom they entered, and those with whom they have a PENDING, ACTIVE or TERMINATED lease; a DRAFT, cancelled or refused lease does not show the tenant. Each owner has separate entries: a number that another owner has also entered makes a new entry, which holds only the number, and neither owner learns of the other's entry. If another owner has a lease with a tenant, only a MANAGER or ADMIN can change the tenant. The same applies to the name and number of a tenant with an account who has agreed: by requesting the unit, by registering with a number entered before, or by signing.",
    ),
  })
    .use(http)
    .post(
      '',
      ({ caller, body, mutate }) =>
        mutate({ status: 201, body, run: (ctx) => createTenant(ctx, body), view: viewOf(deps, caller) }),
      {
        access: LANDLORDS,
        body: TenantCreate,
        rules: onToday(deps, tenantRule),
        problems: ['duplicate', 'member_elsewhere', 'quota_exceeded'],
        creates: ['/api/v1/tenants/{id}'],
        answers: { 201: Tenant },
        detail: {
          summary: 'Create a tenant, and invite their phone number',
          description: `Refused with 409 \`duplicate\` if the caller sees a tenant with this number already; tenants that other owners entered do not count. Refused with 409 \`member_elsewhere\` if the number belongs to an account of another organization. The service answers that question for ${ELSEWHERE.person} numbers a day; after that, every number that is new here is answered with 429, whether it has an account or not. Managers see whether the number has an account in this organization. An OWNER, or a manager limited to some properties, sees it once the person has agreed (by requesting the home, accepting the invitation or signing), or once a lease was sent out to them.`,
          operationId: 'createTenant',
        },
      },
    )
    .get(
      '',
      ({ many, query }) =>
        many(
          {
            name: 'tenants',
            query: {
              ...query,
              phoneNumber: query.phoneNumber && (normalizePhone(query.phoneNumber) ?? query.phoneNumber),
              q: contains(digitsOf(query.q ?? '') ?? query.q),
            },
            filters: ['phoneNumber', 'q', 'updatedSince'],
          },
          (q) => {
            const page = listTenants(deps.db, q)
            if (!isPart(q.scope)) return page
            const knowsAccount = (id: string) => {
              const row = findTenant(deps.db, q.orgId, id)
              return row && tenantSeen(deps.db, q.scope, row).userId !== null
            }
            return {
              ...page,
              rows: page.rows.map((row) => (knowsAccount(row.id) ? row : { ...row, userId: undefined })),
            }
          },
        ),
      {
        access: LANDLORDS,
        query: Query,
        answers: { 200: Type.Array(Tenant) },
        detail: { summary: 'List tenants', operationId: 'listTenants' },
      },
    )
    .get('/:id', ({ caller, cached }) => cached(getTenant, viewOf(deps, caller)), {
      access: LANDLORDS,
      answers: { 200: Tenant },
      detail: { summary: 'Read a tenant', operationId: 'getTenant' },
    })
    .patch(
      '/:id',
      ({ caller, body, mutate }) =>
        mutate({ body, run: updateTenant, view: viewOf(deps, caller), current: rowOf(getTenant) }),
      {
        access: { roles: LANDLORDS, fresh: ['phoneNumber'] },
        body: TenantPatch,
        problems: ['duplicate', 'member_elsewhere', 'manager_required'],
        answers: { 200: Tenant },
        detail: {
          summary: 'Change a tenant (JSON merge patch)',
          description:
            'A new number links the tenant to the account that verified it, and gives that account the leases of this tenant; an account that was linked before stays linked. Refused with 403 `manager_required` if another owner has a lease with the tenant, or if the tenant has an account and maintains their own name and number.',
          operationId: 'updateTenant',
        },
      },
    )
