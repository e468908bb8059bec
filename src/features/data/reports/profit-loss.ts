import { EXPENSE_KINDS } from '../../money/expenses/rules.ts'
import { managementFeesOf } from '../../property/properties/service.ts'
import { byProperty, type Report } from './figures.ts'
import type { ProfitRow } from './model.ts'
import { feeOf } from './owner-account.ts'
import { statementOf } from './owner-statement.ts'
import { sum } from './rules.ts'
import { costsBetween, waivedBetween } from './store.ts'

/** What a property brought in and what it cost, line by line; their sum is the profit or the loss. */
export const profitLoss: Report = byProperty<ProfitRow>('profit-loss', async (db, request, property, rest) => {
  const { orgId, from, to } = request
  const { id: propertyId, name: propertyName } = property
  const rows: ProfitRow[] = []
  const add = (line: ProfitRow['line'], resultAmount: number, kind?: ProfitRow['kind']): void => {
    if (resultAmount !== 0) rows.push({ propertyId, propertyName, line, ...(kind && { kind }), resultAmount })
  }
  const leases = await statementOf(db, request, property, rest)
  add(
    'RECEIVED',
    sum(leases, (l) => l.receivedAmount),
  )
  add('REFUNDED', 0 - sum(leases, (l) => l.refundedAmount))
  add(
    'SET_OFF',
    sum(leases, (l) => l.setOffAmount),
  )
  add(
    'DEPOSITS_KEPT',
    sum(leases, (l) => l.depositDeductedAmount),
  )
  add('TENANT_CREDIT', 0 - sum(leases, (l) => l.creditAddedAmount))
  const fees = managementFeesOf(db, orgId, propertyId)
  const fee = await feeOf(db, { ...request, propertyId }, fees, rest)
  add('MANAGEMENT_FEE', 0 - fee.net)
  add('MANAGEMENT_FEE_TVA', 0 - fee.tva)
  const costs = costsBetween(db, { orgId, propertyId, from, to })
  await rest()
  for (const kind of EXPENSE_KINDS) {
    const ofKind = costs.filter((cost) => cost.kind === kind)
    add('COST', 0 - sum(ofKind, ({ amount }) => amount), kind)
  }
  const waived = waivedBetween(db).get({ orgId, propertyId, from, to })?.amount ?? 0
  if (waived > 0) rows.push({ propertyId, propertyName, line: 'WAIVED', waivedAmount: waived, resultAmount: 0 })
  return rows
})
