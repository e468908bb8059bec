import { describe, expect, test } from 'bun:test'
import { monotonicTime } from '../../src/core/monotonic-time.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-22T08:00:00Z')
function at(mark = 0, start = NOW) {
  const machine = { ms: start }
  return { machine, time: monotonicTime(() => machine.ms, mark) }
}

describe('time that never goes back', () => {
  test('is the machine’s, to the millisecond, while that one only rises, jumps forward included', () => {
    const { machine, time } = at()
    for (const ms of [0, 1, 250, 60_000, 400 * 24 * HOUR]) {
      machine.ms += ms
      expect([time.now(), time.lead(), time.isAstray()]).toEqual([machine.ms, 0, false])
    }
  })

  test('set back an hour it goes on at half the pace, and meets the machine’s again after two', () => {
    const { machine, time } = at()
    machine.ms -= HOUR
    const seen: number[] = [time.now()]
    expect(time.isAstray()).toBe(false)
    for (let second = 0; second < 7199; second++) {
      machine.ms += 1000
      seen.push(time.now())
    }
    expect(seen.every((ms, i) => i === 0 || ms === (seen[i - 1] ?? 0) + 500)).toBe(true)
    expect(time.lead()).toBe(500)
    machine.ms += 1000
    expect([time.now(), time.lead()]).toEqual([machine.ms, 0])
  })

  test('a machine set back again and again does not move it, and one that jumps takes it along by a second at most', () => {
    const { machine, time } = at(NOW + HOUR)
    for (let i = 0; i < 5; i++) {
      machine.ms -= 600_000
      expect(time.now()).toBe(NOW + HOUR)
    }
    machine.ms += 3_000_000
    expect(time.now()).toBe(NOW + HOUR + 1000)
  })

  test.each([
    ['an hour behind the mark', NOW, NOW + HOUR, false],
    ['a day behind the mark', NOW, NOW + 24 * HOUR, false],
    ['two days behind the mark', NOW, NOW + 48 * HOUR, true],
    ['a mark in the year 2100', NOW, Date.parse('2100-01-01'), true],
    ['a clock in 1970, not set yet', 0, NOW, false],
  ])('%s', (_, machine, mark, astray) => {
    const { time } = at(mark, machine)
    expect([time.now(), time.isAstray()]).toEqual([mark, astray])
  })

  test('is the machine’s again once it was told so', () => {
    const { machine, time } = at(Date.parse('2100-01-01'))
    expect(time.reset()).toEqual({ from: Date.parse('2100-01-01'), to: NOW })
    machine.ms += 5
    expect([time.now(), time.lead(), time.isAstray()]).toEqual([NOW + 5, 0, false])
  })
})
