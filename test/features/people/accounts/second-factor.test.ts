// Sensitive operations and the second factor: who is asked, how recent it must be, and who takes it off.
import { afterAll, afterEach, beforeAll, expect, setSystemTime, test } from 'bun:test'
import { dropByOperator } from '../../../../src/features/people/accounts/second-factor.ts'
import { advance, begin, step, tokensOf, totp, withApp } from '../../../support/factors.ts'
import { Browser, PASSWORD, type TestIdentity } from '../../../support/oidc.ts'
import { ADA, ALI, createStaffApp, MIA, type StaffApp, USERS } from '../../../support/people.ts'

let app: StaffApp
let idp: TestIdentity
beforeAll(async () => {
  app = await createStaffApp()
  const { embedded, store, masterKey, config } = app.deps
  if (!embedded) throw new Error('no provider')
  idp = { ...embedded, store, masterKey, userId: '', logged: [], publicUrl: config.publicUrl }
})
afterAll(() => app.close())
afterEach(() => void setSystemTime())

const setting = (secondFactor: string, token: string) =>
  app.call('PATCH /api/v1/admin/organization', { secondFactor }, { token })
const news = (phone: string) => app.inbox(phone).filter(({ purpose }) => purpose === 'second_factor_changed')
const trail = () =>
  app
    .rows(
      "select action from audit_entry where action like 'user.second%' or action like 'user.recovery_code_use%' order by id",
    )
    .map(({ action }) => action)

const SENSITIVE: [line: string, body?: unknown][] = [
  [`POST ${USERS}`, { phoneNumber: '+237677222333', roles: ['OWNER'] }],
  [`PATCH ${USERS}/{id}`, { roles: ['OWNER'] }],
  [`DELETE ${USERS}/{id}`],
  [`POST ${USERS}/{id}/recovery-code`, {}],
  [`DELETE ${USERS}/{id}/second-factor`],
  ['PATCH /api/v1/admin/organization', { name: 'Autre' }],
  ['PATCH /api/v1/properties/{id}', { payTo: [{ method: 'MTN_MOMO', number: '+237677000009' }] }],
  ['PATCH /api/v1/properties/{id}', { name: 'Tour', payTo: null }],
  ['POST /api/v1/exports', {}],
  ['GET /api/v1/exports/{id}/download-url'],
  ['GET /api/v1/account/export'],
  ['POST /api/v1/admin/audit/archives', { before: '2026-01-01' }],
  ['GET /api/v1/admin/audit/archives/{id}/download-url'],
  ['DELETE /api/v1/account', { password: PASSWORD }],
  ['POST /api/v1/webhook-endpoints', { url: 'https://example.cm/hook' }],
  ['POST /api/v1/webhook-endpoints/{id}/rotate-secret', {}],
]

test('the setting, the sessions from before, and the way through', async () => {
  const old = await app.token(ADA, PASSWORD)
  const manager = await app.token(MIA, PASSWORD)
  expect((await setting('STAFF', manager)).status).toBe(403)
  expect((await setting('STAFF', old)).body).toMatchObject({ secondFactor: 'STAFF' })
  const victim = app.ids[MIA] ?? ''
  for (const [line, body] of SENSITIVE) {
    const answer = await app.call(line.replace('{id}', victim), body, { token: old })
    expect([line, answer.status, answer.body.code]).toEqual([line, 401, 'step_up_required'])
    expect(answer.headers.get('www-authenticate')).toContain(
      'error="insufficient_user_authentication", error_description="A recent second factor is required", acr_values="2", max_age=900',
    )
  }
  // What is not sensitive goes on; roles are told before a second factor is asked for; owners are not asked.
  expect((await app.call('GET /api/v1/properties', undefined, { token: old })).status).toBe(200)
  expect((await app.call(`PATCH /api/v1/properties/${victim}`, { name: 'Tour' }, { token: old })).status).toBe(404)
  expect((await app.call(`POST ${USERS}`, SENSITIVE[0]?.[1], { token: manager })).status).toBe(403)
  const owner = await app.token('+237677000001', 'pignon sur rue')
  expect((await app.call('POST /api/v1/exports', {}, { token: owner })).status).toBe(202)

  const ada = { username: ADA, password: PASSWORD }
  const { secret, codes, tokens, browser } = await withApp(idp, new Browser(idp), ada)
  const token = tokens.access_token
  expect((await app.call(`PATCH ${USERS}/${app.ids[ALI]}`, { roles: ['ADMIN'] }, { token })).status).toBe(200)
  expect(news(ADA)[0]?.text).toContain('deuxième étape')
  expect(trail()).toEqual(['user.second_factor_add'])

  // The same sign-in is too old after a quarter of an hour, also in a token that was refreshed meanwhile.
  for (let i = 0; i < 3; i++) advance(290)
  const { body } = await app.call('GET /api/v1/me', undefined, { token })
  expect(body.code).toBe('unauthorized')
  advance(31)
  const refreshed = await idp.fetch(
    new Request(`${idp.issuer}/protocol/openid-connect/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'svc-mobile',
        refresh_token: tokens.refresh_token,
      }).toString(),
    }),
    '203.0.113.9',
  )
  const later = ((await refreshed.json()) as { access_token: string }).access_token
  expect((await setting('STAFF', later)).body.code).toBe('step_up_required')
  const login = await begin(idp, browser, { acr_values: '2', max_age: '900' }, ada)
  const again = await tokensOf(idp, await step(browser, login, 'code', { code: totp(secret) }))
  expect((await setting('STAFF', again.access_token)).status).toBe(200)

  // A recovery code is told of.
  const other = new Browser(idp)
  await tokensOf(idp, await step(other, await begin(idp, other, {}, ada), 'code', { code: codes[0] ?? '' }))
  expect(news(ADA)[0]?.text).toContain('Il en reste 9')
  expect(trail()).toEqual(['user.second_factor_add', 'user.recovery_code_use'])
})

test('an ADMIN takes it off who lost it, never off themselves; the last way out is a command', async () => {
  setSystemTime(Date.now() + 3600_000)
  const ali = { username: ALI, password: PASSWORD }
  const mia = { username: MIA, password: PASSWORD }
  const lost = await withApp(idp, new Browser(idp), mia)
  const { tokens } = await withApp(idp, new Browser(idp), ali)
  const token = tokens.access_token
  const off = (phone: string) => app.call(`DELETE ${USERS}/${app.ids[phone]}/second-factor`, undefined, { token })
  expect((await off(ALI)).body.code).toBe('own_account')
  expect(
    (await app.call(`DELETE ${USERS}/${app.ids[ADA]}/second-factor`, undefined, { token: lost.tokens.access_token }))
      .status,
  ).toBe(403)
  expect((await off(MIA)).status).toBe(204)
  expect((await off(MIA)).body).toMatchObject({ code: 'invalid_state', currentStatus: 'NONE' })
  expect(news(MIA)[0]?.text).toContain('Un administrateur a retiré')
  expect(trail().at(-1)).toBe('user.second_factor_reset')
  // Her sessions ended; her next sign-in sets up another one.
  expect((await app.call('GET /api/v1/me', undefined, { token: lost.tokens.access_token })).status).toBe(401)
  expect((await begin(idp, new Browser(idp), {}, mia)).text).toContain('Protect your account')

  expect(await dropByOperator(app.deps, ALI)).toBe(true)
  expect(await dropByOperator(app.deps, ALI)).toBe(false)
  expect(idp.hasSecondFactor(app.ids[ALI] ?? '')).toBe(false)
})
