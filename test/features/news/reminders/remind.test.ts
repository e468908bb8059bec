// Many reminders at once: what goes out, what is answered for those one sends oneself, and who may not.
import { expect, test } from 'bun:test'
import { ADA, ANA, EVE, start } from '../../../support/reminded.ts'

type Reminded = {
  invoiceId: string
  messageId?: string
  step?: string
  text?: string
  link?: string
  withheld?: string
  problem?: { code: string; detail: string }
}
type Begun = Awaited<ReturnType<typeof start>>
const many = async ({ t, invoice }: Begun, body: object = {}, who = ANA, headers: Record<string, string> = {}) => {
  const answer = await t.call<Reminded[]>(who, 'POST /api/v1/reminders', { invoiceIds: [invoice], ...body }, headers)
  await t.work()
  return answer
}
const UNKNOWN = '019cd6c2-8c00-70a1-8b9a-78c04e0842c8'

test('each tenant is reminded once; who cannot be has a problem, and keeps nobody back', async () => {
  const s = await start()
  const { status, body } = await many(s, { invoiceIds: [UNKNOWN, s.invoice, s.invoice], step: 'REMINDER' })
  expect(status).toBe(202)
  expect(body).toMatchObject([
    { invoiceId: UNKNOWN, problem: { code: 'not_found' } },
    { invoiceId: s.invoice, step: 'REMINDER' },
  ])
  expect(body.every(({ text, link }) => text === undefined && link === undefined)).toBe(true)
  expect(s.purposes()).toEqual(['invoice_issued', 'reminder_reminder'])
  expect((await s.messages()).map(({ id }) => id)).toContain(body[1]?.messageId ?? '')
  // The same step once a day.
  expect((await many(s, { step: 'REMINDER' })).body).toMatchObject([{ problem: { code: 'duplicate' } }])
  expect((await many(s, { step: 'FORMAL_NOTICE' })).body).toMatchObject([{ problem: { code: 'invalid_state' } }])
  await s.pay(60_000)
  expect((await many(s, { step: 'FINAL' })).body).toMatchObject([{ problem: { code: 'invalid_state' } }])
  expect(s.purposes()).toEqual(['invoice_issued', 'reminder_reminder'])
})

test('many are reminded in several writes: others come in between, and one key is one answer for all', async () => {
  const s = await start()
  const unknown = (n: number) => `019cd6c2-8c00-70a1-8b9a-78c04e08${String(n).padStart(4, '0')}`
  const invoiceIds = [...Array.from({ length: 44 }, (_, n) => unknown(n)), s.invoice]
  const ended: string[] = []
  const ask = () => many(s, { invoiceIds, step: 'REMINDER' }, ANA, { 'idempotency-key': 'all' })
  const [first] = await Promise.all([
    ask().finally(() => ended.push('reminders')),
    s.t
      .call(ANA, 'POST /api/v1/tenants', { fullName: 'Jean Mballa', phoneNumber: '+237690000077' })
      .finally(() => ended.push('tenant')),
  ])
  expect(ended).toEqual(['tenant', 'reminders'])
  expect(first.body.map(({ invoiceId }) => invoiceId)).toEqual(invoiceIds)
  expect(first.body.at(-1)).toMatchObject({ step: 'REMINDER' })
  const again = await ask()
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
  expect(s.purposes()).toEqual(['invoice_issued', 'reminder_reminder'])
  const other = await many(s, { invoiceIds: [s.invoice], step: 'FINAL' }, ANA, { 'idempotency-key': 'all' })
  expect(other.body).toMatchObject({ code: 'idempotency_mismatch' })
})

test('two months that are late on one lease are one message, that of the older, whatever the order', async () => {
  const s = await start()
  s.t.advance(41)
  await s.t.work()
  const all = await s.t.call<{ id: string }[]>(ANA, `GET /api/v1/invoices?order=desc&bookingId=${s.booking}`)
  const [later, older] = all.body.map(({ id }) => id).slice(-2)
  const before = s.t.sent.length
  const { body } = await many(s, { invoiceIds: [later, older], step: 'REMINDER' })
  expect(body).toMatchObject([{ invoiceId: later }, { invoiceId: older, step: 'REMINDER' }])
  expect(body[0]?.messageId).toBe(body[1]?.messageId ?? '?')
  expect(s.t.sent.length - before).toBe(1)
  expect(s.t.sent.at(-1)?.text.replace(/\s/g, ' ')).toContain('120 000 FCFA')
  expect((await s.messages()).filter(({ step }) => step === 'REMINDER')).toHaveLength(1)
  // The text to forward is there once; what keeps the one back keeps the other back.
  const mine = await many(s, { invoiceIds: [later, older], step: 'FINAL', channel: 'NONE' })
  expect(mine.body.map(({ text }) => text !== undefined)).toEqual([false, true])
  const again = await many(s, { invoiceIds: [older, later], step: 'REMINDER' })
  expect(again.body).toMatchObject([{ problem: { code: 'duplicate' } }, { problem: { code: 'duplicate' } }])
})

test('with NONE nothing is sent: text and link are answered, and the link shows the invoice', async () => {
  const s = await start()
  const { body } = await many(s, { channel: 'NONE', step: 'REMINDER' })
  const [one] = body
  expect(one?.text).toContain('60 000 FCFA'.replaceAll(' ', '\u00a0'))
  expect(one?.text).toContain(one?.link ?? '?')
  expect(s.purposes()).toEqual(['invoice_issued'])
  expect((await s.messages()).map(({ step }) => step)).toEqual(['RENT_CALL', 'REMINDER'])
  const page = await s.t.call(undefined, `GET ${new URL(one?.link ?? '').pathname}`)
  expect([page.status, page.text.includes('Villa')]).toEqual([200, true])
  // Asked for again it is the same message; sent by Loyer it would be the second of the day.
  expect((await many(s, { channel: 'NONE', step: 'REMINDER' })).body).toEqual(body)
  expect((await many(s, { step: 'REMINDER' })).body).toMatchObject([{ problem: { code: 'duplicate' } }])
})

test('tried only, nothing is kept and no link works', async () => {
  const s = await start()
  const before = s.t.dump(['rent_message', 'audit_entry', 'outbound_message', 'budget_day'])
  const { body } = await many(s, { dryRun: true })
  expect(body).toMatchObject([{ step: 'UPCOMING' }])
  expect(body[0]?.text).toContain('/i/…')
  expect(body[0]?.messageId).toBeUndefined()
  expect(s.t.dump(['rent_message', 'audit_entry', 'outbound_message', 'budget_day'])).toBe(before)
})

test('another owner reminds nobody, a tenant may not ask, and what is wrong is refused as a whole', async () => {
  const s = await start()
  expect((await many(s, {}, EVE)).body).toMatchObject([{ problem: { code: 'not_found' } }])
  expect((await many(s, { channel: 'NONE' }, EVE)).body).toMatchObject([{ problem: { code: 'not_found' } }])
  expect((await many(s, { dryRun: true }, EVE)).body).toMatchObject([{ problem: { code: 'not_found' } }])
  expect((await many(s, {}, 'TENANT.tom')).status).toBe(403)
  for (const wrong of [
    { invoiceIds: [] },
    { invoiceIds: ['x'] },
    { invoiceIds: Array(201).fill(UNKNOWN) },
    { step: 'RENT_CALL' },
    { channel: 'MAIL' },
  ])
    expect([wrong, (await many(s, wrong)).status]).toEqual([wrong, 422])
  expect(s.purposes()).toEqual(['invoice_issued'])
})

test('without a number it is said; a key sends once', async () => {
  const silent = await start({})
  expect((await many(silent)).body).toMatchObject([{ problem: { code: 'no_phone_number' } }])
  const s = await start()
  const key = { 'idempotency-key': 'one-press' }
  const first = await many(s, {}, ADA, key)
  expect((await many(s, {}, ADA, key)).body).toEqual(first.body)
  expect(s.purposes()).toEqual(['invoice_issued', 'reminder_upcoming'])
})
