import { expect, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { createPeopleApp, eachAtRest, type PeopleApp, wrong } from '../../../support/people.ts'

const NUMBER = '+237677000001'
const FREE = '+237699445566'
const PASSWORD = 'pignon sur rue'
let app: PeopleApp
const { later } = eachAtRest(async () => {
  app = await createPeopleApp()
  await addUser(app.deps, { phone: '+237655000002', roles: ['TENANT'], password: 'autre phrase ici' })
  return app
})

test('phone change: own number, taken number, wrong code, right code; both numbers are told', async () => {
  const token = await app.token(NUMBER, PASSWORD)
  const ask = (newPhoneNumber: string) => app.call('POST /api/v1/account/phone/otp', { newPhoneNumber }, { token })
  expect(await ask(NUMBER)).toMatchObject({ status: 422, body: { code: 'own_number' } })
  expect(await ask('+237655000002')).toMatchObject({ status: 409, body: { code: 'duplicate' } })
  expect((await ask('0677')).status).toBe(422)
  const asked = await ask(FREE)
  expect(asked).toMatchObject({ status: 200, body: { channel: 'WHATSAPP', maskedDestination: '+237•••••••66' } })
  expect(app.inbox(NUMBER)).toEqual([])
  const verify = (code: string) =>
    app.call('POST /api/v1/account/phone/verify', { challengeId: asked.body.challengeId, code }, { token })
  const code = app.lastCode(FREE)
  expect((await verify(wrong(code))).body.code).toBe('wrong_code')
  expect(await verify(code)).toMatchObject({
    status: 200,
    body: { phoneNumber: FREE, username: FREE, phoneVerified: true },
  })
  expect((await verify(code)).status).toBe(410)
  expect(app.inbox(NUMBER).map((m) => m.purpose)).toEqual(['phone_changed'])
  expect(app.inbox(FREE)[0]?.text).not.toContain(FREE)
  expect((await app.call('POST /api/v1/sandbox/token', { username: NUMBER, password: PASSWORD })).status).toBe(401)
  expect(
    (await app.call('GET /api/v1/me', undefined, { token: await app.token(FREE, PASSWORD) })).body.phoneNumber,
  ).toBe(FREE)
})

test('a code of one account is nobody else’s, and of one purpose for no other', async () => {
  const owner = await app.token(NUMBER, PASSWORD)
  const tenant = await app.token('+237655000002', 'autre phrase ici')
  const asked = await app.call('POST /api/v1/account/phone/verification/otp', {}, { token: tenant })
  expect(asked).toMatchObject({ status: 200, body: { maskedDestination: '+237•••••••02' } })
  expect(
    (await app.call('POST /api/v1/account/phone/verification/otp', { phoneNumber: NUMBER }, { token: tenant })).status,
  ).toBe(422)
  const body = { challengeId: asked.body.challengeId, code: app.lastCode('+237655000002') }
  expect((await app.call('POST /api/v1/account/phone/verification/verify', body, { token: owner })).status).toBe(410)
  expect((await app.call('POST /api/v1/account/phone/verify', body, { token: tenant })).status).toBe(410)
  expect((await app.call('POST /api/v1/registration/otp/verify', body)).status).toBe(410)
  expect((await app.call('POST /api/v1/account/phone/verification/verify', body, { token: tenant })).status).toBe(200)
})

test('a forgotten password: every number is answered alike; the code sets a new one and ends all sessions', async () => {
  later(3600)
  const token = await app.token(NUMBER, PASSWORD)
  later(2)
  const ask = (phoneNumber: string) =>
    app.call(
      'POST /api/v1/account/password-reset/request',
      { phoneNumber },
      { from: `10.1.${phoneNumber.slice(-2)}.1` },
    )
  const known = await ask(NUMBER)
  const unknown = await ask('+237699445577')
  expect([known.status, unknown.status]).toEqual([202, 202])
  expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body))
  expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()])
  expect(app.inbox('+237699445577')).toEqual([])

  const complete = (challengeId: unknown, code: string, newPassword = 'nouvelle phrase') =>
    app.call('POST /api/v1/account/password-reset/complete', { challengeId, code, newPassword })
  for (let i = 0; i < 5; i++) expect((await complete(unknown.body.challengeId, '123456')).status).toBe(422)
  expect((await complete(unknown.body.challengeId, '123456')).status).toBe(429)
  expect((await complete(crypto.randomUUID(), '123456')).status).toBe(410)

  const code = app.lastCode(NUMBER)
  expect((await complete(known.body.challengeId, code, '12345678')).body.code).toBe('weak_password')
  expect((await complete(known.body.challengeId, wrong(code))).status).toBe(422)
  expect((await complete(known.body.challengeId, code)).status).toBe(204)
  expect((await complete(known.body.challengeId, code)).status).toBe(410)
  expect((await app.call('GET /api/v1/me', undefined, { token })).status).toBe(401)
  expect((await app.call('POST /api/v1/sandbox/token', { username: NUMBER, password: PASSWORD })).status).toBe(401)
  later(1)
  expect(
    (await app.call('GET /api/v1/me', undefined, { token: await app.token(NUMBER, 'nouvelle phrase') })).status,
  ).toBe(200)
  expect(app.inbox(NUMBER)[0]?.purpose).toBe('password_changed')
})

test('changing the password while signed in asks for the present one', async () => {
  const token = await app.token('+237655000002', 'autre phrase ici')
  const change = (currentPassword: string, newPassword: string) =>
    app.call('POST /api/v1/account/password', { currentPassword, newPassword }, { token })
  expect(await change('pas la bonne', 'encore une phrase')).toMatchObject({
    status: 422,
    body: { errors: [{ path: '/currentPassword' }] },
  })
  expect((await change('autre phrase ici', 'court')).status).toBe(422)
  expect((await change('autre phrase ici', 'encore une phrase')).status).toBe(204)
  expect(
    (await app.call('POST /api/v1/sandbox/token', { username: '+237655000002', password: 'autre phrase ici' })).status,
  ).toBe(401)
})

test('legal texts: current versions, both languages, nothing else', async () => {
  const { body } = await app.call('GET /api/v1/legal/versions')
  expect(body).toEqual({ termsVersion: '2026-11-23', privacyVersion: '2026-11-23', effectiveOn: '2026-11-23' })
  expect((await app.call('GET /api/v1/legal/terms/2026-11-23?locale=fr')).body.text).toContain(
    'Conditions d’utilisation',
  )
  expect((await app.call('GET /api/v1/legal/privacy/2026-11-23', undefined, { language: 'en' })).body.text).toContain(
    'Data protection',
  )
  for (const path of ['terms/2020-01-01', 'cookies/2026-11-23', 'terms/..%2f..%2fmaster.key'])
    expect((await app.call(`GET /api/v1/legal/${path}`)).status).toBe(404)
})

test.each([
  ['too short', 'court', 'validation_failed'],
  ['in every list of leaked ones', 'password123456', 'weak_password'],
  ['the number itself', '+237655000009', 'weak_password'],
])(
  'an account that the operator makes, with a password %s, is refused, and nothing is made',
  async (_, password, code) => {
    const made = () =>
      JSON.stringify(['app_user', 'credential', 'organization'].map((table) => app.rows(`select * from ${table}`)))
    const before = made()
    const user = { phone: '+237655000009', roles: ['OWNER'], orgName: 'Neuve', password } as const
    await expect(addUser(app.deps, user)).rejects.toMatchObject({ code })
    expect(made()).toBe(before)
  },
)
