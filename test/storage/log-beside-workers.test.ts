// The write-ahead log beside processes that read all the time: no commit brings it into the file, and it begins anew
// without getting shorter on the disk.
import { afterAll, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { leaveLog } from '../../db/log.ts'
import { openStore } from '../../db/open.ts'
import { readSetting, writeSetting } from '../../db/settings.ts'
import { createLogKeeper } from '../../src/commands/workers/log.ts'
import { turn } from '../../src/core/turn.ts'
import { createLog } from '../../src/log.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())
const log = createLog(() => {}, Date.now)

function world() {
  const file = join(temporaryFolder('log'), 'loyer.db')
  const writer = openStore(file)
  const other = new Database(file, { readonly: true })
  let brief = false
  let time = 0
  const setBrief = (now: boolean) => {
    brief = now
  }
  const keeper = createLogKeeper(writer, { setBrief }, log, () => time)
  keeper.look()
  const write = (value: string) => writer.write(null, (tx) => writeSetting(tx, 'word', value))
  return {
    ...keeper,
    writer,
    other,
    write,
    /** Some 1,200 pages, each commit a few. */
    async writeMuch() {
      for (let i = 0; i < 60; i++) await write(String(i % 10).repeat(80_000))
    },
    pass(ms: number) {
      time += ms
    },
    isBrief: () => brief,
    pages: () => (writer.client.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[])[0],
    bytes: () => statSync(`${file}-wal`).size,
    async end() {
      other.close()
      await writer.close()
    },
  }
}

test('a long log is copied by a look at it, never by a commit, and begins anew at its full size', async () => {
  const w = world()
  const before = w.pages()?.checkpointed
  await w.writeMuch()
  expect(w.pages()?.log).toBeGreaterThan(1000)
  expect(w.pages()?.checkpointed).toBe(before ?? 0)
  const size = w.bytes()
  w.look()
  expect(w.pages()?.checkpointed).toBe(w.pages()?.log ?? -1)
  expect(w.isBrief()).toBe(false)
  await w.write('after')
  expect(w.pages()?.log).toBeLessThan(50)
  expect(w.bytes()).toBe(size)
  await w.end()
})

test('a commit has its answer before the log is copied, and many commits of a turn are one look', async () => {
  const w = world()
  let looks = 0
  const { client, health } = w.writer
  const counting = { pragma: (...given: Parameters<typeof client.pragma>) => client.pragma(...given), open: true }
  const setBrief = () => {
    looks += 1
  }
  const { committed } = createLogKeeper({ client: counting as typeof client, health }, { setBrief }, log)
  await w.writeMuch()
  for (let i = 0; i < 5; i++) committed()
  expect(looks).toBe(0)
  await turn()
  await turn()
  expect(w.pages()?.checkpointed).toBe(w.pages()?.log ?? -1)
  expect(looks).toBe(2)
  await w.end()
})

test('somebody who reads keeps what they see; others are to be brief, and the log waits half a second', async () => {
  const w = world()
  await w.write('before')
  w.other.exec('BEGIN')
  const seen = () => readSetting(drizzle(w.other), 'word')
  expect(seen()).toBe('before')
  await w.writeMuch()
  w.look()
  expect(w.isBrief()).toBe(true)
  expect(seen()).toBe('before')
  w.other.exec('COMMIT')
  w.pass(499)
  w.look()
  expect(w.pages()?.checkpointed).toBeLessThan(w.pages()?.log ?? 0)
  w.pass(1)
  w.look()
  expect(w.pages()?.checkpointed).toBe(w.pages()?.log ?? -1)
  expect(w.isBrief()).toBe(false)
  await w.write('after')
  expect(w.pages()?.log).toBeLessThan(50)
  await w.end()
})

test('after a large import, which sets it back, commits do not copy the log either', async () => {
  const w = world()
  const limit = () => w.writer.client.pragma('wal_autocheckpoint', { simple: true })
  leaveLog(w.writer.client)()
  expect(limit()).toBe(1000)
  w.look()
  expect(limit()).toBe(0)
  await w.end()
})
