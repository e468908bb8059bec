// A typing error in a lease in force is put right in place: only in its first period, and while no money is on it.
import { describe, expect, test } from 'bun:test'
import { makeReady } from '../../../support/contracts.ts'
import { imbalances } from '../../../support/ledger.ts'
import { cash, type Json, letting, type Person, phoneOf, scenario, stage } from '../../../support/scenario.ts'
import { outForSigning, signs } from '../../../support/signers.ts'

const CORRECT = 'POST /bookings/{lease}/correct'
const lease = (terms: Json = {}) => ({ given: letting(terms) })
const corrected = {
  audit: 'invoice.cancel, booking.correct, invoice.issue',
  jobs: 'invoice.issued, booking.corrected ×2',
}

scenario('a mistyped rent: the invoice and the contract are made anew', lease({ dueDay: 28 }), [
  [
    'ana',
    CORRECT,
    { rentAmount: 65_000, reason: 'Faute de frappe' },
    200,
    { rentAmount: 65_000, status: 'ACTIVE', creditAmount: 0 },
    corrected,
  ],
  ['invoices', ['2026-03-01..03-31 CANCELLED 0/60000', '2026-03-01..03-31 ISSUED 0/65000']],
  ['ana', CORRECT, { rentAmount: 65_000 }, 200, { rentAmount: 65_000 }],
  ['days', 1, { sent: 'lease_corrected' }],
])
scenario('a mistyped start and end', lease({ dueDay: 28 }), [
  [
    'mia',
    CORRECT,
    { startDate: '2026-03-05', endDate: '2027-03-04' },
    200,
    { startDate: '2026-03-05', endDate: '2027-03-04', billFrom: '2026-03-05' },
    corrected,
  ],
  ['invoices', ['2026-03-01..03-31 CANCELLED 0/60000', '2026-03-05..04-04 ISSUED 0/60000']],
  ['days', 1, { sent: 'lease_corrected ×2' }],
])
scenario(
  'a mistyped tenant: the right one has the lease, the other is told and sees it no more',
  lease({ dueDay: 28 }),
  [
    [
      'ana',
      CORRECT,
      { tenantPhoneNumber: phoneOf('tia~organization') },
      200,
      { status: 'ACTIVE' },
      {
        audit: 'tenant.create, invoice.cancel, booking.correct, invoice.issue',
        jobs: 'invoice.issued, booking.corrected ×3',
      },
    ],
    ['tom', 'GET /bookings/{lease}', undefined, 404],
    ['tia', 'GET /bookings/{lease}', undefined, 200, { rentAmount: 60_000 }],
    ['invoices', ['2026-03-01..03-31 CANCELLED 0/60000', '2026-03-01..03-31 ISSUED 0/60000']],
    ['days', 1, { sent: 'lease_corrected ×2' }],
  ],
)
scenario('with money it is refused, saying what to do; once that is reversed it goes', lease({ dueDay: 28 }), [
  [
    'ana',
    'POST /invoices/{i1}/payments',
    cash(20_000),
    201,
    {},
    { audit: 'invoice.balance, payment.record', jobs: 'payment.confirmed', as: 'paid' },
  ],
  ['ana', CORRECT, { rentAmount: 65_000 }, 409, { allowed: ['reverse', 'rent-changes', 'terminate'] }],
])
scenario('a deposit counts as money', lease(), [
  [
    'ana',
    'POST /bookings/{lease}/deposit',
    { type: 'RECEIVED', amount: 60_000, paidOn: '2026-03-10' },
    201,
    {},
    { audit: 'deposit.received' },
  ],
  ['ana', CORRECT, { rentAmount: 65_000 }, 409, { code: 'invalid_state' }],
])
scenario('after the first period it is too late', lease(), [
  ['days', 22, { audit: 'invoice.issue', jobs: 'invoice.issued', sent: 'invoice_issued' }],
  ['ana', CORRECT, { rentAmount: 65_000 }, 409, { allowed: ['rent-changes', 'terminate'] }],
])
scenario(
  'a lease that went on by itself keeps the periods that it has since then',
  lease({ startDate: '2025-04-02', endDate: '2025-04-27', autoRenew: true, dueDay: 28 }),
  [
    ['ana', CORRECT, { rentAmount: 65_000 }, 200, { endDate: '2026-03-27', billFrom: '2026-02-07' }, corrected],
    ['invoices', ['2026-02-28..03-27 CANCELLED 0/60000', '2026-02-28..03-27 ISSUED 0/65000']],
    // The end that the lease has come to is no new one.
    ['ana', CORRECT, { rentAmount: 65_000, endDate: '2026-03-27' }, 200, { rentAmount: 65_000 }],
    // Its start alone moves no period either.
    ['ana', CORRECT, { startDate: '2025-04-05' }, 200, { startDate: '2025-04-05', billFrom: '2026-02-07' }, corrected],
    ['ana', CORRECT, { billFrom: '2025-04-20' }, 422, { errors: [{ path: '/endDate' }] }],
    [
      'days',
      18,
      {
        audit: 'invoice.issue, booking.extend, invoice.overdue',
        jobs: 'invoice.issued',
        sent: 'lease_corrected ×2, invoice_issued',
      },
    ],
    [
      'invoices',
      [
        '2026-02-28..03-27 CANCELLED 0/60000',
        '2026-02-28..03-27 CANCELLED 0/65000',
        '2026-02-28..03-27 OVERDUE 0/65000',
        '2026-03-28..04-27 ISSUED 0/65000',
      ],
    ],
  ],
)
scenario(
  'days before those are billed anew only with the end that was agreed',
  lease({ endDate: '2026-03-05', autoRenew: true, dueDay: 28 }),
  [
    [
      'ana',
      CORRECT,
      { rentAmount: 62_000 },
      422,
      {
        errors: [
          {
            path: '/endDate',
            message:
              'This lease has continued automatically since 2026-03-06. To bill earlier days anew, also give the end date that was agreed: 2026-03-05.',
          },
        ],
      },
    ],
    ['invoices', ['2026-03-01..03-05 ISSUED 0/9677', '2026-03-06..04-05 ISSUED 0/60000']],
    [
      'ana',
      CORRECT,
      { rentAmount: 62_000, endDate: '2026-03-05' },
      200,
      { endDate: '2026-04-05' },
      {
        audit: 'invoice.cancel ×2, booking.correct, invoice.issue ×2, booking.extend',
        jobs: 'invoice.issued ×2, booking.corrected ×2',
      },
    ],
    [
      'invoices',
      [
        '2026-03-01..03-05 CANCELLED 0/9677',
        '2026-03-06..04-05 CANCELLED 0/60000',
        '2026-03-01..03-05 ISSUED 0/10000',
        '2026-03-06..04-05 ISSUED 0/62000',
      ],
    ],
  ],
)
scenario('a draft is changed by its terms', { given: letting({}, 'DRAFT') }, [
  ['ana', CORRECT, { rentAmount: 65_000 }, 409, { allowed: ['PATCH'] }],
])
scenario('an invoice that was cancelled by hand is made anew too', lease({ dueDay: 28 }), [
  ['ana', 'POST /invoices/{i1}/cancel', {}, 200, {}, { audit: 'invoice.cancel' }],
  ['ana', CORRECT, { rentAmount: 65_000 }, 200, {}, { audit: 'booking.correct, invoice.issue', jobs: corrected.jobs }],
  ['invoices', ['2026-03-01..03-31 CANCELLED 0/60000', '2026-03-01..03-31 ISSUED 0/65000']],
])
scenario('not beside charges, a notice or a change of the rent', lease({ dueDay: 28 }), [
  ['ana', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 4_500 }, 200, {}, { audit: 'invoice.charge' }],
  ['ana', CORRECT, { rentAmount: 65_000 }, 409, { allowed: ['invoices/cancel'] }],
  ['ana', 'POST /invoices/{i1}/cancel', {}, 200, {}, { audit: 'invoice.cancel' }],
  [
    'tom',
    'POST /bookings/{lease}/notice',
    { by: 'TENANT', leaveOn: '2026-05-31' },
    200,
    {},
    { audit: 'booking.notice', jobs: 'booking.noticed' },
  ],
  ['ana', CORRECT, { rentAmount: 65_000 }, 409, { allowed: ['withdraw notice'] }],
])

const WRONG: [name: string, body: Json, status: number, part: Json][] = [
  ['an end before the start', { endDate: '2026-02-01' }, 422, { errors: [{ path: '/endDate' }] }],
  ['two tenants at once', { tenantId: '{nobody}', tenantPhoneNumber: phoneOf('tia') }, 422, {}],
  ['a tenant nobody has', { tenantId: '{nobody}' }, 404, {}],
  ['another unit', { unitId: '{a2}' }, 422, {}],
]
describe('refused, and nothing changes', () => {
  test.each(WRONG)('%s', async (_name, body, status, part) => {
    const s = await stage(lease())
    const before = s.dump()
    const answer = await s.ask('ana', CORRECT, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject(part)
    expect(s.dump()).toBe(before)
  })
  test.each([
    ['eve', 404],
    ['zoe', 404],
    ['tom', 403],
    ['tia', 403],
  ] as [Person, number][])('%s: %i', async (who, status) => {
    const s = await stage(lease())
    const before = s.dump()
    expect((await s.ask(who, CORRECT, { rentAmount: 1 })).status).toBe(status)
    expect(s.dump()).toBe(before)
  })
})

describe('signed by code: it goes out for signing again, as nobody signed these terms', () => {
  async function signed(terms?: Json) {
    const all = await outForSigning(terms)
    await signs(all.s, 'ana')
    await signs(all.s, 'tom')
    await all.s.work()
    expect(all.status()).toBe('ACTIVE')
    return all
  }
  test('the rent of the new text is billed once both have signed it', async () => {
    const { s, status, signatures, contracts } = await signed()
    expect(s.ledger()).toEqual(['2026-03-01..03-31 OVERDUE 0/60000'])
    const answer = await s.ask('ana', CORRECT, { rentAmount: 70_000 })
    expect(answer.body).toMatchObject({ status: 'PENDING', rentAmount: 70_000 })
    expect(answer.body).not.toHaveProperty('activatedAt')
    expect(signatures()).toEqual(['LANDLORD VOID CHANGED', 'TENANT VOID CHANGED'])
    expect(contracts().at(-1)).toBe('PROPOSED PENDING')
    s.advance(2)
    await s.work()
    expect(s.ledger()).toEqual(['2026-03-01..03-31 CANCELLED 0/60000'])
    expect(s.sent.map(({ purpose }) => purpose)).toContain('lease_unsigned')
    await makeReady(s.t, String(s.names.get('lease')))
    expect((await signs(s, 'ana')).status).toBe(201)
    expect(status()).toBe('PENDING')
    expect((await signs(s, 'tom')).status).toBe(201)
    await s.work()
    expect(status()).toBe('ACTIVE')
    expect(s.ledger()).toEqual(['2026-03-01..03-31 CANCELLED 0/60000', '2026-03-01..03-31 OVERDUE 0/70000'])
    expect(imbalances(s.t)).toEqual([])
  })
  test('one that had gone on by itself is billed in the periods that it had', async () => {
    const { s } = await signed({ startDate: '2025-04-02', endDate: '2025-04-27', autoRenew: true, dueDay: 28 })
    expect(s.ledger()).toEqual(['2026-02-28..03-27 OVERDUE 0/60000'])
    await s.ask('ana', CORRECT, { rentAmount: 70_000 })
    await s.work()
    await makeReady(s.t, String(s.names.get('lease')))
    for (const who of ['ana', 'tom'] as const) expect((await signs(s, who)).status).toBe(201)
    await s.work()
    expect(s.ledger()).toEqual(['2026-02-28..03-27 CANCELLED 0/60000', '2026-02-28..03-27 OVERDUE 0/70000'])
  })
  test('a tenant who does not sign it owes nothing, and the unit stays theirs meanwhile', async () => {
    const { s, status } = await signed()
    await s.ask('ana', CORRECT, { rentAmount: 90_000 })
    s.advance(40)
    await s.work()
    expect(status()).toBe('PENDING')
    expect(s.ledger()).toEqual(['2026-03-01..03-31 CANCELLED 0/60000'])
    expect((await s.ask('ana', 'POST /bookings/{lease}/cancel')).body.status).toBe('CANCELLED')
    expect(imbalances(s.t)).toEqual([])
  })
})

test('the books balance, and the trail says which members and why', async () => {
  const s = await stage(lease())
  await s.make('ana', CORRECT, { rentAmount: 50_000, reason: 'Zéro de trop' })
  expect(imbalances(s.t)).toEqual([])
  expect(s.rows("select details from audit_entry where action = 'booking.correct'")).toEqual([
    { details: expect.stringMatching(/"members":"rentAmount",.*"reason":"Zéro de trop"/) },
  ])
  expect(s.rows('select status, count(*) n from invoice group by status order by status')).toEqual([
    { status: 'CANCELLED', n: 1 },
    { status: expect.stringMatching(/ISSUED|OVERDUE/), n: 1 },
  ])
})
