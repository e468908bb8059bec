import { expect, test } from 'bun:test'
import { atRest, createPeopleApp, type Told, wrong } from '../../../support/people.ts'

const { app, later } = await atRest(createPeopleApp)

const V = '2026-11-23'
let next = 0
/** Numbers of different neighbourhoods, so that one scenario's caps are not another's. */
const newNumber = (): string => `+2376${String(50_000_000 + 13_457 * ++next).slice(0, 8)}`
const from = (): string => `10.0.${next}.1`
const ask = (phoneNumber: string, address = from()): Promise<Told> =>
  app.call('POST /api/v1/registration/otp', { phoneNumber }, { from: address })
const verify = (challengeId: unknown, code: string): Promise<Told> =>
  app.call('POST /api/v1/registration/otp/verify', { challengeId, code })
const profile = {
  firstName: 'Thérèse',
  lastName: 'Tchoua',
  password: 'maïs et plantain',
  acceptedTermsVersion: V,
  acceptedPrivacyVersion: V,
}
const complete = (ticket: unknown, changes = {}): Promise<Told> =>
  app.call('POST /api/v1/registration/complete', { ...profile, ticket, ...changes }, { language: 'fr' })
async function ticketFor(number: string): Promise<unknown> {
  const { body } = await ask(number)
  return (await verify(body.challengeId, app.lastCode(number))).body.ticket
}

test('a stranger becomes a user: code, ticket, account, token', async () => {
  const number = newNumber()
  const asked = await ask(number)
  expect(asked.status).toBe(202)
  expect(Object.keys(asked.body).sort()).toEqual(['challengeId', 'channel', 'expiresAt', 'maskedDestination'])
  expect(asked.body.maskedDestination).toBe(`+237•••••••${number.slice(-2)}`)
  const given = await verify(asked.body.challengeId, app.lastCode(number))
  expect(given.status).toBe(200)
  const made = await complete(given.body.ticket)
  expect(made).toMatchObject({ status: 201, body: { username: number } })
  const me = await app.call('GET /api/v1/me', undefined, { token: await app.token(number, profile.password) })
  expect(me.body).toMatchObject({
    id: made.body.userId,
    phoneNumber: number,
    phoneVerified: true,
    roles: ['TENANT'],
    orgId: app.owner.orgId,
    locale: 'fr',
  })
  expect(
    app.rows(
      'select document, document_version v, locale from consent where user_id = ? order by document',
      made.body.userId,
    ),
  ).toEqual([
    { document: 'PRIVACY', v: V, locale: 'fr' },
    { document: 'TERMS', v: V, locale: 'fr' },
  ])
  // Neither code nor ticket nor password stands anywhere in clear but in the sandbox's inbox.
  for (const table of ['challenge', 'registration_ticket', 'credential', 'audit_entry', 'idempotency'])
    expect(JSON.stringify(app.rows(`select * from ${table}`))).not.toContain(String(given.body.ticket))
})

test('a number that a landlord entered joins that organization and finds its lease', async () => {
  const number = newNumber()
  const token = await app.token('+237677000001', 'pignon sur rue')
  const tenant = await app.call('POST /api/v1/tenants', { fullName: 'Paul Nkeng', phoneNumber: number }, { token })
  expect(tenant.body.userId).toBeUndefined()
  later(1)
  const made = await complete(await ticketFor(number))
  expect(made.status).toBe(201)
  const after = await app.call(`GET /api/v1/tenants/${tenant.body.id}`, undefined, { token })
  expect(after.body.userId).toBe(made.body.userId)
})

const refusals: [name: string, changes: object, status: number, code: string][] = [
  ['another ticket', { ticket: 'x'.repeat(43) }, 422, 'ticket_invalid'],
  ['outdated terms', { acceptedTermsVersion: '2020-01-01' }, 422, 'outdated_terms'],
  ['outdated privacy text', { acceptedPrivacyVersion: 'x' }, 422, 'outdated_terms'],
  ['seven characters', { password: 'courte!' }, 422, 'validation_failed'],
  ['a common password', { password: 'motdepasse2026' }, 422, 'weak_password'],
  ['the number as password', { password: '651234567' }, 422, 'weak_password'],
  ['no first name', { firstName: '' }, 422, 'validation_failed'],
  ['a number as first name', { firstName: '+237677000001' }, 422, 'validation_failed'],
  ['a number as last name', { lastName: '6 77 00 00 01' }, 422, 'validation_failed'],
  ['a role of one’s own choice', { roles: ['ADMIN'] }, 422, 'validation_failed'],
  ['another number', { phoneNumber: '+237699000000' }, 422, 'validation_failed'],
  ['an address that is none', { email: 'nowhere' }, 422, 'validation_failed'],
]
test('what is refused leaves the ticket good and makes no account', async () => {
  const number = '+237651234567'
  const ticket = await ticketFor(number)
  for (const [name, changes, status, code] of refusals) {
    const told = await complete(ticket, changes)
    expect({ name, status: told.status, code: told.body.code }).toEqual({ name, status, code })
    expect(app.rows('select id from app_user where phone_number = ?', number)).toEqual([])
  }
  expect((await complete(ticket)).status).toBe(201)
  expect((await complete(ticket)).body.code).toBe('ticket_invalid')
})

test('a number with an account gets the same code answer, and 409 at the end', async () => {
  const number = newNumber()
  expect((await complete(await ticketFor(number))).status).toBe(201)
  later(61)
  const unknown = await ask(newNumber())
  const known = await ask(number)
  expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body))
  const { ticket } = (await verify(known.body.challengeId, app.lastCode(number))).body
  expect(await complete(ticket)).toMatchObject({ status: 409, body: { code: 'duplicate' } })
})

test('a code: five attempts, also with a new code between; used once; dead after ten minutes', async () => {
  const number = newNumber()
  const { challengeId } = (await ask(number)).body
  for (let i = 0; i < 3; i++)
    expect((await verify(challengeId, wrong(app.lastCode(number)))).body.code).toBe('wrong_code')
  later(61)
  const again = await ask(number)
  expect(again.body.challengeId).toBe(challengeId)
  for (let i = 0; i < 2; i++) expect((await verify(challengeId, wrong(app.lastCode(number)))).status).toBe(422)
  const sixth = await verify(challengeId, app.lastCode(number))
  expect(sixth).toMatchObject({ status: 429, body: { code: 'attempts_exhausted' } })
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)

  const other = newNumber()
  const once = (await ask(other)).body.challengeId
  expect((await verify(once, app.lastCode(other))).status).toBe(200)
  expect((await verify(once, app.lastCode(other))).status).toBe(410)
  expect((await verify(crypto.randomUUID(), '123456')).status).toBe(410)

  const third = newNumber()
  const dead = (await ask(third)).body.challengeId
  later(601)
  expect((await verify(dead, app.lastCode(third))).status).toBe(410)
})

test('caps: no sooner than a minute, three in ten minutes, 30 an hour from one address, 40 an hour among neighbours', async () => {
  later(86_400)
  const number = newNumber()
  expect((await ask(number)).status).toBe(202)
  const soon = await ask(number)
  expect(soon.status).toBe(429)
  expect(Number(soon.headers.get('retry-after'))).toBe(60)
  for (let i = 0; i < 2; i++) {
    later(61)
    expect((await ask(number)).status).toBe(202)
  }
  later(61)
  expect((await ask(number)).status).toBe(429)

  const sent: number[] = []
  for (let i = 0; i < 32; i++) sent.push((await ask(newNumber(), '10.9.9.9')).status)
  expect(sent).toEqual([...Array(30).fill(202), 429, 429])

  const neighbours: number[] = []
  for (let i = 0; i < 42; i++) neighbours.push((await ask(`+23769912${String(1000 + i)}`, `10.8.${i}.1`)).status)
  expect(neighbours.filter((s) => s === 202)).toHaveLength(40)
  expect(app.rows('select count(*) n from message where recipient like ?', '+23769912%')).toEqual([{ n: 40 }])
})
