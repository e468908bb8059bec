// What doctor and the health page find: each fault is named with what to do about it; only the operator's ADMIN reads it.
import { afterAll, expect, test } from 'bun:test'
import { chmodSync, closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../../../../db/open.ts'
import { readState } from '../../../../src/adapters/backups/run.ts'
import { createApp } from '../../../../src/app.ts'
import { lastGood } from '../../../../src/features/system/backups/rules.ts'
import { type Ask, checkService, findingsOf } from '../../../../src/features/system/health/checks.ts'
import {
  CHECKS,
  type Check,
  type Facts,
  type Finding,
  type State,
} from '../../../../src/features/system/health/rules.ts'
import { createObserver } from '../../../../src/http/observe.ts'
import { setPeer } from '../../../../src/http/request.ts'
import { silentLog } from '../../../../src/log.ts'
import { createTestApp } from '../../../support/app.ts'
import { cleaner, temporaryFolder } from '../../../support/folder.ts'
import { launch, startServer } from '../../../support/server.ts'

afterAll(cleaner())
const NOW = Date.parse('2026-03-10T08:00:00.000Z')
const HOUR = 3_600_000
const FINE: Facts = {
  sandbox: false,
  publicUrl: 'https://rent.example.cm',
  rateLimits: true,
  trustsProxies: true,
  folder: '/var/lib/loyer',
  timeZone: 'Africa/Douala',
  wall: NOW,
  mark: NOW,
  disk: { free: 50e9, total: 100e9, database: 1e9 },
  writable: true,
  exposed: false,
  damage: [],
  failedJobs: 0,
  lateMs: 0,
  vendor: 'infobip',
  vendorReply: 'GOOD',
  external: false,
  proxyReply: 'GOOD',
  backupAt: NOW - 5 * HOUR,
}

test('a sound server: eleven findings, all good', () => {
  const found = findingsOf(FINE)
  expect(found.map(({ check, state }) => `${check} ${state}`)).toEqual(CHECKS.map((check) => `${check} GOOD`))
  expect(found.find(({ check }) => check === 'TIME_ZONE')?.text.en).toContain('Africa/Douala, where it is 09:00')
})

const faults: [check: Check, state: State, about: Partial<Facts>, told: RegExp][] = [
  ['SETTINGS', 'WARNING', { sandbox: true }, /LOYER_MODE=production/],
  ['SETTINGS', 'WARNING', { publicUrl: 'http://localhost:3000' }, /lead to this machine only/],
  ['SETTINGS', 'BAD', { publicUrl: 'http://rent.example.cm' }, /not https/],
  ['SETTINGS', 'BAD', { rateLimits: false }, /RATE_LIMITS/],
  ['CLOCK', 'BAD', { mark: NOW + 2 * HOUR }, /NTP/],
  ['CLOCK', 'BAD', { clock: 'SET_BACK' }, /NTP/],
  ['CLOCK', 'BAD', { clock: 'LEAPT' }, /loyer clock confirm/],
  ['DISK', 'WARNING', { disk: { free: 900e6, total: 1e9, database: 1e6 } }, /^Only 858 MB/],
  ['DISK', 'WARNING', { disk: { free: 5e9, total: 9e9, database: 3e9 } }, /copy of the database/],
  ['DISK', 'BAD', { disk: { free: 100e6, total: 1e9, database: 1e6 } }, /Make room now/],
  ['PERMISSIONS', 'BAD', { writable: false }, /chown -R loyer: \/var\/lib\/loyer$/],
  [
    'PERMISSIONS',
    'WARNING',
    { stranger: { path: '/var/lib/loyer/media', giveBack: 'sudo chown -R 7:7 /var/lib/loyer' } },
    /media .*: sudo chown -R 7:7 \/var\/lib\/loyer$/,
  ],
  ['PERMISSIONS', 'WARNING', { exposed: true }, /chmod 700 \/var\/lib\/loyer$/],
  ['INTEGRITY', 'BAD', { damage: ['row 3 missing'] }, /restore the last good backup/],
  ['INTEGRITY', 'BAD', { wrong: 2 }, /did not balance in 2 places .*`loyer check`/],
  ['INTEGRITY', 'BAD', { trouble: { en: 'Gone.', fr: 'Parti.' } }, /^Gone\.$/],
  ['JOBS', 'WARNING', { failedJobs: 1 }, /^One piece of work/],
  ['JOBS', 'WARNING', { failedJobs: 3 }, /^3 pieces of work/],
  ['JOBS', 'BAD', { lateMs: 20 * 60_000, failedJobs: 3 }, /for 20 minutes/],
  ['MESSAGING', 'WARNING', { vendor: 'log' }, /Set MESSAGING/],
  ['MESSAGING', 'BAD', { vendorReply: 'UNREACHABLE' }, /^infobip does not answer/],
  ['MESSAGING', 'BAD', { vendorPaused: true }, /message\.not_taken/],
  ['ISSUER', 'BAD', { external: true, issuerReply: 'UNREACHABLE' }, /nobody new can sign in/],
  ['ISSUER', 'BAD', { external: true, issuerReply: 'WRONG' }, /loyer keycloak-realm/],
  ['PROXY', 'BAD', { proxyReply: 'UNREACHABLE' }, /firewall/],
  ['PROXY', 'BAD', { proxyReply: 'WRONG' }, /Host header/],
  ['PROXY', 'WARNING', { trustsProxies: false }, /TRUSTED_PROXIES/],
  ['PROXY', 'WARNING', { untrustedProxy: true, sandbox: false }, /TRUSTED_PROXIES=127\.0\.0\.1,::1/],
  ['BACKUPS', 'WARNING', { backupAt: undefined }, /handbook\/backup/],
  ['BACKUPS', 'BAD', { backupAt: NOW - 49 * HOUR }, /49 hours old/],
]
test.each(faults)('%s is %s for %p, and no other check changes', (check, state, about, told) => {
  const found = findingsOf({ ...FINE, ...about })
  const own = found.find((finding) => finding.check === check)
  expect([own?.state, own?.text.en]).toEqual([state, expect.stringMatching(told)])
  const others = found.filter((finding) => finding.check !== check && finding.state !== 'GOOD')
  const besides =
    check === 'SETTINGS' && about.publicUrl?.startsWith('http:') ? others.filter((o) => o.check !== 'PROXY') : others
  expect(besides).toEqual([])
})

const counted: [about: Partial<Facts>, en: RegExp, fr: RegExp][] = [
  [{ backupAt: NOW }, / is less than an hour old\.$/, / date de moins d’une heure\.$/],
  [{ backupAt: NOW - HOUR }, / is an hour old\.$/, / date d’une heure\.$/],
  [{ backupAt: NOW - 2 * HOUR }, / is 2 hours old\.$/, / date de 2 heures\.$/],
  [{ backupAt: NOW - 72 * HOUR }, / is 72 hours old\. Look/, / date de 72 heures\. Cherchez/],
]
test.each(counted)('%p: one, none and many each have their words, in both languages', (about, en, fr) => {
  const { text } = findingsOf({ ...FINE, ...about }).find(({ text }) => en.test(text.en)) ?? {
    text: { en: '', fr: '' },
  }
  expect([text.en, text.fr]).toEqual([expect.stringMatching(en), expect.stringMatching(fr)])
})

test('both languages say it, the French with the blanks of French', () => {
  for (const [, , about] of faults)
    for (const { text } of findingsOf({ ...FINE, ...about })) {
      expect(text.fr).not.toBe(text.en)
      expect(text.fr).not.toMatch(/ [:;?!]/)
    }
})

const production = { authUrl: 'https://id.example.cm', publicUrl: 'https://rent.example.cm', sandbox: false }
const issuer = '{"issuer":"https://id.example.cm/realms/svc"}'
const answers: [name: string, ask: Ask, issuer: State, proxy: State][] = [
  [
    'all answer',
    async (url, headers = {}) =>
      url.includes('openid')
        ? new Response(issuer)
        : new Response('{}', { headers: { 'x-request-id': headers['x-request-id'] ?? '' } }),
    'GOOD',
    'WARNING',
  ],
  ['nobody answers', () => Promise.reject(new TypeError('no route')), 'BAD', 'BAD'],
  ['another server answers', async () => new Response('<p>Welcome to nginx!'), 'BAD', 'BAD'],
  ['another issuer answers', async () => new Response('{"issuer":"https://evil.example/realms/svc"}'), 'BAD', 'BAD'],
]
test.each(answers)('%s', async (_name, ask, issuerState, proxyState) => {
  const t = createTestApp({ config: production })
  const found = await checkService(t.deps, ask)
  const state = (check: Check) => found.find((finding) => finding.check === check)?.state
  expect([state('ISSUER'), state('PROXY')]).toEqual([issuerState, proxyState])
})

test('a proxy on this machine that is not trusted is told of once in the log, and to the ADMIN', async () => {
  const forwarded = { 'x-forwarded-for': '41.202.219.7' }
  const cases: [trusted: string[], peer: string, headers: Record<string, string>, told: boolean][] = [
    [[], '127.0.0.1', forwarded, true],
    [[], '::1', { 'x-real-ip': '41.202.219.7' }, true],
    [[], '::ffff:127.0.0.1', { forwarded: 'for=41.202.219.7' }, true],
    [['198.51.100.1'], '127.0.0.1', forwarded, true],
    [['127.0.0.1'], '127.0.0.1', forwarded, false],
    [[], '127.0.0.1', {}, false],
    [[], '41.202.219.9', forwarded, false],
  ]
  for (const [trustedProxies, peer, headers, told] of cases) {
    const t = createTestApp({ config: { trustedProxies } })
    const events: string[] = []
    const observer = createObserver({ ...silentLog, warn: (event) => void events.push(event) })
    const app = createApp(Object.assign(t.deps, { observer }))
    for (let times = 0; times < 3; times += 1) {
      const request = new Request('http://localhost/healthz', { headers })
      setPeer(request, peer)
      expect((await app.fetch(request)).status).toBe(200)
    }
    const { findings } = (await t.call<{ findings: Finding[] }>('ADMIN.ada', 'GET /api/v1/admin/health')).body
    const proxy = findings.find(({ check }) => check === 'PROXY')
    expect([peer, headers, events, proxy?.state]).toEqual([
      peer,
      headers,
      told ? ['proxy.untrusted'] : [],
      told ? 'WARNING' : 'GOOD',
    ])
  }
})

test('a sandbox asks no other server', async () => {
  const t = createTestApp()
  let asked = 0
  await checkService(t.deps, async () => {
    asked += 1
    return new Response()
  })
  expect(asked).toBe(0)
})

test('the page is for the ADMIN of the organization that operates the server, and for nobody else', async () => {
  const t = createTestApp()
  const first = await t.call('ADMIN.ada', 'GET /api/v1/admin/health')
  expect([first.status, first.body.state]).toEqual([200, 'WARNING'])
  expect((first.body.findings as unknown[]).length).toBe(CHECKS.length)
  for (const [who, status] of [
    ['OWNER.ana', 403],
    ['MANAGER.mia', 403],
    ['TENANT.tom', 403],
    ['ADMIN.ada~second', 403],
    [undefined, 401],
  ] as const)
    expect([who, (await t.call(who, 'GET /api/v1/admin/health')).status]).toEqual([who, status])
})

test('the last backup is read from the file that backups leave; a broken one is no backup', () => {
  const data = temporaryFolder('state')
  const file = join(data, 'backups', 'state.json')
  const lastBackup = (folder: string) => lastGood(readState(folder), NOW)
  expect(lastBackup(data)).toBeUndefined()
  mkdirSync(join(data, 'backups'))
  for (const text of [
    '{',
    'null',
    '[]',
    '{"failed":{"at":"2026-03-10T01:00:00.000Z"}}',
    '{"last":{"createdAt":"soon"}}',
  ]) {
    writeFileSync(file, text)
    expect([text, lastBackup(data)]).toEqual([text, undefined])
  }
  const last = { name: 'a.tar.zst', sizeBytes: 5, createdAt: '2026-03-10T03:00:00.000Z', encrypted: true }
  writeFileSync(file, JSON.stringify({ last, backups: [{ ...last, createdAt: '2026-03-09T03:00:00.000Z' }] }))
  expect(lastBackup(data)).toBe(Date.parse('2026-03-10T03:00:00.000Z'))
})

test('loyer doctor says it beside a running service, and of a folder that has none', async () => {
  const data = join(temporaryFolder('doctor'), 'data')
  const doctor = async (env: Record<string, string>, folder = data) => {
    const running = launch({ data: folder, command: 'doctor', env: { LC_ALL: 'C', ...env } })
    return { code: (await running.end()).code, out: running.output() }
  }
  const none = await doctor({}, join(data, 'nowhere'))
  expect([none.code, none.out]).toEqual([1, expect.stringContaining('holds no database')])
  const server = await startServer({ data })
  const beside = await doctor({})
  expect([beside.code, beside.out]).toEqual([0, expect.stringContaining(`LOYER_DATA=${data}\n`)])
  expect(beside.out).toMatch(/^warn {2}SETTINGS .*LOYER_MODE=production/m)
  expect(beside.out).toMatch(/^ok {4}INTEGRITY {4}The database is whole\.$/m)
  expect(beside.out.match(/^(ok|warn|BAD) /gm)?.length).toBe(CHECKS.length)
  // it reads, and the service goes on writing
  expect(
    (await server.call(await server.token(), 'POST /api/v1/properties', { name: 'V', addressLine: 'R', city: 'D' }))
      .status,
  ).toBe(201)
  chmodSync(data, 0o755)
  const bad = { LOYER_MODE: 'production', RATE_LIMITS: 'off', PUBLIC_URL: 'https://rent.invalid' }
  const wrong = await doctor({ ...bad, LC_ALL: 'fr_CM.UTF-8' })
  await server.end('SIGTERM')
  expect(wrong.code).toBe(1)
  expect(wrong.out).toMatch(/^BAD {3}SETTINGS .*RATE_LIMITS vaut off/m)
  expect(wrong.out).toMatch(/^BAD {3}PROXY .*n’est pas joignable/m)
  expect(wrong.out).toMatch(/^warn {2}PERMISSIONS .*chmod 700/m)
  expect(wrong.out).not.toMatch(/Error|at .*\.ts/)
}, 60_000)

test.each([
  ['the page with its schema', 100],
  ['its first bytes', 0],
])('loyer doctor of a database damaged in %s: all findings, and that a backup must be restored', async (_where, at) => {
  const data = join(temporaryFolder('doctor-damaged'), 'data')
  const run = async (command: 'migrate' | 'doctor') => {
    const running = launch({ data, command, env: { LC_ALL: 'C' } })
    return { code: (await running.end()).code, out: running.output() }
  }
  expect((await run('migrate')).code).toBe(0)
  const file = openSync(join(data, 'loyer.db'), 'r+')
  writeSync(file, Buffer.alloc(8, 0xee), 0, 8, at)
  closeSync(file)
  const { code, out } = await run('doctor')
  expect(code).toBe(1)
  expect(out).toMatch(/^BAD {3}INTEGRITY .*restore/m)
  expect(out.match(/^(ok|warn|BAD) /gm)?.length).toBe(CHECKS.length)
  expect(out).not.toMatch(/malformed|Error|at .*\.ts/)
})

test.each([
  ['is gone', (_file: string) => {}],
  ['is another one', (file: string) => writeFileSync(file, '')],
])('a service whose database %s: bad, and never called whole or in memory', async (_name, instead) => {
  const file = join(temporaryFolder('checks-gone'), 'loyer.db')
  const store = openStore(file)
  renameSync(file, `${file}.away`)
  instead(file)
  const found = await checkService({ ...createTestApp().deps, store })
  const about = found.find(({ check }) => check === 'INTEGRITY')
  expect(about?.state).toBe('BAD')
  expect(about?.text.en).toContain('nothing is saved')
  expect(found.map(({ text }) => text.en).join()).not.toContain('in memory')
  renameSync(`${file}.away`, file)
  const again = await checkService({ ...createTestApp().deps, store })
  expect(again.find(({ check }) => check === 'INTEGRITY')?.state).toBe('GOOD')
  await store.close()
})

test('loyer doctor of a database of another program: not called sound', async () => {
  const data = join(temporaryFolder('doctor-other'), 'data')
  mkdirSync(data, { mode: 0o700 })
  const other = new Database(join(data, 'loyer.db'))
  other.exec('create table song (title text)')
  other.close()
  const running = launch({ data, command: 'doctor', env: { LOYER_LOCALE: 'en' } })
  expect((await running.end()).code).toBe(1)
  expect(running.output()).toContain('is no database of this service')
})
