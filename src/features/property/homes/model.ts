import { Type } from '@sinclair/typebox'
import { oneOf, Uuid } from '../../../http/schema.ts'
import { PROPERTY_TYPES } from '../properties/rules.ts'
import { Unit } from '../units/model.ts'

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
