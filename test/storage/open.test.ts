// Which files the store opens, which it refuses, and that a refusal changes nothing.
import { expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore, type Store } from '../../db/open.ts'
import { StoreError } from '../../db/store-error.ts'
import { contents, modeOf, temporaryFolder } from '../support/folder.ts'

const PAGE = 4096
const good = await (async () => {
  const file = join(temporaryFolder(), 'loyer.db')
  const store = openStore(file)
  store.client.exec(fill(0))
  await store.close()
  return readFileSync(file)
})()
function fill(from: number): string {
  return `insert into setting with recursive n(i) as (values(${from}) union all select i + 1 from n where i < ${from + 299})
    select 'key ' || i, hex(zeroblob(40)) from n`
}

const refusal = (open: () => Store): StoreError => {
  try {
    open()
  } catch (e) {
    if (e instanceof StoreError) return e
    throw e
  }
  throw new Error('it was opened')
}
/** What a killed process leaves: the files as they are while a connection still has its log. */
function killed(file: string, sql: string, from: Buffer = good): void {
  const live = join(temporaryFolder(), 'live.db')
  writeFileSync(live, from)
  const client = new Database(live)
  client.pragma('journal_mode = WAL')
  client.pragma('wal_autocheckpoint = 0')
  client.exec(sql)
  for (const end of ['', '-wal']) copyFileSync(live + end, file + end)
  client.close()
}
const flipped = (page: number, from = 0): Buffer => {
  const bytes = Buffer.from(good)
  for (let i = (page - 1) * PAGE + from; i < page * PAGE; i++) bytes[i] = (bytes[i] ?? 0) ^ 0xff
  return bytes
}
const foreign = (() => {
  const client = new Database(':memory:')
  client.exec("create table t(a); insert into t values('precious')")
  return client.serialize()
})()

type Refusal = { name: string; code: number; says: RegExp; make: (file: string) => void }
const damaged = { code: 65, says: /is damaged\. .*Restore a backup/ }
const refusals: Refusal[] = [
  {
    name: 'an empty file is not filled',
    code: 65,
    says: /not a database.*Restore a backup/,
    make: (f) => writeFileSync(f, ''),
  },
  {
    name: 'a header cut short is not completed',
    code: 65,
    says: /not a database/,
    make: (f) => writeFileSync(f, good.subarray(0, 50)),
  },
  {
    name: 'garbage is not overwritten',
    code: 65,
    says: /not a database/,
    make: (f) => writeFileSync(f, Buffer.alloc(70_000, 'garbage')),
  },
  {
    name: 'a database of another program is not migrated',
    code: 65,
    says: /another program/,
    make: (f) => writeFileSync(f, foreign),
  },
  {
    name: 'a database of another program keeps its log',
    code: 65,
    says: /another program/,
    make: (f) => killed(f, 'create table late(a)', foreign),
  },
  {
    name: 'a newer database is not downgraded',
    code: 65,
    says: /newer Loyer \(schema 999.*Start the newer version/,
    make: (f) => {
      const bytes = Buffer.from(good)
      bytes.writeUInt32BE(999, 60)
      writeFileSync(f, bytes)
    },
  },
  {
    name: 'a database that is newer only in its log is not downgraded, nor its log emptied',
    code: 65,
    says: /newer Loyer \(schema 998/,
    make: (f) => killed(f, 'pragma user_version = 998'),
  },
  { name: 'a flipped first page is not served', ...damaged, make: (f) => writeFileSync(f, flipped(1, 100)) },
  { name: 'a flipped schema page is not served', ...damaged, make: (f) => writeFileSync(f, flipped(2)) },
  {
    name: 'a flipped last page is not served',
    ...damaged,
    make: (f) => writeFileSync(f, flipped(good.length / PAGE)),
  },
  {
    name: 'half a database is not served',
    ...damaged,
    make: (f) => writeFileSync(f, good.subarray(0, Math.floor(good.length / PAGE / 2) * PAGE)),
  },
  {
    name: 'a damaged database keeps its log',
    ...damaged,
    make: (f) => {
      killed(f, "insert into setting values('late', 'x')")
      writeFileSync(f, flipped(good.length / PAGE - 1))
    },
  },
  {
    name: 'a log without its database does not become part of a new one',
    code: 65,
    says: /is gone, but .*-wal/,
    make: (f) => {
      killed(f, fill(1000))
      rmSync(f)
    },
  },
  {
    name: 'a lock file that is something else is not taken for a running Loyer',
    code: 78,
    says: /lock file .* cannot be used/,
    make: (f) => {
      writeFileSync(f, good)
      writeFileSync(`${f}.lock`, 'my shopping list'.repeat(100))
    },
  },
  {
    name: 'a link to a disk that is not mounted is not replaced',
    code: 78,
    says: /not there.*mounted/,
    make: (f) => symlinkSync('/nowhere/loyer.db', f),
  },
  { name: 'a folder is no database', code: 78, says: /cannot be used/, make: (f) => mkdirSync(f) },
]

for (const { name, code, says, make } of refusals)
  test(`refused: ${name}`, () => {
    const folder = temporaryFolder()
    const file = join(folder, 'loyer.db')
    make(file)
    const before = contents(folder, ['.lock'])
    const { exitCode, message } = refusal(() => openStore(file))
    expect({ exitCode, message }).toEqual({ exitCode: code, message: expect.stringMatching(says) })
    expect(contents(folder, ['.lock'])).toEqual(before)
    // The refused start holds nothing: what comes next is refused for the same reason, not for a lock.
    expect(refusal(() => openStore(file)).exitCode).toBe(code)
  })

test('refused: a data folder that is a file stays that file', () => {
  const path = join(temporaryFolder(), 'data')
  writeFileSync(path, 'mine')
  expect(refusal(() => openStore(join(path, 'loyer.db'))).exitCode).toBe(78)
  expect(readFileSync(path, 'utf8')).toBe('mine')
})

test('what a killed process left is opened, with its last commits', async () => {
  const file = join(temporaryFolder(), 'loyer.db')
  killed(file, "insert into setting values('late', 'here')")
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
})

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
  const pragma = (name: string) => store.client.pragma(name, { simple: true })
  expect({
    journal: pragma('journal_mode'),
    synchronous: pragma('synchronous'),
    keys: pragma('foreign_keys'),
    trusted: pragma('trusted_schema'),
    busy: pragma('busy_timeout'),
  }).toEqual({ journal: 'wal', synchronous: 2, keys: 1, trusted: 0, busy: 5000 })
  await store.close()
  expect(Object.keys(contents(folder))).toEqual(['loyer.db', 'loyer.db.lock'])
})

test('what a killed first start left is swept, not served', async () => {
  const file = join(temporaryFolder(), 'loyer.db')
  writeFileSync(`${file}.new`, 'half a database')
  writeFileSync(`${file}.new-journal`, 'x')
  const store = openStore(file)
  await store.close()
  expect(Object.keys(contents(join(file, '..')))).toEqual(['loyer.db', 'loyer.db.lock'])
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
  expect(Object.keys(contents(folder))).toEqual(['link.db', 'loyer.db', 'loyer.db.lock'])
  await openStore(file).close()
})

test('the epoch is made once and stays', async () => {
  const file = join(temporaryFolder(), 'loyer.db')
  const first = openStore(file)
  await first.close()
  const second = openStore(file)
  expect(second.epoch).toBe(first.epoch)
  expect(second.epoch.length).toBe(8)
  await second.close()
})
