import { addMonths, firstOfMonth } from './dates.ts'
import { tvaAmount } from './money.ts'
import { type Taxed, tvaChangesOf, tvaOn } from './tva.ts'

/** The management fee of a property from a day on: basis points of the money that comes in, or whole francs a month. */
export type Fee = {
  readonly from: string
  readonly basisPoints?: number
  readonly monthlyAmount?: number
  readonly tvaBasisPoints: number
}
/** As it was agreed: without a rate of TVA of its own, it bears the organization's rate of each day. */
export type ManagementFee = Omit<Fee, 'tvaBasisPoints'> & Partial<Pick<Fee, 'tvaBasisPoints'>>
/** The organization's rate of TVA on a day, and the days on which it changes. */
type Tva = { readonly rateOn: (day: string) => number; readonly changes: readonly string[] }

/** The fees with their TVA: a fee without a rate of its own follows the organization's changes of rate. */
export const withTva = (fees: readonly ManagementFee[], { rateOn, changes }: Tva): Fee[] =>
  fees.flatMap((fee, n) => {
    const { from, tvaBasisPoints } = fee
    if (tvaBasisPoints !== undefined) return [{ ...fee, tvaBasisPoints }]
    const until = fees[n + 1]?.from
    const later = changes.filter((day) => day > from && (until === undefined || day < until))
    return [from, ...later].map((day) => ({ ...fee, from: day, tvaBasisPoints: rateOn(day) }))
  })

/** The fees agreed for a property, with the TVA of its organization. */
export const datedFees = (agreed: readonly ManagementFee[] | null, org: Taxed): Fee[] =>
  withTva(agreed ?? [], { rateOn: (day) => tvaOn(org, day), changes: tvaChangesOf(org).map(({ from }) => from) })

type Sum = { readonly net: number; readonly tva: number }
export const NOTHING: Sum = { net: 0, tva: 0 }
export const plus = (a: Sum, b: Sum): Sum => ({ net: a.net + b.net, tva: a.tva + b.tva })

const inForce = (fees: readonly Fee[], day: string): Fee | undefined => fees.findLast(({ from }) => from <= day)

type Payment = { readonly type: string; readonly method: string; readonly paidOn: string; readonly amount: number }
/** The fee on one payment, half up; a refund gives it back. Payments that brought no new money in bear no fee. */
export function feeOn(fees: readonly Fee[], { type, method, paidOn, amount }: Payment): Sum {
  const fee = inForce(fees, paidOn)
  if (!fee?.basisPoints || method === 'WITHHOLDING' || method === 'DEPOSIT' || method === 'SET_OFF') return NOTHING
  const net = tvaAmount(amount, fee.basisPoints)
  const tva = tvaAmount(net, fee.tvaBasisPoints)
  return type === 'REFUND' ? { net: -net, tva: -tva } : { net, tva }
}

/** The fees by the month: one on each first day of a month from `from` to `to`, where one is in force. */
export function monthlyFees(fees: readonly Fee[], from: string, to: string): Sum {
  const begun = fees.find(({ monthlyAmount }) => monthlyAmount)?.from
  if (begun === undefined || to < begun) return NOTHING
  const near = begun > from ? begun : from
  const first = firstOfMonth(near)
  let sum = NOTHING
  for (let n = first < near ? 1 : 0, day = addMonths(first, n); day <= to; n += 1, day = addMonths(first, n)) {
    const fee = inForce(fees, day)
    const net = fee?.monthlyAmount ?? 0
    sum = plus(sum, { net, tva: tvaAmount(net, fee?.tvaBasisPoints ?? 0) })
  }
  return sum
}
