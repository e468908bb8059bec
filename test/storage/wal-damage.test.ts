// A write-ahead log that is damaged before saved changes is told of; SQLite alone would leave them out without a word.
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../../db/open.ts'
import { breakOf } from '../../db/wal/damage.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { fill, goodDatabase, killed, refusal } from '../support/stored.ts'

afterAll(cleaner())
const good = await goodDatabase()
const FRAME = 4096 + 24
const HEADER = 32

/** A killed service's files after the first 300 rows, which the database has, and five saved changes of 300 rows each. */
function left(sql = [1, 2, 3, 4, 5].map((n) => fill(n * 1000)).join(';')) {
  const file = join(temporaryFolder('log'), 'loyer.db')
  killed(file, good, sql)
  const log = `${file}-wal`
  const bytes = readFileSync(log)
  const frames = (bytes.length - HEADER) / FRAME
  const commits = Array.from({ length: frames }, (_, i) => HEADER + i * FRAME).filter((at) =>
    bytes.readUInt32BE(at + 4),
  )
  return { file, log, bytes, commits: commits.map((at) => at + FRAME) }
}
type Left = ReturnType<typeof left>
const flip = (bytes: Buffer, at: number): void => void bytes.writeUInt8((bytes[at] ?? 0) ^ 0x40, at)
async function rows(file: string): Promise<number> {
  const store = openStore(file)
  const n = store.client.prepare("select count(*) from setting where key glob 'key *'").pluck().get()
  await store.close()
  return Number(n)
}

describe('a log that is damaged', () => {
  const at = ({ commits: [, second = 0] }: Left) => second
  const table: [name: string, break_: (found: Left) => void, end: (found: Left) => number, rows: number][] = [
    ['in a page of the third change', (l) => flip(l.bytes, at(l) + 3000), at, 900],
    ['in the sum of a page', (l) => flip(l.bytes, at(l) + 20), at, 900],
    ['in the salt of a page', (l) => flip(l.bytes, at(l) + 9), at, 900],
    ['over a whole change, with zeros', (l) => l.bytes.fill(0, at(l), l.commits[2]), at, 900],
    ['in the first page', (l) => flip(l.bytes, HEADER + 100), () => HEADER, 300],
    ['in its header', (l) => flip(l.bytes, 17), () => 0, 300],
    ['in the page size of its header', (l) => flip(l.bytes, 9), () => 0, 300],
  ]
  test.each(table)('%s: refused unchanged, and told where to cut it', async (_, damage, end, kept) => {
    const found = left()
    damage(found)
    writeFileSync(found.log, found.bytes)
    const { exitCode, message } = refusal(() => openStore(found.file))
    expect(exitCode).toBe(65)
    expect(message).toContain(`truncate -s ${end(found)} '${found.log}'`)
    expect(readFileSync(found.log).equals(found.bytes)).toBe(true)
    expect(existsSync(`${found.file}-shm`)).toBe(false)

    truncateSync(found.log, end(found))
    expect(await rows(found.file)).toBe(kept)
  })
})

describe('what a crash leaves behind is no damage', () => {
  const last = ({ bytes }: Left) => bytes.length
  const table: [name: string, make: () => Left, rows: number][] = [
    ['a whole log', () => left(), 1800],
    ['an empty one', () => Object.assign(left(), { bytes: Buffer.alloc(0) }), 300],
    ['a header alone', () => ((l) => ({ ...l, bytes: l.bytes.subarray(0, HEADER) }))(left()), 300],
    ['a last page cut short', () => ((l) => ({ ...l, bytes: l.bytes.subarray(0, last(l) - 100) }))(left()), 1500],
    [
      'a last change that arrived in another order',
      () => {
        const found = left()
        flip(found.bytes, (found.commits[3] ?? 0) + 99)
        return found
      },
      1500,
    ],
    [
      'pages of a change that was not saved',
      () => left(`${fill(1000)}; pragma cache_size = 2; begin; ${fill(2000)}; ${fill(3000)}`),
      600,
    ],
  ]
  test.each(table)('%s', async (_, make, kept) => {
    const { file, log, bytes } = make()
    writeFileSync(log, bytes)
    expect(breakOf(log)).toBeUndefined()
    expect(await rows(file)).toBe(kept)
  })

  test('pages of an earlier round, and of a change taken back, behind those of this one', () => {
    const file = join(temporaryFolder('log'), 'loyer.db')
    writeFileSync(file, good)
    const client = new Database(file)
    client.pragma('journal_mode = WAL')
    for (let n = 1; n < 6; n++) client.exec(fill(n * 1000))
    client.pragma('wal_checkpoint(RESTART)')
    client.pragma('cache_size = 2')
    client.exec(`begin; ${fill(7000)}; ${fill(8000)}; rollback`)
    client.exec("insert into setting values('one', '1')")
    client.exec("insert into setting values('two', '2')")
    const long = readFileSync(`${file}-wal`).length
    expect(breakOf(`${file}-wal`)).toBeUndefined()
    expect(long).toBeGreaterThan(HEADER + 10 * FRAME)
    client.close()
  })
})
