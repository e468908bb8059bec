// A long report beside many writes: the log of those writes is brought into the file by a thread, never by a commit.
import { afterAll, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../db/open.ts'
import { readSetting, writeSetting } from '../../db/settings.ts'
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
