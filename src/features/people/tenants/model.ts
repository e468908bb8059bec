import { type Static, Type } from '@sinclair/typebox'
import { dtoOf } from '../../../http/json.ts'
import {
  Body,
  DateTime,
  FullName,
  IdType,
  InLists,
  Locale,
  Maybe,
  oneOf,
  Phone,
  Text,
  Uuid,
} from '../../../http/schema.ts'
import { TENANT_KINDS } from './rules.ts'
import type { TenantRow } from './store.ts'

const Kind = oneOf(TENANT_KINDS, {
  $id: 'TenantKind',
  description:
    'COMPANY: fullName is its legal name; phone number and identity are those of the representative, who signs.',
})
const Channel = oneOf(['WHATSAPP', 'SMS'] as const, {
  description: 'The channel for messages; if absent, WhatsApp, then SMS if WhatsApp does not arrive.',
})

export const Tenant = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    fullName: Type.String(),
    phoneNumber: Type.Optional(Type.String()),
    idType: Type.Optional(Type.String()),
    idNumber: Type.Optional(Type.String()),
    niu: Type.Optional(Type.String()),
    address: Type.Optional(Type.String()),
    locale: Locale,
    channel: Type.Optional(Channel),
    userId: Type.Optional(Uuid),
    createdAt: DateTime,
    kind: Kind,
    rccm: Type.Optional(Type.String({ description: 'The trade register number of a company.' })),
    representativeName: Type.Optional(Type.String({ description: 'Who signs for a COMPANY.' })),
    representativeRole: Type.Optional(
      Type.String({ description: 'The function in which they sign: gérant, director.' }),
    ),
    openAmount: InLists(Type.Integer({ minimum: 0 }), 'The open amount of the invoices that the caller sees. In XAF.'),
    booking: InLists(
      Type.Object(
        { id: Uuid, propertyId: Uuid, propertyName: Type.String(), unitLabel: Type.String() },
        { $id: 'TenantBooking' },
      ),
      "The tenant's newest running lease that the caller sees.",
    ),
  },
  { $id: 'Tenant' },
)
export type Tenant = Static<typeof Tenant>

const optional = {
  phoneNumber: Maybe(Phone),
  idType: Maybe(IdType),
  idNumber: Maybe(Text({ max: 60 })),
  niu: Maybe(Text({ max: 20 })),
  address: Maybe(Text({ max: 300, lines: true })),
  channel: Maybe(Channel),
  rccm: Maybe(Text({ max: 60 })),
  representativeName: Maybe({ ...FullName, description: 'Who signs for a COMPANY, which must have one.' }),
  representativeRole: Maybe({
    ...Text({ max: 100 }),
    description: 'The function in which they sign: gérant, director.',
  }),
}
export const TenantCreate = Body(
  { fullName: Text({ max: 200 }), ...optional, locale: Maybe(Locale), kind: Maybe(Kind) },
  {
    examples: [
      { fullName: 'Ngo Bassa Marie-Claire', phoneNumber: '+237677123456', locale: 'fr' },
      {
        kind: 'COMPANY',
        fullName: 'Sahel Négoce SARL',
        niu: 'M012200012345A',
        rccm: 'RC/DLA/2022/B/1234',
        representativeName: 'Oumarou Bello',
        representativeRole: 'gérant',
        phoneNumber: '+237677123457',
      },
    ],
  },
)
export type TenantCreate = Static<typeof TenantCreate>
export const TenantPatch = Body({
  fullName: Type.Optional(Text({ max: 200 })),
  ...optional,
  locale: Type.Optional(Locale),
  kind: Type.Optional(Kind),
})
export type TenantPatch = Static<typeof TenantPatch>

export const toTenant: (row: TenantRow) => Tenant = dtoOf<TenantRow>()('version', 'updatedAt', 'createdBy')
