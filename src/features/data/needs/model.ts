import { type Static, Type } from '@sinclair/typebox'
import { DateOnly, DateTime, oneOf, Uuid } from '../../../http/schema.ts'
import { NEEDS } from './rules.ts'

const Count = Type.Integer({ minimum: 0 })
const Francs = Type.Integer({ minimum: 0 })
export const Need = Type.Object(
  {
    kind: oneOf(NEEDS, {
      description:
        'PAYMENT_DECLARED: to confirm or reject, cash that another recorded among them. MESSAGE_UNMATCHED: mobile money that fits no invoice. BOOKING_REQUESTED: somebody asks for a unit. REPAIR_REQUESTED: reported by a tenant and not seen, or planned for a day that is over. LEASE_TO_SIGN: out for signing, without the landlord’s signature. RENT_CHANGE_TO_SIGN: a change of the rent that waits for the tenant’s signature. INSPECTION_TO_SIGN: out for signing, and not signed by both. INSPECTION_DUE: the lease ends within 14 days, or ended so many ago, is not renewed, and nobody has begun its inspection. NOTICE_GIVEN: a running lease under notice. LEASE_ENDING: ends within 60 days without notice and is not renewed. VERIFICATION_TO_REVIEW: for ADMIN. PAPER_FAILED: a paper that could not be made. MESSAGE_UNDELIVERED: a notice of the last 14 days that did not arrive. IMPORT_DONE: an import of your own that ended within a day. SETUP: for ADMIN: what the organization has not said of itself yet, such as its name.',
    }),
    count: { ...Count, description: 'How many; a kind without any is absent.' },
    oldestAt: Type.Optional({ ...DateTime, description: 'Since when the first of them waits.' }),
    firstOn: Type.Optional({
      ...DateOnly,
      description: 'LEASE_ENDING, NOTICE_GIVEN, INSPECTION_DUE: the day on which the first one ends.',
    }),
    bookingId: Type.Optional({
      ...Uuid,
      description:
        'RENT_CHANGE_TO_SIGN, INSPECTION_TO_SIGN, INSPECTION_DUE, NOTICE_GIVEN: the lease, where it is one alone.',
    }),
    amount: Type.Optional({ ...Francs, description: 'Of payments and messages: their sum. XAF' }),
  },
  { $id: 'OverviewNeed' },
)
export type Need = Static<typeof Need>
