// Secrets and numbers go through every door, the good way and all the bad ones; then everything that is kept is searched.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OutgoingMessage } from '../../src/adapters/messaging/port.ts'
import { addUser } from '../../src/features/people/accounts/account.ts'
import { createLog } from '../../src/log.ts'
import { textOf } from '../support/app.ts'
import { createCanaries } from '../support/canaries.ts'
import { PDF } from '../support/files.ts'
import { contents } from '../support/folder.ts'
import { authorizeUrl, Browser, exchange, post, refresh, type TestIdentity } from '../support/oidc.ts'
import { createPeopleApp, type PeopleApp, type Told, wrong } from '../support/people.ts'

const WEBHOOK_TOKEN = 'canary-token-of-the-vendor'
const REDIRECT = 'http://localhost:3000/app/callback'
const lines: string[] = []
let app: PeopleApp
/** What may be in few places only. */
const numbers = { first: '+237699887701', second: '+237699887702', stranger: '+237699887703', invited: '+237699887704' }
const answers: { line: string; told: Told }[] = []
const { secrets, codes, secret, heard, dialled } = createCanaries(Object.values(numbers))
secret('webhook token', WEBHOOK_TOKEN)
const password = (words: string): string => secret('password', `canary ${words} 7531`)
async function call(line: string, body?: unknown, token?: string): Promise<Told> {
  const told = await app.call(line, body, { ...(token === undefined ? {} : { token }), from: '41.202.7.7' })
  answers.push({ line, told })
  return told
}
const ownersToken = async (): Promise<string> =>
  secret('access token', (await app.deps.embedded?.issueTokens(app.owner.userId))?.access_token)
const lastCode = (): string => codes.at(-1) ?? ''

beforeAll(async () => {
  const log = createLog((line) => lines.push(line), Date.now)
  app = await createPeopleApp(
    { LOYER_MODE: 'production', WEBHOOK_SMSVENDOR_TOKEN: WEBHOOK_TOKEN, OIDC_REDIRECT_URIS: REDIRECT },
    log,
  )
  // What is decided to be sent, before any vendor has it.
  Object.assign(app.deps.messenger, {
    mute: false,
    prepare: (_tx: unknown, m: OutgoingMessage) => void (m.code !== undefined && codes.push(m.code)),
  })
})
afterAll(() => app.close())

async function register(phoneNumber: string, words: string): Promise<string> {
  const { body } = await call('POST /api/v1/registration/otp', { phoneNumber })
  const code = lastCode()
  const verify = (given: string) =>
    call('POST /api/v1/registration/otp/verify', { challengeId: body.challengeId, code: given })
  expect((await verify(wrong(code))).status).toBe(422)
  const ticket = secret('ticket', (await verify(code)).body.ticket)
  expect((await verify(code)).status).toBe(410)
  const versions = (await call('GET /api/v1/legal/versions')).body
  const complete = (more: object = {}) =>
    call('POST /api/v1/registration/complete', {
      ticket,
      firstName: 'Awa',
      lastName: 'Ngo',
      password: password(words),
      acceptedTermsVersion: versions.termsVersion,
      acceptedPrivacyVersion: versions.privacyVersion,
      ...more,
    })
  for (const more of [
    { acceptedTermsVersion: 'old' },
    { password: phoneNumber },
    { password: 'x' },
    { phoneNumber },
    { email: phoneNumber },
  ])
    expect((await complete(more)).status).toBe(422)
  expect((await complete()).status).toBe(201)
  expect((await complete()).status).toBe(422)
  return [...secrets.values()].at(-1) ?? ''
}

/** On the sign-in page, with a wrong password first; the tokens of the code it gives. */
async function signIn(username: string, given: string): Promise<string> {
  const { embedded } = app.deps
  if (!embedded) throw new Error('no provider')
  const idp = { ...embedded, fetch: (request: Request) => app.send(request) } as unknown as TestIdentity
  const browser = new Browser(idp)
  const page = await browser.visit(authorizeUrl(idp, { redirect_uri: REDIRECT }))
  const refused = await browser.submit(page, { username, password: password('wrong') })
  expect(refused.left).toBe(false)
  const done = await browser.submit(refused, { username, password: given })
  const code = secret('authorization code', new URL(done.url).searchParams.get('code'))
  const { body } = await exchange(idp, code, { redirect_uri: REDIRECT })
  secret('id token', body.id_token)
  secret('refresh token', body.refresh_token)
  const again = await refresh(idp, body.refresh_token)
  secret('refresh token', again.body.refresh_token)
  secret('access token', body.access_token)
  // Those of a sign-in under way are as good as the address of its page, which they are bound to.
  for (const [name, { value }] of browser.cookies) if (name.includes('session')) secret('session cookie', value)
  const grant = { grant_type: 'password', client_id: 'svc-mobile', username, password: given }
  expect((await post(idp, grant)).status).toBe(400)
  // With the right address it would end the tokens that the code gave.
  expect((await exchange(idp, code, { redirect_uri: `${REDIRECT}/other` })).status).toBe(400)
  return secret('access token', again.body.access_token)
}

async function papers(token: string): Promise<void> {
  const me = (await call('GET /api/v1/me', undefined, token)).body
  const about = {
    ownerType: 'VERIFICATION',
    ownerId: me.id,
    kind: 'DOCUMENT',
    filename: 'x.pdf',
    contentType: 'application/pdf',
    sizeBytes: PDF.length,
  }
  const made = (await call('POST /api/v1/media', about, token)).body
  const { url, headers } = made.upload as { url: string; headers: Record<string, string> }
  secret('upload signature', new URL(url).searchParams.get('sig'))
  const put = (to: string) => app.send(new Request(to, { method: 'PUT', headers, body: new Uint8Array(PDF) }))
  expect((await put(url.replace('exp=', 'exp=9'))).status).toBe(403)
  expect((await put(url)).status).toBe(204)
  expect((await call(`POST /api/v1/media/${made.id}/complete`, {}, token)).status).toBe(200)
  const link = String((await call(`GET /api/v1/media/${made.id}/download-url`, undefined, token)).body.url)
  secret('download signature', new URL(link).searchParams.get('sig'))
  expect((await app.send(new Request(link))).status).toBe(200)
  const kyc = (await call('POST /api/v1/verification/kyc', {}, token)).body
  await call(`POST /api/v1/verification/kyc/${kyc.id}/documents`, { mediaObjectId: made.id, role: 'SELF_ID' }, token)
  expect((await call(`POST /api/v1/verification/kyc/${kyc.id}/submit`, {}, token)).status).toBe(200)
}

/** Every flow, and every way in which it fails. */
async function everyFlow(): Promise<void> {
  for (const fullName of ['Paul', 'Paul again'])
    await call('POST /api/v1/tenants', { fullName, phoneNumber: numbers.invited }, await ownersToken())
  const first = await register(numbers.first, 'first')
  await register(numbers.invited, 'invited')
  const token = await signIn(numbers.first, first)
  await papers(token)

  const asked = (await call('POST /api/v1/account/phone/verification/otp', {}, token)).body
  for (const code of [wrong(lastCode()), lastCode()])
    await call('POST /api/v1/account/phone/verification/verify', { challengeId: asked.challengeId, code }, token)
  for (const newPhoneNumber of [numbers.first, numbers.invited, numbers.second]) {
    const { body } = await call('POST /api/v1/account/phone/otp', { newPhoneNumber }, token)
    if (newPhoneNumber !== numbers.second) continue
    for (const code of [wrong(lastCode()), lastCode()])
      await call('POST /api/v1/account/phone/verify', { challengeId: body.challengeId, code }, token)
  }
  const second = password('second')
  await call('POST /api/v1/account/password', { currentPassword: password('not mine'), newPassword: second }, token)
  await call('POST /api/v1/account/password', { currentPassword: first, newPassword: second }, token)

  await call('POST /api/v1/account/password-reset/request', { phoneNumber: numbers.stranger })
  const { body } = await call('POST /api/v1/account/password-reset/request', { phoneNumber: numbers.second })
  const third = password('third')
  const reset = (code: string, newPassword: string) =>
    call('POST /api/v1/account/password-reset/complete', { challengeId: body.challengeId, code, newPassword })
  expect((await reset(wrong(lastCode()), third)).status).toBe(422)
  expect((await reset(lastCode(), numbers.second)).status).toBe(422)
  expect((await reset(lastCode(), third)).status).toBe(204)
  expect((await reset(lastCode(), third)).status).toBe(410)
  await signIn(numbers.second, third)
  const { userId } = await addUser(app.deps, { phone: '+237677000009', roles: ['ADMIN'], password: password('admin') })
  const admin = secret('access token', (await app.deps.embedded?.issueTokens(userId))?.access_token)
  const handed = await call(`POST /api/v1/admin/users/${app.owner.userId}/recovery-code`, {}, admin)
  secret('recovery code', handed.body.code)

  for (const to of [numbers.second.slice(1), numbers.stranger])
    for (const status of ['delivered', `failed for ${to}`])
      await call(`POST /webhooks/smsvendor/dlr?token=${WEBHOOK_TOKEN}`, {
        ...{ messageId: `m-${to}`, to, status, error: { name: `no ${to}`, id: `E${to}` }, text: `code ${lastCode()}` },
      })
  await call('POST /webhooks/smsvendor/dlr?token=canary-token-of-another', { to: numbers.second })
  expect(codes.length).toBeGreaterThan(4)
}

/** Every route, with secrets wherever something can be sent. */
async function everyRoute(): Promise<void> {
  const token = await ownersToken()
  const body = {
    phoneNumber: numbers.stranger,
    newPhoneNumber: `${numbers.stranger}x`,
    password: password('anywhere'),
    newPassword: password('anywhere new'),
    ticket: secret('ticket', 'canary-ticket-that-is-none'),
    code: 'canary-code',
    challengeId: secret('challenge', 'canary-challenge-that-is-none'),
  }
  secrets.set('code', 'canary-code')
  const statuses = new Set<number>()
  for (const { method, path } of app.routes()) {
    const to = path.replace(/:\w+/g, 'canary-path-7531').replace('*', 'x')
    const query = `?token=${secrets.get('code')}&sig=canary-sig-7531&q=${encodeURIComponent(numbers.stranger)}`
    for (const [as, given] of [
      [undefined, JSON.stringify(body)],
      ['canary-bearer-7531', JSON.stringify(body)],
      [token, JSON.stringify(body)],
      [token, `{"password":"${body.password}`],
    ] as const) {
      const response = await app.send(
        new Request(`http://localhost${to}${query}`, {
          method,
          headers: {
            'content-type': 'application/json',
            cookie: 'x=canary-cookie-7531',
            ...(as ? { authorization: `Bearer ${as}` } : {}),
          },
          ...(['GET', 'HEAD'].includes(method) ? {} : { body: given }),
        }),
      )
      statuses.add(response.status)
      const text = await textOf(response).catch(() => '')
      answers.push({
        line: `${method} ${path}`,
        told: { status: response.status, headers: response.headers, body: { text: response.status < 400 ? '' : text } },
      })
    }
  }
  for (const word of ['bearer', 'cookie', 'sig']) secrets.set(word, `canary-${word}-7531`)
  expect([...statuses].filter((status) => status >= 500 && status !== 503)).toEqual([])
}

/** Faults of our own say nothing either. */
async function ownFaults(): Promise<void> {
  const client = app.deps.store.client
  const { body } = await call('POST /api/v1/registration/otp', { phoneNumber: numbers.stranger })
  const { ticket } = (
    await call('POST /api/v1/registration/otp/verify', { challengeId: body.challengeId, code: lastCode() })
  ).body
  const versions = (await call('GET /api/v1/legal/versions')).body
  client.exec('alter table consent rename to consent_gone')
  const told = await call('POST /api/v1/registration/complete', {
    ticket: secret('ticket', ticket),
    firstName: 'Awa',
    lastName: 'Ngo',
    password: password('of a fault'),
    acceptedTermsVersion: versions.termsVersion,
    acceptedPrivacyVersion: versions.privacyVersion,
  })
  client.exec('alter table consent_gone rename to consent')
  expect(told).toMatchObject({ status: 503, body: { code: 'account_unavailable' } })
  const asAdapter = (send: unknown) => Object.assign(app.deps.messenger, { send })
  const owner = await ownersToken()
  const ask = () => call('POST /api/v1/account/phone/verification/otp', {}, owner)
  asAdapter(() => Promise.reject(new Error(`the vendor cannot reach ${numbers.stranger.slice(1)}`)))
  expect((await ask()).status).toBe(200)
  expect(lines.some((line) => line.includes('the vendor cannot reach'))).toBe(true)
  asAdapter(async () => ({ took: false, reason: 'refused', again: false, fault: 'message' }))
  const other = { phoneNumber: '+237699887799' }
  expect((await call('POST /api/v1/registration/otp', other)).status).toBe(503)
}

beforeAll(async () => {
  await everyFlow()
  await everyRoute()
  await ownFaults()
}, 180_000)

test('no log line, metric or refusal holds any of it', async () => {
  expect(lines.length).toBeGreaterThan(100)
  const log = lines.join('')
  expect(heard(log)).toEqual([])
  expect(dialled(log)).toEqual([])
  const metrics = app.deps.observer.text({})
  expect([...heard(metrics), ...dialled(metrics)]).toEqual([])
  for (const { line, told } of answers) {
    if (told.status < 400) continue
    const text = JSON.stringify(told.body) + JSON.stringify([...told.headers])
    const found = [...heard(text), ...dialled(text)]
    expect({ line, status: told.status, found }).toEqual({ line, status: told.status, found: [] })
  }
})

const NUMBERS_MAY_BE_IN =
  'app_user.phone_number app_user.username challenge.phone_number code_send.phone_number code_send.subject ' +
  'phone_undo.new_number phone_undo.old_number registration_ticket.phone_number tenant.phone_number search_data.block'
test('no column of any table holds a secret, and a number stands only where it belongs', () => {
  const tables = app.rows("select name from sqlite_master where type = 'table'").map(({ name }) => String(name))
  const foundSecrets: string[] = []
  const foundNumbers = new Set<string>()
  let rows = 0
  for (const table of tables)
    for (const row of app.rows(`select * from "${table}"`)) {
      rows += 1
      for (const [column, value] of Object.entries(row)) {
        const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
        foundSecrets.push(...heard(text).map((name) => `${table}.${column}: ${name}`))
        if (dialled(text).length > 0) foundNumbers.add(`${table}.${column}`)
      }
    }
  expect(rows).toBeGreaterThan(50)
  expect(foundSecrets).toEqual([])
  expect([...foundNumbers].filter((place) => !NUMBERS_MAY_BE_IN.split(' ').includes(place))).toEqual([])
  // Otherwise nothing was looked for.
  expect(foundNumbers.size).toBeGreaterThan(3)
})

test('no file of the data folder holds a secret', () => {
  const { dataDir } = app.deps.config
  const names = Object.keys(contents(dataDir))
  expect(names).toContain('loyer.db')
  for (const name of names) {
    const text = readFileSync(join(dataDir, name)).toString('latin1')
    expect({ name, found: [...secrets].filter(([, value]) => text.includes(value)).map(([n]) => n) }).toEqual({
      name,
      found: [],
    })
  }
})
