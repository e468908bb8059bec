import { statfs } from 'node:fs/promises'
import { FREE_DISK } from '../../core/budgets.ts'
import type { FreeOf, Room } from './port.ts'

const LOOK_MS = 5_000

/** Below this a disk takes in nothing that only grows. */
export const floorOf = (total: number): number => Math.max(FREE_DISK.bytes, total * FREE_DISK.share)

export const freeOf: FreeOf = async (folder) => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

/** Looks at the disk of a folder at most every five seconds, and never while a request waits. */
export function createRoom(folder: string, free: FreeOf = freeOf, now: () => number = () => performance.now()): Room {
  let low = false
  let lookedAt = Number.NEGATIVE_INFINITY
  async function look(): Promise<void> {
    lookedAt = now()
    // A disk that tells nothing is no full one: its writes tell.
    const found = await free(folder).catch(() => undefined)
    low = found !== undefined && found.free < floorOf(found.total)
  }
  return {
    isLow() {
      if (now() - lookedAt >= LOOK_MS) void look()
      return low
    },
    look,
  }
}
