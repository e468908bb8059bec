import type { Json } from './sample.ts'

type Make = (who: string, line: string, body?: Json) => Promise<string>
type As = { readonly ana: string; readonly mia: string }
/** What two properties cost, and what their owners were handed. */
export async function costsOf(make: Make, as: As, his: string, hers: string) {
  const expense = (who: string, propertyId: string): Promise<string> =>
    make(who, 'POST /api/v1/expenses', { propertyId, kind: 'WATER', amount: 12_000, spentOn: '2026-03-05' })
  const transfer = (propertyId: string): Promise<string> =>
    make(as.mia, 'POST /api/v1/owner-transfers', { propertyId, amount: 20_000, method: 'CASH', paidOn: '2026-03-09' })
  return {
    ours: {
      expenses: { OWNERS: await expense(as.ana, his), OURS: await expense(as.mia, his) },
      transfers: { MINE: await transfer(his) },
    },
    hers: { expense: await expense(as.mia, hers), transfer: await transfer(hers) },
  }
}
