// A short run of the fuzzer: two seeds that never change, and one that always does. The long one: scripts/fuzz.ts.
import { expect, test } from 'bun:test'
import { fuzz } from './support/fuzz.ts'

const REQUESTS = 2_000
const random = Math.floor(performance.timeOrigin) % 1_000_000
test.each([
  ['fixed', 1],
  ['fixed', 2],
  ['random', random],
])(
  '%s seed %d',
  async (_kind, seed) => {
    const counts = await fuzz(seed, REQUESTS)
    // It does get through, and is not just sent away at the door.
    const taken = [200, 201, 204].reduce((n, status) => n + (counts.get(status) ?? 0), 0)
    expect(taken).toBeGreaterThan(REQUESTS / 10)
    for (const status of [400, 401, 403, 404, 409, 415, 422])
      expect([status, (counts.get(status) ?? 0) > 0]).toEqual([status, true])
  },
  60_000,
)
