import { type Static, Type } from '@sinclair/typebox'
import { dtoOf } from '../../../http/json.ts'
import { CreatedAt, Id, OrgId, PropertyId } from '../../../http/members.ts'
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

const Name = Text({ max: 200, description: 'The name.', examples: ['Résidence Bonamoussadi'] })
const AddressLine = Text({
  max: 300,
  description: 'The street or landmark, as people say it.',
  examples: ['Derrière la pharmacie du rond-point'],
})
const City = Text({ max: 100, description: 'The town.', examples: ['Douala'] })
const Province = Text({ max: 100, description: 'Région / Region.' })
const Quartier = Text({ max: 100, description: 'Neighbourhood.' })

const Latitude = Type.Number({
  minimum: -90,
  maximum: 90,
  description: 'Degrees north, WGS 84; together with longitude.',
  examples: [4.0883],
})
const Longitude = Type.Number({
  minimum: -180,
  maximum: 180,
  description: 'Degrees east, WGS 84; together with latitude.',
  examples: [9.7367],
})
const Amenities = Type.Array(Text({ max: 64 }), {
  maxItems: 50,
  description: 'The amenities, in words of your own; none if omitted.',
})

const fee = {
  from: {
    ...DateOnly,
    description: 'The first day of this fee; it applies until the day of the next fee.',
    examples: ['2026-03-01'],
  },
  basisPoints: Type.Optional({
    ...BasisPoints,
    description:
      'The percentage of each payment received, in basis points, rounded half up: 1000 is 10 %. Exclusive with monthlyAmount.',
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
const FeeInput = Type.Object(fee, { $id: 'ManagementFeeGiven', additionalProperties: false })

export const Property = Type.Object(
  {
    id: { ...Id, examples: PropertyId.examples },
    orgId: OrgId,
    ownerUserId: { ...Uuid, description: 'The user who owns the property.' },
    name: Type.String({ description: 'The name.', examples: ['Résidence Bonamoussadi'] }),
    addressLine: Type.String({
      description: 'The street or landmark, as people say it.',
      examples: ['Derrière la pharmacie du rond-point'],
    }),
    city: Type.String({ description: 'The town.', examples: ['Douala'] }),
    province: Type.Optional(Type.String({ description: 'Région / Region.', examples: ['Littoral'] })),
    quartier: Type.Optional(Type.String({ description: 'Neighbourhood.', examples: ['Bonamoussadi'] })),
    latitude: Type.Optional(Latitude),
    longitude: Type.Optional(Longitude),
    amenities: Type.Array(Type.String(), {
      description: 'The amenities, in words of your own; none if omitted.',
      examples: [['parking', 'forage', 'groupe électrogène']],
    }),
    type: oneOf(PROPERTY_TYPES, {
      description: 'The kind of building; new properties are APARTMENT.',
      examples: ['APARTMENT'],
    }),
    status: oneOf(PROPERTY_STATUS, {
      description: 'The current status; the operations change it.',
      examples: ['PUBLISHED'],
    }),
    createdAt: CreatedAt,
    unitCount: InLists(Type.Integer({ minimum: 0 }), 'The number of units that are not archived; not for tenants.'),
    vacantCount: InLists(Type.Integer({ minimum: 0 }), 'The number of AVAILABLE units; not for tenants.'),
    monthlyRent: InLists(
      Type.Integer({ minimum: 0 }),
      'The sum of the net rents of its running leases; not for tenants. In XAF.',
    ),
    coverMediaId: InLists(Type.String({ format: 'uuid' }), 'Its first photo, a media object.'),
    payTo: Type.Optional({
      ...PayTo,
      description: "Where its rent is paid. Absent if the organization's ways apply, and for tenants.",
    }),
    payToChangedAt: Type.Optional({ ...DateTime, description: 'When where to pay last changed; not for tenants.' }),
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
    name: Name,
    addressLine: AddressLine,
    city: City,
    province: Maybe(Province),
    quartier: Maybe(Quartier),
    latitude: Maybe(Latitude),
    longitude: Maybe(Longitude),
    amenities: Maybe(Amenities),
    ownerUserId: Maybe({
      ...Uuid,
      description: 'The owner; only a MANAGER or ADMIN can set it. Defaults to the caller.',
    }),
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
  name: Type.Optional(Name),
  addressLine: Type.Optional(AddressLine),
  city: Type.Optional(City),
  province: Maybe(Province),
  quartier: Maybe(Quartier),
  latitude: Maybe(Latitude),
  longitude: Maybe(Longitude),
  amenities: Maybe(Amenities),
  type: Type.Optional(oneOf(PROPERTY_TYPES, { description: 'The kind of building.' })),
  ownerUserId: Type.Optional({
    ...Uuid,
    description:
      'The new owner. Leases, money, papers and the owner account go along: what is still due to the owner before is due to the new one.',
  }),
  payTo: Maybe({
    ...PayTo,
    description: "Where the rent of this property is paid; null or an empty list for the organization's ways.",
  }),
  managementFees: Maybe(
    Type.Array(FeeInput, {
      maxItems: 60,
      description:
        'For MANAGER and ADMIN: all fees, each with its own day and either basisPoints or monthlyAmount; 0 from the day on which no fee is charged any more. They replace the previous fees; null or an empty list for none. Those that began up to the day of the last transfer to the owner stay as they are (422), unless the caller owns the property. The owner and the administrators are told of each change.',
      examples: [[{ from: '2026-01-01', basisPoints: 1000 }]],
    }),
  ),
})
export type PropertyPatch = Static<typeof PropertyPatch>

export const PropertyDuplicate = Body({
  name: Maybe(Name),
})
export type PropertyDuplicate = Static<typeof PropertyDuplicate>

export const toProperty = dtoOf<PropertyRow>()('version', 'updatedAt')
/** The same for tenants, who may see any published property, but only of their own where its rent is paid. */
export const toAdvertised = dtoOf<PropertyRow>()('version', 'updatedAt', 'payTo', 'payToChangedAt', 'managementFees')
