import type { Db } from '../../../../db/open.ts'
import type { Ctx } from '../../../context.ts'
import type { Calculation } from '../../../core/calculation.ts'
import { insertShare, type ShareRow, shareOfInvoice } from './store.ts'

type Shown = Pick<ShareRow, 'days' | 'items' | 'amount' | 'provisions'>
/** A share as papers show it. */
export const calculationOf = ({ days, items, amount, provisions }: Shown, from: string, to: string): Calculation => ({
  from,
  to,
  days,
  items,
  amount,
  provisions: provisions.map(({ number, amount: paid }) => ({ number, amount: paid })),
})

/** How what an invoice asks for was calculated, where it is of a regularisation. */
export function calculated(db: Db, orgId: string, invoiceId: string): Calculation | undefined {
  const found = shareOfInvoice(db, orgId, invoiceId)
  return found && calculationOf(found.share, found.from, found.to)
}

export const keepShare = ({ tx }: Ctx, row: ShareRow): void => insertShare(tx, row)
