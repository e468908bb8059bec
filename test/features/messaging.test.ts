// A message from the decision to send it to the last report: once by each channel at most, and never a dead code.
import { afterAll, afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { addUser } from '../../src/features/account/service.ts'
import { createDispatcher, purgeMessages } from '../../src/features/messages/jobs.ts'
import { createLog } from '../../src/log.ts'
import { createPeopleApp, type PeopleApp } from '../support/people.ts'
import { createVendor, type Mode, type Seen, TAKEN, taken } from '../support/vendor.ts'

const stub = await createVendor()
afterAll(async () => {
  await stub.close()
  setSystemTime()
})
const TOKEN = 'a-token-of-the-vendor'
const INFOBIP = {
  WEBHOOK_SMSVENDOR_TOKEN: TOKEN,
  MESSAGING: 'infobip',
  INFOBIP_URL: stub.url,
  INFOBIP_API_KEY: 'canary-api-key',
  INFOBIP_WHATSAPP_SENDER: '447860099299',
  INFOBIP_SMS_SENDER: 'Loyer',
}
const WHATSAPP_ONLY = {
  WEBHOOK_SMSVENDOR_TOKEN: TOKEN,
  MESSAGING: 'whatsapp-cloud',
  WHATSAPP_URL: stub.url,
  WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
  WHATSAPP_TOKEN: 'canary-token',
}

const lines: string[] = []
let app: PeopleApp
let now = Date.parse('2026-03-10T08:00:00.000Z')
const later = (seconds: number): void => {
  now += seconds * 1000
  setSystemTime(new Date(now))
}
const start = async (env: Record<string, string>): Promise<void> => {
  app = await createPeopleApp(
    env,
    createLog((line) => lines.push(line), Date.now),
  )
}
beforeEach(() => {
  later(86_400)
  stub.seen.length = 0
  lines.length = 0
  byPath({})
})
afterEach(async () => {
  await createDispatcher(app.deps).settled()
  // Whatever happened: neither numbers nor codes nor keys in the log, nor in clear in the table.
  const table = JSON.stringify(app.rows('select * from outbound_message'))
  for (const text of [lines.join(), table])
    expect(text).not.toMatch(/canary|2376[0-9]{8}|votre code|mot de passe Loyer/)
  await app.close()
})

/** What the vendor does by channel; it takes what nothing is said of. */
let chosen: { whatsapp?: Mode; sms?: Mode } = {}
function byPath(modes: typeof chosen): void {
  chosen = modes
  stub.answers(({ path }) => {
    if (path.startsWith('/v')) return chosen.whatsapp ?? taken('whatsapp-cloud')
    return (path.startsWith('/sms') ? chosen.sms : chosen.whatsapp) ?? taken('infobip')
  })
}
const fails = (status: number, headers: Record<string, string> = {}): Mode => ({ status, body: '{}', headers })
/** What the vendor was asked, as WA:482913 or SMS:482913. */
const asked = (): string[] =>
  stub.seen.map(
    ({ path, body }: Seen) => `${path.startsWith('/sms') ? 'SMS' : 'WA'}:${/\b\d{6}\b/.exec(body)?.[0] ?? '-'}`,
  )

let next = 0
const newNumber = (): string => `+2376${String(50_000_000 + 13_457 * ++next).slice(0, 8)}`
const ask = (phoneNumber: string, more: object = {}) =>
  app.call('POST /api/v1/registration/otp', { phoneNumber, ...more }, { from: `10.1.${next % 250}.1` })
const verify = (challengeId: unknown, code: string) =>
  app.call('POST /api/v1/registration/otp/verify', { challengeId, code })
const drain = (): Promise<number> => createDispatcher(app.deps).drain()
type Row = Record<string, string | number | null>
const messages = () => app.rows('select * from outbound_message order by created_at, rowid') as Row[]
const states = (): string[] => messages().map((m) => `${m.channel} ${m.status} ${m.attempts}`)
const report = async (id: unknown, status: string, more: object = {}): Promise<number> => {
  const body = JSON.stringify({ results: [{ messageId: id, status: { groupName: status, name: status }, ...more }] })
  const response = await app.send(
    new Request(`http://localhost/webhooks/smsvendor/dlr?token=${TOKEN}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }),
  )
  return response.status
}
const idOf = (i: number): unknown => messages()[i]?.vendor_message_id

test('taken at once: one request, and a row that knows neither number nor code', async () => {
  await start(INFOBIP)
  const number = newNumber()
  const told = await ask(number)
  expect(told).toMatchObject({ status: 202, body: { channel: 'WHATSAPP' } })
  const code = app.lastCode(number)
  expect(asked()).toEqual([`WA:${code}`])
  const [row] = messages()
  expect(row).toMatchObject({
    channel: 'WHATSAPP',
    purpose: 'registration',
    vendor: 'infobip',
    vendor_message_id: expect.stringMatching(/^ib-/),
    masked_destination: `+237•••••••${number.slice(-2)}`,
    challenge_id: told.body.challengeId,
    status: 'SENT',
    attempts: 1,
    next_at: null,
  })
  // Sealed while an SMS may have to take its place, and no longer.
  expect(row?.sealed).toBeString()
  expect(String(row?.sealed)).not.toContain(code)
  later(600)
  await purgeMessages(app.deps)
  expect(messages()).toMatchObject([{ status: 'SENT', sealed: null }])
  later(91 * 86_400)
  await purgeMessages(app.deps)
  expect(messages()).toEqual([])
  expect(await drain()).toBe(0)
  expect(asked()).toHaveLength(1)
})

test('WhatsApp refuses: the same code by SMS at once, and the answer says so', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: fails(400) })
  const number = newNumber()
  expect(await ask(number)).toMatchObject({ status: 202, body: { channel: 'SMS' } })
  const code = app.lastCode(number)
  expect(asked()).toEqual([`WA:${code}`, `SMS:${code}`])
  expect(states()).toEqual(['WHATSAPP FAILED 1', 'SMS SENT 1'])
  expect(messages()[1]).toMatchObject({ instead_of: messages()[0]?.id, sealed: null })
  expect(await drain()).toBe(0)
})

const refusals: [name: string, whatsapp: Mode][] = [
  ['400', fails(400)],
  ['401', fails(401)],
  ['an answer that nobody can read', { status: 200, body: '<html>' }],
]
for (const [name, whatsapp] of refusals)
  test(`WhatsApp alone, ${name}: 503, and nothing goes out later`, async () => {
    await start(WHATSAPP_ONLY)
    byPath({ whatsapp })
    const told = await ask(newNumber())
    expect(told).toMatchObject({ status: 503, body: { code: 'delivery_unavailable' } })
    expect(Number(told.headers.get('retry-after'))).toBeGreaterThan(0)
    byPath({})
    for (let i = 0; i < 20; i++) {
      later(31)
      expect(await drain()).toBe(0)
    }
    expect(stub.seen).toHaveLength(1)
    expect(messages()).toMatchObject([{ status: 'FAILED', sealed: null }])
  })

test('a vendor in trouble: three tries again, then the SMS; never more', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: fails(500) })
  const number = newNumber()
  // It is under way: the answer says by which channel it is tried.
  expect(await ask(number)).toMatchObject({ status: 202, body: { channel: 'WHATSAPP' } })
  const code = app.lastCode(number)
  expect(states()).toEqual(['WHATSAPP QUEUED 1'])
  expect(await drain()).toBe(0)
  for (const [seconds, tries] of [
    [2, 2],
    [4, 3],
    [12, 4],
  ] as const) {
    later(seconds)
    await drain()
    expect(asked().filter((a) => a === `WA:${code}`)).toHaveLength(tries)
  }
  expect(states()).toEqual(['WHATSAPP FAILED 4', 'SMS SENT 1'])
  for (let i = 0; i < 30; i++) {
    later(20)
    expect(await drain()).toBe(0)
  }
  expect(asked()).toEqual([...Array(4).fill(`WA:${code}`), `SMS:${code}`])
  // One send was asked for and counted, however often the vendor was.
  expect(app.rows('select count(*) n from code_send')).toEqual([{ n: 1 }])
})

test('Retry-After is honoured; beyond the life of the code it is the SMS', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: fails(429, { 'retry-after': '20' }) })
  await ask(newNumber())
  later(19)
  expect(await drain()).toBe(0)
  byPath({})
  later(2)
  await drain()
  expect(states()).toEqual(['WHATSAPP SENT 2'])
  byPath({ whatsapp: fails(429, { 'retry-after': '600' }) })
  expect(await ask(newNumber())).toMatchObject({ body: { channel: 'SMS' } })
})

test('a code that was asked for again is never sent any more', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: fails(503, { 'retry-after': '90' }) })
  const number = newNumber()
  await ask(number)
  const old = app.lastCode(number)
  later(61)
  byPath({})
  await ask(number)
  const fresh = app.lastCode(number)
  expect(fresh).not.toBe(old)
  expect(messages()).toMatchObject([{ status: 'EXPIRED', sealed: null }, { status: 'SENT' }])
  for (let i = 0; i < 20; i++) {
    later(29)
    await drain()
  }
  expect(asked()).toEqual([`WA:${old}`, `WA:${fresh}`])
})

test('a code that has expired is never sent', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: fails(500) })
  await ask(newNumber())
  later(601)
  expect(await drain()).toBe(0)
  await purgeMessages(app.deps)
  expect(messages()).toMatchObject([{ status: 'EXPIRED', sealed: null, next_at: null }])
  expect(stub.seen).toHaveLength(1)
})

test('five wrong codes: the sixth attempt cannot be right, so nothing is sent for it', async () => {
  await start(INFOBIP)
  const number = newNumber()
  const { challengeId } = (await ask(number)).body
  const wrong = app.lastCode(number) === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i++) await verify(challengeId, wrong)
  expect(await report(idOf(0), 'REJECTED')).toBe(200)
  expect(await drain()).toBe(0)
  expect(states()).toEqual(['WHATSAPP FAILED 1'])
})

test('WhatsApp reports a failure: one SMS, whatever comes again', async () => {
  await start(INFOBIP)
  const number = newNumber()
  await ask(number)
  const code = app.lastCode(number)
  const id = idOf(0)
  expect(await report(id, 'UNDELIVERABLE', { error: { id: 7 } })).toBe(200)
  // The vendor is answered before anything is sent.
  expect(asked()).toEqual([`WA:${code}`])
  await drain()
  expect(asked()).toEqual([`WA:${code}`, `SMS:${code}`])
  for (let i = 0; i < 50; i++) await report(id, 'UNDELIVERABLE', { error: { id: 7 } })
  // Not a replay, but the same news.
  for (let i = 0; i < 10; i++) await report(id, 'REJECTED', { doneAt: new Date(now + i).toISOString() })
  await report(id, 'DELIVERED')
  expect(await drain()).toBe(0)
  expect(asked()).toHaveLength(2)
  // It did arrive in the end: forward. The SMS has its own story.
  expect(states()).toEqual(['WHATSAPP DELIVERED 1', 'SMS SENT 1'])
  await report(idOf(1), 'UNDELIVERABLE')
  expect(await drain()).toBe(0)
  expect(states()).toEqual(['WHATSAPP DELIVERED 1', 'SMS FAILED 1'])
})

const tooLate: [name: string, first: (number: string, challengeId: unknown) => Promise<unknown>, asked: number][] = [
  ['the code was used', async (number, id) => verify(id, app.lastCode(number)), 1],
  ['the code has expired', async () => later(600), 1],
  [
    'another code was asked for',
    async (number) => {
      later(61)
      return ask(number)
    },
    2,
  ],
  ['it was delivered before', async () => report(idOf(0), 'DELIVERED'), 1],
  ['it was read before', async () => report(idOf(0), 'READ'), 1],
]
for (const [name, first, requests] of tooLate)
  test(`WhatsApp reports a failure after ${name}: no SMS`, async () => {
    await start(INFOBIP)
    const number = newNumber()
    const { challengeId } = (await ask(number)).body
    const id = idOf(0)
    await first(number, challengeId)
    expect(await report(id, 'UNDELIVERABLE')).toBe(200)
    expect(await drain()).toBe(0)
    expect(asked().filter((a) => a.startsWith('SMS'))).toEqual([])
    expect(stub.seen).toHaveLength(requests)
  })

test('a report that overtakes the answer is not lost', async () => {
  await start(INFOBIP)
  await report('ib-early', 'UNDELIVERABLE')
  byPath({
    whatsapp: {
      status: 200,
      body: JSON.stringify({ messages: [{ messageId: 'ib-early', status: { groupName: 'PENDING' } }] }),
    },
  })
  const number = newNumber()
  expect(await ask(number)).toMatchObject({ status: 202, body: { channel: 'SMS' } })
  await drain()
  expect(asked().map((a) => a.split(':')[0])).toEqual(['WA', 'SMS'])
  expect(states()).toEqual(['WHATSAPP FAILED 1', 'SMS SENT 1'])
})

test('reports of an unknown message move nothing', async () => {
  await start(INFOBIP)
  await ask(newNumber())
  for (const id of ['ib-0', '', 7, null, messages()[0]?.id]) expect(await report(id, 'UNDELIVERABLE')).toBe(200)
  expect(states()).toEqual(['WHATSAPP SENT 1'])
  expect(await drain()).toBe(0)
})

test('SMS is asked for: SMS and nothing else', async () => {
  await start(INFOBIP)
  const number = newNumber()
  expect(await ask(number, { channel: 'SMS' })).toMatchObject({ status: 202, body: { channel: 'SMS' } })
  expect(asked()).toEqual([`SMS:${app.lastCode(number)}`])
  expect(messages()).toMatchObject([{ channel: 'SMS', status: 'SENT', sealed: null }])
})

test('no SMS here: refused where it is asked for, for every number alike', async () => {
  await start(WHATSAPP_ONLY)
  const bodies = []
  for (const [path, phoneNumber] of [
    ['registration/otp', newNumber()],
    ['account/password-reset/request', '+237677000001'],
    ['account/password-reset/request', newNumber()],
  ]) {
    const told = await app.call(`POST /api/v1/${path}`, { phoneNumber, channel: 'SMS' })
    expect(told).toMatchObject({ status: 422, body: { errors: [{ path: '/channel' }] } })
    bodies.push({ ...told.body, instance: '', requestId: '' })
  }
  expect(bodies[1]).toEqual(bodies[2])
  expect(stub.seen).toEqual([])
  expect(app.rows('select * from challenge')).toEqual([])
  expect(await ask(newNumber())).toMatchObject({ status: 202, body: { channel: 'WHATSAPP' } })
})

test('no WhatsApp here: codes and news go by SMS', async () => {
  const { INFOBIP_WHATSAPP_SENDER: _, ...env } = INFOBIP
  await start(env)
  expect(await ask(newNumber())).toMatchObject({ status: 202, body: { channel: 'SMS' } })
  expect(await ask(newNumber(), { channel: 'WHATSAPP' })).toMatchObject({ status: 422 })
  const token = await app.token('+237677000001', 'pignon sur rue')
  await app.call(
    'POST /api/v1/account/password',
    { currentPassword: 'pignon sur rue', newPassword: 'pignon sur cour' },
    { token },
  )
  await drain()
  expect(messages().map((m) => `${m.channel} ${m.purpose} ${m.status}`)).toEqual([
    'SMS registration SENT',
    'SMS password_changed SENT',
  ])
})

test('the SMS adapter may be another: each has its own breaker', async () => {
  await start({ ...WHATSAPP_ONLY, ...INFOBIP, MESSAGING: 'whatsapp-cloud', MESSAGING_SMS: 'infobip' })
  byPath({ whatsapp: fails(401) })
  for (let i = 0; i < 7; i++) expect(await ask(newNumber())).toMatchObject({ status: 202, body: { channel: 'SMS' } })
  // Five refusals opened the one; the last two were not even tried there.
  expect(asked().filter((a) => a.startsWith('WA'))).toHaveLength(5)
  expect(asked().filter((a) => a.startsWith('SMS'))).toHaveLength(7)
})

test('a report is written into the trail of the message’s organization, else the operator’s', async () => {
  await start(INFOBIP)
  const { orgId } = await addUser(app.deps, {
    phone: '+237677000077',
    roles: ['OWNER'],
    orgId: crypto.randomUUID(),
    orgName: 'Autre',
    password: 'autre mot de passe',
  })
  expect(orgId).not.toBe(app.owner.orgId)
  const token = await app.token('+237677000077', 'autre mot de passe')
  await app.call('POST /api/v1/account/phone/otp', { newPhoneNumber: newNumber() }, { token })
  await ask(newNumber())
  await report(idOf(0), 'DELIVERED')
  await report(idOf(1), 'DELIVERED')
  await report('nobody', 'DELIVERED')
  const trail = app
    .rows("select org_id, details from audit_entry where action = 'message.delivery_report' order by id")
    .map(({ org_id, details }) => [org_id, JSON.parse(String(details))] as const)
  expect(trail.map(([org, d]) => [org, d.vendor, d.channel, d.purpose, d.vendorMessageId])).toEqual([
    [orgId, 'infobip', 'WHATSAPP', 'phone_change', idOf(0)],
    [app.owner.orgId, 'infobip', 'WHATSAPP', 'registration', idOf(1)],
    [app.owner.orgId, 'smsvendor', 'UNKNOWN', undefined, 'nobody'],
  ])
})

test('news waits for a vendor that is down, and holds nothing up', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: 'hang', sms: 'hang' })
  const token = await app.token('+237677000001', 'pignon sur rue')
  const changed = await app.call(
    'POST /api/v1/account/password',
    { currentPassword: 'pignon sur rue', newPassword: 'pignon sur cour' },
    { token },
  )
  expect(changed.status).toBe(204)
  expect(stub.seen).toEqual([])
  byPath({ whatsapp: fails(500) })
  await drain()
  expect(states()).toEqual(['WHATSAPP QUEUED 1'])
  byPath({})
  later(30)
  expect(await drain()).toBe(0)
  later(60)
  await drain()
  expect(states()).toEqual(['WHATSAPP SENT 2'])
})

test('what a dead process had in hand is taken up again, once', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: fails(500) })
  await ask(newNumber())
  // As it stands while the process that claimed it is being killed.
  app.deps.store.client
    .prepare("update outbound_message set status = 'SENDING', attempts = 2, next_at = ?")
    .run(now + 60_000)
  byPath({})
  later(59)
  expect(await drain()).toBe(0)
  later(2)
  await Promise.all([drain(), drain(), drain()])
  expect(states()).toEqual(['WHATSAPP SENT 3'])
  expect(stub.seen).toHaveLength(2)
})

test('a database without its key: given up, and the service goes on', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: fails(500) })
  await ask(newNumber())
  later(2)
  await createDispatcher({ ...app.deps, masterKey: new Uint8Array(32) }).drain()
  expect(messages()).toMatchObject([{ status: 'FAILED', reason: 'unreadable', sealed: null }])
  expect(stub.seen).toHaveLength(1)
})

test('Twilio reports as a form, where Twilio is the vendor; elsewhere that is no JSON object', async () => {
  const form = async () => {
    const response = await app.send(
      new Request(`http://localhost/webhooks/smsvendor/dlr?token=${TOKEN}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
        body: new URLSearchParams({
          MessageSid: 'SM1',
          MessageStatus: 'undelivered',
          To: 'whatsapp:+237677123456',
          ErrorCode: '63016',
        }).toString(),
      }),
    )
    return response.status
  }
  await start(INFOBIP)
  expect(await form()).toBe(422)
  await app.close()
  await start({
    WEBHOOK_SMSVENDOR_TOKEN: TOKEN,
    MESSAGING: 'twilio',
    TWILIO_URL: stub.url,
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'canary-auth',
    TWILIO_WHATSAPP_FROM: '+14155238886',
    TWILIO_SMS_FROM: '+14155238886',
    TWILIO_CONTENT_CODE: `HX${'a'.repeat(32)}`,
    TWILIO_CONTENT_NOTICE: `HX${'b'.repeat(32)}`,
  })
  stub.answers((seen) => ({
    status: 201,
    body: JSON.stringify(seen.body.includes('whatsapp') ? { sid: 'SM1', status: 'queued' } : TAKEN.twilio()),
  }))
  await ask(newNumber())
  expect(await form()).toBe(200)
  await drain()
  expect(states()).toEqual(['WHATSAPP FAILED 1', 'SMS SENT 1'])
})
