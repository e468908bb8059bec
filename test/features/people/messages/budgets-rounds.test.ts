// One person repeats what makes messages and rows: it ends, and others go on.
import { describe, expect, test } from 'bun:test'
import { NEWS, NEWS_SHARE, PAPERS, ROWS, ROWS_SHARE } from '../../../../src/core/budgets.ts'
import { beside, leases, spent } from '../../../support/loops.ts'
import { cash, type Json, type Person, phoneOf, type Stage, stage } from '../../../support/scenario.ts'

describe('rounds and repetitions', () => {
  /** Messages to a number since then. */
  const to = (s: Stage, who: Person, from = 0): number => s.sent.slice(from).filter((m) => m.to === phoneOf(who)).length

  test('a MANAGER’s own actions leave a quarter of the day’s messages to the others', async () => {
    const s = await stage(beside())
    await leases(s, 'ana', 'villa', 5)
    await s.work()
    await s.make('ada', 'PATCH /admin/organization', { messagesPerDay: 4 })
    s.deps.store.client.exec('delete from budget_day')
    const tell = async (who: Person, n: number): Promise<number> => {
      const from = s.sent.length
      for (let i = 0; i < n; i++) {
        const { body } = await s.ask(who, `GET /bookings/{ana${i}}`)
        await s.make(who, `PATCH /bookings/{ana${i}}`, { autoRenew: body.autoRenew !== true })
      }
      await s.work()
      return s.sent.length - from
    }
    expect(await tell('mia', 5)).toBe(4 * NEWS_SHARE.manager)
    expect(await tell('ana', 3)).toBe(4 * (1 - NEWS_SHARE.manager))
  })

  test('reminders of many: each step once a day, however often they are asked for', async () => {
    const s = await stage(beside({ dueDay: 1 }))
    const from = s.sent.length
    const invoiceIds = [s.names.get('i1'), s.names.get('i2')]
    const steps: number[] = []
    for (let i = 0; i < 12; i++) {
      const { status, body } = await s.ask('ana', 'POST /reminders', { invoiceIds })
      expect(status).toBe(202)
      steps.push((body as unknown as Json[]).filter((r) => r.messageId !== undefined).length)
    }
    await s.work()
    expect(steps.slice(-6)).toEqual([0, 0, 0, 0, 0, 0])
    expect(to(s, 'tom', from)).toBeLessThanOrEqual(NEWS.number)
    const [theirs] = s.rows('select id from invoice where booking_id = ?', s.names.get('eves') ?? '')
    const others = await s.ask('eve', `POST /invoices/${theirs?.id}/remind`, {})
    expect(others.body).not.toHaveProperty('sendAfter')
    expect(others.status).toBe(201)
  })

  test('an inspection proposed and revised all day: its tenant is told ten times at most, its papers end', async () => {
    const s = await stage(beside())
    await s.make('ana', 'POST /inspections', { bookingId: '{lease}', kind: 'ENTRY' }, 'entry')
    const twin = await s.ask('ana', 'POST /inspections', { bookingId: '{lease}', kind: 'ENTRY' })
    expect([twin.status, twin.body.code]).toEqual([409, 'duplicate'])
    const { body } = await s.ask('ana', 'GET /inspections/{entry}')
    const rooms = (body.rooms as { items: Json[] }[]).map((r) => ({
      ...r,
      items: r.items.map((i) => ({ ...i, state: 'GOOD' })),
    }))
    await s.make('ana', 'PATCH /inspections/{entry}', { rooms })
    const from = s.sent.length
    for (let i = 0; i < 15; i++) {
      await s.make('ana', 'POST /inspections/{entry}/propose')
      await s.work()
      await s.make('ana', 'POST /inspections/{entry}/revise')
      await s.work()
    }
    expect(to(s, 'tom', from)).toBeGreaterThan(0)
    expect(to(s, 'tom', from)).toBeLessThanOrEqual(NEWS.number)
    expect(s.rows('select id from inspection')).toHaveLength(1)
    spent(s, 'papers_person', s.names.get('ana') ?? '', PAPERS.landlord)
    expect((await s.ask('ana', 'POST /inspections/{entry}/propose')).status).toBe(429)
    expect((await s.ask('ana', 'PATCH /inspections/{entry}', { note: 'Suite demain' })).status).toBe(200)
    // Others are told on.
    const eves = s.sent.length
    const [theirs] = s.rows('select id from invoice where booking_id = ?', s.names.get('eves') ?? '')
    await s.make('eve', `POST /invoices/${theirs?.id}/payments`, cash(1_000))
    await s.work()
    expect(to(s, 'tia', eves)).toBe(1)
  })

  test('a request reopened again and again is refused to its tenant, who may report anew', async () => {
    const s = await stage(beside())
    await s.make('tom', 'POST /requests', { bookingId: '{lease}', title: 'Fuite' }, 'leak')
    const from = s.sent.length
    let went = 0
    for (let i = 0; i < 20; i++) {
      await s.make('ana', 'POST /requests/{leak}/done', {})
      const { status } = await s.ask('tom', 'POST /requests/{leak}/reopen', { reason: 'Encore' })
      if (status !== 200) break
      went += 1
    }
    expect([went, (await s.ask('tom', 'POST /requests/{leak}/reopen', { reason: 'x' })).body.code]).toEqual([
      5,
      'too_many_repairs',
    ])
    await s.work()
    expect(to(s, 'tom', from)).toBeLessThanOrEqual(NEWS.number)
    expect(s.sent.slice(from).filter((m) => m.to === phoneOf('ana')).length).toBeLessThanOrEqual(NEWS.singles + 1)
    expect((await s.ask('tom', 'POST /requests', { bookingId: '{lease}', title: 'Autre' })).status).toBe(201)
  })

  test('expenses that repeat count for who began them: theirs end at their share, those of others go on', async () => {
    const s = await stage(beside())
    const repeat = { every: 'MONTHLY', until: '2026-12-31' }
    const guard = { kind: 'OTHER', amount: 500, spentOn: '2026-03-05', repeat }
    await s.make('ana', 'POST /expenses', { ...guard, propertyId: '{villa}' }, 'anas')
    await s.make('eve', 'POST /expenses', { ...guard, propertyId: '{case}' }, 'eves')
    await s.make('mia', 'POST /expenses', { ...guard, propertyId: '{villa}' }, 'mias')
    s.deps.store.client
      .prepare('update row_count set n = ? where kind = ?')
      .run(ROWS.expense * ROWS_SHARE.landlord - 1, `expense ${s.names.get('ana')}`)
    s.advance(92)
    await s.work()
    const made = (name: string) => s.rows('select id from expense where repeat_of = ?', s.names.get(name) ?? '').length
    expect(made('anas')).toBe(1)
    expect([made('eves') >= 3, made('mias') >= 3]).toEqual([true, true])
    expect((await s.ask('ana', 'GET /expenses/{anas}')).body).not.toHaveProperty('nextOn')
    expect((await s.ask('ana', 'POST /expenses', { ...guard, propertyId: '{villa}' })).body.code).toBe('quota_exceeded')
  })
})
