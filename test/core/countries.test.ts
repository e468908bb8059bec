// The law as dated rows: each stands once a day, says where it comes from, and no rule is forgotten.
import { describe, expect, test } from 'bun:test'
import { CM } from '../../src/core/countries/cm.ts'
import { COUNTRIES, countryOf } from '../../src/core/countries/countries.ts'
import { type Country, numberOn, RULES, valueOn } from '../../src/core/countries/country.ts'
import { type TvaChange, tvaChangesOf, tvaOn } from '../../src/core/tva.ts'

describe.each(Object.values(COUNTRIES).map((country) => [country.code, country] as const))('%s', (code, country) => {
  test('is found by its code, and has each rule from one day to the next', () => {
    expect(countryOf(code)).toBe(country)
    for (const rule of RULES) {
      const from = country.values.flatMap((one) => (one.rule === rule ? [one.from] : []))
      expect([rule, from[0]]).toEqual([rule, null])
      expect(from.slice(1)).toEqual([...new Set(from.slice(1))].sort())
    }
  })
  test('lets nobody set what the law sets', () => {
    for (const { source, own, value } of country.values)
      if (own)
        expect([source?.article, value !== null && value >= own.least && value <= own.most]).toEqual([undefined, true])
  })
})

test('an unknown country is none', () => {
  expect(() => countryOf('XX')).toThrow(RangeError)
  expect(() => numberOn(CM, 'DEPOSIT_MAXIMUM', '2026-03-10')).toThrow(RangeError)
})

test.each([
  ['TVA_STANDARD', '2026-03-10', 1925, 'General Tax Code', undefined],
  ['TVA_REDUCED', '2025-12-31', null, 'General Tax Code', undefined],
  ['TVA_REDUCED', '2026-01-01', 1000, 'General Tax Code', undefined],
  ['WITHHOLDING_RENT', '2025-12-31', 1500, 'General Tax Code', '87'],
  ['WITHHOLDING_RENT', '2026-01-01', 1000, 'General Tax Code', '87'],
  ['FORMAL_NOTICE_HOME', '2026-03-10', 8, 'Usage; no law sets it', undefined],
  ['NOTICE_BUSINESS_OPEN', '2026-03-10', 6, 'OHADA Uniform Act relating to general commercial law', '125'],
  ['MANDATORY_BUSINESS', '2026-03-10', null, undefined, undefined],
] as const)('Cameroon: %s on %s', (rule, day, value, title, article) => {
  const row = valueOn(CM, rule, day)
  expect([row?.value, row?.source?.title.en, row?.source?.article]).toEqual([value, title, article])
})

describe('a new standard rate is a row', () => {
  const row = CM.values.find(({ rule }) => rule === 'TVA_STANDARD')
  if (!row) throw new Error('no standard rate')
  const law: Country = { ...CM, code: 'XN', values: [...CM.values, { ...row, from: '2027-01-01', value: 2000 }] }
  const countries = COUNTRIES as Record<string, Country>
  const registered = { from: '2026-02-01', before: 0, after: 1925 }
  const NEW: TvaChange = { from: '2027-01-01', before: 1925, after: 2000 }
  const TABLE: [name: string, had: TvaChange[] | null, is: boolean, changes: TvaChange[], then: number][] = [
    ['who is registered follows it', [registered], true, [registered, NEW], 2000],
    ['registered before there were changes', null, true, [NEW], 2000],
    ['nobody else does', null, false, [], 0],
    [
      'nor who left',
      [{ from: '2026-02-01', before: 1925, after: 0 }],
      false,
      [{ from: '2026-02-01', before: 1925, after: 0 }],
      0,
    ],
    ['nor who has a rate of their own', [{ ...registered, after: 1000 }], true, [{ ...registered, after: 1000 }], 1000],
    [
      'who leaves later leaves the new rate',
      [registered, { from: '2027-06-01', before: 1925, after: 0 }],
      false,
      [registered, NEW, { from: '2027-06-01', before: 2000, after: 0 }],
      2000,
    ],
    [
      'an own change of the same day goes before it',
      [registered, { from: '2027-01-01', before: 1925, after: 1800 }],
      true,
      [registered, { from: '2027-01-01', before: 1925, after: 1800 }],
      1800,
    ],
  ]
  test.each(TABLE)('%s', (_name, tvaChanges, tvaRegistered, changes, then) => {
    countries.XN = law
    try {
      const org = { country: 'XN', tvaRegistered, tvaChanges }
      expect(tvaChangesOf(org)).toEqual(changes)
      expect(tvaOn(org, '2027-01-01')).toBe(then)
      expect(tvaOn(org, '2026-12-31')).not.toBe(2000)
    } finally {
      delete countries.XN
    }
  })
})
