import { afterEach, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { readReports } from '../../../../src/features/news/delivery-reports/rules.ts'
import { createPeopleApp, type PeopleApp } from '../../../support/people.ts'

const TOKEN = 'a-token-of-the-vendor'
const SECRET = 'a-secret-of-the-vendor-32-bytes!'
let app: PeopleApp | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})
async function post(
  env: Record<string, string>,
  body: string,
  { token, signature, path = '/webhooks/smsvendor/dlr' }: { token?: string; signature?: string; path?: string } = {},
) {
  app ??= await createPeopleApp(env)
  const request = new Request(`http://localhost${path}${token === undefined ? '' : `?token=${token}`}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { 'x-webhook-signature': signature }),
    },
    body,
  })
  const response = await app.send(request)
  return { status: response.status, text: await response.text() }
}
const reports = () =>
  (app?.rows("select details from audit_entry where action = 'message.delivery_report'") ?? []).map((r) =>
    JSON.parse(String(r.details)),
  )
const sign = (body: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', SECRET).update(body).digest(encoding)

const BODY = JSON.stringify({
  results: [
    {
      messageId: 'm-1',
      to: '237677123456',
      doneAt: '2026-03-10T08:00:00.000+0000',
      status: { groupName: 'DELIVERED', name: 'DELIVERED_TO_HANDSET' },
      error: { id: 0, name: 'NO_ERROR' },
    },
  ],
})

test('switched off: 503, whatever is sent', async () => {
  expect((await post({}, BODY)).status).toBe(503)
  expect((await post({}, '{bad', { token: TOKEN })).status).toBe(503)
  expect(reports()).toEqual([])
})

const both = { WEBHOOK_SMSVENDOR_TOKEN: TOKEN, WEBHOOK_SMSVENDOR_HMAC_SECRET: SECRET }
const attempts: [
  name: string,
  env: Record<string, string>,
  proof: { token?: string; signature?: string },
  status: number,
][] = [
  ['token alone', { WEBHOOK_SMSVENDOR_TOKEN: TOKEN }, { token: TOKEN }, 200],
  ['no token', { WEBHOOK_SMSVENDOR_TOKEN: TOKEN }, {}, 401],
  ['a token with one more letter', { WEBHOOK_SMSVENDOR_TOKEN: TOKEN }, { token: `${TOKEN}x` }, 401],
  ['the token twice', { WEBHOOK_SMSVENDOR_TOKEN: TOKEN }, { token: `${TOKEN}&token=${TOKEN}` }, 401],
  ['signature alone, hex', { WEBHOOK_SMSVENDOR_HMAC_SECRET: SECRET }, { signature: sign(BODY) }, 200],
  ['with its prefix', { WEBHOOK_SMSVENDOR_HMAC_SECRET: SECRET }, { signature: `sha256=${sign(BODY)}` }, 200],
  ['base64', { WEBHOOK_SMSVENDOR_HMAC_SECRET: SECRET }, { signature: sign(BODY, 'base64') }, 200],
  ['of a body with one space more', { WEBHOOK_SMSVENDOR_HMAC_SECRET: SECRET }, { signature: sign(`${BODY} `) }, 401],
  ['both asked, both right', both, { token: TOKEN, signature: sign(BODY) }, 200],
  ['both asked, token wrong', both, { token: 'x', signature: sign(BODY) }, 401],
  ['both asked, signature missing', both, { token: TOKEN }, 401],
]
for (const [name, env, proof, status] of attempts)
  test(`${name} → ${status}`, async () => {
    expect((await post(env, BODY, proof)).status).toBe(status)
    expect(reports()).toHaveLength(status === 200 ? 1 : 0)
  })

test('two thousand forged or altered reports are all refused and leave nothing', async () => {
  const hex = sign(BODY)
  const flip = (text: string, i: number): string =>
    text.slice(0, i % text.length) +
    String.fromCharCode(text.charCodeAt(i % text.length) ^ 1) +
    text.slice((i % text.length) + 1)
  /** Each takes its number and makes what is sent: body, signature, token. */
  const forgeries: ((i: number) => [body: string, signature: string | undefined, token: string | undefined])[] = [
    (i) => [flip(BODY, i), hex, TOKEN],
    (i) => [BODY.slice(0, i % BODY.length), hex, TOKEN],
    (i) => [`${BODY.slice(0, i % BODY.length)} ${BODY.slice(i % BODY.length)}`, hex, TOKEN],
    (i) => [BODY, flip(hex, i), TOKEN],
    (i) => [BODY, hex.slice(0, i % hex.length), TOKEN],
    (i) => [BODY, `sha256=sha256=${hex}${i}`, TOKEN],
    (i) => [BODY, hex, flip(TOKEN, i)],
    (i) => [BODY, hex, TOKEN.slice(0, i % TOKEN.length)],
    (i) => [BODY, createHmac('sha256', `${SECRET}${i}`).update(BODY).digest('hex'), TOKEN],
    (i) => [BODY, i % 2 === 0 ? undefined : '', TOKEN],
  ]
  const told: Record<string, number> = {}
  for (let i = 0; i < 2000; i++) {
    const [body, signature, token] = forgeries[i % forgeries.length]?.(Math.floor(i / forgeries.length)) ?? [BODY]
    const { status, text } = await post(both, body, {
      ...(signature === undefined ? {} : { signature }),
      ...(token === undefined ? {} : { token: encodeURIComponent(token) }),
    })
    const { requestId: _, ...answer } = JSON.parse(text)
    const key = `${status} ${JSON.stringify(answer)}`
    told[key] = (told[key] ?? 0) + 1
  }
  // One and the same answer, whatever was wrong.
  expect(Object.values(told)).toEqual([2000])
  expect(Object.keys(told)[0]).toStartWith('401 ')
  expect(reports()).toEqual([])
  expect(app?.rows('select count(*) n from delivery_report')).toEqual([{ n: 0 }])
  // The true one is still taken.
  expect((await post(both, BODY, { token: TOKEN, signature: hex })).status).toBe(200)
})

test('a thousand replays are recorded once, and no number stands in clear', async () => {
  for (let i = 0; i < 1000; i++)
    expect((await post(both, BODY, { token: TOKEN, signature: sign(BODY) })).status).toBe(200)
  expect(reports()).toEqual([
    {
      vendor: 'smsvendor',
      channel: 'UNKNOWN',
      status: 'DELIVERED',
      rawStatus: 'DELIVERED_TO_HANDSET',
      vendorMessageId: 'm-1',
      maskedDestination: '+237•••••••56',
      errorCode: '',
      eventAt: '2026-03-10T08:00:00.000Z',
    },
  ])
  expect(JSON.stringify(app?.rows('select * from audit_entry'))).not.toContain('677123456')
})

test('no object is 422; an unknown shape is accepted and recorded as UNKNOWN', async () => {
  for (const body of ['[]', '"x"', '{bad', ''])
    expect((await post({ WEBHOOK_SMSVENDOR_TOKEN: TOKEN }, body, { token: TOKEN })).status).toBe(422)
  expect((await post({}, '{"hello":"world"}', { token: TOKEN })).status).toBe(200)
  expect(reports()).toMatchObject([{ status: 'UNKNOWN' }])
  expect((await post({}, `{"x":"${'y'.repeat(262_144)}"}`, { token: TOKEN })).status).toBe(413)
})

const shapes: [vendor: string, body: object, expected: object][] = [
  [
    'Meta',
    {
      entry: [
        {
          changes: [
            {
              value: {
                statuses: [
                  {
                    id: 'wamid.1',
                    status: 'failed',
                    timestamp: '1767225600',
                    recipient_id: '237677123456',
                    errors: [{ code: 131026 }],
                  },
                ],
              },
            },
          ],
        },
      ],
    },
    {
      channel: 'WHATSAPP',
      status: 'FAILED',
      vendorMessageId: 'wamid.1',
      errorCode: '131026',
      maskedDestination: '+237•••••••56',
      eventAt: '2026-01-01T00:00:00.000Z',
    },
  ],
  [
    'Infobip, not final',
    {
      results: [
        { messageId: 'a', to: '237677123456', status: { groupName: 'DELIVERED', name: 'DELIVERED_TO_OPERATOR' } },
      ],
    },
    { status: 'SENT' },
  ],
  [
    'Infobip, seen',
    { results: [{ messageId: 'a', to: '237677123456', seenAt: '2026-03-01T00:00:00Z' }] },
    { status: 'READ' },
  ],
  [
    'Twilio as JSON',
    { MessageSid: 'SM1', MessageStatus: 'undelivered', To: 'whatsapp:+237677123456', ErrorCode: '63016' },
    { channel: 'WHATSAPP', status: 'FAILED', vendorMessageId: 'SM1', errorCode: '63016' },
  ],
  [
    'Vonage SMS',
    { msisdn: '237677123456', to: 'LOYER', messageId: '0C', status: 'delivered', 'err-code': '0' },
    { channel: 'SMS', status: 'DELIVERED', maskedDestination: '+237•••••••56', errorCode: '' },
  ],
  [
    'Orange',
    {
      deliveryInfoNotification: {
        callbackData: 'cb',
        deliveryInfo: { address: 'tel:+237677123456', deliveryStatus: 'DeliveryImpossible' },
      },
    },
    { channel: 'SMS', status: 'FAILED', maskedDestination: '+237•••••••56' },
  ],
  [
    'Termii',
    { message_id: 7, receiver: '237677123456', status: 'DND Active on Phone Number' },
    { status: 'FAILED', vendorMessageId: '7' },
  ],
]
for (const [vendor, body, expected] of shapes)
  test(`reads ${vendor}`, () => expect(readReports(body as Record<string, unknown>)[0]).toMatchObject(expected))

test('neither depth nor number of reports runs away', () => {
  let deep: object = { status: 'delivered' }
  for (let i = 0; i < 5000; i++) deep = { data: deep }
  expect(readReports(deep as Record<string, unknown>)).toMatchObject([{ status: 'UNKNOWN' }])
  expect(readReports({ results: Array(5000).fill({ id: '1', status: 'sent' }) }).length).toBe(1000)
})
