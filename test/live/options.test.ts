// Options of the commands: one that a command does not have is refused before anything is done.
import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/commands/call.ts'
import { HELP, helpOf } from '../../src/commands/help.ts'
import { dataFolder } from '../support/backups.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { launch, type Options, type Server, startServer } from '../support/server.ts'

afterAll(cleaner())
const folder = temporaryFolder('options')

const foreign: readonly (readonly [
  command: NonNullable<Options['command']>,
  args: readonly string[],
  option: string,
])[] = [
  ['update', ['loyer-new', '--dry-run'], 'dry-run'],
  ['rollback', ['--check'], 'check'],
  ['restore', ['one.tar.zst', '--check'], 'check'],
  ['restore', ['one.tar.zst', '--to', 'elsewhere'], 'to'],
  ['backup', ['--dry-run'], 'dry-run'],
  ['import', ['all.zip', '--dry-run'], 'dry-run'],
  ['migrate', ['--dry-run'], 'dry-run'],
  ['keys new', ['--dry-run'], 'dry-run'],
  ['serve', ['--password', 'secret'], 'password'],
  ['demo', ['--domain', 'rent.example.cm'], 'domain'],
]
for (const [i, [command, args, option]] of foreign.entries())
  test(`loyer ${command} ${args.join(' ')}: refused, and no folder made`, async () => {
    const data = join(folder, String(i))
    const running = launch({ data, command, args })
    expect([(await running.end()).code, running.output()]).toEqual([
      64,
      expect.stringContaining(`\`loyer ${command}\` has no option --${option}. Nothing was done.`),
    ])
    expect(existsSync(data)).toBe(false)
  })

const empty: readonly (readonly [command: NonNullable<Options['command']>, args: readonly string[], named: string])[] =
  [
    ['backup', ['--to', ''], '--to: it is empty'],
    ['migrate', ['--config', ''], '--config: it is empty'],
    ['user create', ['--phone', '+237677000001', '--role', 'OWNER', '--role', ''], '--role: it is empty'],
    ['user password', ['--phone', '+237677000001', '--password='], '--password: it is empty'],
    ['verify', [''], '`loyer verify`: a word is empty'],
    ['export', [''], '`loyer export`: a word is empty'],
  ]
for (const [command, args, named] of empty)
  test(`loyer ${command} ${args.join(' ')}, empty as from an unset variable: refused, and no folder made`, async () => {
    const data = join(folder, 'empty')
    const running = launch({ data, command, args })
    expect([(await running.end()).code, running.output()]).toEqual([64, expect.stringContaining(named)])
    expect(existsSync(data)).toBe(false)
  })
test('loyer install --root "" does not install into this machine', async () => {
  expect(call(['install', '--root', ''])).rejects.toThrow('--root: it is empty. Nothing was done.')
  expect(call(['install', '--domain=', '--dry-run'])).rejects.toThrow('--domain: it is empty. Nothing was done.')
})

for (const to of ['S3://homes/b', 'http://storage', 's3:/homes', 's3://HOMES/b', 'Off'])
  test(`loyer backup --to ${to}: refused, and no folder made of it`, async () => {
    const data = await dataFolder('place')
    const running = launch({ data, command: 'backup', args: ['--to', to] })
    const { code } = await running.end()
    expect([code, running.output()]).toEqual([78, `${to} must be a folder, s3://bucket/prefix, or off\n`])
    expect(existsSync(`${to.split(':')[0]}:`)).toBe(false)
  })

const wrong: readonly (readonly [args: readonly string[], sentence: string])[] = [
  [['--frobnicate'], "Unknown option '--frobnicate'. Nothing was done"],
  [['-x'], "Unknown option '-x'. Nothing was done"],
  [['--to'], "Option '--to <value>' argument missing. Nothing was done"],
  [['--check=3'], "Option '--check' does not take an argument. Nothing was done"],
  [['elsewhere'], 'Say where to with --to FOLDER.'],
]
for (const [args, sentence] of wrong)
  test(`loyer backup ${args.join(' ')}: exit 64 with a sentence`, async () => {
    const data = join(folder, 'wrong')
    const running = launch({ data, command: 'backup', args })
    expect([(await running.end()).code, running.output()]).toEqual([64, expect.stringContaining(sentence)])
    expect(running.output()).not.toContain('positional')
    expect(existsSync(data)).toBe(false)
  })

test('the help of one command: its own lines, and where the others are', () => {
  const lines = (name: string) => helpOf(name).match(/^ {2}loyer .*$/gm)
  expect(lines('restore')).toEqual([
    '  loyer restore FILE [--plain] [--dry-run]',
    '  loyer --help lists all commands and options.',
  ])
  expect(helpOf('restore')).toContain('replace the current data by a backup')
  expect(lines('keycloak-realm')).toHaveLength(2)
  expect(helpOf('keycloak-realm')).not.toContain('--config')
  expect(helpOf('demo')).not.toContain('demo clear')
  expect(helpOf('demo clear')).toContain('prepare a demo')
  expect(helpOf('nothing')).toBe(HELP)
})

/** What a new service says until its setup link. */
async function told(server: Server): Promise<string> {
  while (!server.output().includes('/setup#')) await Bun.sleep(5)
  return server.output()
}
const attempt = async (server: Server, client: string): Promise<number> =>
  (await server.call('', 'POST /api/v1/setup', {}, { 'x-forwarded-for': client })).status
async function exhausted(server: Server): Promise<number> {
  let status = 0
  for (let i = 0; i < 500 && status !== 429; i++) status = await attempt(server, '203.0.113.1')
  return status
}
test('serve --domain: the address of links, what Caddy needs, and clients told apart by the proxy', async () => {
  const own = {
    data: join(folder, 'domain'),
    command: 'serve',
    env: { LOYER_MODE: 'production', RATE_LIMITS: 'on' },
  } as const
  const wrong = launch({ ...own, args: ['--domain', 'https://rent.example.cm'] })
  expect([(await wrong.end()).code, wrong.output()]).toEqual([64, expect.stringContaining('a name such as')])

  const server = await startServer({ ...own, args: ['--domain', 'rent.example.cm'] })
  expect(await told(server)).toContain(`  rent.example.cm {\n    reverse_proxy 127.0.0.1:${server.port}\n  }\n`)
  expect(server.output()).toContain('set PUBLIC_URL=https://rent.example.cm as well')
  expect(server.output()).toMatch(/https:\/\/rent\.example\.cm\/setup#/)
  // A stranger has few attempts at the setup: another one behind the proxy has attempts of his own.
  expect([await exhausted(server), await attempt(server, '203.0.113.2')]).toEqual([429, 422])
  await server.end('SIGTERM')

  // Settings of its own go before what the option assumes.
  const strict = await startServer({
    ...own,
    args: ['--domain', 'rent.example.cm'],
    env: { ...own.env, PUBLIC_URL: 'https://other.example.cm', TRUSTED_PROXIES: '198.51.100.1' },
  })
  expect(await told(strict)).toMatch(/https:\/\/rent\.example\.cm\/setup#/)
  expect([await exhausted(strict), await attempt(strict, '203.0.113.2')]).toEqual([429, 429])
  await strict.end('SIGTERM')
}, 60_000)
