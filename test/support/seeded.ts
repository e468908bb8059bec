/** Repeatable random numbers, so that a failing case can be run again: a linear congruential generator. */
export function seeded(seed: number) {
  let state = BigInt(seed)
  const next = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn
    return Number(state >> 33n) / 2 ** 31
  }
  return {
    /** An integer from `low` to `high`, both possible. */
    int: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    pick: <T>(items: readonly [T, ...T[]]): T => items[Math.floor(next() * items.length)] ?? items[0],
  }
}

/** The seeds of random walks: `few`, or those of SEEDS, such as `101-400`. */
export function seedsFor(few: number): number[] {
  const [first, last] = (process.env.SEEDS ?? `1-${few}`).split('-').map(Number)
  return Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, n) => (first ?? 0) + n)
}
