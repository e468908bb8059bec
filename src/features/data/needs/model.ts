import { type Static, Type } from '@sinclair/typebox'
import { DateOnly, DateTime, oneOf } from '../../../http/schema.ts'
import { NEEDS } from './rules.ts'

const Count = Type.Integer({ minimum: 0 })
const Francs = Type.Integer({ minimum: 0 })
export const Need = Type.Object(
  {
    kind: oneOf(NEEDS, {
      description:
        'PAYMENT_DECLARED: to confirm or reject. MESSAGE_UNMATCHED: mobile money that fits no invoice. BOOKING_REQUESTED: somebody asks for a unit. REPAIR_REQUESTED: reported by a tenant and not seen, or planned for a day that is over. LEASE_TO_SIGN: out for signing, without the landlord’s signature. LEASE_ENDING: ends within 60 days and is not renewed. VERIFICATION_TO_REVIEW: for ADMIN. PAPER_FAILED: a paper that could not be made. MESSAGE_UNDELIVERED: a notice of the last 14 days that did not arrive. IMPORT_DONE: an import of your own that ended within a day. SETUP: for ADMIN: what the organization has not said of itself yet, such as its name.',
    }),
    count: { ...Count, description: 'How many; a kind without any is absent.' },
    oldestAt: Type.Optional({ ...DateTime, description: 'Since when the first of them waits.' }),
    firstOn: Type.Optional({ ...DateOnly, description: 'LEASE_ENDING: the day on which the first one ends.' }),
    amount: Type.Optional({ ...Francs, description: 'Of payments and messages: their sum. XAF' }),
  },
  { $id: 'OverviewNeed' },
)
export type Need = Static<typeof Need>
