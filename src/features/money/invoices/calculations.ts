import type { Db } from '../../../../db/open.ts'
import type { Ctx } from '../../../context.ts'
import type { Calculation } from '../../../core/charge-calculation.ts'
import { AppError } from '../../../errors.ts'
import { insertShare, type ShareRow, shareOfInvoice, sharesOfLease } from './store.ts'

type ShareFigures = Pick<ShareRow, 'days' | 'items' | 'amount' | 'provisions'>
/** A share as papers show it. */
export const calculationOf = (
  { days, items, amount, provisions }: ShareFigures,
  from: string,
  to: string,
): Calculation => ({
  from,
  to,
  days,
  items,
  amount,
  provisions: provisions.map(({ number, amount: paid }) => ({ number, amount: paid })),
})

/** The calculation behind an invoice of a regularisation; undefined for any other invoice. */
export function calculated(db: Db, orgId: string, invoiceId: string): Calculation | undefined {
  const source = shareOfInvoice(db).get({ orgId, invoiceId })
  return source && calculationOf(source.share, source.from, source.to)
}

export const keepShare = ({ tx }: Ctx, row: ShareRow): void => insertShare(tx, row)

/**
 * Francs that regularisations in force have set off of a lease's provisions, by the invoice that asks for them now;
 * `replacedBy` names the one that stands in the place of another.
 */
export function setOffsOf(
  db: Db,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  replacedBy: (invoiceId: string) => string | null | undefined,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { share } of sharesOfLease(db, orgId, id))
    for (const { invoiceId, amount } of share.provisions) {
      let standing = invoiceId
      let by = replacedBy(standing)
      while (by) {
        standing = by
        by = replacedBy(standing)
      }
      sums.set(standing, (sums.get(standing) ?? 0) + amount)
    }
  return sums
}

type Provided = {
  readonly id: string
  readonly orgId: string
  readonly bookingId: string
  readonly number: string
  readonly status: string
  readonly lines: readonly { readonly provision?: boolean }[]
}
/**
 * `retained`: francs of them that another invoice goes on asking for.
 * @throws invalid_state where more provisions of an invoice were set off: cancelled, they would be given away
 */
export function checkNotSetOff(
  db: Db,
  { id, orgId, bookingId, number, status, lines }: Provided,
  replacedBy: (invoiceId: string) => string | null | undefined,
  retained = 0,
): void {
  if (!lines.some((line) => line.provision)) return
  if ((setOffsOf(db, { orgId, id: bookingId }, replacedBy).get(id) ?? 0) <= retained) return
  throw new AppError(
    'invalid_state',
    {
      en: `A regularisation has offset provisions of the invoice ${number}. Cancel that regularisation first.`,
      fr: `Les provisions de la facture ${number} ont été déduites d’une régularisation. Annulez d’abord cette régularisation.`,
    },
    { currentStatus: status, allowed: [] },
  )
}
