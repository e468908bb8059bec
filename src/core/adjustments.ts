/** What lowers a debt, gives money back or changes a fee by hand: the landlord sees who did it, and why. */
export const ADJUSTMENTS = [
  'PAYMENT_REVERSED',
  'CASH_WITHDRAWN',
  'CREDIT_REFUNDED',
  'INVOICE_CANCELLED',
  'CHARGES_CANCELLED',
  'CHARGES_CREDITED',
  'RENT_LOWERED',
  'DEPOSIT_DEDUCTED',
  'DEPOSIT_RETURNED',
  'LEASE_ENDED',
  'LEASE_CORRECTED',
  'FEES_CHANGED',
  'TRANSFER_CANCELLED',
] as const
export type Adjustment = (typeof ADJUSTMENTS)[number]

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
