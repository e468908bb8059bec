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
    number: Type.String({ description: "Without gaps in the organization's year: AV-2026-000001." }),
    issuedOn: DateOnly,
    reason: oneOf(CREDIT_NOTE_REASONS, {
      $id: 'CreditNoteReason',
      description:
        'CANCELLED: all of the invoice. ENDED: what was paid for time after the end of the lease. REGULARISED: the part of its provisions by which they were higher than the charges.',
    }),
    netAmount: Type.Integer(),
    tvaAmount: Type.Integer(),
    tvaBasisPoints: Type.Integer(),
    grossAmount: Type.Integer({ description: 'What is taken off the invoice, with its VAT.' }),
    withdrawnOn: Type.Optional({ ...DateOnly, description: 'The end of the lease was undone: it is owed again.' }),
    createdAt: DateTime,
  },
  { $id: 'CreditNote' },
)
export const toCreditNote = (row: CreditNoteRow) => dto(row, 'updatedAt', 'version')
