import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { contains, ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, OF_WHOLE, rowOf } from '../../../http/routes.ts'
import { Body, oneOf, someOf, Text } from '../../../http/schema.ts'
import { judged } from '../../people/organizations/store.ts'
import { Property, PropertyCreate, PropertyPatch, toAdvertised, toProperty } from './model.ts'
import { PROPERTY_STATUS, PROPERTY_TYPES, placeJudge } from './rules.ts'
import { createProperty, moveProperty, updateProperty } from './service.ts'
import { getProperty, hasManyPapers, listProperties } from './store.ts'

/** Leases carry copies of both; invoices, payments and documents of the owner. */
const copied = ({ ownerUserId, name }: PropertyPatch): boolean => ownerUserId !== undefined || name !== undefined
const Query = ListParameters({
  status: Type.Optional(someOf(PROPERTY_STATUS)),
  type: Type.Optional(oneOf(PROPERTY_TYPES)),
  city: Type.Optional(Text({ max: 100 })),
  q: Type.Optional(Text({ max: 100 })),
})
export const properties = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/properties', tags: ['Properties'] })
    .use(http)
    .post('', ({ body, mutate }) => mutate(201, body, (ctx) => createProperty(ctx, body), toProperty), {
      access: OF_WHOLE,
      body: PropertyCreate,
      judges: judged(deps, placeJudge),
      creates: ['/api/v1/properties/{id}'],
      problems: ['quota_exceeded'],
      answers: { 201: Property },
      detail: {
        summary: 'Create a property',
        description: 'The property is a DRAFT of type APARTMENT.',
        operationId: 'createProperty',
      },
    })
    .get(
      '',
      ({ many, query }) =>
        many('properties', { ...query, q: contains(query.q) }, ['status', 'type', 'city', 'q', 'updatedSince'], (q) => {
          const page = listProperties(deps.db, q)
          return q.scope.kind === 'tenant'
            ? { ...page, rows: page.rows.map(({ payTo: _p, managementFees: _f, ...row }) => row) }
            : page
        }),
      {
        access: EVERYONE,
        query: Query,
        answers: { 200: Type.Array(Property) },
        detail: { summary: 'List properties', operationId: 'listProperties' },
      },
    )
    .get(
      '/:id',
      ({ caller, cached }) => cached(getProperty, caller.scope.kind === 'tenant' ? toAdvertised : toProperty),
      {
        access: EVERYONE,
        answers: { 200: Property },
        detail: { summary: 'Read a property', operationId: 'getProperty' },
      },
    )
    .patch(
      '/:id',
      ({ caller, params, body, mutate, inThread }) => {
        const { db, importThread } = deps
        const row = copied(body) && importThread && getProperty(db, caller.orgId, caller.scope, params.id)
        if (!row || !hasManyPapers(db, caller.orgId, params.id))
          return mutate(200, body, updateProperty, toProperty, rowOf(getProperty))
        return inThread('property', row, body, toProperty)
      },
      {
        access: { roles: LANDLORDS, stepUp: ['payTo'] },
        body: PropertyPatch,
        answers: { 200: Property },
        detail: { summary: 'Change a property (JSON merge patch)', operationId: 'updateProperty' },
      },
    )
    .post(
      '/:id/publish',
      ({ body, mutate }) =>
        mutate(200, body, (ctx, id) => moveProperty(ctx, id, 'publish'), toProperty, rowOf(getProperty)),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state', 'units_required', 'proof_required'],
        answers: { 200: Property },
        detail: { summary: 'Publish a DRAFT property that has a unit', operationId: 'publishProperty' },
      },
    )
    .post(
      '/:id/archive',
      ({ body, mutate }) =>
        mutate(200, body, (ctx, id) => moveProperty(ctx, id, 'archive'), toProperty, rowOf(getProperty)),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state'],
        answers: { 200: Property },
        detail: { summary: 'Archive a property that has no running lease', operationId: 'archiveProperty' },
      },
    )
    .post(
      '/:id/restore',
      ({ body, mutate }) =>
        mutate(200, body, (ctx, id) => moveProperty(ctx, id, 'restore'), toProperty, rowOf(getProperty)),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state'],
        answers: { 200: Property },
        detail: { summary: 'Restore an archived property as a DRAFT', operationId: 'restoreProperty' },
      },
    )
