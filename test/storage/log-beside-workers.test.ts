// The write-ahead log beside processes that read all the time: no commit brings it into the file, and it begins anew
// without getting shorter on the disk.
import { afterAll, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { leaveLog } from '../../db/log.ts'
import { openStore } from '../../db/open.ts'
import { readSetting, writeSetting } from '../../db/settings.ts'
import { createCopier } from '../../src/adapters/checkpoints/checkpoints.ts'
import { createLogKeeper } from '../../src/commands/workers/log.ts'
import { turn } from '../../src/core/turn.ts'
import { createLog } from '../../src/log.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())
const said: string[] = []
const log = createLog((line) => void said.push(line), Date.now)

/** `copying`: in place of the thread; its `copy` does what that does. */
function world(copying?: (copy: () => void) => Promise<void>) {
  const file = join(temporaryFolder('log'), 'loyer.db')
  const writer = openStore(file)
  const other = new Database(file, { readonly: true })
  const copier = createCopier(file)
  const flags = { brief: false, hold: false }
  const set = {
    setBrief(now: boolean) {
      flags.brief = now
    },
    setHold(now: boolean) {
      flags.hold = now
    },
  }
  const copy = () => void writer.client.pragma('wal_checkpoint(PASSIVE)')
  let time = 0
  const keeper = createLogKeeper(writer, set, copying ? { run: () => copying(copy) } : copier, log, () => time)
  const write = (value: string) => writer.write(null, (tx) => writeSetting(tx, 'word', value))
  const pages = () => (writer.client.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[])[0]
  return {
    ...keeper,
    writer,
    other,
    flags,
    write,
    seen: () => readSetting(drizzle(other), 'word'),
    /** Each commit some 20 pages, 1,200 together. */
    async writeMuch(times = 60) {
      for (let i = 0; i < times; i++) await write(String(i % 10).repeat(80_000))
    },
    pass(ms: number) {
      time += ms
    },
    pages,
    /** Whether the whole log is in the file, so that the next commit begins it anew. */
    isDone: () => pages()?.checkpointed === pages()?.log,
    bytes: () => statSync(`${file}-wal`).size,
    async end() {
      other.close()
      await copier.end()
      await writer.close()
      expect(existsSync(`${file}-wal`)).toBe(false)
    },
  }
}

test('a long log is copied by a look at it, never by a commit, and begins anew at its full size', async () => {
  const w = world()
  await w.look()
  const before = w.pages()?.checkpointed
  await w.writeMuch()
  expect(w.pages()?.log).toBeGreaterThan(1000)
  expect(w.pages()?.checkpointed).toBe(before ?? 0)
  const size = w.bytes()
  await w.look()
  expect([w.isDone(), w.flags]).toEqual([true, { brief: false, hold: false }])
  await w.write('after')
  expect(w.pages()?.log).toBeLessThan(50)
  expect(w.bytes()).toBe(size)
  await w.end()
})

test('a commit has its answer before the log is copied, and many commits are one copy', async () => {
  let copies = 0
  const w = world(async (copy) => {
    copies += 1
    copy()
    await Bun.sleep(5)
  })
  await w.look()
  await w.writeMuch()
  for (let i = 0; i < 5; i++) w.committed()
  expect(copies).toBe(0)
  await turn()
  await turn()
  for (let i = 0; i < 5; i++) w.committed()
  await Bun.sleep(50)
  expect([copies, w.isDone()]).toEqual([1, true])
  await w.end()
})

test('who has long read is left alone, and the log waits half a second each time', async () => {
  const w = world()
  await w.look()
  await w.write('before')
  w.other.exec('BEGIN')
  expect(w.seen()).toBe('before')
  await w.writeMuch()
  const began = performance.now()
  const looking = w.look()
  // The writer itself waits for nobody.
  expect(performance.now() - began).toBeLessThan(15)
  await looking
  expect([w.flags.brief, w.seen()]).toEqual([false, 'before'])
  w.other.exec('COMMIT')
  w.pass(499)
  await w.look()
  expect(w.isDone()).toBe(false)
  w.pass(1)
  await w.look()
  expect(w.isDone()).toBe(true)
  await w.write('after')
  expect(w.pages()?.log).toBeLessThan(50)
  await w.end()
})

test('a log that may still grow is copied, and neither readers nor writes are held up for it', async () => {
  const w = world()
  await w.look()
  await w.writeMuch()
  await w.write('before')
  w.other.exec('BEGIN')
  expect(w.seen()).toBe('before')
  await w.write('after')
  const copied = w.pages()?.checkpointed ?? 0
  await w.look()
  expect(w.pages()?.checkpointed).toBeGreaterThan(copied + 1000)
  expect([w.flags.brief, w.isDone()]).toEqual([false, false])
  w.other.exec('COMMIT')
  await w.end()
})

test('a log of 16 MB begins anew with the next commit after the reads under way, and no write waits for them', async () => {
  const w = world()
  await w.look()
  await w.writeMuch(220)
  await w.write('before')
  w.other.exec('BEGIN')
  expect(w.seen()).toBe('before')
  await w.write('after')
  await w.look()
  expect([w.flags.brief, w.isDone(), w.seen()]).toEqual([true, false, 'before'])
  w.other.exec('COMMIT')
  await w.look()
  expect([w.flags.brief, w.isDone(), w.seen()]).toEqual([true, true, 'after'])
  await w.write('anew')
  await w.look()
  expect(w.pages()?.log).toBeLessThan(50)
  expect([w.flags.brief, w.seen()]).toEqual([false, 'anew'])
  await w.end()
})

test.each([
  { megabytes: 4, times: 60, commits: 1, done: false },
  { megabytes: 16, times: 220, commits: 1, done: true },
  { megabytes: 16, times: 220, commits: 15, done: false },
  { megabytes: 32, times: 450, commits: 15, done: true },
])('of $megabytes MB, the writer copies what $commits commits meanwhile left: $done', async (row) => {
  let copies = 0
  const w = world(async (copy) => {
    copies += 1
    w.other.exec('BEGIN')
    w.seen()
    await w.writeMuch(row.commits)
    copy()
    w.other.exec('COMMIT')
  })
  await w.look()
  await w.writeMuch(row.times)
  await w.look()
  expect([copies, w.isDone()]).toEqual([1, row.done])
  await w.end()
})

test('a log of more than 32 MB holds up new long reads, until those under way have ended', async () => {
  const w = world()
  await w.look()
  await w.write('before')
  w.other.exec('BEGIN')
  expect(w.seen()).toBe('before')
  await w.writeMuch(300)
  await w.look()
  expect(w.flags.hold).toBe(false)
  await w.writeMuch(150)
  w.pass(500)
  await w.look()
  expect([w.flags.hold, w.seen()]).toEqual([true, 'before'])
  w.other.exec('COMMIT')
  w.pass(50)
  await w.look()
  expect([w.flags.hold, w.isDone()]).toEqual([false, true])
  await w.end()
})

test('a thread that fails leaves the log as it is, says so, and another goes on', async () => {
  let fails = true
  const w = world(async (copy) => {
    if (fails) throw new Error('no thread')
    copy()
  })
  await w.look()
  await w.writeMuch()
  await w.look()
  expect([said.pop()?.includes('"log.not_shortened"'), w.isDone()]).toEqual([true, false])
  fails = false
  w.pass(500)
  await w.look()
  expect(w.isDone()).toBe(true)
  await w.end()
})

test('after a large import, which sets it back, commits do not copy the log either', async () => {
  const w = world()
  const limit = () => w.writer.client.pragma('wal_autocheckpoint', { simple: true })
  leaveLog(w.writer.client)()
  expect(limit()).toBe(1000)
  await w.look()
  expect(limit()).toBe(0)
  await w.end()
})
