// The messaging vendor is down, slow, busy or broken: who asks for a code is answered without it and told the truth,
// and nobody can tell from a reset whether a number has an account.
import { afterAll, afterEach, expect, setSystemTime, test } from 'bun:test'
import { createDispatcher } from '../../src/features/people/messages/jobs.ts'
import { createPeopleApp, type PeopleApp, type Told } from '../support/people.ts'
import { createVendor, type Mode, taken } from '../support/vendor.ts'

const stub = await createVendor()
let app: PeopleApp | undefined
let now = Date.parse('2026-03-10T08:00:00.000Z')
const later = (seconds: number): void => {
  now += seconds * 1000
  setSystemTime(new Date(now))
}
later(0)
afterEach(async () => {
  await app?.close()
  app = undefined
  stub.seen.length = 0
})
afterAll(async () => {
  await stub.close()
  setSystemTime()
})

const OWNER = '+237677000001'
const start = async (url = stub.url): Promise<PeopleApp> => {
  later(86_400)
  app = await createPeopleApp({
    MESSAGING: 'infobip',
    INFOBIP_URL: url,
    INFOBIP_API_KEY: 'key',
    INFOBIP_WHATSAPP_SENDER: '447860099299',
    INFOBIP_SMS_SENDER: 'Loyer',
  })
  return app
}
let next = 0
const newNumber = (): string => `+2376${String(50_000_000 + 13_457 * ++next).slice(0, 8)}`
const post = (path: string, body: object, token?: string, from = `10.2.${++next % 250}.1`): Promise<Told> =>
  app?.call(`POST /api/v1/${path}`, body, {
    from,
    ...(token ? { token } : {}),
  }) as Promise<Told>
const signUp = (phoneNumber = newNumber()) => post('registration/otp', { phoneNumber })
// From one address: who asks again from another has a challenge of their own.
const reset = (phoneNumber: string) => post('account/password-reset/request', { phoneNumber }, undefined, '10.3.0.1')
const count = (table: string): unknown => app?.rows(`select count(*) n from ${table}`)[0]?.n
/** What an answer shows of itself, without what is the challenge's own. */
const seenOf = ({ status, headers, body }: Told) => ({
  status,
  headers: [...headers.keys()].filter((name) => name !== 'date').sort(),
  members: Object.keys(body),
  channel: body.channel,
  expiresAt: body.expiresAt,
})

const says = (status: number, headers: Record<string, string> = {}): Mode => ({ status, body: '{}', headers })
const closed = await createVendor()
await closed.close()
/** What sign-up is told while the vendor has not yet been found to be down. */
const troubles: [name: string, mode: Mode, url: string, status: 202 | 503, ended: boolean][] = [
  ['never answers', 'hang', stub.url, 202, false],
  ['begins an answer and stops', 'half', stub.url, 202, false],
  ['resets the connection', 'reset', stub.url, 202, true],
  ['is not there', 'hang', closed.url, 202, true],
  ['answers 429', says(429, { 'retry-after': '5' }), stub.url, 202, true],
  ['answers 500', says(500), stub.url, 202, true],
  ['answers 503', says(503), stub.url, 202, true],
  ['refuses our key', says(401), stub.url, 503, true],
  ['refuses the message', says(400), stub.url, 503, true],
  ['says nothing that makes sense', { status: 200, body: '<html>' }, stub.url, 503, true],
]
for (const [name, mode, url, status, ended] of troubles) {
  test(`a vendor that ${name}: sign-up and phone change are answered ${status} without it`, async () => {
    const { token, rows } = await start(url)
    const bearer = await token(OWNER, 'pignon sur rue')
    stub.answers(mode)
    const answers = [
      [await signUp(), 202],
      [await post('account/phone/otp', { newPhoneNumber: newNumber() }, bearer), 200],
    ] as const
    for (const [told, good] of answers) {
      expect(told.status).toBe(status === 202 ? good : status)
      if (status === 503) {
        expect(told.body.code).toBe('delivery_unavailable')
        expect(Number(told.headers.get('retry-after'))).toBeGreaterThanOrEqual(60)
      }
    }
    // 202 is true: it waits for its next try. 503 is true: nothing will be sent behind it.
    const waiting = rows('select status from outbound_message where sealed is not null and next_at is not null')
    expect(waiting).toHaveLength(status === 202 ? 2 : 0)
    // One send a request was counted, whatever was tried.
    expect(count('code_send')).toBe(2)
    // Its code is dead by then.
    if (ended) {
      const tried = stub.seen.length
      later(601)
      await createDispatcher(app?.deps as PeopleApp['deps']).drain()
      expect(stub.seen).toHaveLength(tried)
    }
  })

  test(`a vendor that ${name}: a reset is the same for every number, and does not ask it`, async () => {
    await start(url)
    stub.answers(mode)
    const [known, unknown] = [await reset(OWNER), await reset(newNumber())]
    expect(seenOf(known)).toEqual(seenOf(unknown))
    expect(known.status).toBe(202)
    expect(stub.seen).toEqual([])
    later(61)
    const [again, other] = [await reset(OWNER), await reset(newNumber())]
    expect(seenOf(again)).toEqual(seenOf(other))
    expect(again.body.challengeId).toBe(known.body.challengeId)
    // Only a number with an account is sent anything, and only the last code.
    expect(app?.rows('select status from outbound_message order by created_at')).toEqual([
      { status: 'EXPIRED' },
      { status: 'QUEUED' },
    ])
  })
}

test('once it is known to be down: 503 at once and nothing written; a reset as ever; then one tries', async () => {
  const { deps } = await start()
  stub.answers(says(500))
  for (let i = 0; i < 4; i++) expect((await signUp()).status).toBe(202)
  // The fifth failure in a row opens the breaker: no use to wait for the next try.
  expect((await signUp()).status).toBe(503)
  const before = [count('challenge'), count('code_send'), count('outbound_message')]
  for (let i = 0; i < 20; i++) {
    const told = await signUp()
    expect(told).toMatchObject({ status: 503, body: { code: 'delivery_unavailable' } })
    const wait = Number(told.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(30)
  }
  expect([count('challenge'), count('code_send'), count('outbound_message')]).toEqual(before)
  expect(stub.seen).toHaveLength(5)
  const [known, unknown] = [await reset(OWNER), await reset(newNumber())]
  expect(seenOf(known)).toEqual(seenOf(unknown))
  expect(known.status).toBe(202)
  // What waits is put off, and has lost none of its tries.
  later(3)
  await createDispatcher(deps).drain()
  expect(stub.seen).toHaveLength(5)
  const rows = app?.rows('select attempts, status from outbound_message') ?? []
  expect(rows.filter((r) => r.status === 'QUEUED')).toHaveLength(5)
  expect(Math.max(...rows.map((r) => Number(r.attempts)))).toBe(1)
})

test('forty people while it hangs: everybody is answered, no more than sixteen wait for it', async () => {
  const { deps, rows } = await start()
  stub.answers('hang')
  const told = await Promise.all(Array.from({ length: 40 }, () => signUp()))
  // The vendor never answers: whoever is answered was not kept waiting for it.
  expect(told.every((t) => t.status === 202)).toBe(true)
  expect(stub.seen).toHaveLength(16)
  expect(rows("select 1 from outbound_message where status = 'QUEUED' and attempts = 0")).toHaveLength(24)
  expect(deps.messenger.pausedMs('SMS')).toBe(0)
})

test('it comes back: what was put off goes out, once, and the code is good', async () => {
  const { deps, inbox } = await start()
  stub.answers('reset')
  const number = newNumber()
  const { challengeId } = (await signUp(number)).body
  stub.answers(taken('infobip'))
  later(2)
  await createDispatcher(deps).drain()
  const code = inbox(number)[0]?.code ?? ''
  expect(stub.seen).toHaveLength(2)
  expect(stub.seen[1]?.body).toContain(code)
  expect((await post('registration/otp/verify', { challengeId, code })).status).toBe(200)
  for (let i = 0; i < 5; i++) {
    later(100)
    await createDispatcher(deps).drain()
  }
  expect(stub.seen).toHaveLength(2)
})
