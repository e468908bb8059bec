// Updating the program: signed and fit for this machine, or not at all; cut off at any moment there is the old or the new.
import { afterAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { copyDatabase } from '../../db/copy.ts'
import { makeFolder } from '../../db/files.ts'
import { migrations } from '../../db/migrations.ts'
import { rollBack } from '../../src/commands/restore.ts'
import { isOfImage } from '../../src/commands/service.ts'
import { lineFor } from '../../src/commands/swap.ts'
import { refuseImage, updateProgram } from '../../src/commands/update.ts'
import { commandLine, dataFolder } from '../support/backups.ts'
import { cleaner, contents, modeOf, temporaryFolder } from '../support/folder.ts'
import { minisigner } from '../support/minisign.ts'
import { canMount, run, smallDisk } from './disk.ts'

afterAll(cleaner())

const { key, signed } = minisigner()
/** A program that says its version, as large as told. */
const programOf = (version: string, bytes = 0): string => `#!/bin/sh\necho ${version}\nexit 0\n${'#'.repeat(bytes)}\n`
const OLD = programOf('0.1.0')
/** Signed as the release that it says it is. */
const signedAs = (text: string | Uint8Array): string =>
  signed(Buffer.from(text), `loyer-${/^echo (.*)$/m.exec(String(text))?.[1]}-linux-x64`)

function installed(folder = temporaryFolder('program')) {
  const program = join(folder, 'loyer')
  writeFileSync(program, OLD, { mode: 0o755 })
  const downloads = temporaryFolder('download')
  const download = (text: string | Uint8Array, signature = signedAs(text)): string => {
    const file = join(downloads, 'loyer-new')
    writeFileSync(file, text, { mode: 0o644 })
    writeFileSync(`${file}.minisig`, signature)
    return file
  }
  return { folder, program, download }
}
const says = (work: () => unknown): string => {
  try {
    return String(work())
  } catch (e) {
    return e instanceof Error ? e.message : String(e)
  }
}

test('a signed one takes the place of this one, which is kept beside it; again, only the last one is kept', () => {
  const { folder, program, download } = installed()
  for (const [from, to] of [
    ['0.1.0', '0.2.0'],
    ['0.2.0', '0.10.0'],
  ] as const) {
    const said = updateProgram(program, download(programOf(to)), key, from)
    expect(said).toContain(`Loyer ${to} is in place of ${from}`)
    expect(readFileSync(program, 'utf8')).toBe(programOf(to))
    expect(readFileSync(`${program}.previous`, 'utf8')).toBe(programOf(from))
    expect([modeOf(program), modeOf(`${program}.previous`)]).toEqual(['755', '755'])
  }
  expect(readdirSync(folder).sort()).toEqual(['loyer', 'loyer.previous'])
})

const elf = (machine: number, interpreter = ''): Buffer => {
  const head = Buffer.alloc(5000)
  head.writeUInt32BE(0x7f454c46)
  head.writeUInt16LE(machine, 18)
  head.write(interpreter, 800)
  return head
}
const refused: [name: string, text: string | Uint8Array, signature: (() => string) | undefined, why: RegExp][] = [
  [
    'one byte of it changed',
    programOf('0.2.0'),
    () => signed(Buffer.from(programOf('0.3.0'))),
    /not those that were signed/,
  ],
  [
    'signed by another',
    programOf('0.2.0'),
    () => minisigner().signed(Buffer.from(programOf('0.2.0'))),
    /not those that were signed/,
  ],
  [
    'signed as another release',
    programOf('0.2.0'),
    () => signed(Buffer.from(programOf('0.2.0')), 'loyer-0.3.0-linux-x64'),
    /it is Loyer 0\.2\.0, and was signed as loyer-0\.3\.0-linux-x64/,
  ],
  [
    'the signature of another release',
    programOf('0.2.0'),
    () => signedAs(programOf('0.3.0')),
    /not those that were signed/,
  ],
  [
    'signed as something else by the same key',
    programOf('0.2.0'),
    () => signed(Buffer.from(programOf('0.2.0')), 'SHA256SUMS'),
    /its signature names no release/,
  ],
  [
    'signed in the older way of minisign',
    programOf('0.2.0'),
    () => signed(Buffer.from(programOf('0.2.0'))).replace('\nRUQ', '\nRWQ'),
    /is a signature of minisign's older kind: let it be signed without -l/,
  ],
  ['without a signature', programOf('0.2.0'), () => '', /is not a signature made by minisign/],
  ['for Linux on arm64', elf(183), undefined, /was made for Linux arm64, and this Loyer for any machine with a shell/],
  ['for Linux with musl', elf(62, '/lib/ld-musl-x86_64.so.1'), undefined, /made for Linux x64 with musl, and this/],
  ['for Windows', 'MZ and more', undefined, /made for Windows/],
  ['no program', 'hello', undefined, /made for no machine: it is no program/],
  ['one that does not start', '#!/nowhere/sh\n', undefined, /does not run on this machine/],
  ['one that says no version', '#!/bin/sh\necho hello\n', undefined, /does not run on this machine/],
  [
    'an older one',
    programOf('0.0.9'),
    undefined,
    /is Loyer 0\.0\.9, and this is 0\.1\.0: `.*loyer rollback` goes back/,
  ],
]
test.each(refused)('refused, and nothing is changed: %s', (_name, text, signature, why) => {
  const { folder, program, download } = installed()
  const file = download(text, signature?.())
  expect(says(() => updateProgram(program, file, key, '0.1.0'))).toMatch(why)
  expect(contents(folder)).toEqual(contents(installed(temporaryFolder('same')).folder))
})
test('a file that is not there is refused by name', () => {
  const { program } = installed()
  for (const none of ['/nowhere/loyer', import.meta.dirname, '/dev/null'])
    expect(says(() => updateProgram(program, none, key, '0.1.0'))).toMatch(
      /^There is no file \/nowhere|is no file, but/,
    )
  expect(readFileSync(program, 'utf8')).toBe(OLD)
})

test('twice in a hurry, one after the other and at once: the one before both is kept for a rollback', async () => {
  const { folder, program, download } = installed()
  const fresh = programOf('0.2.0', 20 * 2 ** 20)
  const file = download(fresh)
  const script = new URL('../support/replacing.ts', import.meta.url).pathname
  const runs = [1, 2].map(() => Bun.spawn([process.execPath, script, program, file, key, '0.1.0']))
  const ends = await Promise.all(
    runs.map(async ({ exited, stdout }) => [await exited, await new Response(stdout).text()]),
  )
  for (const [code, said] of ends)
    expect(said).toMatch(code === 0 ? /is in place/ : /^Another update is under way\. Nothing was changed\./)
  // Both may have seen the other.
  if (ends.every(([code]) => code === 1)) updateProgram(program, file, key, '0.1.0')
  expect(updateProgram(program, file, key, '0.2.0')).toBe(`${file} is in place already. Nothing was changed.`)
  expect([readFileSync(program, 'utf8') === fresh, readFileSync(`${program}.previous`, 'utf8')]).toEqual([true, OLD])
  expect(readdirSync(folder).sort()).toEqual(['loyer', 'loyer.previous'])
})

test('killed at any moment: the program is the old one or the new one, it runs, and the next try goes well', async () => {
  const { folder, program, download } = installed()
  const fresh = programOf('0.2.0', 40 * 2 ** 20)
  const file = download(fresh)
  const isStaged = () => readdirSync(folder).some((name) => name.startsWith('loyer.new-'))
  const seen = { old: 0, new: 0, staged: 0 }
  // Every other kill comes as soon as there is a part of the new one: after a time alone it might never.
  for (let after = 20, staged = false; seen.new === 0 && after < 20_000; staged = !staged) {
    for (const name of readdirSync(folder)) if (name.startsWith('loyer.new-')) rmSync(join(folder, name))
    const script = new URL('../support/replacing.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [script, program, file, key, '0.1.0'], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    if (staged) while (child.exitCode === null && !isStaged()) await Bun.sleep(1)
    else {
      await Promise.race([ended, Bun.sleep(after)])
      after = Math.ceil(after * 1.25)
    }
    child.kill('SIGKILL')
    await ended
    const found = readFileSync(program, 'utf8')
    const which = found === OLD ? 'old' : found === fresh ? 'new' : 'half'
    expect([after, which]).toEqual([after, expect.stringMatching(/^(old|new)$/)])
    if (which === 'old') seen.old += 1
    else seen.new += 1
    if (isStaged()) seen.staged += 1
    const runs = Bun.spawnSync([program, '--version'])
    expect(runs.stdout.toString().trim()).toBe(which === 'old' ? '0.1.0' : '0.2.0')
  }
  // Otherwise the kills came too early or too late, and nothing was shown.
  expect([seen.old > 0, seen.new, seen.staged > 0]).toEqual([true, 1, true])
  updateProgram(program, download(programOf('0.3.0')), key, '0.2.0')
  expect(readdirSync(folder).sort()).toEqual(['loyer', 'loyer.previous'])
  expect(readFileSync(`${program}.previous`, 'utf8')).toBe(fresh)
}, 120_000)

test.skipIf(process.getuid?.() !== 0)('the way back that is printed can be typed by who reads it', () => {
  const of = (owner: number, env = ''): string => {
    const { folder, program, download } = installed()
    chownSync(folder, owner, owner)
    const { LOYER_DATA } = process.env
    try {
      if (env) process.env.LOYER_DATA = env
      return says(() => updateProgram(program, download(programOf('0.2.0')), key, '0.1.0')).replaceAll(folder, '…')
    } finally {
      if (LOYER_DATA === undefined) delete process.env.LOYER_DATA
      else process.env.LOYER_DATA = LOYER_DATA
    }
  }
  expect(of(0)).toContain('(sudo systemctl restart loyer); `sudo …/loyer rollback` goes back.')
  // sudo forgets the environment, and would roll back another folder.
  expect(of(0, '/srv/rent')).toContain('`sudo LOYER_DATA=/srv/rent …/loyer rollback` goes back.')
  expect(of(65534, '/srv/rent')).toContain('(systemctl restart loyer); `…/loyer rollback` goes back.')
})
test.each([
  [undefined, 'loyer rollback'],
  ['/etc/loyer.env', 'loyer rollback'],
  ['/srv/rent.env', 'loyer rollback --config /srv/rent.env'],
])('the installed program is called by its name, with its settings: %s', (settings, line) => {
  // Where the suite runs, /usr/local/bin may be anybody's.
  expect(lineFor('/usr/local/bin/loyer', 'rollback', settings)).toEndWith(line)
})

test.skipIf(!canMount())('a full disk: said, and the old program stays', () => {
  const disk = smallDisk(temporaryFolder('brim'), '8m')
  if (!disk) throw new Error('no disk')
  try {
    makeFolder(disk.data)
    const { folder, program, download } = installed(disk.data)
    const file = download(programOf('0.2.0', 12 * 2 ** 20))
    const before = statfsSync(folder).bavail
    expect(says(() => updateProgram(program, file, key, '0.1.0'))).toMatch(
      /could not be replaced, and is as it was: .*ENOSPC/,
    )
    expect(readFileSync(program, 'utf8')).toBe(OLD)
    expect([readdirSync(folder), statfsSync(folder).bavail]).toEqual([['loyer'], before])
  } finally {
    disk.remove()
  }
})

test.skipIf(!canMount())('a read-only disk: said without a word of sudo, and the old program stays', () => {
  const disk = smallDisk(temporaryFolder('read-only'), '1m')
  if (!disk) throw new Error('no disk')
  try {
    makeFolder(disk.data)
    const { folder, program, download } = installed(disk.data)
    const file = download(programOf('0.2.0'))
    expect(run('mount', '-o', 'remount,ro', join(disk.data, '..'))).toBe(true)
    expect(says(() => updateProgram(program, file, key, '0.1.0'))).toBe(
      `${folder} is on a disk that is read-only here. Nothing was changed. Mount it for writing, then run the same.`,
    )
    expect([readFileSync(program, 'utf8'), readdirSync(folder)]).toEqual([OLD, ['loyer']])
  } finally {
    disk.remove()
  }
})

test.each([
  ['that of a container', '/usr/local/bin/loyer', true, true],
  ['one that somebody put into a container', '/srv/loyer', true, false],
  ['that of a machine', '/usr/local/bin/loyer', false, false],
  ['the sources, in a container', undefined, true, false],
])('only the program of an image is replaced by another image: %s', (_name, program, container, expected) => {
  expect(isOfImage(program, container)).toBe(expected)
})
test('the program of an image is not updated, and neither is its database rolled back below it', async () => {
  const { LC_ALL } = process.env
  const data = await dataFolder('now')
  const copy = join(data, 'backups', `before-schema-${migrations.length}.db`)
  makeFolder(join(data, 'backups'))
  copyDatabase(join(data, 'loyer.db'), copy)
  const client = new Database(copy)
  client.pragma(`user_version = ${migrations.length - 1}`)
  client.close()
  const { program } = installed()
  const before = contents(data, ['loyer.db.lock', 'loyer.db-shm', 'loyer.db-wal'])
  try {
    for (const [language, image, newer] of [
      ['C', /^In a container the image is the program: .*Nothing was changed\.$/, /^This image is the newer Loyer/],
      ['fr_CM.UTF-8', /^Dans un conteneur, .*Rien n’a été modifié\.$/, /^Cette image est le Loyer plus récent/],
    ] as const) {
      process.env.LC_ALL = language
      expect(says(() => refuseImage(program, true))).toMatch(image)
      for (const values of [{}, { 'dry-run': true }])
        await expect(rollBack(commandLine(data, [], values), program, true)).rejects.toThrow(newer)
    }
  } finally {
    if (LC_ALL === undefined) delete process.env.LC_ALL
    else process.env.LC_ALL = LC_ALL
  }
  expect(contents(data, ['loyer.db.lock', 'loyer.db-shm', 'loyer.db-wal'])).toEqual(before)
  // With the image before it in place, its Loyer is the older one, which puts the copy back.
  expect(says(() => refuseImage(program, false))).toBe('undefined')
  expect(await rollBack(commandLine(data), program, false)).toContain('The database is back')
})

test('a rollback puts program and database back; a copy from an update before the last one stays where it is', async () => {
  const data = await dataFolder('now')
  const { program, download } = installed()
  const copy = join(data, 'backups', `before-schema-${migrations.length}.db`)
  makeFolder(join(data, 'backups'))
  copyDatabase(join(data, 'loyer.db'), copy)
  const client = new Database(copy)
  client.pragma(`user_version = ${migrations.length - 1}`)
  client.exec("update setting set value = 'before' where key = 'word'")
  client.close()
  const word = () => {
    const db = new Database(join(data, 'loyer.db'), { readonly: true })
    const found = db.prepare("select value from setting where key = 'word'").pluck().get()
    db.close()
    return found
  }
  updateProgram(program, download(programOf('0.2.0')), key, '0.1.0')
  // Made months ago: the last update did not touch the database.
  utimesSync(copy, new Date('2026-01-01'), new Date('2026-01-01'))
  const said = await rollBack(commandLine(data), program)
  expect(said).toContain('the database stays as it is')
  expect(said).toContain('Loyer 0.1.0 is in place again')
  expect([readFileSync(program, 'utf8'), word()]).toEqual([OLD, 'now'])
  expect(readFileSync(`${program}.newer`, 'utf8')).toBe(programOf('0.2.0'))

  updateProgram(program, download(programOf('0.2.0')), key, '0.1.0')
  // By the disk's clock, which dates the update.
  const later = new Date(statSync(`${program}.previous`).ctimeMs + 60_000)
  utimesSync(copy, later, later)
  expect(await rollBack(commandLine(data, [], { 'dry-run': true }), program)).toEndWith('Nothing was changed.')
  expect([readFileSync(program, 'utf8'), word()]).toEqual([programOf('0.2.0'), 'now'])
  await rollBack(commandLine(data), program)
  expect([readFileSync(program, 'utf8'), word()]).toEqual([OLD, 'before'])
  expect(existsSync(`${program}.previous`)).toBe(false)
  rmSync(copy)
  await expect(rollBack(commandLine(data), program)).rejects.toThrow('has no copy from before an update')
})
