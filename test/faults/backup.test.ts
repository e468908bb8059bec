// Power cuts and full disks in backup, restore and rollback: afterwards the old state or the new.
import { afterAll, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { copyDatabase } from '../../db/copy.ts'
import { migrations } from '../../db/migrations.ts'
import { openStore } from '../../db/open.ts'
import { planReplacing, stagingOf } from '../../src/adapters/backups/replace.ts'
import { readState } from '../../src/adapters/backups/run.ts'
import { createBackups } from '../../src/adapters/backups/thread.ts'
import { backup, verify } from '../../src/commands/backup.ts'
import { restore } from '../../src/commands/restore.ts'
import { finishCutOff } from '../../src/commands/swap.ts'
import { commandLine, dataFolder, write } from '../support/backups.ts'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { launch } from '../support/server.ts'
import { canMount, smallDisk } from './disk.ts'
import { finish } from './start-faults.ts'

afterAll(cleaner())

const MEDIA = 'media/ee/ff'
/** A data folder whose database and photos all say the same word. */
async function worded(word: string, rows = 0): Promise<string> {
  const data = await dataFolder(word)
  const client = new Database(join(data, 'loyer.db'))
  const put = client.prepare("insert into setting(key, value) values('row ' || ?, ?)")
  client.transaction(() => {
    for (let i = 0; i < rows; i++) put.run(i, `${word} ${'x'.repeat(2000)}`)
  })()
  client.close()
  write(data, Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${MEDIA}/${i}.jpg`, word])))
  return data
}
/** The words of a folder: one if it is all old or all new. */
function wordsIn(data: string): string[] {
  const client = new Database(join(data, 'loyer.db'), { readonly: true })
  const word = String(client.prepare("select value from setting where key = 'word'").pluck().get())
  expect(client.pragma('quick_check', { simple: true })).toBe('ok')
  client.close()
  const photos = Object.values(contents(join(data, MEDIA)))
  expect(photos.length).toBe(40)
  return [word, ...new Set(photos)]
}

test('killed in a restore: all old or all new, and the next command finishes it', async () => {
  const [old, fresh] = [await worded('old'), await worded('new', 3000)]
  const to = temporaryFolder('to')
  await backup(commandLine(fresh, [], { to }))
  const file = join(to, readdirSync(to)[0] ?? '')
  const [oldWords, newWords] = [wordsIn(old), wordsIn(fresh)]
  const seen: string[] = []
  for (let after = 20; !seen.includes('new') && after < 20_000; after = Math.ceil(after * 1.5)) {
    const running = launch({ data: old, command: 'restore', args: [file] })
    await Bun.sleep(after)
    await running.end('SIGKILL')
    const { code, says } = await finish({ data: old, command: 'migrate' })
    expect({ after, code, says }).toMatchObject({ code: 0, says: expect.stringContaining('is up to date') })
    const words = wordsIn(old)
    expect([oldWords, newWords]).toContainEqual(words)
    seen.push(words[0] ?? '')
    expect(existsSync(join(old, 'restore.json'))).toBe(false)
  }
  // Otherwise the kills came too early or too late, and nothing was shown.
  expect([seen[0], seen.at(-1)]).toEqual(['old', 'new'])
}, 120_000)

test('killed between any two moves of a restore: the next command puts all of the new in place', async () => {
  const fresh = await worded('new')
  for (let done = 0; ; done++) {
    const data = await worded('old')
    const old = contents(data)
    const target = { dataDir: data, databaseFile: join(data, 'loyer.db') }
    const staging = stagingOf(data)
    write(staging, { 'keys/master.key': 'z'.repeat(43), ...photos })
    copyDatabase(join(fresh, 'loyer.db'), join(staging, 'loyer.db'))
    const staged = { folders: ['keys', 'media', 'documents'], database: join(staging, 'loyer.db'), atMs: Date.now() }
    const { moves, keptIn } = planReplacing(target, staged)
    for (const { from, to } of moves.slice(0, done)) {
      mkdirSync(join(to, '..'), { recursive: true })
      renameSync(from, to)
    }
    finishCutOff(target)
    expect([done, wordsIn(data)]).toEqual([done, wordsIn(fresh)])
    const kept = contents(keptIn)
    for (const [name, hash] of Object.entries(kept)) expect([name, hash]).toEqual([name, old[name] ?? ''])
    expect(Object.keys(kept)).toContain(`${MEDIA}/0.jpg`)
    expect(existsSync(join(data, 'documents'))).toBe(false)
    expect(readdirSync(data).filter((name) => name.startsWith('restore'))).toEqual([])
    if (done === moves.length) return
  }
}, 60_000)
const photos = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${MEDIA}/${i}.jpg`, 'new']))

test('killed in a backup: nothing has its name, the folder is served, and the next one removes what was left', async () => {
  const data = await worded('old', 3000)
  const before = wordsIn(data)
  let left = 0
  for (const after of [300, 500, 800]) {
    const running = launch({ data, command: 'backup', env: { BACKUP_TO: join(data, 'backups') } })
    for (const end = Date.now() + 10_000; Date.now() < end && !running.ended(); await Bun.sleep(2))
      if (existsSync(join(data, 'backups')) && readdirSync(join(data, 'backups')).some((n) => n.startsWith('.work')))
        break
    await Bun.sleep(after / 20)
    await running.end('SIGKILL')
    const names = readdirSync(join(data, 'backups'))
    left += names.filter((name) => name.startsWith('.')).length
    for (const name of names.filter((n) => n.startsWith('loyer-')))
      expect(await verify(commandLine(data, [join(data, 'backups', name)]))).toContain('is whole')
  }
  // Otherwise the kills came too late, and nothing was shown.
  expect(left).toBeGreaterThan(0)
  expect(wordsIn(data)).toEqual(before)
  await backup(commandLine(data))
  expect(readdirSync(join(data, 'backups')).filter((name) => name.startsWith('.'))).toEqual([])
}, 60_000)

test('a rollback puts the copy from before the update back, and keeps the newer database', async () => {
  const data = await worded('old')
  const file = join(data, 'loyer.db')
  const copy = join(data, 'backups', `before-schema-${migrations.length}.db`)
  mkdirSync(join(data, 'backups'))
  copyDatabase(file, copy)
  const client = new Database(copy)
  client.pragma(`user_version = ${migrations.length - 1}`)
  client.exec("update setting set value = 'before the update' where key = 'word'")
  client.close()
  const dry = await finish({ data, command: 'rollback', args: ['--dry-run'] })
  expect(dry.says).toContain(`schema ${migrations.length} -> ${migrations.length - 1}`)
  expect(wordsIn(data)[0]).toBe('old')
  const running = openStore(file)
  expect((await finish({ data, command: 'rollback' })).says).toContain('Another Loyer is already running')
  await running.close()
  const { code, says } = await finish({ data, command: 'rollback' })
  expect({ code, says }).toMatchObject({ code: 0, says: expect.stringContaining('The database is back') })
  expect(wordsIn(data)[0]).toBe('before the update')
  const [kept = ''] = readdirSync(data).filter((name) => name.startsWith('replaced-'))
  const newer = new Database(join(data, kept, 'loyer.db'), { readonly: true })
  expect(newer.prepare("select value from setting where key = 'word'").pluck().get()).toBe('old')
  newer.close()
  expect(existsSync(copy)).toBe(true)
}, 60_000)

test.skipIf(!canMount())(
  'a full disk in backup and restore: said, nothing left behind, nothing changed',
  async () => {
    const disk = smallDisk(temporaryFolder('brim'), '64m')
    if (!disk) throw new Error('no disk')
    try {
      const data = join(disk.data, 'data')
      const made = await worded('new')
      const client = new Database(join(made, 'loyer.db'))
      // Bytes that do not shrink: the estimate of the room needed is too small for them.
      client.exec('create table noise(b blob) strict; insert into noise values (randomblob(12000000))')
      client.close()
      const to = temporaryFolder('to')
      await backup(commandLine(made, [], { to }))
      const file = join(to, readdirSync(to)[0] ?? '')
      await restore(commandLine(data, [file]))
      const before = contents(data, ['state.json'])
      const ballast = join(disk.data, 'ballast')
      const leave = (megabytes: number) => {
        rmSync(ballast, { force: true })
        const { bavail, bsize } = statfsSync(disk.data)
        writeFileSync(ballast, Buffer.alloc(Math.floor(bavail * bsize - megabytes * 2 ** 20)))
      }
      // What the check before asks for: the copy, half of it again, and a twentieth of the disk.
      const enough = (statSync(join(data, 'loyer.db')).size * 1.5) / 2 ** 20 + 3.4
      const cases = [
        ['backup', enough, () => backup(commandLine(data)), /no space|ENOSPC/],
        ['backup', 4, () => backup(commandLine(data)), /too little room .* for a backup/],
        ['restore', 4, () => restore(commandLine(data, [file])), /too little room in/],
        ['restore', 0, () => restore(commandLine(data, [file])), /no space|ENOSPC|too little room|full/],
      ] as const
      for (const [name, free, work, why] of cases) {
        leave(free)
        const said = await Promise.resolve(work()).catch((e: Error) => e.message)
        expect([name, free, said]).toEqual([name, free, expect.stringMatching(why)])
        expect(contents(data, ['state.json'])).toEqual(before)
      }
    } finally {
      disk.remove()
    }
  },
  60_000,
)

test('a service that ends in the middle of a backup leaves none of it, and what was there before stays', async () => {
  const data = await dataFolder('one')
  const to = temporaryFolder('to')
  write(to, { 'of-another.loyer': 'x' })
  const own = join(data, 'backups')
  // A process that lives works on this one.
  const others = join(own, '.work-1-of-another')
  mkdirSync(others, { recursive: true })
  const client = new Database(join(data, 'loyer.db'))
  client.exec(`with recursive i (n) as (select 1 union all select n + 1 from i where n < 60)
    insert into setting (key, value) select 'large ' || n, hex(randomblob(500000)) from i`)
  client.close()
  const backups = createBackups({ dataDir: data, databaseFile: join(data, 'loyer.db'), to, version: '1' })
  let ended = false
  const outcome = backups.run().then(
    () => {
      ended = true
    },
    (e: unknown) => String(e),
  )
  const working = () => readdirSync(own).filter((name) => name.startsWith(`.work-${process.pid}-`))
  while (working().length === 0 && !ended) await Bun.sleep(1)
  await backups.close()
  expect([ended, working(), existsSync(others), readdirSync(to)]).toEqual([false, [], true, ['of-another.loyer']])
  // It gave up by itself, and did not fail: the page of backups says nothing of it.
  expect(await outcome).toBe('Error: the service stops')
  expect(backups.state()).toEqual({ backups: [] })
})

test('a folder that the service may not write to: named, with what to do, in the command and in the console', async () => {
  const data = await worded('old')
  const closed = temporaryFolder('closed')
  chmodSync(closed, 0o500)
  const to = join(closed, 'copies')
  // Root too is bound by what the modes say.
  const shell = process.getuid?.() === 0 ? 'exec setpriv --bounding-set=-dac_override,-dac_read_search "$@"' : undefined
  const { code, says } = await finish({ data, command: 'backup', args: ['--to', to], shell })
  expect([code, says]).toEqual([
    73,
    expect.stringMatching(
      /^No backup was made: the service may not write to \S+\/copies \(EACCES.*\)\. Connect its disk if that is missing, .*`sudo loyer install` again\.$/,
    ),
  ])
  expect(readState(data).failed?.reason).toBe(says)
  // Nor a backup in a folder that it cannot look into, such as root's own.
  chmodSync(closed, 0)
  for (const command of ['verify', 'restore'] as const) {
    const read = await finish({ data, command, args: [join(closed, 'loyer.tar.zst')], shell })
    expect([command, read.code, read.says]).toEqual([
      command,
      77,
      expect.stringMatching(
        /^Not done: EACCES: .*\/loyer\.tar\.zst'\. This user may not do that there: choose another/,
      ),
    ])
  }
  chmodSync(closed, 0o500)
  expect(readdirSync(closed)).toEqual([])
  expect(readdirSync(join(data, 'backups'))).toEqual(['state.json'])
})
