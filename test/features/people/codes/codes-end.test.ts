// What was open before a change of the account is used up by it: every kind of code against every kind of change.
import { describe, expect, test } from 'bun:test'
import { PASSWORD } from '../../../support/oidc.ts'
import { ADA, atRest, createStaffApp, USERS } from '../../../support/people.ts'

const { app, later, now } = await atRest(createStaffApp)

const ACCOUNT = '/api/v1/account'
type Subject = { readonly id: string; number: string; readonly token: string; password: string }
async function person(): Promise<Subject> {
  const number = app.newNumber()
  const { body } = await app.invite(ADA, number, ['OWNER'])
  await app.register(number)
  later(1)
  return { id: String(body.id), number, token: await app.token(number, PASSWORD), password: PASSWORD }
}
const told = ({ status, body }: { status: number; body: Record<string, unknown> }): string =>
  `${status} ${body.code ?? ''}`.trim()
let asks = 0
/** Everybody asks from a network of their own. */
const from = () => ({ from: `10.9.${Math.floor(++asks / 250)}.${asks % 250}` })
const admin = (p: Subject, line: string, body: object = {}) => app.as(ADA, line.replace('{id}', p.id), body)

/** A code on its way to somebody, and what is asked with it later. */
type Open = (p: Subject) => Promise<() => Promise<{ status: number; body: Record<string, unknown> }>>
const asked =
  (line: string, body: (p: Subject) => object, use: string, more: object = {}, signedIn = true): Open =>
  async (p) => {
    const given = body(p)
    const options = signedIn ? { token: p.token, ...from() } : from()
    const { status, body: challenge } = await app.call(`POST ${line}`, given, options)
    expect(status).toBeLessThan(300)
    const to = 'newPhoneNumber' in given ? String(given.newPhoneNumber) : p.number
    const answer = { challengeId: challenge.challengeId, code: app.lastCode(to), ...more }
    return async () => {
      // Even for whoever can still sign in.
      const token = signedIn ? await app.token(p.number, p.password) : undefined
      return app.call(`POST ${use}`, answer, token ? { token, ...from() } : from())
    }
  }
const reset = asked(
  `${ACCOUNT}/password-reset/request`,
  (p) => ({ phoneNumber: p.number }),
  `${ACCOUNT}/password-reset/complete`,
  { newPassword: 'celle du voleur' },
  false,
)
const OPEN: Record<string, Open> = {
  reset,
  recovery: async (p) => {
    const made = await admin(p, `POST ${USERS}/{id}/recovery-code`)
    return async () => {
      const { body } = await app.call(`POST ${ACCOUNT}/password-reset/request`, { phoneNumber: p.number }, from())
      const { challengeId } = body
      return app.call(
        `POST ${ACCOUNT}/password-reset/complete`,
        { challengeId, code: made.body.code, newPassword: 'celle du voleur' },
        from(),
      )
    }
  },
  'phone change': asked(`${ACCOUNT}/phone/otp`, () => ({ newPhoneNumber: app.newNumber() }), `${ACCOUNT}/phone/verify`),
  verification: asked(`${ACCOUNT}/phone/verification/otp`, () => ({}), `${ACCOUNT}/phone/verification/verify`),
  'old number': async (p) => {
    const { body } = await app.call(`POST ${ACCOUNT}/phone/old-number/otp`, {}, { token: p.token, ...from() })
    const proof = { oldNumberChallengeId: body.challengeId, oldNumberCode: app.lastCode(p.number) }
    return async () => {
      const token = await app.token(p.number, p.password)
      return app.call(`POST ${ACCOUNT}/phone/otp`, { newPhoneNumber: app.newNumber(), ...proof }, { token, ...from() })
    }
  },
  registration: asked(
    '/api/v1/registration/otp',
    (p) => ({ phoneNumber: p.number }),
    '/api/v1/registration/otp/verify',
    {},
    false,
  ),
  ticket: async (p) => {
    const use = await OPEN.registration?.(p)
    const ticket = (await use?.())?.body.ticket
    return () =>
      app.call('POST /api/v1/registration/complete', {
        ticket,
        firstName: 'X',
        lastName: 'Y',
        password: 'celle du voleur',
        acceptedTermsVersion: '2026-11-23',
        acceptedPrivacyVersion: '2026-11-23',
      })
  },
}
/** Each leaves `p` with the number and password it has then. */
const CHANGES: Record<string, (p: Subject) => Promise<string>> = {
  'another number': async (p) => {
    const newPhoneNumber = app.newNumber()
    const { body } = await app.call(`POST ${ACCOUNT}/phone/otp`, { newPhoneNumber }, { token: p.token, ...from() })
    const answer = { challengeId: body.challengeId, code: app.lastCode(newPhoneNumber) }
    const done = await app.call(`POST ${ACCOUNT}/phone/verify`, answer, { token: p.token, ...from() })
    p.number = newPhoneNumber
    return told(done)
  },
  'another password': async (p) => {
    const body = { currentPassword: p.password, newPassword: 'une autre phrase' }
    const done = await app.call(`POST ${ACCOUNT}/password`, body, { token: p.token, ...from() })
    p.password = body.newPassword
    return told(done)
  },
  'the operator': async (p) => {
    const { setPasswordByOperator } = await import('../../../../src/features/people/accounts/password-reset.ts')
    await setPasswordByOperator(app.deps, { phone: p.number, password: 'une autre phrase' })
    p.password = 'une autre phrase'
    return '204'
  },
  'a reset by recovery code': async (p) => {
    const made = await admin(p, `POST ${USERS}/{id}/recovery-code`)
    const { body } = await app.call(`POST ${ACCOUNT}/password-reset/request`, { phoneNumber: p.number }, from())
    const answer = { challengeId: body.challengeId, code: made.body.code, newPassword: 'une autre phrase' }
    const done = await app.call(`POST ${ACCOUNT}/password-reset/complete`, answer, from())
    p.password = answer.newPassword
    return told(done)
  },
  'a recovery code handed out': async (p) => String((await admin(p, `POST ${USERS}/{id}/recovery-code`)).status),
  'other roles': async (p) => told(await admin(p, `PATCH ${USERS}/{id}`, { roles: ['TENANT'] })),
  'disabled and enabled': async (p) => {
    await admin(p, `PATCH ${USERS}/{id}`, { status: 'DISABLED' })
    later(1)
    return told(await admin(p, `PATCH ${USERS}/{id}`, { status: 'ACTIVE' }))
  },
  disabled: async (p) => told(await admin(p, `PATCH ${USERS}/{id}`, { status: 'DISABLED' })),
  closed: async (p) =>
    told(await app.call(`DELETE ${ACCOUNT}`, { password: p.password }, { token: p.token, ...from() })),
}
/** Public ones say what is right or wrong as if there were no account; a recovery code is one of its digits. */
const REFUSED: Record<string, string> = { recovery: '422 wrong_code', ticket: '422 ticket_invalid' }
/** With these nobody signs in at all. */
const OUT = ['disabled', 'closed']

describe.each(Object.keys(CHANGES))('after %s', (change) => {
  test.each(Object.keys(OPEN))('a code for %s opens nothing', async (open) => {
    const p = await person()
    const opened = now()
    const use = await OPEN[open]?.(p)
    later(61)
    expect(await CHANGES[change]?.(p)).toMatch(/^20[014]$/)
    later(61)
    // Nothing that carries it is still to be sent.
    const waiting = 'select id from outbound_message where challenge_id is not null and sealed is not null'
    expect(app.rows(`${waiting} and created_at = ?`, opened)).toEqual([])
    const needsSignIn = ['phone change', 'verification', 'old number'].includes(open)
    if (needsSignIn && OUT.includes(change)) {
      expect(await app.token(p.number, p.password)).toBe('undefined')
      expect(
        app.rows(
          "select purpose from challenge where user_id = ? and used_at is null and decoy = 0 and purpose <> 'RECOVERY'",
          p.id,
        ),
      ).toEqual([])
      return
    }
    const answer = await use?.()
    const late =
      open === 'recovery' && change === 'disabled' ? '422 wrong_code' : (REFUSED[open] ?? '410 challenge_gone')
    expect(answer && told(answer)).toBe(late)
  })
})

describe('to strangers nothing shows', () => {
  test.each(Object.keys(CHANGES))(
    '%s: a wrong code of a reset answers as that of a number without account',
    async (change) => {
      const p = await person()
      const { number } = p
      const complete = (challengeId: unknown) =>
        app.call(
          `POST ${ACCOUNT}/password-reset/complete`,
          { challengeId, code: '000000', newPassword: 'celle du voleur' },
          from(),
        )
      const ask = async (phoneNumber: string) =>
        (await app.call(`POST ${ACCOUNT}/password-reset/request`, { phoneNumber }, from())).body.challengeId
      const [known, unknown] = [await ask(number), await ask(app.newNumber())]
      later(61)
      expect(await CHANGES[change]?.(p)).toMatch(/^20[014]$/)
      // The reset's own way uses its own challenge.
      if (change === 'a reset by recovery code') return
      for (let i = 0; i < 6; i++) expect(told(await complete(known))).toBe(told(await complete(unknown)))
    },
  )
})

describe('the trail and the message come with every change', () => {
  test.each([
    ['another number', 'user.phone_change', 'phone_changed'],
    ['another password', 'user.password_change', 'password_changed'],
    ['the operator', 'user.password_reset', 'password_changed'],
    ['a reset by recovery code', 'user.password_reset', 'password_changed'],
    ['a recovery code handed out', 'user.recovery_code', 'recovery_code_issued'],
    ['disabled', 'user.disable', 'account_disabled'],
    ['disabled and enabled', 'user.enable', 'account_enabled'],
    ['closed', 'user.erase', 'account_closed'],
  ])('%s', async (change, action, purpose) => {
    const p = await person()
    const { number } = p
    await CHANGES[change]?.(p)
    expect(app.rows('select count(*) n from audit_entry where action = ? and subject_id = ?', action, p.id)).toEqual([
      { n: 1 },
    ])
    expect(app.inbox(number)[0]?.purpose).toBe(purpose)
  })
})

describe('at the same moment', () => {
  test('a reset and a change of number: one of them, and the number that wins has its password', async () => {
    const outcomes = new Set<string>()
    for (const order of ['reset first', 'number first']) {
      const p = await person()
      const useReset = await reset(p)
      const newPhoneNumber = app.newNumber()
      const { body } = await app.call(`POST ${ACCOUNT}/phone/otp`, { newPhoneNumber }, { token: p.token, ...from() })
      const answer = { challengeId: body.challengeId, code: app.lastCode(newPhoneNumber) }
      const change = () => app.call(`POST ${ACCOUNT}/phone/verify`, answer, { token: p.token, ...from() })
      const tasks = order === 'reset first' ? [useReset(), change()] : [change(), useReset()]
      const [one, two] = await Promise.all(tasks)
      const [r, c] = order === 'reset first' ? [one, two] : [two, one]
      outcomes.add(`${order}: ${r?.status} ${c?.status}`)
      // Not both, whatever the order.
      expect([r?.status === 204, c?.status === 200].filter(Boolean)).toHaveLength(1)
      later(1)
      const number = c?.status === 200 ? newPhoneNumber : p.number
      const password = r?.status === 204 ? 'celle du voleur' : PASSWORD
      expect((await app.call('POST /api/v1/sandbox/token', { username: number, password })).status).toBe(200)
    }
    expect(outcomes.size).toBe(2)
  })

  test('a reset and a change of password: the later one stands', async () => {
    const p = await person()
    const useReset = await reset(p)
    const body = { currentPassword: PASSWORD, newPassword: 'une autre phrase' }
    const [r, c] = await Promise.all([
      useReset(),
      app.call(`POST ${ACCOUNT}/password`, body, { token: p.token, ...from() }),
    ])
    expect([r.status === 204, c.status === 204].filter(Boolean)).toHaveLength(1)
    const password = r.status === 204 ? 'celle du voleur' : 'une autre phrase'
    later(1)
    expect((await app.call('POST /api/v1/sandbox/token', { username: p.number, password })).status).toBe(200)
  })
})
