import { type Static, Type } from '@sinclair/typebox'
import { dtoOf } from '../../../http/json.ts'
import {
  Amount,
  BasisPoints,
  Body,
  DateOnly,
  DateTime,
  InLists,
  Maybe,
  oneOf,
  Text,
  Uuid,
} from '../../../http/schema.ts'
import { PayTo } from '../../people/organizations/model.ts'
import { PROPERTY_STATUS, PROPERTY_TYPES } from './rules.ts'
import type { PropertyRow } from './store.ts'

const Latitude = Type.Number({ minimum: -90, maximum: 90 })
const Longitude = Type.Number({ minimum: -180, maximum: 180 })
const Amenities = Type.Array(Text({ max: 64 }), { maxItems: 50 })

const fee = {
  from: { ...DateOnly, description: 'The first day of this fee; it applies until the day of the next fee.' },
  basisPoints: Type.Optional({
    ...BasisPoints,
    description:
      'The percentage of each payment collected, in basis points, rounded half up: 1000 is 10 %. Exclusive with monthlyAmount.',
  }),
  monthlyAmount: Type.Optional({
    ...Amount,
    description: 'Francs a month, without VAT, due on the first day of each month in which this fee is in force.',
  }),
  tvaBasisPoints: Type.Optional({
    ...BasisPoints,
    description:
      "The VAT on the fee: 1925 is 19.25 %. If absent, the organization's rate on each day: 0 while it is not registered.",
  }),
}
const ManagementFee = Type.Object(fee, { $id: 'ManagementFee' })
const GivenFee = Type.Object(fee, { $id: 'ManagementFeeGiven', additionalProperties: false })

export const Property = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    ownerUserId: Uuid,
    name: Type.String(),
    addressLine: Type.String(),
    city: Type.String(),
    province: Type.Optional(Type.String({ description: 'Région / Region.' })),
    quartier: Type.Optional(Type.String({ description: 'Neighbourhood.' })),
    latitude: Type.Optional(Latitude),
    longitude: Type.Optional(Longitude),
    amenities: Type.Array(Type.String()),
    type: oneOf(PROPERTY_TYPES),
    status: oneOf(PROPERTY_STATUS),
    createdAt: DateTime,
    unitCount: InLists(Type.Integer({ minimum: 0 }), 'The number of units that are not archived; not for tenants.'),
    vacantCount: InLists(Type.Integer({ minimum: 0 }), 'The number of AVAILABLE units; not for tenants.'),
    monthlyRent: InLists(
      Type.Integer({ minimum: 0 }),
      'The sum of the net rents of its running leases; not for tenants. In XAF.',
    ),
    coverMediaId: InLists(Type.String({ format: 'uuid' }), 'Its first photo, a media object.'),
    payTo: Type.Optional(PayTo),
    managementFees: Type.Optional(
      Type.Array(ManagementFee, {
        description: 'The management fees by day, the earliest first; not for tenants.',
      }),
    ),
  },
  { $id: 'Property' },
)
export type Property = Static<typeof Property>

export const PropertyCreate = Body(
  {
    name: Text({ max: 200 }),
    addressLine: Text({ max: 300 }),
    city: Text({ max: 100 }),
    province: Maybe(Text({ max: 100 })),
    quartier: Maybe(Text({ max: 100 })),
    latitude: Maybe(Latitude),
    longitude: Maybe(Longitude),
    amenities: Maybe(Amenities),
    ownerUserId: Maybe(Uuid),
  },
  {
    examples: [
      {
        name: 'Résidence Bonamoussadi',
        addressLine: 'Derrière la pharmacie du rond-point',
        city: 'Douala',
        quartier: 'Bonamoussadi',
        province: 'Littoral',
        amenities: ['parking', 'forage'],
      },
    ],
  },
)
export type PropertyCreate = Static<typeof PropertyCreate>

export const PropertyPatch = Body({
  name: Type.Optional(Text({ max: 200 })),
  addressLine: Type.Optional(Text({ max: 300 })),
  city: Type.Optional(Text({ max: 100 })),
  province: Maybe(Text({ max: 100 })),
  quartier: Maybe(Text({ max: 100 })),
  latitude: Maybe(Latitude),
  longitude: Maybe(Longitude),
  amenities: Maybe(Amenities),
  type: Type.Optional(oneOf(PROPERTY_TYPES)),
  ownerUserId: Type.Optional(Uuid),
  payTo: Maybe(PayTo),
  managementFees: Maybe(
    Type.Array(GivenFee, {
      maxItems: 60,
      description:
        'For MANAGER and ADMIN: all fees, each with its own day and either basisPoints or monthlyAmount; 0 from the day on which no fee is charged any more. They replace the previous fees; null or an empty list for none.',
      examples: [[{ from: '2026-01-01', basisPoints: 1000 }]],
    }),
  ),
})
export type PropertyPatch = Static<typeof PropertyPatch>

export const PropertyDuplicate = Body({
  name: Maybe(Text({ max: 200 })),
})
export type PropertyDuplicate = Static<typeof PropertyDuplicate>

export const toProperty = dtoOf<PropertyRow>()('version', 'updatedAt')
/** The same for tenants, who may see any published property, but only of their own where its rent is paid. */
export const toAdvertised = dtoOf<PropertyRow>()('version', 'updatedAt', 'payTo', 'managementFees')
