import { Type } from '@sinclair/typebox'
import { DateOnly } from '../../../http/schema.ts'
import { toPayment } from '../payments/model.ts'

export const AdvanceQuote = Type.Object(
  {
    months: Type.Integer({
      description: 'Coming months that it pays; fewer than asked for where the lease ends before.',
    }),
    currency: Type.String(),
    openAmount: Type.Integer({ description: 'What is owed already; it is paid first.' }),
    creditAmount: Type.Integer({ description: 'What the tenant has to their credit; it is used up.' }),
    amount: Type.Integer({ description: 'What to record: openAmount and the coming months, less creditAmount.' }),
    coveredUntil: Type.Optional({ ...DateOnly, description: 'The last day that is then paid.' }),
  },
  { $id: 'AdvanceQuote' },
)

type Paid = {
  readonly payment: Parameters<typeof toPayment>[0]
  readonly invoiceIds: readonly string[]
  readonly creditAmount: number
  readonly coveredUntil: string | undefined
}
export const toAdvance = ({ payment, invoiceIds, coveredUntil, creditAmount }: Paid) => ({
  payment: toPayment(payment),
  invoiceIds: [...invoiceIds],
  creditAmount,
  ...(coveredUntil === undefined ? {} : { coveredUntil }),
})
