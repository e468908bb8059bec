import { type Static, Type } from '@sinclair/typebox'
import { dtoOf } from '../../../http/json.ts'
import { CreatedAt, Id, OrgId, PropertyId, PropertyName, TenantId, UnitLabel } from '../../../http/members.ts'
import { Body, FullName, IdType, InLists, Locale, Maybe, oneOf, Phone, Text, Uuid } from '../../../http/schema.ts'
import { TENANT_KINDS } from './rules.ts'
import type { TenantRow } from './store.ts'

const Kind = oneOf(TENANT_KINDS, {
  $id: 'TenantKind',
  description:
    'COMPANY: fullName is its legal name; phone number and identity are those of the representative, who signs.',
})
const Channel = oneOf(['WHATSAPP', 'SMS'] as const, {
  description: 'The channel for messages; if absent, WhatsApp, then SMS if WhatsApp does not arrive.',
  examples: ['WHATSAPP'],
})

export const Tenant = Type.Object(
  {
    id: { ...Id, examples: TenantId.examples },
    orgId: OrgId,
    fullName: Type.String({
      description: 'Family name and first names, as on identity papers.',
      examples: ['Ngo Bassa Marie-Claire'],
    }),
    phoneNumber: Type.Optional(
      Type.String({
        description: 'Phone number in international form: a plus sign and 7 to 15 digits.',
        examples: ['+237677123456'],
      }),
    ),
    idType: Type.Optional(Type.String({ description: 'The kind of identity paper.', examples: ['NATIONAL_ID'] })),
    idNumber: Type.Optional(Type.String({ description: 'The number of the identity paper.', examples: ['112345678'] })),
    niu: Type.Optional(Type.String({ description: "The taxpayer's number (NIU).", examples: ['P068012345678Q'] })),
    address: Type.Optional(
      Type.String({ description: 'The postal address, as printed on papers.', examples: ['Bonamoussadi, Douala'] }),
    ),
    locale: Locale,
    channel: Type.Optional(Channel),
    userId: Type.Optional({
      ...Uuid,
      description:
        "The tenant's account, once they have registered with this number. An OWNER or a manager limited to some properties who entered the number of an account sees it only once the person has agreed, or once a lease was sent out to them.",
    }),
    createdAt: CreatedAt,
    kind: Kind,
    rccm: Type.Optional(
      Type.String({ description: 'The trade register number of a company.', examples: ['RC/DLA/2019/B/1234'] }),
    ),
    representativeName: Type.Optional(Type.String({ description: 'Who signs for a COMPANY.' })),
    representativeRole: Type.Optional(
      Type.String({ description: 'The function in which they sign: gérant, director.' }),
    ),
    openAmount: InLists(
      Type.Integer({ minimum: 0, examples: [85_000] }),
      'The open amount of the invoices that the caller sees. In XAF.',
    ),
    booking: InLists(
      Type.Object(
        { id: Id, propertyId: PropertyId, propertyName: PropertyName, unitLabel: UnitLabel },
        { $id: 'TenantBooking', description: "The tenant's newest running lease that the caller sees. Only in lists." },
      ),
      "The tenant's newest running lease that the caller sees.",
    ),
  },
  { $id: 'Tenant' },
)
export type Tenant = Static<typeof Tenant>

const optional = {
  phoneNumber: Maybe(Phone),
  idType: Maybe({ ...IdType, description: 'The kind of identity paper.' }),
  idNumber: Maybe(Text({ max: 60, description: 'The number of the identity paper.' })),
  niu: Maybe(Text({ max: 20, description: "The taxpayer's number (NIU)." })),
  address: Maybe(Text({ max: 300, lines: true, description: 'The postal address, as printed on papers.' })),
  channel: Maybe(Channel),
  rccm: Maybe(Text({ max: 60, description: 'The trade register number.' })),
  representativeName: Maybe({ ...FullName, description: 'Who signs for a COMPANY, which must have one.' }),
  representativeRole: Maybe({
    ...Text({ max: 100 }),
    description: 'The function in which they sign: gérant, director.',
  }),
}
export const TenantCreate = Body(
  {
    fullName: Text({
      max: 200,
      description: 'Family name and first names, as on identity papers.',
      examples: ['Ngo Bassa Marie-Claire'],
    }),
    ...optional,
    locale: Maybe({ ...Locale, description: "The language of messages and papers; the organization's if omitted." }),
    kind: Maybe(Kind),
  },
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
  fullName: Type.Optional(
    Text({
      max: 200,
      description: 'Family name and first names, as on identity papers.',
      examples: ['Ngo Bassa Marie-Claire'],
    }),
  ),
  ...optional,
  locale: Type.Optional(Locale),
  kind: Type.Optional(Kind),
})
export type TenantPatch = Static<typeof TenantPatch>

export const toTenant: (row: TenantRow) => Tenant = dtoOf<TenantRow>()('version', 'updatedAt', 'createdBy')
