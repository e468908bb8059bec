// Messages that people send: prepared, opened, sent as they say; never one of what is paid, and nobody else's.
import { expect, test } from 'bun:test'
import { ADA, ANA, EVE, start } from '../../../support/reminded.ts'

type Entry = {
  status: string
  text: string
  forwardUrl: string
  to: { name: string; phoneNumber: string }
  messages: { id: string; step: string; amount: number; daysLate?: number }[]
}
type Outbox = { waiting: number; entries: Entry[] }
const NOTHING = { waiting: 0, entries: [] }
type Given = Awaited<ReturnType<typeof start>>

/** A lease whose rent call went out, and no vendor since; tenants can open links where `publicUrl` is public. */
async function mute(publicUrl = 'https://rent.example.cm') {
  const s = await start(undefined, {}, { publicUrl })
  Object.assign(s.t.deps.messenger, { mute: true })
  return s
}
const outbox = async (s: Given, who = ANA): Promise<Outbox> =>
  (await s.t.call(who, 'GET /api/v1/messages')).body as unknown as Outbox
const said = (o: Outbox) =>
  o.entries.map(({ status, messages }) => [status, ...messages.map(({ step }) => step)].join(' '))
const handle = (s: Given, id: string | undefined, status: string, who = ANA) =>
  s.t.call(who, `POST /api/v1/messages/${id}/handle`, { status })
const waiting = async (s: Given, who = ANA): Promise<unknown> =>
  ((await s.t.call(who, 'GET /api/v1/overview')).body.messaging as { waiting: number }).waiting

test('a message goes from prepared to opened to sent, as the history says; one that was sent from here does not', async () => {
  const s = await mute()
  expect(await outbox(s)).toMatchObject(NOTHING)
  await s.days(7)
  const [entry] = (await outbox(s)).entries
  expect(entry).toMatchObject({ status: 'WAITING', to: { name: 'Marie', phoneNumber: '+237677123456' } })
  expect(entry?.messages[0]).toMatchObject({ amount: 60_000 })
  expect(entry?.text).toContain('https://rent.example.cm/i/')
  expect(entry?.forwardUrl).toBe(`https://wa.me/237677123456?text=${encodeURIComponent(entry?.text ?? '')}`)
  expect(await waiting(s)).toBe(1)
  const id = entry?.messages[0]?.id
  for (const status of ['OPENED', 'SENT_BY_HAND']) {
    expect((await handle(s, id, status)).body).toMatchObject({ handling: status, withheld: 'NO_VENDOR' })
    expect(said(await outbox(s))[0]).toStartWith(status)
  }
  expect(await waiting(s)).toBe(0)
  const [call, ...prepared] = await s.messages()
  expect(prepared.at(-1)).toMatchObject({ handling: 'SENT_BY_HAND' })
  expect(call).toMatchObject({ step: 'RENT_CALL', delivery: 'SENT' })
  expect(call).not.toHaveProperty('handling')
  expect((await handle(s, call?.id, 'OPENED')).body.code).toBe('invalid_state')
  // What was sent today is shown until its end.
  await s.days(1)
  expect(said(await outbox(s))).not.toContain('SENT_BY_HAND REMINDER')
})

test('a newer step replaces an older one; a payment, a declaration and fourteen days take it away', async () => {
  const s = await mute()
  await s.days(16)
  const steps = (await s.messages()).filter((one) => 'withheld' in one).length
  expect(steps).toBeGreaterThan(1)
  const before = await outbox(s)
  expect(before.entries).toHaveLength(1)
  expect(before.waiting).toBe(1)
  expect((await handle(s, before.entries[0]?.messages[0]?.id, 'OPENED')).status).toBe(200)
  expect((await s.pay(20_000)).status).toBe(201)
  // The text asks for what is left.
  expect((await outbox(s)).entries[0]?.messages[0]?.amount).toBe(40_000)
  expect((await s.pay(40_000)).status).toBe(201)
  expect(await outbox(s)).toMatchObject(NOTHING)

  const old = await mute()
  await old.days(8)
  expect((await outbox(old)).waiting).toBe(1)
  old.t.time.now += 20 * 86_400_000
  expect(await outbox(old)).toMatchObject(NOTHING)
})

test('a message that nobody opened is no step of the ladder, and not what the tenant was last told', async () => {
  const s = await mute()
  await s.days(7)
  const [entry] = (await outbox(s)).entries
  expect(entry?.messages[0]?.step).not.toBe('FINAL')
  const late = async () =>
    ((await s.t.call(ANA, 'GET /api/v1/overview')).body as unknown as { late: { lastMessageAt?: string }[] }).late[0]
  const told = (await late())?.lastMessageAt
  await handle(s, entry?.messages[0]?.id, 'SENT_BY_HAND')
  expect((await late())?.lastMessageAt).not.toBe(told)
})

test('nobody reads or handles the messages of another owner; a message put aside is gone', async () => {
  const s = await mute()
  await s.days(7)
  const id = (await outbox(s)).entries[0]?.messages[0]?.id
  expect(await outbox(s, EVE)).toMatchObject(NOTHING)
  expect(await waiting(s, EVE)).toBe(0)
  expect((await handle(s, id, 'SKIPPED', EVE)).status).toBe(404)
  expect((await outbox(s, ADA)).waiting).toBe(1)
  expect((await handle(s, id, 'SKIPPED', ADA)).status).toBe(200)
  expect(await outbox(s)).toMatchObject(NOTHING)
  expect((await handle(s, id, 'WAITING')).status).toBe(200)
  expect((await outbox(s)).waiting).toBe(1)
  expect(s.t.rows("select * from audit_entry where action = 'rent_message.handle'")).toHaveLength(2)
})

test('where tenants cannot open links, the text has none', async () => {
  const s = await mute('http://192.168.1.20:3000')
  await s.days(7)
  const [entry] = (await outbox(s)).entries
  expect(entry?.text).not.toMatch(/https?:|\/i\//)
  expect(entry?.text).toContain('(Agence Owona)')
})
