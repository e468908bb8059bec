// Files that the store refuses, and that a refusal changes nothing.
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../../db/open.ts'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { fill, goodDatabase, killed, refusal } from '../support/stored.ts'

afterAll(cleaner())

const PAGE = 4096
const good = await goodDatabase()
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
    make: (f) => killed(f, foreign, 'create table late(a)'),
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
    make: (f) => killed(f, good, 'pragma user_version = 998'),
  },
  {
    name: 'a newer database says which Loyer it needs',
    code: 65,
    says: /needs Loyer 9\.1\.0 or a newer one \(schema 998; this is Loyer \d+\.\d+\.\d+, which knows \d+\) and is unchanged\. Start that one/,
    make: (f) =>
      killed(f, good, "pragma user_version = 998; update setting set value = '9.1.0' where key = 'migrated_by'"),
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
      killed(f, good, "insert into setting values('late', 'x')")
      // Not a page that the log holds anew: that one would be whole.
      writeFileSync(f, flipped(2))
    },
  },
  {
    name: 'a log without its database does not become part of a new one',
    code: 65,
    says: /is gone, but .*-wal/,
    make: (f) => {
      killed(f, good, fill(1000))
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
