import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/cache.ts'
import { Body, DateTime, FullName, IdType, Maybe, oneOf, Phone, Text, Uuid } from '../../../http/schema.ts'
import { MOST_PARTIES, PARTY_ROLES } from './rules.ts'
import type { Parties } from './store.ts'

const Role = oneOf(PARTY_ROLES, {
  $id: 'LeasePartyRole',
  description: 'CO_TENANT: rents together with the tenant. GUARANTOR: is liable for what the tenant owes.',
})

const LeaseParty = Type.Object(
  {
    id: Uuid,
    role: Role,
    fullName: Type.String(),
    phoneNumber: Type.String({
      description: 'The number to which the link to read and sign the lease is sent, and its code.',
    }),
    idType: Type.Optional(Type.String()),
    idNumber: Type.Optional(Type.String()),
    address: Type.Optional(Type.String()),
    signedAt: Type.Optional({
      ...DateTime,
      description: 'When they signed the text that is out for signing or in force.',
    }),
  },
  { $id: 'LeaseParty' },
)
export const LeaseParties = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the lease.' },
    parties: Type.Array(LeaseParty, {
      description:
        'The people who sign the lease besides the landlord and its tenant, in the order in which they were entered.',
    }),
  },
  { $id: 'LeaseParties' },
)

export const LeasePartiesPut = Body(
  {
    parties: Type.Array(
      Body({
        id: Maybe({
          ...Uuid,
          description:
            'The id of a party already on the lease; without it, or with another number, a new party is added.',
        }),
        role: Role,
        fullName: FullName,
        phoneNumber: Phone,
        idType: Maybe(IdType),
        idNumber: Maybe(Text({ max: 60 })),
        address: Maybe(Text({ max: 300, lines: true })),
      }),
      { maxItems: MOST_PARTIES, description: 'All parties; those not listed are removed from the lease.' },
    ),
  },
  {
    $id: 'LeasePartiesPut',
    examples: [
      {
        parties: [
          {
            role: 'GUARANTOR',
            fullName: 'Mbarga Étienne',
            phoneNumber: '+237699123456',
            idType: 'NATIONAL_ID',
            idNumber: '112233445',
          },
        ],
      },
    ],
  },
)
export type LeasePartiesPut = Static<typeof LeasePartiesPut>

export const toParties = ({ id, rows, signatures }: Parties): Static<typeof LeaseParties> => ({
  id,
  parties: rows.map((row) => {
    const { phoneNumber, ...party } = dto(row, 'orgId', 'bookingId', 'createdAt', 'removedAt', 'updatedAt', 'version')
    const signed = signatures.find(({ signerId }) => signerId === row.id)
    return { ...party, phoneNumber: phoneNumber ?? '', ...(signed && { signedAt: signed.signedAt }) }
  }),
})
