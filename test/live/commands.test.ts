// Commands of the operator, as they are typed: what is wrong is said in a sentence, and nothing is left half made.
import { afterAll, expect, test } from 'bun:test'
import { chownSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { HELP } from '../../src/commands/help.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { launch, type Options, startServer } from '../support/server.ts'

afterAll(cleaner())
const folder = temporaryFolder('commands')
const PHONE = '+237677000001'

async function say(command: NonNullable<Options['command']>, args: readonly string[], options: Partial<Options> = {}) {
  const running = launch({ data: join(folder, 'refused'), command, args, ...options })
  const { code } = await running.end()
  return { code, out: running.output() }
}
const NAMES = ['--first-name', 'Awa', '--last-name', 'Ngo']

const refused: [name: string, args: string[], code: number, sentence: string][] = [
  ['no name', [], 64, 'Say --first-name and --last-name.'],
  ['half a name', ['--first-name', 'Awa'], 64, 'Say --last-name.'],
  ['a name of two lines', ['--first-name', 'A\nB', '--last-name', 'C'], 64, '--first-name: a name has'],
  ['a telephone number as name', ['--first-name', '+237677000001', '--last-name', 'Ngo'], 64, 'is no telephone number'],
  ['an organization without a name', [...NAMES, '--org-name', ' '], 64, '--org-name: a name has'],
  ['an organization with an endless name', [...NAMES, '--org-name', 'x'.repeat(201)], 64, '--org-name: a name has'],
  ['a password that heads every list', [...NAMES, '--password', 'password1'], 1, '--password: Too easy to guess.'],
  ['a short password', [...NAMES, '--password', 'abc'], 1, '--password: Must have 8 to 128 characters.'],
  ['an organization that is not there', [...NAMES, '--org', crypto.randomUUID()], 1, '--org: There is no organization'],
]
for (const [name, args, code, sentence] of refused)
  test(`user create, ${name}: refused in a sentence, no organization made`, async () => {
    const { code: ended, out } = await say('user create', ['--phone', PHONE, '--role', 'OWNER,ADMIN', ...args])
    expect([ended, out]).toEqual([code, expect.stringContaining(sentence)])
    expect(out).not.toMatch(/[a-z]_[a-z]|Error:/)
  })

test('the doctor speaks the language of the terminal, whatever the language of new organizations', async () => {
  const own = { data: join(folder, 'spoken') }
  expect((await say('migrate', [], own)).code).toBe(0)
  for (const [env, says] of [
    [{ LANG: 'fr_CM.UTF-8', LOYER_LOCALE: 'en' }, 'La base est intacte.'],
    [{ LANG: 'en_GB.UTF-8', LOYER_LOCALE: 'fr' }, 'The database is whole.'],
    [{ LANG: 'en_GB.UTF-8', LC_ALL: 'fr_FR.UTF-8' }, 'La base est intacte.'],
    [{ LANG: '', LC_ALL: '' }, 'The database is whole.'],
  ] as const)
    expect((await say('doctor', [], { ...own, env })).out).toContain(says)
})

test('a second organization is asked for by an id of its own', async () => {
  const own = join(folder, 'second')
  const add = (phone: string, ...more: string[]) =>
    say('user create', ['--phone', phone, '--role', 'OWNER', ...NAMES, ...more], { data: own })
  const first = /^organization (\S+)$/m.exec((await add('+237677000021', '--org-name', 'Agence')).out)?.[1] ?? ''
  const again = await add('+237677000022', '--org-name', 'Autre agence')
  expect([again.code, again.out]).toEqual([
    64,
    expect.stringContaining('has an organization already. For a second one, add --org'),
  ])
  const id = /--org ([0-9a-f-]{36})/.exec(again.out)?.[1] ?? ''
  expect((await add('+237677000022', '--org', first, '--org-name', 'Autre')).out).toContain(
    '--org-name: The organization',
  )
  const second = await add('+237677000022', '--org', id, '--org-name', 'Autre agence')
  expect([second.code, second.out]).toEqual([0, expect.stringContaining(`organization ${id}`)])
  expect((await add('+237677000023')).out).toContain(`organization ${first}`)
}, 60_000)

test('an identity provider that does not answer is named by its setting, by commands and at the start', async () => {
  const env = { AUTH_URL: 'http://127.0.0.1:9', AUTH_ADMIN_CLIENT_SECRET: 'x'.repeat(32) }
  const { code, out } = await say('user create', ['--phone', PHONE, '--role', 'OWNER', ...NAMES], {
    data: join(folder, 'elsewhere'),
    env,
  })
  expect([code, out]).toEqual([69, expect.stringMatching(/AUTH_URL: the identity provider cannot be used: .+\.$/m)])
  const server = await startServer({ data: join(folder, 'elsewhere'), command: 'serve', env })
  while (!server.output().includes('server.identity_provider')) await Bun.sleep(50)
  expect(server.output()).toContain('The Keycloak at AUTH_URL does not answer')
  await server.end('SIGTERM')
}, 60_000)

test('an account with its name; the same number again is refused; who is locked out gets a new password', async () => {
  const data = join(folder, 'account')
  const user = (command: 'create' | 'password', ...args: string[]) => say(`user ${command}`, args, { data })
  const create = (...more: string[]) => user('create', '--phone', PHONE, '--role', 'OWNER,ADMIN', ...NAMES, ...more)
  expect((await create('--org', crypto.randomUUID())).code).toBe(1)
  const made = await create('--password', 'premier mot de passe')
  expect([made.code, made.out]).toEqual([0, expect.stringContaining(`folder ${data}`)])
  const again = await create()
  expect([again.code, again.out.trim()]).toEqual([1, expect.stringContaining('This number has an account already.')])

  const stranger = await user('password', '--phone', '+237677000002')
  expect([stranger.code, stranger.out.trim()]).toEqual([1, '--phone: No account has this number.'])
  const weak = await user('password', '--phone', PHONE, '--password', '12345678')
  expect([weak.code, weak.out.trim()]).toEqual([1, '--password: Too easy to guess.'])
  const reset = await user('password', '--phone', '677 00 00 01')
  const password = /^password (\S+)$/m.exec(reset.out)?.[1] ?? ''
  expect(reset.code).toBe(0)

  const server = await startServer({ data, command: 'serve' })
  const enter = async (p: string) =>
    (await server.call('', 'POST /api/v1/sandbox/token', { username: PHONE, password: p })).status
  expect([await enter('premier mot de passe'), await enter(password)]).toEqual([401, 200])
  const locked = await user('password', '--phone', PHONE)
  expect([locked.code, await enter(password)]).toEqual([75, 200])
  await server.end('SIGTERM')
}, 60_000)

test('a second data folder on the same machine is noticed once; a sandbox is nobody’s data', async () => {
  const env = { LOYER_MODE: 'production', XDG_STATE_HOME: join(folder, 'state') }
  const migrate = (name: string, more = {}) =>
    say('migrate', [], { data: join(folder, name), env: { ...env, ...more } })
  expect((await migrate('one')).out).not.toContain('new data folder')
  const second = await migrate('two')
  expect([second.code, second.out]).toEqual([
    0,
    expect.stringContaining(`a new data folder, ${join(folder, 'two')}, beside ${join(folder, 'one')}.`),
  ])
  expect((await migrate('two')).out).not.toContain('new data folder')
  expect((await migrate('three', { LOYER_MODE: 'sandbox' })).out).not.toContain('new data folder')
  expect(existsSync(join(folder, 'state', 'loyer', 'folders.json'))).toBe(true)
})
test.skipIf(process.getuid?.() !== 0)(
  'a data folder of another user is named to nobody else, not to root either',
  async () => {
    const env = { LOYER_MODE: 'production', XDG_STATE_HOME: join(folder, 'state-of-root') }
    const migrate = async (name: string) => (await say('migrate', [], { data: join(folder, name), env })).out
    await migrate('theirs')
    for (const path of ['theirs', 'theirs/loyer.db']) chownSync(join(folder, path), 65534, 65534)
    expect(await migrate('mine')).not.toMatch(/new data folder|theirs/)
    const other = await migrate('other')
    expect(other).toContain(`beside ${join(folder, 'mine')}.`)
    expect(other).not.toContain('theirs')
  },
)

test('an address that this machine does not have yet: exit 75, which the unit tries again, by the name of the setting', async () => {
  const { code, out } = await say('serve', [], { data: join(folder, 'four'), env: { HOST: '203.0.113.7' } })
  expect([code, out]).toEqual([75, expect.stringContaining('HOST: this machine has no address 203.0.113.7')])
})

const BACKUP = join(folder, 'one.tar.zst')
const beside: [command: NonNullable<Options['command']>, args: string[], code: number][] = [
  ['migrate', [], 75],
  ['user create', ['--phone', '+237677000009', '--role', 'OWNER', ...NAMES], 75],
  ['user password', ['--phone', PHONE], 75],
  ['user second-factor', ['--phone', PHONE, '--off'], 75],
  ['keys new', [], 75],
  ['export', [join(folder, 'all.zip')], 75],
  ['import', [BACKUP], 1],
  ['restore', [BACKUP], 75],
  ['clock confirm', [], 0],
  ['backup', ['--to', folder], 0],
  ['verify', [BACKUP], 0],
]
test('beside the running service: what must not run there is refused, and said to be in the help and in the handbook', async () => {
  const own = join(folder, 'beside')
  await say('user create', ['--phone', PHONE, '--role', 'OWNER,ADMIN', ...NAMES], { data: own })
  const made = await say('backup', ['--to', folder], { data: own })
  renameSync(made.out.split('\n')[0] ?? '', BACKUP)
  const server = await startServer({ data: own, command: 'serve' })
  const chapters = ['en', 'fr'].map((l) => readFileSync(`src/web/handbook/${l}/start.md`, 'utf8'))
  const backups = ['en', 'fr'].map((l) => readFileSync(`src/web/handbook/${l}/backup.md`, 'utf8'))
  for (const [command, args, code] of beside) {
    const { code: ended, out } = await say(command, args, { data: own })
    expect([command, ended, out]).toEqual([command, code, code === 75 ? expect.stringContaining('Stop it first') : out])
    // from its own line of the help to that of the next command
    const help = HELP.split(/^ {2}loyer /m).find((part) => part.startsWith(`${command} `)) ?? ''
    expect([command, /while the\s+service is stopped/.test(help)]).toEqual([command, code === 75])
    for (const row of chapters.flatMap((text) => text.match(new RegExp(`^\\| \`loyer ${command}[ \`].*$`, 'm')) ?? []))
      expect([row, /stop the service first|arrêtez d’abord le service/.test(row)]).toEqual([row, code === 75])
  }
  expect(backups).toEqual([
    expect.stringContaining('needs the service stopped'),
    expect.stringContaining('service soit arrêté'),
  ])
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
}, 60_000)

test('who reads the first line only, as `head` does, ends the command without a complaint', async () => {
  const program = join(import.meta.dirname, '../../src/main.ts')
  const line = '"$0" "$1" openapi | head -c 1; exit $PIPESTATUS'
  const run = Bun.spawn(['bash', '-c', line, process.execPath, program], { stdout: 'pipe', stderr: 'pipe' })
  const [out, complaint] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  expect([out, complaint, await run.exited]).toEqual(['{', '', 0])
})
