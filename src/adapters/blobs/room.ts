import { statfs } from 'node:fs/promises'
import { FREE_DISK, FREE_FOR_PAPERS } from '../../core/budgets.ts'
import type { FreeOf, Room } from './port.ts'

const LOOK_MS = 5_000
/** While it is low somebody is making room, and waits. */
const LOOK_AGAIN_MS = 250

/** Below this a disk takes in nothing that only grows; of a small disk it is a share, or nothing would ever fit. */
export const floorOf = (total: number): number =>
  Math.min(Math.max(FREE_DISK.bytes, total * FREE_DISK.share), total * FREE_DISK.most)
/** Below this not even papers are drawn. */
export const papersFloorOf = (total: number): number => Math.min(FREE_FOR_PAPERS.bytes, total * FREE_FOR_PAPERS.most)

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
      if (now() - lookedAt >= (low ? LOOK_AGAIN_MS : LOOK_MS)) void look()
      return low
    },
    look,
  }
}
