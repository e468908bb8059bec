// What each vendor is asked, to the letter, and what is made of its answers.
import { afterAll, afterEach, expect, test } from 'bun:test'
import { guarded } from '../../src/adapters/messaging/guard.ts'
import { createMessenger } from '../../src/adapters/messaging/messenger.ts'
import type { Outcome, OutgoingMessage } from '../../src/adapters/messaging/port.ts'
import { post, type Vendor } from '../../src/adapters/messaging/request.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog, silentLog } from '../../src/log.ts'
import { createVendor, type Mode, type Seen, TAKEN } from '../support/vendor.ts'

const stub = await createVendor()
afterAll(() => stub.close())
afterEach(() => {
  stub.seen.length = 0
})

const SID = 'AC0123456789abcdef0123456789abcdef'
const HX = (digit: string) => `HX${digit.repeat(32)}`
const REPORTS = { PUBLIC_URL: 'https://rent.example.cm', WEBHOOK_SMSVENDOR_TOKEN: 'a-token-of-the-vendor&more' }
const REPORT_URL = 'https://rent.example.cm/webhooks/smsvendor/dlr?token=a-token-of-the-vendor%26more'
const SETTINGS = {
  'whatsapp-cloud': {
    MESSAGING: 'whatsapp-cloud',
    WHATSAPP_URL: stub.url,
    WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
    WHATSAPP_TOKEN: 'EAAJB-secret',
  },
  infobip: {
    MESSAGING: 'infobip',
    INFOBIP_URL: stub.url,
    INFOBIP_API_KEY: 'key-secret',
    INFOBIP_WHATSAPP_SENDER: '447860099299',
    INFOBIP_SMS_SENDER: 'Loyer',
  },
  twilio: {
    MESSAGING: 'twilio',
    TWILIO_URL: stub.url,
    TWILIO_ACCOUNT_SID: SID,
    TWILIO_AUTH_TOKEN: 'auth-secret',
    TWILIO_WHATSAPP_FROM: '+14155238886',
    TWILIO_SMS_FROM: 'Loyer',
    TWILIO_CONTENT_CODE: `fr=${HX('a')},en=${HX('b')}`,
    TWILIO_CONTENT_NOTICE: HX('c'),
  },
  http: {
    MESSAGING: 'http',
    MESSAGING_HTTP_URL: `${stub.url}/send?account=7`,
    MESSAGING_HTTP_AUTHORIZATION: 'Token http-secret',
    MESSAGING_HTTP_CHANNELS: 'WHATSAPP,SMS',
    MESSAGING_HTTP_BODY:
      '{"phone":"{{digits}}","msg":{"body":"{{text}}","otp":"{{code}}"},"kind":"{{channel}}/{{purpose}}/{{locale}}","ref":"{{id}}","n":1}',
  },
} as const
type Name = keyof typeof SETTINGS
const messengerOf = (name: Name, more: Record<string, string> = {}) =>
  createMessenger(loadConfig({ ...SETTINGS[name], ...more }).messaging, silentLog)

const CODE: OutgoingMessage = {
  orgId: null,
  to: '+237677123456',
  channel: 'WHATSAPP',
  purpose: 'registration',
  locale: 'fr',
  text: 'Loyer : votre code est 482913.',
  code: '482913',
}
const NOTICE: OutgoingMessage = {
  orgId: null,
  to: '+237677123456',
  channel: 'WHATSAPP',
  purpose: 'invoice_issued',
  locale: 'en',
  text: 'Rent for A1:\n60\u00a0000 "FCFA"   \\ to be paid.',
}
const NOTICE_LINE = 'Rent for A1: 60 000 "FCFA" \\ to be paid.'
const sms = (m: OutgoingMessage): OutgoingMessage => ({ ...m, channel: 'SMS' })
const LIFE = { id: 'our-id', lifeSeconds: 600 }
const form = (body: string) => Object.fromEntries(new URLSearchParams(body))
const template = (name: string, code: string, components: object[]) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '+237677123456',
  type: 'template',
  template: { name, language: { code }, components },
})
const one = (text: string) => [{ type: 'text', text }]

const requests: [
  name: string,
  vendor: Name,
  message: OutgoingMessage,
  path: string,
  headers: Record<string, string>,
  body: unknown,
][] = [
  [
    'whatsapp-cloud: a code, with its copy-code button',
    'whatsapp-cloud',
    CODE,
    '/v25.0/106540352242922/messages',
    { authorization: 'Bearer EAAJB-secret', 'content-type': 'application/json' },
    template('loyer_code', 'fr', [
      { type: 'body', parameters: one('482913') },
      { type: 'button', sub_type: 'url', index: '0', parameters: one('482913') },
    ]),
  ],
  [
    'whatsapp-cloud: a notice, on one line',
    'whatsapp-cloud',
    NOTICE,
    '/v25.0/106540352242922/messages',
    { authorization: 'Bearer EAAJB-secret' },
    template('loyer_notice', 'en', [{ type: 'body', parameters: one(NOTICE_LINE) }]),
  ],
  [
    'infobip: a code by WhatsApp',
    'infobip',
    CODE,
    '/whatsapp/1/message/template',
    { authorization: 'App key-secret', 'content-type': 'application/json', accept: 'application/json' },
    {
      messages: [
        {
          from: '447860099299',
          to: '237677123456',
          content: {
            templateName: 'loyer_code',
            templateData: { body: { placeholders: ['482913'] }, buttons: [{ type: 'URL', parameter: '482913' }] },
            language: 'fr',
          },
          notifyUrl: REPORT_URL,
        },
      ],
    },
  ],
  [
    'infobip: a notice by WhatsApp',
    'infobip',
    NOTICE,
    '/whatsapp/1/message/template',
    { authorization: 'App key-secret' },
    {
      messages: [
        {
          from: '447860099299',
          to: '237677123456',
          content: {
            templateName: 'loyer_notice',
            templateData: { body: { placeholders: [NOTICE_LINE] } },
            language: 'en',
          },
          notifyUrl: REPORT_URL,
        },
      ],
    },
  ],
  [
    'infobip: an SMS, which dies with its code',
    'infobip',
    sms(CODE),
    '/sms/3/messages',
    { authorization: 'App key-secret' },
    {
      messages: [
        {
          sender: 'Loyer',
          destinations: [{ to: '237677123456' }],
          content: { text: CODE.text },
          options: { validityPeriod: { amount: 600, timeUnit: 'SECONDS' } },
          webhooks: { delivery: { url: REPORT_URL } },
        },
      ],
    },
  ],
  [
    'twilio: a code by WhatsApp',
    'twilio',
    CODE,
    `/2010-04-01/Accounts/${SID}/Messages.json`,
    {
      authorization: `Basic ${btoa(`${SID}:auth-secret`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    {
      To: 'whatsapp:+237677123456',
      From: 'whatsapp:+14155238886',
      ContentSid: HX('a'),
      ContentVariables: '{"1":"482913"}',
      ValidityPeriod: '600',
      StatusCallback: REPORT_URL,
    },
  ],
  [
    'twilio: a notice by WhatsApp, in English',
    'twilio',
    NOTICE,
    `/2010-04-01/Accounts/${SID}/Messages.json`,
    {},
    {
      To: 'whatsapp:+237677123456',
      From: 'whatsapp:+14155238886',
      ContentSid: HX('c'),
      ContentVariables: JSON.stringify({ '1': NOTICE_LINE }),
      ValidityPeriod: '600',
      StatusCallback: REPORT_URL,
    },
  ],
  [
    'twilio: an SMS',
    'twilio',
    sms(CODE),
    `/2010-04-01/Accounts/${SID}/Messages.json`,
    {},
    { To: '+237677123456', From: 'Loyer', Body: CODE.text, ValidityPeriod: '600', StatusCallback: REPORT_URL },
  ],
  [
    'http: whatever the template says, each value safe inside of its JSON string',
    'http',
    sms(NOTICE),
    '/send?account=7',
    { authorization: 'Token http-secret', 'content-type': 'application/json' },
    {
      phone: '237677123456',
      msg: { body: NOTICE.text, otp: '' },
      kind: 'SMS/invoice_issued/en',
      ref: 'our-id',
      n: 1,
    },
  ],
]
for (const [name, vendor, message, path, headers, body] of requests)
  test(name, async () => {
    stub.answers({ status: 200, body: JSON.stringify(TAKEN[vendor]()) })
    const outcome = await messengerOf(vendor, REPORTS).send(message, LIFE)
    expect(outcome).toMatchObject({ took: true, vendorMessageId: expect.stringMatching(/\d$/) })
    expect(stub.seen).toHaveLength(1)
    const [asked] = stub.seen as [Seen]
    expect({ method: asked.method, path: asked.path }).toEqual({ method: 'POST', path })
    expect(asked.headers).toMatchObject(headers)
    expect(vendor === 'twilio' ? form(asked.body) : JSON.parse(asked.body)).toEqual(body)
  })

test('a messaging service of Twilio stands in for the sender; no report address without a token, or where reports are signed', async () => {
  stub.answers({ status: 201, body: JSON.stringify(TAKEN.twilio()) })
  const service = `MG${'0'.repeat(32)}`
  for (const more of [
    {},
    { ...REPORTS, WEBHOOK_SMSVENDOR_HMAC_SECRET: 'a-secret-of-sixteen' },
    { ...REPORTS, PUBLIC_URL: 'http://localhost:3000' },
  ])
    await messengerOf('twilio', { TWILIO_SMS_FROM: service, ...more }).send(sms(CODE), LIFE)
  for (const { body } of stub.seen)
    expect(form(body)).toEqual({
      To: '+237677123456',
      MessagingServiceSid: service,
      Body: CODE.text,
      ValidityPeriod: '600',
    })
  expect(stub.seen).toHaveLength(3)
})

const no = (reason: string, again: boolean, fault: 'vendor' | 'message', more = {}): Outcome => ({
  took: false,
  reason,
  again,
  fault,
  ...more,
})
const says = (status: number, body: unknown = {}, headers: Record<string, string> = {}): Mode => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers,
})
const answers: [name: string, answer: Mode, expected: Outcome][] = [
  [
    '400',
    says(400, { error: { code: 131009, message: 'bad +237677123456' } }),
    no('http_400_131009', false, 'message'),
  ],
  ['400 with a word', says(400, { code: 21211 }), no('http_400_21211', false, 'message')],
  [
    '401',
    says(401, { requestError: { serviceException: { messageId: 'UNAUTHORIZED', text: 'no' } } }),
    no('http_401_UNAUTHORIZED', false, 'vendor'),
  ],
  ['403', says(403), no('http_403', false, 'vendor')],
  ['404', says(404, { error: 'no such page: +237677123456' }), no('http_404', false, 'message')],
  ['a code as long as a number is not kept', says(400, { code: 237677123456 }), no('http_400', false, 'message')],
  ['408', says(408), no('http_408', true, 'vendor')],
  ['429', says(429), no('http_429', true, 'vendor')],
  [
    '429 and when to come again',
    says(429, {}, { 'retry-after': '7' }),
    no('http_429', true, 'vendor', { afterMs: 7000 }),
  ],
  [
    '429 with a date long past',
    says(429, {}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    no('http_429', true, 'vendor', { afterMs: 0 }),
  ],
  ['429 with nonsense', says(429, {}, { 'retry-after': 'soon' }), no('http_429', true, 'vendor')],
  ['500', says(500, '<html>oops</html>'), no('http_500', true, 'vendor')],
  [
    '503 and when to come again',
    says(503, {}, { 'retry-after': '2' }),
    no('http_503', true, 'vendor', { afterMs: 2000 }),
  ],
  [
    'a redirect is not followed',
    says(302, '', { location: 'https://elsewhere.example/' }),
    no('http_302', false, 'vendor'),
  ],
  ['reset', 'reset', no('network_', true, 'vendor')],
]
for (const vendor of Object.keys(SETTINGS) as Name[])
  for (const [name, answer, expected] of answers)
    test(`${vendor} answers ${name}`, async () => {
      stub.answers(answer)
      const messenger = messengerOf(vendor)
      const outcome = await messenger.send(vendor === 'whatsapp-cloud' ? CODE : sms(CODE), LIFE)
      if (answer === 'reset')
        expect(outcome).toMatchObject({ ...expected, reason: expect.stringMatching(/^network/) } as object)
      else expect(outcome).toEqual(expected)
      // One attempt is one request: trying again is for those who know whether the code still lives.
      expect(stub.seen).toHaveLength(1)
    })

for (const [vendor, body] of [
  ['whatsapp-cloud', '<html>captive portal</html>'],
  ['whatsapp-cloud', '{"messages":[]}'],
  ['whatsapp-cloud', '{"messages":[{"id":{}}]}'],
  ['infobip', ''],
  ['infobip', '{"messages":[{}]}'],
  ['twilio', '[]'],
  ['twilio', '"ok"'],
] as const)
  test(`${vendor} says 200 and ${body || 'nothing'}: it may have been taken, so it is not sent again`, async () => {
    stub.answers({ status: 200, body })
    expect(await messengerOf(vendor).send(CODE, LIFE)).toEqual(no('unreadable_answer', false, 'vendor'))
  })

test('a generic gateway says yes by its status alone', async () => {
  for (const [body, id] of [
    ['OK', undefined],
    ['', undefined],
    ['{"messageId":7}', '7'],
    ['{"data":{"id":"x"}}', 'x'],
    [`{"id":"${'x'.repeat(200)}"}`, undefined],
  ] as const) {
    stub.answers({ status: 202, body })
    expect(await messengerOf('http').send(CODE, LIFE)).toEqual({ took: true, vendorMessageId: id })
  }
})

test('a refusal inside of a 200 is a refusal', async () => {
  stub.answers(
    says(200, {
      messages: [{ messageId: 'x', status: { groupName: 'REJECTED', name: 'REJECTED_NOT_ENOUGH_CREDITS' } }],
    }),
  )
  expect(await messengerOf('infobip').send(sms(CODE), LIFE)).toEqual(
    no('rejected_not_enough_credits', false, 'message'),
  )
  stub.answers(says(201, { sid: 'SM1', status: 'failed' }))
  expect(await messengerOf('twilio').send(sms(CODE), LIFE)).toEqual(no('status_failed', false, 'message'))
})

for (const mode of ['hang', 'half'] as const)
  test(`a vendor that ${mode === 'hang' ? 'never answers' : 'never ends its answer'} is given up`, async () => {
    stub.answers(mode)
    const outcome = await post({ url: stub.url, headers: {}, body: '{}' }, () => ({ took: true }), 40)
    expect(outcome).toEqual(no('timeout', true, 'vendor'))
  })

test('nobody there: the word of the network, without the address', async () => {
  const closed = await createVendor()
  await closed.close()
  const outcome = await post({ url: `${closed.url}/?key=secret`, headers: {}, body: '' }, () => undefined)
  expect(outcome).toMatchObject({ took: false, again: true, fault: 'vendor' })
  expect(JSON.stringify(outcome)).not.toContain('secret')
})

test('a long answer is not read to its end', async () => {
  stub.answers({ status: 500, body: 'x'.repeat(3_000_000) })
  expect(await post({ url: stub.url, headers: {}, body: '' }, () => undefined)).toEqual(no('http_500', true, 'vendor'))
})

const choices: [name: string, env: Record<string, string>, vendors: object][] = [
  ['WhatsApp alone', SETTINGS['whatsapp-cloud'], { WHATSAPP: 'whatsapp-cloud' }],
  [
    'WhatsApp, and SMS by another',
    { ...SETTINGS['whatsapp-cloud'], ...SETTINGS.infobip, MESSAGING: 'whatsapp-cloud', MESSAGING_SMS: 'infobip' },
    { WHATSAPP: 'whatsapp-cloud', SMS: 'infobip' },
  ],
  ['one for both', SETTINGS.infobip, { WHATSAPP: 'infobip', SMS: 'infobip' }],
  ['SMS alone', { ...SETTINGS.http, MESSAGING_HTTP_CHANNELS: 'SMS' }, { SMS: 'http' }],
  [
    'both, but SMS by another',
    { ...SETTINGS.twilio, ...SETTINGS.http, MESSAGING: 'twilio', MESSAGING_SMS: 'http' },
    { WHATSAPP: 'twilio', SMS: 'http' },
  ],
  ['nobody: the log', {}, { WHATSAPP: 'log', SMS: 'log' }],
]
for (const [name, env, vendors] of choices)
  test(`who sends: ${name}`, async () => {
    const messenger = createMessenger(loadConfig(env).messaging, silentLog)
    expect(messenger.vendors).toEqual(vendors)
    if (!('SMS' in vendors)) expect(await messenger.send(sms(CODE), LIFE)).toEqual(no('no_vendor', false, 'message'))
    expect(stub.seen).toEqual([])
  })

test('the log says whom, masked, and about what; never the text or the code', async () => {
  const lines: string[] = []
  const messenger = createMessenger(
    loadConfig({}).messaging,
    createLog((line) => lines.push(line), Date.now),
  )
  await messenger.send(CODE, LIFE)
  expect(lines.join()).toContain('+237•••••••56')
  for (const secret of ['482913', '677123456', 'votre code']) expect(lines.join()).not.toContain(secret)
})

/** A vendor that does what it is told, with a clock of its own. */
function breaker() {
  const world = { now: 0, outcome: no('http_500', true, 'vendor') as Outcome, tried: 0 }
  let release: (() => void)[] = []
  const vendor: Vendor = {
    name: 'x',
    channels: ['SMS'],
    send: () => {
      world.tried += 1
      return new Promise((resolve) => release.push(() => resolve(world.outcome)))
    },
  }
  const guard = guarded(vendor, () => world.now)
  const send = () => guard.send(CODE, 600, 'id')
  /** Everything under way ends as the world says. */
  const end = () => {
    for (const go of release) go()
    release = []
  }
  const sendAndEnd = async (outcome: Outcome) => {
    world.outcome = outcome
    const sent = send()
    end()
    return sent
  }
  return { world, guard, send, end, sendAndEnd }
}
const down = no('http_500', true, 'vendor')
const refused = no('http_400', false, 'message')
const UNTRIED = { took: false, untried: true, again: true, fault: 'vendor' }

test('five failures in a row open the breaker; what the vendor refused does not count', async () => {
  const { world, guard, sendAndEnd } = breaker()
  for (const outcome of [down, down, down, down, refused, down, down, down, down]) await sendAndEnd(outcome)
  expect(guard.pausedMs()).toBe(0)
  await sendAndEnd(down)
  expect(guard.pausedMs()).toBe(30_000)
  expect(world.tried).toBe(10)
  world.now = 29_000
  expect(await sendAndEnd({ took: true })).toMatchObject({ ...UNTRIED, reason: 'breaker_open', afterMs: 1000 })
  expect(world.tried).toBe(10)
})

for (const [name, outcome, paused] of [
  ['works: closed', { took: true }, 0],
  ['refuses the message, so it answers: closed', refused, 0],
  ['fails: open for as long again', down, 30_000],
  ['is not allowed in: open', no('http_401', false, 'vendor'), 30_000],
] as const)
  test(`half open: one message tries, and ${name}`, async () => {
    const { world, guard, send, end, sendAndEnd } = breaker()
    for (let i = 0; i < 5; i++) await sendAndEnd(down)
    world.now = 30_000
    world.outcome = outcome
    const probe = send()
    const others = await Promise.all([send(), send(), send()])
    expect(others).toMatchObject([UNTRIED, UNTRIED, UNTRIED])
    expect(world.tried).toBe(6)
    end()
    expect(await probe).toEqual(outcome)
    expect(guard.pausedMs()).toBe(paused)
  })

test('at most sixteen are under way; the seventeenth is told to come again', async () => {
  const { world, send, end } = breaker()
  const first = Array.from({ length: 16 }, send)
  expect(await send()).toMatchObject({ ...UNTRIED, reason: 'busy' })
  world.outcome = { took: true }
  end()
  expect((await Promise.all(first)).every((o) => o.took)).toBe(true)
  const next = send()
  end()
  expect(await next).toEqual({ took: true })
})

test('an adapter that throws is an outcome, and holds no place', async () => {
  const guard = guarded({ name: 'x', channels: ['SMS'], send: () => Promise.reject(new Error('secret')) })
  for (let i = 0; i < 4; i++) expect(await guard.send(CODE, 600, 'id')).toEqual(no('adapter_failed', false, 'vendor'))
})
