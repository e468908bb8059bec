// What a tenant reads of a declaration that the landlord refused.
import { expect, test } from 'bun:test'
import { cash, letting, type Person, stage } from '../../../support/scenario.ts'

test('a refusal is read by who declared, of what is open, until it is declared anew, paid or a month old', async () => {
  const s = await stage({ now: '2026-03-10T08:00:00.000Z', given: letting() })
  await s.t.work()
  s.nameAll()
  type Shown = { refused: { amount: number; note?: string }[]; checking: unknown[]; open: { balanceAmount: number }[] }
  const read = async (who: Person) => (await s.ask(who, 'GET /overview?as=TENANT')).body as unknown as Shown
  const refused = async () => (await read('tom')).refused.map(({ amount, note }) => [amount, note])
  const declare = (amount: number, name: string) =>
    s.make('tom', 'POST /invoices/{i1}/payments', cash(amount, { paidOn: '2026-03-09' }), name)
  await declare(10_000, 'd1')
  expect(await refused()).toEqual([])
  await s.make('ana', 'POST /payments/{d1}/reject', { reason: 'Rien reçu' })
  expect(await refused()).toEqual([[10_000, 'Rien reçu']])
  expect((await read('tom')).checking).toEqual([])
  // declared anew: the older word does not count any more
  await declare(11_000, 'd2')
  expect(await refused()).toEqual([])
  await s.make('ana', 'POST /payments/{d2}/reject', {})
  expect(await refused()).toEqual([[11_000, undefined]])
  // what they took back themselves is no refusal
  await declare(12_000, 'd3')
  await s.make('tom', 'POST /payments/{d3}/withdraw')
  expect(await refused()).toEqual([[11_000, undefined]])
  // nobody else hears of it
  expect(JSON.stringify([await read('tia'), await read('ana')])).not.toMatch(/Rien reçu|11000/)
  // paid since
  const [open] = (await read('tom')).open
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(Number(open?.balanceAmount), { paidOn: '2026-03-09' }))
  expect(await refused()).toEqual([])
  // a month later the next one is forgotten
  s.t.advance(25)
  await s.t.work()
  s.nameAll()
  await s.make('tom', 'POST /invoices/{i2}/payments', cash(13_000, { paidOn: '2026-04-04' }), 'd4')
  await s.make('ana', 'POST /payments/{d4}/reject', {})
  expect(await refused()).toEqual([[13_000, undefined]])
  s.t.advance(31)
  expect(await refused()).toEqual([])
})
