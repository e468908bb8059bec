// TVA by dates: a registration or a new rate holds from its day on, for what is not invoiced yet.
import { describe, expect, test } from 'bun:test'
import { tvaOn } from '../../../../src/core/tva.ts'
import { followTva, withTvaChange } from '../../../../src/features/people/organizations/rules.ts'

const TODAY = '2026-03-10'
const none = { country: 'CM', tvaRegistered: false, tvaChanges: null }
const REGISTERED = { from: '2026-02-01', before: 0, after: 1925 }
const HIGHER = { from: '2026-06-01', before: 1925, after: 2000 }

describe('the changes', () => {
  const TABLE: [name: string, had: object[] | null, from: string, rate: number, then: object[] | undefined][] = [
    ['the first registration', null, '2026-04-01', 1925, [{ from: '2026-04-01', before: 0, after: 1925 }]],
    ['what holds already changes nothing', null, '2026-04-01', 0, []],
    ['a rate after it', [REGISTERED], '2026-06-01', 2000, [REGISTERED, HIGHER]],
    [
      'a coming one of the same day gives way',
      [REGISTERED, HIGHER],
      '2026-06-01',
      1800,
      [REGISTERED, { ...HIGHER, after: 1800 }],
    ],
    ['a coming one is taken away', [REGISTERED, HIGHER], '2026-06-01', 1925, [REGISTERED]],
    [
      'one before a coming one',
      [REGISTERED, HIGHER],
      '2026-05-01',
      1800,
      [REGISTERED, { from: '2026-05-01', before: 1925, after: 1800 }, { ...HIGHER, before: 1800 }],
    ],
    [
      'one of the day of one in force comes after it',
      [REGISTERED],
      '2026-02-01',
      1800,
      [REGISTERED, { from: '2026-02-01', before: 1925, after: 1800 }],
    ],
    ['never before one in force', [REGISTERED], '2026-01-31', 1800, undefined],
  ]
  for (const [name, had, from, rate, then] of TABLE)
    test(name, () => {
      const org = { country: 'CM', tvaRegistered: had !== null, tvaChanges: had as never }
      expect(withTvaChange(org, from, rate, TODAY)).toEqual(then as never)
    })

  test('the rate of a day', () => {
    const org = { country: 'CM', tvaRegistered: true, tvaChanges: [REGISTERED, HIGHER] }
    expect(['2026-01-31', '2026-02-01', '2026-05-31', '2026-06-01'].map((day) => tvaOn(org, day))).toEqual([
      0, 1925, 1925, 2000,
    ])
    expect([tvaOn(none, TODAY), tvaOn({ ...none, tvaRegistered: true }, TODAY)]).toEqual([0, 1925])
  })
})

test.each([
  ['business premises follow a registration', 0, 0, false, 1925, 1],
  ['a home does not', 0, 0, true, 0, 1],
  ['one that follows a rate follows the next', 1925, 1, false, 2000, 2],
  ['a home with TVA follows a new rate', 1925, 1, true, 2000, 2],
  ['a rate of its own stays', 500, 0, false, 500, 2],
] as const)('%s', (_name, tvaBasisPoints, tvaFollowed, home, rate, followed) => {
  const day = followed === 1 ? '2026-05-31' : '2026-06-01'
  const after = followTva({ tvaBasisPoints, tvaFollowed }, [REGISTERED, HIGHER], () => home, day)
  expect(after).toEqual({ tvaBasisPoints: rate, tvaFollowed: followed })
})
