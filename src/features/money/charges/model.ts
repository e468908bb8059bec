import { type Static, Type } from '@sinclair/typebox'
import { Body, Currency, DateOnly, Maybe, PositiveAmount, Text } from '../../../http/schema.ts'
import { provision } from '../invoices/model.ts'

export const ChargesInvoice = Body(
  {
    lines: Type.Array(
      Type.Object({ label: Text({ max: 100 }), amount: PositiveAmount, provision }, { additionalProperties: false }),
      { minItems: 1, maxItems: 20, description: 'Net amounts, like a charge on the invoice of a period.' },
    ),
    dueDate: Maybe({
      ...DateOnly,
      description: 'From today to one year ahead; if omitted, the next due day of the lease.',
    }),
    currency: Maybe(Currency),
  },
  {
    $id: 'ChargesInvoiceCreate',
    examples: [{ lines: [{ label: 'Eau (Camwater), mars', amount: 4500 }], dueDate: '2026-04-15' }],
  },
)
export type ChargesInvoice = Static<typeof ChargesInvoice>
