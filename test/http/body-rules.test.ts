// A body that breaks its schema and its rules is told both at once; what is broken is not checked a second time.
import { describe, expect, test } from 'bun:test'
import { traces, worldApp } from '../support/world.ts'

const { t, w } = await worldApp()
type Problem = { code: string; errors: { path: string; message: string }[] }
const AHEAD = '2126-01-01'
const FUTURE = 'Cannot be in the future.'

async function refusal(line: string, body: unknown, as = w.as.ana, language = 'en'): Promise<unknown[]> {
  const before = traces(t)
  const answer = await t.call<Problem>(as, line, body, { 'accept-language': language })
  expect(traces(t)).toBe(before)
  return [answer.status, answer.body.code, ...(answer.body.errors ?? []).map(({ path, message }) => [path, message])]
}
const both = (...found: [string, string][]): unknown[] => [422, 'validation_failed', ...found]

const PAY = `POST /api/v1/invoices/${w.invoices.ISSUED}/payments`
const cases: [what: string, line: string, body: unknown, ...found: [string, string][]][] = [
  [
    'nothing paid, in a hundred years',
    PAY,
    { amount: 0, method: 'CASH', paidOn: AHEAD },
    ['/amount', 'Must be at least 1.'],
    ['/paidOn', FUTURE],
  ],
  [
    'no amount, in a hundred years',
    PAY,
    { method: 'CASH', paidOn: AHEAD },
    ['/amount', 'This member is required.'],
    ['/paidOn', FUTURE],
  ],
  [
    'a member that there is not',
    PAY,
    { amount: 5, method: 'CASH', paidOn: AHEAD, tip: 1 },
    ['/tip', 'There is no such member.'],
    ['/paidOn', FUTURE],
  ],
  [
    'a day that is none is told once',
    PAY,
    { amount: 0, method: 'CASH', paidOn: '2126-02-30' },
    ['/amount', 'Must be at least 1.'],
    ['/paidOn', 'Must be a date that exists, as YYYY-MM-DD.'],
  ],
  [
    'a good day is not blamed',
    PAY,
    { amount: 0, method: 'CASH', paidOn: '2026-01-01' },
    ['/amount', 'Must be at least 1.'],
  ],
  [
    'rent of months',
    `POST /api/v1/bookings/${w.bookings.ACTIVE}/payments`,
    { amount: 0, method: 'CASH', paidOn: AHEAD },
    ['/amount', 'Must be at least 1.'],
    ['/paidOn', FUTURE],
  ],
  [
    'a deposit',
    `POST /api/v1/bookings/${w.bookings.ACTIVE}/deposit`,
    { type: 'RECEIVED', amount: 0, paidOn: AHEAD },
    ['/amount', 'Must be at least 1.'],
    ['/paidOn', FUTURE],
  ],
  [
    'a company without a name, which nobody signs for',
    'POST /api/v1/tenants',
    { fullName: '', kind: 'COMPANY' },
    ['/fullName', 'Must not be empty.'],
    ['/representativeName', 'Say who signs for the company.'],
  ],
  [
    'who signs is broken, and asked for once',
    'POST /api/v1/tenants',
    { fullName: 'X', kind: 'COMPANY', representativeName: 5 },
    ['/representativeName', 'Must be text.'],
  ],
  [
    'half a place',
    'POST /api/v1/properties',
    { name: 'N', addressLine: 'R', latitude: 4 },
    ['/city', 'This member is required.'],
    ['/longitude', 'Give latitude and longitude together.'],
  ],
  [
    'half of a place is broken: the other is not blamed',
    'POST /api/v1/properties',
    { name: 'N', addressLine: 'R', city: 'C', latitude: 'x', longitude: 9 },
    ['/latitude', 'Must be a number.'],
  ],
  [
    'an expense',
    'POST /api/v1/expenses',
    { propertyId: w.properties.PUBLISHED, kind: 'TAX', paidBy: 'X', amount: 10, tvaAmount: 11, spentOn: AHEAD },
    ['/paidBy', 'Must be one of OWNER, MANAGEMENT.'],
    ['/tvaAmount', 'Cannot be more than the amount.'],
    ['/spentOn', FUTURE],
  ],
  [
    'the dates of a lease',
    'POST /api/v1/bookings',
    { unitId: 'U', startDate: '2026-05-01', endDate: '2026-04-01', billFrom: '2026-04-02' },
    ['/unitId', 'Must be a UUID in lower case.'],
    ['/endDate', 'Cannot be before the start.'],
    ['/billFrom', 'Cannot be before the start.'],
  ],
]

describe('both in one answer', () => {
  test.each(cases)('%s', async (_what, line, body, ...found) => {
    expect(await refusal(line, body)).toEqual(both(...found))
  })
})

test.each([
  ['text', 'POST /api/v1/tenants', { fullName: '' }, '/fullName'],
  ['an amount', PAY, { amount: null, method: 'CASH', paidOn: '2026-01-01' }, '/amount'],
  ['a day', PAY, { amount: 1, method: 'CASH', paidOn: '' }, '/paidOn'],
  ['a choice', 'POST /api/v1/bookings', { unitId: '', startDate: '2026-05-01' }, '/unitId'],
])('%s that was left empty is named so', async (_what, line, body, path) => {
  expect(await refusal(line, body)).toEqual(both([path, 'Must not be empty.']))
  expect(await refusal(line, body, w.as.ana, 'fr')).toEqual(both([path, 'Ne peut pas être vide.']))
})

test('in French too', async () => {
  expect(await refusal(PAY, { amount: 0, method: 'CASH', paidOn: AHEAD }, w.as.ana, 'fr')).toEqual(
    both(['/amount', 'Doit être au moins 1.'], ['/paidOn', 'Ne peut pas être dans le futur.']),
  )
})

test('who may not call hears neither', async () => {
  expect((await refusal('POST /api/v1/expenses', { spentOn: AHEAD }, w.as.tom)).slice(0, 2)).toEqual([403, 'forbidden'])
})
