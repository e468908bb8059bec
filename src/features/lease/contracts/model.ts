import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/cache.ts'
import { DateTime, oneOf, Uuid } from '../../../http/schema.ts'
import { PhoneChallenge } from '../../people/challenges/model.ts'
import { SIGNATURE_STATUS, SIGNING_PARTIES, UNSIGNED_BY } from './rules.ts'
import type { SignatureRow, SignedCopyRow } from './store.ts'

export const Signature = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    bookingId: Uuid,
    documentId: Type.String({ format: 'uuid', description: 'The LEASE_CONTRACT that was signed.' }),
    sha256: Type.String({ description: "The SHA-256 of that document's file, in hex." }),
    party: oneOf(SIGNING_PARTIES),
    userId: Type.Optional({ ...Uuid, description: 'Absent if a co-tenant or guarantor signed by their link.' }),
    signerId: Type.Optional({ ...Uuid, description: 'The co-tenant or guarantor who signed.' }),
    onBehalf: Type.Boolean({ description: 'Whether a manager signed for the owner.' }),
    fullName: Type.String({ description: 'The name as the signer typed it.' }),
    channel: PhoneChallenge.properties.channel,
    maskedNumber: Type.String({ description: 'The number on file that the code was sent to.' }),
    signedAt: DateTime,
    status: oneOf(SIGNATURE_STATUS),
    voidReason: Type.Optional(
      oneOf(UNSIGNED_BY, {
        description:
          'CHANGED: the text was changed. CANCELLED: the lease was cancelled. ACTIVATED: the lease was activated before both parties had signed.',
      }),
    ),
    voidedAt: Type.Optional(DateTime),
    createdAt: DateTime,
  },
  { $id: 'Signature', description: 'An electronic agreement; not a qualified electronic signature.' },
)
export type Signature = Static<typeof Signature>
export const toSignature = (row: SignatureRow): Signature =>
  dto(row, 'challengeId', 'requestId', 'updatedAt', 'version')

export const SignedCopy = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    bookingId: Uuid,
    mediaObjectId: Uuid,
    sha256: Type.String({ description: 'The SHA-256 of the file, in hex.' }),
    attachedBy: Uuid,
    createdAt: DateTime,
  },
  { $id: 'SignedCopy' },
)
export type SignedCopy = Static<typeof SignedCopy>
/** A copy never changes: its version is always the first. */
export const toSignedCopy = ({ version: _v, ...row }: SignedCopyRow & { version: 1 }): SignedCopy => dto(row)
