import { type Static, Type } from '@sinclair/typebox'
import { DateOnly, DateTime, oneOf, Uuid } from '../../../http/schema.ts'
import { NEEDS } from './rules.ts'

const Count = Type.Integer({ minimum: 0 })
const Francs = Type.Integer({ minimum: 0 })
export const Need = Type.Object(
  {
    kind: oneOf(NEEDS, {
      description:
        'PAYMENT_DECLARED: a payment to confirm or reject, including cash that another person recorded. MESSAGE_UNMATCHED: mobile money that matches no invoice. BOOKING_REQUESTED: somebody requests a unit. REPAIR_REQUESTED: reported by a tenant and not seen, or planned for a day that has passed. LEASE_TO_SIGN: out for signing, without the landlord’s signature. RENT_CHANGE_TO_SIGN: a rent change that waits for the tenant’s signature. INSPECTION_TO_SIGN: out for signing, and not signed by both. INSPECTION_DUE: the lease ends within 14 days, or ended up to 14 days ago, is not renewed, and its inspection has not begun. NOTICE_GIVEN: a running lease under notice. LEASE_ENDING: ends within 60 days without notice and is not renewed. VERIFICATION_TO_REVIEW: for ADMIN. PAPER_FAILED: a paper that could not be created. MESSAGE_UNDELIVERED: a notice of the last 14 days that did not arrive. IMPORT_DONE: an import of the caller that ended within a day. SETUP: for ADMIN: details of the organization that are still missing, such as its name.',
    }),
    count: { ...Count, description: 'The number; a kind without any is absent.' },
    oldestAt: Type.Optional({ ...DateTime, description: 'Since when the oldest of them has been waiting.' }),
    firstOn: Type.Optional({
      ...DateOnly,
      description: 'For LEASE_ENDING, NOTICE_GIVEN and INSPECTION_DUE: the day on which the first lease ends.',
    }),
    bookingId: Type.Optional({
      ...Uuid,
      description:
        'For RENT_CHANGE_TO_SIGN, INSPECTION_TO_SIGN, INSPECTION_DUE and NOTICE_GIVEN: the lease, if it is a single one.',
    }),
    amount: Type.Optional({ ...Francs, description: 'For payments and messages: their sum. In XAF.' }),
  },
  { $id: 'OverviewNeed' },
)
export type Need = Static<typeof Need>
