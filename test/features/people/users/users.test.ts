// An ADMIN and the people of their organization: asking in, roles, disabling. Two organizations live side by side.
import { expect, test } from 'bun:test'
import { createApp } from '../../../../src/app.ts'
import { setPeer } from '../../../../src/http/request.ts'
import { PASSWORD } from '../../../support/oidc.ts'
import { ADA, ALI, atRest, createStaffApp, MIA, OTHER_ORG, USERS, ZOE } from '../../../support/people.ts'

const { app, later } = await atRest(createStaffApp)

const actions = (id: unknown) =>
  app.rows('select action from audit_entry where subject_id = ? order by id', id).map(({ action }) => action)

test('who is invited joins that organization with those roles, as the user who was listed before', async () => {
  const number = app.newNumber()
  const asked = await app.invite(ZOE, number, ['MANAGER', 'OWNER'], { firstName: 'Rose', locale: 'en' })
  expect(asked).toMatchObject({
    status: 201,
    body: { orgId: OTHER_ORG, status: 'INVITED', roles: ['OWNER', 'MANAGER'], phoneVerified: false, firstName: 'Rose' },
  })
  await app.work()
  expect(app.inbox(number)[0]).toMatchObject({ purpose: 'user_invited' })
  expect(app.inbox(number)[0]?.text).toContain('“Autre” invites you to Loyer')
  // Nobody is signed in by an invitation, and a reset of it is a decoy.
  expect((await app.call('POST /api/v1/sandbox/token', { username: number, password: PASSWORD })).status).toBe(401)
  expect((await app.call('POST /api/v1/account/password-reset/request', { phoneNumber: number })).status).toBe(202)
  expect(app.inbox(number)).toHaveLength(1)

  const made = await app.register(number)
  expect(made).toMatchObject({ status: 201, body: { userId: asked.body.id, username: number } })
  expect(await app.as(number, 'GET /api/v1/me')).toMatchObject({
    body: { id: asked.body.id, orgId: OTHER_ORG, roles: ['OWNER', 'MANAGER'], phoneVerified: true, lastName: 'Mbarga' },
  })
  expect(await app.as(ZOE, `GET ${USERS}/${asked.body.id}`)).toMatchObject({ status: 200, body: { status: 'ACTIVE' } })
  expect(actions(asked.body.id)).toEqual(['user.invite', 'user.register'])
  expect(app.rows('select count(*) n from app_user where phone_number = ?', number)).toEqual([{ n: 1 }])
})

test('an invitation goes before what a landlord entered, and finds the lease all the same', async () => {
  const number = app.newNumber()
  const tenant = await app.as(ALI, 'POST /api/v1/tenants', { fullName: 'Rose Mbarga', phoneNumber: number })
  const asked = await app.invite(ADA, number, ['TENANT', 'MANAGER'])
  await app.register(number)
  expect((await app.as(ALI, `GET /api/v1/tenants/${tenant.body.id}`)).body.userId).toBe(asked.body.id)
})

const refusals: [name: string, by: string, body: object, expected: string][] = [
  ['a user of one’s own organization', ADA, { phoneNumber: MIA, roles: ['OWNER'] }, '409 duplicate'],
  ['a user of another organization', ADA, { phoneNumber: ZOE, roles: ['OWNER'] }, '409 member_elsewhere'],
  ['no role', ADA, { phoneNumber: '+237699100001', roles: [] }, '422 validation_failed'],
  ['a role that is none', ADA, { phoneNumber: '+237699100001', roles: ['KING'] }, '422 validation_failed'],
  ['no number', ADA, { phoneNumber: '0677', roles: ['OWNER'] }, '422 validation_failed'],
  [
    'a status of one’s own choice',
    ADA,
    { phoneNumber: '+237699100001', roles: ['OWNER'], status: 'ACTIVE' },
    '422 validation_failed',
  ],
  ['as a manager', MIA, { phoneNumber: '+237699100001', roles: ['OWNER'] }, '403 forbidden'],
]
test.each(refusals)('an invitation is refused: %s', async (_name, by, body, expected) => {
  const before = app.rows('select * from app_user')
  const told = await app.as(by, `POST ${USERS}`, body)
  expect(`${told.status} ${told.body.code}`).toBe(expected)
  expect(app.rows('select * from app_user')).toEqual(before)
})

test('a number is invited once by an organization, and by several at a time', async () => {
  const number = app.newNumber()
  expect((await app.invite(ADA, number, ['OWNER'])).status).toBe(201)
  expect((await app.invite(ALI, number, ['OWNER'])).body.code).toBe('duplicate')
  expect((await app.invite(ZOE, number, ['ADMIN'])).status).toBe(201)
  // The first one counts.
  await app.register(number)
  expect((await app.as(number, 'GET /api/v1/me')).body).toMatchObject({ orgId: app.owner.orgId, roles: ['OWNER'] })
})

test('the same Idempotency-Key invites once, also after the number has registered', async () => {
  const number = app.newNumber()
  const token = await app.token(ADA, PASSWORD)
  const send = async () => {
    const request = new Request(`http://localhost${USERS}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'once' },
      body: JSON.stringify({ phoneNumber: number, roles: ['OWNER'] }),
    })
    const answer = await app.send(request)
    return [answer.status, ((await answer.json()) as { id: string }).id]
  }
  const first = await send()
  await app.register(number)
  expect(await send()).toEqual(first)
})

test('a withdrawn invitation is none: the number registers like a stranger’s', async () => {
  const number = app.newNumber()
  const { body } = await app.invite(ZOE, number, ['ADMIN'])
  expect((await app.as(ADA, `DELETE ${USERS}/${body.id}`)).status).toBe(404)
  expect((await app.as(ZOE, `PATCH ${USERS}/${body.id}`, { status: 'DISABLED' })).body.code).toBe('invalid_state')
  expect((await app.as(ZOE, `DELETE ${USERS}/${body.id}`)).status).toBe(204)
  expect((await app.as(ZOE, `GET ${USERS}/${body.id}`)).status).toBe(404)
  await app.register(number)
  expect((await app.as(number, 'GET /api/v1/me')).body).toMatchObject({ orgId: app.owner.orgId, roles: ['TENANT'] })
  expect(await app.as(ADA, `DELETE ${USERS}/${app.ids[MIA]}`)).toMatchObject({
    status: 409,
    body: { currentStatus: 'ACTIVE' },
  })
})

test('an invited number may receive codes whatever its country, until the invitation is withdrawn', async () => {
  const strict = createApp({ ...app.deps, config: { ...app.deps.config, allowedPhonePrefixes: ['+237'] } })
  const ask = async () => {
    const request = new Request('http://localhost/api/v1/registration/otp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phoneNumber: '+33612345678' }),
    })
    setPeer(request, '10.3.0.1')
    return (await strict.handle(request)).status
  }
  expect(await ask()).toBe(422)
  const { body } = await app.invite(ADA, '+33612345678', ['OWNER'])
  expect(await ask()).toBe(202)
  await app.as(ADA, `DELETE ${USERS}/${body.id}`)
  expect(await ask()).toBe(422)
})

test('a role taken away is gone from tokens in use; one added comes with the next token', async () => {
  const number = app.newNumber()
  const { body } = await app.invite(ADA, number, ['TENANT', 'MANAGER'])
  await app.register(number)
  const token = await app.token(number, PASSWORD)
  const tenants = (t: string) => app.call('GET /api/v1/tenants', undefined, { token: t })
  expect((await tenants(token)).status).toBe(200)
  const changed = await app.as(ADA, `PATCH ${USERS}/${body.id}`, { roles: ['TENANT', 'TENANT'] })
  expect(changed).toMatchObject({ status: 200, body: { roles: ['TENANT'] } })
  expect((await tenants(token)).status).toBe(403)
  expect((await app.call('GET /api/v1/me', undefined, { token })).body.roles).toEqual(['TENANT'])
  await app.as(ADA, `PATCH ${USERS}/${body.id}`, { roles: ['TENANT', 'ADMIN'] })
  expect((await app.call(`GET ${USERS}`, undefined, { token })).status).toBe(403)
  expect((await app.as(number, `GET ${USERS}`)).status).toBe(200)
  await app.as(ADA, `PATCH ${USERS}/${body.id}`, { roles: ['TENANT', 'ADMIN'] })
  expect(actions(body.id).filter((a) => a === 'user.roles')).toHaveLength(2)
  expect((await app.work()) > 0 && app.rows("select kind, last_error from job where status <> 'DONE'")).toEqual([])
  expect((await app.as(ADA, `GET ${USERS}/${body.id}`)).headers.get('etag')).toBeString()
  await app.as(ADA, `PATCH ${USERS}/${body.id}`, { roles: ['TENANT'] })
})

test('nobody takes their own administration away, nor the last one of an organization', async () => {
  for (const body of [{ roles: ['OWNER'] }, { status: 'DISABLED' }])
    expect((await app.as(ADA, `PATCH ${USERS}/${app.ids[ADA]}`, body)).body.code).toBe('own_account')
  expect((await app.as(ZOE, `PATCH ${USERS}/${app.ids[ZOE]}`, { roles: ['OWNER'] })).body.code).toBe('own_account')
  // Each takes the other's at the same moment: one of them stays.
  const [a, b] = await Promise.all([app.token(ADA, PASSWORD), app.token(ALI, PASSWORD)])
  for (const token of [a, b]) await app.call('GET /api/v1/me', undefined, { token })
  const answers = await Promise.all([
    app.call(`PATCH ${USERS}/${app.ids[ALI]}`, { roles: ['OWNER'] }, { token: a }),
    app.call(`PATCH ${USERS}/${app.ids[ADA]}`, { status: 'DISABLED' }, { token: b }),
  ])
  expect(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`).sort()).toEqual(['200 ', '409 last_admin'])
  expect((await app.as(ADA, `PATCH ${USERS}/${app.ids[ALI]}`, { roles: ['OWNER', 'ADMIN'] })).status).toBe(200)
})

test('disabling ends everything at once; enabling lets in again, and revives no session', async () => {
  const tokens = (await app.call('POST /api/v1/sandbox/token', { username: MIA, password: PASSWORD })).body
  const token = String(tokens.access_token)
  expect((await app.call('GET /api/v1/me', undefined, { token })).status).toBe(200)
  later(2)
  const disabled = await app.as(ADA, `PATCH ${USERS}/${app.ids[MIA]}`, { status: 'DISABLED' })
  expect(disabled).toMatchObject({ status: 200, body: { status: 'DISABLED', roles: ['MANAGER'] } })
  const knock = async () => [
    (await app.call('GET /api/v1/me', undefined, { token })).status,
    (
      await app.send(
        new Request('http://localhost/realms/svc/protocol/openid-connect/token', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            client_id: 'svc-mobile',
            refresh_token: String(tokens.refresh_token),
          }).toString(),
        }),
      )
    ).status,
  ]
  expect(await knock()).toEqual([401, 400])
  expect((await app.call('POST /api/v1/sandbox/token', { username: MIA, password: PASSWORD })).status).toBe(401)
  const etag = disabled.headers.get('etag')
  expect((await app.as(ADA, `GET ${USERS}/${app.ids[MIA]}`)).headers.get('etag')).toBe(etag)
  later(2)
  expect((await app.as(ADA, `PATCH ${USERS}/${app.ids[MIA]}`, { status: 'ACTIVE' })).body.status).toBe('ACTIVE')
  expect(await knock()).toEqual([401, 400])
  expect((await app.as(MIA, 'GET /api/v1/me')).status).toBe(200)
  expect(actions(app.ids[MIA]).slice(-2)).toEqual(['user.disable', 'user.enable'])
})

test('users of another organization are not there', async () => {
  const before = app.rows('select * from app_user')
  const stranger = app.ids[MIA]
  for (const line of [
    `GET ${USERS}/${stranger}`,
    `PATCH ${USERS}/${stranger}`,
    `DELETE ${USERS}/${stranger}`,
    `POST ${USERS}/${stranger}/recovery-code`,
  ]) {
    const told = await app.as(
      ZOE,
      line,
      line.startsWith('GET') ? undefined : line.startsWith('PATCH') ? { status: 'DISABLED' } : {},
    )
    expect([line, told.status]).toEqual([line, 404])
  }
  const seen = (await app.as(ZOE, `GET ${USERS}?limit=200`)).body as unknown as { orgId: string }[]
  expect(new Set(seen.map(({ orgId }) => orgId))).toEqual(new Set([OTHER_ORG]))
  expect(app.rows('select * from app_user')).toEqual(before)
})
