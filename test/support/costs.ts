import type { Json } from './sample.ts'

type Make = (who: string, line: string, body?: Json) => Promise<string>
type As = { readonly ana: string; readonly mia: string }
/** The cleaning of a month long ago, by equal parts. */
export const REGULARISED = {
  periodStart: '2025-01-01',
  periodEnd: '2025-01-31',
  items: [{ label: 'Nettoyage', key: 'EQUAL', costs: [{ label: 'Nettoyage', amount: 30_000 }] }],
}
/** What two properties cost, and what their owners were handed. */
export async function costsOf(make: Make, as: As, his: string, hers: string, unit: string, herUnit: string) {
  const meter = (unitId: string): Promise<string> => make(as.mia, 'POST /api/v1/meters', { unitId, kind: 'WATER' })
  const read = (meterId: string): Promise<string> =>
    make(as.mia, 'POST /api/v1/meter-readings', { meterId, readOn: '2026-03-05', value: 12.5 })
  const [ourMeter, herMeter] = [await meter(unit), await meter(herUnit)]
  // Of a month in which nobody rented: nobody is asked for anything.
  const regularise = (propertyId: string): Promise<string> =>
    make(as.mia, `POST /api/v1/properties/${propertyId}/regularisations`, REGULARISED)
  const expense = (who: string, propertyId: string): Promise<string> =>
    make(who, 'POST /api/v1/expenses', { propertyId, kind: 'WATER', amount: 12_000, spentOn: '2026-03-05' })
  const transfer = (propertyId: string): Promise<string> =>
    make(as.mia, 'POST /api/v1/owner-transfers', { propertyId, amount: 20_000, method: 'CASH', paidOn: '2026-03-09' })
  return {
    ours: {
      expenses: { OWNERS: await expense(as.ana, his), OURS: await expense(as.mia, his) },
      transfers: { MINE: await transfer(his) },
      meters: { OURS: ourMeter },
      readings: { OURS: await read(ourMeter) },
      regularisations: { ISSUED: await regularise(his) },
    },
    hers: {
      expense: await expense(as.mia, hers),
      transfer: await transfer(hers),
      meter: herMeter,
      reading: await read(herMeter),
      regularisation: await regularise(hers),
    },
  }
}
