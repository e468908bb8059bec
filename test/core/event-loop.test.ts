// Long work goes on piece by piece: however many do, between two pieces the event loop looks after everything else.
import { expect, test } from 'bun:test'
import { turn } from '../../src/core/event-loop.ts'

test('of eight who work at once, one has its turn in each round of the event loop, one after the other', async () => {
  let round = 0
  let working = true
  const count = (): void => {
    round += 1
    if (working) setImmediate(count)
  }
  setImmediate(count)
  const turns: [who: number, round: number][] = []
  const work = async (who: number) => {
    for (let i = 0; i < 3; i++) {
      await turn()
      turns.push([who, round])
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, who) => work(who)))
  working = false
  expect(turns.map(([who]) => who)).toEqual([0, 1, 2].flatMap(() => [0, 1, 2, 3, 4, 5, 6, 7]))
  expect(new Set(turns.map(([, at]) => at)).size).toBe(turns.length)
})
