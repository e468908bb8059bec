import { describe, expect, test } from 'bun:test'
import { addDays, isTimeZone, localDate, offsetsOf, startOfDay } from '../../src/core/dates.ts'
import { seeded } from '../support/seeded.ts'

const at = (s: string) => Date.parse(s)

describe('localDate', () => {
  test.each([
    ['2026-02-28T22:59:59.999Z', 'Africa/Douala', '2026-02-28'],
    ['2026-02-28T23:00:00Z', 'Africa/Douala', '2026-03-01'],
    ['2026-02-28T23:30:00Z', 'Africa/Douala', '2026-03-01'],
    ['2026-02-28T23:30:00Z', 'UTC', '2026-02-28'],
    // Paris: clocks forward on 29 March 2026, back on 25 October.
    ['2026-03-28T22:59:59Z', 'Europe/Paris', '2026-03-28'],
    ['2026-03-28T23:00:00Z', 'Europe/Paris', '2026-03-29'],
    ['2026-03-29T21:59:59Z', 'Europe/Paris', '2026-03-29'],
    ['2026-03-29T22:00:00Z', 'Europe/Paris', '2026-03-30'],
    ['2026-10-24T22:00:00Z', 'Europe/Paris', '2026-10-25'],
    ['2026-10-25T22:30:00Z', 'Europe/Paris', '2026-10-25'],
    ['2026-10-25T23:00:00Z', 'Europe/Paris', '2026-10-26'],
    ['2026-03-08T04:59:00Z', 'America/New_York', '2026-03-07'],
    ['2026-03-09T03:59:00Z', 'America/New_York', '2026-03-08'],
    ['2026-03-09T04:00:00Z', 'America/New_York', '2026-03-09'],
    ['2026-01-01T12:14:59Z', 'Asia/Kathmandu', '2026-01-01'],
    ['2026-01-01T18:15:00Z', 'Asia/Kathmandu', '2026-01-02'],
    // Samoa skipped 30 December 2011.
    ['2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29'],
    ['2011-12-30T10:00:00Z', 'Pacific/Apia', '2011-12-31'],
    // St John's set its clocks back at 00:01, so that day began twice.
    ['2006-10-29T02:30:30Z', 'America/St_Johns', '2006-10-29'],
    ['2006-10-29T02:31:30Z', 'America/St_Johns', '2006-10-28'],
    ['2006-10-29T03:30:00Z', 'America/St_Johns', '2006-10-29'],
  ])('%s in %s is %s', (instant, zone, date) => {
    expect(localDate(at(instant), zone)).toBe(date)
    expect(localDate(at(instant), zone)).toBe(date)
  })

  test('agrees with the platform in all seasons, remembered or not', () => {
    const wrong: string[] = []
    const random = seeded(11)
    const zones = [
      ...['Africa/Douala', 'Africa/Casablanca', 'Europe/London', 'America/Santiago', 'Australia/Lord_Howe'],
      ...['Asia/Tehran', 'Pacific/Chatham', 'Asia/Beirut', 'America/St_Johns', 'Pacific/Kiritimati', 'Etc/GMT+12'],
    ]
    for (const timeZone of zones) {
      const platform = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
      for (let i = 0; i < 700; i++) {
        const instant = at('1985-01-01') + random.int(0, 55 * 365 * 24 * 60) * 60_000 + random.int(0, 59_999)
        const expected = platform.format(instant)
        const got = localDate(instant, timeZone)
        if (got !== expected) wrong.push(`${new Date(instant).toISOString()} ${timeZone}: ${got}, not ${expected}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('every half hour of years in which the clocks change', () => {
    const wrong: string[] = []
    for (const timeZone of ['America/St_Johns', 'Asia/Beirut', 'Australia/Lord_Howe']) {
      const platform = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
      for (let instant = Date.UTC(2006, 0, 1); instant < Date.UTC(2007, 0, 1); instant += 1_800_000) {
        if (localDate(instant, timeZone) !== platform.format(instant)) wrong.push(`${timeZone} ${instant}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('refuses what has no date', () => {
    expect(() => localDate(0, 'Africa/Nowhere')).toThrow(RangeError)
    expect(() => localDate(Number.NaN, 'UTC')).toThrow(RangeError)
    expect(() => localDate(at('9999-12-31T23:00:00Z'), 'Africa/Douala')).toThrow(RangeError)
    expect(() => localDate(-1e15, 'UTC')).toThrow(RangeError)
    expect(localDate(at('9999-12-30T23:00:00Z'), 'Africa/Douala')).toBe('9999-12-31')
  })

  test('is cheap once the day is known: no formatting per call', () => {
    const instant = at('2026-03-01T10:00:00Z')
    localDate(instant, 'Africa/Douala')
    const start = performance.now()
    for (let i = 0; i < 100_000; i++) localDate(instant + i, 'Africa/Douala')
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

describe('isTimeZone', () => {
  test.each(['Africa/Douala', 'UTC', 'Europe/Paris', 'America/Argentina/Buenos_Aires', 'Etc/GMT-1'])('%s', (zone) => {
    expect(isTimeZone(zone)).toBe(true)
  })

  test.each(['', 'Douala', 'Africa/Nowhere', '+01:00', '-0100', 'UTC+1 ', 'Africa/Douala\n', 'a'.repeat(99)])(
    '%j is none',
    (zone) => {
      expect(isTimeZone(zone)).toBe(false)
      expect(isTimeZone(zone)).toBe(false)
    },
  )
})

test('a day starts at the first instant that clocks show it, whether or not there is a midnight', () => {
  for (const [date, zone, instant] of [
    ['2026-03-01', 'Africa/Douala', '2026-02-28T23:00:00.000Z'],
    ['2026-03-29', 'Europe/Paris', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Paris', '2026-03-29T22:00:00.000Z'],
    ['2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
    ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
    ['2026-01-01', 'Pacific/Pago_Pago', '2026-01-01T11:00:00.000Z'],
    // Samoa skipped this day.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ] as const)
    expect([zone, new Date(startOfDay(date, zone)).toISOString()]).toEqual([zone, instant])
  const random = seeded(3)
  for (let i = 0; i < 200; i++) {
    const zone = random.pick(['Africa/Douala', 'Europe/Paris', 'America/New_York', 'Africa/Casablanca'])
    const date = addDays('2020-01-01', random.int(0, 3000))
    const start = startOfDay(date, zone)
    expect([zone, localDate(start - 1, zone), localDate(start, zone)]).toEqual([zone, addDays(date, -1), date])
  }
})

test('offsets change when clocks do, to the millisecond', () => {
  const offsets = (zone: string, from: string, to: string) =>
    offsetsOf(at(from), at(to), zone).map(({ sinceMs, aheadMs }) => [new Date(sinceMs).toISOString(), aheadMs / 60_000])
  const year = (zone: string) => offsets(zone, '2026-01-01T00:00:00Z', '2026-12-31T23:59:59Z')
  const from = '2026-01-01T00:00:00.000Z'
  expect(year('Africa/Douala')).toEqual([[from, 60]])
  expect(year('Asia/Kathmandu')).toEqual([[from, 345]])
  expect(year('Europe/Paris')).toEqual([
    [from, 60],
    ['2026-03-29T01:00:00.000Z', 120],
    ['2026-10-25T01:00:00.000Z', 60],
  ])
  expect(year('Africa/Casablanca').map(([, ahead]) => ahead)).toEqual([60, 0, 60])
  expect(offsets('Europe/Paris', '2026-03-29T01:00:00Z', '2026-10-25T00:59:59Z')).toHaveLength(1)
  const random = seeded(4)
  for (let i = 0; i < 200; i++) {
    const zone = random.pick(['Africa/Douala', 'Europe/Paris', 'America/New_York', 'Africa/Casablanca'])
    const instant = at('2024-01-01T00:00:00Z') + random.int(0, 1000) * 86_400_000 + random.int(0, 86_400_000)
    const { aheadMs = Number.NaN } =
      offsetsOf(at('2024-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z'), zone).findLast((o) => o.sinceMs <= instant) ??
      {}
    expect([zone, new Date(instant + aheadMs).toISOString().slice(0, 10)]).toEqual([zone, localDate(instant, zone)])
  }
})
