import { type Static, Type } from '@sinclair/typebox'
import { Body, DateTime, dtoOf, InLists, Locale, Maybe, oneOf, Phone, Text, Uuid } from '../../../http/schema.ts'
import type { TenantRow } from './store.ts'

/** The documents of the specification's documentType; others are given by name. */
const IdType = oneOf(['NATIONAL_ID', 'PASSPORT', 'RESIDENCE_PERMIT', 'DRIVER_LICENSE', 'OTHER'] as const, {
  $id: 'TenantIdType',
})

const Channel = oneOf(['WHATSAPP', 'SMS'] as const, {
  description: 'By which they are told; without it WhatsApp, and SMS where that does not arrive.',
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
    openAmount: InLists(Type.Integer({ minimum: 0 }), 'What is open of the invoices that the caller sees. XAF'),
    booking: InLists(
      Type.Object(
        { id: Uuid, propertyId: Uuid, propertyName: Type.String(), unitLabel: Type.String() },
        { $id: 'TenantBooking' },
      ),
      'Their newest running lease that the caller sees.',
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
}
export const TenantCreate = Body(
  { fullName: Text({ max: 200 }), ...optional, locale: Maybe(Locale) },
  { examples: [{ fullName: 'Ngo Bassa Marie-Claire', phoneNumber: '+237677123456', locale: 'fr' }] },
)
export type TenantCreate = Static<typeof TenantCreate>
export const TenantPatch = Body({
  fullName: Type.Optional(Text({ max: 200 })),
  ...optional,
  locale: Type.Optional(Locale),
})
export type TenantPatch = Static<typeof TenantPatch>

export const toTenant: (row: TenantRow) => Tenant = dtoOf<TenantRow>()('version', 'updatedAt', 'createdBy')
