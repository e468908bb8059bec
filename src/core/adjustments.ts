/**
 * What lowers a debt, gives money back or changes a fee by hand, with the action of the audit trail that it is recorded as:
 * the landlord sees who did it, and why.
 */
export const ACTION_OF = {
  PAYMENT_REVERSED: 'payment.reverse',
  CASH_WITHDRAWN: 'payment.reject',
  CREDIT_REFUNDED: 'payment.refund',
  INVOICE_CANCELLED: 'invoice.cancel',
  INVOICE_WAIVED: 'invoice.credit',
  CHARGES_CANCELLED: 'regularisation.cancel',
  CHARGES_CREDITED: 'regularisation.issue',
  RENT_LOWERED: 'rent_change.create',
  DEPOSIT_DEDUCTED: 'deposit.deducted',
  DEPOSIT_RETURNED: 'deposit.returned',
  LEASE_ENDED: 'booking.terminate',
  LEASE_CORRECTED: 'booking.correct',
  FEES_CHANGED: 'property.update',
  TRANSFER_CANCELLED: 'owner_transfer.cancel',
} as const
export type Adjustment = keyof typeof ACTION_OF
export const ADJUSTMENTS = Object.keys(ACTION_OF) as Adjustment[]

type About = {
  readonly propertyId: string
  readonly bookingId?: string
  /** In francs. */
  readonly amount?: number
  readonly reason?: string | null
}
/** The details by which the audit trail marks an adjustment. */
export const adjustment = (kind: Adjustment, { propertyId, bookingId, amount, reason }: About) => ({
  adjustment: kind,
  propertyId,
  ...(bookingId === undefined ? {} : { bookingId }),
  ...(amount === undefined ? {} : { amount }),
  ...(reason ? { reason } : {}),
})
