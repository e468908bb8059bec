import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import {
  BookingId,
  CreatedAt,
  Id,
  InvoiceId,
  IssuedOn,
  OrgId,
  PropertyId,
  PropertyName,
  sha256,
  TenantName,
  UnitLabel,
} from '../../../http/members.ts'
import { DateTime, Locale, oneOf, Uuid } from '../../../http/schema.ts'
import { DOCUMENT_KINDS, DOCUMENT_STATUS, DOCUMENT_VARIANTS, FAILURES, filenameOf, VOID_REASONS } from './rules.ts'
import type { DocumentRow } from './store.ts'

export const Document = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    kind: oneOf(DOCUMENT_KINDS, { description: 'The kind.', examples: ['RECEIPT'] }),
    variant: Type.Optional(
      oneOf(DOCUMENT_VARIANTS, {
        description:
          'For a lease: PROPOSED, UNSIGNED or SIGNED. For a receipt: FULL (a quittance), PARTIAL, REFUND (what the landlord gave back, for the tenant to sign), DEPOSIT (a deposit that came), or DEPOSIT_RETURNED (one that went back, for the tenant to sign). For an invoice: CREDIT_NOTE (what was taken off it) or CHARGES (charges only, of no period). For a lease notice: RENT_CHANGE (the rent changes), RIDER (a change out for the tenant’s signature), RIDER_SIGNED, or LEAVE (notice to leave).',
        examples: ['FULL'],
      }),
    ),
    bookingId: BookingId,
    invoiceId: Type.Optional(InvoiceId),
    paymentId: Type.Optional({ ...Uuid, description: 'The payment.' }),
    propertyId: PropertyId,
    number: Type.String({ description: 'The number printed on it.', examples: ['Q-2026-000087'] }),
    locale: Locale,
    issuedOn: IssuedOn,
    verificationCode: Type.String({
      description: 'The code of the page `/verify/{code}`, which shows whether the paper is genuine and in force.',
      examples: ['K7QF2M9X4T'],
    }),
    status: oneOf(DOCUMENT_STATUS, {
      description: 'PENDING until the file exists; FAILED is tried again each day.',
      examples: ['READY'],
    }),
    failure: Type.Optional(oneOf(FAILURES, { description: 'Why there is no file yet.' })),
    filename: Type.String({ description: 'The file name.', examples: ['quittance-2026-03.pdf'] }),
    contentType: Type.Literal('application/pdf', { description: 'The media type of the file.' }),
    sizeBytes: Type.Optional(Type.Integer({ description: 'The size of the file in bytes.', examples: [845_213] })),
    sha256: Type.Optional(sha256('The SHA-256 of the file, in hex.')),
    templateVersion: Type.Optional(Type.Integer({ description: 'The version of the lease template that was used.' })),
    voidReason: Type.Optional(
      oneOf(VOID_REASONS, {
        description:
          'Why the paper is no longer in force. REPLACED: a newer paper is in force; the statement of an ended lease is replaced with each change of its debts, credit or deposit.',
      }),
    ),
    voidedAt: Type.Optional({ ...DateTime, description: 'When it ceased to be valid.' }),
    createdAt: CreatedAt,
    renderedAt: Type.Optional({ ...DateTime, description: 'When the file was created.' }),
    signedCopyMediaId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'For a lease or an inspection signed by hand: its scan, a media object.',
      }),
    ),
    tenantName: Type.Optional(TenantName),
    unitLabel: Type.Optional(UnitLabel),
    propertyName: Type.Optional(PropertyName),
  },
  { $id: 'Document' },
)
export type Document = Static<typeof Document>

type Named = Parameters<typeof filenameOf>[0]
/** Adds the computed members to a document. Single answers and lists use it alike. */
export const documentView = <T extends Named & { readonly code: string }>({ code, ...row }: T) => ({
  ...row,
  verificationCode: code,
  filename: filenameOf(row as Named),
  contentType: 'application/pdf' as const,
})

export const toDocument = (row: DocumentRow): Document => {
  const {
    ownerUserId: _o,
    tenantUserId: _t,
    source: _s,
    data: _d,
    attempts: _a,
    renderAt: _r,
    updatedAt: _u,
    version: _v,
    ...visible
  } = row
  return documentView(dto(visible))
}
