import { describe, expect, test } from 'bun:test'
import { CURRENCY, formatMoney, MAX_AMOUNT, prorate, tvaAmount } from '../../src/core/money.ts'
import { seeded } from '../support/seeded.ts'

const NBSP = '\u00a0'

describe('tvaAmount', () => {
  test.each([
    [85_000, 1925, 16_363],
    [125_000, 1925, 24_063],
    [75_000, 1925, 14_438],
    [100_000, 1925, 19_250],
    [150_000, 1925, 28_875],
    [133_333, 1925, 25_667],
    [1_115_577, 1925, 214_749],
    [0, 1925, 0],
    [2, 1925, 0],
    [3, 1925, 1],
    [4, 1000, 0],
    [5, 1000, 1],
    [150_000, 0, 0],
    [150_000, 1000, 15_000],
    [MAX_AMOUNT, 1925, 192_500_000_000],
    [MAX_AMOUNT, 10_000, MAX_AMOUNT],
  ])('%d at %d basis points is %d', (net, basisPoints, tva) => {
    expect(tvaAmount(net, basisPoints)).toBe(tva)
  })

  test('100,000 random nets agree with 64-bit integers', () => {
    const wrong: string[] = []
    const random = seeded(1925)
    for (let i = 0; i < 100_000; i++) {
      const net = random.int(0, 10 ** random.int(3, 12))
      const rate = random.pick([1925, 1000, 10_000, 9999, random.int(0, 10_000)])
      const exact = Number((BigInt(net) * BigInt(rate) + 5000n) / 10000n)
      if (tvaAmount(net, rate) !== exact) wrong.push(`${net} at ${rate}: ${tvaAmount(net, rate)}, not ${exact}`)
    }
    expect(wrong).toEqual([])
  })

  test('a tie is never rounded to even, and 32 bits never overflow', () => {
    expect(tvaAmount(85_000, 1925)).not.toBe(16_362)
    for (let net = 1_115_570; net < 1_115_590; net++) expect(tvaAmount(net, 1925)).toBeGreaterThan(214_000)
  })

  test.each([[-1], [0.5], [MAX_AMOUNT + 1], [Number.NaN], [Number.POSITIVE_INFINITY]])('refuses a net of %d', (net) => {
    expect(() => tvaAmount(net, 1925)).toThrow(RangeError)
  })

  test.each([[-1], [19.25], [10_001], [Number.NaN]])('refuses a rate of %d', (rate) => {
    expect(() => tvaAmount(1000, rate)).toThrow(RangeError)
  })
})

describe('prorate', () => {
  test.each([
    [150_000, 31, 31, 150_000],
    [150_000, 0, 31, 0],
    [150_000, 10, 31, 48_387],
    [150_000, 1, 28, 5357],
    [1, 1, 2, 1],
    [1, 1, 3, 0],
    [3, 1, 2, 2],
    [45, 15, 30, 23],
    [MAX_AMOUNT, 30, 31, 967_741_935_484],
    [0, 5, 30, 0],
  ])('%d for %d of %d days is %d', (amount, days, whole, part) => {
    expect(prorate(amount, days, whole)).toBe(part)
  })

  test('100,000 random cases agree with exact integers, never exceed the whole and never shrink with more days', () => {
    const wrong: string[] = []
    const random = seeded(31)
    for (let i = 0; i < 100_000; i++) {
      const amount = random.int(0, 10 ** random.int(1, 12))
      const whole = random.pick([28, 29, 30, 31, random.int(1, 100_000)])
      const days = random.int(0, whole)
      const exact = Number((2n * BigInt(amount) * BigInt(days) + BigInt(whole)) / (2n * BigInt(whole)))
      const got = prorate(amount, days, whole)
      const less = days > 0 && prorate(amount, days - 1, whole) > got
      if (got !== exact || got > amount || less) wrong.push(`${amount} × ${days}/${whole}: ${got}, not ${exact}`)
    }
    expect(wrong).toEqual([])
  })

  test.each([
    [1000, 32, 31],
    [1000, -1, 31],
    [1000, 0, 0],
    [1000, 1.5, 31],
    [1000.5, 1, 31],
    [MAX_AMOUNT + 1, 1, 31],
  ])('refuses %d for %d of %d days', (amount, days, whole) => {
    expect(() => prorate(amount, days, whole)).toThrow(RangeError)
  })
})

describe('formatMoney', () => {
  test.each([
    [0, '0 FCFA', 'FCFA 0'],
    [999, '999 FCFA', 'FCFA 999'],
    [1000, '1 000 FCFA', 'FCFA 1,000'],
    [150_000, '150 000 FCFA', 'FCFA 150,000'],
    [1_234_567, '1 234 567 FCFA', 'FCFA 1,234,567'],
    [MAX_AMOUNT, '1 000 000 000 000 FCFA', 'FCFA 1,000,000,000,000'],
    [-1500, '−1 500 FCFA', '−FCFA 1,500'],
  ])('%d', (amount, fr, en) => {
    expect(formatMoney(amount, 'fr')).toBe(fr.replaceAll(' ', NBSP))
    expect(formatMoney(amount, 'en')).toBe(en.replaceAll(' ', NBSP))
  })

  test('says what CLDR says, but for the kind of space and of minus', () => {
    const cldr = (locale: string) => new Intl.NumberFormat(locale, { style: 'currency', currency: CURRENCY })
    const [fr, en, random] = [cldr('fr-CM'), cldr('en-CM'), seeded(7)]
    const printed = (text: string) => text.replace(/\s/g, NBSP).replace('-', '−')
    for (let i = 0; i < 500; i++) {
      const amount = random.int(-(10 ** random.int(1, 12)), 10 ** random.int(1, 12))
      expect(formatMoney(amount, 'fr')).toBe(printed(fr.format(amount)))
      expect(formatMoney(amount, 'en')).toBe(printed(en.format(amount)))
    }
  })

  test('never breaks a line, has no glyph that PDF fonts lack, and never hides half a franc', () => {
    expect(formatMoney(1_234_567, 'fr')).not.toMatch(/[ \u202f\u2009]/)
    expect(() => formatMoney(150_000.5, 'fr')).toThrow(RangeError)
    expect(() => formatMoney(Number.NaN, 'en')).toThrow(RangeError)
  })
})
