// A villa whose charges are shared: leases, meters and provisions.
import { type Json, type Stage, stage } from './scenario.ts'

export type Share = Json & {
  unitLabel: string
  amount: number
  balanceAmount: number
  items: Json[]
  provisionAmount: number
}
export const period = { periodStart: '2026-01-01', periodEnd: '2026-03-31' }
export const path = (more = '') => `POST /properties/{villa}/regularisations${more}`

/** Three units of a villa: Tom in A1 all along, Tia in A2 from 15 February, A3 empty; each with a meter of power. */
export async function house(more: Json = {}, tias: Json = {}): Promise<Stage> {
  const s = await stage({
    now: '2026-01-01T08:00:00Z',
    given: async (x) => {
      await x.make('ana', 'POST /properties', { name: 'Villa', addressLine: 'Rue', city: 'Douala' }, 'villa')
      for (const [label, areaSqm] of [
        ['A1', 40],
        ['A2', 25],
        ['A3', 35],
      ] as const) {
        await x.make(
          'ana',
          'POST /properties/{villa}/units',
          { label, rentAmount: 60_000, areaSqm },
          label.toLowerCase(),
        )
        await x.make('ana', 'POST /meters', { unitId: `{${label.toLowerCase()}}`, kind: 'POWER' }, `m${label}`)
      }
    },
  })
  const lease = async (unit: string, who: string, startDate: string, as: string, own: Json) => {
    const terms = { unitId: `{${unit}}`, tenantUserId: `{${who}}`, startDate, rentAmount: 60_000, ...own }
    await s.make('ana', 'POST /bookings', terms, as)
    await s.make('ana', `POST /bookings/{${as}}/submit`, { blanks: true })
    await s.make('ana', `POST /bookings/{${as}}/activate`)
  }
  await lease('a1', 'tom', '2026-01-01', 'toms', more)
  await lease('a2', 'tia', '2026-02-15', 'tias', { ...more, ...tias })
  const read = (meter: string, readOn: string, value: number) =>
    s.make('ana', 'POST /meter-readings', { meterId: `{m${meter}}`, readOn, value }, `${meter}${readOn.slice(5, 7)}`)
  await s.t.work()
  for (const meter of ['A1', 'A2', 'A3']) await read(meter, '2026-01-01', 100)
  s.t.advance(99)
  await s.t.work()
  await read('A1', '2026-04-01', 340.5)
  // Until Tia came, nobody: a reading on that day is exact.
  await read('A2', '2026-02-15', 110)
  await read('A2', '2026-04-01', 170)
  await read('A3', '2026-04-01', 100)
  return s
}
export const power = { label: 'Électricité', key: 'METERS', meterKind: 'POWER' }
export const guard = { label: 'Gardiennage', key: 'EQUAL', costs: [{ label: 'Gardien', amount: 90_001 }] }
export const labelled = (body: Json) =>
  (body.shares as Share[]).map((x) => `${x.unitLabel} ${x.amount} ${x.balanceAmount}`)

/** Provisions of 20 000 a month on the invoices of January to March of Tom's lease. */
export async function provided(s: Stage, amount = 20_000): Promise<Json[]> {
  const invoices = ((await s.ask('ana', 'GET /invoices?bookingId={toms}')).body as unknown as Json[])
    .filter(({ periodStart }) => String(periodStart) < '2026-04')
    .sort((a, b) => (String(a.periodStart) < String(b.periodStart) ? -1 : 1))
  for (const { periodStart } of invoices) {
    const line = { label: `Provision ${periodStart}`, amount, provision: true }
    await s.make('ana', 'POST /bookings/{toms}/invoices', { lines: [line] })
  }
  return invoices
}
