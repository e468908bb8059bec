// Reminders: each day of the schedule once, never at night, never for what is paid, and by hand when somebody wants.
import { describe, expect, test } from 'bun:test'
import { remindTenants } from '../../../../src/features/news/reminders/jobs.ts'
import { ADA, ANA, EVE, start } from '../../../support/reminded.ts'
import { traces } from '../../../support/world.ts'

type Begun = Awaited<ReturnType<typeof start>>
const hours = ({ t }: Begun, from: string, to: string) =>
  t.call(ADA, 'PATCH /api/v1/admin/organization', { quietHours: { from, to } })

describe('by itself', () => {
  test('the rent is called, then the ladder, each once; a payment ends it', async () => {
    const s = await start()
    expect(s.purposes()).toEqual(['invoice_issued'])
    await s.days(26)
    expect((await s.messages()).map(({ step, amount }) => `${step} ${amount}`)).toEqual([
      'RENT_CALL 60000',
      'UPCOMING 60000',
      'DUE 60000',
      'REMINDER 60000',
      'REMINDER 60000',
      'FINAL 60000',
    ])
    expect(s.purposes()).toEqual([
      'invoice_issued',
      'reminder_upcoming',
      'reminder_due',
      'reminder_reminder',
      'reminder_reminder',
      'reminder_final',
    ])
    const trail = await s.t.call<{ actor: string }[]>(ADA, 'GET /api/v1/admin/audit?action=rent_message.send')
    expect(trail.body.map(({ actor }) => actor)).toEqual(Array.from({ length: 6 }, () => 'system'))
  })

  test('what is left after a part payment is what is asked for; nothing once it is paid', async () => {
    const s = await start()
    await s.pay(20_000)
    await s.days(5)
    await s.pay(40_000)
    await s.days(20)
    expect((await s.messages()).map(({ step, amount }) => `${step} ${amount}`)).toEqual([
      'RENT_CALL 60000',
      'UPCOMING 40000',
      'DUE 40000',
    ])
  })

  test('never between eight in the evening and seven in the morning in Douala, nor is the rent called then', async () => {
    const s = await start()
    const at: string[] = []
    for (let hour = 0; hour < 24 * 40; hour++) {
      s.t.time.now += 3_600_000
      const before = s.t.sent.length
      await s.t.work()
      await remindTenants(s.t.deps)
      await s.t.work()
      for (const { purpose } of s.t.sent.slice(before))
        at.push(`${purpose} ${(new Date(s.t.time.now).getUTCHours() + 1) % 24}`)
    }
    // The second invoice was issued at midnight.
    expect(at.map((line) => line.split(' ')[0])).toEqual([
      ...['reminder_upcoming', 'reminder_due', 'reminder_reminder', 'reminder_reminder', 'reminder_final'],
      ...['invoice_issued', 'reminder_upcoming', 'reminder_due', 'reminder_reminder'],
    ])
    expect([...new Set(at.map((line) => line.split(' ')[1]))]).toEqual(['7'])
  })

  test('while many organizations sleep, others have their turn between two hundred of them', async () => {
    const { t } = await start(undefined, { quietHours: { from: '08:00', to: '12:00' } })
    const columns = t.rows("select name from pragma_table_info('organization')").map(({ name }) => String(name))
    const copied = columns.map((name) => (name === 'id' ? `'sleeping-' || n.value` : `o.${name}`))
    t.store.client.exec(
      `insert into organization (${columns.join()}) select ${copied.join()} from organization o, json_each('[${Array.from({ length: 700 }, (_, n) => n).join()}]') n where o.name = 'Agence Owona'`,
    )
    let over = false
    let turns = 0
    const other = (): void => {
      turns += 1
      if (!over) setImmediate(other)
    }
    setImmediate(other)
    expect(await remindTenants(t.deps)).toBe(0)
    over = true
    expect(turns).toBeGreaterThanOrEqual(3)
  })

  test.each([
    ['cancelled before they end', (s: Begun) => s.t.call(ANA, `POST /api/v1/invoices/${s.invoice}/cancel`), 0],
    ['paid before they end', (s: Begun) => s.pay(60_000), 0],
    ['they end later by then', (s: Begun) => hours(s, '08:00', '12:00'), 1],
    ['there are none any more', (s: Begun) => hours(s, '07:00', '07:00'), 1],
  ])('issued in quiet hours: %s', async (_name, meanwhile, calls) => {
    const s = await start(undefined, { quietHours: { from: '08:00', to: '10:00' } })
    expect([s.purposes(), await s.messages()]).toEqual([[], []])
    await meanwhile(s)
    s.t.time.now += 30 * 60_000
    await s.t.work()
    expect(s.purposes()).toEqual([])
    s.t.time.now += 4 * 3_600_000
    await s.t.work()
    await s.t.work()
    expect(s.purposes()).toEqual(Array.from({ length: calls }, () => 'invoice_issued'))
    expect(await s.messages()).toHaveLength(calls)
  })

  test('run a hundred times at once, it is sent once', async () => {
    const s = await start()
    s.t.time.now += 2 * 24 * 3_600_000
    await Promise.all(Array.from({ length: 100 }, () => remindTenants(s.t.deps)))
    expect((await s.messages()).map(({ step }) => step)).toEqual(['RENT_CALL', 'UPCOMING'])
  })

  test('a clock that jumps back and forth, and a crash before the day was ticked off, send nothing twice', async () => {
    const s = await start()
    await s.days(8)
    const steps = async () => (await s.messages()).map(({ step }) => step)
    const sent = ['RENT_CALL', 'UPCOMING', 'DUE', 'REMINDER']
    expect(await steps()).toEqual(sent)
    for (const [days, forgotten] of [
      [-6, false],
      [6, false],
      [0, true],
      [-365, true],
      [365, true],
    ] as const) {
      s.t.advance(days)
      if (forgotten) s.t.store.client.prepare("update organization set reminded_on = '2026-03-09'").run()
      await s.t.work()
      await remindTenants(s.t.deps)
      await s.t.work()
    }
    expect(await steps()).toEqual(sent)
    expect(s.t.sent).toHaveLength(sent.length)
    expect(s.t.rows("select * from audit_entry where action = 'rent_message.send'")).toHaveLength(sent.length)
  })

  test.each([
    ['paid', (s: Begun) => s.pay(60_000), []],
    ['cancelled', (s: Begun) => s.t.call(ANA, `POST /api/v1/invoices/${s.invoice}/cancel`), []],
    ['paid in part', (s: Begun) => s.pay(1_000), ['reminder_upcoming']],
  ])('what waited for the vendor while its invoice was %s', async (_name, meanwhile, sent) => {
    const s = await start()
    s.t.time.now += 2 * 24 * 3_600_000
    await remindTenants(s.t.deps)
    await meanwhile(s)
    await s.t.work()
    expect(s.purposes().slice(1)).toEqual(sent)
    const [row] = s.t.rows("select status, reason, sealed from outbound_message where purpose = 'reminder_upcoming'")
    if (sent.length === 0) expect(row).toEqual({ status: 'EXPIRED', reason: 'settled', sealed: null })
  })

  test('a server that was off says the latest thing only; off for long, it says nothing of long ago', async () => {
    const s = await start()
    await remindTenants(s.t.deps)
    s.t.time.now += 9 * 24 * 3_600_000
    await remindTenants(s.t.deps)
    expect((await s.messages()).map(({ step }) => step)).toEqual(['RENT_CALL', 'REMINDER'])
    const late = await start()
    await remindTenants(late.t.deps)
    late.t.time.now += 80 * 24 * 3_600_000
    await late.t.work()
    await remindTenants(late.t.deps)
    // The invoices of April and May were issued on that day, too late to be announced.
    expect((await late.messages()).map(({ step }) => step)).toEqual(['RENT_CALL'])
  })

  test.each([
    ['an empty schedule', { reminderSchedule: [] }, ['RENT_CALL']],
    ['a schedule of their own', { reminderSchedule: [1, 2] }, ['RENT_CALL', 'REMINDER', 'FINAL']],
  ])('%s', async (_name, settings, steps) => {
    const s = await start(undefined, settings)
    await s.days(26)
    expect((await s.messages()).map(({ step }) => step)).toEqual(steps)
  })

  test('in the language and by the channel of the tenant; nothing without a number', async () => {
    const s = await start({ phoneNumber: '+237677123456', locale: 'en', channel: 'SMS' })
    expect(s.t.sent.at(-1)).toMatchObject({ channel: 'SMS', locale: 'en' })
    expect(s.t.sent.at(-1)?.text).toMatch(
      /^Rent for "A1", "Villa": .* Invoice 2026-000001: http.*\/i\/[\w-]{42} \(Agence Owona\)$/,
    )
    const mute = await start({})
    await mute.days(26)
    expect(mute.t.sent).toEqual([])
    expect(await mute.messages()).toEqual([])
  })
})

describe('by hand', () => {
  test('the next step of the ladder; the same one once a day', async () => {
    const s = await start()
    const first = await s.remind()
    expect([first.status, first.body.step, first.body.sentBy !== undefined]).toEqual([201, 'UPCOMING', true])
    const before = traces(s.t)
    const again = await s.remind()
    expect([again.status, again.body.code]).toEqual([409, 'duplicate'])
    expect(traces(s.t)).toBe(before)
    s.t.advance(10)
    expect((await s.remind()).body.step).toBe('REMINDER')
    s.t.advance(1)
    expect((await s.remind()).body.step).toBe('FINAL')
    expect((await s.remind({ step: 'FORMAL_NOTICE' })).body.step).toBe('FORMAL_NOTICE')
    await s.t.work()
    expect(s.t.sent.at(-1)?.text).toMatch(/^MISE EN DEMEURE/)
  })

  test.each([
    ['a formal notice before it is late', { step: 'FORMAL_NOTICE' }, 409, 'invalid_state'],
    ['a step that is never sent by hand', { step: 'RENT_CALL' }, 422, 'validation_failed'],
  ] as const)('refused: %s', async (_name, body, status, code) => {
    const s = await start()
    const before = traces(s.t)
    const refused = await s.remind(body)
    expect([refused.status, refused.body.code]).toEqual([status, code])
    expect(traces(s.t)).toBe(before)
  })

  test('nobody is reminded of what is paid, without a number, or by somebody else', async () => {
    const s = await start()
    expect((await s.remind({}, EVE)).status).toBe(404)
    await s.pay(60_000)
    expect(((await s.remind()).body as { code?: string }).code).toBe('invalid_state')
    const mute = await start({})
    expect((await mute.remind()).body.code).toBe('no_phone_number')
  })

  test('a link is closed once, and stays closed', async () => {
    const s = await start()
    const [call] = await s.messages()
    for (let i = 0; i < 2; i++) {
      const closed = await s.t.call(ANA, `POST /api/v1/messages/${call?.id}/revoke-link`)
      expect([closed.status, closed.body.linkRevokedAt]).toEqual([200, '2026-03-10T08:00:00.000Z'])
    }
    expect((await s.t.call(EVE, `POST /api/v1/messages/${call?.id}/revoke-link`)).status).toBe(404)
    expect(s.t.rows("select * from audit_entry where action = 'rent_message.revoke_link'")).toHaveLength(1)
  })
})
