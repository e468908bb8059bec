import { isAnswered, isDeclaration, isLost, type Unsent, userId } from '../../offline.ts'
import type { Owed } from '../../owed.ts'

type Said = {
  readonly amount: number
  readonly paidOn: string
  readonly invoiceIds: readonly string[]
  readonly sent: boolean
}
const sum = (all: readonly { readonly amount: number }[]): number =>
  all.reduce((total, { amount }) => total + amount, 0)

/** The declared payments that are not confirmed yet, and the amount that they leave to pay. */
export function saidOf({ checking, open, owedAmount }: Owed, unsent: readonly Unsent[]) {
  const user = userId()
  const isOwn = ({ recordedBy }: Owed['checking'][number]): boolean => recordedBy === user
  const own = checking.filter(isOwn)
  const queued = unsent.filter(isDeclaration).filter((item) => !isAnswered(item) && !isLost(item))
  const said: readonly Said[] = [
    ...own.map((one) => ({ ...one, sent: true })),
    ...queued.map(({ body, invoiceId }) => ({ ...body, invoiceIds: [invoiceId], sent: false })),
  ]
  const isCovered = ({ id, balanceAmount }: Owed['open'][number]): boolean =>
    sum(said.filter(({ invoiceIds }) => invoiceIds.includes(id))) >= balanceAmount
  return {
    said,
    /** Those that the server has: they can be taken back. */
    own,
    amount: sum(said),
    unsentAmount: sum(said.filter(({ sent }) => !sent)),
    /** Cash that somebody else recorded and whose receiver has still to confirm it. */
    others: checking.filter((one) => !isOwn(one)),
    left: Math.max(0, owedAmount - sum(said) - sum(checking.filter((one) => !isOwn(one)))),
    isCovered,
    /** What is to be paid next. */
    next: owedAmount > 0 ? open.find((one) => !isCovered(one)) : undefined,
  }
}
