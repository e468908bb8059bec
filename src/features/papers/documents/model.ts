import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/cache.ts'
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
          'Of a lease: PROPOSED, UNSIGNED or SIGNED. Of a receipt: FULL (a quittance), PARTIAL, or REFUND (what the landlord gave back, for the tenant to sign). Of an invoice: CREDIT_NOTE (what was taken off it) or CHARGES (charges alone, of no period). Of a lease notice: RENT_CHANGE (the rent changes), RIDER (a change out for the tenant’s signature), RIDER_SIGNED, or LEAVE (notice to leave).',
      }),
    ),
    bookingId: Uuid,
    invoiceId: Type.Optional(Uuid),
    paymentId: Type.Optional(Uuid),
    propertyId: Uuid,
    number: Type.String(),
    locale: Locale,
    issuedOn: DateOnly,
    verificationCode: Type.String({ description: 'Its page for whoever holds the paper is `/verify/{code}`.' }),
    status: oneOf(DOCUMENT_STATUS, { description: 'PENDING until the file is there; FAILED is tried again each day.' }),
    failure: Type.Optional(oneOf(FAILURES, { description: 'Why there is no file yet.' })),
    filename: Type.String(),
    contentType: Type.Literal('application/pdf'),
    sizeBytes: Type.Optional(Type.Integer()),
    sha256: Type.Optional(Type.String({ description: 'Of the file, in hex.' })),
    templateVersion: Type.Optional(Type.Integer()),
    voidReason: Type.Optional(
      oneOf(VOID_REASONS, {
        description:
          'Why it no longer stands. REPLACED: a newer paper says what holds now; each change of what an ended lease owes, has as credit or as deposit replaces its statement.',
      }),
    ),
    voidedAt: Type.Optional(DateTime),
    createdAt: DateTime,
    renderedAt: Type.Optional(DateTime),
    signedCopyMediaId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Of a lease or an inspection: its scan, signed by hand, a media object.',
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
