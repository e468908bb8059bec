// A ticket is worth one account, however many redeem it at once; and nobody pays for a hash that cannot be used.
import { afterAll, beforeAll, expect, setSystemTime, spyOn, test } from 'bun:test'
import { createPeopleApp, type PeopleApp, type Told } from '../support/people.ts'

const ROUNDS = 20
const AT_ONCE = 1000
let app: PeopleApp
let now = Date.parse('2026-03-10T08:00:00.000Z')
beforeAll(async () => {
  setSystemTime(new Date(now))
  app = await createPeopleApp()
})
afterAll(async () => {
  await app.close()
  setSystemTime()
})

const complete = (ticket: unknown, turn: number): Promise<Told> =>
  app.call('POST /api/v1/registration/complete', {
    ticket,
    firstName: `Redeemer ${turn}`,
    lastName: 'Tchoua',
    password: `maïs et plantain ${turn}`,
    acceptedTermsVersion: '2026-11-23',
    acceptedPrivacyVersion: '2026-11-23',
  })
async function ticketFor(phoneNumber: string, from: string): Promise<unknown> {
  const { body } = await app.call('POST /api/v1/registration/otp', { phoneNumber }, { from })
  const given = { challengeId: body.challengeId, code: app.lastCode(phoneNumber) }
  return (await app.call('POST /api/v1/registration/otp/verify', given)).body.ticket
}

test(`${AT_ONCE} redemptions of one ticket at once, ${ROUNDS} times: one account, one hash, everybody is answered`, async () => {
  if (!app.deps.identity) throw new Error('no identity provider')
  // The only use of a password is behind it: called once, argon2 ran once.
  const created = spyOn(app.deps.identity, 'createAccount')
  for (let round = 0; round < ROUNDS; round++) {
    const number = `+23765${String(1_000_000 + 40_009 * round)}`
    const ticket = await ticketFor(number, `10.3.${round}.1`)
    created.mockClear()
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => complete(ticket, turn)))
    const winner = answers.findIndex(({ status }) => status === 201)
    const others = answers.filter((_, turn) => turn !== winner)
    expect(answers[winner]?.body).toMatchObject({ username: number })
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['422 ticket_invalid']))
    expect(created).toHaveBeenCalledTimes(1)
    expect(app.rows('select first_name from app_user where phone_number = ?', number)).toEqual([
      { first_name: `Redeemer ${winner}` },
    ])
    const id = String(answers[winner]?.body.userId)
    expect(app.rows('select 1 from credential where user_id = ?', id)).toHaveLength(1)
    expect(app.rows('select 1 from consent where user_id = ?', id)).toHaveLength(2)
    expect(app.rows("select 1 from audit_entry where action = 'user.register' and subject_id = ?", id)).toHaveLength(1)
    const unused = 'select 1 from registration_ticket where used_at is null and phone_number = ?'
    expect(app.rows(unused, number)).toEqual([])
    now += 61_000
    setSystemTime(new Date(now))
  }
  created.mockRestore()
}, 180_000)

test('two tickets of one number at the same moment: one account, and a 409', async () => {
  const number = '+237677334455'
  const tickets = [await ticketFor(number, '10.4.0.1')]
  now += 61_000
  setSystemTime(new Date(now))
  tickets.push(await ticketFor(number, '10.4.0.2'))
  const answers = await Promise.all(tickets.map(complete))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(app.rows('select 1 from app_user where phone_number = ?', number)).toHaveLength(1)
})

test('while accounts cannot be made: 503 for one, 422 for the others, and the ticket is good afterwards', async () => {
  if (!app.deps.identity) throw new Error('no identity provider')
  const number = '+237677445566'
  const ticket = await ticketFor(number, '10.4.0.3')
  const broken = spyOn(app.deps.identity, 'createAccount').mockRejectedValue(new Error('connect ECONNREFUSED'))
  const answers = await Promise.all(Array.from({ length: 50 }, (_, turn) => complete(ticket, turn)))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(49).fill(422), 503])
  const down = answers.find(({ status }) => status === 503)
  expect(down?.body.code).toBe('account_unavailable')
  expect(Number(down?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(JSON.stringify(down?.body)).not.toContain('ECONN')
  broken.mockRestore()
  expect(app.rows('select 1 from app_user where phone_number = ?', number)).toEqual([])
  expect((await complete(ticket, 0)).status).toBe(201)
})
