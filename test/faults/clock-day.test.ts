// A machine's clock that goes exactly a day ahead and back again, while the service runs and while it does not.
import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codesOn, secretOn, step, totp } from '../support/factors.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import {
  authorizeUrl,
  Browser,
  codeOf,
  exchange,
  PASSWORD,
  type Page,
  PHONE,
  type Realm,
  refresh,
  type Tokens,
} from '../support/oidc.ts'
import { freePort, launch, type Server, startServer } from '../support/server.ts'
import { createIssuer, createKey, startKeyServer } from '../support/tokens.ts'

const DAY = 86_400_000
afterAll(cleaner())

/** A service whose machine's clock is set by the test. */
async function machine(name: string, env: Record<string, string> = {}) {
  const data = temporaryFolder(name)
  const CLOCK_FILE = join(data, '..', `${name}-${process.pid}.clock`)
  const port = await freePort()
  const clock = { CLOCK_FILE }
  writeFileSync(CLOCK_FILE, '0')
  return {
    data,
    port,
    start: () => startServer({ data, port, command: 'serve', env: { ...clock, ...env } }),
    async set(ms: number) {
      writeFileSync(CLOCK_FILE, String(ms))
      await Bun.sleep(300)
    },
  }
}
const statusOf = async (server: Server, token: string): Promise<number> =>
  (await server.call(token, 'GET /api/v1/me')).status
const clockOf = async (server: Server): Promise<unknown> => (await server.call('', 'GET /readyz')).body.clock
/** A code holds for 30 seconds: near their end it would be another one when it arrives. */
async function code(secret: string, steps: number): Promise<string> {
  while (Date.now() % 30_000 > 25_000) await Bun.sleep(200)
  return totp(secret, steps)
}

let own: Awaited<ReturnType<typeof machine>>
let server: Server
let realm: Realm
let secret = ''
let before: Tokens
const villa = (name: string) => ({ name, addressLine: 'Rue Njo-Njo', city: 'Douala' })
const made: string[] = []
async function make(token: string): Promise<number> {
  const { status, body } = await server.call(token, 'POST /api/v1/properties', villa(`Villa ${made.length}`))
  made.push(String(body.createdAt))
  return status
}
async function tokensOf(page: Page): Promise<Tokens> {
  expect([page.left, page.text.slice(0, 300)]).toEqual([true, ''])
  return (await exchange(realm, codeOf(new URL(page.url)))).body
}
const password = async (browser: Browser): Promise<Page> =>
  browser.submit(await browser.visit(authorizeUrl(realm, { acr_values: '2' })), { username: PHONE, password: PASSWORD })
/** Signs in with the password and the code that the phone shows, which goes by the right time. */
async function signIn(steps: number): Promise<Tokens> {
  const browser = new Browser(realm)
  return tokensOf(await step(browser, await password(browser), 'code', { code: await code(secret, steps) }))
}

/** A service of one person with a second factor, who is signed in. */
async function begin(): Promise<void> {
  made.length = 0
  own = await machine('day', { BACKUP_TO: join(temporaryFolder('day-backups'), 'kept') })
  const args = ['--phone', PHONE, '--role', 'OWNER,ADMIN', '--first-name', 'Awa', '--last-name', 'Ngo']
  const user = launch({ data: own.data, command: 'user create', args: [...args, '--password', PASSWORD] })
  expect((await user.end()).code).toBe(0)
  server = await own.start()
  realm = {
    issuer: `http://localhost:${own.port}/realms/svc`,
    fetch: (request) =>
      fetch(new Request(request.url.replace(`http://localhost:${own.port}`, server.base), request), {
        redirect: 'manual',
      }),
  }
  const browser = new Browser(realm)
  const setup = await password(browser)
  secret = secretOn(setup)
  const shown = await step(browser, setup, 'app', { code: await code(secret, -1) })
  expect(codesOn(shown)).toHaveLength(10)
  before = await tokensOf(await step(browser, shown, 'continue'))
  expect([await statusOf(server, before.access_token), await make(before.access_token)]).toEqual([200, 201])
}

test('a day ahead, the day back, a stop and a start, ahead once more: nobody is shut out, nothing expired comes back', async () => {
  await begin()
  // A day ahead: no clock to confirm; tokens of minutes are over, the session of weeks goes on.
  await own.set(DAY)
  expect(await clockOf(server)).toBeUndefined()
  expect(await statusOf(server, before.access_token)).toBe(401)
  let ahead: Tokens = (await refresh(realm, before.refresh_token)).body
  expect([await statusOf(server, ahead.access_token), await make(ahead.access_token)]).toEqual([200, 201])

  // The day back: it says so, what had expired stays so, what was given goes on, no date comes twice.
  await own.set(0)
  expect(await clockOf(server)).toBe('SET_BACK')
  expect(await statusOf(server, before.access_token)).toBe(401)
  expect([await statusOf(server, ahead.access_token), await make(ahead.access_token)]).toEqual([200, 201])
  ahead = (await refresh(realm, ahead.refresh_token)).body
  expect(await statusOf(server, ahead.access_token)).toBe(200)
  expect(made).toEqual(made.toSorted())

  // Then people sign in with the code of their phone, which was right all the time, and with each code once.
  expect(await statusOf(server, (await signIn(0)).access_token)).toBe(200)
  const browser = new Browser(realm)
  const again = await step(browser, await password(browser), 'code', { code: await code(secret, -1) })
  expect([again.left, again.text.includes('This code is not right')]).toEqual([false, true])

  // A backup has the service’s date, and the pages that watch over it tell the clock.
  const asked = await server.call(ahead.access_token, 'POST /api/v1/admin/backups', {})
  expect(asked.status).toBe(202)
  const look = async () => (await server.call(ahead.access_token, 'GET /api/v1/admin/backups')).body
  let seen = await look()
  for (let i = 0; i < 600 && seen.last === undefined; i++) {
    await Bun.sleep(100)
    seen = await look()
  }
  const at = Date.parse(String((seen.last as { createdAt: string }).createdAt))
  expect([seen.late, at > Date.now() + DAY / 2]).toEqual([false, true])
  const { body } = await server.call(ahead.access_token, 'GET /api/v1/admin/health')
  const of = (check: string) => (body.findings as { check: string; state: string }[]).find((f) => f.check === check)
  expect([of('CLOCK')?.state, of('BACKUPS')?.state]).toEqual(['BAD', 'GOOD'])

  // A stop and a start on the day before: the same; and ahead once more, nothing is to be told.
  expect((await server.end('SIGTERM')).code).toBe(0)
  server = await own.start()
  expect([await clockOf(server), server.output().includes('clock.was_wrong')]).toEqual(['SET_BACK', false])
  expect([await statusOf(server, before.access_token), await statusOf(server, ahead.access_token)]).toEqual([401, 200])
  expect([await make(ahead.access_token), made]).toEqual([201, made.toSorted()])
  await own.set(DAY + 60_000)
  expect(await clockOf(server)).toBeUndefined()
  await server.end('SIGTERM')
}, 180_000)

test('another machine’s provider: its tokens count by the clock that was set right, and no longer', async () => {
  const key = createKey('elsewhere')
  const keys = await startKeyServer([key.jwk])
  const auth = keys.url.replace('/certs', '')
  const one = await machine('elsewhere', { AUTH_URL: auth })
  const { mint } = createIssuer(`${auth}/realms/svc`, Date.now, key)
  const seconds = Math.floor(Date.now() / 1000)
  const over = mint({ claims: { iat: seconds - 900, exp: seconds - 600 } })
  await one.set(DAY)
  const other = await one.start()
  expect(await statusOf(other, mint())).toBe(401)
  await one.set(0)
  expect([await clockOf(other), await statusOf(other, mint()), await statusOf(other, over)]).toEqual([
    'SET_BACK',
    200,
    401,
  ])
  await other.end('SIGTERM')
  await keys.close()
}, 60_000)
