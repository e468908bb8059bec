// The first run of a server: what may be reached, who gets in, and that it happens once.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../../../src/app.ts'
import { loadConfig } from '../../../../src/config.ts'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { silentLog } from '../../../../src/log.ts'
import { assetPath } from '../../../../src/web/serve.ts'
import { buildDeps } from '../../../../src/wiring.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'fr-CM' }
const FORM = { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:3000' }
const PERSON = {
  organizationName: 'Agence Bonamoussadi',
  firstName: 'Odile',
  lastName: 'Owona',
  phoneNumber: '+237677000001',
  password: 'trois mangues mûres',
  locale: 'en',
}
type Json = Record<string, unknown>

/** A server on an empty folder, at its first start. */
async function empty(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'loyer-setup-'))
  const config = loadConfig({ LOYER_DATA: folder, LOYER_MODE: 'sandbox', RATE_LIMITS: 'off', ...env })
  const { deps, close } = await buildDeps(config, silentLog)
  const app = createApp(deps)
  afterAll(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })
  const send = (line: string, init: RequestInit = {}) => {
    const [method = 'GET', path = '/'] = line.split(' ')
    return app.handle(new Request(`http://localhost:3000${path}`, { method, ...init }))
  }
  const post = async (body: Json): Promise<{ status: number; body: Json }> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await send('POST /api/v1/setup', { headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as Json }
  }
  const form = (fields: Record<string, string>, headers: Record<string, string> = FORM) =>
    send('POST /setup', { headers, body: new URLSearchParams(fields).toString() })
  const count = (table: string): unknown => deps.store.client.prepare(`select count(*) n from ${table}`).get()
  return { deps, send, post, form, count, begin: async () => (await deps.setup?.begin()) ?? '' }
}

describe('before it is set up', async () => {
  const server = await empty()
  await server.begin()
  test.each([
    ['GET /healthz', {}, 200, ''],
    ['GET /readyz', {}, 200, ''],
    ['GET /setup', BROWSER, 200, 'Installer Loyer'],
    ['GET /setup?lang=en', BROWSER, 200, 'Set up Loyer'],
    ['GET /realms/svc/resources/login.css', BROWSER, 200, '--brand'],
    [`GET ${assetPath('verify/page.css')}`, BROWSER, 200, '{'],
    [`GET ${assetPath('ui/setup/fill.js')}`, BROWSER, 200, 'location.hash'],
    ['GET /', BROWSER, 302, ''],
    ['GET /console', BROWSER, 503, 'lien qu’il a affiché dans son terminal'],
    ['GET /portal', BROWSER, 503, 'dans son terminal'],
    ['GET /register', BROWSER, 503, 'dans son terminal'],
    ['GET /demo', BROWSER, 503, 'dans son terminal'],
    ['GET /nowhere', BROWSER, 503, 'dans son terminal'],
    ['GET /docs', BROWSER, 503, 'dans son terminal'],
    ['GET /api/v1/me', {}, 503, '"code":"not_set_up"'],
    ['GET /openapi.json', {}, 503, '"code":"not_set_up"'],
    ['GET /realms/svc/.well-known/openid-configuration', {}, 503, '"code":"not_set_up"'],
    ['POST /api/v1/registration/otp', {}, 503, '"code":"not_set_up"'],
    ['POST /api/v1/sandbox/token', {}, 503, '"code":"not_set_up"'],
  ])('%s', async (line, headers, status, says) => {
    const answer = await server.send(line, { headers })
    expect(answer.status).toBe(status)
    if (status === 302) expect(answer.headers.get('location')).toBe('/setup')
    expect(await answer.text()).toContain(says)
  })
})

describe('the link', async () => {
  const server = await empty()
  const first = await server.begin()
  const token = await server.begin()

  test('its token is kept as a digest alone', () => {
    const kept = JSON.stringify(server.deps.store.client.prepare('select * from setting').all())
    expect(Buffer.from(token, 'base64url').length).toBe(32)
    expect([kept.includes(token), kept.includes(first), kept.includes('setup.digest')]).toEqual([false, false, true])
  })

  test.each([
    ['the token of an earlier start', { token: first }, 403, 'setup_link_invalid'],
    ['a made-up token', { token: 'x'.repeat(43) }, 403, 'setup_link_invalid'],
    ['the empty digest', { token: '' }, 422, 'validation_failed'],
    ['a short password', { password: 'short' }, 422, 'validation_failed'],
    ['a common password', { password: 'password1' }, 422, 'weak_password'],
    ['no number of Cameroon', { phoneNumber: '+2376770001' }, 422, 'validation_failed'],
    ['no name', { organizationName: '' }, 422, 'validation_failed'],
    ['a member nobody asked for', { roles: ['ADMIN'] }, 422, 'validation_failed'],
  ])('%s: refused, and nothing is made', async (_what, more, status, code) => {
    const answer = await server.post({ ...PERSON, token, ...more })
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect([server.count('app_user'), server.count('organization')]).toEqual([{ n: 0 }, { n: 0 }])
  })

  test('used twice at once: one account, which signs in and administers; then never again', async () => {
    const server = await empty()
    const token = await server.begin()
    const answers = await Promise.all([
      server.post({ ...PERSON, token }),
      server.post({ ...PERSON, token, phoneNumber: '+237677000002' }),
    ])
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [201, undefined],
      [409, 'already_set_up'],
    ])
    expect([server.count('app_user'), server.count('organization')]).toEqual([{ n: 1 }, { n: 1 }])
    expect(await server.begin()).toBe('')
    expect((await server.post({ ...PERSON, token })).status).toBe(409)
    const { username, organizationId } = answers[0]?.body ?? {}
    const signedIn = await server.send('POST /api/v1/sandbox/token', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: PERSON.password }),
    })
    const { access_token } = (await signedIn.json()) as Json
    const get = async (path: string) =>
      (await server.send(`GET ${path}`, { headers: { authorization: `Bearer ${access_token}` } })).json()
    expect(await get('/api/v1/me')).toMatchObject({ roles: ['OWNER', 'ADMIN'], phoneVerified: true, locale: 'en' })
    expect(await get('/api/v1/admin/organization')).toMatchObject({
      id: organizationId,
      name: PERSON.organizationName,
      locale: 'en',
      timeZone: 'Africa/Douala',
    })
  })
})

test('wrong tokens are bounded', async () => {
  const server = await empty({ RATE_LIMITS: 'on' })
  await server.begin()
  const statuses = new Set<number>()
  for (let n = 0; n < 15; n++) statuses.add((await server.post({ ...PERSON, token: `guess-${n}` })).status)
  expect([...statuses]).toEqual([403, 429])
})

test('the operator’s own ways set a server up too', async () => {
  const server = await empty()
  const token = await server.begin()
  await addUser(server.deps, { phone: '+237677000009', roles: ['ADMIN'], password: 'trois mangues mûres' })
  expect((await server.send('GET /healthz')).status).toBe(200)
  expect((await server.send('GET /api/v1/me')).status).toBe(401)
  expect((await server.post({ ...PERSON, token })).status).toBe(409)
  const page = await server.send('GET /setup', { headers: BROWSER })
  expect([page.status, (await page.text()).includes('déjà installé')]).toEqual([200, true])
})

describe('the page', async () => {
  const server = await empty()
  const typedAt = async (at: typeof server) => ({
    ...PERSON,
    phoneNumber: '677 00 00 01',
    token: `http://localhost:3000/setup#${await at.begin()}`,
  })
  const typed = await typedAt(server)

  test.each([
    [
      'a form of another site',
      typed,
      { ...FORM, origin: 'https://elsewhere.example' },
      403,
      'ne vient pas de ce service',
    ],
    ['a form of nowhere', typed, { ...FORM, origin: 'null' }, 403, 'ne vient pas de ce service'],
    ['a wrong link', { ...typed, token: 'abc' }, FORM, 422, 'Ce lien n’est pas le bon'],
    ['a wrong number', { ...typed, phoneNumber: '12' }, FORM, 422, 'il a neuf chiffres et commence par 6'],
    ['a short password', { ...typed, password: 'court' }, FORM, 422, 'de 8 à 128 caractères'],
    ['a common password', { ...typed, password: 'password1' }, FORM, 422, 'trop facile à deviner'],
  ])(
    '%s: nothing is made, what was typed is kept, but not the password',
    async (_what, fields, headers, status, says) => {
      const answer = await server.form(fields, headers)
      const text = await answer.text()
      expect([answer.status, text.includes(says)]).toEqual([status, true])
      if (status === 422) expect(text).toContain('value="Agence Bonamoussadi"')
      expect(text).not.toContain(fields.password)
      expect(server.count('app_user')).toEqual({ n: 0 })
    },
  )

  test('it leads to the console, signed in', async () => {
    const server = await empty()
    const typed = await typedAt(server)
    const answer = await server.form(typed)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console'])
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    expect(answer.headers.getSetCookie()[0]).toMatch(/^loyer_session=.*; httponly/i)
    const home = await server.send('GET /', { headers: { ...BROWSER, cookie } })
    expect([home.status, home.headers.get('location')]).toEqual([302, '/console'])
    const twice = await server.form(typed)
    expect([twice.status, (await twice.text()).includes('déjà installé')]).toEqual([409, true])
  })
})
