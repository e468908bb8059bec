// Money that came and that nobody is named for yet: it is the organization's to attribute, and nobody's until then.
import { expect, test } from 'bun:test'
import { misbooked } from '../../../support/books.ts'
import { letting, type Stage, scenario, stage } from '../../../support/scenario.ts'

const given = letting({ startDate: '2026-03-10' })
const transfer = (more: object = {}) => ({ amount: 100_000, method: 'MTN_MOMO', paidOn: '2026-03-10', ...more })
const one = (invoiceId: string, amount: number) => ({ kind: 'INVOICE', invoiceId, amount })

async function suspense(s: Stage): Promise<number> {
  const { body } = await s.ask('mia', 'GET /ledger/trial-balance?from=2026-01-01&to=2026-12-31')
  const rows = body.rows as { account: string; closingBalance: number }[]
  return 0 - (rows.find(({ account }) => account === 'SUSPENSE')?.closingBalance ?? 0)
}

test('it waits, is attributed in two steps, and goes out with its transfer', async () => {
  const s = await stage({ given })
  const [{ id: lease } = {}] = s.rows('select id from booking')
  const { body: made, status } = await s.ask(
    'mia',
    'POST /transfers',
    transfer({ reference: '7712345678', parts: [one('{i1}', 50_000)], unattributedAmount: 50_000 }),
  )
  expect([status, made.unattributedAmount]).toEqual([201, 50_000])
  expect(await suspense(s)).toBe(50_000)
  expect(misbooked(s)).toEqual([])
  const waiting = async () =>
    ((await s.ask('mia', 'GET /transfers?unattributed=true')).body as unknown as object[]).length
  expect(await waiting()).toBe(1)
  // The owner of the lease sees the payment, and nothing of what may be somebody else's.
  expect((await s.ask('ana', `GET /transfers/${made.id}`)).status).toBe(404)
  expect((await s.ask('ana', 'GET /transfers')).body).toEqual([] as never)
  const attribute = (who: 'mia' | 'ana', parts: object[]) =>
    s.ask(who, `POST /transfers/${made.id}/attribute`, { parts })
  expect((await attribute('ana', [one('{i1}', 1)])).status).toBe(403)
  expect((await attribute('mia', [{ kind: 'ADVANCE', bookingId: lease, amount: 50_001 }])).body.errors).toMatchObject([
    { path: '/parts' },
  ])
  expect((await attribute('mia', [one('{i1}', 10_001)])).body.code).toBe('overpayment')
  const first = await attribute('mia', [one('{i1}', 10_000)])
  expect([first.status, first.body.unattributedAmount]).toEqual([200, 40_000])
  const second = await attribute('mia', [{ kind: 'DEPOSIT', bookingId: lease, amount: 40_000 }])
  expect([second.status, second.body.unattributedAmount]).toEqual([200, 0])
  expect([await waiting(), await suspense(s)]).toEqual([0, 0])
  expect((await attribute('mia', [one('{i1}', 1)])).status).toBe(409)
  expect((await s.ask('ana', 'GET /invoices/{i1}')).body).toMatchObject({ status: 'PAID' })
  expect(misbooked(s)).toEqual([])

  const reversed = await s.ask('mia', `POST /transfers/${made.id}/reverse`, { reason: 'Pas à nous' })
  expect([reversed.status, reversed.body.state]).toEqual([200, 'REVERSED'])
  expect((await s.ask('ana', 'GET /invoices/{i1}')).body).toMatchObject({ amountPaid: 0 })
  expect(await suspense(s)).toBe(0)
  expect(misbooked(s)).toEqual([])
})

test('a share is not taken back alone while the rest waits; the whole is, with a reason', async () => {
  const s = await stage({ given })
  const { body: made } = await s.ask(
    'mia',
    'POST /transfers',
    transfer({ parts: [one('{i1}', 60_000)], unattributedAmount: 40_000 }),
  )
  const [{ id = '' } = {}] = made.payments as { id: string }[]
  const alone = await s.ask('mia', `POST /payments/${id}/reverse`, { reason: 'Erreur' })
  expect([alone.status, alone.body.transferId]).toEqual([409, made.id])
  expect((await s.ask('mia', `POST /transfers/${made.id}/reverse`, {})).status).toBe(422)
  expect((await s.ask('mia', `POST /transfers/${made.id}/reverse`, { reason: 'Erreur' })).status).toBe(200)
  expect(await suspense(s)).toBe(0)
  expect(misbooked(s)).toEqual([])
})

scenario('only who sees the whole organization records money of nobody, all of it said', { given }, [
  ['ana', 'POST /transfers', transfer({ parts: [one('{i1}', 60_000)], unattributedAmount: 40_000 }), 403],
  ['mia', 'POST /transfers', transfer({ parts: [one('{i1}', 60_000)] }), 422, { errors: [{ path: '/parts' }] }],
  [
    'mia',
    'POST /transfers',
    transfer({ parts: [one('{i1}', 60_000)], unattributedAmount: 40_001 }),
    422,
    { errors: [{ path: '/parts' }] },
  ],
  [
    'mia',
    'POST /transfers',
    transfer({ parts: [], method: 'WITHHOLDING', unattributedAmount: 100_000 }),
    422,
    { errors: [{ path: '/unattributedAmount' }] },
  ],
  ['mia', 'POST /transfers', transfer({ parts: [] }), 422, { errors: [{ path: '/parts' }] }],
  [
    'mia',
    'POST /transfers',
    transfer({ parts: [], unattributedAmount: 100_000 }),
    201,
    { unattributedAmount: 100_000, payments: [] },
    { audit: 'transfer.record' },
  ],
])
