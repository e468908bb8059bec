import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import { Amount, Body, Currency, DateOnly, DateTime, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import { PROPERTY_TYPES } from '../properties/rules.ts'
import { MANUAL_UNIT_STATUS, UNIT_STATUS, UNIT_TYPES } from './rules.ts'
import type { UnitRow } from './store.ts'

const Label = Text({ max: 60 })
const Area = Type.Number({ minimum: 0, maximum: 1_000_000 })
const UnitType = oneOf(UNIT_TYPES, {
  $id: 'UnitType',
  description:
    'The kind of unit, if its property has several kinds; if absent, the type of the property applies. It decides the kind of lease. SHOP, OFFICE, COMMERCIAL and WAREHOUSE are let for business, with VAT if the organization is registered and without automatic renewal; the others are let as homes.',
})
const Rooms = Type.Integer({ minimum: 0, maximum: 1000 })

export const Unit = Type.Object(
  {
    id: Uuid,
    propertyId: Uuid,
    label: Type.String(),
    areaSqm: Type.Optional(Area),
    bedrooms: Type.Optional(Rooms),
    bathrooms: Type.Optional(Rooms),
    rentAmount: Type.Optional(Amount),
    rentCurrency: Type.Optional(Currency),
    status: oneOf(UNIT_STATUS),
    createdAt: DateTime,
    type: Type.Optional(UnitType),
    propertyName: Type.Optional(Type.String()),
    booking: Type.Optional(
      Type.Object(
        { id: Uuid, tenantName: Type.String(), endDate: Type.Optional(DateOnly) },
        {
          $id: 'UnitBooking',
          description:
            'The lease that holds the unit: the running one, otherwise one that is out for signing. For a tenant only their own.',
        },
      ),
    ),
  },
  { $id: 'Unit' },
)
export type Unit = Static<typeof Unit>

const features = {
  areaSqm: Maybe(Area),
  bedrooms: Maybe(Rooms),
  bathrooms: Maybe(Rooms),
  rentAmount: Maybe(Amount),
  rentCurrency: Maybe(Currency),
  type: Maybe(UnitType),
}
export const UnitCreate = Body(
  { label: Maybe(Label), labels: Maybe(Type.Array(Label, { minItems: 1, maxItems: 200 })), ...features },
  {
    $id: 'UnitCreate',
    'x-one-of': { One: { has: ['label'] }, Several: { has: ['labels'] } },
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
  bedrooms: Maybe(Rooms),
  bathrooms: Maybe(Rooms),
  rentAmount: Maybe(Amount),
  rentCurrency: Maybe(Currency),
  type: Maybe(UnitType),
  status: Type.Optional(oneOf(MANUAL_UNIT_STATUS, { $id: 'ManualUnitStatus' })),
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
    propertyId: Uuid,
    label,
    areaSqm,
    bedrooms,
    bathrooms,
    rentAmount,
    rentCurrency,
    propertyName: Type.String(),
    propertyType: oneOf(PROPERTY_TYPES),
    type: Unit.properties.type,
    addressLine: Type.String(),
    city: Type.String(),
    quartier: Type.Optional(Type.String({ description: 'Neighbourhood.' })),
    amenities: Type.Array(Type.String()),
  },
  { $id: 'Home', description: 'A vacant unit of a published property.' },
)
