import { type Static, Type } from '@sinclair/typebox'
import { DateOnly, oneOf, Uuid } from '../../../http/schema.ts'
import { ROLL_STATUS } from './rules.ts'

export const Name = Type.String()
export const Count = Type.Integer({ minimum: 0 })
export const Francs = Type.Integer({ minimum: 0 })
export const Credited = Type.Integer({
  minimum: 0,
  description: 'The part given back at the end of the lease. In XAF.',
})
export const Paid = Type.Integer({ minimum: 0, description: 'The part that was paid, without creditedAmount. In XAF.' })
export const Balance = Type.Integer({ minimum: 0, description: 'Gross less credited less paid. In XAF.' })
const Rate = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Basis points: 10000 is all. Absent where nothing was due.' }),
)

export const RollRow = Type.Object(
  {
    propertyId: Uuid,
    propertyName: Name,
    unitId: Uuid,
    unitLabel: Name,
    bookingId: Type.Optional(Uuid),
    tenantName: Type.Optional(Name),
    rentAmount: Type.Optional(
      Type.Integer({ description: 'The net rent of a full period; for a vacant unit, the asking rent. In XAF.' }),
    ),
    invoiceId: Type.Optional(Uuid),
    invoiceNumber: Type.Optional(Name),
    periodStart: Type.Optional(DateOnly),
    periodEnd: Type.Optional(DateOnly),
    dueDate: Type.Optional(DateOnly),
    grossAmount: Francs,
    creditedAmount: Credited,
    amountPaid: Paid,
    balanceAmount: Balance,
    status: oneOf(ROLL_STATUS, {
      $id: 'RentRollStatus',
      description:
        'The status of the invoice; CREDITED if the end of the lease gave all of it back, so that nobody paid it; NOT_INVOICED; VACANT.',
    }),
  },
  { $id: 'RentRollRow' },
)
export type RollRow = Static<typeof RollRow>

export const CollectionRow = Type.Object(
  {
    propertyId: Uuid,
    propertyName: Name,
    month: Type.String({ description: 'YYYY-MM' }),
    invoices: Count,
    invoicedAmount: Francs,
    collectedAmount: Francs,
    balanceAmount: Francs,
    collectionRate: Rate,
  },
  { $id: 'CollectionRow' },
)
export type CollectionRow = Static<typeof CollectionRow>

export const OccupancyRow = Type.Object(
  {
    propertyId: Uuid,
    propertyName: Name,
    units: Count,
    unitDays: Count,
    occupiedDays: Count,
    vacantDays: Count,
    occupancyRate: Rate,
  },
  { $id: 'OccupancyRow' },
)
export type OccupancyRow = Static<typeof OccupancyRow>
