// Another number for an account: who asks is proved anew where the sign-in is old.
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { ACCOUNT, claims, createNumbersApp, type NumbersApp, PASSWORD, told } from '../../../support/numbers.ts'

let app: NumbersApp
beforeAll(async () => {
  app = await createNumbersApp()
})
afterAll(async () => {
  await app.close()
  setSystemTime()
})

describe('a sign-in older than five minutes', () => {
  test('stands in the access token, from the sign-in to the last refresh', async () => {
    const { number } = await app.person()
    const tokens = await app.signIn(number)
    expect(claims(tokens.access_token).auth_time).toBe(app.seconds())
    app.later(200)
    expect(claims(await app.refreshed(tokens)).auth_time).toBe(app.seconds() - 200)
  })

  test('is asked for the password or a code; just under five minutes it is not', async () => {
    const { number } = await app.person()
    const tokens = await app.signIn(number)
    app.later(299)
    expect((await app.ask(await app.refreshed(tokens), app.newNumber())).status).toBe(200)
    const token = await app.oldToken(number)
    const refused = await app.ask(token, app.newNumber())
    expect(told(refused)).toBe('403 reauthentication_required')
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer realm="svc", error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="300"',
    )
    expect(refused.body.detail).toContain('currentPassword')
    // Nothing is told of whose a number is.
    expect(told(await app.ask(token, '+237677000001'))).toBe('403 reauthentication_required')
  })

  test('the password: right, wrong, and wrong so often that the account waits', async () => {
    const { number } = await app.person()
    const token = await app.oldToken(number)
    const wanted = app.newNumber()
    const asked = await app.ask(token, wanted, { currentPassword: PASSWORD })
    expect(asked.status).toBe(200)
    // The code is under way: for the same number, and no other, it may be asked for again.
    app.later(61)
    expect((await app.ask(token, wanted)).body.challengeId).toBe(asked.body.challengeId)
    expect(told(await app.ask(token, app.newNumber()))).toBe('403 reauthentication_required')
    for (let i = 0; i < 5; i++)
      expect(await app.ask(token, app.newNumber(), { currentPassword: 'pas la bonne' })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ path: '/currentPassword' }] },
      })
    expect(told(await app.ask(token, app.newNumber(), { currentPassword: PASSWORD }))).toBe('429 too_many_requests')
    // Who guesses with somebody's token does not lock them out.
    expect(await app.isIn(number)).toBe(true)
    app.later(61)
    expect((await app.ask(token, app.newNumber(), { currentPassword: PASSWORD })).status).toBe(200)
  })

  test('a code to the number before: once, for this only, and given back where the new number will not do', async () => {
    const { number } = await app.person()
    const token = await app.oldToken(number)
    const path = `POST ${ACCOUNT}/phone/old-number/otp`
    const sent = await app.call(path, {}, { token, ...app.from() })
    expect(sent).toMatchObject({ status: 200, body: { maskedDestination: `+237•••••••${number.slice(-2)}` } })
    expect(app.inbox(number)[0]).toMatchObject({ purpose: 'reauthentication' })
    expect(app.inbox(number)[0]?.text).toContain('pour changer de numéro')
    const code = app.lastCode(number)
    const proof = { oldNumberChallengeId: sent.body.challengeId, oldNumberCode: code }
    const both = { challengeId: sent.body.challengeId, code }
    for (const use of ['phone/verify', 'phone/verification/verify'])
      expect(told(await app.call(`POST ${ACCOUNT}/${use}`, both, { token, ...app.from() }))).toBe('410 challenge_gone')
    // The code of a verification is none for this, either.
    const other = await app.call(`POST ${ACCOUNT}/phone/verification/otp`, {}, { token, ...app.from() })
    const mixed = { oldNumberChallengeId: other.body.challengeId, oldNumberCode: app.lastCode(number) }
    expect(told(await app.ask(token, app.newNumber(), mixed))).toBe('410 challenge_gone')
    const stranger = await app.oldToken((await app.person()).number)
    expect(told(await app.ask(stranger, app.newNumber(), proof))).toBe('410 challenge_gone')
    const { oldNumberCode } = proof
    expect((await app.ask(token, app.newNumber(), { oldNumberCode })).body).toMatchObject({
      errors: [{ path: '/oldNumberChallengeId' }],
    })
    const wrong = code === '000000' ? '111111' : '000000'
    expect(told(await app.ask(token, app.newNumber(), { ...proof, oldNumberCode: wrong }))).toBe('422 wrong_code')
    expect(told(await app.ask(token, '+237677000001', proof))).toBe('409 duplicate')
    const wanted = app.newNumber()
    const asked = await app.ask(token, wanted, proof)
    expect(asked.status).toBe(200)
    expect(told(await app.ask(token, app.newNumber(), proof))).toBe('410 challenge_gone')
    expect((await app.verify(token, asked, wanted)).status).toBe(200)
  })

  test('of a token that does not say when, nothing is believed', async () => {
    const { isFresh } = await import('../../../../src/context.ts')
    expect([undefined, 0, 699, 700, 1000].map((at) => isFresh(at, 1_000_000))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
  })
})
