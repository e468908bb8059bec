import { type Static, Type } from '@sinclair/typebox'
import { DateOnly, oneOf, Uuid } from '../../../http/schema.ts'
import { Balance, Count, Credited, Francs, Name, Paid } from '../figures/model.ts'
import { AGES } from '../figures/rules.ts'

export const ArrearsRow = Type.Object(
  {
    propertyId: Uuid,
    propertyName: Name,
    unitLabel: Name,
    tenantName: Name,
    tenantPhoneNumber: Type.Optional(Type.String()),
    bookingId: Uuid,
    invoiceId: Uuid,
    invoiceNumber: Name,
    periodStart: DateOnly,
    dueDate: DateOnly,
    grossAmount: Francs,
    creditedAmount: Credited,
    amountPaid: Paid,
    balanceAmount: Balance,
    depositHeldAmount: Type.Optional(Francs),
    daysLate: Count,
    age: oneOf(AGES, { $id: 'ArrearsAge' }),
  },
  { $id: 'ArrearsRow' },
)
export type ArrearsRow = Static<typeof ArrearsRow>
