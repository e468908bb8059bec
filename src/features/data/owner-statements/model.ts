import { type Static, Type } from '@sinclair/typebox'
import { Uuid } from '../../../http/schema.ts'
import { Francs, Name } from '../figures/model.ts'

export const StatementRow = Type.Object(
  {
    propertyId: Uuid,
    propertyName: Name,
    bookingId: Uuid,
    unitLabel: Name,
    tenantName: Name,
    netAmount: Francs,
    tvaAmount: Francs,
    grossAmount: Francs,
    creditedAmount: Francs,
    receivedAmount: Francs,
    withheldAmount: Francs,
    refundedAmount: Francs,
    setOffAmount: Type.Integer({ description: 'SET_OFF: paid by other leases, less paid for them. In XAF.' }),
    balanceAmount: Francs,
    depositReceivedAmount: Francs,
    depositDeductedAmount: Type.Integer({ description: 'Kept from deposits, less what was put back since. In XAF.' }),
    depositReturnedAmount: Francs,
    depositMovedAmount: Type.Integer({ description: 'From another lease; negative: to another one. In XAF.' }),
    depositHeldAmount: Type.Integer({ description: 'Held at the end of `to`, by the dates of the entries. In XAF.' }),
    creditAddedAmount: Type.Integer({
      description: "The change of the tenants' credit in that time; negative if it decreased. In XAF.",
    }),
    creditHeldAmount: Type.Integer({
      description:
        "Tenants' money at the end of `to` that no invoice has taken: paid in advance, or credited at the end of a lease. In XAF.",
    }),
    ownerAmount: Type.Integer({
      description: 'Received less refunded, set off and kept of deposits, less creditAddedAmount. In XAF.',
    }),
  },
  { $id: 'OwnerStatementRow' },
)
export type StatementRow = Static<typeof StatementRow>
