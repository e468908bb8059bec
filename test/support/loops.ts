// One person repeats an action without end, and others must keep their share of the limits.
import { eves } from './neighbours.ts'
import { type Json, letting, type Stage } from './scenario.ts'

/** What others have, beside Ana's lease of Tom: Eve's house next door, and her lease of Tia. */
export const beside = (terms: Json = {}, upTo: 'PENDING' | 'ACTIVE' = 'ACTIVE') => ({
  given: async (s: Stage) => {
    await letting({ dueDay: 28, ...terms }, upTo)(s)
    await eves(s)
    const theirs = { unitId: '{b1}', tenantUserId: '{tia}', startDate: '2026-03-01', dueDay: 28 }
    await s.make('eve', 'POST /bookings', theirs, 'eves')
    await s.make('mia', 'POST /bookings/{eves}/submit')
    await s.make('eve', 'POST /bookings/{eves}/activate')
  },
})
/** Nearly a day of a budget is spent already. */
export function spent(s: Stage, budget: string, key: string, n: number): void {
  const today = Math.floor(s.clock.now() / 86_400_000)
  s.deps.store.client
    .prepare('insert into budget_day values (?, ?, ?, ?) on conflict do update set spent = excluded.spent')
    .run(budget, key, today, n)
}

/** Leases that each have a tenant of their own, by number. */
export async function leases(s: Stage, who: 'ana' | 'eve', property: string, n: number): Promise<void> {
  const labels = Array.from({ length: n }, (_, i) => `${who}${i}`)
  const { body } = await s.ask(who, `POST /properties/{${property}}/units`, { labels, rentAmount: 1_000 })
  for (const [i, unit] of (body as unknown as { id: string }[]).entries()) {
    const tenantPhoneNumber = `+23767${who === 'ana' ? 1 : 2}${1000 + i}00`
    const terms = { unitId: unit.id, tenantPhoneNumber, startDate: '2026-03-01', endDate: '2026-12-31', dueDay: 28 }
    await s.make(who, 'POST /bookings', terms, `${who}${i}`)
    await s.make(who, `POST /bookings/{${who}${i}}/submit`, { blanks: true })
    await s.make(who, `POST /bookings/{${who}${i}}/activate`)
  }
}
