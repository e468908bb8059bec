import { Type } from '@sinclair/typebox'
import { DateOnly } from '../../../http/schema.ts'

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
