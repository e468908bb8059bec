import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import { DateOnly, DateTime, Locale, oneOf, Uuid } from '../../../http/schema.ts'
import { DOCUMENT_KINDS, DOCUMENT_STATUS, DOCUMENT_VARIANTS, FAILURES, filenameOf, VOID_REASONS } from './rules.ts'
import type { DocumentRow } from './store.ts'

export const Document = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    kind: oneOf(DOCUMENT_KINDS),
    variant: Type.Optional(
      oneOf(DOCUMENT_VARIANTS, {
        description:
          'For a lease: PROPOSED, UNSIGNED or SIGNED. For a receipt: FULL (a quittance), PARTIAL, or REFUND (what the landlord gave back, for the tenant to sign). For an invoice: CREDIT_NOTE (what was taken off it) or CHARGES (charges only, of no period). For a lease notice: RENT_CHANGE (the rent changes), RIDER (a change out for the tenant’s signature), RIDER_SIGNED, or LEAVE (notice to leave).',
      }),
    ),
    bookingId: Uuid,
    invoiceId: Type.Optional(Uuid),
    paymentId: Type.Optional(Uuid),
    propertyId: Uuid,
    number: Type.String(),
    locale: Locale,
    issuedOn: DateOnly,
    verificationCode: Type.String({
      description: 'The code of the page `/verify/{code}`, which shows whether the paper is genuine and in force.',
    }),
    status: oneOf(DOCUMENT_STATUS, { description: 'PENDING until the file exists; FAILED is tried again each day.' }),
    failure: Type.Optional(oneOf(FAILURES, { description: 'Why there is no file yet.' })),
    filename: Type.String(),
    contentType: Type.Literal('application/pdf'),
    sizeBytes: Type.Optional(Type.Integer()),
    sha256: Type.Optional(Type.String({ description: 'The SHA-256 of the file, in hex.' })),
    templateVersion: Type.Optional(Type.Integer()),
    voidReason: Type.Optional(
      oneOf(VOID_REASONS, {
        description:
          'Why the paper is no longer in force. REPLACED: a newer paper is in force; the statement of an ended lease is replaced with each change of its debts, credit or deposit.',
      }),
    ),
    voidedAt: Type.Optional(DateTime),
    createdAt: DateTime,
    renderedAt: Type.Optional(DateTime),
    signedCopyMediaId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'For a lease or an inspection signed by hand: its scan, a media object.',
      }),
    ),
    tenantName: Type.Optional(Type.String()),
    unitLabel: Type.Optional(Type.String()),
    propertyName: Type.Optional(Type.String()),
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
    ...shown
  } = row
  return documentView(dto(shown))
}
