// Loyer as a service of a machine: what `loyer install` writes, what it says elsewhere, and the one folder of all commands.
import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { migrations } from '../../db/migrations.ts'
import { call } from '../../src/commands/call.ts'
import { elsewhere, putProgram, startedText } from '../../src/commands/install.ts'
import { commandsIn } from '../support/command.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { freePort, startServer } from '../support/server.ts'

afterAll(cleaner())
const folder = temporaryFolder('install')

const loyer = commandsIn(folder)
const written = (root: string, path: string) => readFileSync(join(root, path), 'utf8')
const mode = (file: string) => (statSync(file).mode & 0o777).toString(8)

const MACHINE = { platform: 'linux', systemd: false, container: false, root: true }
const machines: [name: string, about: Partial<typeof MACHINE>, told: RegExp | undefined][] = [
  ['root of a machine with systemd', { systemd: true }, undefined],
  ['somebody else there', { systemd: true, root: false }, /^Only root can install a service: sudo/],
  ['a container', { container: true }, /^A container has no systemd: make `loyer serve` its command/],
  ['another init', {}, /^This machine is not run by systemd\. Let its init/],
  ['macOS', { platform: 'darwin' }, /launchd.*KeepAlive/],
  ['Windows', { platform: 'win32' }, /schtasks \/create/],
]
test.each(machines)('%s: installed, or told in a sentence what to do instead', (_name, about, told) => {
  expect(elsewhere({ ...MACHINE, ...about }) ?? '').toMatch(told ?? /^$/)
})

test('a dry run prints settings and unit, and writes nothing', () => {
  const before = readdirSync(folder)
  const { code, out } = loyer(['install', '--dry-run', '--domain', 'rent.example.cm'])
  expect(code).toBe(0)
  expect(out).toContain('PUBLIC_URL=https://rent.example.cm\n')
  for (const line of [
    'User=loyer',
    'ExecStart=/usr/local/bin/loyer serve --config /etc/loyer.env',
    'StateDirectory=loyer',
    'Restart=always',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'CapabilityBoundingSet=',
  ])
    expect(out).toContain(`\n${line}\n`)
  expect(out).not.toContain('ReadWritePaths')
  // Without a network the service starts too; an address that comes later (75) is tried again, a wrong setting (78) is not.
  expect(out).not.toContain('network-online')
  expect(/^RestartPreventExitStatus=(.*)$/m.exec(out)?.[1]).toBe('64 65 70 78')
  expect(readdirSync(folder)).toEqual(before)
})

test('below a root: files with their modes, settings that are there stay as they are', () => {
  const root = join(folder, 'image')
  const first = loyer(['install', '--root', root, '--domain', 'rent.example.cm'])
  expect([first.code, first.out]).toEqual([0, expect.stringContaining('data       /var/lib/loyer\n')])
  expect(first.out).toContain('\n  address    https://rent.example.cm\n')
  expect(first.out).toContain('reverse_proxy 127.0.0.1:3000')
  const settings = join(root, 'etc/loyer.env')
  expect([mode(settings), mode(join(root, 'etc/systemd/system/loyer.service'))]).toEqual(['640', '644'])
  const own = 'LOYER_DATA=/srv/rent\nBACKUP_TO=/mnt/copies\nPORT=80\n'
  writeFileSync(settings, own)
  const second = loyer(['install', '--root', root, '--domain', 'rent.example.cm'])
  // The domain is not in the settings, and is not put there: it says what to write.
  expect(second.out).toContain(
    'to be reached at https://rent.example.cm, write PUBLIC_URL=https://rent.example.cm into /etc/loyer.env',
  )
  expect(first.out).not.toContain('write PUBLIC_URL')
  expect([second.code, second.out]).toEqual([0, expect.stringContaining('/etc/loyer.env (left as it was)')])
  expect(written(root, 'etc/loyer.env')).toBe(own)
  const unit = written(root, 'etc/systemd/system/loyer.service')
  // The minus: a disk of backups that was unplugged does not keep the service from starting, one of its data does.
  expect(unit).toContain('\nReadWritePaths=/srv/rent -/mnt/copies\n')
  expect(unit).toContain('\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n')
  expect(unit).not.toContain('StateDirectory')
  expect(readdirSync(join(root, 'etc')).sort()).toEqual(['loyer.env', 'systemd'])
})

test('a newer binary takes the place of the installed one, which a rollback brings back; the same one changes nothing', () => {
  const [here, to] = [temporaryFolder('programs'), join(temporaryFolder('bin'), 'usr/local/bin/loyer')]
  const programs = () => Object.fromEntries(readdirSync(dirname(to)).map((name) => [name, written(dirname(to), name)]))
  const put = (text: string) => {
    const from = join(here, 'loyer')
    writeFileSync(from, text)
    putProgram(from, to)
    return programs()
  }
  expect(put('one')).toEqual({ loyer: 'one' })
  expect(mode(to)).toBe('755')
  expect(put('two')).toEqual({ loyer: 'two', 'loyer.previous': 'one' })
  // Installed again for other settings: the way back stays.
  expect(put('two')).toEqual({ loyer: 'two', 'loyer.previous': 'one' })
  expect(put('three')).toEqual({ loyer: 'three', 'loyer.previous': 'two' })
  expect([mode(to), mode(`${to}.previous`)]).toEqual(['755', '755'])
})

test('whatever the umask and whatever was there: a program that runs, in folders that all may enter and only root may change', async () => {
  const root = join(temporaryFolder('umask'), 'root')
  const from = join(temporaryFolder('download'), 'loyer')
  const program = join(root, 'usr/local/bin/loyer')
  for (const umask of [0o000, 0o077]) {
    const before = process.umask(umask)
    try {
      rmSync(root, { recursive: true, force: true })
      writeFileSync(from, '#!/bin/sh\necho 0.1.0\n', { mode: 0o600 })
      putProgram(from, program)
      await call(['install', '--root', root])
      // As a download that was cut off and copied by hand.
      writeFileSync(program, 'half')
      chmodSync(program, 0o644)
      putProgram(from, program)
    } finally {
      process.umask(before)
    }
    const folders = [root, join(root, 'etc/systemd/system'), join(root, 'usr'), join(root, 'usr/local/bin')]
    expect([umask, ...[...folders, program].map(mode)]).toEqual([umask, '755', '755', '755', '755', '755'])
    expect(mode(join(root, 'etc/loyer.env'))).toBe('640')
  }
})

test('a binary older than the installed one, such as the first copy of it: refused, and nothing changes', () => {
  const [here, to] = [temporaryFolder('older'), join(temporaryFolder('bin'), 'usr/local/bin/loyer')]
  const put = (version: string, build = '') => {
    const from = join(here, 'loyer')
    writeFileSync(from, `#!/bin/sh\necho ${version}\n# ${build}`, { mode: 0o755 })
    putProgram(from, to)
  }
  const there = () => readdirSync(dirname(to)).map((name) => [name, /\d\S+/.exec(written(dirname(to), name))?.[0]])
  put('0.9.0')
  put('0.10.0')
  expect(() => put('0.9.0')).toThrow(
    `${to} is Loyer 0.10.0, and this is 0.9.0. Nothing was changed. \`sudo loyer install\` installs the newer one again, `,
  )
  expect(Object.fromEntries(there())).toEqual({ loyer: '0.10.0', 'loyer.previous': '0.9.0' })
  // Another build of the same version is not older.
  put('0.10.0', 'built again')
  expect(Object.fromEntries(there())).toEqual({ loyer: '0.10.0', 'loyer.previous': '0.10.0' })
})

const wrong: [name: string, settings: string, code: number, sentence: string][] = [
  ['a folder that depends on where one stands', 'LOYER_DATA=data\n', 78, 'LOYER_DATA: give '],
  ['no folder', 'PORT=3000\n', 78, 'LOYER_DATA: give '],
  ['a folder with a space', 'LOYER_DATA=/srv/my rent\n', 78, '/srv/my rent: choose a folder without spaces'],
  ['a folder that systemd would read as a sign', 'LOYER_DATA=/srv/%h\n', 78, 'choose a folder without'],
  ['a wrong setting', 'LOYER_DATA=/srv/rent\nPORT=none\n', 78, 'PORT: must be a port number'],
]
test.each(wrong)('%s: refused in a sentence, no unit written', (name, settings, code, sentence) => {
  const root = join(folder, name.replaceAll(' ', '-'))
  mkdirSync(join(root, 'etc'), { recursive: true })
  writeFileSync(join(root, 'etc/loyer.env'), settings)
  const refused = loyer(['install', '--root', root])
  expect([refused.code, refused.out]).toEqual([code, expect.stringContaining(sentence)])
  expect(existsSync(join(root, 'etc/systemd'))).toBe(false)
})

test.each(['no name', 'a.cm:8443', 'a.cm/x'])('--domain "%s" is refused', (domain) => {
  const { code, out } = loyer(['install', '--dry-run', '--domain', domain])
  expect([code, out]).toEqual([64, expect.stringContaining('--domain: a name such as')])
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
test.skipIf(!hasSystemd)('systemd finds no fault in the unit, and little exposed', () => {
  const file = join(folder, 'loyer-checked.service')
  const { out } = loyer(['install', '--dry-run'])
  // processes for reads lower their own priority
  expect(out).toMatch(/^SystemCallFilter=~@resources.*\n#.*\nSystemCallFilter=setpriority$/m)
  writeFileSync(file, out.slice(out.indexOf('[Unit]')).replace('/usr/local/bin/loyer', '/bin/true'))
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  expect([verified.status, verified.stderr]).toEqual([0, ''])
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', file], { encoding: 'utf8' })
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(2)
})

test('every command of the machine means the folder of its service, wherever one stands', () => {
  const data = join(folder, 'service-data')
  const settings = join(folder, 'service.env')
  writeFileSync(settings, `LOYER_DATA=${data}\nLOYER_LOCALE=en\n`)
  const env = { LOYER_CONFIG: settings }
  const away = join(folder, 'away')
  mkdirSync(away)
  const people = ['--role', 'OWNER,ADMIN', '--first-name', 'Awa', '--last-name', 'Ngo']
  const here = loyer(['user', 'create', '--phone', '+237677000001', ...people], { env })
  expect([here.code, here.out]).toEqual([0, expect.stringContaining(`folder ${data}\n`)])
  const again = loyer(['user', 'create', '--phone', '+237677000001', ...people], { env, cwd: away })
  expect([again.code, again.out]).toEqual([1, expect.stringContaining('This number has an account already.')])
  expect(readdirSync(away)).toEqual([])
  // a folder in the environment is another one
  const own = loyer(['migrate'], { env: { ...env, LOYER_DATA: join(away, 'own') } })
  expect([own.code, readdirSync(away)]).toEqual([0, ['own']])
})

test('a database of a newer Loyer: each command, and what looks for the fault, names the version and changes nothing', () => {
  const data = join(temporaryFolder('newer'), 'data')
  const env = { LOYER_DATA: data, LOYER_LOCALE: 'en' }
  expect(loyer(['migrate'], { env }).code).toBe(0)
  const client = new Database(join(data, 'loyer.db'))
  client.pragma(`user_version = ${migrations.length + 1}`)
  client.close()
  for (const command of [['serve'], ['migrate'], ['doctor'], ['backup'], ['keys', 'new']]) {
    const { code, out } = loyer(command, { env })
    expect([command, code, out]).toEqual([
      command,
      65,
      expect.stringMatching(
        new RegExp(
          `^The database was written by a newer Loyer \\(schema ${migrations.length + 1}; .* is unchanged\\. Start`,
        ),
      ),
    ])
  }
  expect(readdirSync(data).filter((name) => name.startsWith('backups'))).toEqual([])
})

test('what a command lacks is said in a line, without the help', () => {
  const env = { LOYER_DATA: join(folder, 'nothing-here'), XDG_STATE_HOME: join(folder, 'state-of-nobody') }
  const lacks: [string[], number, RegExp][] = [
    [['backup'], 66, /nothing-here holds no database/],
    [['rollback'], 66, /nothing-here holds no database/],
    [['clock', 'confirm'], 66, /nothing-here holds no database/],
    [['update', 'loyer'], 78, /^UPDATE_KEY: /],
    [['files', 'push'], 78, /^FILES_TO: /],
  ]
  for (const [command, code, said] of lacks) {
    const { code: exit, out } = loyer(command, { env })
    expect([command, exit, out.trim().split('\n')]).toEqual([command, code, [expect.stringMatching(said)]])
  }
  expect(existsSync(env.LOYER_DATA)).toBe(false)
})

test('ready: 0 while the service can work, 1 with a reason when nothing answers', async () => {
  const server = await startServer({ data: join(folder, 'ready') })
  const env = { LOYER_DATA: join(folder, 'ready'), PORT: String(server.port) }
  const up = loyer(['ready'], { env })
  expect([up.code, up.out]).toEqual([0, '{"status":"ready"}\n'])
  // An installation says that it runs only where the unit itself answers.
  const at = { host: '127.0.0.1', port: server.port }
  expect(await startedText(at, () => true, 1)).toBe('Loyer is running, and starts with the machine.')
  expect(await startedText(at, () => false, 1)).toMatch(/does not answer yet.*journalctl -u loyer/)
  await server.end('SIGTERM')
  expect(await startedText(at, () => true, 1)).toMatch(/does not answer yet/)
  const down = loyer(['ready'], { env: { ...env, PORT: String(await freePort()) } })
  expect([down.code, down.out]).toEqual([
    1,
    expect.stringMatching(/^Nothing answers at http:\/\/127\.0\.0\.1:\d+\/readyz\n$/),
  ])
})
