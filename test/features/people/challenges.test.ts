// One-time codes under attack: guessing, and what becomes of a reset in each of its ends.
import { describe, expect, test } from 'bun:test'
import { addUser } from '../../../src/features/people/account/service.ts'
import { atRest, createPeopleApp, type Told, wrong } from '../../support/people.ts'

const { app, later } = await atRest(createPeopleApp)

let next = 0
const newNumber = (): string => `+2376${String(50_000_000 + 13_457 * ++next).slice(0, 8)}`
const account = (phone: string) => addUser(app.deps, { phone, roles: ['TENANT'], password: 'autre phrase ici' })
const outcome = ({ status, body }: Told): string => `${status} ${body.code ?? ''}`.trim()
const tally = (answers: readonly Told[]): Record<string, number> => {
  const found: Record<string, number> = {}
  for (const answer of answers) found[outcome(answer)] = (found[outcome(answer)] ?? 0) + 1
  return found
}

type Flow = {
  readonly name: string
  readonly ask: (number: string) => Promise<Told>
  readonly redeem: (challengeId: unknown, code: string) => Promise<Told>
}
const post = (path: string, body: object, from = `10.2.${next}.1`) => app.call(`POST /api/v1/${path}`, body, { from })
const registration: Flow = {
  name: 'registration',
  ask: (phoneNumber) => post('registration/otp', { phoneNumber }),
  redeem: (challengeId, code) => post('registration/otp/verify', { challengeId, code }),
}
const reset: Flow = {
  name: 'password reset',
  ask: (phoneNumber) => post('account/password-reset/request', { phoneNumber }),
  redeem: (challengeId, code) =>
    post('account/password-reset/complete', { challengeId, code, newPassword: 'nouvelle phrase' }),
}
const guesses = (flow: Flow, challengeId: unknown, code: string, times: number): Promise<Told[]> =>
  Promise.all(Array.from({ length: times }, () => flow.redeem(challengeId, code)))

describe.each([registration, reset])('guessing a code of $name', (flow) => {
  test('1,000 at once: five are compared, the rest is told to wait, and the right code comes too late', async () => {
    const number = newNumber()
    await account(number)
    const { challengeId } = (await flow.ask(number)).body
    const code = app.lastCode(number)
    expect(tally(await guesses(flow, challengeId, wrong(code), 1000))).toEqual({
      '422 wrong_code': 5,
      '429 attempts_exhausted': 995,
    })
    const late = await flow.redeem(challengeId, code)
    expect(outcome(late)).toBe('429 attempts_exhausted')
    expect(Number(late.headers.get('retry-after'))).toBe(600)
    expect(app.rows('select attempts, used_at from challenge where id = ?', String(challengeId))).toEqual([
      { attempts: 5, used_at: null },
    ])
  })

  test('with new codes in between it stays five in all; nothing is sent that could not be used', async () => {
    const number = newNumber()
    await account(number)
    const { challengeId } = (await flow.ask(number)).body
    const compared: Told[] = await guesses(flow, challengeId, wrong(app.lastCode(number)), 2)
    later(61)
    expect((await flow.ask(number)).body.challengeId).toBe(challengeId)
    const [answers, again] = await Promise.all([
      guesses(flow, challengeId, wrong(app.lastCode(number)), 1000),
      flow.ask(number),
    ])
    compared.push(...answers)
    expect(outcome(again)).toBe('429 too_many_requests')
    expect(tally(compared)).toEqual({ '422 wrong_code': 5, '429 attempts_exhausted': 997 })
    later(61)
    const codes = app.inbox(number).length
    const refused = await flow.ask(number)
    expect([outcome(refused), refused.headers.get('retry-after')]).toEqual(['429 too_many_requests', '539'])
    expect(app.inbox(number)).toHaveLength(codes)
    later(540)
    const fresh = await flow.ask(number)
    expect([fresh.status, fresh.body.challengeId === challengeId]).toEqual([202, false])
    expect((await flow.redeem(fresh.body.challengeId, app.lastCode(number))).status).toBeLessThan(300)
  })

  test('two right codes at once: one is taken', async () => {
    const number = newNumber()
    await account(number)
    const { challengeId } = (await flow.ask(number)).body
    const answers = await guesses(flow, challengeId, app.lastCode(number), 20)
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(tally(answers.filter(({ status }) => status >= 300))).toEqual({ '410 challenge_gone': 19 })
  })
})

describe('a reset session', () => {
  type Session = { number: string; id: unknown; code: string }
  const begin = async (known: boolean): Promise<Session> => {
    const number = newNumber()
    if (known) await account(number)
    const { challengeId } = (await reset.ask(number)).body
    return { number, id: challengeId, code: known ? app.lastCode(number) : '271828' }
  }
  const spend = ({ id, code }: Session) => guesses(reset, id, wrong(code), 5)
  const table: [
    name: string,
    known: boolean,
    before: (s: Session) => unknown,
    told: (s: Session) => Promise<Told>,
    expected: string,
  ][] = [
    ['unknown', true, () => {}, ({ code }) => reset.redeem(crypto.randomUUID(), code), '410 challenge_gone'],
    ['of no form', true, () => {}, ({ code }) => reset.redeem("' or 1=1 --", code), '410 challenge_gone'],
    [
      'of another purpose',
      true,
      async (s) => {
        s.id = (await registration.ask(s.number)).body.challengeId
        s.code = app.lastCode(s.number)
      },
      ({ id, code }) => reset.redeem(id, code),
      '410 challenge_gone',
    ],
    ['expired', true, () => later(600), ({ id, code }) => reset.redeem(id, code), '410 challenge_gone'],
    ['a second before it expires', true, () => later(599), ({ id, code }) => reset.redeem(id, code), '204'],
    [
      'used',
      true,
      ({ id, code }) => reset.redeem(id, code),
      ({ id, code }) => reset.redeem(id, code),
      '410 challenge_gone',
    ],
    ['with a wrong code', true, () => {}, ({ id, code }) => reset.redeem(id, wrong(code)), '422 wrong_code'],
    ['spent', true, spend, ({ id, code }) => reset.redeem(id, code), '429 attempts_exhausted'],
    [
      'spent and expired',
      true,
      async (s) => {
        await spend(s)
        later(600)
      },
      ({ id, code }) => reset.redeem(id, code),
      '410 challenge_gone',
    ],
    [
      'whose code was replaced',
      true,
      async ({ number }) => {
        later(61)
        await reset.ask(number)
      },
      ({ id, code }) => reset.redeem(id, code),
      '422 wrong_code',
    ],
    ['of no account, with any code', false, () => {}, ({ id, code }) => reset.redeem(id, code), '422 wrong_code'],
    ['of no account, spent', false, spend, ({ id, code }) => reset.redeem(id, code), '429 attempts_exhausted'],
    ['of no account, expired', false, () => later(600), ({ id, code }) => reset.redeem(id, code), '410 challenge_gone'],
    ['with five digits', true, () => {}, ({ id }) => reset.redeem(id, '12345'), '422 validation_failed'],
  ]
  test.each(table)('%s', async (_name, known, before, told, expected) => {
    later(3600)
    const session = await begin(known)
    await before(session)
    const credentials = app.rows('select * from credential')
    expect(outcome(await told(session))).toBe(expected)
    expect(JSON.stringify(app.rows('select * from credential')) === JSON.stringify(credentials)).toBe(
      expected !== '204',
    )
  })

  test.each([true, false])(
    'a password with the number in it costs no attempt and tells nothing (account: %p)',
    async (known) => {
      later(3600)
      const { number, id, code } = await begin(known)
      const told = await post('account/password-reset/complete', {
        challengeId: id,
        code,
        newPassword: number.slice(4),
      })
      expect(outcome(told)).toBe('422 weak_password')
      expect(app.rows('select attempts from challenge where id = ?', String(id))).toEqual([{ attempts: 0 }])
    },
  )

  test('an account that spent its own codes of the day has those of a reset, and is answered like any number', async () => {
    later(86_400)
    const [known, unknown] = [newNumber(), newNumber()]
    await account(known)
    const token = await app.token(known, 'autre phrase ici')
    for (let i = 0; i < 5; i++) {
      const to = newNumber()
      const { status } = await app.call(
        'POST /api/v1/account/phone/otp',
        { newPhoneNumber: to },
        { token, from: `10.7.${i}.1` },
      )
      expect(status).toBe(200)
    }
    const sixth = await app.call('POST /api/v1/account/phone/otp', { newPhoneNumber: newNumber() }, { token })
    expect(outcome(sixth)).toBe('429 too_many_requests')
    const told: string[][] = [[], []]
    for (let i = 0; i < 7; i++) {
      for (const [n, number] of [known, unknown].entries()) {
        const answer = await post('account/password-reset/request', { phoneNumber: number }, `10.6.${i}.${n}`)
        told[n]?.push(`${outcome(answer)} ${Object.keys(answer.body)} ${answer.headers.get('retry-after')}`)
      }
      later(301)
    }
    expect(told[0]).toEqual(told[1] ?? [])
    // Every second one shares the code that is under way; nothing goes to the number without an account.
    expect([app.inbox(known).length, app.inbox(unknown).length]).toEqual([4, 0])
  })
})
