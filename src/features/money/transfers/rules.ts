export const PART_KINDS = ['INVOICE', 'ADVANCE', 'DEPOSIT'] as const
type PartKind = (typeof PART_KINDS)[number]
/** Parts of one transfer: a landlord looks through as many. */
export const MOST_PARTS = 50

export type Part = {
  readonly bookingId: string
  readonly invoiceId?: string | null
  readonly kind: PartKind
  /** In francs. */
  readonly amount: number
}
/** What a part says it is for: each target stands once in a transfer. */
export const targetOf = ({ bookingId, invoiceId, kind }: Part): string => invoiceId ?? `${bookingId} ${kind}`
