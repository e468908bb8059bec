// A message from the decision to send it until a vendor takes it: once by each channel at most, and never a dead code.
import { expect, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { createDispatcher, purgeMessages } from '../../../../src/features/people/messages/jobs.ts'
import { recoverWork } from '../../../../src/jobs/schedule.ts'
import { fails, messagingScene } from '../../../support/messaging.ts'
import type { Mode } from '../../../support/vendor.ts'

const { stub, INFOBIP, WHATSAPP_ONLY, app, now, later, start, byPath, drain, newNumber, ask, messages, asked, states } =
  await messagingScene()

test('taken at once: one request, and a row that knows neither number nor code', async () => {
  await start(INFOBIP)
  const number = newNumber()
  const told = await ask(number)
  expect(told).toMatchObject({ status: 202, body: { channel: 'WHATSAPP' } })
  const code = app().lastCode(number)
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
  await purgeMessages(app().deps)
  expect(messages()).toMatchObject([{ status: 'SENT', sealed: null }])
  later(91 * 86_400)
  await purgeMessages(app().deps)
  expect(messages()).toEqual([])
  expect(await drain()).toBe(0)
  expect(asked()).toHaveLength(1)
})

test('WhatsApp refuses: the same code by SMS at once, and the answer says so', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: fails(400) })
  const number = newNumber()
  expect(await ask(number)).toMatchObject({ status: 202, body: { channel: 'SMS' } })
  const code = app().lastCode(number)
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
  const code = app().lastCode(number)
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
  expect(app().rows('select count(*) n from code_send')).toEqual([{ n: 1 }])
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
  const old = app().lastCode(number)
  later(61)
  byPath({})
  await ask(number)
  const fresh = app().lastCode(number)
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
  await purgeMessages(app().deps)
  expect(messages()).toMatchObject([{ status: 'EXPIRED', sealed: null, next_at: null }])
  expect(stub.seen).toHaveLength(1)
})

test('SMS is asked for: SMS and nothing else', async () => {
  await start(INFOBIP)
  const number = newNumber()
  expect(await ask(number, { channel: 'SMS' })).toMatchObject({ status: 202, body: { channel: 'SMS' } })
  expect(asked()).toEqual([`SMS:${app().lastCode(number)}`])
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
    const told = await app().call(`POST /api/v1/${path}`, { phoneNumber, channel: 'SMS' })
    expect(told).toMatchObject({ status: 422, body: { errors: [{ path: '/channel' }] } })
    bodies.push({ ...told.body, instance: '', requestId: '' })
  }
  expect(bodies[1]).toEqual(bodies[2])
  expect(stub.seen).toEqual([])
  expect(app().rows('select * from challenge')).toEqual([])
  expect(await ask(newNumber())).toMatchObject({ status: 202, body: { channel: 'WHATSAPP' } })
})

test('no WhatsApp here: codes and news go by SMS', async () => {
  const { INFOBIP_WHATSAPP_SENDER: _, ...env } = INFOBIP
  await start(env)
  expect(await ask(newNumber())).toMatchObject({ status: 202, body: { channel: 'SMS' } })
  expect(await ask(newNumber(), { channel: 'WHATSAPP' })).toMatchObject({ status: 422 })
  const token = await app().token('+237677000001', 'pignon sur rue')
  await app().call(
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

test('news waits for a vendor that is down, and holds nothing up', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: 'hang', sms: 'hang' })
  const token = await app().token('+237677000001', 'pignon sur rue')
  const changed = await app().call(
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
  app()
    .deps.store.client.prepare("update outbound_message set status = 'SENDING', attempts = 2, next_at = ?")
    .run(now() + 60_000)
  byPath({})
  later(59)
  expect(await drain()).toBe(0)
  later(2)
  await Promise.all([drain(), drain(), drain()])
  expect(states()).toEqual(['WHATSAPP SENT 3'])
  expect(stub.seen).toHaveLength(2)
})

test('after a restart it goes on at once, once; what was taken or waits for its time is left alone', async () => {
  await start(INFOBIP)
  await ask(newNumber())
  expect(states()).toEqual(['WHATSAPP SENT 1'])
  byPath({ whatsapp: fails(500) })
  await ask(newNumber())
  const number = newNumber()
  await ask(number)
  const code = app().lastCode(number)
  const claim = "update outbound_message set status = 'SENDING', next_at = ? where rowid = 3"
  app()
    .deps.store.client.prepare(claim)
    .run(now() + 60_000)
  byPath({})
  await recoverWork(app().deps)
  await Promise.all([drain(), drain()])
  expect(states()).toEqual(['WHATSAPP SENT 1', 'WHATSAPP QUEUED 1', 'WHATSAPP SENT 2'])
  expect(asked().filter((a) => a === `WA:${code}`)).toHaveLength(2)
  expect(stub.seen).toHaveLength(4)
})

test('a database without its key: given up, and the service goes on', async () => {
  await start(INFOBIP)
  byPath({ whatsapp: fails(500) })
  await ask(newNumber())
  later(2)
  await createDispatcher({ ...app().deps, masterKey: new Uint8Array(32) }).drain()
  expect(messages()).toMatchObject([{ status: 'FAILED', reason: 'unreadable', sealed: null }])
  expect(stub.seen).toHaveLength(1)
})

test('a code that the breaker held up, and no SMS can replace, goes out once the vendor works again', async () => {
  await start(WHATSAPP_ONLY)
  const number = newNumber()
  await addUser(app().deps, { phone: number, roles: ['TENANT'], password: 'autre phrase ici' })
  const to = { phoneNumber: number }
  expect((await app().call('POST /api/v1/account/password-reset/request', to)).status).toBe(202)
  const { messenger } = app().deps
  const held = {
    took: false,
    reason: 'breaker_open',
    again: true,
    fault: 'vendor',
    afterMs: 30_000,
    untried: true,
  } as const
  const paused = {
    ...messenger,
    pausedMs: (channel: string) => (channel === 'WHATSAPP' ? 30_000 : 0),
    send: async () => held,
  }
  await createDispatcher({ ...app().deps, messenger: paused }).drain()
  expect(states()).toEqual(['WHATSAPP QUEUED 0'])
  later(31)
  await drain()
  expect(states()).toEqual(['WHATSAPP SENT 1'])
  expect(asked()).toEqual([`WA:${app().lastCode(number)}`])
})
