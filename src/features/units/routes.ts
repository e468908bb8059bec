import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { EVERYONE, type Http, LANDLORDS } from '../../http/http.ts'
import { ListParameters } from '../../http/paging.ts'
import { oneOf, Uuid } from '../../http/schema.ts'
import { getProperty } from '../properties/store.ts'
import { toUnit, Unit, UnitCreate, UnitPatch } from './model.ts'
import { UNIT_STATUS } from './rules.ts'
import { createUnits, updateUnit } from './service.ts'
import { findUnit, listUnits } from './store.ts'

const ById = Type.Object({ id: Uuid })

export const units = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1', tags: ['Units'] })
    .use(http)
    .post(
      '/properties/:id/units',
      ({ params, body, perform }) =>
        perform(201, body, (ctx) => {
          const rows = createUnits(ctx, params.id, body).map(toUnit)
          return body.labels ? rows : (rows[0] as Unit)
        }),
      {
        access: LANDLORDS,
        params: ById,
        body: UnitCreate,
        problems: ['invalid_state'],
        answers: { 201: Type.Union([Unit, Type.Array(Unit)]) },
        detail: { summary: 'Add one unit, or many alike', operationId: 'createUnits' },
      },
    )
    .get(
      '/properties/:id/units',
      ({ caller, params, many, query }) => {
        if (!getProperty(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return many('units', { ...query, propertyId: params.id }, ['propertyId', 'status', 'updatedSince'], (q) =>
          listUnits(deps.db, { ...q, scope: { kind: 'all', userId: '' } }),
        )
      },
      {
        access: EVERYONE,
        params: ById,
        query: ListParameters({ status: Type.Optional(oneOf(UNIT_STATUS)) }),
        answers: { 200: Type.Array(Unit) },
        detail: { summary: "List a property's units", operationId: 'listUnits' },
      },
    )
    .get(
      '/units/:id',
      ({ caller, params, one }) => {
        const row = findUnit(deps.db, caller.orgId, params.id)
        return one(row && getProperty(deps.db, caller.orgId, caller.scope, row.propertyId) ? row : undefined, toUnit)
      },
      {
        access: EVERYONE,
        params: ById,
        answers: { 200: Unit },
        detail: { summary: 'Read a unit', operationId: 'getUnit' },
      },
    )
    .patch(
      '/units/:id',
      ({ params, body, mutate }) => mutate(200, body, (ctx) => updateUnit(ctx, params.id, body), toUnit),
      {
        access: LANDLORDS,
        params: ById,
        body: UnitPatch,
        problems: ['invalid_state'],
        answers: { 200: Unit },
        detail: { summary: 'Change a unit (JSON merge patch)', operationId: 'updateUnit' },
      },
    )
