import { describe, expect, test } from 'bun:test'
import {
  addDays,
  addMonths,
  daysBetween,
  daysInclusive,
  formatDate,
  formatDay,
  isDate,
  isDateTime,
  maxDate,
  minDate,
  spanOf,
  toUtc,
} from '../../src/core/dates.ts'
import { seeded } from '../support/seeded.ts'

const IMPOSSIBLE = (
  '2025-02-29 2026-02-29 2026-02-30 2024-02-30 2024-02-31 1900-02-29 2100-02-29 2026-04-31 2026-06-31 2026-09-31 2026-11-31 ' +
  '2026-01-32 2026-12-32 2026-00-10 2026-13-01 2026-01-00 0000-01-01 2026-1-01 2026-01-1 26-01-01 12026-01-01 ' +
  '2026/01/01 20260101 2026-W05-1 2026-001 2026-01-01T00:00:00Z +2026-01-01 -2026-01-01 2026-01-0١ 2026-01-01x'
).split(' ')

describe('isDate', () => {
  test.each([...IMPOSSIBLE, '', ' 2026-01-01', '2026-01-01\n'])('%j is no date', (s) => {
    expect(isDate(s)).toBe(false)
    expect(() => addDays(s, 0)).toThrow(RangeError)
    expect(() => addMonths(s, 0)).toThrow(RangeError)
    expect(() => formatDate(s, 'fr')).toThrow(RangeError)
  })

  test.each(['2024-02-29', '2000-02-29', '2026-02-28', '2026-12-31', '0001-01-01', '9999-12-31'])('%s is one', (s) => {
    expect(isDate(s)).toBe(true)
  })
})

describe('days', () => {
  test('every day from 1895 to 2105 follows the one before it, as the platform counts', () => {
    const wrong: string[] = []
    const from = Date.UTC(1895, 0, 1)
    let date = '1895-01-01'
    for (let i = 0; date < '2105-01-01'; i++) {
      const expected = new Date(from + i * 86_400_000).toISOString().slice(0, 10)
      if (date !== expected || daysBetween('1895-01-01', date) !== i) wrong.push(`${date}, not ${expected}`)
      date = addDays(date, 1)
    }
    expect(wrong).toEqual([])
  })

  test('random dates of all years move there and back', () => {
    const wrong: string[] = []
    const random = seeded(4)
    for (let i = 0; i < 20_000; i++) {
      const n = random.int(0, 3_652_058)
      const date = addDays('0001-01-01', n)
      const platform = new Date('0001-01-01').getTime() + n * 86_400_000
      if (date !== new Date(platform).toISOString().slice(0, 10)) wrong.push(`${date} is not day ${n}`)
      if (addDays(date, -n) !== '0001-01-01' || daysBetween(date, '0001-01-01') !== -n) wrong.push(date)
    }
    expect(wrong).toEqual([])
  })

  test.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2000-02-29', 365, '2001-02-28'],
    ['0001-01-01', 0, '0001-01-01'],
  ])('%s and %d days is %s', (date, n, result) => {
    expect(addDays(date, n)).toBe(result)
  })

  test('never leaves the years 0001–9999 and takes whole days only', () => {
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError)
    expect(() => addDays('0001-01-01', -1)).toThrow(RangeError)
    expect(() => addDays('2026-01-01', 0.5)).toThrow(RangeError)
    expect(() => addDays('2026-01-01', Number.NaN)).toThrow(RangeError)
  })

  test('inclusive ranges count both ends', () => {
    expect(daysInclusive('2026-01-01', '2026-01-01')).toBe(1)
    expect(daysInclusive('2024-02-01', '2024-02-29')).toBe(29)
    expect(daysInclusive('2026-01-02', '2026-01-01')).toBe(0)
  })

  test('the earlier and the later', () => {
    expect(minDate('2026-01-02', '2025-12-31')).toBe('2025-12-31')
    expect(maxDate('2026-01-02', '2025-12-31')).toBe('2026-01-02')
  })
})

describe('addMonths', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-01-30', 13, '2027-02-28'],
    ['2026-01-31', 3, '2026-04-30'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-03-15', -15, '2024-12-15'],
    ['2026-12-01', 1, '2027-01-01'],
  ])('%s and %d months is %s', (date, n, result) => {
    expect(addMonths(date, n)).toBe(result)
  })

  test.each([29, 30, 31])('an anchor on the %dth never drifts in 5 years', (day) => {
    for (let n = 0; n <= 60; n++) {
      const lastOfMonth = new Date(Date.UTC(2023, n + 1, 0))
      const expected = new Date(Date.UTC(2023, n, Math.min(day, lastOfMonth.getUTCDate()))).toISOString().slice(0, 10)
      expect(addMonths(`2023-01-${day}`, n)).toBe(expected)
    }
  })

  test('never leaves the years 0001–9999 and takes whole months only', () => {
    expect(() => addMonths('9999-12-01', 1)).toThrow(RangeError)
    expect(() => addMonths('0001-01-31', -1)).toThrow(RangeError)
    expect(() => addMonths('2026-01-31', 0.5)).toThrow(RangeError)
    expect(() => addMonths('2026-01-31', Number.POSITIVE_INFINITY)).toThrow(RangeError)
  })
})

test.each([
  [1, 'le 1er', 'the 1st'],
  [2, 'le 2', 'the 2nd'],
  [3, 'le 3', 'the 3rd'],
  [4, 'le 4', 'the 4th'],
  [11, 'le 11', 'the 11th'],
  [12, 'le 12', 'the 12th'],
  [13, 'le 13', 'the 13th'],
  [20, 'le 20', 'the 20th'],
  [21, 'le 21', 'the 21st'],
  [22, 'le 22', 'the 22nd'],
  [28, 'le 28', 'the 28th'],
  [30, 'le 30', 'the 30th'],
  [31, 'le 31', 'the 31st'],
])('day %i of a month', (day, fr, en) => {
  expect([formatDay(day, 'fr'), formatDay(day, 'en')]).toEqual([fr, en])
})

describe('formatDate', () => {
  test.each([
    ['2026-03-01', '1er mars 2026', '1 March 2026'],
    ['2026-08-31', '31 août 2026', '31 August 2026'],
    ['0987-02-11', '11 février 987', '11 February 987'],
  ])('%s', (date, fr, en) => {
    expect(formatDate(date, 'fr')).toBe(fr)
    expect(formatDate(date, 'en')).toBe(en)
  })

  test('names every month as CLDR does, and only the first of the month is an ordinal', () => {
    for (let n = 0; n < 12; n++) {
      const date = addMonths('2026-01-02', n)
      const instant = Date.parse(date)
      const cldr = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
      expect(formatDate(date, 'fr')).toBe(cldr('fr-CM').format(instant))
      expect(formatDate(date, 'en')).toBe(cldr('en-CM').format(instant))
    }
    expect(formatDate('2026-03-11', 'fr')).toBe('11 mars 2026')
  })
})

describe('date-times', () => {
  test.each([
    ['2026-03-01T10:20:30Z', '2026-03-01T10:20:30.000Z'],
    ['2026-03-01t10:20:30z', '2026-03-01T10:20:30.000Z'],
    ['2026-03-01T00:30:00+01:00', '2026-02-28T23:30:00.000Z'],
    ['2026-12-31T23:59:59.999-00:30', '2027-01-01T00:29:59.999Z'],
    ['2026-03-01T10:20:30.1Z', '2026-03-01T10:20:30.100Z'],
    ['2026-03-01T10:20:30.123999999Z', '2026-03-01T10:20:30.123Z'],
    ['2026-03-01T10:20:30-00:00', '2026-03-01T10:20:30.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (s, utc) => {
    expect(isDateTime(s)).toBe(true)
    expect(toUtc(s)).toBe(utc)
    expect(toUtc(toUtc(s))).toBe(utc)
  })

  test.each([
    '2026-03-01',
    '2026-03-01T10:20:30',
    '2026-03-01T10:20Z',
    '2026-03-01 10:20:30Z',
    '2026-02-30T10:20:30Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T10:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-03-01T10:20:30.Z',
    '2026-03-01T10:20:30.1234567890Z',
    '2026-03-01T10:20:30+0100',
    '2026-03-01T10:20:30+24:00',
    '2026-03-01T10:20:30+01:60',
    '2026-03-01T10:20:30Z\n',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:30:00-01:00',
    '',
    'now',
  ])('%j is none', (s) => {
    expect(isDateTime(s)).toBe(false)
    expect(() => toUtc(s)).toThrow(RangeError)
  })

  test('10,000 random instants agree with the platform', () => {
    const wrong: string[] = []
    const random = seeded(3339)
    for (let i = 0; i < 10_000; i++) {
      const instant = random.int(-2_000_000_000, 4_000_000_000) * 1000 + random.int(0, 999)
      const shift = random.int(-1439, 1439)
      const [hours, minutes] = [Math.floor(Math.abs(shift) / 60), Math.abs(shift) % 60]
      const zone = `${shift < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
      const s = new Date(instant + shift * 60_000).toISOString().replace('Z', zone)
      if (toUtc(s) !== new Date(instant).toISOString()) wrong.push(s)
    }
    expect(wrong).toEqual([])
  })
})

test.each([
  ['2026-10-01', '2026-10-31', ['1er', '31 octobre 2026'], ['1', '31 October 2026']],
  ['2026-10-05', '2026-11-04', ['5 octobre 2026', '4 novembre 2026'], ['5 October 2026', '4 November 2026']],
  // The same month of another year, and one day alone, leave nothing out.
  ['2025-10-01', '2026-10-31', ['1er octobre 2025', '31 octobre 2026'], ['1 October 2025', '31 October 2026']],
  ['2026-10-01', '2026-10-01', ['1er octobre 2026', '1er octobre 2026'], ['1 October 2026', '1 October 2026']],
])('the month of %s to %s is said once', (from, to, fr, en) => {
  expect([...spanOf(from, to, 'fr')]).toEqual(fr)
  expect([...spanOf(from, to, 'en')]).toEqual(en)
})
