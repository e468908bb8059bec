import { describe, expect, test } from 'bun:test'
import { yearOf } from '../../../../src/core/dates.ts'
import { extendEnd, firstPeriodFrom, periodAt } from '../../../../src/core/periods.ts'
import { invoiceNumber, statusAfter } from '../../../../src/features/money/invoices/rules.ts'
import { dayAt } from '../../../support/calendar.ts'
import { seeded } from '../../../support/seeded.ts'

describe('statusAfter', () => {
  test.each([
    ['on the due date nobody is late', { gross: 100, paid: 0, today: '2026-01-06', cancelled: false }, 'ISSUED'],
    ['the day after', { gross: 100, paid: 0, today: '2026-01-07', cancelled: false }, 'OVERDUE'],
    ['one franc short is not paid', { gross: 100, paid: 99, today: '2026-01-07', cancelled: false }, 'OVERDUE'],
    ['one franc short in time', { gross: 100, paid: 99, today: '2026-01-01', cancelled: false }, 'ISSUED'],
    ['paid, however late', { gross: 100, paid: 100, today: '2030-01-01', cancelled: false }, 'PAID'],
    ['more than paid', { gross: 100, paid: 101, today: '2026-01-01', cancelled: false }, 'PAID'],
    ['nothing to pay', { gross: 0, paid: 0, today: '2026-01-07', cancelled: false }, 'PAID'],
    ['cancelled is never late', { gross: 100, paid: 0, today: '2030-01-01', cancelled: true }, 'CANCELLED'],
    ['cancelled is never paid', { gross: 0, paid: 0, today: '2026-01-01', cancelled: true }, 'CANCELLED'],
  ] as const)('%s', (_, invoice, status) => {
    expect(statusAfter({ ...invoice, dueDate: '2026-01-06' })).toBe(status)
  })
})

describe('extendEnd', () => {
  test('a lease on the grid renews for 10 years without drift, gap or overlap', () => {
    for (const anchor of ['2024-01-01', '2024-01-28', '2024-01-29', '2024-01-30', '2024-01-31', '2023-08-31']) {
      let lease = { anchor, endDate: periodAt(anchor, 11).end }
      for (let index = 12; index < 132; index++) {
        lease = extendEnd(lease.anchor, lease.endDate)
        expect(lease).toEqual({ anchor, endDate: periodAt(anchor, index).end })
      }
    }
  })

  test.each([
    ['2026-01-15', '2026-03-31', '2026-04-01', '2026-04-30'],
    ['2026-01-01', '2026-01-30', '2026-01-31', '2026-02-27'],
    ['2026-01-31', '2026-02-28', '2026-03-01', '2026-03-31'],
    ['2026-01-10', '2026-01-10', '2026-01-11', '2026-02-10'],
  ])('%s to %s starts a new grid on %s', (anchor, endDate, newAnchor, newEnd) => {
    const once = extendEnd(anchor, endDate)
    expect(once).toEqual({ anchor: newAnchor, endDate: newEnd })
    // From then on it is on the grid: the anchor never moves again.
    expect(extendEnd(once.anchor, once.endDate)).toEqual({ anchor: newAnchor, endDate: periodAt(newAnchor, 1).end })
  })

  test('3,000 random leases: the month added is one whole period right after the old end', () => {
    const wrong: string[] = []
    const random = seeded(12)
    for (let i = 0; i < 3000; i++) {
      const from = random.int(0, 12_000)
      const to = from + random.int(0, 1000)
      const { anchor, endDate } = extendEnd(dayAt(from).date, dayAt(to).date)
      const index = firstPeriodFrom(anchor, dayAt(to + 1).date)
      const added = periodAt(anchor, index, endDate)
      if (added?.start !== dayAt(to + 1).date || added.end !== endDate || !added.full) {
        wrong.push(`${dayAt(from).date} ${dayAt(to).date}: ${anchor} ${endDate}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('refuses an end before the beginning', () => {
    expect(() => extendEnd('2026-01-15', '2026-01-14')).toThrow(RangeError)
  })
})

test('invoice numbers', () => {
  expect(yearOf('2026-12-31')).toBe(2026)
  expect(invoiceNumber(2026, 123)).toBe('2026-000123')
  expect(invoiceNumber(2026, 999_999)).toBe('2026-999999')
  expect(invoiceNumber(2026, 1_000_000)).toBe('2026-1000000')
  for (const n of [0, -1, 1.5, Number.NaN]) expect(() => invoiceNumber(2026, n)).toThrow(RangeError)
})
