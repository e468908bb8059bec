import { describe, expect, test } from 'bun:test'
import { allocate } from '../../src/features/payments/rules.ts'
import { seeded } from './seeded.ts'

describe('allocate', () => {
  const open = [
    { id: 'jan', balance: 100 },
    { id: 'feb', balance: 0 },
    { id: 'mar', balance: 50 },
    { id: 'apr', balance: 100 },
  ]

  test.each([
    [0, '', 0],
    [1, 'jan:1', 0],
    [100, 'jan:100', 0],
    [101, 'jan:100 mar:1', 0],
    [200, 'jan:100 mar:50 apr:50', 0],
    [250, 'jan:100 mar:50 apr:100', 0],
    [300, 'jan:100 mar:50 apr:100', 50],
  ])('%d goes to %j, rest %d', (amount, expected, rest) => {
    const result = allocate(amount, open)
    expect(result.allocations.map((a) => `${a.id}:${a.amount}`).join(' ')).toBe(expected)
    expect(result.rest).toBe(rest)
  })

  test('without open invoices all of it is rest', () => {
    expect(allocate(500, [])).toEqual({ allocations: [], rest: 500 })
  })

  test('10,000 random cases: no franc is lost or made, no invoice overpaid, no older one skipped', () => {
    const random = seeded(237)
    for (let i = 0; i < 10_000; i++) {
      const invoices = Array.from({ length: random.int(0, 8) }, (_, n) => ({
        id: `${n}`,
        balance: random.pick([0, random.int(-5, 5), random.int(1, 1_000_000)]),
      }))
      const amount = random.int(0, 2_000_000)
      const { allocations, rest } = allocate(amount, invoices)
      const given = new Map(allocations.map((a) => [a.id, a.amount]))
      let sum = rest
      let shortBefore = false
      for (const { id, balance } of invoices) {
        const part = given.get(id) ?? 0
        sum += part
        const owed = Math.max(0, balance)
        if (part < 0 || part > owed) throw new Error(`overpaid: ${part} of ${balance}`)
        if (shortBefore && part > 0) throw new Error('a newer invoice was paid before an older one')
        if (part < owed) shortBefore = true
      }
      if (sum !== amount) throw new Error(`${amount} became ${sum}`)
      if (rest > 0 && shortBefore) throw new Error('money left over while an invoice is open')
      if (given.size !== allocations.length || allocations.some((a) => a.amount === 0))
        throw new Error('empty or twice')
    }
  })

  test.each([[-1], [0.5], [Number.NaN], [Number.POSITIVE_INFINITY]])('refuses an amount of %d', (amount) => {
    expect(() => allocate(amount, open)).toThrow(RangeError)
  })

  test('leaves its input alone', () => {
    const before = JSON.stringify(open)
    allocate(120, open)
    expect(JSON.stringify(open)).toBe(before)
  })
})
