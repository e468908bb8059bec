import { totalmem } from 'node:os'

const [LEAST, MOST] = [8 * 2 ** 20, 64 * 2 ** 20]
/** Ten connections may be open at once: together they take a third. */
const PARTS = 32

/** The page cache of one connection, in KiB, with so many bytes of memory: it fills in the course of hours, and stays. */
export const cacheKb = (memory: number): number => Math.min(Math.max(memory / PARTS, LEAST), MOST) / 1024

/** The memory of the machine, or of the container. Deno has no name for the latter. */
const memory = Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY)
export const CACHE_KB = Math.round(cacheKb(memory))
