// The end of a lease undone: its papers are void, and of two who ask at once for what excludes the other one gets it.
import { expect, test } from 'bun:test'
import { imbalances } from '../../../support/ledger.ts'
import { cash, type Json, letting, stage } from '../../../support/scenario.ts'

const since = (startDate: string) => ({ given: letting({ startDate, billFrom: startDate }) })
const END = 'POST /bookings/{lease}/terminate'
const UNDO = 'POST /bookings/{lease}/reinstate'

test('the papers of the end are void, and those of what was paid say again what it paid', async () => {
  const s = await stage(since('2026-02-01'))
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(60_000))
  await s.make('ana', 'POST /invoices/{i2}/payments', cash(15_000))
  const papers = async () => {
    const list = (await s.ask('ana', 'GET /documents?order=asc&limit=200')).body as unknown as Json[]
    const name = (id: unknown) => [...s.names].find(([k, v]) => v === id && /^[ip]\d/.test(k))?.[0] ?? ''
    return list.flatMap((d) =>
      d.kind === 'LEASE_CONTRACT'
        ? []
        : [`${d.kind} ${d.variant ?? ''} ${name(d.paymentId ?? d.invoiceId)} ${d.voidReason ?? 'stands'}`],
    )
  }
  await s.make('ana', END)
  expect((await papers()).filter((p) => p.endsWith('stands'))).toEqual([
    'INVOICE  i1 stands',
    'RECEIPT FULL p1 stands',
    'INVOICE CREDIT_NOTE i2 stands',
    'INVOICE  i3 stands',
    'RECEIPT PARTIAL p2 stands',
    'STATEMENT   stands',
  ])
  await s.make('ana', UNDO)
  const after = await papers()
  expect(after.filter((p) => p.endsWith('stands'))).toEqual([
    'INVOICE  i1 stands',
    'RECEIPT FULL p1 stands',
    'INVOICE CREDIT_NOTE i3 stands',
    'INVOICE  i2 stands',
    'RECEIPT PARTIAL p2 stands',
  ])
  const gone = ['STATEMENT   CANCELLED', 'INVOICE CREDIT_NOTE i2 CANCELLED', 'INVOICE  i3 CANCELLED']
  expect(after).toEqual(expect.arrayContaining(gone))
})

test('at once: the end is undone or credit given back, never both; and the unit has one lease', async () => {
  const refund = cash(40_645, { type: 'REFUND', reason: 'Départ' })
  for (let round = 0; round < 4; round++) {
    const s = await stage(since('2026-03-01'))
    await s.make('ana', 'POST /invoices/{i1}/payments', cash(60_000))
    await s.make('ana', END)
    const terms = { unitId: '{a1}', tenantUserId: '{tia}', startDate: '2026-03-11' }
    await s.make('ana', 'POST /bookings', terms, 'next')
    const calls = Array.from({ length: 30 }, (_x, i) => {
      const n = (i + round) % 3
      if (n === 0) return s.ask('ana', UNDO)
      return n === 1
        ? s.ask('ana', 'POST /bookings/{next}/submit')
        : s.ask('mia', 'POST /bookings/{lease}/payments', refund)
    })
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.every((x) => [200, 201, 409, 422].includes(x))).toBe(true)
    expect(imbalances(s.t)).toEqual([])
    const [lease] = s.rows('select status from booking where id = ?', s.names.get('lease'))
    const refunds = s.rows("select 1 from payment where type = 'REFUND' and status = 'CONFIRMED'").length
    const submitted = s.rows("select 1 from booking where id = ? and status = 'PENDING'", s.names.get('next')).length
    expect(refunds + (lease?.status === 'ACTIVE' ? 1 : 0)).toBe(1)
    expect(submitted + (lease?.status === 'ACTIVE' ? 1 : 0)).toBe(1)
  }
})
