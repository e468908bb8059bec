import { Type } from '@sinclair/typebox'
import { DateTime, oneOf, Uuid } from '../../../http/schema.ts'
import { Signature } from '../../lease/contracts/model.ts'
import { Repair } from '../../lease/repairs/model.ts'
import { Invoice } from '../../money/invoices/model.ts'
import { Payment } from '../../money/payments/model.ts'
import { Notice } from '../../news/reminders/model.ts'
import { Document } from '../../papers/documents/model.ts'

const ENTRY_KINDS = ['SIGNATURE', 'INVOICE', 'PAYMENT', 'NOTICE', 'DOCUMENT', 'REPAIR'] as const

export const TimelineEntry = Type.Object(
  {
    id: Type.String({ ...Uuid, description: "The id of the event's object; `kind` says which member holds it." }),
    kind: oneOf(ENTRY_KINDS, { $id: 'TimelineKind' }),
    at: DateTime,
    signature: Type.Optional(Signature),
    invoice: Type.Optional(Invoice),
    payment: Type.Optional(Payment),
    notice: Type.Optional(Notice),
    document: Type.Optional(Document),
    repair: Type.Optional(Repair),
  },
  { $id: 'TimelineEntry', description: 'One event of a lease, as its own list returns it.' },
)
