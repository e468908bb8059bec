// The thread of long writes: one after another, and no person or organization takes all places.
import { expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { type Begin, createAside } from '../../src/adapters/aside/thread.ts'
import { AppError } from '../../src/errors.ts'

type Fake = EventEmitter & Pick<Worker, 'terminate' | 'postMessage'>
/** Threads that end when the test says so. */
function stage() {
  const begun: { readonly id: string; readonly end: () => void }[] = []
  const start = (begin: Begin): Worker => {
    const thread: Fake = Object.assign(new EventEmitter(), { terminate: async () => 0, postMessage: () => {} })
    const id = begin.name
    begun.push({
      id,
      end: () => {
        thread.emit('message', { kind: 'end', result: id })
        thread.emit('exit', 0)
      },
    })
    return thread as unknown as Worker
  }
  const files = { dataDir: '', files: 'disk' } as unknown as Begin['files']
  const threads = createAside({ file: '', files, ahead: () => 0, lend: async () => () => undefined, start })
  /** `org/person/id`: what its change came to, or the code and seconds of a refusal. */
  const change = async (line: string): Promise<unknown> => {
    const [orgId = '', userId = '', id = ''] = line.split('/')
    try {
      return await threads.run(id, {}, { by: { orgId, userId } })
    } catch (e) {
      return e instanceof AppError ? `${e.code} ${e.details.retryAfter} ${e.text?.fr.slice(0, 12) ?? ''}`.trim() : e
    }
  }
  /** Ends one thread after another, as each begins, until the last has answered. */
  const finish = async (all: Promise<unknown>): Promise<string[]> => {
    const order: string[] = []
    const before = begun.length
    let over = false
    void all.then(() => {
      over = true
    })
    for (; !over; await Bun.sleep(0)) {
      const next = begun[before + order.length]
      if (!next) continue
      expect(begun).toHaveLength(before + order.length + 1)
      order.push(next.id)
      next.end()
    }
    return order
  }
  return { change, finish }
}

test('two of a person, four of an organization, eight of all; who waits comes in turn, and places come free', async () => {
  const { change, finish } = stage()
  const lines = ['a/p/1', 'a/p/2', 'a/p/3', 'a/q/4', 'a/q/5', 'a/r/6', 'b/p/7', 'b/p/8', 'c/s/9', 'd/t/10', 'e/u/11']
  const all = Promise.all(lines.map(change))
  expect(await finish(all)).toEqual(['1', '2', '4', '5', '7', '8', '9', '10'])
  expect(await all).toEqual([
    ...['1', '2', 'too_many_requests 5 2 de vos mod', '4', '5'],
    ...['too_many_requests 5 4 modificati', '7', '8', '9', '10', 'overloaded 5'],
  ])
  const later = Promise.all(['a/p/3', 'a/r/6', 'e/u/11'].map(change))
  expect((await finish(later)).length).toBe(3)
  expect(await later).toEqual(['3', '6', '11'])
})

test('memory is watched where a file is read, not where the rows of an organization are changed', async () => {
  const threads: EventEmitter[] = []
  let looked = 0
  const { run } = createAside({
    file: '',
    files: { dataDir: '', files: 'disk' } as unknown as Begin['files'],
    ahead: () => 0,
    lend: async () => () => undefined,
    // Each look finds a GB more.
    rss: () => 2 ** 30 * looked++,
    start: () => {
      const thread = Object.assign(new EventEmitter(), { terminate: async () => 0, postMessage: () => {} })
      threads.push(thread)
      return thread as unknown as Worker
    },
  })
  const changed = run('change', {}, { by: { orgId: 'o', userId: 'u' } })
  // By now a run of an import that began together with the change has been ended for its memory.
  const memory = { most: 2 ** 29, refusal: () => new AppError('validation_failed') }
  await expect(run('import', {}, { memory })).rejects.toMatchObject({ code: 'validation_failed' })
  for (const thread of threads) thread.emit('message', { kind: 'end', result: 'done' })
  expect(await changed).toBe('done')
})

test('a stop waits for the answer of what is written, and asks the others to come again', async () => {
  const threads: (EventEmitter & { ended: boolean })[] = []
  const { run, close } = createAside({
    file: '',
    files: { dataDir: '', files: 'disk' } as unknown as Begin['files'],
    ahead: () => 0,
    lend: async () => () => undefined,
    start: () => {
      const thread = Object.assign(new EventEmitter(), {
        ended: false,
        postMessage: () => {},
        terminate: async () => {
          thread.ended = true
          thread.emit('exit', 1)
          return 1
        },
      })
      threads.push(thread)
      return thread as unknown as Worker
    },
  })
  const of = (id: string) => run(id, {}, { by: { orgId: id, userId: 'u' } })
  const [written, waiting] = [of('a'), of('b').catch((e: unknown) => e)]
  while (threads.length === 0) await Bun.sleep(0)
  threads[0]?.emit('message', { kind: 'turn' })
  await Bun.sleep(0)
  threads[0]?.emit('message', { kind: 'written', orgId: 'a', much: true })
  const closed = close()
  // The row stands: whoever asked is told so, not that something went wrong.
  await Bun.sleep(60)
  expect(threads[0]?.ended).toBe(false)
  threads[0]?.emit('message', { kind: 'end', result: 'done' })
  expect(await written).toBe('done')
  await closed
  expect(await waiting).toMatchObject({ code: 'overloaded', details: { retryAfter: 5 } })
  expect(threads).toHaveLength(1)
})

test('a change that a stop ends before it writes is asked to come again', async () => {
  const thread = Object.assign(new EventEmitter(), {
    postMessage: () => {},
    terminate: async () => Number(thread.emit('exit', 1)),
  })
  const { run, close } = createAside({
    file: '',
    files: { dataDir: '', files: 'disk' } as unknown as Begin['files'],
    ahead: () => 0,
    lend: async () => () => undefined,
    start: () => thread as unknown as Worker,
  })
  const asked = run('p', {}, { by: { orgId: 'o', userId: 'u' } }).catch((e: unknown) => e)
  await Bun.sleep(0)
  await close()
  expect(await asked).toMatchObject({ code: 'overloaded', details: { retryAfter: 5 } })
})
