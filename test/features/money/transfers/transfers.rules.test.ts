// One reference in all its spellings is one trace; another reference is another.
import { expect, test } from 'bun:test'
import { traceOf } from '../../../../src/features/money/allocations/rules.ts'

type Method = Parameters<typeof traceOf>[0]
const ROWS: readonly (readonly [
  method: Method,
  references: readonly string[],
  operator: string | null,
  trace: string | null,
])[] = [
  [
    'MTN_MOMO',
    [
      '9667597001',
      'Ref: 9667597001',
      'ID 9667597001',
      'n° 9667597001',
      'N°9667597001',
      '9 667 597 001',
      'réf. 9667597001',
    ],
    'MOMO',
    '9667597001',
  ],
  ['MTN_MOMO', ['ID de la transaction: 9667597001', 'Financial Transaction Id: 9667597001'], 'MOMO', '9667597001'],
  [
    'ORANGE_MONEY',
    ['PP260305.1630.C98322', 'pp260305 1630 c98322', 'id: PP2603051630C98322'],
    'MOMO',
    'PP2603051630C98322',
  ],
  ['CASH', ['9667597001', 'Ref 9667597001'], 'MOMO', '9667597001'],
  ['OTHER', ['pp260305.1630.c98322'], 'MOMO', 'PP2603051630C98322'],
  ['CASH', ['R-12', 'r 12', 'N° R12'], 'CASH', 'R12'],
  // Too short for an id of theirs: each of both has its own.
  ['MTN_MOMO', ['77'], 'MTN_MOMO', '77'],
  ['CASH', ['778899'], 'CASH', '778899'],
  ['BANK_TRANSFER', ['9667597001'], 'BANK_TRANSFER', '9667597001'],
  ['CHEQUE', ['n° 0012345', '0012345'], 'CHEQUE', '0012345'],
  ['WITHHOLDING', ['9667597001'], 'WITHHOLDING', '9667597001'],
  ['CASH', ['Notre 12'], 'CASH', 'NOTRE12'],
  ['CASH', ['ID'], 'CASH', 'ID'],
  ['CASH', ['—', '', '.'], null, null],
]
test.each(ROWS)('%s %p', (method, references, operator, trace) => {
  for (const reference of references)
    expect([reference, traceOf(method, reference)]).toEqual([reference, { operator, trace } as never])
})
test('no reference leaves no trace', () => {
  expect(traceOf('CASH', null)).toEqual({ operator: null, trace: null })
})
