import { describe, expect, test } from 'bun:test'
import { addDays } from '../../../../src/core/dates.ts'
import { periodAt } from '../../../../src/core/periods.ts'
import { amountsOf, type Settled, settle } from '../../../../src/features/money/invoices/rules.ts'
import { seeded } from '../../../support/seeded.ts'

const MARCH = { anchor: '2026-01-01', periodStart: '2026-03-01', periodEnd: '2026-03-31' }
const invoice = (changes: Partial<Settled>): Settled => ({
  ...MARCH,
  rent: 310_000,
  tvaBasisPoints: 0,
  paid: 0,
  endDate: '2026-03-10',
  ...changes,
})
const cut = { kind: 'replace', periodEnd: '2026-03-10', days: 10, daysInPeriod: 31 } as const

describe('settle', () => {
  test('a period within the lease is left alone, paid or not', () => {
    expect(settle(invoice({ endDate: '2026-03-31' }))).toEqual({ kind: 'keep' })
    expect(settle(invoice({ endDate: '2027-01-01', paid: 310_000 }))).toEqual({ kind: 'keep' })
  })

  test('a period after the lease is cancelled and gives back what was paid', () => {
    expect(settle(invoice({ endDate: '2026-02-28' }))).toEqual({ kind: 'cancel', release: 0 })
    expect(settle(invoice({ endDate: '2026-02-28', paid: 310_000 }))).toEqual({ kind: 'cancel', release: 310_000 })
  })

  test.each([
    ['unpaid', 0, 0, 0],
    ['part paid', 40_000, 40_000, 0],
    ['paid for exactly the days lived there', 100_000, 100_000, 0],
    ['one franc more', 100_001, 100_000, 1],
    ['paid for the whole month', 310_000, 100_000, 210_000],
  ])('the current period, %s', (_, paid, carried, credit) => {
    const amounts = { net: 100_000, tva: 0, gross: 100_000 }
    expect(settle(invoice({ paid }))).toEqual({ ...cut, ...amounts, carried, credit })
  })

  test('the last day of the lease is billed, the day after never', () => {
    const onFirst = settle(invoice({ endDate: '2026-03-01' }))
    expect(onFirst).toMatchObject({ kind: 'replace', days: 1, net: 10_000 })
    expect(settle(invoice({ endDate: '2026-03-30' }))).toMatchObject({ kind: 'replace', days: 30, net: 300_000 })
  })

  test('TVA is worked out once, on rent and charges together; charges are not prorated', () => {
    const settled = settle(invoice({ tvaBasisPoints: 1925, charges: 25_000, paid: 200_000 }))
    expect(settled).toEqual({ ...cut, net: 125_000, tva: 24_063, gross: 149_063, carried: 149_063, credit: 50_937 })
  })

  test('an invoice that was already short is measured by the full period it is a part of', () => {
    const short = settle(invoice({ periodEnd: '2026-03-20' }))
    expect(short).toMatchObject({ kind: 'replace', days: 10, daysInPeriod: 31, net: 100_000 })
  })

  test('a period of a 31st that starts on 28 February has its 31 days, not a month from the 28th', () => {
    const february = { anchor: '2026-01-31', periodStart: '2026-02-28', periodEnd: '2026-03-30', endDate: '2026-02-28' }
    expect(settle(invoice(february))).toMatchObject({ days: 1, daysInPeriod: 31, net: 10_000 })
    const short = { ...february, periodEnd: '2026-03-15' }
    expect(settle(invoice(short))).toMatchObject({ days: 1, daysInPeriod: 31, net: 10_000 })
  })

  test('a period off the anchor grid is a plain month', () => {
    const old = { anchor: '2026-04-01', periodStart: '2026-03-15', periodEnd: '2026-03-31', endDate: '2026-03-20' }
    expect(settle(invoice(old))).toMatchObject({ kind: 'replace', days: 6, daysInPeriod: 31, net: 60_000 })
  })

  test('a lease that never began bills nothing', () => {
    const dayBefore = addDays(MARCH.anchor, -1)
    for (let index = 0; index < 3; index++) {
      const { start, end } = periodAt(MARCH.anchor, index)
      const settled = settle(invoice({ periodStart: start, periodEnd: end, endDate: dayBefore, paid: 7 }))
      expect(settled).toEqual({ kind: 'cancel', release: 7 })
    }
  })

  test('10,000 random leases: settled invoices bill exactly what a lease agreed to that end would have billed', () => {
    const wrong: string[] = []
    const random = seeded(44)
    for (let i = 0; i < 10_000; i++) {
      const anchor = addDays('2020-01-01', random.int(0, 3000))
      const endDate = addDays(anchor, random.int(0, 200))
      const rent = random.int(0, 2_000_000)
      const tvaBasisPoints = random.pick([0, 1000, 1925])
      for (let index = 0; index < 8; index++) {
        const full = periodAt(anchor, index)
        const due = amountsOf(rent, full, tvaBasisPoints)
        const paid = random.pick([0, due.gross, random.int(0, due.gross)])
        const period = { periodStart: full.start, periodEnd: full.end }
        const settled = settle({ anchor, ...period, rent, tvaBasisPoints, paid, endDate })
        const agreed = periodAt(anchor, index, endDate)
        const wanted = agreed && amountsOf(rent, agreed, tvaBasisPoints)
        const about = `${anchor} ${index} ${endDate} ${rent}`
        if (settled.kind === 'cancel') {
          if (agreed || settled.release !== paid) wrong.push(about)
        } else if (settled.kind === 'keep') {
          if (!agreed?.full) wrong.push(about)
        } else {
          const { net, tva, gross, carried, credit, periodEnd } = settled
          if (!agreed || agreed.full || periodEnd !== endDate) wrong.push(about)
          if (net !== wanted?.net || tva !== wanted.tva || gross !== net + tva || gross > due.gross) wrong.push(about)
          // Money is neither lost nor made, and nobody gets credit while the days lived there are unpaid.
          if (carried + credit !== paid || carried > gross || (credit > 0 && carried < gross)) wrong.push(about)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})
