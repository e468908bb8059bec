import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs'

/** A limit by token buckets, see http/limits.ts. */
type Limiter = { readonly take: (key: string, cost?: number) => number }
type Times = { readonly lead: number; readonly business: number; readonly resets: number }

/**
 * 32-bit cells at the beginning: how often subjects were forgotten, how often the writer committed, whether reads must
 * be short, and whether long ones must wait.
 */
const [FORGOTTEN, COMMITS, BRIEF, HOLD] = [0, 16, 17, 18]
/** Cells of 64 bits: three times, the latest subjects, the buckets. */
const [LEAD, BUSINESS, RESETS, RING, BUCKETS] = [32, 33, 34, 64, 1024]
const KEPT = 512
const SLOTS = 65_536
/** How many neighbours a key looks at for its bucket. */
const NEAR = 8
const BYTES = (BUCKETS + SLOTS) * 8

/** A bucket is a number of its key, then the time when it is full again, in tenths of a millisecond. */
const TIME_BITS = 40n
const KEY_MASK = (1n << 23n) - 1n
const TIME_MASK = (1n << TIME_BITS) - 1n
const PER_SECOND = 10_000
/** How far the clocks of two processes lie apart at most: the machine's is read in steps of 10 ms, later where it is busy. */
const APART = PER_SECOND
/** How often the machine's clock is read to set this process's by it. */
const READINGS = 20

const numberOf = (text: string): bigint => BigInt.asIntN(64, BigInt(Bun.hash(text)))

/** Ms on a clock that all processes of this machine share, and that nobody sets. */
function machineClock(): () => number {
  const read = () => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000 - performance.now()
  // A pause of the process between its two readings makes one too small: the largest of several had none.
  const offset = Math.max(...Array.from({ length: READINGS }, read))
  return () => performance.now() + offset
}

/**
 * Memory that the processes of one service share, as a mapped file: whose tokens became invalid, the service's times, and
 * the limits. `create`: begins it anew. Linux and Bun only.
 */
export function openMemory(file: string, create: boolean) {
  if (create) {
    const handle = openSync(file, 'w', 0o600)
    ftruncateSync(handle, BYTES)
    closeSync(handle)
  }
  const mapped = Bun.mmap(file, { shared: true })
  const cells = new BigInt64Array(mapped.buffer, mapped.byteOffset, BUCKETS + SLOTS)
  const counters = new Int32Array(mapped.buffer, mapped.byteOffset, 2 * LEAD)
  const read = (at: number): number => Number(Atomics.load(cells, at))
  const forgotten = (): number => Atomics.load(counters, FORGOTTEN)
  const clock = machineClock()

  return {
    /** Tells all processes that the tokens of a subject, or without one all tokens, are invalid. Called by the writer alone. */
    forget(subject?: string): void {
      const count = forgotten()
      if (subject !== undefined) Atomics.store(cells, RING + (count % KEPT), numberOf(subject))
      Atomics.store(counters, FORGOTTEN, count + (subject === undefined ? KEPT + 1 : 1))
    },
    /** How often the writer has committed; it wraps around. */
    commits: (): number => Atomics.load(counters, COMMITS),
    committed: (): void => void Atomics.add(counters, COMMITS, 1),
    /** Whether reads are to end soon, see db/reader.ts. */
    brief: (): boolean => Atomics.load(counters, BRIEF) === 1,
    setBrief: (brief: boolean): void => void Atomics.store(counters, BRIEF, brief ? 1 : 0),
    /** Whether new long reads are to wait, see db/reader.ts. */
    hold: (): boolean => Atomics.load(counters, HOLD) === 1,
    setHold: (hold: boolean): void => void Atomics.store(counters, HOLD, hold ? 1 : 0),
    /** How often subjects were forgotten. */
    forgotten,
    /** The numbers of the subjects forgotten since that count; undefined when they are too many to tell. */
    forgottenSince(count: number): ReadonlySet<bigint> | undefined {
      const now = forgotten()
      const numbers = new Set<bigint>()
      for (let i = Math.max(count, now - KEPT); i < now; i++) numbers.add(Atomics.load(cells, RING + (i % KEPT)))
      // The writer may have overwritten the whole ring meanwhile.
      return forgotten() - count > KEPT ? undefined : numbers
    },
    numberOf,
    /** Only the first of the times, because it is read with every token. */
    lead: (): number => read(LEAD),
    times: (): Times => ({ lead: read(LEAD), business: read(BUSINESS), resets: read(RESETS) }),
    setTimes({ lead, business, resets }: Times): void {
      Atomics.store(cells, LEAD, BigInt(lead))
      Atomics.store(cells, BUSINESS, BigInt(business))
      Atomics.store(cells, RESETS, BigInt(resets))
    },
    /**
     * A limit that counts for all processes together. A bucket is the time at which it is full again (GCRA), so that one
     * exchange of a cell takes from it.
     */
    limiter(perSecond: number, burst: number, now = clock): Limiter {
      const step = PER_SECOND / perSecond
      const most = burst * step
      return {
        take(key, cost = 1) {
          const number = numberOf(key)
          const mark = (number >> 20n) & KEY_MASK
          const first = Number(BigInt.asUintN(16, number))
          for (;;) {
            const at = Math.floor((now() / 1000) * PER_SECOND)
            const { slot, value } = slotOf(first, mark, at)
            const full = value >> TIME_BITS === mark ? Number(value & TIME_MASK) : 0
            // A time much further ahead than any bucket reaches was written by an earlier clock; a little further, by
            // another process, whose empty bucket must not look like one that was never used.
            const next = (full > at && full - at <= most + APART ? full : at) + cost * step
            if (next - at > most) return Math.max(1, Math.ceil((next - at - most) / PER_SECOND))
            const after = (mark << TIME_BITS) | BigInt(Math.ceil(next))
            if (Atomics.compareExchange(cells, slot, value, after) === value) return 0
          }
        },
      }
    },
  }

  /** The bucket of a key: its own, else a full one, else the one that is full soonest. */
  function slotOf(first: number, mark: bigint, at: number): { slot: number; value: bigint } {
    let best = { slot: 0, value: 0n, full: Number.POSITIVE_INFINITY }
    for (let i = 0; i < NEAR; i++) {
      const slot = BUCKETS + ((first + i) % SLOTS)
      const value = Atomics.load(cells, slot)
      if (value >> TIME_BITS === mark && value !== 0n) return { slot, value }
      const full = Math.max(at, Number(value & TIME_MASK))
      if (full < best.full) best = { slot, value, full }
    }
    return best
  }
}
export type Memory = ReturnType<typeof openMemory>
