import { statfs } from 'node:fs/promises'
import { FREE_DISK, FREE_FOR_PAPERS } from '../../core/budgets.ts'
import type { FreeOf, Room } from './port.ts'

const LOOK_MS = 5_000
/** The interval is short while space is low, because the operator is then freeing some. */
const LOOK_AGAIN_MS = 250

/** Below this, uploads and other data that only grow are refused; on a small disk it is a share of the size. */
export const floorOf = (total: number): number =>
  Math.min(Math.max(FREE_DISK.bytes, total * FREE_DISK.share), total * FREE_DISK.most)
/** Below this, not even documents are drawn. */
export const papersFloorOf = (total: number): number => Math.min(FREE_FOR_PAPERS.bytes, total * FREE_FOR_PAPERS.most)

export const freeOf: FreeOf = async (folder) => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

/** Reads the free space of a folder's disk at most every five seconds, never in the path of a request. */
export function createRoom(folder: string, free: FreeOf = freeOf, now: () => number = () => performance.now()): Room {
  let low = false
  let lookedAt = Number.NEGATIVE_INFINITY
  async function look(): Promise<void> {
    lookedAt = now()
    // If the free space cannot be read, assume that there is some: failing writes will tell.
    const disk = await free(folder).catch(() => undefined)
    low = disk !== undefined && disk.free < floorOf(disk.total)
  }
  return {
    isLow() {
      if (now() - lookedAt >= (low ? LOOK_AGAIN_MS : LOOK_MS)) void look()
      return low
    },
    look,
  }
}
