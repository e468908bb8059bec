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

const SetOff = Type.Object(
  {
    bookingId: Uuid,
    unitLabel: Type.String(),
    propertyName: Type.String(),
    amount: Type.Integer({ description: 'Above zero: paid here by the credit of that lease. Below: paid there.' }),
  },
  { $id: 'SettledWith' },
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
    setOffAmount: Type.Integer({
      description:
        'What credit of other leases of the same tenant and owner paid on this one; below zero, what its credit paid on those. Owed and credit are after it.',
    }),
    setOffs: Type.Array(SetOff, { description: 'The same by lease.' }),
    depositReceivedAmount: Type.Integer({ description: 'What came as deposit, from an earlier lease too.' }),
    rentOwedAmount: Type.Integer({ description: 'Owed on invoices, with what the deposit has paid on them already.' }),
    deductedAmount: Type.Integer({ description: 'Kept of the deposit for repairs and the like, on no invoice.' }),
    depositReturnedAmount: Type.Integer({
      description: 'Given back of the deposit already, or gone over to a renewal.',
    }),
    depositHeldAmount: Type.Integer({ description: 'What the landlord holds of the deposit.' }),
    balanceAmount: Type.Integer({
      description:
        'depositHeldAmount + creditAmount − owedAmount, that is depositReceivedAmount − rentOwedAmount − deductedAmount − depositReturnedAmount + creditAmount: what is to give back; below zero, what is still owed.',
    }),
  },
  { $id: 'Settlement' },
)
export type Settlement = Static<typeof Settlement>
export type SettledInvoice = Static<typeof Settled>
