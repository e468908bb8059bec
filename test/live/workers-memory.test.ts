// What the processes of one service share: limits that count as one, and whose tokens hold no more.
import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createCallers, type Introduced } from '../../src/commands/workers/callers.ts'
import { openMemory } from '../../src/commands/workers/memory.ts'
import { createLimiter } from '../../src/http/limits.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())
/** Shared memory needs Linux and Bun, as the workers do. */
const able = process.platform === 'linux' && typeof Bun !== 'undefined'
const shared = () => {
  const file = join(temporaryFolder('memory'), 'shared.mem')
  return [openMemory(file, true), openMemory(file, false)] as const
}
const person = (subject: string, exp = 1000): Introduced => ({
  caller: { userId: subject, orgId: 'o', roles: ['OWNER'], scope: { kind: 'owner', userId: subject } },
  subject,
  exp,
})

describe.skipIf(!able)('shared memory (not here: Linux and Bun only)', () => {
  test('limits as one process would, whoever asks', () => {
    const views = shared()
    let now = 1_000_000
    const [perSecond, burst] = [20, 60]
    const alone = createLimiter(perSecond, burst, () => now)
    const both = views.map((view) => view.limiter(perSecond, burst, () => now))
    let seed = 7
    const random = (n: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % n
    }
    let refused = 0
    for (let i = 0; i < 20_000; i++) {
      now += random(40)
      const [key, cost] = [`user ${random(3)}`, 1 + random(4)]
      const expected = alone.take(key, cost)
      const found = both[random(2)]?.take(key, cost)
      // The time of a bucket is rounded to a tenth of a millisecond.
      if (found !== expected && Math.abs((found ?? 0) - expected) > 1)
        throw new Error(`${i}: ${found}, not ${expected}`)
      if (expected > 0) refused += 1
    }
    expect(refused).toBeGreaterThan(500)
  })

  test('keeps the keys apart, and stays in its place under a flood of them', () => {
    const [one, other] = shared()
    const now = () => 5_000_000
    const limiter = one.limiter(1, 2, now)
    for (let i = 0; i < 200_000; i++) limiter.take(`flood ${i}`)
    expect(['a', 'b'].map((key) => [0, 1, 2].map(() => other.limiter(1, 2, now).take(key)))).toEqual([
      [0, 0, 1],
      [0, 0, 1],
    ])
  })

  test('lets nobody wait for a time that another clock wrote', () => {
    const [one, other] = shared()
    const ahead = one.limiter(1, 2, () => 900_000_000)
    expect([ahead.take('a'), ahead.take('a'), ahead.take('a')]).toEqual([0, 0, 1])
    expect(other.limiter(1, 2, () => 1_000).take('a')).toBe(0)
  })

  const apart: [ms: number, allowed: number][] = [
    [0, 60],
    [1, 60],
    [10, 60],
    // 20 a second come back: a process that lags sees them a little later.
    [500, 70],
  ]
  test.each(apart)('whose clock lags by %p ms gets no second burst from a bucket that is empty', (lag, allowed) => {
    const [one, other] = shared()
    const [ahead, behind] = [one.limiter(20, 60, () => 1_000_000), other.limiter(20, 60, () => 1_000_000 - lag)]
    let passed = 0
    for (let i = 0; i < 200; i++) if ((i % 2 === 0 ? ahead : behind).take('ana') === 0) passed += 1
    expect(passed).toBeLessThanOrEqual(allowed)
    expect(passed).toBeGreaterThanOrEqual(50)
    expect([ahead.take('ana'), behind.take('ana')]).toEqual([1, 1])
  })

  test('tells whose tokens hold no more: one, many at once, all', async () => {
    const [writer, memory] = shared()
    const callers = createCallers(
      memory,
      () => 0,
      async (token) => person(token),
    )
    const known = () => ['ana', 'bea', 'cid'].filter((name) => callers.known(name))
    const learn = () => Promise.all(['ana', 'bea', 'cid'].map((name) => callers.learn(name)))
    expect(callers.isEmpty()).toBe(true)
    await learn()
    expect(known()).toEqual(['ana', 'bea', 'cid'])
    writer.forget('bea')
    expect(known()).toEqual(['ana', 'cid'])
    await learn()
    for (let i = 0; i < 400; i++) writer.forget(i === 100 ? 'ana' : `x${i}`)
    expect(known()).toEqual(['bea', 'cid'])
    // More than the memory tells apart: everybody is asked about again.
    for (let i = 0; i < 600; i++) writer.forget(`x${i}`)
    expect(known()).toEqual([])
    await learn()
    writer.forget()
    expect(known()).toEqual([])
  })

  test('a caller is not kept who was refused while the writer was asked, or whose token is over', async () => {
    const [writer, memory] = shared()
    let wall = 0
    let meanwhile = (): void => {}
    const callers = createCallers(
      memory,
      () => wall,
      async (token) => {
        meanwhile()
        return token === 'bad' ? undefined : person('ana', 10)
      },
    )
    meanwhile = () => writer.forget('ana')
    await callers.learn('t')
    expect(callers.known('t')).toBeUndefined()
    meanwhile = () => {}
    await callers.learn('bad')
    expect(callers.known('bad')).toBeUndefined()
    await callers.learn('t')
    expect(callers.known('t')?.userId).toBe('ana')
    wall = 10_000
    expect(callers.known('t')).toBeUndefined()
    await callers.learn('x'.repeat(9000))
    expect(callers.known('x'.repeat(9000))).toBeUndefined()
  })

  test('tells the times', () => {
    const [writer, memory] = shared()
    expect(memory.times()).toEqual({ lead: 0, business: 0, resets: 0 })
    writer.setTimes({ lead: 5, business: -86_400_000, resets: 2 })
    expect(memory.times()).toEqual({ lead: 5, business: -86_400_000, resets: 2 })
  })
})
