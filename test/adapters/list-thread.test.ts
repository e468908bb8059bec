// The queue of long lists: whose turn it is, and what becomes of a list whose thread ends or that takes too long.
import { expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { Reading } from '../../db/list-reading.ts'
import { createListThread, type ListStep } from '../../src/adapters/lists/thread.ts'
import { AppError } from '../../src/errors.ts'

const NOTHING: Reading = { pages: [], order: 'asc', limit: 0, totals: [] }
/** A thread that answers when the test says so, and what each person heard. */
function stage(longestMs?: number) {
  const given: Exclude<ListStep, { forget: number } | 'finish'>[] = []
  const forgotten: number[] = []
  const threads: EventEmitter[] = []
  const start = () => {
    const thread = Object.assign(new EventEmitter(), {
      terminate: async () => 0,
      unref: () => {},
      ref: () => {},
      postMessage(step: ListStep) {
        if (step === 'finish') thread.emit('message', step)
        else if ('forget' in step) forgotten.push(step.forget)
        else given.push(step)
      },
    })
    threads.push(thread)
    return thread as unknown as Worker
  }
  const lists = createListThread('', start, longestMs)
  const read = (userId: string, limit = 0) =>
    lists.read(userId, { ...NOTHING, limit }).then(
      ({ total }) => total,
      (e: unknown) => (e instanceof AppError ? `${e.code} ${e.details.retryAfter}` : String(e)),
    )
  const limits = new Map<number, number>()
  /** What the step in hand is of. */
  const limitOf = ({ id, begin }: (typeof given)[number]) => {
    if (begin) limits.set(id, begin.limit)
    return limits.get(id) ?? 0
  }
  const answer = () =>
    threads.at(-1)?.emit('message', { found: { rows: [], total: limitOf(given.at(-1) as (typeof given)[number]) } })
  const more = () => threads.at(-1)?.emit('message', { more: true })
  return { lists, read, answer, more, given, forgotten, limitOf, threads }
}

test('one person’s lists wait for each other, not everybody’s; the seventeenth that waits is refused', async () => {
  const { lists, read, answer, given, limitOf } = stage()
  const all = Array.from({ length: 18 }, (_, n) => n + 1)
  const ana = all.map((n) => read('ana', n))
  const ben = read('ben', 99)
  expect(await ana[17]).toBe('too_many_requests 2')
  for (let n = 0; n < 18; n++) answer()
  expect(given.map(limitOf)).toEqual([1, 2, 99, ...all.slice(2, 17)])
  expect(await Promise.all([...ana.slice(0, 17), ben])).toEqual([...all.slice(0, 17), 99])
  await lists.close()
})

test('a list of many statements lets others come between them, and one that is begun goes on', async () => {
  const { lists, read, answer, more, given, limitOf, threads } = stage()
  const [long, short] = [read('max', 1), read('ben', 2)]
  const later = read('max', 3)
  more()
  expect(given.map(limitOf)).toEqual([1, 2])
  answer()
  expect(await short).toBe(2)
  more()
  more()
  // A thread of its own time knows nothing of what another had begun.
  expect(given.slice(2).map(({ begin }) => begin)).toEqual([undefined, undefined, undefined])
  const eve = read('eve', 4)
  more()
  threads[0]?.emit('exit', 1)
  expect(await eve).toContain('ended')
  expect([given.at(-1)?.begin?.limit, threads.length]).toEqual([1, 2])
  answer()
  answer()
  expect([await long, await later]).toEqual([1, 3])
  await lists.close()
})

test('a list that takes too long is given up, whether it is in hand, begun or waits; the next ones are read', async () => {
  const { lists, read, more, given, forgotten, limitOf } = stage(1)
  const begun = read('max', 1)
  const inHand = read('ben', 2)
  more()
  const waits = read('eve', 3)
  expect([await begun, await inHand, await waits]).toEqual(['overloaded 30', 'overloaded 30', 'overloaded 30'])
  // Of the one in hand the thread hears as soon as its statement has ended.
  expect(forgotten).toEqual([1])
  more()
  expect([forgotten, given.map(limitOf)]).toEqual([
    [1, 2],
    [1, 2],
  ])
  await lists.close()
  const patient = stage()
  const next = patient.read('max', 4)
  patient.answer()
  expect(await next).toBe(4)
  await patient.lists.close()
})

test('a thread that ends fails what it had in hand, and another one does the rest', async () => {
  const { lists, read, answer, threads } = stage()
  const [lost, next] = [read('ana', 1), read('ben', 2)]
  threads[0]?.emit('exit', 1)
  expect(await lost).toContain('the thread of lists ended with 1')
  answer()
  expect(await next).toBe(2)
  expect(threads).toHaveLength(2)
  const [held, waits] = [read('ana', 3), read('ben', 4)]
  await lists.close()
  expect([await held, await waits, await read('ana', 5)]).toEqual(Array(3).fill('overloaded 2'))
})

test('a thread that cannot start refuses each waiting list, and the next list tries it anew', async () => {
  let starts = 0
  const lists = createListThread('', () => {
    starts += 1
    throw new AppError('overloaded', undefined, { retryAfter: 5 })
  })
  const read = (userId: string) => lists.read(userId, NOTHING).then(String, (e: AppError) => e.code)
  expect(await Promise.all([read('ana'), read('ben')])).toEqual(['overloaded', 'overloaded'])
  expect(await read('ana')).toBe('overloaded')
  expect(starts).toBe(3)
  await lists.close()
})
