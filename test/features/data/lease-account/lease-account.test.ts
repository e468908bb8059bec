// The account of a tenant: what was asked for, taken off and paid, line by line, to the franc of what is owed.
import { expect, test } from 'bun:test'
import { misaccountedLeases } from '../../../support/books.ts'
import { readPdf } from '../../../support/papers.ts'
import { cash, type Json, letting, scenario, stage } from '../../../support/scenario.ts'

const given = letting({ startDate: '2026-01-10', billFrom: '2026-01-10' })

test('line by line, from any day to any day', async () => {
  const s = await stage({ given })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(60_000, { paidOn: '2026-02-01', reference: 'R-7' }))
  await s.make('ana', 'POST /invoices/{i2}/waive', { amount: 10_000, reason: 'Travaux' })
  const read = async (query = ''): Promise<Json> => (await s.ask('tom', `GET /bookings/{lease}/account${query}`)).body
  const lines = ({ rows }: Json) =>
    (rows as Json[]).map((r) =>
      [r.happenedOn, r.kind, r.number ?? r.reference, r.debitAmount, r.creditAmount, r.balanceAmount].join(' '),
    )
  const all = await read()
  expect(lines(all)).toEqual([
    '2026-02-01 PAYMENT R-7 0 60000 -60000',
    '2026-03-10 INVOICE 2026-000001 60000 0 0',
    '2026-03-10 INVOICE 2026-000002 60000 0 60000',
    '2026-03-10 INVOICE 2026-000003 60000 0 120000',
    '2026-03-10 CREDIT_NOTE AV-2026-000001 0 10000 110000',
  ])
  expect(all).toMatchObject({ openingAmount: 0, debitAmount: 180_000, creditAmount: 70_000, balanceAmount: 110_000 })
  const part = await read('?from=2026-03-01&to=2026-03-10')
  expect(part).toMatchObject({
    openingAmount: -60_000,
    debitAmount: 180_000,
    creditAmount: 10_000,
    balanceAmount: 110_000,
  })
  expect(await read('?to=2026-02-28')).toMatchObject({ balanceAmount: -60_000 })
  expect((await s.ask('ana', 'GET /bookings/{lease}/account?from=2026-03-02&to=2026-03-01')).status).toBe(422)
  expect(await misaccountedLeases(s, 'ana')).toEqual([])
})

test('on paper, in both languages', async () => {
  const s = await stage({ given })
  for (const [locale, said] of [
    ['fr', ['Compte du locataire', 'Reste dû', '180 000 FCFA', 'Facture', '2026-000003']],
    ['en', ['Tenant’s account', 'Still owed', 'FCFA 180,000', 'Invoice', '2026-000003']],
  ] as const) {
    const { token } = { token: s.wordOf('tom') }
    const path = `/api/v1/bookings/${s.fill('{lease}')}/account?format=pdf&locale=${locale}`
    const answer = await s.t.app.handle(
      new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${token}` } }),
    )
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const { text } = await readPdf(new Uint8Array(await answer.arrayBuffer()))
    const plain = text.replace(/\s+/g, ' ')
    for (const word of said) expect(plain).toContain(word)
  }
})

scenario('nobody else reads it', { given }, [
  ['eve', 'GET /bookings/{lease}/account', undefined, 404],
  ['tia', 'GET /bookings/{lease}/account', undefined, 404],
  ['zoe', 'GET /bookings/{lease}/account', undefined, 404],
  ['mia', 'GET /bookings/{lease}/account', undefined, 200, { balanceAmount: 180_000 }],
])
