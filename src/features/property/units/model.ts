import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import { CreatedAt, Id, PropertyId, PropertyName, TenantName, UnitId } from '../../../http/members.ts'
import { Amount, Body, Currency, DateOnly, Maybe, oneOf, Text } from '../../../http/schema.ts'
import { PROPERTY_TYPES } from '../properties/rules.ts'
import { MANUAL_UNIT_STATUS, UNIT_STATUS, UNIT_TYPES } from './rules.ts'
import type { UnitRow } from './store.ts'

const RentAmount = { ...Amount, description: 'The net monthly rent, in XAF.', examples: [85_000] }
const RentCurrency = { ...Currency, description: 'The currency of rentAmount; XAF if omitted.' }

const Label = Text({
  max: 60,
  description: 'The name on its door, such as A1; unique within a property.',
  examples: ['A1'],
})
const Area = Type.Number({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Floor area in square metres.',
  examples: [42],
})
const UnitType = oneOf(UNIT_TYPES, {
  $id: 'UnitType',
  description:
    'The kind of unit, if its property has several kinds; if absent, the type of the property applies. It decides the kind of lease. SHOP, OFFICE, COMMERCIAL and WAREHOUSE are let for business, with VAT if the organization is registered and without automatic renewal; the others are let as homes.',
})
const Rooms = Type.Integer({ minimum: 0, maximum: 1000 })

export const Unit = Type.Object(
  {
    id: { ...Id, examples: UnitId.examples },
    propertyId: PropertyId,
    label: Type.String({
      description: 'The name on its door, such as A1; unique within a property.',
      examples: ['A1'],
    }),
    areaSqm: Type.Optional(Area),
    bedrooms: Type.Optional({ ...Rooms, description: 'The number of bedrooms.', examples: [2] }),
    bathrooms: Type.Optional({ ...Rooms, description: 'The number of bathrooms.', examples: [1] }),
    rentAmount: Type.Optional(RentAmount),
    rentCurrency: Type.Optional(RentCurrency),
    status: oneOf(UNIT_STATUS, {
      description: 'The current status; the operations change it.',
      examples: ['OCCUPIED'],
    }),
    createdAt: CreatedAt,
    type: Type.Optional(UnitType),
    propertyName: Type.Optional(PropertyName),
    booking: Type.Optional(
      Type.Object(
        {
          id: Id,
          tenantName: TenantName,
          endDate: Type.Optional({
            ...DateOnly,
            description: 'The last day of the lease; a lease without it is open-ended.',
            examples: ['2026-12-31'],
          }),
        },
        {
          $id: 'UnitBooking',
          description:
            'The lease that holds the unit: the running one, otherwise one that is out for signing. For a tenant only their own. Only in lists.',
        },
      ),
    ),
  },
  { $id: 'Unit' },
)
export type Unit = Static<typeof Unit>

const features = {
  areaSqm: Maybe(Area),
  bedrooms: Maybe({ ...Rooms, description: 'The number of bedrooms.' }),
  bathrooms: Maybe({ ...Rooms, description: 'The number of bathrooms.' }),
  rentAmount: Maybe(RentAmount),
  rentCurrency: Maybe(RentCurrency),
  type: Maybe(UnitType),
}
export const UnitCreate = Body(
  {
    label: Maybe(Label),
    labels: Maybe(
      Type.Array(Label, {
        minItems: 1,
        maxItems: 200,
        description: 'For several units alike: one unit is created for each label, all or none.',
      }),
    ),
    ...features,
  },
  {
    $id: 'UnitCreate',
    ways: { One: { has: ['label'] }, Several: { has: ['labels'] } },
    examples: [
      { label: 'A1', areaSqm: 42, bedrooms: 2, bathrooms: 1, rentAmount: 85000 },
      { labels: ['A1', 'A2', 'A3'], rentAmount: 60000 },
    ],
  },
)
export type UnitCreate = Static<typeof UnitCreate>

export const UnitPatch = Body({
  label: Type.Optional(Label),
  areaSqm: Maybe(Area),
  bedrooms: Maybe({ ...Rooms, description: 'The number of bedrooms.' }),
  bathrooms: Maybe({ ...Rooms, description: 'The number of bathrooms.' }),
  rentAmount: Maybe(RentAmount),
  rentCurrency: Maybe(RentCurrency),
  type: Maybe(UnitType),
  status: Type.Optional(
    oneOf(MANUAL_UNIT_STATUS, {
      $id: 'ManualUnitStatus',
      description: 'Can be changed only if no lease holds the unit.',
    }),
  ),
})
export type UnitPatch = Static<typeof UnitPatch>

export const toUnit = (row: UnitRow): Unit => {
  const unit = dto(row, 'version', 'updatedAt', 'orgId', 'rentCurrency')
  return row.rentAmount === null ? unit : { ...unit, rentCurrency: 'XAF' }
}

const { id, label, areaSqm, bedrooms, bathrooms, rentAmount, rentCurrency } = Unit.properties
export const Home = Type.Object(
  {
    id: { ...id, description: 'The id of the unit; use it as `unitId` of POST /api/v1/bookings to request the unit.' },
    propertyId: PropertyId,
    label,
    areaSqm,
    bedrooms,
    bathrooms,
    rentAmount,
    rentCurrency,
    propertyName: PropertyName,
    propertyType: oneOf(PROPERTY_TYPES, { description: 'The kind of building.' }),
    type: Unit.properties.type,
    addressLine: Type.String({
      description: 'The street or landmark, as people say it.',
      examples: ['Derrière la pharmacie du rond-point'],
    }),
    city: Type.String({ description: 'The town.', examples: ['Douala'] }),
    quartier: Type.Optional(Type.String({ description: 'Neighbourhood.', examples: ['Bonamoussadi'] })),
    amenities: Type.Array(Type.String(), {
      description: 'The amenities, in words of your own; none if omitted.',
      examples: [['parking', 'forage', 'groupe électrogène']],
    }),
  },
  { $id: 'Home', description: 'A vacant unit of a published property.' },
)
