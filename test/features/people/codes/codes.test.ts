// One-time codes under attack: guessing.
import { describe, expect, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { atRest, createPeopleApp, type Told, wrong } from '../../../support/people.ts'

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

test.each([registration, reset])(
  'a code of $name that was asked for again can be neither sent nor used any more',
  async (flow) => {
    const number = newNumber()
    await account(number)
    const { challengeId } = (await flow.ask(number)).body
    const first = app.lastCode(number)
    const sealed = () =>
      app.rows(
        'select sealed is not null as sealed from outbound_message where challenge_id = ? order by rowid',
        String(challengeId),
      )
    expect(sealed()).toEqual([{ sealed: 1 }])
    later(61)
    await flow.ask(number)
    expect(sealed()).toEqual([{ sealed: 0 }, { sealed: 1 }])
    expect(outcome(await flow.redeem(challengeId, first))).toBe('422 wrong_code')
    expect((await flow.redeem(challengeId, app.lastCode(number))).status).toBeLessThan(300)
  },
)
