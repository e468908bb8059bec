// Where no vendor sends messages: codes are refused, and reminders say that nothing was sent, with what to forward by hand.
import { expect, test } from 'bun:test'
import { ANA, start } from '../../../support/reminded.ts'

type Forward = { withheld?: string; text?: string; link?: string; forwardUrl?: string }

test('a reminder says that nothing was sent, and carries text and link for WhatsApp', async () => {
  const s = await start()
  Object.assign(s.t.deps.messenger, { mute: true })
  s.t.sent.length = 0
  const one = (await s.remind()).body as Forward
  const [many] = (
    await s.t.call<Forward[]>(ANA, 'POST /api/v1/reminders', { invoiceIds: [s.invoice], step: 'REMINDER' })
  ).body
  await s.t.work()
  for (const told of [one, many ?? {}]) {
    expect(told.withheld).toBe('NO_VENDOR')
    expect(told.text).toContain(told.link ?? 'no link')
    expect(told.text).toContain('(Agence Owona)')
    expect(told.forwardUrl).toBe(`https://wa.me/237677123456?text=${encodeURIComponent(told.text ?? '')}`)
    const shown = await s.t.app.handle(new Request(told.link ?? ''))
    expect(shown.status).toBe(200)
  }
  // The rent call of the start went out; nothing since, and the list of messages says why.
  expect(s.t.sent).toEqual([])
  expect((await s.messages()).map((rentMessage) => (rentMessage as Forward).withheld)).toEqual([
    undefined,
    'NO_VENDOR',
    'NO_VENDOR',
  ])
})

test('with a vendor a reminder carries neither text nor link', async () => {
  const s = await start()
  const { body } = await s.remind()
  for (const member of ['withheld', 'text', 'link', 'forwardUrl']) expect(body).not.toHaveProperty(member)
})

test('codes are refused at once, whoever asks for them, and none is kept', async () => {
  const s = await start()
  Object.assign(s.t.deps.messenger, { mute: true })
  for (const [path, phoneNumber] of [
    ['registration/otp', '+237677999111'],
    ['account/password-reset/request', '+237677999111'],
    ['account/password-reset/request', '+237677123456'],
  ]) {
    const { status, body, headers } = await s.t.call(undefined, `POST /api/v1/${path}`, { phoneNumber })
    expect([path, status, body.code, headers.get('retry-after')]).toEqual([path, 503, 'delivery_unavailable', '3600'])
  }
  expect(s.t.rows('select id from challenge')).toEqual([])
})
