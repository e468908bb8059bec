// What a vendor reports of a message afterwards: forward only, and one SMS in the place of a WhatsApp message at most.
import { expect, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { messagingScene } from '../../../support/messaging.ts'
import { TAKEN } from '../../../support/vendor.ts'

const {
  stub,
  INFOBIP,
  TOKEN,
  app,
  now,
  later,
  start,
  byPath,
  drain,
  newNumber,
  ask,
  messages,
  dlr,
  verify,
  asked,
  states,
  idOf,
  report,
} = await messagingScene()

test('five wrong codes: the sixth attempt cannot be right, so nothing is sent for it', async () => {
  await start(INFOBIP)
  const number = newNumber()
  const { challengeId } = (await ask(number)).body
  const wrong = app().lastCode(number) === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i++) await verify(challengeId, wrong)
  expect(await report(idOf(0), 'REJECTED')).toBe(200)
  expect(await drain()).toBe(0)
  expect(states()).toEqual(['WHATSAPP FAILED 1'])
})

test('WhatsApp reports a failure: one SMS, whatever comes again', async () => {
  await start(INFOBIP)
  const number = newNumber()
  await ask(number)
  const code = app().lastCode(number)
  const id = idOf(0)
  expect(await report(id, 'UNDELIVERABLE', { error: { id: 7 } })).toBe(200)
  // The vendor is answered before anything is sent.
  expect(asked()).toEqual([`WA:${code}`])
  await drain()
  expect(asked()).toEqual([`WA:${code}`, `SMS:${code}`])
  for (let i = 0; i < 50; i++) await report(id, 'UNDELIVERABLE', { error: { id: 7 } })
  // Not a replay, but the same news.
  for (let i = 0; i < 10; i++) await report(id, 'REJECTED', { doneAt: new Date(now() + i).toISOString() })
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
  ['the code was used', async (number, id) => verify(id, app().lastCode(number)), 1],
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

test('a report is written into the trail of the message’s organization, else the operator’s', async () => {
  await start(INFOBIP)
  const { orgId } = await addUser(app().deps, {
    phone: '+237677000077',
    roles: ['OWNER'],
    orgId: crypto.randomUUID(),
    orgName: 'Autre',
    password: 'autre mot de passe',
  })
  expect(orgId).not.toBe(app().owner.orgId)
  const token = await app().token('+237677000077', 'autre mot de passe')
  await app().call('POST /api/v1/account/phone/otp', { newPhoneNumber: newNumber() }, { token })
  await ask(newNumber())
  await report(idOf(0), 'DELIVERED')
  await report(idOf(1), 'DELIVERED')
  await report('nobody', 'DELIVERED')
  const trail = app()
    .rows("select org_id, details from audit_entry where action = 'message.delivery_report' order by id")
    .map(({ org_id, details }) => [org_id, JSON.parse(String(details))] as const)
  expect(trail.map(([org, d]) => [org, d.vendor, d.channel, d.purpose, d.vendorMessageId])).toEqual([
    [orgId, 'infobip', 'WHATSAPP', 'phone_change', idOf(0)],
    [app().owner.orgId, 'infobip', 'WHATSAPP', 'registration', idOf(1)],
    [app().owner.orgId, 'smsvendor', 'UNKNOWN', undefined, 'nobody'],
  ])
})

test('Twilio reports as a form, where Twilio is the vendor; elsewhere that is no JSON object', async () => {
  const form = () =>
    dlr(
      'application/x-www-form-urlencoded; charset=utf-8',
      new URLSearchParams({
        MessageSid: 'SM1',
        MessageStatus: 'undelivered',
        To: 'whatsapp:+237677123456',
        ErrorCode: '63016',
      }).toString(),
    )
  await start(INFOBIP)
  expect(await form()).toBe(422)
  await start({
    WEBHOOK_SMSVENDOR_TOKEN: TOKEN,
    MESSAGING: 'twilio',
    TWILIO_URL: stub.url,
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'canary-auth',
    TWILIO_WHATSAPP_FROM: '+14155238886',
    TWILIO_SMS_FROM: '+14155238886',
    TWILIO_CONTENT_CODE: `HX${'a'.repeat(32)}`,
    TWILIO_CONTENT_NEWS: `HX${'b'.repeat(32)}`,
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
