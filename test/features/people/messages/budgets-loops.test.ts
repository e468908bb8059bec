// One person goes round and round: each round makes papers, rows or messages. It ends with a refusal, and others go on.
import { describe, expect, test } from 'bun:test'
import { NEWS, NEWS_SHARE, PAPERS } from '../../../../src/core/budgets.ts'
import { makeReady } from '../../../support/contracts.ts'
import { beside, leases, spent } from '../../../support/loops.ts'
import { cash, type Json, letting, type Person, type Stage, stage } from '../../../support/scenario.ts'

const papers = (s: Stage): number => Number(s.rows('select count(*) n from document')[0]?.n)

type Round = readonly (readonly [line: string, body?: Json, as?: string])[]
const LOOPS: [what: string, options: ReturnType<typeof beside>, round: Round][] = [
  [
    'ending a lease and taking that back',
    beside(),
    [['POST /bookings/{lease}/terminate', { confirm: true }], ['POST /bookings/{lease}/reinstate']],
  ],
  [
    'changing the rent and taking that back',
    beside(),
    [
      ['POST /bookings/{lease}/rent-changes', { from: '2026-05-01', rentAmount: 65_000 }, 'change'],
      ['POST /rent-changes/{change}/cancel'],
    ],
  ],
  [
    'giving notice and taking it back',
    beside(),
    [['POST /bookings/{lease}/notice', { by: 'LANDLORD', leaveOn: '2026-08-31' }], ['DELETE /bookings/{lease}/notice']],
  ],
  [
    'correcting a lease to and fro',
    beside(),
    [
      ['POST /bookings/{lease}/correct', { rentAmount: 65_000 }],
      ['POST /bookings/{lease}/correct', { rentAmount: 60_000 }],
    ],
  ],
  [
    'a payment and its reversal',
    beside(),
    [
      ['POST /invoices/{i1}/payments', cash(1_000), 'paid'],
      ['POST /payments/{paid}/reverse', { reason: 'Erreur' }],
    ],
  ],
  [
    'the terms of a lease out for signing',
    beside({}, 'PENDING'),
    [
      ['PATCH /bookings/{lease}', { rentAmount: 65_000 }],
      ['PATCH /bookings/{lease}', { rentAmount: 60_000 }],
    ],
  ],
]
/** Goes round until it is refused. @returns the refusal, and how many requests went through before */
async function round(s: Stage, who: Person, lines: Round) {
  for (let i = 0; i < 60; i++) {
    const [line, body, as] = lines[i % lines.length] ?? ['']
    const before = s.dump()
    const answer = await s.ask(who, line, body)
    if (answer.status === 429) {
      expect(s.dump()).toBe(before)
      return { answer, went: i }
    }
    expect(`${line} ${answer.status} ${answer.text.slice(0, 200)}`).toMatch(/ 20[01] /)
    if (as) s.names.set(as, String(answer.body.id))
  }
  throw new Error('never refused')
}

describe('papers', () => {
  test.each(LOOPS)('%s', async (_what, options, lines) => {
    const s = await stage(options)
    const before = papers(s)
    const owner = s.names.get('ana') ?? ''
    spent(s, 'papers_person', owner, PAPERS.landlord - 12)
    const { answer, went } = await round(s, 'ana', lines)
    expect(answer.body).toMatchObject({ code: 'too_many_requests', detail: expect.stringContaining('papers') })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
    expect(went).toBeGreaterThan(2)
    expect(papers(s) - before).toBeLessThanOrEqual(12)
    // Reading, and what makes no paper, goes on; so do everybody else, and the service by itself.
    expect((await s.ask('ana', 'GET /bookings/{lease}')).status).toBe(200)
    expect((await s.ask('ana', 'PATCH /properties/{villa}', { name: 'Villa Bleue' })).status).toBe(200)
    const [theirs] = s.rows('select id from invoice where booking_id = ?', s.names.get('eves') ?? '')
    expect((await s.ask('eve', `POST /invoices/${theirs?.id}/payments`, cash(1_000))).status).toBe(201)
    expect((await s.ask('mia', `POST /invoices/${theirs?.id}/payments`, cash(1_000))).status).toBe(201)
    const made = papers(s)
    s.advance(22)
    await s.work()
    expect(papers(s)).toBeGreaterThan(made)
    // Another day, another budget.
    expect((await s.ask('ana', 'GET /bookings/{lease}')).status).toBe(200)
  })

  test('co-tenants and guarantors who change all the time: the contracts of this owner alone are too many', async () => {
    const s = await stage(beside({}, 'PENDING'))
    spent(s, 'papers_redrawn', s.names.get('ana') ?? '', PAPERS.redrawn - 4)
    const guarantor = (fullName: string): Json => ({
      parties: [{ role: 'GUARANTOR', fullName, phoneNumber: '+237677000321' }],
    })
    const { answer, went } = await round(s, 'ana', [
      ['PUT /bookings/{lease}/parties', guarantor('Jean Un')],
      ['PUT /bookings/{lease}/parties', guarantor('Jean Deux')],
    ])
    expect([went, answer.body.code]).toEqual([4, 'too_many_requests'])
    // A change that leases mention is written down all the same, and makes no more of them today.
    const before = papers(s)
    expect((await s.ask('ana', 'PATCH /properties/{villa}', { name: 'Villa Verte' })).status).toBe(200)
    await s.work()
    expect(papers(s)).toBe(before)
    expect((await s.ask('ana', 'GET /bookings/{lease}/signatures')).status).toBe(200)
    // Who signs tomorrow signs the new text.
    s.advance(1)
    await s.ask('tom', 'POST /bookings/{lease}/signatures/otp')
    expect(papers(s)).toBe(before + 1)
    await makeReady(s.t, s.names.get('lease') ?? '')
    expect((await s.ask('tom', 'POST /bookings/{lease}/signatures/otp')).status).toBe(200)
  })

  test('an organization has more than one of its people, and no other organization feels it', async () => {
    const s = await stage(beside())
    expect(PAPERS.organization).toBeGreaterThanOrEqual(2 * PAPERS.landlord)
    const [org] = s.rows('select org_id from booking limit 1')
    spent(s, 'papers_organization', String(org?.org_id), PAPERS.organization)
    expect((await s.ask('mia', 'POST /invoices/{i1}/payments', cash(1_000))).status).toBe(429)
    await s.make('zoe', 'POST /properties', { name: 'Z', addressLine: 'Rue 1', city: 'Douala' }, 'zoes')
    await s.make('zoe', 'POST /properties/{zoes}/units', { label: 'Z1', rentAmount: 1_000 }, 'z1')
    await s.make(
      'zoe',
      'POST /bookings',
      { unitId: '{z1}', tenantPhoneNumber: '+237677000322', startDate: '2026-03-01' },
      'zoes',
    )
    expect((await s.ask('zoe', 'POST /bookings/{zoes}/submit', { blanks: true })).status).toBe(200)
  })
})

describe('messages', () => {
  test('an OWNER has a share of the day’s, all OWNERs together too; the rest is the managers’ and the service’s', async () => {
    const s = await stage(beside())
    await leases(s, 'ana', 'villa', 14)
    await leases(s, 'eve', 'case', 7)
    await s.work()
    await s.make('ada', 'PATCH /admin/organization', { messagesPerDay: 20 })
    s.deps.store.client.exec('delete from budget_day')
    /** Changes that tenants are told of. @returns how many messages went out at once */
    const tell = async (who: Person, of: string, n: number, autoRenew: boolean): Promise<number> => {
      const from = s.sent.length
      for (let i = 0; i < n; i++)
        expect((await s.ask(who, `PATCH /bookings/{${of}${i}}`, { autoRenew })).status).toBe(200)
      await s.work()
      return s.sent.length - from
    }
    expect(await tell('ana', 'ana', 14, false)).toBe(20 * NEWS_SHARE.one)
    expect(await tell('eve', 'eve', 7, false)).toBe(20 * (NEWS_SHARE.all - NEWS_SHARE.one))
    expect(await tell('mia', 'ana', 5, true)).toBe(20 * (1 - NEWS_SHARE.all))
    // What was more is not lost: it goes out tomorrow.
    expect(s.rows("select id from audit_entry where action = 'message.withheld'")).toEqual([])
    expect(NEWS.organization * (1 - NEWS_SHARE.all)).toBeGreaterThanOrEqual(250)
  })

  test('an OWNER who owns all there is has all of it', async () => {
    const s = await stage({ given: letting({ dueDay: 28, endDate: '2026-12-31' }) })
    await leases(s, 'ana', 'villa', 8)
    await s.work()
    await s.make('ada', 'PATCH /admin/organization', { messagesPerDay: 10 })
    s.deps.store.client.exec('delete from budget_day')
    const from = s.sent.length
    for (let i = 0; i < 8; i++) await s.make('ana', `PATCH /bookings/{ana${i}}`, { autoRenew: false })
    await s.work()
    expect(s.sent.length - from).toBe(8)
  })

  test('reminders by hand spend the share too, and those of the service go out', async () => {
    const s = await stage(beside({ dueDay: 1 }))
    const [org] = s.rows('select org_id from booking')
    spent(s, 'news_owners', String(org?.org_id), NEWS.organization * NEWS_SHARE.all)
    const answer = await s.ask('ana', 'POST /invoices/{i1}/remind', {})
    expect([answer.status, typeof answer.body.sendAfter]).toEqual([201, 'string'])
    expect((await s.ask('mia', 'POST /invoices/{i2}/remind', {})).body).not.toHaveProperty('sendAfter')
  })
})
