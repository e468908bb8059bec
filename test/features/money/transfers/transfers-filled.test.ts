// The transfers of payments that were there before: one reference in several spellings refuses nothing.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { traceOf } from '../../../../src/features/money/allocations/rules.ts'
import { createTestApp } from '../../../support/app.ts'

const kept = join(import.meta.dirname, '../../../storage/schemas/0027_co_tenant_phones.db.gz')
type Method = Parameters<typeof traceOf>[0]
/** A payment as it was kept: its method, its reference, whether it counts, and whether its transfer has a trace. */
type Row = readonly [method: Method, reference: string | null, status: 'CONFIRMED' | 'REVERSED', traced: boolean]
const ROWS: readonly Row[] = [
  ['MTN_MOMO', '9667597001', 'CONFIRMED', true],
  ['ORANGE_MONEY', '9667597001', 'CONFIRMED', false],
  ['CASH', 'Ref: 966 759 7001', 'CONFIRMED', false],
  ['CASH', 'ref. 9667597001', 'REVERSED', true],
  ['BANK_TRANSFER', '9667597001', 'CONFIRMED', true],
  ['ORANGE_MONEY', 'PP260305.1630.C98322', 'CONFIRMED', true],
  ['OTHER', 'pp2603051630c98322', 'CONFIRMED', false],
  ['CASH', 'N° R-12', 'CONFIRMED', true],
  ['CASH', 'r 12', 'CONFIRMED', false],
  ['CHEQUE', 'R-12', 'CONFIRMED', true],
  ['MTN_MOMO', '77', 'CONFIRMED', true],
  ['ORANGE_MONEY', '77', 'CONFIRMED', true],
  ['CASH', '-', 'CONFIRMED', false],
  ['CASH', null, 'CONFIRMED', false],
]

test('the later of two that count keeps no trace; traces are what the program makes of references', () => {
  const old = new Database(gunzipSync(readFileSync(kept)))
  const columns = (old.pragma('table_info(payment)') as { name: string }[]).map(({ name }) => name)
  const set: Record<string, string> = { id: '@id', method: '@method', reference: '@reference', status: '@status' }
  const copy = old.prepare(
    `insert into payment (${columns}) select ${columns.map((name) => set[name] ?? (name === 'unallocated_amount' ? "iif(@status = 'CONFIRMED', amount, 0)" : name))}
     from payment where type = 'PAYMENT' and method = 'CASH' limit 1`,
  )
  const idOf = (n: number): string => `01999999-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`
  for (const [n, [method, reference, status]] of ROWS.entries()) copy.run({ id: idOf(n), method, reference, status })
  const t = createTestApp({ file: new Uint8Array(old.serialize()) })
  const found = ROWS.map((_, n) =>
    t.rows(
      'select operator, trace, reference from transfer where row = (select transfer from payment where id = ?)',
      idOf(n),
    ),
  )
  expect(found).toEqual(
    ROWS.map(([method, reference, , traced]) => [
      { ...(traced ? traceOf(method, reference) : { operator: null, trace: null }), reference },
    ]),
  )
  expect(t.rows('select id from transfer group by id having count(*) > 1')).toEqual([])
})
