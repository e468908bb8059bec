import type { Static } from '@sinclair/typebox'
import { Body, PositiveAmount, Text } from '../../../http/schema.ts'

export const Waiver = Body(
  {
    amount: { ...PositiveAmount, description: 'The part that is no longer asked for, with its VAT, in XAF.' },
    reason: Text({
      max: 500,
      lines: true,
      description: 'The reason: it is printed on the credit note, and the owner of the property reads it.',
      examples: ['Travaux faits par le locataire'],
    }),
  },
  { $id: 'InvoiceWaiver', examples: [{ amount: 10_000, reason: 'Travaux faits par le locataire' }] },
)
export type Waiver = Static<typeof Waiver>
