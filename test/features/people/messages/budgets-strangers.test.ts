// Floods of strangers against everybody: newcomers, members and invited people go on at once.
import { describe, expect, test } from 'bun:test'
import { KNOWN_SITES } from '../../../../src/core/budgets.ts'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { createPeopleApp, eachAtRest, type PeopleApp, type Told } from '../../../support/people.ts'

let app: PeopleApp
const { later } = eachAtRest(async () => {
  app = await createPeopleApp({ OIDC_SIGNING_ALG: 'ES256' })
  return app
})

const MEMBER = '+237677123456'
const PASSWORD = 'autre phrase ici'
/** Somebody signed in from here; nobody ever came from there. */
const CARRIER = '102.244.1.7'
const NEW_PLACE = '199.77.1.7'

const number = (i: number): string => `+2376${50_000_000 + 13_457 * i}`
const neighbour = (i: number): string => `+23767712${1000 + i}`
const signUp = (phoneNumber: string, from: string): Promise<Told> =>
  app.call('POST /api/v1/registration/otp', { phoneNumber }, { from })
const reset = (phoneNumber: string, from: string): Promise<Told> =>
  app.call('POST /api/v1/account/password-reset/request', { phoneNumber }, { from })
const signIn = (from: string, phone = MEMBER): Promise<Told> =>
  app.call('POST /api/v1/sandbox/token', { username: phone, password: PASSWORD }, { from })
const member = (phone = MEMBER) => addUser(app.deps, { phone, roles: ['TENANT'], password: PASSWORD })
const sent = (): number => Number(app.rows("select count(*) n from code_send where status = 'SENT'")[0]?.n)

const everywhere = (i: number): string => `${1 + (i % 97)}.${i % 251}.${i >> 8}.1`
const oneProvider = (i: number): string => `41.202.${i >> 4}.${i & 15}`
const oneCustomer = (i: number): string => `2001:db8:7:${i.toString(16)}::1`
const sixth = (i: number): string => `2001:${i.toString(16)}:7::1`

/** So many requests, some at once, as a flood comes. @returns the statuses that were told */
async function pour(count: number, ask: (i: number) => Promise<Told>): Promise<Set<number>> {
  const told = new Set<number>()
  for (let from = 0; from < count; from += 50) {
    const batch = Array.from({ length: Math.min(50, count - from) }, (_, i) => ask(from + i))
    for (const { status } of await Promise.all(batch)) told.add(status)
  }
  return told
}

type Flood = readonly [
  what: string,
  count: number,
  whom: (i: number) => string,
  from: (i: number) => string,
  most: number,
  newPlace: 202 | 429,
]
// The last column: what a newcomer hears from a place where nobody ever signed in.
const FLOODS: Flood[] = [
  ['ten requests', 10, number, everywhere, 10, 202],
  ['ten requests from the newcomer’s own network', 10, number, () => CARRIER, 10, 202],
  ['ten requests from an unknown network', 10, number, () => NEW_PLACE, 10, 202],
  ['200 from one address', 200, number, () => '41.202.0.1', 30, 202],
  ['250 from one IPv6 customer', 250, number, oneCustomer, 60, 202],
  ['250 from one provider', 250, number, oneProvider, 250, 202],
  ['1,000 from one provider', 1000, number, oneProvider, 301, 202],
  ['250 from everywhere', 250, number, everywhere, 250, 202],
  ['250 from as many IPv6 sites', 250, number, sixth, 250, 202],
  ['1,000 from everywhere', 1000, number, everywhere, 451, 429],
  ['20 at one block of numbers, from everywhere', 20, neighbour, everywhere, 20, 202],
  ['20 at one block of numbers, from one provider', 20, neighbour, oneProvider, 20, 202],
  ['1,000 at one block of numbers, from one provider', 1000, neighbour, oneProvider, 41, 202],
  ['1,000 at one block of numbers, from everywhere', 1000, neighbour, everywhere, 81, 429],
]

test.each(FLOODS)('%s: everybody else goes on', async (_what, count, whom, from, most, newPlace) => {
  await member()
  expect((await signIn(CARRIER)).status).toBe(200)
  await app.call('POST /api/v1/tenants', { fullName: 'Awa', phoneNumber: '+237677129999' }, { token: await owner() })
  await pour(count, (i) => signUp(whom(i), from(i)))
  expect(sent()).toBeLessThanOrEqual(most)

  const newcomer = await signUp('+237677129001', NEW_PLACE)
  expect(newcomer.status).toBe(newPlace)
  if (newPlace === 429) expect(Number(newcomer.headers.get('retry-after'))).toBeLessThanOrEqual(120)
  // At a carrier where somebody signed in before, from an address never seen.
  expect((await signUp('+237677129002', '102.244.77.3')).status).toBe(202)
  expect(app.inbox('+237677129002')).toHaveLength(1)
  // A member who forgot the password, elsewhere at that carrier; an invited person, wherever they are.
  expect((await reset(MEMBER, '102.244.88.4')).status).toBe(202)
  expect(app.inbox(MEMBER).filter(({ code }) => code !== null)).toHaveLength(1)
  expect((await signUp('+237677129999', NEW_PLACE)).status).toBe(202)
  const token = await owner()
  expect((await app.call('POST /api/v1/account/phone/verification/otp', {}, { token })).status).toBe(200)
})
const owner = () => app.token('+237677000001', 'pignon sur rue')

test('an hour after a flood from everywhere, which goes on: nobody else waits longer than a minute at a time', async () => {
  await pour(460, (i) => signUp(number(i), everywhere(i)))
  expect((await signUp('+237677129001', NEW_PLACE)).status).toBe(429)
  later(61)
  expect((await signUp('+237677129001', NEW_PLACE)).status).toBe(202)
})

test('an invited number that strangers ask for: its owner shares their code, whatever they guess', async () => {
  const invited = '+237677129999'
  await app.call('POST /api/v1/tenants', { fullName: 'Awa', phoneNumber: invited }, { token: await owner() })
  for (let i = 0; i < 20; i++) {
    const { body } = await signUp(invited, `${60 + i}.1.1.1`)
    await app.call('POST /api/v1/registration/otp/verify', { challengeId: body.challengeId, code: '000000' })
    if (i % 4 === 3) later(182)
  }
  const { status, body } = await signUp(invited, NEW_PLACE)
  const code = app.lastCode(invited)
  expect(status).toBe(202)
  expect((await app.call('POST /api/v1/registration/otp/verify', { challengeId: body.challengeId, code })).status).toBe(
    200,
  )
  expect(app.inbox(invited).length).toBeLessThanOrEqual(5)
})

test('200 resets of numbers without account cost nothing', async () => {
  expect([...(await pour(200, (i) => reset(number(i), oneProvider(i))))]).toEqual([202])
  expect(sent()).toBe(0)
  expect((await signUp('+237677129001', NEW_PLACE)).status).toBe(202)
})

test('codes that were used are given back', async () => {
  const { body } = await signUp(MEMBER, NEW_PLACE)
  const code = app.lastCode(MEMBER)
  await app.call('POST /api/v1/registration/otp/verify', { challengeId: body.challengeId, code })
  expect(app.rows('select status from code_send')).toEqual([{ status: 'VERIFIED' }])
})

describe('known sites', () => {
  /** Spends what strangers of everywhere share. */
  const flood = () => pour(460, (i) => signUp(number(i), everywhere(i)))

  test('who floods a known site as well stops that one alone, and never the operator’s last share', async () => {
    await member()
    await signIn(CARRIER)
    await signIn('165.210.3.9')
    await flood()
    const told = await pour(40, (i) => signUp(number(2000 + i), `102.244.${i}.1`))
    expect([...told]).toEqual([202, 429])
    expect((await signUp('+237677129001', '102.244.99.1')).status).toBe(429)
    expect((await signUp('+237677129001', '165.210.77.1')).status).toBe(202)
    expect(sent()).toBeLessThanOrEqual(480)
  })

  test('all strangers together leave the rest to the operator’s own people', async () => {
    for (let i = 0; i < 12; i++) {
      await member(number(3000 + i))
      await signIn(`${110 + i}.20.1.1`, number(3000 + i))
    }
    await flood()
    await pour(240, (i) => signUp(number(4000 + i), `${110 + (i % 12)}.20.${i}.1`))
    expect(sent()).toBe(600)
    expect((await signUp('+237677129001', '110.20.250.1')).status).toBe(429)
    const token = await owner()
    expect((await app.call('POST /api/v1/account/phone/verification/otp', {}, { token })).status).toBe(200)
  })

  test.each([
    ['an account that travels makes three known in a day', 5, 3],
    ['a wrong password makes none known', 0, 0],
  ])('%s', async (_what, rightly, known) => {
    await member()
    for (let i = 0; i < 5; i++)
      if (i < rightly) await signIn(`${50 + i}.1.1.1`)
      else
        await app.call('POST /api/v1/sandbox/token', { username: MEMBER, password: 'faux mot' }, { from: '50.1.1.1' })
    expect(app.rows("select place from known_place where user_id = 'anybody'")).toHaveLength(known)
  })

  test('a sign-up and a reset make theirs known; the table says neither who nor where, and has an end', async () => {
    const { body } = await signUp(MEMBER, '102.244.1.7')
    const { body: passed } = await app.call('POST /api/v1/registration/otp/verify', {
      ...{ challengeId: body.challengeId, code: app.lastCode(MEMBER) },
    })
    const given = { firstName: 'Rose', lastName: 'Mbarga', ticket: passed.ticket, password: PASSWORD }
    const accepted = { acceptedTermsVersion: '2026-11-23', acceptedPrivacyVersion: '2026-11-23' }
    const made = await app.call(
      'POST /api/v1/registration/complete',
      { ...given, ...accepted },
      { from: '102.244.1.8' },
    )
    expect(made.status).toBe(201)
    const { body: asked } = await reset(MEMBER, '2001:db8:7:9::1')
    const newPassword = 'nouvelle phrase'
    const code = app.lastCode(MEMBER)
    const done = { challengeId: asked.challengeId, code, newPassword }
    expect((await app.call('POST /api/v1/account/password-reset/complete', done)).status).toBe(204)
    const places = app.rows("select user_id, place from known_place where user_id = 'anybody'")
    expect(places).toHaveLength(2)
    for (const { place } of places) expect(String(place)).toMatch(/^[\w-]{22}$/)
    expect(KNOWN_SITES.stored).toBeLessThanOrEqual(2000)
  })

  test('a site where nobody signed in for 90 days is known no more', async () => {
    await member()
    await signIn(CARRIER)
    later(91 * 86_400)
    await flood()
    expect((await signUp('+237677129001', '102.244.77.3')).status).toBe(429)
    await signIn(CARRIER)
    expect((await signUp('+237677129001', '102.244.77.3')).status).toBe(202)
  })
})
