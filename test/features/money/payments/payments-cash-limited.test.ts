// Cash in the hands of a manager of some properties: where the organization confirms cash, they have no last word on it.
import { expect, test } from 'bun:test'
import { cash, letting, type Row, type Stage, scenario, stage } from '../../../support/scenario.ts'

const kept = {
  settings: { confirmCash: true },
  given: async (s: Stage) => {
    await letting({ startDate: '2026-03-10' })(s)
    await s.make('ada', 'PATCH /admin/users/{mia}', { propertyIds: ['{villa}'] })
  },
}
const waiting = { audit: 'payment.record' } as const
const paid = { audit: 'invoice.balance, payment.confirm', jobs: 'payment.confirmed' } as const
const no = { code: 'forbidden' }
const why = { reason: 'Erreur' }

scenario('what they take waits for the owner, named or not, and has no receipt', kept, [
  [
    'mia',
    'POST /invoices/{i1}/payments',
    cash(20_000),
    201,
    { status: 'PENDING', receivedBy: '{mia}', recordedBy: '{mia}' },
    { ...waiting, lacks: ['documentId', 'confirmedAt'] },
  ],
  ['mia', 'POST /invoices/{i1}/payments', cash(10_000, { receivedBy: '{mia}' }), 201, { status: 'PENDING' }, waiting],
  ['mia', 'POST /bookings/{lease}/payments', cash(90_000), 201, { payment: { status: 'PENDING' } }, waiting],
  ['invoices', ['2026-03-10..04-09 ISSUED 0/60000']],
  ['mia', 'POST /payments/{p1}/confirm', {}, 403, no],
  ['mia', 'POST /payments/{p3}/confirm', {}, 403, no],
  ['eve', 'POST /payments/{p1}/confirm', {}, 404],
  ['tom', 'POST /payments/{p1}/confirm', {}, 403],
  ['ana', 'POST /payments/{p1}/reject', {}, 422, { errors: [{ path: '/reason' }] }],
  ['ana', 'POST /payments/{p1}/confirm', {}, 200, { status: 'CONFIRMED', decidedBy: '{ana}' }, paid],
  ['ada', 'POST /payments/{p2}/confirm', {}, 200, { status: 'CONFIRMED', decidedBy: '{ada}' }, paid],
  ['mia', 'POST /payments/{p3}/reject', {}, 422, { errors: [{ path: '/reason' }] }],
  ['mia', 'POST /payments/{p3}/reject', why, 200, { status: 'REJECTED', note: 'Erreur' }, { audit: 'payment.reject' }],
  ['ana', 'GET /adjustments', undefined, 200, [{ kind: 'CASH_WITHDRAWN', amount: 90_000, reason: 'Erreur' }]],
  ['invoices', ['2026-03-10..04-09 ISSUED 30000/60000']],
])

const colleague = {
  ...kept,
  given: async (s: Stage) => {
    await kept.given(s)
    const eve = s.fill('{eve}')
    s.t.store.client.prepare(`update app_user set roles = '["MANAGER"]', limited = 1 where id = ?`).run(eve)
    s.t.store.client
      .prepare('insert into assignment select org_id, ?, property_id, created_by, created_at from assignment')
      .run(eve)
  },
}
scenario(
  'they name nobody as receiver who is limited too, and money that an operator knows of does not wait',
  colleague,
  [
    [
      'mia',
      'POST /invoices/{i1}/payments',
      cash(20_000, { receivedBy: '{eve}' }),
      422,
      { errors: [{ path: '/receivedBy' }] },
    ],
    ['mia', 'POST /invoices/{i1}/payments', cash(20_000, { receivedBy: '{ana}' }), 201, { status: 'PENDING' }, waiting],
    ['ada', 'POST /payments/{p1}/confirm', {}, 403, no],
    ['ana', 'POST /payments/{p1}/confirm', {}, 200, {}, paid],
    [
      'mia',
      'POST /invoices/{i1}/payments',
      cash(10_000, { method: 'MTN_MOMO', reference: '7712345678' }),
      201,
      { status: 'CONFIRMED' },
      { audit: 'invoice.balance, payment.record', jobs: 'payment.confirmed' },
    ],
  ],
)

const by = (method: string, more: object = {}) => cash(10_000, { method, ...more })
const held = { status: 'PENDING', receivedBy: '{mia}' }
scenario('cash under another name waits too: what no operator or bank knows of', kept, [
  ['mia', 'POST /invoices/{i1}/payments', by('OTHER', { reference: '7712345678' }), 201, held, waiting],
  ['mia', 'POST /invoices/{i1}/payments', by('WITHHOLDING', { reference: 'ATT-1' }), 201, held, waiting],
  ['mia', 'POST /invoices/{i1}/payments', by('MTN_MOMO'), 201, held, waiting],
  ['mia', 'POST /invoices/{i1}/payments', by('BANK_TRANSFER', { reference: null }), 201, held, waiting],
  ['mia', 'POST /bookings/{lease}/payments', by('CHEQUE'), 201, { payment: held }, waiting],
  ['mia', 'POST /bookings/{lease}/payments', by('OTHER'), 201, { payment: held }, waiting],
  ['invoices', ['2026-03-10..04-09 ISSUED 0/60000']],
  ['mia', 'POST /payments/{p1}/confirm', {}, 403, no],
  ['ana', 'POST /payments/{p1}/confirm', {}, 200, { status: 'CONFIRMED' }, paid],
  ['mia', 'POST /payments/{p1}/reverse', why, 403, no],
  ['tom', 'POST /invoices/{i1}/payments', by('OTHER'), 201, { status: 'PENDING' }, { audit: 'payment.declare' }],
  ['mia', 'POST /payments/{p7}/confirm', {}, 403, no],
  // What an operator knows of they confirm, and what others record does not wait.
  [
    'tom',
    'POST /invoices/{i1}/payments',
    by('MTN_MOMO', { reference: '7712345699' }),
    201,
    { status: 'PENDING' },
    { audit: 'payment.declare' },
  ],
  ['mia', 'POST /payments/{p8}/confirm', {}, 200, { status: 'CONFIRMED' }, paid],
  [
    'ana',
    'POST /invoices/{i1}/payments',
    by('OTHER', { distinct: true }),
    201,
    { status: 'CONFIRMED' },
    { audit: 'invoice.balance, payment.record', jobs: 'payment.confirmed', lacks: ['receivedBy'] },
  ],
  ['invoices', ['2026-03-10..04-09 ISSUED 30000/60000']],
])

scenario('what somebody else says they took, they confirm; what a tenant says they paid in cash, they do not', kept, [
  ['ana', 'POST /invoices/{i1}/payments', cash(20_000, { receivedBy: '{mia}' }), 201, { status: 'PENDING' }, waiting],
  ['mia', 'POST /payments/{p1}/confirm', {}, 200, { status: 'CONFIRMED' }, paid],
  ['tom', 'POST /invoices/{i1}/payments', cash(10_000), 201, { status: 'PENDING' }, { audit: 'payment.declare' }],
  ['mia', 'POST /payments/{p2}/confirm', {}, 403, no],
  ['ana', 'POST /payments/{p2}/confirm', {}, 200, { status: 'CONFIRMED' }, paid],
])

const deposit = (type: string, more: object = {}) => ({ type, amount: 50_000, paidOn: '2026-03-10', ...more })
const undone: Row[] = [
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(90_000),
    201,
    {},
    { audit: 'payment.record, invoice.paid', jobs: 'payment.confirmed' },
  ],
  ['ana', 'POST /bookings/{lease}/deposit', deposit('RECEIVED'), 201, {}, { audit: 'deposit.received' }],
  ['mia', 'POST /payments/{p1}/reverse', why, 403, no],
  ['mia', 'POST /bookings/{lease}/payments', { ...cash(10_000, why), type: 'REFUND' }, 403, no],
  ['mia', 'POST /bookings/{lease}/payments', { ...cash(10_000, why), method: 'MTN_MOMO', type: 'REFUND' }, 403, no],
  ['mia', 'POST /bookings/{lease}/deposit', deposit('RECEIVED'), 403, no],
  ['mia', 'POST /bookings/{lease}/deposit', deposit('RETURNED', why), 403, no],
  ['invoices', ['2026-03-10..04-09 PAID 60000/60000']],
]
scenario('they neither reverse, refund nor return cash; the owner and managers of everything do', kept, [
  ...undone,
  // What moves no cash they still do, and the owner is told.
  ['mia', 'POST /bookings/{lease}/deposit', deposit('DEDUCTED', why), 201, {}, { audit: 'deposit.deducted' }],
  [
    'ada',
    'POST /bookings/{lease}/payments',
    { ...cash(10_000, why), type: 'REFUND' },
    201,
    {},
    { audit: 'payment.refund' },
  ],
  ['mia', 'POST /payments/{p2}/reverse', why, 403, no],
  ['ada', 'POST /payments/{p2}/reverse', why, 200, {}, { audit: 'payment.reverse' }],
  [
    'ana',
    'POST /payments/{p1}/reverse',
    {},
    200,
    { status: 'REVERSED' },
    { audit: 'invoice.balance, payment.reverse' },
  ],
])

scenario(
  'where cash is not confirmed, or the manager has all properties, nothing waits',
  { given: letting({ startDate: '2026-03-10' }), settings: { confirmCash: true } },
  [
    [
      'mia',
      'POST /invoices/{i1}/payments',
      cash(20_000),
      201,
      { status: 'CONFIRMED' },
      { audit: 'invoice.balance, payment.record', jobs: 'payment.confirmed', lacks: ['receivedBy'] },
    ],
    ['mia', 'POST /payments/{p1}/reverse', why, 200, {}, { audit: 'invoice.balance, payment.reverse' }],
    ['ada', 'PATCH /admin/organization', { confirmCash: false }, 200, {}, { audit: 'organization.update' }],
    ['ada', 'PATCH /admin/users/{mia}', { propertyIds: ['{villa}'] }, 200, {}, { audit: 'user.limit' }],
    [
      'mia',
      'POST /invoices/{i1}/payments',
      cash(20_000),
      201,
      { status: 'CONFIRMED' },
      { audit: 'invoice.balance, payment.record', jobs: 'payment.confirmed' },
    ],
    ['mia', 'POST /payments/{p2}/reverse', why, 200, {}, { audit: 'invoice.balance, payment.reverse' }],
  ],
)

test('the owner is told of cash that waits for them, and sees it among what needs them; the manager is told nothing', async () => {
  const s = await stage(kept)
  await s.t.work()
  s.t.sent.length = 0
  await s.make('mia', 'POST /invoices/{i1}/payments', cash(20_000))
  await s.t.work()
  const phone = String((await s.ask('ana', 'GET /me')).body.phoneNumber)
  expect(s.t.sent.map(({ to, purpose }) => `${to} ${purpose}`)).toEqual([`${phone} payment_declared`])
  expect(s.t.sent[0]?.text.replaceAll(/\s/g, ' ')).toMatch(
    /^Un gestionnaire dit avoir reçu 20 000 FCFA en espèces pour « A1 », « Villa »\. À confirmer ou refuser :/,
  )
  for (const who of ['ana', 'ada'] as const)
    expect((await s.ask(who, 'GET /overview')).body.needs).toContainEqual(
      expect.objectContaining({ kind: 'PAYMENT_DECLARED', count: 1, amount: 20_000 }),
    )
})
