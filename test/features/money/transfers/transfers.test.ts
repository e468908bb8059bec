// One transfer that is for several things: two flats, a deposit and half a month. Rent is 60,000 a month in both flats.
import { expect, test } from 'bun:test'
import { closeAccount } from '../../../../src/features/data/personal-data/service.ts'
import { ORG, uuid } from '../../../support/app.ts'
import { cash, letting, type Row, type Stage, scenario, stage } from '../../../support/scenario.ts'

const flats = async (s: Pick<Stage, 'make'>): Promise<void> => {
  await letting({ depositAmount: 120_000 })(s)
  await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tom}', startDate: '2026-03-01' }, 'second')
  for (const step of ['submit', 'activate']) await s.make('ana', `POST /bookings/{second}/${step}`)
}
/** Eve lets a flat of her own, to Tia. */
const beside = async (s: Pick<Stage, 'make'>): Promise<void> => {
  await flats(s)
  await s.make('eve', 'POST /properties', { name: 'Tour', addressLine: 'Rue 2', city: 'Douala' }, 'tour')
  await s.make('eve', 'POST /properties/{tour}/units', { label: 'T1', rentAmount: 60_000 }, 't1')
  await s.make('eve', 'POST /properties/{tour}/publish')
  await s.make('eve', 'POST /bookings', { unitId: '{t1}', tenantUserId: '{tia}', startDate: '2026-03-01' }, 'hers')
  for (const step of ['submit', 'activate']) await s.make('eve', `POST /bookings/{hers}/${step}`)
}
const invoice = (bookingId: string, invoiceId: string, amount: number) => ({
  bookingId,
  invoiceId,
  kind: 'INVOICE',
  amount,
})
const momo = { method: 'MTN_MOMO', reference: 'ID: 9667597001' }
const parts = [
  { bookingId: '{lease}', kind: 'DEPOSIT', amount: 120_000 },
  invoice('{lease}', '{i1}', 60_000),
  invoice('{second}', '{i2}', 60_000),
  { bookingId: '{lease}', kind: 'ADVANCE', amount: 90_000 },
]
const whole = cash(330_000, { ...momo, parts, payer: 'NGO BASSA MARIE' })
const RECORDED = {
  audit:
    'transfer.record, deposit.received, invoice.paid ×2, payment.record, invoice.issue, invoice.paid, payment.record, lease_payer.create ×2',
  jobs: 'invoice.issued, payment.confirmed ×2',
  as: 'all',
}

scenario('330,000 for two flats, a deposit and half a month is one request', { given: flats }, [
  [
    'ana',
    'POST /transfers',
    whole,
    201,
    {
      direction: 1,
      amount: 330_000,
      currency: 'XAF',
      method: 'MTN_MOMO',
      reference: '9667597001',
      payerName: 'NGO BASSA MARIE',
      state: 'POSTED',
      payments: [
        { id: '{p1}', bookingId: '{lease}', amount: 150_000 },
        { id: '{p2}', bookingId: '{second}', amount: 60_000 },
      ],
      deposits: [{ bookingId: '{lease}', amount: 120_000 }],
    },
    { ...RECORDED, lacks: ['row', 'trace', 'operator', 'told', 'version'] },
  ],
  [
    'invoices',
    ['2026-03-01..03-31 PAID 60000/60000', '2026-03-01..03-31 PAID 60000/60000', '2026-04-01..04-30 PAID 60000/60000'],
  ],
  [
    'ana',
    'GET /payments/{p1}',
    undefined,
    200,
    {
      transferId: '{all}',
      reference: '9667597001',
      parts: [
        { kind: 'INVOICE', invoiceId: '{i1}', amount: 60_000 },
        { kind: 'INVOICE', invoiceId: '{i3}', amount: 60_000 },
        { kind: 'ADVANCE', amount: 30_000 },
      ],
      unallocatedAmount: 30_000,
    },
  ],
  ['tom', 'GET /payments/{p2}', undefined, 200, { amount: 60_000 }, { lacks: ['transferId'] }],
  [
    'ana',
    'GET /bookings/{lease}/deposit',
    undefined,
    200,
    [{ type: 'RECEIVED', heldAmount: 120_000, transferId: '{all}', method: 'MTN_MOMO', reference: '9667597001' }],
  ],
  ['ana', 'POST /transfers', { ...whole, reference: '966 759 7001' }, 409, { code: 'duplicate', transferId: '{all}' }],
  [
    'tom',
    'POST /invoices/{i3}/payments',
    cash(1, { method: 'ORANGE_MONEY', reference: 'Ref: 9667597001' }),
    409,
    { code: 'invalid_state' },
  ],
  ['ana', 'GET /transfers?state=POSTED', undefined, 200, [{ id: '{all}', amount: 330_000 }]],
  ['ana', 'GET /transfers?state=VOID', undefined, 200, []],
  ['mia', 'GET /transfers/{all}', undefined, 200, { amount: 330_000 }],
  ['eve', 'GET /transfers/{all}', undefined, 404],
  ['eve', 'GET /transfers', undefined, 200, []],
  ['zoe', 'GET /transfers/{all}', undefined, 404],
  ['tom', 'GET /transfers', undefined, 403],
  ['tom', 'GET /transfers/{all}', undefined, 403],
  ['ana', 'POST /payments/{p1}/reverse', {}, 409, { code: 'invalid_state', transferId: '{all}' }],
  ['eve', 'POST /transfers/{all}/reverse', {}, 404],
  ['mia', 'POST /transfers/{all}/reverse', {}, 422, { errors: [{ path: '/reason' }] }],
  [
    'mia',
    'POST /transfers/{all}/reverse',
    { reason: 'Rejeté par MTN' },
    200,
    { state: 'REVERSED' },
    {
      audit:
        'deposit.returned, invoice.balance ×2, payment.reverse, invoice.balance, payment.reverse, transfer.reverse',
    },
  ],
  [
    'invoices',
    ['2026-03-01..03-31 OVERDUE 0/60000', '2026-03-01..03-31 OVERDUE 0/60000', '2026-04-01..04-30 ISSUED 0/60000'],
  ],
  ['mia', 'POST /transfers/{all}/reverse', { reason: 'Encore' }, 200, { state: 'REVERSED' }],
  [
    'ana',
    'GET /bookings/{lease}/deposit?limit=1',
    undefined,
    200,
    [{ type: 'RETURNED', heldAmount: 0, transferId: '{all}' }],
  ],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 0 }],
])

const refused = (more: object, status: number, answer: object): Row => [
  'ana',
  'POST /transfers',
  cash(60_000, { parts: [invoice('{lease}', '{i1}', 60_000)], ...more }),
  status,
  answer,
]
const at = (path: string) => ({ errors: [{ path }] })
scenario('what is no transfer changes nothing', { given: beside }, [
  refused({ amount: 70_000 }, 422, at('/parts')),
  refused({ amount: 50_000 }, 422, at('/parts')),
  refused({ parts: [] }, 422, at('/parts')),
  refused({ parts: Array(51).fill(invoice('{lease}', '{i1}', 1)), amount: 51 }, 422, at('/parts')),
  refused({ parts: [invoice('{lease}', '{i1}', 30_000), invoice('{lease}', '{i1}', 30_000)] }, 422, at('/parts/1')),
  refused({ parts: [invoice('{second}', '{i1}', 60_000)] }, 422, at('/parts/0/invoiceId')),
  refused({ parts: [{ bookingId: '{lease}', kind: 'INVOICE', amount: 60_000 }] }, 422, at('/parts/0/invoiceId')),
  refused({ parts: [{ ...invoice('{lease}', '{i1}', 60_000), kind: 'DEPOSIT' }] }, 422, at('/parts/0/invoiceId')),
  refused({ amount: 60_001, parts: [invoice('{lease}', '{i1}', 60_001)] }, 422, {
    code: 'overpayment',
    ...at('/parts/0/amount'),
  }),
  refused({ parts: [{ bookingId: '{nobody}', kind: 'ADVANCE', amount: 60_000 }] }, 404, {}),
  refused({ amount: 120_000, parts: [invoice('{lease}', '{i1}', 60_000), invoice('{hers}', '{i3}', 60_000)] }, 404, {}),
  refused(
    { method: 'WITHHOLDING', parts: [{ bookingId: '{lease}', kind: 'DEPOSIT', amount: 60_000 }] },
    422,
    at('/parts/0/kind'),
  ),
  refused({ paidOn: '2026-03-11' }, 422, at('/paidOn')),
  refused({ proofMediaId: '{nobody}' }, 404, {}),
  ['tom', 'POST /transfers', cash(60_000, { parts: [invoice('{lease}', '{i1}', 60_000)] }), 403],
])

scenario('who sees one share sees no other: an owner sees a transfer of their leases alone', { given: beside }, [
  [
    'mia',
    'POST /transfers',
    cash(120_000, { parts: [invoice('{lease}', '{i1}', 60_000), invoice('{hers}', '{i3}', 60_000)] }),
    201,
    {},
    { audit: 'transfer.record, invoice.paid ×2, payment.record ×2', jobs: 'payment.confirmed ×2', as: 'both' },
  ],
  ['ana', 'GET /transfers', undefined, 200, []],
  ['ana', 'GET /transfers/{both}', undefined, 404],
  ['ana', 'POST /transfers/{both}/reverse', {}, 404],
  ['ana', 'GET /payments', undefined, 200, [{ amount: 60_000, bookingId: '{lease}' }]],
  ['ana', 'POST /payments/{p1}/reverse', {}, 409, { code: 'invalid_state' }, { lacks: ['transferId'] }],
  ['ada', 'GET /transfers/{both}', undefined, 200, { amount: 120_000 }],
])

const confirming = {
  given: async (s: Stage) => {
    await flats(s)
    await s.make('ada', 'PATCH /admin/organization', { confirmCash: true })
  },
}
const waiting = cash(120_000, {
  receivedBy: '{mia}',
  parts: [invoice('{lease}', '{i1}', 60_000), invoice('{second}', '{i2}', 60_000)],
})
const WAITS = { audit: 'transfer.record, payment.record ×2', as: 'cash' }
scenario('cash that waits for its receiver counts as a whole, once they say so', confirming, [
  [
    'ana',
    'POST /transfers',
    { ...waiting, parts: [{ bookingId: '{lease}', kind: 'DEPOSIT', amount: 120_000 }] },
    422,
    at('/parts/0/kind'),
  ],
  ['ana', 'POST /transfers', waiting, 201, { state: 'PENDING' }, WAITS],
  ['ana', 'POST /payments/{p1}/confirm', {}, 403],
  ['ana', 'POST /transfers/{cash}/reverse', {}, 409, { currentStatus: 'PENDING' }],
  ['invoices', ['2026-03-01..03-31 OVERDUE 0/60000', '2026-03-01..03-31 OVERDUE 0/60000']],
  [
    'mia',
    'POST /payments/{p1}/confirm',
    {},
    200,
    { status: 'CONFIRMED' },
    { audit: 'invoice.paid, payment.confirm, invoice.paid, payment.confirm', jobs: 'payment.confirmed ×2' },
  ],
  ['mia', 'GET /transfers/{cash}', undefined, 200, { state: 'POSTED' }],
  ['invoices', ['2026-03-01..03-31 PAID 60000/60000', '2026-03-01..03-31 PAID 60000/60000']],
])
scenario('or is refused as a whole', confirming, [
  ['ana', 'POST /transfers', waiting, 201, { state: 'PENDING' }, WAITS],
  [
    'mia',
    'POST /payments/{p2}/reject',
    { reason: 'Rien reçu' },
    200,
    { status: 'REJECTED' },
    { audit: 'payment.reject ×2' },
  ],
  ['ana', 'GET /transfers/{cash}', undefined, 200, { state: 'VOID' }],
  ['ana', 'GET /payments/{p1}', undefined, 200, { status: 'REJECTED' }],
])

scenario('a deposit that was given back since keeps its transfer whole', { given: flats }, [
  ['ana', 'POST /transfers', whole, 201, {}, RECORDED],
  [
    'ana',
    'POST /bookings/{lease}/deposit',
    { type: 'RETURNED', amount: 1_000, paidOn: '2026-03-10' },
    201,
    {},
    { audit: 'deposit.returned' },
  ],
  ['ana', 'POST /transfers/{all}/reverse', {}, 422, { code: 'deposit_exceeded' }],
  ['ana', 'GET /transfers/{all}', undefined, 200, { state: 'POSTED' }],
])

test('a payment by any other door is a transfer of one share, which its own decisions move', async () => {
  const s = await stage({ given: flats })
  const state = () => s.t.rows('select state from transfer order by row').map((row) => row.state)
  await s.make('tom', 'POST /invoices/{i1}/payments', cash(20_000))
  await s.make('ana', 'POST /bookings/{second}/payments', cash(70_000))
  expect(state()).toEqual(['PENDING', 'POSTED'])
  await s.make('ana', 'POST /bookings/{second}/payments', cash(10_000, { type: 'REFUND' }))
  expect(s.t.rows('select direction, amount from transfer order by row').at(-1)).toEqual({
    direction: -1,
    amount: 10_000,
  })
  await s.make('ana', 'POST /payments/{p1}/reject')
  expect(state()).toEqual(['VOID', 'POSTED', 'POSTED'])
})

test('an erased tenant leaves no name of a payer behind, others keep theirs', async () => {
  const s = await stage({ given: beside })
  await s.make('ana', 'POST /transfers', whole)
  const hers = [invoice('{hers}', '{i3}', 60_000)]
  await s.make('eve', 'POST /transfers', cash(60_000, { parts: hers, payer: 'SON ONCLE' }))
  s.t.store.client.prepare("update transfer set payer_number = '+237699000111'").run()
  const deps = { ...s.t.deps, identity: { deleteAccount: async () => {} } as never }
  const userId = uuid('tom~organization')
  const caller = { orgId: ORG, userId, roles: ['TENANT'], scope: { kind: 'tenant', userId } }
  await closeAccount(deps, { caller, address: '', requestId: 'erase', locale: 'fr' } as never, {})
  const payers = s.t.rows('select payer_name, payer_number, amount from transfer order by row')
  expect(payers).toEqual([
    { payer_name: null, payer_number: null, amount: 330_000 },
    { payer_name: 'SON ONCLE', payer_number: '+237699000111', amount: 60_000 },
  ])
})

const told = (amount: string, id: string) =>
  `Vous avez recu ${amount} FCFA de NGO BASSA MARIE (237699000001) le 2026-03-01 09:14:20. Nouveau solde: 400000 FCFA. ID de la transaction: ${id}.`
const toldOfIt = async (s: Pick<Stage, 'make'>): Promise<void> => {
  await flats(s)
  const { status } = await s.make('ana', 'POST /payments/from-message', { text: told('330000', '9667597001') })
  expect(status).toBe('UNMATCHED')
}
scenario('a message that waits is the same money as the transfer that a landlord then splits', { given: toldOfIt }, [
  // Another sum under its id is refused, and nothing is written.
  [
    'ana',
    'POST /transfers',
    { ...whole, amount: 300_000, parts: [...parts.slice(0, 3), { ...parts[3], amount: 60_000 }] },
    409,
    { code: 'duplicate', errors: [{ path: '/amount' }] },
  ],
  ['ana', 'GET /payments', undefined, 200, []],
  // An invoice has its own lease.
  [
    'ana',
    'POST /transfers',
    { ...whole, parts: [parts[0], { invoiceId: '{i1}', kind: 'INVOICE', amount: 60_000 }, ...parts.slice(2)] },
    201,
    { state: 'POSTED' },
    { ...RECORDED, audit: RECORDED.audit.replace('lease_payer', 'money_message.match, lease_payer') },
  ],
  ['ana', 'GET /payments/unmatched', undefined, 200, []],
  ['ana', 'POST /payments/from-message', { text: told('330000', '9667597001') }, 409, { code: 'duplicate' }],
  [
    'eve',
    'POST /transfers',
    cash(60_000, { parts: [{ invoiceId: '{i1}', kind: 'INVOICE', amount: 60_000 }] }),
    422,
    { errors: [{ path: '/parts/0/invoiceId' }] },
  ],
  [
    'ana',
    'POST /transfers',
    cash(60_000, { parts: [{ kind: 'ADVANCE', amount: 60_000 }] }),
    422,
    { errors: [{ path: '/parts/0/bookingId' }] },
  ],
])

test('once a lease has ended, what a part brings too much is an advance, and the statement says so', async () => {
  const s = await stage({ given: letting() })
  await s.make('ana', 'POST /bookings/{lease}/invoices', { lines: [{ label: 'Eau', amount: 10_000 }] })
  await s.make('ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-10', confirm: true })
  const ended = "booking_id = (select id from booking where status = 'TERMINATED')"
  const open = s.t.rows(
    `select id, gross_amount - amount_paid as n from invoice where status in ('ISSUED', 'OVERDUE') and ${ended} order by n desc`,
  )
  expect(open.length).toBe(2)
  const amount = open.reduce((sum, { n }) => sum + Number(n), 2_000)
  await s.make('ana', 'POST /transfers', cash(amount, { parts: [invoice('{lease}', String(open[0]?.id), amount)] }))
  const [lease] = s.t.rows("select credit_amount from booking where status = 'TERMINATED'")
  expect(lease).toEqual({ credit_amount: 2_000 })
  const [statement] = s.t.rows("select data from document where kind = 'STATEMENT' and voided_at is null")
  expect(JSON.parse(String(statement?.data))).toMatchObject({ debtAmount: 0, creditAmount: 2_000 })
})
