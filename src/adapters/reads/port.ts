import type { Db } from '../../../db/open.ts'
import type { Rest } from '../../../db/snapshot.ts'

/**
 * A report, the contents of its paper, the books, or the file of an export or of an archive of the trail. `task`: what its feature
 * wrote.
 */
export type LongRead = { readonly kind: 'report' | 'paper' | 'export' | 'archive' | 'books'; readonly task: object }

/** Reads that take long, each of the database at one moment, beside the service. */
export type LongReads = {
  /**
   * `here`: the same read, for a database in memory, which a thread cannot share. After `stopping` it is given up.
   * @throws overloaded if too many are under way; what stopped it
   */
  readonly run: <T>(read: LongRead, here: (db: Db, rest: Rest) => Promise<T>, stopping?: AbortSignal) => Promise<T>
  /** Gives up all of them. */
  readonly close: () => Promise<void>
}
