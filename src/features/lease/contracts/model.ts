import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import { BookingId, CreatedAt, Id, MediaObjectId, OrgId, sha256 } from '../../../http/members.ts'
import { Body, DateTime, FullName, IdType, Locale, Maybe, oneOf, Phone, Text, Uuid } from '../../../http/schema.ts'
import { PhoneChallenge } from '../../people/codes/model.ts'
import {
  LEASE_KINDS,
  MOST_PARTIES,
  PARTY_ROLES,
  PLACEHOLDERS,
  SIGNATURE_STATUS,
  SIGNING_PARTIES,
  UNSIGNED_BY,
} from './rules.ts'
import type { Parties, SignatureRow, SignedCopyRow } from './store.ts'

export const Signature = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    bookingId: BookingId,
    documentId: Type.String({ format: 'uuid', description: 'The LEASE_CONTRACT that was signed.' }),
    sha256: sha256("The SHA-256 of that document's file, in hex."),
    party: oneOf(SIGNING_PARTIES, { description: 'The side that they signed for.' }),
    userId: Type.Optional({ ...Uuid, description: 'Absent if a co-tenant or guarantor signed by their link.' }),
    signerId: Type.Optional({ ...Uuid, description: 'The co-tenant or guarantor who signed.' }),
    onBehalf: Type.Boolean({ description: 'Whether a manager signed for the owner.' }),
    fullName: Type.String({ description: 'The name as the signer typed it.', examples: ['Ngo Bassa Marie-Claire'] }),
    channel: PhoneChallenge.properties.channel,
    maskedNumber: Type.String({
      description: 'The number on file that the code was sent to.',
      examples: ['+237 *** *** 456'],
    }),
    signedAt: { ...DateTime, description: 'When the signature was confirmed by the code.' },
    status: oneOf(SIGNATURE_STATUS, { description: 'The current status; the operations change it.' }),
    voidReason: Type.Optional(
      oneOf(UNSIGNED_BY, {
        description:
          'CHANGED: the text was changed. CANCELLED: the lease was cancelled. ACTIVATED: the lease was activated before both parties had signed.',
      }),
    ),
    voidedAt: Type.Optional({ ...DateTime, description: 'When it ceased to be valid.' }),
    createdAt: CreatedAt,
  },
  { $id: 'Signature', description: 'An electronic agreement; not a qualified electronic signature.' },
)
export type Signature = Static<typeof Signature>
export const toSignature = (row: SignatureRow): Signature =>
  dto(row, 'challengeId', 'requestId', 'updatedAt', 'version')

export const SignedCopy = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    bookingId: BookingId,
    mediaObjectId: MediaObjectId,
    sha256: sha256('The SHA-256 of the file, in hex.'),
    attachedBy: { ...Uuid, description: 'The user who attached it.' },
    createdAt: CreatedAt,
  },
  { $id: 'SignedCopy' },
)
export type SignedCopy = Static<typeof SignedCopy>
/** A copy never changes: its version is always the first. */
export const toSignedCopy = ({ version: _v, ...row }: SignedCopyRow & { version: 1 }): SignedCopy => dto(row)

const members = {
  title_fr: Text({ max: 120, description: 'The heading in French.', examples: ['Loyer'] }),
  body_fr: Text({
    max: 4000,
    lines: true,
    description: 'The text in French.',
    examples: ['Le loyer mensuel est de **{{rent}}** ({{rentInWords}}).'],
  }),
  title_en: Text({ max: 120, description: 'The heading in English.', examples: ['Rent'] }),
  body_en: Text({
    max: 4000,
    lines: true,
    description: 'The text in English.',
    examples: ['The monthly rent is **{{rent}}** ({{rentInWords}}).'],
  }),
}
const Clause = Type.Object(members, {
  $id: 'LeaseClause',
  additionalProperties: false,
  description: '`{{placeholder}}`, `**bold**`, and lists: lines that begin with "- ".',
})
const Clauses = Type.Array(Clause, {
  minItems: 1,
  maxItems: 60,
  description: 'The clauses, in the order in which they are printed.',
})

export const LeaseTemplate = Type.Object(
  {
    kind: oneOf(LEASE_KINDS, { description: 'The kind.' }),
    version: Type.Integer({ description: '0: the built-in clauses.', examples: [1] }),
    clauses: Type.Array(Clause, { description: 'The clauses, in the order in which they are printed.' }),
    placeholders: Type.Array(oneOf(PLACEHOLDERS), {
      description:
        'The placeholders that clauses may use. A term that was not agreed prints "non convenu" or "not agreed"; an unknown fact prints "non renseigné" or "not given". Text in brackets that only holds such a fact is left out.',
    }),
    createdAt: Type.Optional(CreatedAt),
  },
  { $id: 'LeaseTemplate' },
)
export type LeaseTemplate = Static<typeof LeaseTemplate>

const example = {
  title_fr: 'Loyer',
  body_fr: 'Le loyer mensuel est de **{{rent}}** ({{rentInWords}}).',
  title_en: 'Rent',
  body_en: 'The monthly rent is **{{rent}}** ({{rentInWords}}).',
}
export const LeaseTemplatePut = Body(
  { clauses: Clauses },
  { $id: 'LeaseTemplatePut', examples: [{ clauses: [example] }] },
)
export type LeaseTemplatePut = Static<typeof LeaseTemplatePut>
export const LeasePreview = Body(
  {
    clauses: Maybe(Clauses),
    locale: Maybe({ ...Locale, description: 'The language of the preview; French if omitted.' }),
  },
  { $id: 'LeaseTemplatePreview', examples: [{ clauses: [example], locale: 'fr' }] },
)
export type LeasePreview = Static<typeof LeasePreview>

const Role = oneOf(PARTY_ROLES, {
  $id: 'LeasePartyRole',
  description: 'CO_TENANT: rents together with the tenant. GUARANTOR: is liable for what the tenant owes.',
})

const LeaseParty = Type.Object(
  {
    id: Id,
    role: Role,
    fullName: Type.String({
      description: 'Family name and first names, as on identity papers.',
      examples: ['Ngo Bassa Marie-Claire'],
    }),
    phoneNumber: Type.String({
      description: 'The number to which the link to read and sign the lease is sent, and its code.',
      examples: ['+237677123456'],
    }),
    idType: Type.Optional(Type.String({ description: 'The kind of identity paper.', examples: ['NATIONAL_ID'] })),
    idNumber: Type.Optional(Type.String({ description: 'The number of the identity paper.', examples: ['112345678'] })),
    address: Type.Optional(Type.String({ description: 'The postal address, as printed on papers.' })),
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
        idType: Maybe({ ...IdType, description: 'The kind of identity paper.', examples: ['NATIONAL_ID'] }),
        idNumber: Maybe(Text({ max: 60, description: 'The number of the identity paper.', examples: ['112345678'] })),
        address: Maybe(Text({ max: 300, lines: true, description: 'The postal address, as printed on papers.' })),
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
