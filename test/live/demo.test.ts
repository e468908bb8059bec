// A demo that anybody may visit: nobody shuts the next one out, a reset puts all of it back, and its accounts, whose
// password is public, are never served to real people.
import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { launch, type Options, type Server, startServer } from '../support/server.ts'

afterAll(cleaner())
const PASSWORD = 'loyer-demo-2026'

const idOf = async (server: Server, role: string): Promise<string> =>
  String((await server.call(await server.token(role), 'GET /api/v1/me')).body.id)
async function say(data: string, command: NonNullable<Options['command']>, env = {}, args: readonly string[] = []) {
  const running = launch({ data, command, args, env })
  const { code } = await running.end()
  return { code, out: running.output() }
}
/** The names of a role's properties. */
async function namesOf(server: Server, role: string): Promise<string> {
  const headers = { authorization: `Bearer ${await server.token(role)}` }
  return (await fetch(`${server.base}/api/v1/properties`, { headers })).text()
}
const REAL = { LOYER_MODE: 'production' }

test('the lease that ended has an inspection, which proposes what was kept of the deposit', async () => {
  const server = await startServer({ data: temporaryFolder('demo-inspection'), command: 'demo' })
  const owner = await server.token('OWNER')
  const read = async (path: string) =>
    JSON.parse(
      await (await fetch(`${server.base}${path}`, { headers: { authorization: `Bearer ${owner}` } })).text(),
    ) as Record<string, unknown>[] & Record<string, unknown>
  const [one, begun, ...more] = await read('/api/v1/inspections')
  expect([one?.kind, one?.status, begun?.kind, begun?.status]).toEqual(['EXIT', 'PROPOSED', 'ENTRY', 'SIGNED'])
  expect([begun?.bookingId, more]).toEqual([one?.bookingId, []])
  const proposed = await read(`/api/v1/bookings/${one?.bookingId}/proposed-deductions`)
  const kept = (await read(`/api/v1/bookings/${one?.bookingId}/deposit`)).filter(({ type }) => type === 'DEDUCTED')
  expect(kept.map(({ amount }) => amount)).toEqual([proposed.totalAmount])
  await server.end('SIGTERM')
})

test('what would shut the next visitor out is refused; a reset puts the rest back', async () => {
  const data = temporaryFolder('demo')
  const server = await startServer({ data, command: 'demo', env: { SANDBOX_RESET: '24h', RATE_LIMITS: 'on' } })
  const [tenant, admin, owner, manager] = [
    await server.token('TENANT'),
    await server.token('ADMIN'),
    await idOf(server, 'OWNER'),
    await idOf(server, 'MANAGER'),
  ]
  const refused: [token: string, line: string, body: unknown][] = [
    [tenant, 'POST /api/v1/account/password', { currentPassword: PASSWORD, newPassword: 'un autre secret' }],
    [tenant, 'DELETE /api/v1/account', { password: PASSWORD }],
    [admin, `PATCH /api/v1/admin/users/${owner}`, { status: 'DISABLED' }],
    [admin, `PATCH /api/v1/admin/users/${owner}`, { roles: ['TENANT'] }],
    [admin, `PATCH /api/v1/admin/users/${manager}`, { propertyIds: [] }],
    [admin, `POST /api/v1/admin/users/${owner}/recovery-code`, undefined],
    [admin, 'PATCH /api/v1/admin/organization', { secondFactor: 'STAFF' }],
  ]
  for (const [token, line, body] of refused) {
    const { status, body: problem } = await server.call(token, line, body)
    expect([line, status, problem.code]).toEqual([line, 403, 'demo_account'])
  }
  const enter = async () =>
    (await server.call('', 'POST /api/v1/sandbox/token', { username: '+237677000004', password: PASSWORD })).status
  expect(await enter()).toBe(200)
  // Whoever mistypes a password that everybody knows makes nobody wait.
  const wrong = { username: '+237677000004', password: 'not that one' }
  for (let i = 0; i < 9; i++)
    expect((await server.call('', 'POST /api/v1/sandbox/token', wrong)).body.code).toBe('invalid_credentials')
  expect(await enter()).toBe(200)

  const made = { name: 'Villa du visiteur', addressLine: 'Rue 1', city: 'Douala' }
  await server.call(await server.token('OWNER'), 'POST /api/v1/properties', made)
  await server.call(admin, 'PATCH /api/v1/admin/organization', { name: 'Rebaptisée' })
  const day = String((await server.call('', 'POST /api/v1/sandbox/clock', { advanceDays: 300 })).body.now).slice(0, 10)
  const answers = await Promise.all([1, 2].map(() => server.call('', 'POST /api/v1/sandbox/reset')))
  // The second comes too late to be heard, and asks again in a few seconds.
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 503])
  expect((await server.call(tenant, 'GET /api/v1/me')).status).toBe(401)
  expect(await enter()).toBe(200)
  const again = await server.token('ADMIN')
  const names = await namesOf(server, 'ADMIN')
  expect(names).toContain('Résidence Bonamoussadi')
  expect(names).not.toContain('Villa du visiteur')
  expect((await server.call(again, 'GET /api/v1/organization')).body.name).not.toBe('Rebaptisée')
  expect(String((await server.call('', 'POST /api/v1/sandbox/clock', { advanceDays: 1 })).body.now) < day).toBe(true)

  // One stranger does not keep everybody else waiting.
  const more: number[] = []
  for (let i = 0; i < 6; i++) more.push((await server.call('', 'POST /api/v1/sandbox/reset')).status)
  expect(more).toEqual([204, 204, 204, 204, 204, 429])
  expect((await server.end('SIGTERM')).code).toBe(0)

  const served = await say(data, 'serve', REAL)
  expect([served.code, served.out]).toEqual([78, expect.stringContaining('loyer demo clear')])
  const cleared = await say(data, 'demo clear', REAL)
  expect([cleared.code, cleared.out]).toEqual([0, expect.stringContaining('is empty')])
  expect(existsSync(join(data, 'loyer.db'))).toBe(false)
  expect((await say(data, 'demo clear', REAL)).out).toContain('holds no demo')
}, 240_000)

test('killed in the middle of a reset: the next start begins the demo anew', async () => {
  const data = temporaryFolder('demo')
  const server = await startServer({ data, command: 'demo' })
  await server.call(await server.token('OWNER'), 'POST /api/v1/properties', {
    name: 'Reste',
    addressLine: 'x',
    city: 'x',
  })
  void server.call('', 'POST /api/v1/sandbox/reset').catch(() => {})
  for (const end = Date.now() + 10_000; Date.now() < end; await Bun.sleep(2))
    if (existsSync(join(data, 'demo.unfinished'))) break
  await server.end('SIGKILL')
  expect(existsSync(join(data, 'demo.unfinished'))).toBe(true)
  const again = await startServer({ data, command: 'demo' })
  const names = await namesOf(again, 'OWNER')
  expect(names).not.toContain('Reste')
  expect(names).toContain('Résidence Bonamoussadi')
  await again.end('SIGTERM')
}, 240_000)

test('people who signed up in a demo keep what they have when its accounts go', async () => {
  const data = temporaryFolder('demo')
  const first = await startServer({ data, command: 'demo' })
  await first.end('SIGTERM')
  const own = ['--phone', '+237699111222', '--first-name', 'Awa', '--last-name', 'Ngo', '--password', 'le mien à moi']
  const create = (role: string, phone: string) =>
    say(data, 'user create', { LOYER_MODE: 'sandbox' }, [...own, '--phone', phone, '--role', role])
  expect((await create('OWNER', '+237699111222')).code).toBe(0)
  // Nobody would be left to administer it.
  const early = await say(data, 'demo clear', REAL)
  expect([early.code, early.out]).toEqual([1, expect.stringContaining('Make an administrator first')])
  expect((await create('ADMIN', '+237699111223')).code).toBe(0)
  expect((await say(data, 'demo clear', REAL)).code).toBe(0)

  const server = await startServer({ data, command: 'serve' })
  const enter = async (username: string, password: string) =>
    (await server.call('', 'POST /api/v1/sandbox/token', { username, password })).status
  for (const n of [1, 2, 3, 4, 5]) expect(await enter(`+23767700000${n}`, PASSWORD)).toBe(401)
  expect(await enter('+237699111223', 'le mien à moi')).toBe(200)
  expect(await namesOf(server, 'ADMIN')).toContain('Résidence Bonamoussadi')
  expect((await server.call('', 'POST /api/v1/sandbox/reset')).status).toBe(404)
  await server.end('SIGTERM')
  expect(existsSync(join(data, 'loyer.db'))).toBe(true)
}, 240_000)
