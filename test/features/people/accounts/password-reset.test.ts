// A password that was forgotten: what becomes of its code in each of its ends, and what strangers learn by it.
import { describe, expect, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { atRest, createPeopleApp, type Told, wrong } from '../../../support/people.ts'

const { app, later } = await atRest(createPeopleApp)

let next = 0
const newNumber = (): string => `+2376${String(50_000_000 + 13_457 * ++next).slice(0, 8)}`
const account = (phone: string) => addUser(app.deps, { phone, roles: ['TENANT'], password: 'autre phrase ici' })
const outcome = ({ status, body }: Told): string => `${status} ${body.code ?? ''}`.trim()
const post = (path: string, body: object, from = `10.2.${next}.1`) => app.call(`POST /api/v1/${path}`, body, { from })
const ask = (phoneNumber: string) => post('account/password-reset/request', { phoneNumber })
const redeem = (challengeId: unknown, code: string) =>
  post('account/password-reset/complete', { challengeId, code, newPassword: 'nouvelle phrase' })

describe('a reset session', () => {
  type Session = { number: string; id: unknown; code: string }
  const begin = async (known: boolean): Promise<Session> => {
    const number = newNumber()
    if (known) await account(number)
    const { challengeId } = (await ask(number)).body
    return { number, id: challengeId, code: known ? app.lastCode(number) : '271828' }
  }
  const spend = ({ id, code }: Session) => Promise.all(Array.from({ length: 5 }, () => redeem(id, wrong(code))))
  const table: [
    name: string,
    known: boolean,
    before: (s: Session) => unknown,
    told: (s: Session) => Promise<Told>,
    expected: string,
  ][] = [
    ['unknown', true, () => {}, ({ code }) => redeem(crypto.randomUUID(), code), '410 challenge_gone'],
    ['of no form', true, () => {}, ({ code }) => redeem("' or 1=1 --", code), '410 challenge_gone'],
    [
      'of another purpose',
      true,
      async (s) => {
        s.id = (await post('registration/otp', { phoneNumber: s.number })).body.challengeId
        s.code = app.lastCode(s.number)
      },
      ({ id, code }) => redeem(id, code),
      '410 challenge_gone',
    ],
    ['expired', true, () => later(600), ({ id, code }) => redeem(id, code), '410 challenge_gone'],
    ['a second before it expires', true, () => later(599), ({ id, code }) => redeem(id, code), '204'],
    ['used', true, ({ id, code }) => redeem(id, code), ({ id, code }) => redeem(id, code), '410 challenge_gone'],
    ['with a wrong code', true, () => {}, ({ id, code }) => redeem(id, wrong(code)), '422 wrong_code'],
    ['spent', true, spend, ({ id, code }) => redeem(id, code), '429 attempts_exhausted'],
    [
      'spent and expired',
      true,
      async (s) => {
        await spend(s)
        later(600)
      },
      ({ id, code }) => redeem(id, code),
      '410 challenge_gone',
    ],
    [
      'whose code was replaced',
      true,
      async ({ number }) => {
        later(61)
        await ask(number)
      },
      ({ id, code }) => redeem(id, code),
      '422 wrong_code',
    ],
    ['of no account, with any code', false, () => {}, ({ id, code }) => redeem(id, code), '422 wrong_code'],
    ['of no account, spent', false, spend, ({ id, code }) => redeem(id, code), '429 attempts_exhausted'],
    ['of no account, expired', false, () => later(600), ({ id, code }) => redeem(id, code), '410 challenge_gone'],
    ['with five digits', true, () => {}, ({ id }) => redeem(id, '12345'), '422 validation_failed'],
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
