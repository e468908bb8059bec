// A code that an ADMIN hands over to somebody who cannot receive one.
import { expect, test } from 'bun:test'
import { ADA, ALI, atRest, createStaffApp, MIA, USERS } from '../../../support/people.ts'

const { app, later, now } = await atRest(createStaffApp)

const complete = (challengeId: unknown, code: string, newPassword: string) =>
  app.call('POST /api/v1/account/password-reset/complete', { challengeId, code, newPassword })

test('a recovery code, handed over, completes a reset once', async () => {
  const number = app.newNumber()
  const { body } = await app.invite(ADA, number, ['OWNER'])
  await app.register(number)
  const path = `POST ${USERS}/${body.id}/recovery-code`
  expect((await app.as(MIA, path, {})).status).toBe(403)
  const dead = await app.as(ADA, path, {})
  const made = await app.as(ADA, path, {})
  expect(made.status).toBe(201)
  expect(String(made.body.code)).toMatch(/^\d{12}$/)
  expect(Date.parse(String(made.body.expiresAt)) - now()).toBe(24 * 3_600_000)
  expect(app.inbox(number)[0]).toMatchObject({ purpose: 'recovery_code_issued', code: null })
  const code = String(made.body.code)
  expect(
    JSON.stringify([app.rows('select * from challenge'), app.rows('select * from audit_entry'), app.inbox(number)]),
  ).not.toContain(code)

  const challengeId = await app.reset(number)
  expect((await complete(challengeId, String(dead.body.code), 'nouvelle phrase')).body.code).toBe('wrong_code')
  expect((await complete(await app.reset(ALI), code, 'nouvelle phrase')).body.code).toBe('wrong_code')
  expect((await complete(challengeId, code, '12345678')).body.code).toBe('weak_password')
  expect((await complete(challengeId, code, 'nouvelle phrase')).status).toBe(204)
  expect((await complete(challengeId, code, 'encore une phrase')).status).toBe(410)
  later(61)
  expect((await complete(await app.reset(number), code, 'encore une phrase')).body.code).toBe('wrong_code')
  expect((await app.call('POST /api/v1/sandbox/token', { username: number, password: 'nouvelle phrase' })).status).toBe(
    200,
  )
  expect(
    app.rows("select details from audit_entry where action = 'user.password_reset' and subject_id = ?", body.id),
  ).toEqual([{ details: '{"byRecoveryCode":true}' }])
})

test('a recovery code dies after a day, with a reset by other means, and is refused where it makes no sense', async () => {
  const number = app.newNumber()
  const { body } = await app.invite(ADA, number, ['OWNER'])
  const path = `POST ${USERS}/${body.id}/recovery-code`
  expect(await app.as(ADA, path, {})).toMatchObject({ status: 409, body: { currentStatus: 'INVITED' } })
  await app.register(number)
  const late = String((await app.as(ADA, path, {})).body.code)
  later(24 * 3600 + 1)
  expect((await complete(await app.reset(number), late, 'nouvelle phrase')).body.code).toBe('wrong_code')
  later(61)
  const unused = String((await app.as(ADA, path, {})).body.code)
  expect((await complete(await app.reset(number), app.lastCode(number), 'nouvelle phrase')).status).toBe(204)
  later(61)
  expect((await complete(await app.reset(number), unused, 'encore une phrase')).body.code).toBe('wrong_code')
  expect((await app.as(ADA, `POST ${USERS}/${app.ids[ADA]}/recovery-code`, {})).body.code).toBe('own_account')
  await app.as(ADA, `PATCH ${USERS}/${body.id}`, { status: 'DISABLED' })
  expect(await app.as(ADA, path, {})).toMatchObject({ status: 409, body: { currentStatus: 'DISABLED' } })
})

test('of many at once one takes a recovery code', async () => {
  const number = app.newNumber()
  const { body } = await app.invite(ADA, number, ['OWNER'])
  await app.register(number)
  const code = String((await app.as(ADA, `POST ${USERS}/${body.id}/recovery-code`, {})).body.code)
  const challengeId = await app.reset(number)
  const answers = await Promise.all(Array.from({ length: 20 }, () => complete(challengeId, code, 'nouvelle phrase')))
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
})
