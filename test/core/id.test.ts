import { describe, expect, test } from 'bun:test'
import { createIdSource } from '../../src/context.ts'
import { isUuid, leastIdAt } from '../../src/core/id.ts'

const NOW = Date.parse('2026-03-01T10:00:00Z')
const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

function rising(ids: readonly string[]): void {
  expect(ids.filter((id, i) => !((ids[i - 1] ?? '') < id))).toEqual([])
}

describe('createIdSource', () => {
  test('version 7, variant 10, the time in front', () => {
    const id = createIdSource(() => NOW + 0.9)()
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(timeOf(id)).toBe(NOW)
  })

  test('100,000 ids rise while the clock stands still, and the time in them stays true', () => {
    const source = createIdSource(() => NOW)
    const ids = Array.from({ length: 100_000 }, source)
    rising(ids)
    expect(new Set(ids).size).toBe(100_000)
    expect(timeOf(ids.at(-1) ?? '')).toBe(NOW)
  })

  test('100,000 ids rise although the clock goes back an hour half-way, and go on when it has caught up', () => {
    let now = NOW
    let count = 0
    const source = createIdSource(() => {
      count += 1
      if (count === 50_000) now -= 3_600_000
      return now + count / 10
    })
    const ids = Array.from({ length: 100_000 }, source)
    rising(ids)
    // It waits for the clock: the time in the ids never runs ahead of the latest seen.
    expect(timeOf(ids.at(-1) ?? '')).toBe(NOW + 4999)
    now = NOW + 7_200_000
    expect(timeOf(source())).toBeGreaterThan(NOW + 7_000_000)
  })

  test('a clock that was more than a day ahead leaves nothing of its time in later ids', () => {
    let now = NOW + 2 * 86_400_000
    const source = createIdSource(() => now)
    source()
    now = NOW
    expect(timeOf(source())).toBe(NOW)
  })

  test('two sources never make the same id', () => {
    expect(createIdSource(() => NOW)()).not.toBe(createIdSource(() => NOW)())
  })

  test.each([[-1], [Number.NaN], [2 ** 48], [Number.POSITIVE_INFINITY]])('refuses a clock at %d', (ms) => {
    expect(createIdSource(() => ms)).toThrow(RangeError)
  })
})

test('the smallest id of an instant is below all that are made then, and above those of the millisecond before', () => {
  const least = leastIdAt(NOW)
  expect(timeOf(least)).toBe(NOW)
  expect(createIdSource(() => NOW)() > least).toBe(true)
  expect(createIdSource(() => NOW - 1)() < least).toBe(true)
})

describe('isUuid', () => {
  test.each(['019ca8f0-c500-77ff-bfff-ffffffffffff', '00000000-0000-0000-0000-000000000000'])('%s', (s) => {
    expect(isUuid(s)).toBe(true)
  })

  test.each([
    '019CA8F0-c500-77ff-bfff-ffffffffffff',
    '019ca8f0c50077ffbfffffffffffffff',
    '{019ca8f0-c500-77ff-bfff-ffffffffffff}',
    '019ca8f0-c500-77ff-bfff-fffffffffff',
    '019ca8f0-c500-77ff-bfff-ffffffffffff\n',
    '019ca8f0-c500-77ff-bfff-fffffffffffg',
    '',
  ])('%j is none', (s) => {
    expect(isUuid(s)).toBe(false)
  })
})
