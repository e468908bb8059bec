import { describe, expect, test } from 'bun:test'
import { dueDateOf, firstPeriodFrom, type Period, periodAt } from '../../../../src/core/periods.ts'
import { amountsOf } from '../../../../src/features/money/invoices/rules.ts'
import { DAYS, dayAt } from '../../../support/calendar.ts'
import { seeded } from '../../../support/seeded.ts'

/** The oracle: walks day by day; a period starts on the anchor's day of month, or on the last day of a shorter one. */
function walk(from: number, endDate: string | undefined, count: number): Period[] {
  const anchorDay = dayAt(from).day
  const starts: number[] = []
  for (let n = from; starts.length <= count; n++) {
    const { day, last } = dayAt(n)
    if (day === anchorDay || (day === last && last < anchorDay)) starts.push(n)
  }
  const periods: Period[] = []
  for (let i = 0; i < count; i++) {
    const [first, following] = [starts[i] ?? 0, starts[i + 1] ?? 0]
    let days = 0
    for (let n = first; n < following; n++) if (endDate === undefined || dayAt(n).date <= endDate) days++
    if (days === 0) break
    const daysInPeriod = following - first
    const [start, end] = [dayAt(first).date, dayAt(first + days - 1).date]
    periods.push({ start, end, full: days === daysInPeriod, days, daysInPeriod })
  }
  return periods
}

describe('periodAt', () => {
  test('10,000 random leases agree with walking the calendar day by day', () => {
    const wrong: string[] = []
    const random = seeded(2026)
    for (let i = 0; i < 10_000; i++) {
      const from = random.int(0, 13_000)
      const anchor = dayAt(from).date
      const endDate = random.pick([undefined, dayAt(from + random.int(0, 500)).date])
      const count = random.int(1, 18)
      const rent = random.int(0, 10 ** random.int(3, 12))
      const expected = walk(from, endDate, count)
      for (let index = 0; index < count; index++) {
        const got = periodAt(anchor, index, endDate)
        const want = expected[index]
        if (!Bun.deepEquals(got, want)) wrong.push(`${anchor} ${index} ${endDate}: ${JSON.stringify(got)}`)
        if (!got || !want) continue
        const exact = (BigInt(2 * want.days) * BigInt(rent) + BigInt(want.daysInPeriod)) / BigInt(2 * want.daysInPeriod)
        const tva = (exact * 1925n + 5000n) / 10_000n
        const amounts = { net: Number(exact), tva: Number(tva), gross: Number(exact + tva) }
        if (!Bun.deepEquals(amountsOf(rent, got, 1925), amounts)) wrong.push(`${rent} ${JSON.stringify(got)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('periods tile the lease: no day is billed twice and none is left out', () => {
    for (const anchor of ['2024-01-29', '2024-01-30', '2024-01-31', '2023-12-31', '2024-02-29', '2026-03-15']) {
      let next = anchor
      let total = 0
      for (let index = 0; index < 60; index++) {
        const period = periodAt(anchor, index)
        expect(period.start).toBe(next)
        expect(period.full).toBe(true)
        const day = Number(period.start.slice(8))
        expect(day).toBe(Math.min(Number(anchor.slice(8)), DAYS.find((d) => d.date === period.start)?.last ?? 0))
        total += period.days
        next = dayAt(DAYS.findIndex((d) => d.date === period.end) + 1).date
      }
      expect(total).toBe(Math.round((Date.parse(next) - Date.parse(anchor)) / 86_400_000))
    }
  })

  test.each([
    ['2026-01-01', 0, undefined, '2026-01-01', '2026-01-31', 31, 31],
    ['2026-01-31', 0, undefined, '2026-01-31', '2026-02-27', 28, 28],
    ['2026-01-31', 1, undefined, '2026-02-28', '2026-03-30', 31, 31],
    ['2024-01-31', 1, undefined, '2024-02-29', '2024-03-30', 31, 31],
    ['2026-01-15', 2, '2026-03-31', '2026-03-15', '2026-03-31', 17, 31],
    ['2026-01-15', 0, '2026-01-15', '2026-01-15', '2026-01-15', 1, 31],
    ['2026-01-15', 0, '2026-02-14', '2026-01-15', '2026-02-14', 31, 31],
  ])('%s number %d to %s', (anchor, index, endDate, start, end, days, daysInPeriod) => {
    expect(periodAt(anchor, index, endDate)).toEqual({ start, end, full: days === daysInPeriod, days, daysInPeriod })
  })

  test('nothing is billed after the end, nor before the beginning', () => {
    expect(periodAt('2026-01-15', 1, '2026-02-14')).toBeUndefined()
    expect(periodAt('2026-01-15', 0, '2026-01-14')).toBeUndefined()
    expect(() => periodAt('2026-01-15', -1)).toThrow(RangeError)
    expect(() => periodAt('2026-01-15', 0.5)).toThrow(RangeError)
    expect(() => periodAt('2026-02-30', 0)).toThrow(RangeError)
  })
})

test('firstPeriodFrom is the first start on or after billFrom, for 1,000 random pairs', () => {
  const random = seeded(5)
  for (let i = 0; i < 1000; i++) {
    const from = random.int(0, 10_000)
    const anchor = dayAt(from).date
    const billFrom = dayAt(Math.max(0, from + random.int(-100, 1500))).date
    let index = 0
    while (periodAt(anchor, index).start < billFrom) index++
    if (firstPeriodFrom(anchor, billFrom) !== index) throw new Error(`${anchor} ${billFrom}`)
  }
  expect(firstPeriodFrom('2026-01-31', '2026-02-28')).toBe(1)
  expect(firstPeriodFrom('2026-01-31', '2026-03-01')).toBe(2)
  expect(() => firstPeriodFrom('2026-01-31', 'soon')).toThrow(RangeError)
})

describe('dueDateOf', () => {
  test.each([
    ['2026-01-01', undefined, '2026-01-06'],
    ['2026-02-26', null, '2026-03-03'],
    ['2026-01-10', 10, '2026-01-10'],
    ['2026-01-10', 9, '2026-02-09'],
    ['2026-01-10', 28, '2026-01-28'],
    ['2026-12-31', 5, '2027-01-05'],
    ['2024-02-29', 28, '2024-03-28'],
  ])('%s with day %p is %s', (start, dueDay, due) => {
    expect(dueDateOf(start, dueDay)).toBe(due)
  })

  test('is never before the period, never a month later, and always on the day agreed', () => {
    const wrong: string[] = []
    for (let n = 9000; n < 9800; n++) {
      for (let dueDay = 1; dueDay <= 28; dueDay++) {
        const due = dueDateOf(dayAt(n).date, dueDay)
        const wait = DAYS.slice(n, n + 31).findIndex((d) => d.day === dueDay)
        if (due !== dayAt(n + wait).date) wrong.push(`${dayAt(n).date} ${dueDay}: ${due}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each([[0], [29], [1.5], [Number.NaN]])('refuses day %d', (dueDay) => {
    expect(() => dueDateOf('2026-01-01', dueDay)).toThrow(RangeError)
  })
})
