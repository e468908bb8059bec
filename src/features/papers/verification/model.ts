import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import { Body, DateOnly, DateTime, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import {
  AUTHORITIES,
  DOCUMENT_ROLES,
  DOCUMENT_TYPES,
  PROOF_TYPES,
  VERIFICATION_KINDS,
  VERIFICATION_STATUS,
} from './rules.ts'
import type { CaseRow, VerificationDocumentRow } from './store.ts'

const VerificationDocument = Type.Object(
  {
    id: Uuid,
    mediaObjectId: Uuid,
    role: oneOf(DOCUMENT_ROLES),
    documentType: Type.Optional(oneOf(DOCUMENT_TYPES, { $id: 'IdentityPaper' })),
    certifyingAuthority: Type.Optional(oneOf(AUTHORITIES, { $id: 'CertifyingAuthority' })),
    certificateRef: Type.Optional(Type.String()),
    certifiedOn: Type.Optional(DateOnly),
    expiresOn: Type.Optional(DateOnly),
  },
  { $id: 'VerificationDocument' },
)

export const Verification = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    kind: oneOf(VERIFICATION_KINDS),
    proofType: Type.Optional(oneOf(PROOF_TYPES)),
    propertyId: Type.Optional(Uuid),
    subjectUserId: Uuid,
    status: oneOf(VERIFICATION_STATUS),
    assignedTo: Type.Optional(Type.String({ description: "The reviewer's user id." })),
    reviewedBy: Type.Optional(Type.String({ description: 'The id of the user who decided.' })),
    reviewNote: Type.Optional(Type.String()),
    createdAt: DateTime,
    submittedAt: Type.Optional(DateTime),
    reviewedAt: Type.Optional(DateTime),
    documents: Type.Array(VerificationDocument),
    subjectName: Type.Optional(Type.String({ description: 'The name of the person whom the case is about.' })),
    propertyName: Type.Optional(Type.String()),
    assignedToName: Type.Optional(
      Type.String({
        description: "The reviewer's name; for managers and administrators, except in a case of their own.",
      }),
    ),
    reviewedByName: Type.Optional(
      Type.String({ description: 'The name of the user who decided; shown like assignedToName.' }),
    ),
  },
  { $id: 'Verification' },
)
export type Verification = Static<typeof Verification>

export const ProofCreate = Body({ propertyId: Uuid })

export const Attach = Body(
  {
    mediaObjectId: Uuid,
    role: oneOf(DOCUMENT_ROLES),
    documentType: Maybe(oneOf(DOCUMENT_TYPES)),
    certifyingAuthority: Maybe(oneOf(AUTHORITIES)),
    certificateRef: Maybe(Text({ max: 100 })),
    certifiedOn: Maybe(DateOnly),
    expiresOn: Maybe(DateOnly),
  },
  {
    $id: 'VerificationDocumentAttach',
    examples: [
      {
        mediaObjectId: '01985f3a-7c00-7000-8000-000000000030',
        role: 'SELF_ID',
        documentType: 'NATIONAL_ID',
        expiresOn: '2031-05-17',
      },
    ],
  },
)
export type Attach = Static<typeof Attach>

export const Review = Body(
  { note: Maybe(Text({ max: 1000, lines: true })) },
  { $id: 'ReviewNote', examples: [{ note: 'La pièce est illisible : merci de la photographier à nouveau.' }] },
)

const toDocument = ({ orgId: _o, caseId: _c, remindOn: _r, createdAt: _d, ...row }: VerificationDocumentRow) => dto(row)

/** A case with its papers. */
export type FullCase = CaseRow & { readonly documents: readonly VerificationDocumentRow[] }
export const toVerification = ({
  documents,
  createdBy: _b,
  submittedBy: _s,
  updatedAt: _u,
  version: _v,
  ...row
}: FullCase): Verification => ({
  ...dto(row),
  documents: documents.map(toDocument),
})
export const withDocuments = <T extends object>(row: T, documents: readonly VerificationDocumentRow[]) => ({
  ...row,
  documents: documents.map(toDocument),
})
