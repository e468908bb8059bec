import { describe, expect, test } from 'bun:test'
import {
  defaultAutoRenew,
  defaultTva,
  isHome,
  PROPERTY_TYPES,
} from '../../../../src/features/property/properties/rules.ts'
import { MANUAL_UNIT_STATUS, statusOf, UNIT_STATUS, UNIT_TYPES } from '../../../../src/features/property/units/rules.ts'

describe('what a property type brings', () => {
  test('homes renew by themselves and bear no TVA', () => {
    const homes = PROPERTY_TYPES.filter(isHome)
    expect(homes).toEqual(['APARTMENT', 'STUDIO', 'HOUSE', 'VILLA', 'LAND'])
    for (const type of homes) {
      expect(defaultAutoRenew(type)).toBe(true)
      expect(defaultTva(type, 1925)).toBe(0)
    }
  })

  test('every type of a property may be one of a unit', () => {
    expect(UNIT_TYPES.filter((type) => !isHome(type))).toEqual(['SHOP', 'OFFICE', 'COMMERCIAL', 'WAREHOUSE'])
    expect(PROPERTY_TYPES.filter((type) => !UNIT_TYPES.includes(type))).toEqual([])
  })

  test.each(['OFFICE', 'COMMERCIAL', 'SHOP', 'WAREHOUSE'])(
    '%s ends on its day, and bears TVA only for a registered landlord',
    (type) => {
      expect(defaultAutoRenew(type)).toBe(false)
      expect(defaultTva(type, 1925)).toBe(1925)
      expect(defaultTva(type, 0)).toBe(0)
    },
  )
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
