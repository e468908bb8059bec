const MAX_MS = 2 ** 48 - 1
const DAY_MS = 86_400_000
const COUNTER_LIMIT = 2 ** 42

/**
 * A source of UUIDv7 (RFC 9562) whose ids only grow, so that id order is creation order, also when the clock stands
 * still or goes back by less than a day: a 42-bit counter follows the time (method 1 of section 6.2), 32 random bits come last.
 * `nowMs`: milliseconds since 1970; `random(n)`: n random bytes. The source throws RangeError for a time out of range.
 */
export function createIdSource(nowMs: () => number, random: (n: number) => Uint8Array = systemRandom): () => string {
  let time = -1
  let counter = 0
  return () => {
    const now = Math.floor(nowMs())
    if (!(now >= 0 && now <= MAX_MS)) throw new RangeError('clock out of range')
    counter += 1
    // A clock more than a day ahead was wrong: its time must not stay in the ids for years.
    if (time - now > DAY_MS) time = -1
    if (now > time || counter >= COUNTER_LIMIT) {
      time = now > time ? now : time + 1
      // Seeded below half of its range: at least 2^41 ids fit in one millisecond.
      counter = seedOf(random(6))
    }
    return layOut(time, counter, random(4))
  }
}

/** A UUID of any version in lower-case 8-4-4-4-12 form. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const isUuid = (s: string): boolean => UUID.test(s)

/** The smallest id of an instant, milliseconds since 1970: ids made then or later are not below it. */
export const leastIdAt = (ms: number): string => layOut(Math.max(0, ms), 0, new Uint8Array(4))

function layOut(time: number, counter: number, tail: Uint8Array): string {
  const high = Math.floor(counter / 2 ** 30)
  const low = counter % 2 ** 30
  const [a = 0, b = 0, c = 0, d = 0] = tail
  return `${timeOf(time)}-7${hex(high, 3)}-${pair((low >>> 24) | 0x80)}${pair(low >>> 16)}-${pair(low >>> 8)}${pair(low)}${pair(a)}${pair(b)}${pair(c)}${pair(d)}`
}

let lastTime = -1
let lastText = ''
/** Eight and four hex digits, cached because many ids are made in one millisecond. */
function timeOf(time: number): string {
  if (time !== lastTime) {
    const text = hex(time, 12)
    lastText = `${text.slice(0, 8)}-${text.slice(8)}`
    lastTime = time
  }
  return lastText
}

const seedOf = (bytes: Uint8Array): number => bigEndian(bytes) % (COUNTER_LIMIT / 2)

function bigEndian(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) sum = sum * 256 + byte
  return sum
}

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0')
const PAIRS = Array.from({ length: 256 }, (_, n) => hex(n, 2))
/** The lowest byte as two hex digits. */
const pair = (n: number): string => PAIRS[n & 0xff] ?? ''

const pool = new Uint8Array(4096)
let used = pool.length
/** The next n bytes of a pool: requesting four bytes at a time costs more than the rest of an id. */
function systemRandom(n: number): Uint8Array {
  if (used + n > pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += n
  return pool.subarray(used - n, used)
}
