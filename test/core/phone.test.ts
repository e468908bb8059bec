import { describe, expect, test } from 'bun:test'
import { E164, formatPhone, isUnnamed, maskPhone, normalizePhone, prefixAllowed } from '../../src/core/phone.ts'

describe('normalizePhone', () => {
  test.each([
    ['+237 6 77 12 34 56', '+237677123456'],
    ['+237677123456', '+237677123456'],
    ['677 12 34 56', '+237677123456'],
    ['677123456', '+237677123456'],
    ['222-23-40-14', '+237222234014'],
    ['00237 677 12 34 56', '+237677123456'],
    ['237 677.12.34.56', '+237677123456'],
    ['\u00a0677\u202f12\u00a034\u202f56 ', '+237677123456'],
    ['(+237) 677 12 34 56', '+237677123456'],
    ['+33 6 12 34 56 78', '+33612345678'],
    ['+33 (0)6 12 34 56 78', '+33612345678'],
    ['0033 (0) 6 12 34 56 78', '+33612345678'],
    ['+1 (202) 555-0142', '+12025550142'],
    ['0049 30 901820', '+4930901820'],
    ['+44 20 7946 0958', '+442079460958'],
  ])('%j is %s', (input, e164) => {
    expect(normalizePhone(input)).toBe(e164)
  })

  test.each([
    ['the plan of before 2014', '77 12 34 56'],
    ['the same with its country code', '+237 77 12 34 56'],
    ['the same, 00', '0023777123456'],
    ['the same, bare', '23777123456'],
    ['no Cameroonian block', '577 12 34 56'],
    ['no Cameroonian block, international', '+237 577 12 34 56'],
    ['one digit too many', '677 12 34 567'],
    ['one digit too many, international', '+237 677 12 34 567'],
    ['cut off after the country code', '237 677 12 3'],
    ['letters', '677 12 34 5O'],
    ['a vanity number', '+1 800 FLOWERS'],
    ['a national number of another country', '06 12 34 56 78'],
    ['the same with a bracketed zero', '(0)6 12 34 56 78'],
    ['plus and 00', '+00237677123456'],
    ['a zero after the plus', '+0677123456'],
    ['too short', '+12345'],
    ['too long', '+1234567890123456'],
    ['two plus signs', '++237677123456'],
    ['a plus inside', '237+677123456'],
    ['an extension', '+237677123456;ext=2'],
    ['other digits', '٦٧٧١٢٣٤٥٦'],
    ['nothing', ''],
    ['only signs', '+'],
    ['a flood', '6'.repeat(100_000)],
  ])('refuses %s', (_, input) => {
    expect(normalizePhone(input)).toBeUndefined()
  })

  test('what comes out is E.164 and comes out unchanged again', () => {
    for (const input of ['677 12 34 56', '+33 (0)6 12 34 56 78', '0049 30 901820', '237 222 23 40 14']) {
      const e164 = normalizePhone(input) ?? ''
      expect(e164).toMatch(E164)
      expect(normalizePhone(e164)).toBe(e164)
    }
  })
})

describe('maskPhone', () => {
  test.each([
    ['+237677123456', '+237•••••••56'],
    ['+12025550142', '+1••••••••42'],
    ['+79161234567', '+7••••••••67'],
    ['+33612345678', '+33•••••••78'],
    ['+4930901820', '+49••••••20'],
    ['+442079460958', '+44••••••••58'],
    ['+27821234567', '+27•••••••67'],
    ['+2348031234567', '+234••••••••67'],
    ['+24177123456', '+241••••••56'],
    ['+352621123456', '+352•••••••56'],
    ['+8613812345678', '+86•••••••••78'],
    ['+971501234567', '+971•••••••67'],
    ['+1234567', '+1••••67'],
    ['+2371234', '+237••34'],
  ])('%s shows as %s', (e164, masked) => {
    expect(maskPhone(e164)).toBe(masked)
  })

  test('never shows more than the country code and two digits, whatever the country', () => {
    for (let zone = 10; zone < 100; zone++) {
      const masked = maskPhone(`+${zone}3987654321`)
      expect(masked).toMatch(/^\+\d{1,3}•{6,9}21$/)
      expect(masked).toHaveLength(13)
    }
  })

  test.each(['', '677123456', '+237', '+237677123456x', 'secret', '+23767712345600000'])('%j shows nothing', (text) => {
    expect(maskPhone(text)).toBe('•••••••')
  })
})

describe('prefixAllowed', () => {
  test.each([
    ['+237677123456', ['+237'], true],
    ['+237677123456', ['+33', '+237'], true],
    ['+33612345678', ['+237'], false],
    ['+33612345678', ['*'], true],
    ['+237222234014', ['+2376'], false],
    ['+23612345678', ['+237'], false],
  ])('%s with %j: %p', (e164, allowed, answer) => {
    expect(prefixAllowed(e164, allowed)).toBe(answer)
  })

  test('an empty list, an empty prefix or a bare plus never opens the world', () => {
    for (const allowed of [[], [''], ['+'], ['237']]) expect(prefixAllowed('+237677123456', allowed)).toBe(false)
  })
})

test.each([
  ['+237677123456', '+237 677 12 34 56'],
  ['+237222234014', '+237 222 23 40 14'],
  ['+33612345678', '+33612345678'],
  ['+2376771234567', '+2376771234567'],
])('%s is read out as %s', (e164, shown) => {
  expect(formatPhone(e164).replaceAll('\u00a0', ' ')).toBe(shown)
})

describe('no name, but a phone number', () => {
  test.each([
    '677 30 00 88',
    '+237677300088',
    '(677) 300-088',
    '677/30/00/88',
    '677_30_00_88',
    '677,30,00,88',
    '677\u201330\u201300\u201388',
    'Tél. 677 30 00 88',
    '677300088 Paul',
    'Paul (boutique) +237 677 300 088',
    '237•••••••88',
  ])('%s', (name) => expect(isUnnamed(name)).toBe(true))
  test.each([
    'Ngo Bassa Marie-Claire',
    'Boutique 237',
    'SCI 12, lot 345, 2018',
    'GIC 3 étoiles 2000-2026',
    'Jean 2',
    '12345',
    'M. X',
  ])('%s is one', (name) => expect(isUnnamed(name)).toBe(false))
})
