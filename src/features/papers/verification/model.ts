import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import { CreatedAt, Id, MediaObjectId, OrgId, PropertyId, PropertyName } from '../../../http/members.ts'
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

const CertifiedOn = { ...DateOnly, description: 'The day of the certification; not in the future.' }
const ExpiresOn = { ...DateOnly, description: 'The last day on which the paper is valid.' }

const VerificationDocument = Type.Object(
  {
    id: Id,
    mediaObjectId: MediaObjectId,
    role: oneOf(DOCUMENT_ROLES, { description: 'The purpose of the paper.' }),
    documentType: Type.Optional(
      oneOf(DOCUMENT_TYPES, { $id: 'IdentityPaper', description: 'The kind of identity paper.' }),
    ),
    certifyingAuthority: Type.Optional(
      oneOf(AUTHORITIES, { $id: 'CertifyingAuthority', description: 'The authority that certified the copy.' }),
    ),
    certificateRef: Type.Optional(Type.String({ description: 'The reference of the certification.' })),
    certifiedOn: Type.Optional(CertifiedOn),
    expiresOn: Type.Optional(ExpiresOn),
  },
  { $id: 'VerificationDocument' },
)

export const Verification = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    kind: oneOf(VERIFICATION_KINDS, { description: 'The kind.' }),
    proofType: Type.Optional(
      oneOf(PROOF_TYPES, { description: 'By the owner, or by somebody the owner mandated; derived from the papers.' }),
    ),
    propertyId: Type.Optional(PropertyId),
    subjectUserId: { ...Uuid, description: 'The user whose identity or ownership is checked.' },
    status: oneOf(VERIFICATION_STATUS, {
      description: 'DRAFT, then SUBMITTED by the owner; the reviewers set the later statuses.',
    }),
    assignedTo: Type.Optional(Type.String({ description: "The reviewer's user id." })),
    reviewedBy: Type.Optional(Type.String({ description: 'The id of the user who decided.' })),
    reviewNote: Type.Optional(Type.String({ description: "The reviewer's note to the owner." })),
    createdAt: CreatedAt,
    submittedAt: Type.Optional({
      ...DateTime,
      description: 'When it was sent out.',
      examples: ['2025-12-20T09:45:00.000Z'],
    }),
    reviewedAt: Type.Optional({ ...DateTime, description: 'When it was decided.' }),
    documents: Type.Array(VerificationDocument, { description: 'The papers of the case.' }),
    subjectName: Type.Optional(Type.String({ description: 'The name of the person whom the case is about.' })),
    propertyName: Type.Optional(PropertyName),
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

export const ProofCreate = Body({ propertyId: PropertyId })

export const Attach = Body(
  {
    mediaObjectId: MediaObjectId,
    role: oneOf(DOCUMENT_ROLES, { description: 'The purpose of the paper.' }),
    documentType: Maybe(oneOf(DOCUMENT_TYPES, { description: 'The kind of identity paper.' })),
    certifyingAuthority: Maybe(oneOf(AUTHORITIES, { description: 'The authority that certified the copy.' })),
    certificateRef: Maybe(Text({ max: 100, description: 'The reference of the certification.' })),
    certifiedOn: Maybe(CertifiedOn),
    expiresOn: Maybe(ExpiresOn),
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
  {
    note: Maybe(
      Text({
        max: 1000,
        lines: true,
        description: 'A note to the owner; required to reject, revoke or send back a case.',
      }),
    ),
  },
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
