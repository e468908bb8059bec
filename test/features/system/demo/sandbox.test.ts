// What only a sandbox has: tokens for the asking, what was sent to phones, and a date that moves on.
import { expect, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { atRest, createPeopleApp } from '../../../support/people.ts'

const { app } = await atRest(createPeopleApp)
const { app: real } = await atRest(() => createPeopleApp({ LOYER_MODE: 'production' }))
const SANDBOX = '/api/v1/sandbox'
const TOM = '+237677000002'
await addUser(app.deps, { phone: TOM, roles: ['TENANT'], password: 'autre phrase ici' })

test.each([
  ['a role', { role: 'OWNER' }, 200, undefined],
  ['a number and its password', { username: TOM, password: 'autre phrase ici' }, 200, undefined],
  ['a role that nobody has', { role: 'MANAGER' }, 404, 'not_found'],
  ['another password', { username: TOM, password: 'une autre phrase' }, 401, 'invalid_credentials'],
  ['a number alone', { username: TOM }, 422, 'validation_failed'],
  ['nothing', {}, 422, 'validation_failed'],
  ['a role of none', { role: 'KING' }, 422, 'validation_failed'],
])('a token for %s', async (_what, body, status, code) => {
  const answer = await app.call(`POST ${SANDBOX}/token`, body)
  expect([answer.status, answer.body.code]).toEqual([status, code])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const token = String(answer.body.access_token)
  const me = await app.call('GET /api/v1/me', undefined, { token })
  expect(me.status).toBe(status === 200 ? 200 : 401)
})

test('messages are those of a number, however it is typed, newest first; another number has none', async () => {
  for (const phoneNumber of [TOM, '+237677000003'])
    await app.call('POST /api/v1/account/password-reset/request', { phoneNumber })
  await app.call('POST /api/v1/registration/otp', { phoneNumber: '+237677000004' })
  const to = async (query: string) =>
    ((await app.call(`GET ${SANDBOX}/messages${query}`)).body as unknown as { to: string }[]).map((m) => m.to)
  expect(await to('')).toEqual(['+237677000004', TOM])
  expect(await to('?to=677000002')).toEqual([TOM])
  expect(await to(`?to=${encodeURIComponent(TOM)}`)).toEqual([TOM])
  expect(await to('?to=%2B237677000003')).toEqual([])
})

test('the date moves on by whole days, a year at most, and never back', async () => {
  const now = Date.parse('2026-03-10T08:00:00.000Z')
  for (const advanceDays of [0, -1, 367, 1.5, 'two'])
    expect((await app.call(`POST ${SANDBOX}/clock`, { advanceDays })).status).toBe(422)
  expect(app.deps.clock.now()).toBe(now)
  const answer = await app.call(`POST ${SANDBOX}/clock`, { advanceDays: 31 })
  expect(answer.body).toEqual({ now: '2026-04-10T08:00:00.000Z' })
})

test.each(['POST /token', 'POST /clock', 'POST /reset', 'GET /messages'])('elsewhere there is no %s', async (line) => {
  const [method, path] = line.split(' ')
  const asked = await real.call(`${method} ${SANDBOX}${path}`, method === 'POST' ? { role: 'OWNER' } : undefined)
  expect([asked.status, asked.body.code]).toEqual([401, 'unauthorized'])
  expect(real.routes().filter((route) => route.path.startsWith(SANDBOX))).toEqual([])
})
