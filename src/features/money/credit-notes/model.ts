import { Type } from '@sinclair/typebox'
import { dto } from '../../../http/cache.ts'
import { DateOnly, DateTime, oneOf, Uuid } from '../../../http/schema.ts'
import { CREDIT_NOTE_REASONS } from './rules.ts'
import type { CreditNoteRow } from './store.ts'

export const CreditNote = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    invoiceId: Uuid,
    bookingId: Uuid,
    number: Type.String({ description: "Numbered without gaps within the organization's year: AV-2026-000001." }),
    issuedOn: DateOnly,
    reason: oneOf(CREDIT_NOTE_REASONS, {
      $id: 'CreditNoteReason',
      description:
        'CANCELLED: the whole invoice. ENDED: what was paid for time after the end of the lease. REGULARISED: the part of its provisions that exceeded the charges.',
    }),
    netAmount: Type.Integer(),
    tvaAmount: Type.Integer(),
    tvaBasisPoints: Type.Integer(),
    grossAmount: Type.Integer({ description: 'The amount taken off the invoice, with its VAT.' }),
    withdrawnOn: Type.Optional({
      ...DateOnly,
      description: 'The day on which the end of the lease was undone; the amount is owed again.',
    }),
    createdAt: DateTime,
  },
  { $id: 'CreditNote' },
)
export const toCreditNote = (row: CreditNoteRow) => dto(row, 'updatedAt', 'version')
