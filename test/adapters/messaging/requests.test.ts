// What each vendor is asked, to the letter.
import { afterAll, afterEach, expect, test } from 'bun:test'
import type { OutgoingMessage } from '../../../src/adapters/messaging/port.ts'
import { createVendor, type Seen, TAKEN } from '../../support/vendor.ts'
import { CODE, HX, LIFE, messengerAt, type Name, NEWS, SID, sms } from '../../support/vendors.ts'

const stub = await createVendor()
afterAll(() => stub.close())
afterEach(() => {
  stub.seen.length = 0
})
const messengerOf = messengerAt(stub.url)
const REPORTS = { PUBLIC_URL: 'https://rent.example.cm', WEBHOOK_SMSVENDOR_TOKEN: 'a-token-of-the-vendor&more' }
const REPORT_URL = 'https://rent.example.cm/webhooks/smsvendor/dlr?token=a-token-of-the-vendor%26more'
const NEWS_LINE = 'Rent for A1: 60 000 "FCFA" \\ to be paid.'
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
    'whatsapp-cloud: news, on one line',
    'whatsapp-cloud',
    NEWS,
    '/v25.0/106540352242922/messages',
    { authorization: 'Bearer EAAJB-secret' },
    template('loyer_news', 'en', [{ type: 'body', parameters: one(NEWS_LINE) }]),
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
    'infobip: news by WhatsApp',
    'infobip',
    NEWS,
    '/whatsapp/1/message/template',
    { authorization: 'App key-secret' },
    {
      messages: [
        {
          from: '447860099299',
          to: '237677123456',
          content: {
            templateName: 'loyer_news',
            templateData: { body: { placeholders: [NEWS_LINE] } },
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
    'twilio: news by WhatsApp, in English',
    'twilio',
    NEWS,
    `/2010-04-01/Accounts/${SID}/Messages.json`,
    {},
    {
      To: 'whatsapp:+237677123456',
      From: 'whatsapp:+14155238886',
      ContentSid: HX('c'),
      ContentVariables: JSON.stringify({ '1': NEWS_LINE }),
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
    sms(NEWS),
    '/send?account=7',
    { authorization: 'Token http-secret', 'content-type': 'application/json' },
    {
      phone: '237677123456',
      msg: { body: NEWS.text, otp: '' },
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
