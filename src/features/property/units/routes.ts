import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { dto } from '../../../http/json.ts'
import { rowOf, withNames } from '../../../http/mutation.ts'
import { contains, ListParameters, Of } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, OF_WHOLE, section } from '../../../http/routes.ts'
import { someOf, Text } from '../../../http/schema.ts'
import { Property, PropertyDuplicate, toProperty } from '../properties/model.ts'
import { findProperty, getProperty, type PropertyRow } from '../properties/store.ts'
import { Home, toUnit, Unit, UnitCreate, UnitPatch } from './model.ts'
import { UNIT_STATUS } from './rules.ts'
import { createUnit, createUnits, duplicateProperty, unitOf, updateUnit } from './service.ts'
import { findUnit, type HomeRow, listHomes, listUnits, unitVisible } from './store.ts'

const status = Type.Optional(someOf(UNIT_STATUS))
const q = Type.Optional({ ...Text({ max: 100 }), description: 'A part of its label or of the name of its property.' })
const FILTERS = ['propertyId', 'status', 'q', 'updatedSince'] as const

const view = withNames(toUnit, listUnits.computed)

export const units = (deps: Deps, http: Http) => {
  const read = (q: Parameters<typeof listUnits>[1]) => listUnits(deps.db, q)
  return new Elysia({
    prefix: '/api/v1',
    ...section('Units', 'The flats, rooms and shops of a property that are let.'),
  })
    .use(http)
    .post(
      '/properties/:id/duplicate',
      ({ body, mutate }) =>
        mutate({ status: 201, body, run: duplicateProperty, view: toProperty, current: rowOf(getProperty) }),
      {
        access: OF_WHOLE,
        body: PropertyDuplicate,
        problems: ['quota_exceeded'],
        creates: ['/api/v1/properties/{id}'],
        answers: { 201: Property },
        detail: {
          tags: ['Properties'],
          summary: 'Duplicate a property with its units',
          description:
            'Creates a DRAFT. Copies the address, type, units and rents, but no leases, photos or proofs. Without a name, the copy has the name of the original followed by (2). Copies up to 200 units.',
          operationId: 'duplicateProperty',
        },
      },
    )
    .post(
      '/properties/:id/units',
      async ({ body, mutate, perform }): Promise<Unit | Unit[]> =>
        body.labels
          ? perform({
              status: 201,
              body,
              run: (ctx, id) => createUnits(ctx, id, body).map(toUnit),
              current: rowOf(getProperty),
            })
          : mutate({ status: 201, body, run: createUnit, view, current: rowOf(getProperty) }),
      {
        access: LANDLORDS,
        body: UnitCreate,
        problems: ['invalid_state', 'quota_exceeded'],
        shows: { status: 'AVAILABLE' },
        creates: ['/api/v1/units/{id}', '/api/v1/properties/:id/units'],
        answers: { 201: Type.Union([Unit, Type.Array(Unit)]) },
        detail: { summary: 'Create one unit, or several alike', operationId: 'createUnits' },
      },
    )
    .get(
      '/properties/:id/units',
      ({ caller, params, many, query }) => {
        if (!getProperty(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        // In an unpublished property, tenants see only the units that they rent.
        return many(
          { name: 'units', query: { ...query, propertyId: params.id, q: contains(query.q) }, filters: FILTERS },
          read,
        )
      },
      {
        access: EVERYONE,
        query: ListParameters({ status, q }),
        answers: { 200: Type.Array(Unit) },
        detail: { summary: 'List the units of a property', operationId: 'listUnits' },
      },
    )
    .get(
      '/units',
      ({ many, query }) => many({ name: 'units', query: { ...query, q: contains(query.q) }, filters: FILTERS }, read),
      {
        access: EVERYONE,
        query: ListParameters({ status, propertyId: Of('this property'), q }),
        answers: { 200: Type.Array(Unit) },
        detail: {
          summary: 'List the units of all properties',
          operationId: 'listAllUnits',
          description: 'A tenant sees the units of published properties, and the units that they rent.',
        },
      },
    )
    .get(
      '/units/:id',
      ({ caller, params, one }) => {
        const row = findUnit(deps.db, caller.orgId, params.id)
        const property = row && getProperty(deps.db, caller.orgId, caller.scope, row.propertyId)
        return one(property && unitVisible(deps.db, caller.scope, property.status, row) ? row : undefined, view)
      },
      {
        access: EVERYONE,
        answers: { 200: Unit },
        detail: { summary: 'Read a unit', operationId: 'getUnit' },
      },
    )
    .patch('/units/:id', ({ body, mutate }) => mutate({ body, run: updateUnit, view, current: unitOf }), {
      access: LANDLORDS,
      body: UnitPatch,
      problems: ['invalid_state'],
      answers: { 200: Unit },
      detail: { summary: 'Change a unit (JSON merge patch)', operationId: 'updateUnit' },
    })
}

const LET = { status: 'AVAILABLE', propertyStatus: 'PUBLISHED' } as const

/** A unit with the place of its property. */
const toHome = ({ rentAmount, ...unit }: HomeRow, property: PropertyRow) =>
  dto({
    ...unit,
    rentAmount,
    rentCurrency: rentAmount === null ? null : 'XAF',
    propertyName: property.name,
    propertyType: property.type,
    addressLine: property.addressLine,
    city: property.city,
    quartier: property.quartier,
    amenities: property.amenities,
  })

/** The homes that a tenant may request: vacant units of published properties. */
export const homes = ({ db }: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/homes', tags: ['Units'] }).use(http).get(
    '',
    ({ query, many }) =>
      many(
        {
          name: 'homes',
          query: { ...query, ...LET, q: contains(query.q) },
          filters: ['status', 'propertyStatus', 'propertyId', 'q', 'updatedSince'],
        },
        (q) => {
          // Every tenant sees published properties.
          const scope = q.scope.kind === 'tenant' ? ({ ...q.scope, kind: 'all' } as const) : q.scope
          const page = listHomes(db, { ...q, scope })
          const rows = page.rows.flatMap((row) => {
            const property = findProperty(db, q.orgId, row.propertyId)
            return property ? [toHome(row, property)] : []
          })
          return { ...page, rows }
        },
      ),
    {
      access: EVERYONE,
      query: ListParameters({
        propertyId: Of('this property'),
        q: Type.Optional({ ...Text({ max: 100 }), description: 'Part of the name, address, neighbourhood or town.' }),
      }),
      answers: { 200: Type.Array(Home) },
      detail: {
        summary: 'List vacant homes',
        description:
          'Lists the vacant units of published properties, with the location of their property. For photos, call GET /api/v1/media with the ids of both as `ownerId`, and with `links`. To request a home, call POST /api/v1/bookings with `unitId` and `startDate`.',
        operationId: 'listHomes',
      },
    },
  )
