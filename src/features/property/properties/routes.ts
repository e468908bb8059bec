import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { rowOf } from '../../../http/mutation.ts'
import { contains, ListParameters, NameWords } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, OF_WHOLE, section } from '../../../http/routes.ts'
import { Body, oneOf, someOf, Text } from '../../../http/schema.ts'
import { onToday } from '../../people/organizations/store.ts'
import { propertyUpdate } from './jobs.ts'
import { Property, PropertyCreate, PropertyPatch, toAdvertised, toProperty } from './model.ts'
import { PROPERTY_STATUS, PROPERTY_TYPES, placeRule } from './rules.ts'
import { createProperty, moveProperty } from './service.ts'
import { getProperty, listProperties } from './store.ts'

/** Leases carry copies of both; invoices, payments and documents of the owner. */
const copied = ({ ownerUserId, name }: PropertyPatch): boolean => ownerUserId !== undefined || name !== undefined
const Query = ListParameters({
  status: Type.Optional(someOf(PROPERTY_STATUS)),
  type: Type.Optional(oneOf(PROPERTY_TYPES, { description: 'Only those of this type.' })),
  city: Type.Optional(Text({ max: 100, description: 'Only those in this town.' })),
  q: NameWords,
})
export const properties = (deps: Deps, http: Http) =>
  new Elysia({
    prefix: '/api/v1/properties',
    ...section('Properties', 'Buildings and land: DRAFT, PUBLISHED, ARCHIVED.'),
  })
    .use(http)
    .post(
      '',
      ({ body, mutate }) => mutate({ status: 201, body, run: (ctx) => createProperty(ctx, body), view: toProperty }),
      {
        access: OF_WHOLE,
        body: PropertyCreate,
        rules: onToday(deps, placeRule),
        creates: ['/api/v1/properties/{id}'],
        problems: ['quota_exceeded'],
        shows: { status: 'DRAFT' },
        answers: { 201: Property },
        detail: {
          summary: 'Create a property',
          description: 'The property is a DRAFT of type APARTMENT.',
          operationId: 'createProperty',
        },
      },
    )
    .get(
      '',
      ({ many, query }) =>
        many(
          {
            name: 'properties',
            query: { ...query, q: contains(query.q) },
            filters: ['status', 'type', 'city', 'q', 'updatedSince'],
          },
          (q) => {
            const page = listProperties(deps.db, q)
            return q.scope.kind === 'tenant'
              ? { ...page, rows: page.rows.map(({ payTo: _p, payToChangedAt: _c, managementFees: _f, ...row }) => row) }
              : page
          },
        ),
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
      ({ body, mutate }) => mutate({ ...propertyUpdate, body, aside: copied(body) ? 'property.update' : undefined }),
      {
        access: { roles: LANDLORDS, stepUp: ['payTo'], fresh: ['payTo', 'managementFees', 'ownerUserId'] },
        body: PropertyPatch,
        answers: { 200: Property },
        detail: { summary: 'Change a property (JSON merge patch)', operationId: 'updateProperty' },
      },
    )
    .post(
      '/:id/publish',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => moveProperty(ctx, id, 'publish'),
          view: toProperty,
          current: rowOf(getProperty),
        }),
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
        mutate({
          body,
          run: (ctx, id) => moveProperty(ctx, id, 'archive'),
          view: toProperty,
          current: rowOf(getProperty),
        }),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state'],
        shows: { status: 'ARCHIVED' },
        answers: { 200: Property },
        detail: { summary: 'Archive a property that has no running lease', operationId: 'archiveProperty' },
      },
    )
    .post(
      '/:id/restore',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => moveProperty(ctx, id, 'restore'),
          view: toProperty,
          current: rowOf(getProperty),
        }),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state'],
        shows: { status: 'DRAFT' },
        answers: { 200: Property },
        detail: { summary: 'Restore an archived property as a DRAFT', operationId: 'restoreProperty' },
      },
    )
