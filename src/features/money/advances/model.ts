import { Type } from '@sinclair/typebox'
import { DateOnly } from '../../../http/schema.ts'
import { toPayment } from '../payments/model.ts'

export const AdvanceQuote = Type.Object(
  {
    months: Type.Integer({
      description: 'The number of coming months that it pays; fewer than requested if the lease ends before.',
    }),
    currency: Type.String(),
    openAmount: Type.Integer({ description: 'The amount already owed; it is paid first.' }),
    creditAmount: Type.Integer({ description: "The tenant's credit; it is used first." }),
    amount: Type.Integer({
      description: 'The amount of the payment to record: openAmount plus the coming months, less creditAmount.',
    }),
    coveredUntil: Type.Optional({ ...DateOnly, description: 'The last day that this payment covers.' }),
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
