import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import { addDays, minDate } from '../../../core/dates.ts'
import { findProperty } from '../../property/properties/store.ts'
import { type Asked, byProperty, type Property, type Report } from '../figures/service.ts'
import { ownerAmountOf } from '../owner-statements/service.ts'
import { moneyOf, paymentPieces } from '../owner-statements/store.ts'
import type { AccountRow } from '../reports/model.ts'
import { type Fee, feeOn, monthlyFees, NOTHING, plus } from './rules.ts'
import { handedBetween, spentBetween } from './store.ts'

/** The fee on what was collected from `from` to `to`, payment by payment, and by the month, with its TVA. */
async function feeOf(db: Db, asked: Asked & { readonly propertyId: string }, fees: readonly Fee[], rest: Rest) {
  const { orgId, propertyId, from, to, today } = asked
  let sum = NOTHING
  if (fees.some(({ basisPoints }) => basisPoints))
    for (const piece of paymentPieces(db, { orgId, propertyId, from, to })) {
      for (const payment of moneyOf(db, piece)) sum = plus(sum, feeOn(fees, payment))
      await rest()
    }
  return plus(sum, monthlyFees(fees, from, minDate(to, today)))
}

/**
 * The account of a property's management with its owner from `from` to `to`: what was carried over since the first fee,
 * and each move, as lines whose sum is what the owner still has to get.
 */
async function accountOf(db: Db, asked: Asked, { id: propertyId, name }: Property, rest: Rest): Promise<AccountRow[]> {
  const { orgId, from, to } = asked
  const fees = findProperty(db, orgId, propertyId)?.managementFees ?? []
  const rows: AccountRow[] = []
  const add = (
    happenedOn: string,
    line: AccountRow['line'],
    dueAmount: number,
    more: Partial<AccountRow> = {},
  ): void => {
    if (dueAmount !== 0) rows.push({ propertyId, propertyName: name, happenedOn, line, ...more, dueAmount })
  }
  const moves = async (first: string, last: string) => {
    const range = { ...asked, propertyId, from: first, to: last }
    const fee = await feeOf(db, range, fees, rest)
    const owner = await ownerAmountOf(db, range, { id: propertyId, name }, rest)
    const key = { orgId, propertyId, from: first, to: last }
    const spent = spentBetween(db, key)
    await rest()
    const handed = handedBetween(db, key)
    await rest()
    return { fee, owner, spent, handed }
  }
  const begun = fees[0]?.from
  if (begun !== undefined && begun < from) {
    const { fee, owner, spent, handed } = await moves(begun, addDays(from, -1))
    const less = [...spent, ...handed].reduce((sum, { amount }) => sum + amount, 0)
    add(from, 'CARRIED', owner - fee.net - fee.tva - less)
  }
  const { fee, owner, spent, handed } = await moves(from, to)
  add(to, 'COLLECTED', owner)
  add(to, 'MANAGEMENT_FEE', -fee.net)
  add(to, 'MANAGEMENT_FEE_TVA', -fee.tva)
  const byDay = (a: { readonly on: string }, b: { readonly on: string }): number => (a.on < b.on ? -1 : 1)
  for (const { on, kind, supplier, note, amount } of spent.sort(byDay))
    add(on, 'EXPENSE', -amount, { kind, label: supplier ?? note ?? '' })
  for (const { on, method, reference, note, amount } of handed.sort(byDay))
    add(on, 'TRANSFER', -amount, { kind: method, label: reference ?? note ?? '' })
  return rows
}

export const ownerAccount: Report = byProperty('owner-account', accountOf)
