// A hurried operator: wrong files and folders, closed pipes, Ctrl-C. What is wrong is said in a sentence, nothing stays half done.
import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkUnpacked } from '../../src/commands/backup.ts'
import { troubleOf } from '../../src/commands/trouble.ts'
import { dataFolder } from '../support/backups.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { launch, type Options } from '../support/server.ts'

afterAll(cleaner())
const folder = temporaryFolder('hurried')
type Name = NonNullable<Options['command']>

async function say(command: Name, args: readonly string[], options: Partial<Options> = {}) {
  const running = launch({ data: join(folder, 'data'), command, args, ...options })
  const { code } = await running.end()
  return { code, out: running.output() }
}

const PIPE = join(folder, 'pipe')
const TEXT = join(folder, 'text')
writeFileSync(TEXT, 'hello')
spawnSync('mkfifo', [PIPE])
const notFiles: readonly (readonly [file: string, sentence: string])[] = [
  [PIPE, `${PIPE} is no file, but a folder, a pipe or a device.`],
  [folder, `${folder} is no file, but a folder, a pipe or a device.`],
  ['/dev/zero', '/dev/zero is no file, but a folder, a pipe or a device.'],
  [join(TEXT, 'x'), `There is no file ${join(TEXT, 'x')}.`],
  [join(folder, 'none'), `There is no file ${join(folder, 'none')}.`],
]
for (const command of ['verify', 'restore', 'import'] as const)
  for (const [file, sentence] of notFiles)
    test(`loyer ${command} ${file.replace(folder, '…')}: exit 66 at once`, async () => {
      const { code, out } = await say(command, [file])
      expect([code, out.trim()]).toEqual([66, sentence])
      expect(existsSync(join(folder, 'data', 'loyer.db'))).toBe(false)
    }, 20_000)

const PHONE = '+237677000001'
const needing: readonly (readonly [command: Name, args: readonly string[]])[] = [
  ['keys new', []],
  ['export', [join(folder, 'all.zip')]],
  ['user password', ['--phone', PHONE]],
  ['user second-factor', ['--phone', PHONE, '--off']],
]
for (const [command, args] of needing)
  test(`loyer ${command} in a folder that a wrong LOYER_DATA names: refused, and no database made`, async () => {
    const data = join(folder, 'elsewhere')
    const { code, out } = await say(command, args, { data })
    expect([code, out]).toEqual([66, expect.stringContaining(`${data} holds no database. Set LOYER_DATA`)])
    expect([existsSync(data), existsSync(join(folder, 'all.zip'))]).toEqual([false, false])
  })

test('the number of no account: named as the option that is wrong', async () => {
  const data = await dataFolder('stranger')
  const { code, out } = await say('user second-factor', ['--phone', PHONE, '--off'], { data })
  expect([code, out.trim()]).toEqual([1, '--phone: No account has this number.'])
})

test('output that nobody reads any more ends the command quietly; a full disk is said in a sentence', async () => {
  const main = join(import.meta.dirname, '../../src/main.ts')
  const line = 'set -o pipefail; "$0" "$1" openapi | head -1 >/dev/null; echo $?'
  const { stdout, stderr } = spawnSync('bash', ['-c', line, process.execPath, main], { encoding: 'utf8' })
  expect([stdout.trim(), stderr]).toEqual(['0', ''])

  const data = await dataFolder('full')
  const full = await say('backup', ['--to', folder], { data, shell: 'exec "$@" >/dev/full' })
  expect([full.code, full.out.trim()]).toEqual([
    73,
    expect.stringMatching(/^What the command has to say could not be written: ENOSPC.*$/),
  ])
}, 60_000)

const unloadable = Object.assign(new Error('/$bunfs/root/x.node: cannot open'), { code: 'ERR_DLOPEN_FAILED' })
test('no folder for temporary files: named, and a good backup is not called damaged', async () => {
  const nowhere = { TMPDIR: join(folder, 'nowhere') }
  for (const [command, args] of [
    ['verify', [TEXT]],
    ['restore', ['--dry-run', TEXT]],
  ] as const) {
    const { code, out } = await say(command, args, { env: nowhere })
    expect([code, out]).toEqual([78, expect.stringContaining('The folder for temporary files cannot be used')])
    expect(out).toContain('name another folder in TMPDIR.')
  }
  // The binary cannot load SQLite from there.
  for (const e of [unloadable, new TypeError('addon.initialize is not a function. (In x)')]) {
    const { lines, exitCode } = troubleOf(e)
    expect(exitCode).toBe(78)
    expect(lines).toEqual([expect.stringMatching(/^Loyer cannot unpack a part of itself to .* TMPDIR\.$/)])
  }
  expect(() => checkUnpacked('good.tar.zst', join(folder, 'nowhere'))).toThrow('its database is not whole')
})

/** Sends Ctrl-C as soon as a folder has a file with the name. */
async function interrupted(options: Options, where: string, name: RegExp) {
  const running = launch(options)
  const isThere = () => existsSync(where) && readdirSync(where).some((file) => name.test(file))
  while (!isThere() && !running.ended()) await Bun.sleep(1)
  const { signal } = await running.end('SIGINT')
  return { signal, left: readdirSync(where).filter((file) => name.test(file)) }
}
test('Ctrl-C: nothing half made stays, nor a decrypted database in the folder for temporary files', async () => {
  const data = await dataFolder('interrupted')
  writeFileSync(join(data, 'documents/cc/dd/large.pdf'), randomBytes(150 * 2 ** 20))
  const to = join(folder, 'to')
  const TMPDIR = join(folder, 'temporary')
  mkdirSync(TMPDIR)
  const env = { BACKUP_PASSPHRASE: 'une phrase assez longue', TMPDIR }

  const backup = { data, env, command: 'backup', args: ['--to', to] } as const
  expect(await interrupted(backup, to, /^\.part-/)).toEqual({ signal: 'SIGINT', left: [] })
  expect([readdirSync(to), readdirSync(join(data, 'backups'))]).toEqual([[], []])
  expect((await say('backup', ['--to', to], { data, env })).code).toBe(0)
  const [file = ''] = readdirSync(to).map((name) => join(to, name))

  const verify = { data, env, command: 'verify', args: [file] } as const
  expect(await interrupted(verify, TMPDIR, /^loyer-verify-/)).toEqual({ signal: 'SIGINT', left: [] })
  const before = readFileSync(join(data, 'loyer.db'))
  const restore = { data, env, command: 'restore', args: [file] } as const
  expect(await interrupted(restore, data, /^restore/)).toEqual({ signal: 'SIGINT', left: [] })
  expect(readFileSync(join(data, 'loyer.db')).equals(before)).toBe(true)
  expect((await say('restore', [file], { data, env })).code).toBe(0)
}, 240_000)

/** Some containers let everybody listen on every port. */
const START = '/proc/sys/net/ipv4/ip_unprivileged_port_start'
const isRootsAlone = process.getuid?.() === 0 && existsSync(START) && Number(readFileSync(START, 'utf8')) > 81
test.skipIf(!isRootsAlone)('a port that is root’s alone: exit 78, which the unit does not try again', async () => {
  const data = join(folder, 'port')
  // As a user who may not; setpriv leaves the rest as it is.
  mkdirSync(data, { mode: 0o777 })
  const options = {
    data,
    command: 'serve',
    port: 81,
    shell: `exec setpriv --bounding-set -all --inh-caps -all "$@"`,
  } as const
  const running = launch(options)
  expect([(await running.end()).code, running.output()]).toEqual([
    78,
    expect.stringContaining('PORT: this user may not listen on 127.0.0.1:81.'),
  ])
})
