// The service's own work: once for each thing, whoever fails beside it, and by each organization's own calendar.
import { describe, expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { billDueBookings } from '../../src/features/money/billing/jobs.ts'
import { markOverdueInvoices } from '../../src/features/money/invoices/jobs.ts'
import { createTestApp, type TestApp, uuid } from '../support/app.ts'
import { cash, letting, stage } from '../support/scenario.ts'

const numbers = (t: TestApp): string[] =>
  t.rows('select number n from invoice order by number').map(({ n }) => String(n))

/** So many ACTIVE leases of one organization, from a day on; nothing billed yet. */
async function leases(t: TestApp, org: string, n: number, terms: object, settings: object = {}): Promise<string[]> {
  const call = async (who: string, line: string, body: object) => {
    const answer = await t.call(`${who}~${org}`, line, body)
    if (answer.status > 201) throw new Error(`${line}: ${answer.status} ${answer.text}`)
    return answer.body as unknown
  }
  const id = (body: unknown) => (body as { id: string }).id
  await call('ADMIN.adm', 'PATCH /api/v1/admin/organization', settings)
  const property = id(await call('OWNER.own', 'POST /api/v1/properties', { name: 'V', addressLine: 'x', city: 'y' }))
  const labels = Array.from({ length: Math.min(n, 200) }, (_, i) => `${i}`)
  const made: string[] = []
  const tenantId = id(await call('OWNER.own', 'POST /api/v1/tenants', { fullName: 'Paul' }))
  for (let left = n; left > 0; left -= labels.length) {
    const units = await call('OWNER.own', `POST /api/v1/properties/${property}/units`, { labels, rentAmount: 1_000 })
    const rows = (units as { id: string }[]).slice(0, left)
    const drafts = await Promise.all(
      rows.map(({ id: unitId }) => call('OWNER.own', 'POST /api/v1/bookings', { unitId, tenantId, ...terms })),
    )
    for (const step of ['submit', 'activate'])
      await Promise.all(drafts.map((d) => call('OWNER.own', `POST /api/v1/bookings/${id(d)}/${step}`, {})))
    made.push(...drafts.map(id))
  }
  return made
}

test('run twice, restarted, or both at once: one invoice a period, and no gap in the numbers', async () => {
  const t = createTestApp()
  await leases(t, 'org', 20, { startDate: '2025-12-10', billFrom: '2025-12-10' })
  await Promise.all([billDueBookings(t.deps), t.work(), billDueBookings(t.deps), billDueBookings(t.deps)])
  await t.work()
  expect(numbers(t)).toEqual(Array.from({ length: 80 }, (_, i) => `2026-${String(i + 1).padStart(6, '0')}`))
  expect(t.rows('select count(*) n from invoice group by booking_id, period_start having n > 1')).toEqual([])
  expect(t.rows('select count(*) n from invoice group by booking_id having n <> 4')).toEqual([])
  // A process that died in between leaves its jobs RUNNING: they run again, and change nothing.
  const before = JSON.stringify(t.rows('select * from invoice'))
  t.store.client.prepare("update job set status = 'READY', run_at = 0").run()
  await t.work()
  expect(JSON.stringify(t.rows('select * from invoice'))).toBe(before)
})

test('an old lease is brought in by slices: no write issues ten years at once', async () => {
  const t = createTestApp()
  const [lease = ''] = await leases(t, 'org', 1, { startDate: '2016-03-10', billFrom: '2016-03-10' })
  const most: number[] = []
  let seen = 0
  const write: typeof t.write = async (orgId, fn) => {
    const value = await t.write(orgId, fn)
    const n = numbers(t).length
    most.push(n - seen)
    seen = n
    return value
  }
  await billDueBookings({ ...t.deps, write })
  expect(seen).toBe(121)
  expect(Math.max(...most)).toBeLessThanOrEqual(24)
  expect(
    t.rows('select count(distinct period_start) n, min(period_start) a, max(period_start) z from invoice'),
  ).toEqual([{ n: 121, a: '2016-03-10', z: '2026-03-10' }])
  expect(t.rows('select next_run_on d from booking where id = ?', lease)).toEqual([{ d: '2026-04-10' }])
})

test('on a billing night no more than eight leases stand before what a person writes', async () => {
  const t = createTestApp()
  await leases(t, 'org', 13, { startDate: '2026-03-10' })
  let inHand = 0
  let most = 0
  const write: typeof t.write = async (orgId, fn) => {
    inHand += 1
    most = Math.max(most, inHand)
    try {
      return await t.write(orgId, fn)
    } finally {
      inHand -= 1
    }
  }
  expect(await billDueBookings({ ...t.deps, write })).toBe(13)
  expect(most).toBe(8)
  expect(numbers(t)).toEqual(Array.from({ length: 13 }, (_, i) => `2026-${String(i + 1).padStart(6, '0')}`))
})

test('a lease that must first be brought up to date for years is refused for a moment, and nothing is half done', async () => {
  const t = createTestApp()
  const [lease = ''] = await leases(t, 'org', 1, { startDate: '2016-03-10', billFrom: '2016-03-10' })
  const end = () => t.call('OWNER.own~org', `POST /api/v1/bookings/${lease}/terminate`, {})
  const early = await end()
  expect([early.status, early.body.code, early.headers.get('retry-after')]).toEqual([503, 'overloaded', '1'])
  expect(numbers(t)).toEqual([])
  await t.work()
  expect((await end()).body.status).toBe('TERMINATED')
})

test('a lease that renewed itself for a century goes on by slices too', async () => {
  const t = createTestApp()
  await leases(t, 'org', 1, { startDate: '1926-03-10', endDate: '1927-03-09', autoRenew: true })
  await t.work()
  expect(t.rows('select end_date e, next_run_on d, status s from booking')).toEqual([
    { e: '2026-04-09', d: '2026-04-10', s: 'ACTIVE' },
  ])
  expect(t.rows('select period_start p from invoice')).toEqual([{ p: '2026-02-10' }, { p: '2026-03-10' }])
})

test('a clock that goes back issues nothing twice and skips nothing', async () => {
  const t = createTestApp()
  await leases(t, 'org', 1, { startDate: '2026-03-10' })
  for (const days of [31, -40, 0, 9, 31, -62, 92]) {
    t.advance(days)
    await t.work()
  }
  expect(t.rows('select period_start p from invoice order by rowid').map(({ p }) => p)).toEqual([
    '2026-03-10',
    '2026-04-10',
    '2026-05-10',
  ])
})

describe('one broken lease', () => {
  /** Five leases of which one cannot be billed: stands for whatever can go wrong with one row. */
  async function one() {
    const t = createTestApp()
    const [broken = '', ...others] = await leases(t, 'org', 5, { startDate: '2026-03-10' })
    t.store.client.exec(
      `create trigger broken before insert on invoice when new.booking_id = '${broken}' begin select raise(abort, 'broken'); end`,
    )
    const told: string[] = []
    const error = (event: string, _cause: unknown, f?: object) => void told.push(`${event} ${JSON.stringify(f)}`)
    return { t, broken, others, told, deps: { ...t.deps, log: { ...t.log, error } } }
  }

  test('holds up no other, is told, and burns no number', async () => {
    const { t, broken, others, told, deps } = await one()
    expect(await billDueBookings(deps)).toBe(4)
    expect(told).toEqual([`billing.failed {"id":"${broken}"}`])
    expect(numbers(t)).toEqual(['2026-000001', '2026-000002', '2026-000003', '2026-000004'])
    expect(
      t
        .rows('select distinct booking_id b from invoice')
        .map(({ b }) => b)
        .sort(),
    ).toEqual([...others].sort())
    expect(t.rows("select count(*) n from audit_entry where action = 'invoice.issue'")).toEqual([{ n: 4 }])
  })
  test('is tried again, and takes the next number once it works', async () => {
    const { t, deps } = await one()
    expect(await billDueBookings(deps)).toBe(4)
    expect(await billDueBookings(deps)).toBe(0)
    t.store.client.exec('drop trigger broken')
    expect(await billDueBookings(deps)).toBe(1)
    expect(numbers(t).at(-1)).toBe('2026-000005')
    expect(await billDueBookings(deps)).toBe(0)
  })
  test('a store that takes nothing ends the round', async () => {
    const { told, deps } = await one()
    const write = () => Promise.reject(new AppError('storage_unavailable'))
    await expect(billDueBookings({ ...deps, write })).rejects.toThrow('storage_unavailable')
    expect(told).toEqual([])
    expect(await billDueBookings(deps)).toBe(4)
  })
})

test('many leases whose day has not come do not stand before one whose day has', async () => {
  const t = createTestApp({ now: '2026-03-09T08:00:00Z' })
  await leases(t, 'douala', 300, { startDate: '2026-03-10' })
  await t.work()
  expect(numbers(t)).toEqual([])
  // In Kiritimati it is the tenth from 10:00 UTC on.
  await leases(t, 'kiribati', 1, { startDate: '2026-03-10' }, { timeZone: 'Pacific/Kiritimati' })
  t.time.now = Date.parse('2026-03-09T10:00:00Z')
  expect(await billDueBookings(t.deps)).toBe(1)
  expect(t.rows('select org_id o from invoice')).toEqual([{ o: uuid('kiribati') }])
  // And on the day itself all of them, each once.
  t.time.now = Date.parse('2026-03-09T23:00:00Z')
  expect(await billDueBookings(t.deps)).toBe(300)
  t.time.now = Date.parse('2026-03-15T10:00:00Z')
  expect(await markOverdueInvoices(t.deps)).toBe(1)
  t.time.now = Date.parse('2026-03-15T23:00:00Z')
  expect(await markOverdueInvoices(t.deps)).toBe(300)
  expect(await markOverdueInvoices(t.deps)).toBe(0)
})

describe('a request before the service has caught up', () => {
  const off = async () => {
    const s = await stage({
      given: letting({ startDate: '2026-01-01', endDate: '2026-03-31', billFrom: '2026-03-01' }),
    })
    // Off from here on: no work is done, though the lease has gone on past its end.
    s.t.advance(31)
    return s
  }
  test('the end of a lease may be any day that it went on to', async () => {
    const s = await off()
    const ended = await s.ask('ana', 'POST /bookings/{lease}/terminate')
    expect(ended.body).toMatchObject({ status: 'TERMINATED', endDate: '2026-04-10' })
    expect(s.ledger()).toEqual([
      '2026-03-01..03-31 OVERDUE 0/60000',
      '2026-04-01..04-30 CANCELLED 0/60000',
      '2026-04-01..04-10 ISSUED 0/20000',
    ])
  })
  test('an advance pays what is due first', async () => {
    const s = await off()
    const paid = await s.ask('ana', 'POST /bookings/{lease}/payments', cash(70_000))
    expect(paid.body).toMatchObject({ creditAmount: 0, coveredUntil: '2026-03-31' })
    expect(s.ledger()).toEqual(['2026-03-01..03-31 PAID 60000/60000', '2026-04-01..04-30 OVERDUE 10000/60000'])
  })
  test('a lease that ended meanwhile has ended: nothing is left to terminate', async () => {
    const s = await stage({ given: letting({ startDate: '2026-03-01', endDate: '2026-03-31', autoRenew: false }) })
    s.t.advance(40)
    const ended = await s.ask('ana', 'POST /bookings/{lease}/terminate', { reason: 'x' })
    expect(ended.body).toMatchObject({ status: 'TERMINATED', endDate: '2026-03-31' })
    expect(ended.body.terminationReason).toBeUndefined()
    // Money that came is written down all the same.
    expect((await s.ask('ana', 'POST /bookings/{lease}/payments', cash(1))).status).toBe(201)
  })
})
