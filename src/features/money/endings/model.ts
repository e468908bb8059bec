import { type Static, Type } from '@sinclair/typebox'
import { DateOnly, oneOf, Uuid } from '../../../http/schema.ts'

const Settled = Type.Object(
  {
    outcome: oneOf(['CANCELLED', 'ISSUED', 'CREDITED', 'SET_OFF', 'OWED'] as const, {
      description:
        'CANCELLED: for time after the end · ISSUED: stands in the place of a cancelled one, for the days that were lived or for charges · CREDITED: PAID, and gives something back · SET_OFF: from before, paid by the credit that the end gave · OWED: from before, still to be paid.',
    }),
    id: Type.Optional({ ...Uuid, description: 'Absent of one that the end would issue.' }),
    number: Type.Optional(Type.String({ description: 'Absent of one that the end would issue.' })),
    periodStart: DateOnly,
    periodEnd: DateOnly,
    dueDate: DateOnly,
    grossAmount: Type.Integer(),
    amountPaid: Type.Integer({ description: 'After the settlement; 0 once cancelled, for its money moves on.' }),
    creditedAmount: Type.Optional(Type.Integer({ description: 'What the end gives back of it.' })),
    balanceAmount: Type.Integer({ description: 'What stays to be paid; 0 once cancelled.' }),
  },
  { $id: 'SettledInvoice' },
)

export const Settlement = Type.Object(
  {
    bookingId: Uuid,
    currency: Type.String(),
    endDate: { ...DateOnly, description: 'The last day of the lease.' },
    needsConfirm: Type.Boolean({
      description: '`terminate` asks for `confirm: true`: the end lies more than a month back.',
    }),
    invoices: Type.Array(Settled, { description: 'What changes and what is owed, by period.' }),
    cancelledAmount: Type.Integer({ description: 'Sum of the cancelled invoices.' }),
    issuedAmount: Type.Integer({ description: 'Sum of those in their place.' }),
    creditedAmount: Type.Integer({ description: 'What PAID invoices give back.' }),
    owedAmount: Type.Integer({ description: 'What the tenant owes on this lease after the end, in all.' }),
    creditAmount: Type.Integer({ description: 'What the tenant has to get after the end, the deposit apart.' }),
    depositHeldAmount: Type.Integer({ description: 'What the landlord holds of the deposit.' }),
    balanceAmount: Type.Integer({
      description:
        'depositHeldAmount + creditAmount − owedAmount: what is to give back; below zero, what is still owed.',
    }),
  },
  { $id: 'Settlement' },
)
export type Settlement = Static<typeof Settlement>
export type SettledInvoice = Static<typeof Settled>
