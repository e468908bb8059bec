// Long reports beside many writes: the log of those writes is brought into the file by a thread, never by a commit, and
// does not grow for as long as there is always somebody who reads.
import { afterAll, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../db/open.ts'
import { readSetting, writeSetting } from '../../db/settings.ts'
import { createHold } from '../../db/wal/wal.ts'
import { copyLongLogs } from '../../src/adapters/checkpoints/checkpoints.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())

/** A store, and a report that somebody reads while so many commits are made of some 20 pages each. */
async function readBeside(times: number) {
  const file = join(temporaryFolder('log'), 'loyer.db')
  const store = openStore(file)
  copyLongLogs(store)
  const write = (value: string) => store.write(null, (tx) => writeSetting(tx, 'word', value))
  const log = () => (store.client.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[])[0]
  const left = (): number => (log()?.log ?? 0) - (log()?.checkpointed ?? 0)
  await store.snapshot(async (db) => {
    readSetting(db, 'word')
    for (let i = 0; i < times; i++) await write(String(i % 10).repeat(80_000))
  })
  const copying = (): unknown => store.client.pragma('wal_autocheckpoint', { simple: true })
  const commits = () => (copying() === 0 ? 'copy nothing' : 'copy')
  return { store, write, left, commits, bytes: () => statSync(`${file}-wal`).size }
}

test('what was written while a report was read is copied by no commit, and the log gets short', async () => {
  const { store, write, left, commits, bytes } = await readBeside(150)
  expect(left()).toBeGreaterThan(2000)
  expect(commits()).toBe('copy nothing')
  await write('after')
  const until = Date.now() + 4000
  while (commits() === 'copy nothing' && Date.now() < until) await Bun.sleep(5)
  expect([commits(), left()]).toEqual(['copy', 0])
  expect(bytes()).toBeLessThan(100_000)
  expect(readSetting(store.db, 'word')).toBe('after')
  // Later commits bring the log into the file as ever.
  for (let i = 0; i < 60; i++) await write(String(i % 10).repeat(80_000))
  expect(left()).toBeLessThan(1000)
  await store.close()
})

test('a short log is left to the next commit', async () => {
  const { store, left, commits } = await readBeside(20)
  expect(left()).toBeGreaterThan(100)
  expect(commits()).toBe('copy')
  await store.close()
})

test('reports that begin before the last one has ended wait for it when the log is long, and it begins anew', async () => {
  const file = join(temporaryFolder('log'), 'loyer.db')
  const store = openStore(file)
  copyLongLogs(store)
  const read = (db: typeof store.db) => readSetting(db, 'word')
  let written = 0
  let reading = 0
  let longest = 0
  const seen: { readonly same: boolean; readonly late: boolean }[] = []
  const report = (until: number): Promise<void> =>
    store.snapshot(async (db) => {
      reading += 1
      const first = read(db)
      const late = first !== read(store.db)
      while (written < until) await Bun.sleep(1)
      seen.push({ same: read(db) === first, late })
      reading -= 1
    })
  const reports: Promise<void>[] = []
  let alone = 0
  // 140 MB, and a report from each tenth commit to the fifteenth after it.
  for (; written < 350; written++) {
    await store.write(null, (tx) => writeSetting(tx, 'word', `${written} `.repeat(400_000 / 4)))
    if (written % 10 === 0) reports.push(report(Math.min(written + 15, 350)))
    if (written > 10 && reading === 0) alone += 1
    longest = Math.max(longest, statSync(`${file}-wal`).size)
    await Bun.sleep(1)
  }
  await Promise.all(reports)
  expect(seen.length).toBe(35)
  // Each has seen one moment, and not an old one.
  expect(seen.filter(({ same, late }) => !same || late)).toEqual([])
  expect(longest).toBeLessThan(64 * 2 ** 20)
  // They waited when it was needed, and not otherwise.
  expect(alone).toBeGreaterThan(0)
  expect(alone).toBeLessThan(100)
  await store.close()
})

test('what the log holds up: new long reads from 8,192 pages on, for 5 s of 35', () => {
  let time = 0
  const hold = createHold(() => time)
  const rows: [at: number, log: number, left: number, held: boolean, why: string][] = [
    [0, 8191, 8191, false, 'not long'],
    [0, 8192, 0, false, 'all of it is in the file: who begins now does not read from it'],
    [0, 8192, 1, true, 'long'],
    [4999, 90_000, 90_000, true, 'those under way go on'],
    [5000, 90_000, 90_000, false, 'somebody reads for minutes, and nobody waits for that'],
    [34_999, 90_000, 90_000, false, 'nor soon again'],
    [35_000, 90_000, 90_000, true, 'another try'],
    [36_000, 10, 10, false, 'it has begun anew'],
    [36_001, 9000, 9000, true, 'long again, a time of its own'],
    [41_000, 9000, 9000, true, ''],
    [41_001, 9000, 9000, false, ''],
  ]
  for (const [at, log, left, held, why] of rows) {
    time = at
    expect([at, why, hold({ log, left })]).toEqual([at, why, held])
  }
})
