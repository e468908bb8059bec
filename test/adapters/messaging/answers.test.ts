// What is made of a vendor's answer, and which vendor is asked.
import { afterAll, afterEach, expect, test } from 'bun:test'
import { createMessenger } from '../../../src/adapters/messaging/messenger.ts'
import type { Outcome } from '../../../src/adapters/messaging/port.ts'
import { post } from '../../../src/adapters/messaging/request.ts'
import { loadConfig } from '../../../src/config.ts'
import { createLog, silentLog } from '../../../src/log.ts'
import { createVendor, type Mode } from '../../support/vendor.ts'
import { CODE, LIFE, messengerAt, type Name, no, says, settingsAt, sms } from '../../support/vendors.ts'

const stub = await createVendor()
afterAll(() => stub.close())
afterEach(() => {
  stub.seen.length = 0
})
const messengerOf = messengerAt(stub.url)
const SETTINGS = settingsAt(stub.url)

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
