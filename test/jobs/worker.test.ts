// Jobs whose work fails, and a store that does: five attempts for the one, patience with the other.
import { expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { recoverWork } from '../../src/jobs/schedule.ts'
import { createWorker, type Handlers } from '../../src/jobs/worker.ts'
import { createTestApp, ORG, type TestApp } from '../support/app.ts'

const add = (t: TestApp, kind: string, n = 1): void => {
  for (let i = 0; i < n; i++)
    t.store.client
      .prepare(
        "insert into job(id, org_id, kind, source, payload, status, run_at, attempts) values(?, ?, ?, ?, '{}', 'READY', ?, 0)",
      )
      .run(`${kind}${i}`, ORG, kind, `${kind}${i}`, i)
}
const jobs = (t: TestApp) => t.rows('select id, status, attempts from job order by id')
const told: string[] = []
function workerOf(t: TestApp, handlers: Handlers) {
  told.length = 0
  const log = {
    ...t.log,
    error: (event: string, cause: unknown) => void told.push(`${event} ${(cause as Error).message}`),
  }
  return createWorker({ ...t.deps, log }, handlers)
}
const aMinute = (t: TestApp): void => {
  t.time.now += 60_000
}

test('work that fails is tried five times, ever later, and then stays to be seen; the others are done', async () => {
  const t = createTestApp()
  add(t, 'bad')
  add(t, 'good', 3)
  let tries = 0
  const worker = workerOf(t, {
    good: async () => {},
    bad: async () => {
      tries += 1
      throw new Error('no')
    },
  })
  await worker.drain()
  expect(jobs(t).map(({ status }) => status)).toEqual(['READY', 'DONE', 'DONE', 'DONE'])
  for (let i = 0; i < 30; i++) {
    aMinute(t)
    await worker.drain()
  }
  expect([tries, jobs(t)[0]]).toEqual([5, { id: 'bad0', status: 'FAILED', attempts: 5 }])
  expect(told.length).toBe(5)
})

test('a store that fails costs no job an attempt, however long: with room again each is done once', async () => {
  const t = createTestApp()
  add(t, 'wide', 2)
  let full = true
  const done: string[] = []
  const worker = workerOf(t, {
    wide: async ({ id }) => {
      if (full) throw new AppError('storage_unavailable')
      done.push(id)
    },
  })
  for (let i = 0; i < 20; i++) {
    await expect(worker.drain()).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect(jobs(t)).toEqual(['wide0', 'wide1'].map((id) => ({ id, status: 'READY', attempts: 0 })))
    aMinute(t)
  }
  full = false
  await worker.drain()
  expect(done).toEqual(['wide0', 'wide1'])
  expect(jobs(t).map(({ status, attempts }) => [status, attempts])).toEqual([
    ['DONE', 1],
    ['DONE', 1],
  ])
  expect(told).toEqual([])
})

test('a job that finds no room does not stand before those that do', async () => {
  const t = createTestApp()
  add(t, 'a', 20)
  add(t, 'z')
  const done: string[] = []
  const worker = workerOf(t, {
    a: () => Promise.reject(new AppError('storage_unavailable')),
    z: async ({ id }) => void done.push(id),
  })
  for (let i = 0; i < 4; i++) await worker.drain().catch(() => {})
  expect(done).toEqual(['z0'])
})

test('a disk that is really full: nothing is lost, nothing runs twice, and it goes on by itself', async () => {
  const t = createTestApp()
  add(t, 'wide', 3)
  const { client } = t.store
  const done: string[] = []
  const big = 'x'.repeat(200_000)
  const worker = workerOf(t, {
    wide: async ({ id }) => {
      await t.write(null, (tx) => tx.$client.prepare('insert into setting(key, value) values(?, ?)').run(id, big))
      done.push(id)
    },
  })
  client.pragma(`max_page_count = ${(client.pragma('page_count', { simple: true }) as number) + 2}`)
  await expect(worker.drain()).rejects.toMatchObject({ code: 'storage_unavailable' })
  client.pragma('max_page_count = 1000000')
  aMinute(t)
  aMinute(t)
  await worker.tidy()
  aMinute(t)
  await worker.drain()
  expect(done.sort()).toEqual(['wide0', 'wide1', 'wide2'])
  expect(jobs(t).map(({ status }) => status)).toEqual(['DONE', 'DONE', 'DONE'])
})

test('while the store fails the worker says so ever more rarely, and rests', async () => {
  const t = createTestApp()
  add(t, 'wide')
  const worker = workerOf(t, { wide: () => Promise.reject(new AppError('storage_unavailable')) })
  for (let i = 0; i < 13; i++) {
    await worker.round()
    aMinute(t)
    await Bun.sleep(100)
  }
  expect(told.length).toBeGreaterThan(0)
  expect(told.length).toBeLessThan(4)
  expect(new Set(told)).toEqual(new Set(['worker.failed storage_unavailable']))
})

test('after a crash every job in hand is due at once; of a process that lives only what is over its time', async () => {
  const t = createTestApp()
  add(t, 'work', 3)
  const claimed = t.time.now + 119_000
  t.store.client.prepare("update job set status = 'RUNNING', attempts = 1, run_at = ?").run(claimed)
  const done: string[] = []
  const worker = workerOf(t, { work: async ({ id }) => void done.push(id) })
  await worker.tidy()
  expect([await worker.drain(), done]).toEqual([0, []])
  await recoverWork(t.deps)
  expect(await worker.drain()).toBe(3)
  expect(done.sort()).toEqual(['work0', 'work1', 'work2'])
  expect(jobs(t).map(({ status, attempts }) => [status, attempts])).toEqual(Array(3).fill(['DONE', 2]))
})
