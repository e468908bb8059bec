// Refusals of a rule stand beside the field that they are about, as those of the schema do.
import { expect, test } from 'bun:test'
import { cash, type Json, letting, type Person, type Stage, stage, villa } from '../../../support/scenario.ts'

type Row = readonly [code: string, path: string, status: number, who: Person, line: string, body: Json]
const TABLE: readonly Row[] = [
  ['overpayment', '/amount', 422, 'ana', 'POST /invoices/{i1}/payments', cash(999_999)],
  ['refund_exceeds_credit', '/amount', 422, 'ana', 'POST /bookings/{lease}/payments', cash(5, { type: 'REFUND' })],
  [
    'deposit_exceeded',
    '/amount',
    422,
    'ana',
    'POST /bookings/{lease}/deposit',
    { type: 'RETURNED', amount: 5, paidOn: '2026-03-10' },
  ],
  ['duplicate', '/reference', 409, 'ana', 'POST /invoices/{i1}/payments', cash(10, { reference: 'CHQ 1' })],
  ['duplicate', '/phoneNumber', 409, 'ana', 'POST /tenants', { fullName: 'B', phoneNumber: '+237677123456' }],
  ['unit_unavailable', '/unitId', 409, 'tom', 'POST /bookings', { unitId: '{a1}', startDate: '2026-05-01' }],
]
const given = async (s: Stage): Promise<void> => {
  await letting()(s)
  await s.t.work()
  s.nameAll()
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(10, { reference: 'CHQ 1' }))
  await s.make('ana', 'POST /tenants', { fullName: 'A', phoneNumber: '+237677123456' })
  await s.make('ana', 'POST /properties', villa)
}

test('each names its field, with the sentence that stands there, and writes nothing', async () => {
  const s = await stage({ given })
  const before = s.dump()
  for (const [code, path, status, who, line, body] of TABLE) {
    const answer = await s.ask(who, line, body)
    const found = answer.body as { code?: string; detail?: string; errors?: { path: string; message: string }[] }
    expect([line, answer.status, found.code, found.errors?.map((e) => e.path)]).toEqual([line, status, code, [path]])
    expect(found.errors?.[0]?.message).toBe(found.detail ?? '')
  }
  expect(s.dump()).toBe(before)
})
