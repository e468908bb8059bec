// A process that only reads sees what was committed, each turn at one moment, and leaves every write to the writer.
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStore, type Store } from '../../db/open.ts'
import { openReader } from '../../db/reader.ts'
import { readSetting, writeSetting } from '../../db/settings.ts'
import { turn } from '../../src/core/turn.ts'
import { HandedOn } from '../../src/errors.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())
let writer: Store
let reader: ReturnType<typeof openReader>
let commits = 0
let brief = false
let held = false
beforeEach(() => {
  const file = join(temporaryFolder('reader'), 'loyer.db')
  writer = openStore(file)
  commits = 0
  brief = false
  held = false
  writer.watch(() => {
    commits += 1
  })
  reader = openReader(file, writer.epoch, { commits: () => commits, brief: () => brief, hold: () => held })
})
const say = (value: string) => writer.write(null, (tx) => writeSetting(tx, 'word', value))
const heard = () => readSetting(reader.db, 'word')
const ORG = 'o'
let said = 0
/** Makes the organization, or changes it. */
const organize = () =>
  writer.write(ORG, (tx) => {
    said += 1
    tx.$client
      .prepare(
        `insert or ignore into organization(id, tva_registered, time_zone, locale, issue_days_before, require_proof, created_at, updated_at)
         values('o', 0, 'Africa/Douala', 'fr', 5, 0, '', '')`,
      )
      .run()
    writeSetting(tx, 'word', String(said))
  })

/** The writer, in another process, changes the word and says so. */
function elsewhere(value: string): void {
  writer.client.prepare("update setting set value = ? where key = 'word'").run(value)
  commits += 1
}

test('one turn is one moment; the next request sees what was committed before it', async () => {
  await say('a')
  expect(heard()).toBe('a')
  // The reader stays in its turn while the writer goes on.
  elsewhere('b')
  expect(heard()).toBe('a')
  reader.arrive()
  expect(heard()).toBe('b')
  elsewhere('c')
  expect(heard()).toBe('b')
  reader.arrive()
  expect(heard()).toBe('c')
})

/** Whether the log can begin anew: nobody reads from it. */
const canShorten = (): boolean => {
  writer.client.pragma('busy_timeout = 0')
  const [{ busy } = { busy: 1 }] = writer.client.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  return busy === 0
}

test('a moment lasts over turns while nothing is committed, and ends by itself', async () => {
  let lasts = false
  // A machine that stalls for longer than a moment ends it by the clock, so several are tried, each with a log that is
  // not empty: from an empty one nobody reads.
  for (let i = 0; i < 100 && !lasts; i++) {
    await say(String(i))
    reader.arrive()
    heard()
    await turn()
    reader.arrive()
    lasts = !canShorten()
  }
  expect(lasts).toBe(true)
  await Bun.sleep(100)
  expect(canShorten()).toBe(true)
  elsewhere('b')
  expect(heard()).toBe('b')
})

test('where the log is long, a moment ends with its turn', async () => {
  await say('a')
  brief = true
  heard()
  expect(canShorten()).toBe(false)
  await turn()
  await turn()
  expect(canShorten()).toBe(true)
})

test('a version is read anew after each commit, and at the moment of the rows', async () => {
  await organize()
  const first = reader.orgVersion(ORG)
  expect(first).toBe(writer.orgVersion(ORG))
  await organize()
  reader.arrive()
  expect(reader.orgVersion(ORG)).toBe(first + 1)
  expect(reader.orgVersion('nobody')).toBe(0)
  // What a turn saw before a commit is not taken for what came after it.
  await turn()
  heard()
  writer.client.prepare("update organization set version = version + 1 where id = 'o'").run()
  commits += 1
  expect(reader.orgVersion(ORG)).toBe(first + 1)
  reader.arrive()
  expect(reader.orgVersion(ORG)).toBe(first + 2)
})

test('writes go to the writer, whichever way', async () => {
  await say('a')
  await expect(reader.write(null, (tx) => writeSetting(tx, 'word', 'b'))).rejects.toBeInstanceOf(HandedOn)
  await expect(reader.lend()).rejects.toBeInstanceOf(HandedOn)
  expect(() => reader.client.prepare("delete from setting where key = 'word'").run()).toThrow(/readonly/)
  await turn()
  expect(heard()).toBe('a')
})

test('a closed reader leaves no log behind: the writer can end in order', async () => {
  heard()
  await reader.close()
  await reader.close()
  await writer.close()
  expect(await Bun.file(`${writer.file}-wal`).exists()).toBe(false)
})

test('a long read that is held up begins when it may, and sees what was written until then; the end refuses it', async () => {
  await say('a')
  held = true
  const long = () => reader.snapshot(async (db) => readSetting(db, 'word'))
  let answer: string | undefined
  const waiting = long().then((found) => {
    answer = found
  })
  await Bun.sleep(40)
  expect([answer, heard()]).toEqual([undefined, 'a'])
  await say('b')
  held = false
  await waiting
  expect(answer).toBe('b')
  held = true
  const late = long()
  await reader.close()
  expect(late).rejects.toMatchObject({ code: 'overloaded' })
  await writer.close()
})
