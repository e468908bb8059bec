// What a person's own archive says of costs and of money handed to them.
import { expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { letting, type Person, stage } from '../../../support/scenario.ts'

test("expenses of one's properties, those one recorded, and what one was handed; nothing of others", async () => {
  const s = await stage({ given: letting() })
  const cost = { propertyId: '{villa}', kind: 'WATER', spentOn: '2026-03-06' }
  await s.make('mia', 'POST /expenses', { ...cost, amount: 7_000 })
  await s.make('ana', 'POST /expenses', { ...cost, amount: 8_000 })
  await s.make('eve', 'POST /properties', { name: 'Tour', addressLine: 'Rue 2', city: 'Douala' }, 'tour')
  await s.make('eve', 'POST /expenses', { ...cost, propertyId: '{tour}', amount: 9_000 })
  const handed = { method: 'CASH', paidOn: '2026-03-08' }
  await s.make('mia', 'POST /owner-transfers', { ...handed, propertyId: '{villa}', amount: 30_000 })
  await s.make('mia', 'POST /owner-transfers', { ...handed, propertyId: '{tour}', amount: 40_000 })
  const amounts = async (who: Person) => {
    const headers = { authorization: `Bearer ${s.wordOf(who)}` }
    const answer = await s.t.app.handle(new Request('http://localhost/api/v1/account/export', { headers }))
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
    return ['expenses', 'expenses-recorded', 'owner-transfers'].map((name) => {
      const file = files[`${name}.json`]
      return file && (JSON.parse(new TextDecoder().decode(file)) as { amount: number }[]).map((row) => row.amount)
    })
  }
  expect(await amounts('ana')).toEqual([[7_000, 8_000], undefined, [30_000]])
  expect(await amounts('eve')).toEqual([[9_000], undefined, [40_000]])
  expect(await amounts('mia')).toEqual([[], [7_000], []])
  expect(await amounts('tom')).toEqual([[], undefined, []])
})
