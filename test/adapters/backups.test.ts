// Backups: what was packed comes back to the byte; what is damaged, foreign or crafted is refused by name.
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../../db/open.ts'
import { backup, verify } from '../../src/commands/backup.ts'
import { restore, rollback } from '../../src/commands/restore.ts'
import { type Crafted, commandLine, craft, dataFolder, HEAD, LONG_NAME, write } from '../support/backups.ts'
import { cleaner, contents, modeOf, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())

const PASSPHRASE = 'a long passphrase'
const wordIn = (data: string): unknown => {
  const client = new Database(join(data, 'loyer.db'), { readonly: true })
  const found = client.prepare("select value from setting where key = 'word'").pluck().get()
  client.close()
  return found
}
const says = (work: unknown): Promise<string> =>
  Promise.resolve(work).then(
    () => 'it went well',
    (e: unknown) => (e instanceof Error ? e.message : String(e)),
  )
/** Everything of a data folder that a backup holds. */
const held = (data: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(contents(data)).filter(([name]) => /^(keys|legal|media|documents)\/(?!tmp)/.test(name)),
  )

async function backedUp(word: string, env: Record<string, string> = {}) {
  const data = await dataFolder(word)
  const to = temporaryFolder('backups')
  await backup(commandLine(data, [], { to }, env))
  const [name = ''] = readdirSync(to)
  return { data, to, file: join(to, name), name }
}

describe.each([
  ['plain', {}, /^loyer-\d{4}-\d\d-\d\dT\d{6}Z\.tar\.zst$/],
  ['encrypted', { BACKUP_PASSPHRASE: PASSPHRASE }, /^loyer-\d{4}-\d\d-\d\dT\d{6}Z\.tar\.zst\.age$/],
] as const)('%s', (_name, env, pattern) => {
  test('everything comes back on another machine, and what was there is kept', async () => {
    const { data, to, file, name } = await backedUp('old', env)
    expect(readdirSync(to)).toEqual([name])
    expect(name).toMatch(pattern)
    expect(modeOf(file)).toBe('600')
    const before = held(data)
    expect(Object.keys(before)).toContain(LONG_NAME)

    const other = await dataFolder('another')
    write(other, { 'media/ee/ff/own.jpg': 'only here', 'keys/master.key': 'y'.repeat(43) })
    const said = await restore(commandLine(other, [file], {}, env))
    expect(held(other)).toEqual(before)
    expect(wordIn(other)).toBe('old')
    const [kept = ''] = readdirSync(other).filter((entry) => entry.startsWith('replaced-'))
    expect(said).toContain(kept)
    expect(said).toContain('the master key is replaced')
    // It is as long as the one that was there, which does not stay.
    expect(said).toContain('files: 1 come, 2 go, 3 stay\n')
    expect(readFileSync(join(other, kept, 'media/ee/ff/own.jpg'), 'utf8')).toBe('only here')
    expect(wordIn(join(other, kept))).toBe('another')
    expect(readdirSync(other).filter((entry) => /^restore/.test(entry))).toEqual([])
  })

  test('a dry run and a check say what is in it, and change nothing', async () => {
    const { data, file } = await backedUp('old', env)
    rmSync(join(data, 'documents/cc/dd/paper.pdf'))
    const before = contents(data)
    const dry = await restore(commandLine(data, [file], { 'dry-run': true }, env))
    expect(dry).toContain('files: 1 come, 0 go, 3 stay')
    expect(dry).toContain('organizations 0 -> 0')
    expect(dry).toEndWith('Nothing was changed.')
    expect(await verify(commandLine(data, [file], {}, env))).toContain('a database and 4 files')
    expect(contents(data)).toEqual(before)
  })

  test('a flipped bit or a missing end anywhere is refused, and nothing is touched', async () => {
    const { data, file } = await backedUp('old', env)
    const good = readFileSync(file)
    const before = contents(data)
    const broken = join(temporaryFolder('broken'), 'broken.tar.zst')
    const places = [0, 1, 3, 4, 5, 9, 30, 100, 151, 300, good.length - 1, good.length - 20, good.length - 34]
    for (let at = 1000; at < good.length - 100; at += Math.ceil(good.length / 12)) places.push(at)
    // Each opening of an encrypted one derives its key anew, which is slow on purpose.
    const some = <T>(all: readonly T[]): readonly T[] =>
      all.filter((_, i) => !('BACKUP_PASSPHRASE' in env) || i % 5 === 3)
    for (const at of some(places)) {
      const bytes = Buffer.from(good)
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at)
      writeFileSync(broken, bytes)
      const said = await says(restore(commandLine(data, [broken], {}, env)))
      expect([at, said]).toEqual([
        at,
        expect.stringMatching(/broken\.tar\.zst cannot be used: .*Nothing was changed\.$/s),
      ])
    }
    const lengths = [0, 3, 21, 200, good.length >> 1, good.length - 41, good.length - 40, good.length - 1]
    for (const length of some(lengths)) {
      writeFileSync(broken, good.subarray(0, length))
      const said = await says(restore(commandLine(data, [broken], {}, env)))
      expect([length, said]).toEqual([length, expect.stringContaining('broken.tar.zst cannot be used')])
    }
    expect(contents(data)).toEqual(before)
  })
})

test('an encrypted one needs its passphrase', async () => {
  const { data, file } = await backedUp('old', { BACKUP_PASSPHRASE: PASSPHRASE })
  expect(readFileSync(file).includes('master.key')).toBe(false)
  expect(await says(verify(commandLine(data, [file])))).toContain('BACKUP_PASSPHRASE is not set')
  expect(await says(verify(commandLine(data, [file], {}, { BACKUP_PASSPHRASE: 'another passphrase' })))).toContain(
    'BACKUP_PASSPHRASE does not open it',
  )
})

test('one that is not encrypted is taken beside a passphrase only by who says so', async () => {
  const { data, file } = await backedUp('old', {})
  const before = contents(data)
  const set = { BACKUP_PASSPHRASE: PASSPHRASE }
  for (const command of [verify, restore])
    expect(await says(command(commandLine(data, [file], {}, set)))).toMatch(/not encrypted although .* add --plain\./)
  expect(contents(data)).toEqual(before)
  expect(await verify(commandLine(data, [file], { plain: true }, set))).toContain(', not encrypted\n')
  expect(await restore(commandLine(data, [file], { plain: true }, set))).toContain(`Restored to ${data}`)
})

describe('crafted', () => {
  let data = ''
  let database: Crafted
  beforeAll(async () => {
    const made = await backedUp('crafted')
    data = made.data
    database = { name: 'loyer.db', content: readFileSync(join(data, 'loyer.db')) }
  })
  const photo = (name: string, more: Partial<Crafted> = {}): Crafted => ({ name, content: 'x', ...more })
  const zeros = Buffer.alloc(80 * 2 ** 20)
  const cases: [string, (db: Crafted) => Buffer, RegExp][] = [
    ['a path upwards', (db) => craft([db, photo('../evil')]), /the path \.\.\/evil, which leads out/],
    ['a path upwards inside', (db) => craft([db, photo('media/../../evil')]), /leads out/],
    ['a path upwards for Windows', (db) => craft([db, photo('media\\..\\evil')]), /leads out/],
    ['an absolute path', (db) => craft([db, photo('/etc/cron.d/evil')]), /the absolute path \/etc/],
    ['a drive', (db) => craft([db, photo('C:/evil')]), /the absolute path C:/],
    ['a file of another folder', (db) => craft([db, photo('backups/evil')]), /backups\/evil, which is no part/],
    ['a file beside the database', (db) => craft([db, photo('loyer.db-wal')]), /loyer\.db-wal, which is no part/],
    ['an empty segment', (db) => craft([db, photo('media//x')]), /no part of a backup/],
    ['a symbolic link', (db) => craft([db, photo('media/x', { kind: '2' })]), /a link, media\/x/],
    ['a hard link', (db) => craft([db, photo('media/x', { kind: '1' })]), /a link, media\/x/],
    ['a folder', (db) => craft([db, photo('media/x', { kind: '5' })]), /media\/x, which is no file/],
    ['a device', (db) => craft([db, photo('media/x', { kind: '3' })]), /media\/x, which is no file/],
    ['a bomb', (db) => craft([db, photo('media/x', { content: zeros })]), /as a bomb does/],
    ['more than it says', (db) => craft([db, photo('media/x')], { ...HEAD, bytes: 1000 }), /more than it says/],
    ['a name twice', (db) => craft([db, photo('media/x'), photo('media/X')]), /media\/X twice/],
    [
      'a newer schema',
      (db) => craft([db], { ...HEAD, loyer: '9.1.0', schema: 999 }),
      /Loyer 9\.1\.0 .*schema 999.* or a newer one/,
    ],
    ['a newer format', (db) => craft([db], { ...HEAD, loyer: '9.1.0', format: 2 }), /with Loyer 9\.1\.0/],
    [
      'another manifest',
      (db) => craft([db], HEAD, { files: [{ name: 'loyer.db', size: 1, sha256: '' }] }),
      /its loyer\.db is not the one of its manifest/,
    ],
    [
      'a file that no manifest names',
      (db) => craft([db, photo('media/x')], HEAD, { files: [] }),
      /does not name all its files/,
    ],
    ['no database', () => craft([photo('media/x')]), /does not name all its files/],
    ['text as a database', () => craft([{ name: 'loyer.db', content: 'x'.repeat(5000) }]), /its database is not whole/],
    [
      'a name that clears the screen',
      (db) => craft([db, photo('media/\u001b[2J\nAll is well')]),
      /^[^\p{C}]*media\/\ufffd\[2J\ufffdAll is well, which is no part[^\p{C}]*$/u,
    ],
    [
      'a manifest that names one',
      (db) => craft([db], HEAD, { files: [{ name: '\u001b[2J', size: 1, sha256: '' }] }),
      /^[^\p{C}]*its \ufffd\[2J is not the one[^\p{C}]*$/u,
    ],
    ...['\u001b[2J', 'a\nb', 'x'.repeat(400), 7].flatMap((evil): [string, (db: Crafted) => Buffer, RegExp][] =>
      ['loyer', 'createdAt', 'filesAt'].map((member) => [
        `${member} that is ${JSON.stringify(evil).slice(0, 20)}`,
        (db) => craft([db], { ...HEAD, schema: 999, [member]: evil }),
        /no backup of Loyer/,
      ]),
    ),
    ['a file of text', () => Buffer.from('hello'), /no backup of Loyer/],
  ]
  test.each(cases)('%s', async (_name, make, why) => {
    const file = join(temporaryFolder('crafted'), 'crafted.tar.zst')
    writeFileSync(file, make(database))
    const before = contents(data)
    const said = await says(restore(commandLine(data, [file])))
    expect(said).toMatch(why)
    expect(said).toContain('crafted.tar.zst cannot be used')
    expect(await says(verify(commandLine(data, [file])))).toMatch(why)
    expect(contents(data)).toEqual(before)
    expect(existsSync(join(data, '../evil'))).toBe(false)
  })
  test('the same archive without anything wrong is taken', async () => {
    const file = join(temporaryFolder('crafted'), 'good.tar.zst')
    writeFileSync(file, craft([database, photo('media/x')]))
    expect(await verify(commandLine(data, [file]))).toContain('a database and 1 file,')
  })
})

test('a folder that is served is not restored to, and its backup can be made', async () => {
  const { data, file } = await backedUp('old')
  const store = openStore(join(data, 'loyer.db'))
  try {
    expect(await says(restore(commandLine(data, [file])))).toContain('Another Loyer is already running')
    expect(await says(rollback(commandLine(data)))).toContain('has no copy from before an update')
    const to = temporaryFolder('live')
    await store.write(null, (tx) => {
      tx.$client.exec("insert or replace into setting(key, value) values('word', 'while serving')")
    })
    await backup(commandLine(data, [], { to }))
    const other = await dataFolder('x')
    await restore(commandLine(other, [join(to, readdirSync(to)[0] ?? '')]))
    expect(wordIn(other)).toBe('while serving')
  } finally {
    await store.close()
  }
})

test('after a restore every ETag is another', async () => {
  const { data, file } = await backedUp('old')
  const epochNow = async () => {
    const store = openStore(join(data, 'loyer.db'))
    await store.close()
    return store.epoch
  }
  const first = await epochNow()
  expect(await epochNow()).toBe(first)
  await restore(commandLine(data, [file]))
  expect(await epochNow()).not.toBe(first)
})

test('what the last three restores replaced stays, older is removed and named', async () => {
  const { data, file } = await backedUp('old')
  write(data, { 'replaced-notes.txt': 'mine' })
  const said: string[] = []
  for (let i = 0; i < 6; i++) {
    said.push((await restore(commandLine(data, [file]))) ?? '')
    await Bun.sleep(2)
  }
  const replaced = () => readdirSync(data).filter((name) => /replaced-\d/.test(name))
  expect(replaced().length).toBe(3)
  expect(said[0]).not.toContain('removed')
  expect(said.at(-1)).toMatch(/What the last 3 replaced is kept; removed: .*replaced-/)
  expect(readFileSync(join(data, 'replaced-notes.txt'), 'utf8')).toBe('mine')
  const before = replaced()
  await restore(commandLine(data, [file], { 'dry-run': true }))
  expect(replaced()).toEqual(before)
})

test('by a clock that was never set, what a restore replaces stays all the same', async () => {
  const { data, file } = await backedUp('old')
  for (const month of ['08', '09', '10']) write(data, { [`replaced-2026-${month}-01T000000000Z/loyer.db`]: 'earlier' })
  write(data, { 'media/ee/ff/own.jpg': 'only here' })
  setSystemTime(new Date('1970-01-01T00:03:00Z'))
  try {
    await restore(commandLine(data, [file]))
  } finally {
    setSystemTime()
  }
  expect(readFileSync(join(data, 'replaced-1970-01-01T000300000Z/media/ee/ff/own.jpg'), 'utf8')).toBe('only here')
})
