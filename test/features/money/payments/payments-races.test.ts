// Many at once: one wins, the others are told, nothing happens twice.

import { expect, test } from 'bun:test'
import { cash, type Json, letting, premises, stage } from '../../../support/scenario.ts'

const statuses = async (answers: Promise<{ status: number }>[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const times = <T>(n: number, f: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => f(i))

test('two hundred overlapping leases of one unit, five rounds: one is reserved', async () => {
  const s = await stage({ given: premises() })
  for (const round of [0, 1, 2, 3, 4]) {
    const year = 2030 + round
    const drafts = await Promise.all(
      times(200, (i) =>
        s.ask('ana', 'POST /bookings', {
          unitId: '{a1}',
          tenantUserId: '{tom}',
          startDate: `${year}-03-${String((i % 20) + 1).padStart(2, '0')}`,
          endDate: `${year}-04-${String((i % 27) + 1).padStart(2, '0')}`,
        }),
      ),
    )
    const submit = (i: number) => s.ask(i % 2 ? 'mia' : 'ana', `POST /bookings/${drafts[i]?.body.id}/submit`)
    expect(await statuses(times(200, submit))).toEqual({ 200: 1, 409: 199 })
    expect(s.rows("select count(*) n from booking where status = 'PENDING'")).toEqual([{ n: round + 1 }])
    expect(s.rows("select count(*) n from audit_entry where action = 'booking.submit'")).toEqual([{ n: round + 1 }])
  }
  expect(s.rows("select action from audit_entry where action = 'tenant.create'")).toHaveLength(1)
})

const open = { given: letting({ startDate: '2026-03-01' }) }
const once = async (line: string, n: Json, body: Json = {}, who: 'ana' | 'tom' = 'ana') => {
  const s = await stage(open)
  await s.make('tom', 'POST /invoices/{i1}/payments', cash(60_000))
  const before = s.rows('select count(*) n from audit_entry')[0]?.n as number
  expect(await statuses(times(100, () => s.ask(who, line, body)))).toEqual({ 200: 100 })
  const after: Json = {}
  for (const { action } of s.rows('select action from audit_entry order by rowid limit -1 offset ?', before))
    after[String(action)] = ((after[String(action)] as number) ?? 0) + 1
  expect(after).toEqual(n)
  return s
}

test('a hundred times terminated: one settlement', async () => {
  const s = await once('POST /bookings/{lease}/terminate', {
    'invoice.cancel': 1,
    'invoice.issue': 1,
    'booking.terminate': 1,
  })
  expect(s.rows("select count(*) n from job where kind = 'booking.terminated'")).toEqual([{ n: 1 }])
})
test('a hundred times confirmed: paid once', async () => {
  const s = await once('POST /payments/{p1}/confirm', { 'invoice.paid': 1, 'payment.confirm': 1 })
  expect(s.rows("select count(*) n from job where kind = 'payment.confirmed'")).toEqual([{ n: 1 }])
  expect(s.ledger()).toEqual(['2026-03-01..03-31 PAID 60000/60000'])
})
test('a hundred times withdrawn, rejected, cancelled', async () => {
  await once('POST /payments/{p1}/withdraw', { 'payment.withdraw': 1 }, {}, 'tom')
  await once('POST /payments/{p1}/reject', { 'payment.reject': 1 })
  await once('POST /invoices/{i1}/cancel', { 'invoice.cancel': 1 })
})

test('confirmed, rejected and withdrawn at once: one of them holds, and only a confirmation pays', async () => {
  for (const order of [0, 1, 2]) {
    const s = await stage(open)
    await s.make('tom', 'POST /invoices/{i1}/payments', cash(60_000))
    const asks = [
      () => s.ask('ana', 'POST /payments/{p1}/confirm'),
      () => s.ask('mia', 'POST /payments/{p1}/reject'),
      () => s.ask('tom', 'POST /payments/{p1}/withdraw'),
    ]
    await Promise.all([...asks.slice(order), ...asks.slice(0, order)].map((f) => f()))
    const { status } = (await s.ask('ana', 'GET /payments/{p1}')).body
    expect(status).toBe(order === 0 ? 'CONFIRMED' : 'REJECTED')
    expect(s.ledger()).toEqual([`2026-03-01..03-31 ${status === 'CONFIRMED' ? 'PAID 60000' : 'OVERDUE 0'}/60000`])
  }
})

test('paid by many at once: never more than is owed', async () => {
  const s = await stage(open)
  const counts = await statuses(
    times(100, (i) => s.ask(i % 2 ? 'mia' : 'ana', 'POST /invoices/{i1}/payments', cash(7_000))),
  )
  expect(counts).toEqual({ 201: 8, 422: 92 })
  expect(s.ledger()).toEqual(['2026-03-01..03-31 OVERDUE 56000/60000'])
})

test('paid and terminated at once: whichever comes first, no franc is lost', async () => {
  for (const first of ['pay', 'terminate']) {
    const s = await stage(open)
    const pay = () => s.ask('ana', 'POST /invoices/{i1}/payments', cash(60_000))
    const end = () => s.ask('mia', 'POST /bookings/{lease}/terminate')
    const answers = await Promise.all(first === 'pay' ? [pay(), Bun.sleep(0).then(end)] : [end(), pay()])
    expect(answers.map((a) => a.status)).toEqual(first === 'pay' ? [201, 200] : [200, 409])
    expect(s.ledger()).toEqual(
      first === 'pay'
        ? ['2026-03-01..03-31 PAID 60000/60000 credited 40645']
        : ['2026-03-01..03-31 CANCELLED 0/60000', '2026-03-01..03-10 ISSUED 0/19355'],
    )
  }
})

test('advances at once: each period once, each franc once', async () => {
  const s = await stage(open)
  expect(await statuses(times(20, () => s.ask('ana', 'POST /bookings/{lease}/payments', cash(90_000))))).toEqual({
    201: 20,
  })
  const months = s.rows("select period_start p from invoice where status = 'PAID' order by period_start")
  expect(months).toHaveLength(30)
  expect(new Set(months.map(({ p }) => p)).size).toBe(30)
  expect((await s.ask('ana', 'GET /bookings/{lease}')).body.creditAmount).toBe(0)
})

test('what was read is what is changed: of two writers with the same ETag one is refused', async () => {
  const s = await stage(open)
  for (const [read, line, body] of [
    ['/properties/{villa}', 'PATCH', { name: 'A' }],
    ['/units/{a1}', 'PATCH', { label: 'B' }],
    ['/admin/organization', 'PATCH', { name: 'C' }],
  ] as const) {
    const etag = (await s.ask('ada', `GET ${read}`)).headers.get('etag') ?? ''
    const write = (n: number) =>
      s.ask('ada', `${line} ${read}`, Object.fromEntries(Object.entries(body).map(([k, v]) => [k, v + n])), {
        'if-match': etag,
      })
    expect(await statuses([write(1), write(2)])).toEqual({ 200: 1, 412: 1 })
  }
})

test('other writes of the organization do not change the ETag of its settings', async () => {
  const s = await stage(open)
  const etag = (await s.ask('ada', 'GET /admin/organization')).headers.get('etag') ?? ''
  await s.make('ana', 'POST /tenants', { fullName: 'Paul' })
  expect((await s.ask('ada', 'PATCH /admin/organization', { name: 'A' }, { 'if-match': etag })).status).toBe(200)
  expect((await s.ask('ada', 'PATCH /admin/organization', { name: 'B' }, { 'if-match': etag })).status).toBe(412)
})
