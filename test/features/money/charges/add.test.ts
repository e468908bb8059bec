// Charges on an invoice of their own: of which lease, when due, how many, and what pays them.
import { expect, test } from 'bun:test'
import { cash, letting, scenario, stage } from '../../../support/scenario.ts'

const water = { lines: [{ label: 'Eau, mars', amount: 4_500 }] }
const begun = { given: letting({ startDate: '2026-03-10' }) }

scenario('they stand beside the rent, due on the next due day of the lease, and are paid as any invoice', begun, [
  [
    'ana',
    'POST /bookings/{lease}/invoices',
    { lines: [...water.lines, { label: 'Gaz', amount: 8_000 }] },
    201,
    {
      kind: 'CHARGES',
      status: 'ISSUED',
      periodStart: '2026-03-10',
      periodEnd: '2026-03-10',
      grossAmount: 12_500,
      balanceAmount: 12_500,
    },
    { audit: 'invoice.issue', jobs: 'invoice.issued', as: 'own' },
  ],
  ['invoices', ['2026-03-10..04-09 ISSUED 0/60000', '2026-03-10..03-10 ISSUED 0/12500']],
  [
    'ana',
    'POST /invoices/{own}/payments',
    cash(12_500),
    201,
    { status: 'CONFIRMED' },
    { audit: 'invoice.paid, payment.record', jobs: 'payment.confirmed' },
  ],
  ['invoices', ['2026-03-10..04-09 ISSUED 0/60000', '2026-03-10..03-10 PAID 12500/12500']],
])

scenario('credit pays them at once, as far as it goes', begun, [
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(62_000),
    201,
    { payment: { unallocatedAmount: 2_000 } },
    { audit: 'payment.record, invoice.paid', jobs: 'payment.confirmed' },
  ],
  [
    'ana',
    'POST /bookings/{lease}/invoices',
    water,
    201,
    { status: 'ISSUED', amountPaid: 2_000, balanceAmount: 2_500 },
    { audit: 'invoice.issue, invoice.balance', jobs: 'invoice.issued' },
  ],
  ['invoices', ['2026-03-10..04-09 PAID 60000/60000', '2026-03-10..03-10 ISSUED 2000/4500']],
])

scenario('who may not, and what is refused, changes nothing', begun, [
  ['tom', 'POST /bookings/{lease}/invoices', water, 403, { code: 'forbidden' }],
  ['eve', 'POST /bookings/{lease}/invoices', water, 404, { code: 'not_found' }],
  ['zoe', 'POST /bookings/{lease}/invoices', water, 404, { code: 'not_found' }],
  ['ana', 'POST /bookings/{nobody}/invoices', water, 404, { code: 'not_found' }],
  ['ana', 'POST /bookings/{lease}/invoices', { lines: [] }, 422, { errors: [{ path: '/lines' }] }],
  [
    'ana',
    'POST /bookings/{lease}/invoices',
    { ...water, dueDate: '2026-03-09' },
    422,
    { errors: [{ path: '/dueDate' }] },
  ],
  [
    'ana',
    'POST /bookings/{lease}/invoices',
    { ...water, dueDate: '2027-03-11' },
    422,
    { errors: [{ path: '/dueDate' }] },
  ],
  [
    'ana',
    'POST /bookings/{lease}/invoices',
    { lines: Array.from({ length: 2 }, () => ({ label: 'Travaux', amount: 600_000_000_000 })) },
    422,
    { errors: [{ path: '/lines' }] },
  ],
])

scenario('a lease that is only agreed has none', { given: letting({}, 'PENDING') }, [
  ['ana', 'POST /bookings/{lease}/invoices', water, 409, { code: 'invalid_state', currentStatus: 'PENDING' }],
])

test('at most 20 a day for one lease, cancelled ones included; the next day there is room again', async () => {
  const s = await stage(begun)
  const issue = () => s.ask('ana', 'POST /bookings/{lease}/invoices', water)
  for (let n = 1; n <= 20; n++) expect((await issue()).status).toBe(201)
  s.nameAll()
  await s.make('ana', 'POST /invoices/{i2}/cancel')
  const before = s.dump()
  expect((await issue()).body.code).toBe('quota_exceeded')
  expect(s.dump()).toBe(before)
  s.advance(1)
  expect((await issue()).status).toBe(201)
})
