// Strangers against one person: whatever they spend, the owner of a number gets a code, and the service goes on.
import { beforeEach, describe, expect, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { purgeCodes } from '../../../../src/features/people/codes/jobs.ts'
import { requestCode } from '../../../../src/features/people/codes/service.ts'
import { createPeopleApp, eachAtRest, type PeopleApp, type Told, wrong } from '../../../support/people.ts'

let app: PeopleApp
const { later, now } = eachAtRest(async () => {
  app = await createPeopleApp({ OIDC_SIGNING_ALG: 'ES256' })
  return app
})

const VICTIM = '+237677123456'
const HOME = '102.244.1.7'
const PASSWORD = 'autre phrase ici'
const post = (path: string, body: object, from: string, token?: string): Promise<Told> =>
  app.call(`POST /api/v1/${path}`, body, token === undefined ? { from } : { from, token })

type Flow = {
  readonly name: string
  readonly ask: (phoneNumber: string, from: string) => Promise<Told>
  readonly redeem: (challengeId: unknown, code: string) => Promise<Told>
}
const registration: Flow = {
  name: 'sign-up',
  ask: (phoneNumber, from) => post('registration/otp', { phoneNumber }, from),
  redeem: (challengeId, code) => post('registration/otp/verify', { challengeId, code }, HOME),
}
const reset: Flow = {
  name: 'reset',
  ask: (phoneNumber, from) => post('account/password-reset/request', { phoneNumber }, from),
  redeem: (challengeId, code) =>
    post('account/password-reset/complete', { challengeId, code, newPassword: 'nouvelle phrase' }, HOME),
}
const FLOWS = [registration, reset]

/** The owner asks from home, reads the latest code on their phone, and gives it. */
async function ownerGetsIn(flow: Flow, from = HOME): Promise<void> {
  const asked = await flow.ask(VICTIM, from)
  expect(asked.status).toBe(202)
  expect((await flow.redeem(asked.body.challengeId, app.lastCode(VICTIM))).status).toBeLessThan(300)
}
const CROWDS: [name: string, count: number, address: (i: number) => string][] = [
  ['ten requests from one address', 10, () => '41.202.0.1'],
  ['ten requests from ten providers', 10, (i) => `${60 + i}.1.1.1`],
  ['200 requests from 200 providers', 200, (i) => `${20 + (i % 200)}.${i}.1.1`],
  ['1,000 addresses', 1000, (i) => `41.${i % 256}.${i >> 8}.9`],
  ['a /48', 500, (i) => `2001:db8:7:${i.toString(16)}::1`],
]

describe.each(FLOWS)('$name of a number that strangers ask for', (flow) => {
  beforeEach(async () => {
    if (flow === reset) await addUser(app.deps, { phone: VICTIM, roles: ['TENANT'], password: PASSWORD })
  })

  test.each(CROWDS)('%s: the owner gets in from a network never seen, at once', async (_, count, address) => {
    for (let i = 0; i < count; i++) await flow.ask(VICTIM, address(i))
    expect(app.inbox(VICTIM).length).toBeLessThanOrEqual(5)
    await ownerGetsIn(flow)
  })

  test.each(CROWDS)('%s spread over a day: at most 17 messages, and two hours to wait', async (_, count, address) => {
    for (let i = 0; i < count; i++) {
      await flow.ask(VICTIM, address(i))
      later(Math.floor(86_400 / count))
    }
    expect(app.inbox(VICTIM).length).toBeLessThanOrEqual(18)
    later(7200)
    await ownerGetsIn(flow)
  })

  test('with their guesses: theirs are eight and one for each code sent; the owner’s first is compared', async () => {
    const theirs: unknown[] = []
    for (let i = 0; i < 10; i++) theirs.push((await flow.ask(VICTIM, `${60 + i}.1.1.1`)).body.challengeId)
    const code = app.lastCode(VICTIM)
    const told: Told[] = []
    for (const id of theirs) for (let i = 0; i < 5; i++) told.push(await flow.redeem(id, wrong(code)))
    // One more than eight were compared; from then on even the right one opens nothing of theirs.
    expect((await flow.redeem(theirs[3], code)).status).toBeGreaterThanOrEqual(400)
    expect(app.rows('select used_at from challenge where used_at is not null')).toEqual([])
    // The code is dead for whoever shares it; a code of one's own is not.
    later(601)
    await ownerGetsIn(flow)
  })

  test('asked and guessed at by everybody at once: the owner gets in at once', async () => {
    const theirs = []
    for (let i = 0; i < 30; i++) theirs.push((await flow.ask(VICTIM, `${60 + i}.1.1.1`)).body.challengeId)
    for (const id of theirs) await flow.redeem(id, wrong(app.lastCode(VICTIM)))
    for (let i = 0; i < 30; i++) await flow.ask(VICTIM, `${100 + i}.1.1.1`)
    expect(app.lastCode(VICTIM)).toMatch(/^\d{12}$/)
    expect(app.inbox(VICTIM)).toHaveLength(2)
    await ownerGetsIn(flow)
  })

  test('five codes that strangers had sent, then guesses: the code under way is good for the owner', async () => {
    const theirs = []
    for (let i = 0; i < 6; i++) {
      for (const from of ['60.1.1.1', '61.1.1.1']) theirs.push((await flow.ask(VICTIM, from)).body.challengeId)
      later(182)
    }
    expect(app.inbox(VICTIM)).toHaveLength(5)
    for (let i = 0; i < 12; i++) {
      const { challengeId } = (await flow.ask(VICTIM, `${100 + i}.1.1.1`)).body
      for (let n = 0; n < 5; n++) await flow.redeem(challengeId, wrong(app.lastCode(VICTIM)))
    }
    // No code of theirs is compared any more with six digits; the last one sent has twelve.
    expect(app.lastCode(VICTIM)).toMatch(/^\d{12}$/)
    await ownerGetsIn(flow)
  })

  test('five codes spent, the last one old: at a network where others sign in the owner gets in at once', async () => {
    await post('sandbox/token', { username: '+237677000001', password: 'pignon sur rue' }, '102.244.99.9')
    for (let i = 0; i < 12; i++) {
      await flow.ask(VICTIM, `${60 + (i % 2)}.1.1.1`)
      later(182)
    }
    expect(app.inbox(VICTIM)).toHaveLength(5)
    later(601)
    await ownerGetsIn(flow)
  })

  test('asked for every ten minutes all day: what was refused holds the next code back no longer', async () => {
    for (let i = 0; i < 72; i++) {
      await flow.ask(VICTIM, `${60 + i}.1.1.1`)
      later(601)
    }
    // Strangers had one code in two hours, and the owner has what comes next: nobody's asking puts it off.
    const sent = app.inbox(VICTIM).length
    expect(sent).toBeGreaterThanOrEqual(10)
    expect(sent).toBeLessThanOrEqual(12)
  })

  test('a stranger gets another challenge, that neither kills nor spends the owner’s', async () => {
    const mine = (await flow.ask(VICTIM, HOME)).body
    const code = app.lastCode(VICTIM)
    const theirs = (await flow.ask(VICTIM, '41.202.0.1')).body
    expect(theirs.challengeId).not.toBe(mine.challengeId)
    expect({ ...theirs, challengeId: '' }).toEqual({ ...mine, challengeId: '' })
    expect(app.inbox(VICTIM)).toHaveLength(1)
    for (let i = 0; i < 5; i++) await flow.redeem(theirs.challengeId, wrong(code))
    expect((await flow.redeem(mine.challengeId, code)).status).toBeLessThan(300)
    // Used once: not by the other challenge as well.
    expect((await flow.redeem(theirs.challengeId, code)).status).toBeGreaterThanOrEqual(400)
  })

  test('the same asker gets the same challenge and a new code', async () => {
    const first = (await flow.ask(VICTIM, HOME)).body.challengeId
    const old = app.lastCode(VICTIM)
    later(61)
    expect((await flow.ask(VICTIM, HOME)).body.challengeId).toBe(first)
    expect((await flow.redeem(first, old)).body.code).toBe('wrong_code')
    expect((await flow.redeem(first, app.lastCode(VICTIM))).status).toBeLessThan(300)
  })

  test('who shared a code gets one of their own by asking again', async () => {
    await flow.ask(VICTIM, '41.202.0.1')
    const { challengeId } = (await flow.ask(VICTIM, HOME)).body
    later(181)
    expect((await flow.ask(VICTIM, HOME)).body.challengeId).toBe(challengeId)
    expect(app.inbox(VICTIM)).toHaveLength(2)
    expect((await flow.redeem(challengeId, app.lastCode(VICTIM))).status).toBeLessThan(300)
  })
})

test('a reset that strangers ask and guess for all day: the owner gets in by the code that the strangers had sent', async () => {
  await addUser(app.deps, { phone: VICTIM, roles: ['TENANT'], password: PASSWORD })
  for (let i = 0; i < 12; i++) {
    const { challengeId } = (await reset.ask(VICTIM, `${60 + i}.1.1.1`)).body
    for (let n = 0; n < 5; n++) await reset.redeem(challengeId, String(n).padStart(i % 2 ? 12 : 6, '0'))
    later(7201)
  }
  const theirs = (await reset.ask(VICTIM, '41.202.0.1')).body
  const code = app.lastCode(VICTIM)
  expect(code).toMatch(/^\d{12}$/)
  // Half of it opens nothing, whoever tries.
  expect((await reset.redeem(theirs.challengeId, code.slice(0, 6))).status).toBe(422)
  await ownerGetsIn(reset)
  expect(app.lastCode(VICTIM)).toBe(code)
  expect((await reset.redeem(theirs.challengeId, code)).status).toBe(410)
})

test('ten numbers a day are looked up for one account; then all are refused alike', async () => {
  const token = await app.token('+237677000001', 'pignon sur rue')
  await addUser(app.deps, { phone: VICTIM, roles: ['TENANT'], password: PASSWORD })
  const change = async (newPhoneNumber: string) =>
    (await post('account/phone/otp', { newPhoneNumber }, HOME, token)).body.code ?? 'sent'
  for (let i = 0; i < 10; i++) expect(await change(VICTIM)).toBe('duplicate')
  expect([await change(VICTIM), await change('+237655443322')]).toEqual(['too_many_requests', 'too_many_requests'])
  later(86_400)
  expect(await change(VICTIM)).not.toBe('too_many_requests')
})

test('at a network where the account signed in, strangers’ requests and guesses count nothing', async () => {
  await addUser(app.deps, { phone: VICTIM, roles: ['TENANT'], password: PASSWORD })
  await post('sandbox/token', { username: VICTIM, password: PASSWORD }, HOME)
  for (let i = 0; i < 60; i++) {
    const { challengeId } = (await reset.ask(VICTIM, `${60 + i}.1.1.1`)).body
    for (let g = 0; g < 5; g++) await reset.redeem(challengeId, '000000')
    later(300)
  }
  const before = app.inbox(VICTIM).length
  await ownerGetsIn(reset)
  expect(app.inbox(VICTIM).filter(({ code }) => code !== null)).toHaveLength(before + 1)
})

test('signed-in purposes have codes that no stranger spends', async () => {
  await addUser(app.deps, { phone: VICTIM, roles: ['TENANT'], password: PASSWORD })
  const token = await app.token(VICTIM, PASSWORD)
  for (let i = 0; i < 60; i++) {
    for (const flow of FLOWS) await flow.ask(VICTIM, `${60 + i}.1.1.1`)
    later(2)
  }
  for (let i = 0; i < 30; i++) await registration.ask(`+23767788${String(1000 + i)}`, HOME)
  expect((await post('account/phone/verification/otp', {}, HOME, token)).status).toBe(200)
  expect((await post('account/phone/otp', { newPhoneNumber: '+237699887766' }, HOME, token)).status).toBe(200)
})

describe('the operator’s stop', () => {
  const fill = (status: string): void => {
    const put = app.deps.store.client.prepare(
      `insert into code_send(id, phone_number, prefix, purpose, address, sent_at, site, kind, status)
       values (?, '+237600000000', '+23760000', 'SIGNING', '', ?, '', 'OWN', ?)`,
    )
    app.deps.store.client.transaction(() => {
      for (let i = 0; i < 800; i++) put.run(`${status} ${i}`, now() - 1000, status)
    })()
  }

  test('is reached by what was sent alone, and holds for all; a reset does not let it show', async () => {
    await addUser(app.deps, { phone: VICTIM, roles: ['TENANT'], password: PASSWORD })
    for (const status of ['VERIFIED', 'UNSENT', 'JOINED', 'DECOY']) fill(status)
    expect((await registration.ask('+237655443322', HOME)).status).toBe(202)
    fill('SENT')
    expect((await registration.ask('+237655443323', HOME)).status).toBe(429)
    expect((await reset.ask(VICTIM, HOME)).status).toBe(202)
    expect(app.inbox(VICTIM)).toEqual([])
    later(3600)
    await ownerGetsIn(reset)
  })

  test('signing is bounded for each lease and person: seven leases a day are signed for owners', async () => {
    const { userId } = await addUser(app.deps, { phone: VICTIM, roles: ['MANAGER'], password: PASSWORD })
    const code = (subject: string) =>
      requestCode(app.deps, {
        ...{ purpose: 'SIGNING', phoneNumber: VICTIM, userId, orgId: app.owner.orgId, address: HOME, locale: 'fr' },
        ...{ subject, channel: undefined },
      }).then(
        () => 'sent',
        (e: { code: string }) => e.code,
      )
    for (let i = 0; i < 7; i++) expect(await code(`lease ${i}`)).toBe('sent')
    for (let i = 0; i < 4; i++) {
      later(601)
      expect(await code('lease 0')).toBe('sent')
    }
    later(601)
    expect([await code('lease 0'), await code('lease 1')]).toEqual(['too_many_requests', 'sent'])
  })

  test('what no vendor takes costs nobody', async () => {
    const number = (i: number): string => `+2376${50_000_000 + 13_457 * i}`
    Object.assign(app.deps.messenger, {
      send: async () => ({ took: false, reason: 'down', again: false, fault: 'vendor' }),
    })
    for (let i = 0; i < 40; i++) expect((await registration.ask(number(i), HOME)).status).toBe(503)
    expect(app.rows('select distinct status from code_send')).toEqual([{ status: 'UNSENT' }])
  })

  test('what was spent is forgotten when nothing counts it any more', async () => {
    await registration.ask(VICTIM, HOME)
    await addUser(app.deps, { phone: VICTIM, roles: ['TENANT'], password: PASSWORD })
    await post('sandbox/token', { username: VICTIM, password: PASSWORD }, HOME)
    const left = () =>
      ['challenge', 'code_send', 'budget_day', 'known_place'].map(
        (table) => app.rows(`select count(*) n from ${table}`)[0]?.n,
      )
    expect(left()).toEqual([1, 1, 2, 2])
    later(3 * 86_400)
    await purgeCodes(app.deps)
    expect(left()).toEqual([0, 0, 0, 2])
    later(90 * 86_400)
    await purgeCodes(app.deps)
    expect(left()).toEqual([0, 0, 0, 0])
  })
})
