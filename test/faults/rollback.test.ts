// A rollback puts back database and program together: cut off, refused or without room there are the old ones or the new.
import { afterAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { copyDatabase } from '../../db/copy.ts'
import { makeFolder } from '../../db/files.ts'
import { migrations } from '../../db/migrations.ts'
import { planReplacing, stagingOf } from '../../src/adapters/backups/replace.ts'
import { backup } from '../../src/commands/backup.ts'
import { restore, rollBack } from '../../src/commands/restore.ts'
import { finishCutOff, putBack } from '../../src/commands/swap.ts'
import { commandLine, dataFolder } from '../support/backups.ts'
import { sameDate } from '../support/clock/dates.ts'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { minisigner } from '../support/minisign.ts'
import { canMount, run, smallDisk } from './disk.ts'

afterAll(cleaner())

const programOf = (version: string): string => `#!/bin/sh\necho ${version}\n`
const said = (work: () => unknown): Promise<string> =>
  Promise.resolve()
    .then(work)
    .then(String, (e: Error) => e.message)

/** A data folder and a program, both after an update, with what they were before kept beside them. */
async function updated(rows = 0, home = temporaryFolder('updated')) {
  const [made, data, program] = [await dataFolder('after'), join(home, 'data'), join(home, 'loyer')]
  makeFolder(join(data, 'backups'))
  copyDatabase(join(made, 'loyer.db'), join(data, 'loyer.db'))
  const copy = join(data, 'backups', `before-schema-${migrations.length}.db`)
  writeFileSync(program, programOf('0.2.0'), { mode: 0o755 })
  writeFileSync(`${program}.previous`, programOf('0.1.0'), { mode: 0o755 })
  copyDatabase(join(data, 'loyer.db'), copy)
  const client = new Database(copy)
  client.pragma(`user_version = ${migrations.length - 1}`)
  client.exec("update setting set value = 'before' where key = 'word'")
  const put = client.prepare("insert into setting(key, value) values('row ' || ?, ?)")
  client.transaction(() => {
    for (let i = 0; i < rows; i++) put.run(i, 'x'.repeat(2000))
  })()
  client.close()
  return { data, program, target: { dataDir: data, databaseFile: join(data, 'loyer.db') }, copy }
}
/** All that is kept; reading a database leaves an empty log beside it. */
const kept = (data: string) => contents(data, ['state.json', 'loyer.db.lock', 'loyer.db-shm', 'loyer.db-wal'])
function stateOf({ data, program }: { data: string; program: string }): string {
  const client = new Database(join(data, 'loyer.db'))
  const word = client.prepare("select value from setting where key = 'word'").pluck().get()
  const check = client.pragma('quick_check', { simple: true })
  client.close()
  const version = Bun.spawnSync([program, '--version']).stdout.toString().trim()
  return `${word}, ${version}, ${check}, ${existsSync(join(data, 'restore.json')) ? 'planned' : 'settled'}`
}
const [OLD, NEW] = ['before, 0.1.0, ok, settled', 'after, 0.2.0, ok, settled']
const FINISHED = /^The rollback that was cut off is finished/

/** An updated service whose rollback is planned, and not begun. */
async function planned() {
  const given = await updated()
  const database = `${given.target.databaseFile}.restored`
  copyDatabase(given.copy, database)
  const { moves } = planReplacing(given.target, {
    ...{ folders: [], database, atMs: Date.now(), program: given.program },
  })
  return { given, moves }
}

test('killed between any two of its moves: the next command puts back both, and says to start the other program', async () => {
  for (let done = 0; ; done++) {
    const { given, moves } = await planned()
    for (const { from, to } of moves.slice(0, done)) {
      mkdirSync(join(to, '..'), { recursive: true })
      await Bun.$`mv ${from} ${to}`.quiet()
    }
    // After the last: the program too, and only the plan is left.
    if (done > moves.length) putBack(given.program)
    const heard = await said(() => finishCutOff(given.target))
    expect([done, heard]).toEqual([done, done > moves.length ? 'undefined' : expect.stringMatching(FINISHED)])
    expect([done, stateOf(given)]).toEqual([done, OLD])
    expect(readFileSync(`${given.program}.newer`, 'utf8')).toBe(programOf('0.2.0'))
    // There is nothing to finish any more.
    expect(await said(() => finishCutOff(given.target))).toBe('undefined')
    if (done > moves.length) return
  }
}, 60_000)

const ROLLING_BACK = new URL('../support/rolling-back.ts', import.meta.url).pathname
test('killed at any moment: both old or both new after the next command', async () => {
  const seen: string[] = []
  for (let after = 0; !seen.includes(OLD) && after < 20_000; after = Math.ceil(after * 1.4) + 4) {
    const given = await updated(3000)
    const child = spawn(process.execPath, [ROLLING_BACK, given.data, given.program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    await Promise.race([ended, Bun.sleep(after)])
    child.kill('SIGKILL')
    await ended
    expect(await said(() => finishCutOff(given.target))).toMatch(/^undefined$|^The rollback that was cut off is fin/)
    const state = stateOf(given)
    expect([OLD, NEW]).toContain(state)
    seen.push(state)
    // The next try goes well from either.
    if (state === NEW) await rollBack(commandLine(given.data), given.program)
    expect(stateOf(given)).toBe(OLD)
  }
  // Otherwise the kills came too early or too late, and nothing was shown.
  expect([seen[0], seen.at(-1)]).toEqual([NEW, OLD])
}, 240_000)

test('a program that cannot be put back: the database stays too', async () => {
  const given = await updated()
  const before = kept(given.data)
  // Neither a link nor a copy can take the name.
  mkdirSync(join(`${given.program}.newer.new`, 'in the way'), { recursive: true })
  expect(await said(() => rollBack(commandLine(given.data), given.program))).toStartWith('Nothing was replaced')
  expect(kept(given.data)).toEqual(before)
  expect(stateOf(given)).toBe(NEW)
})

const NOBODY = 65534
const STARTING = new URL('../support/starting.ts', import.meta.url).pathname
const isRoot = process.getuid?.() === 0
/** What a user that is not root says and exits with who finishes what was cut off in their folder. */
function asService(data: string) {
  const { stdout, exitCode } = Bun.spawnSync([process.execPath, STARTING, data, String(NOBODY)])
  return { code: exitCode, says: stdout.toString() }
}
/** A command of root's, who takes the folder's name from the environment. */
function asRoot(data: string, ...args: string[]) {
  const { PATH = '' } = process.env
  const run = Bun.spawnSync([process.execPath, new URL('../../src/main.ts', import.meta.url).pathname, ...args], {
    env: {
      PATH,
      ...sameDate(),
      LOYER_DATA: data,
      HOME: join(data, '..'),
      LOYER_CONFIG: '',
      UPDATE_KEY: minisigner().key,
    },
  })
  return { code: run.exitCode, says: run.stdout.toString() + run.stderr.toString() }
}
const give = (path: string) => Bun.spawnSync(['chown', '-R', `${NOBODY}:${NOBODY}`, path])
const programsOf = ({ program }: { program: string }) =>
  ['', '.previous', '.newer'].map((end) => existsSync(program + end) && readFileSync(program + end, 'utf8'))
const strangers = (data: string) =>
  readdirSync(data, { recursive: true })
    .map(String)
    .filter((name) => lstatSync(join(data, name)).uid !== NOBODY)

test.skipIf(!isRoot)(
  'a rollback of root’s cut off between any two moves: the service changes nothing, and says who finishes it',
  async () => {
    for (let done = 0; ; done++) {
      const { given, moves } = await planned()
      for (const { from, to } of moves.slice(0, done)) renameSync(from, to)
      give(given.data)
      chmodSync(join(given.data, '..'), 0o711)
      const [before, programs] = [kept(given.data), programsOf(given)]
      // A second start finds what the first one found: 78 is an exit after which the unit waits for somebody.
      for (const _start of [1, 2]) {
        const { code, says } = asService(given.data)
        expect([done, code, says]).toEqual([
          done,
          78,
          expect.stringContaining(`sudo ${given.program} rollback. Until then everything stays as it is`),
        ])
        expect([kept(given.data), programsOf(given)]).toEqual([before, programs])
      }
      for (const args of [['doctor'], ['rollback', '--dry-run'], ['update', '/bin/true']])
        expect([args, asRoot(given.data, ...args)]).toEqual([
          args,
          { code: 75, says: expect.stringMatching(/was cut off: then start Loyer/) },
        ])
      const finished = asRoot(given.data, 'rollback')
      expect([finished.code, finished.says]).toEqual([75, expect.stringMatching(FINISHED)])
      expect(strangers(given.data)).toEqual([])
      expect([done, stateOf(given)]).toEqual([done, OLD])
      if (done === moves.length) return
    }
  },
  120_000,
)

test.skipIf(!isRoot)(
  'a restore of root’s cut off between any two moves: the service says how it gets the files, then finishes it',
  async () => {
    const fresh = await dataFolder('new')
    for (let done = 0; ; done++) {
      const data = await dataFolder('old')
      chmodSync(join(data, '..'), 0o711)
      const target = { dataDir: data, databaseFile: join(data, 'loyer.db') }
      give(data)
      const staging = stagingOf(data)
      makeFolder(staging)
      copyDatabase(join(fresh, 'loyer.db'), join(staging, 'loyer.db'))
      cpSync(join(fresh, 'media'), join(staging, 'media'), { recursive: true })
      const staged = { folders: ['media'], database: join(staging, 'loyer.db'), atMs: Date.now() }
      const { moves } = planReplacing(target, staged)
      for (const { from, to } of moves.slice(0, done)) renameSync(from, to)
      const before = kept(data)
      for (const _start of [1, 2]) {
        const { code, says } = asService(data)
        expect([done, code, says]).toEqual([
          done,
          78,
          expect.stringMatching(new RegExp(`may not finish it.*sudo chown -R ${NOBODY}:${NOBODY} ${data}$`)),
        ])
        expect([done, kept(data)]).toEqual([done, before])
      }
      give(data)
      expect(asService(data)).toEqual({ code: 0, says: '' })
      expect([done, stateOf({ data, program: '/bin/true' })]).toEqual([
        done,
        expect.stringMatching(/^new,[\s\S]* ok, settled$/),
      ])
      if (done === moves.length) return
    }
  },
  120_000,
)

test.skipIf(!canMount())(
  'a full disk in a rollback: said, nothing left behind, nothing changed',
  async () => {
    const disk = smallDisk(temporaryFolder('brim'), '64m')
    if (!disk) throw new Error('no disk')
    try {
      const given = await updated(3000, join(disk.data, '..'))
      const before = kept(given.data)
      const room = () => statfsSync(given.data).bavail
      for (const kilobytes of [0, 64, 4000]) {
        const ballast = join(given.data, '../ballast')
        writeFileSync(ballast, Buffer.alloc(Math.max(room() * statfsSync(given.data).bsize - kilobytes * 1024, 0)))
        const free = room()
        const heard = await said(() => rollBack(commandLine(given.data), given.program))
        expect([kilobytes, heard]).toEqual([
          kilobytes,
          expect.stringMatching(/^Nothing was replaced.* the disk is full/),
        ])
        expect([room(), kept(given.data)]).toEqual([free, before])
        await Bun.$`rm ${ballast}`
      }
      expect(stateOf(given)).toBe(NEW)
      await rollBack(commandLine(given.data), given.program)
      expect(stateOf(given)).toBe(OLD)
    } finally {
      disk.remove()
    }
  },
  180_000,
)

test.skipIf(!canMount())(
  'a folder that cannot be moved, as a mounted one: a restore is refused, and all is as it was',
  async () => {
    const [old, fresh, to] = [await dataFolder('old'), await dataFolder('new'), temporaryFolder('to')]
    await backup(commandLine(fresh, [], { to }))
    const file = join(to, readdirSync(to)[0] ?? '')
    const media = join(old, 'media')
    expect(run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', media)).toBe(true)
    try {
      const before = kept(old)
      expect(await said(() => restore(commandLine(old, [file])))).toMatch(
        /^Nothing was replaced, .* is as it was: EBUSY/,
      )
      expect(kept(old)).toEqual(before)
      expect(existsSync(stagingOf(old))).toBe(false)
    } finally {
      run('umount', '-l', media)
    }
    await restore(commandLine(old, [file]))
    expect(await said(() => stateOf({ data: old, program: '/bin/true' }))).toStartWith('new')
  },
)
