import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { dto } from '../../../http/cache.ts'
import { contains, ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { Text, Uuid } from '../../../http/schema.ts'
import { findProperty, type PropertyRow } from '../properties/store.ts'
import { Home } from './model.ts'
import { type HomeRow, listHomes } from './store.ts'

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
        'homes',
        { ...query, ...LET, q: contains(query.q) },
        ['status', 'propertyStatus', 'propertyId', 'q', 'updatedSince'],
        (asked) => {
          // Every tenant sees published properties.
          const scope = asked.scope.kind === 'tenant' ? ({ ...asked.scope, kind: 'all' } as const) : asked.scope
          const page = listHomes(db, { ...asked, scope })
          const rows = page.rows.flatMap((row) => {
            const property = findProperty(db, asked.orgId, row.propertyId)
            return property ? [toHome(row, property)] : []
          })
          return { ...page, rows }
        },
      ),
    {
      access: EVERYONE,
      query: ListParameters({
        propertyId: Type.Optional(Uuid),
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
