import { describe, expect, test } from 'bun:test'
import { type DateRange, defaultAutoRenew, defaultTva, isHome, overlaps } from '../../src/features/bookings/rules.ts'
import { PROPERTY_TYPES } from '../../src/features/properties/rules.ts'
import { MANUAL_UNIT_STATUS, statusOf, UNIT_STATUS } from '../../src/features/units/rules.ts'

describe('overlaps', () => {
  const range = (startDate: string, endDate?: string | null): DateRange => ({ startDate, endDate })
  const march = range('2026-03-01', '2026-03-31')

  test.each([
    ['itself', march, true],
    ['the month before', range('2026-02-01', '2026-02-28'), false],
    ['ends on its first day', range('2026-02-01', '2026-03-01'), true],
    ['starts on its last day', range('2026-03-31', '2026-04-30'), true],
    ['starts the day after', range('2026-04-01', '2026-04-30'), false],
    ['one day inside', range('2026-03-10', '2026-03-10'), true],
    ['around it', range('2026-01-01', '2026-12-31'), true],
    ['for ever from before', range('2026-01-01'), true],
    ['for ever from its last day', range('2026-03-31', null), true],
    ['for ever from the day after', range('2026-04-01'), false],
  ])('%s', (_, other, answer) => {
    expect(overlaps(march, other)).toBe(answer)
    expect(overlaps(other, march)).toBe(answer)
  })

  test('two without an end always do', () => {
    expect(overlaps(range('2026-01-01'), range('2030-01-01', null))).toBe(true)
  })

  test('agrees with counting shared days, for all ranges of a week', () => {
    const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']
    const ranges = days.flatMap((a) => [range(a), ...days.filter((b) => b >= a).map((b) => range(a, b))])
    const holds = (r: DateRange, day: string) => r.startDate <= day && (r.endDate ?? '9999-12-31') >= day
    for (const a of ranges) {
      for (const b of ranges) expect(overlaps(a, b)).toBe(days.some((day) => holds(a, day) && holds(b, day)))
    }
  })
})

describe('what a property type brings', () => {
  test('homes renew by themselves and bear no TVA', () => {
    const homes = PROPERTY_TYPES.filter(isHome)
    expect(homes).toEqual(['APARTMENT', 'STUDIO', 'HOUSE', 'VILLA', 'LAND'])
    for (const type of homes) {
      expect(defaultAutoRenew(type)).toBe(true)
      expect(defaultTva(type, true)).toBe(0)
    }
  })

  test.each(['OFFICE', 'COMMERCIAL'])('%s ends on its day, and bears TVA only for a registered landlord', (type) => {
    expect(defaultAutoRenew(type)).toBe(false)
    expect(defaultTva(type, true)).toBe(1925)
    expect(defaultTva(type, false)).toBe(0)
  })
})

describe('unit status', () => {
  test('every status × bookings', () => {
    const rows = UNIT_STATUS.map((current) => {
      const of = (active: boolean, pending: boolean) => statusOf({ active, pending, current })
      return `${current}: ${of(false, false)} ${of(false, true)} ${of(true, false)} ${of(true, true)}`
    })
    expect(rows).toEqual([
      'AVAILABLE: AVAILABLE RESERVED OCCUPIED OCCUPIED',
      'RESERVED: AVAILABLE RESERVED OCCUPIED OCCUPIED',
      'OCCUPIED: AVAILABLE RESERVED OCCUPIED OCCUPIED',
      'MAINTENANCE: MAINTENANCE MAINTENANCE MAINTENANCE MAINTENANCE',
      'ARCHIVED: ARCHIVED ARCHIVED ARCHIVED ARCHIVED',
    ])
  })

  test('nobody sets by hand what follows bookings', () => {
    expect([...MANUAL_UNIT_STATUS]).toEqual(['AVAILABLE', 'MAINTENANCE', 'ARCHIVED'])
  })
})
