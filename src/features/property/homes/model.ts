import { Type } from '@sinclair/typebox'
import { dto, oneOf, Uuid } from '../../../http/schema.ts'
import { PROPERTY_TYPES } from '../properties/rules.ts'
import type { PropertyRow } from '../properties/store.ts'
import { Unit } from '../units/model.ts'
import type { HomeRow } from './store.ts'

const { id, label, areaSqm, bedrooms, bathrooms, rentAmount, rentCurrency } = Unit.properties
export const Home = Type.Object(
  {
    id: { ...id, description: 'Of the unit: `unitId` of POST /api/v1/bookings asks for it.' },
    propertyId: Uuid,
    label,
    areaSqm,
    bedrooms,
    bathrooms,
    rentAmount,
    rentCurrency,
    propertyName: Type.String(),
    propertyType: oneOf(PROPERTY_TYPES),
    addressLine: Type.String(),
    city: Type.String(),
    quartier: Type.Optional(Type.String({ description: 'Neighbourhood.' })),
    amenities: Type.Array(Type.String()),
  },
  { $id: 'Home', description: 'A vacant unit of a published property.' },
)

/** A unit with what its property says of the place. */
export const toHome = ({ rentAmount, ...unit }: HomeRow, property: PropertyRow) =>
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
