import { type Static, Type } from '@sinclair/typebox'
import { ADJUSTMENTS } from '../../../core/adjustments.ts'
import { BookingId, CreatedAt, Id, PropertyId, PropertyName, UnitLabel } from '../../../http/members.ts'
import { oneOf, Uuid } from '../../../http/schema.ts'
import { DAYS, MOST } from './rules.ts'
import type { AdjustmentRow } from './store.ts'

export const Adjustment = Type.Object(
  {
    id: Id,
    kind: oneOf(ADJUSTMENTS, {
      $id: 'AdjustmentKind',
      description:
        'PAYMENT_REVERSED: a confirmed payment. CASH_WITHDRAWN: cash that waited for its receiver (`confirmCash`), taken back by who recorded it. CREDIT_REFUNDED: credit of a lease. INVOICE_CANCELLED and CHARGES_CANCELLED: an invoice, or a regularisation of charges. INVOICE_WAIVED: a part of an invoice. CHARGES_CREDITED: provisions that a regularisation gave back. RENT_LOWERED: by how much. DEPOSIT_DEDUCTED and DEPOSIT_RETURNED: what left a deposit. LEASE_ENDED: a lease whose end cancelled or credited invoices. LEASE_CORRECTED: a mistake in a lease. FEES_CHANGED: the management fees of a property. TRANSFER_CANCELLED: a transfer to its owner.',
    }),
    subjectId: {
      ...Uuid,
      description:
        'The object: the payment, invoice, regularisation, rent change, deposit entry, transfer, lease or property.',
    },
    amount: Type.Optional(Type.Integer({ minimum: 0, description: 'In XAF.', examples: [85_000] })),
    reason: Type.Optional(
      Type.String({ description: 'The reason, for the record.', examples: ['Montant saisi deux fois'] }),
    ),
    actorUserId: { ...Uuid, description: 'The user who did it.' },
    actorName: Type.Optional(Type.String({ description: 'The name of the user who did it.' })),
    propertyId: PropertyId,
    propertyName: PropertyName,
    bookingId: Type.Optional(BookingId),
    unitLabel: Type.Optional(UnitLabel),
    createdAt: CreatedAt,
  },
  {
    $id: 'Adjustment',
    description: `What lowered a debt, gave money back or changed a fee by hand; of the last ${DAYS} days, ${MOST} at most.`,
  },
)
export type Adjustment = Static<typeof Adjustment>

/** Leaves out what has no value. */
export const toAdjustment = (row: AdjustmentRow): Adjustment =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Adjustment
