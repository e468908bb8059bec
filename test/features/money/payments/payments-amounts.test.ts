// Which numbers and dates an amount and a day may be, as they stand in the body: decisions section 2.
import { describe, expect, test } from 'bun:test'
import { cash, letting, stage } from '../../../support/scenario.ts'

const s = await stage({ given: letting({ startDate: '2026-03-10', rentAmount: 1e12 }) })
const send = (line: string, body: string) => s.t.call(s.wordOf('ana'), s.fill(line), body)
const without = (body: object, member: string): string => JSON.stringify({ ...body, [member]: undefined }).slice(0, -1)

const AMOUNTS: [text: string, rent: number, paid: number][] = [
  ['0', 200, 422],
  ['-0', 200, 422],
  ['1', 200, 201],
  ['1e3', 200, 201],
  ['1.0', 200, 201],
  ['2147483648', 200, 201],
  ['1000000000000', 200, 201],
  ['1000000000001', 422, 422],
  ['-1', 422, 422],
  ['1.5', 422, 422],
  ['9007199254740991', 422, 422],
  ['9007199254740993', 422, 422],
  ['1e309', 422, 422],
  ['-1e309', 422, 422],
  ['"1"', 422, 422],
  ['true', 422, 422],
  ['[1]', 422, 422],
  ['NaN', 400, 400],
  ['0x10', 400, 400],
  ['01', 400, 400],
]
describe.each(AMOUNTS)('%s', (text, rent, paid) => {
  test(`as a rent: ${rent}`, async () => {
    const answer = await send('PATCH /api/v1/units/{a2}', `{"rentAmount":${text}}`)
    expect(answer.status).toBe(rent)
    if (rent === 200)
      expect(s.rows('select rent_amount r, typeof(rent_amount) t from unit where label = ?', 'A2')).toEqual([
        { r: Math.abs(Number(text)), t: 'integer' },
      ])
  })
  test(`as a payment: ${paid}`, async () => {
    // All of 10^12 is owed: what is refused is refused for its shape.
    const body = `${without(cash(1), 'amount')},"amount":${text}}`
    const answer = await send('POST /api/v1/invoices/{i1}/payments', body)
    expect(answer.status).toBe(paid)
    if (paid === 201) await s.make('ana', `POST /payments/${answer.body.id}/reverse`)
    expect(s.rows('select amount_paid from invoice')).toEqual([{ amount_paid: 0 }])
  })
})

const DATES: [text: string, status: number][] = [
  ['"2028-02-29"', 200],
  ['"2027-02-29"', 422],
  ['"2100-02-29"', 422],
  ['"2026-04-31"', 422],
  ['"2026-13-01"', 422],
  ['"2026-00-10"', 422],
  ['"2026-01-00"', 422],
  ['"2026-1-1"', 422],
  ['"02026-01-01"', 422],
  ['"+002026-01-01"', 422],
  ['"2026-01-01T00:00:00Z"', 422],
  ['" 2026-01-01"', 422],
  ['"2026-01-01\\n"', 422],
  ['"0000-01-01"', 422],
  ['"1899-12-31"', 422],
  ['"2200-01-01"', 422],
  ['"10000-01-01"', 422],
  ['20260101', 422],
  ['""', 422],
]
test.each(DATES)('%s as the end of a lease: %i', async (text, status) => {
  await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tom}', startDate: '1900-01-01' }, 'draft')
  expect((await send('PATCH /api/v1/bookings/{draft}', `{"endDate":${text}}`)).status).toBe(status)
})
