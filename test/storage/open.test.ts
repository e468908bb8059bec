// Opening a database: what a crash leaves, one process at a time, private files.
import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../../db/open.ts'
import { cleaner, contents, modeOf, temporaryFolder } from '../support/folder.ts'
import { fill, goodDatabase, killed, refusal } from '../support/stored.ts'

afterAll(cleaner())

const good = await goodDatabase()

test('what a killed process left is opened, with its last commits', async () => {
  const file = join(temporaryFolder(), 'loyer.db')
  killed(file, good, "insert into setting values('late', 'here')")
  const store = openStore(file)
  expect(store.client.prepare("select value from setting where key = 'late'").pluck().get()).toBe('here')
  await store.close()
})

test('a log cut at 50 places opens with the commits up to the cut, never with half of one', async () => {
  const live = join(temporaryFolder(), 'live.db')
  writeFileSync(live, good)
  const client = new Database(live)
  client.pragma('wal_autocheckpoint = 0')
  const ends: number[] = []
  for (let i = 0; i < 20; i++) {
    client.exec(fill(1000 * (i + 1)))
    ends.push(Bun.file(`${live}-wal`).size)
  }
  const size = ends.at(-1) ?? 0
  const cuts = Array.from({ length: 50 }, (_, i) => Math.floor((size * i) / 49))
  // Also exactly at a commit, one byte before and after it.
  for (const end of ends.slice(3, 6)) cuts.push(end - 1, end, end + 1)
  const folder = temporaryFolder()
  for (const cut of cuts) {
    const file = join(folder, `cut-${cut}.db`)
    for (const end of ['', '-wal']) copyFileSync(live + end, file + end)
    truncateSync(`${file}-wal`, cut)
    const store = openStore(file)
    const rows = store.client.prepare("select count(*) from setting where key like 'key %'").pluck().get()
    const whole = ends.filter((end) => end <= cut).length
    expect({ cut, rows, check: store.client.pragma('integrity_check', { simple: true }) }).toEqual({
      cut,
      rows: 300 * (whole + 1),
      check: 'ok',
    })
    await store.close()
  }
  client.close()
}, 30_000)

test('a new database is private and complete, and leaves nothing else', async () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  const file = join(folder, 'loyer.db')
  const store = openStore(file)
  expect([folder, file, `${file}-wal`, `${file}-shm`, `${file}.lock`].map(modeOf)).toEqual([
    '700',
    '600',
    '600',
    '600',
    '600',
  ])
  // No journal beside the lock: one left by a killed process would keep two new ones from each other.
  expect(Object.keys(contents(folder))).toEqual([
    'loyer.db',
    'loyer.db-shm',
    'loyer.db-wal',
    'loyer.db.lock',
    'loyer.db.reserve',
  ])
  const pragma = (name: string) => store.client.pragma(name, { simple: true })
  expect({
    journal: pragma('journal_mode'),
    synchronous: pragma('synchronous'),
    keys: pragma('foreign_keys'),
    trusted: pragma('trusted_schema'),
    busy: pragma('busy_timeout'),
  }).toEqual({ journal: 'wal', synchronous: 2, keys: 1, trusted: 0, busy: 0 })
  await store.close()
  expect(Object.keys(contents(folder))).toEqual(['loyer.db', 'loyer.db.lock', 'loyer.db.reserve'])
})

test('what a killed first start left is swept, not served', async () => {
  const file = join(temporaryFolder(), 'loyer.db')
  writeFileSync(`${file}.new`, 'half a database')
  writeFileSync(`${file}.new-journal`, 'x')
  const store = openStore(file)
  await store.close()
  expect(Object.keys(contents(join(file, '..')))).toEqual(['loyer.db', 'loyer.db.lock', 'loyer.db.reserve'])
})

test('a second opening is refused as long as the first lives, also by a link, and leaves no journal', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'loyer.db')
  const { close } = openStore(file)
  symlinkSync(file, join(folder, 'link.db'))
  // The lock must live as long as any part of the store is in use.
  for (let i = 0; i < 5; i++) Bun.gc(true)
  for (const path of [file, join(folder, 'link.db')])
    expect(refusal(() => openStore(path))).toMatchObject({
      exitCode: 75,
      message: expect.stringMatching(/Another Loyer is already running on .* Stop it first/),
    })
  await close()
  expect(Object.keys(contents(folder))).toEqual(['link.db', 'loyer.db', 'loyer.db.lock', 'loyer.db.reserve'])
  await openStore(file).close()
})

test('statistics never change a plan: none are taken, and what somebody took is dropped', async () => {
  const file = join(temporaryFolder(), 'loyer.db')
  const first = openStore(file)
  await first.close()
  const other = new Database(file)
  other.exec("insert into setting values('k', 'x'); analyze")
  other.close()
  for (let i = 0; i < 2; i++) {
    const { client, close } = openStore(file)
    expect(client.prepare("select name from sqlite_master where name like 'sqlite_stat%'").all()).toEqual([])
    await close()
  }
})
