/** One change of all nodes: what a group commit wrote, as `encode` packs it. */
export type Entry = {
  /** Its place in the log, from 0; without gaps. */
  readonly n: number
  readonly id: string
  /** The node that made it. */
  readonly node: string
  readonly body: Uint8Array
}
/** What all nodes share; `epoch` is renewed when nodes have to begin anew. */
export type Head = {
  readonly cluster: string
  readonly epoch: string
  /** The schema that the changes are written for. */
  readonly schema: number
  /** Proves that a node has the same master key. */
  readonly keyCheck: string
}
/** A copy of the whole database after change `n`, as gzipped pieces. */
export type Copy = { readonly id: string; readonly n: number; readonly pieces: number }

/**
 * The log of changes that all nodes play. Whatever fails rejects: then nobody knows whether it was done. `ms`: how long
 * to wait.
 */
export type Primary = {
  /** Where it is, for people; without secrets. */
  readonly place: string
  /** Makes the tables where they are missing. */
  readonly prepare: (ms: number) => Promise<void>
  /** Undefined while there is no cluster. */
  readonly head: (ms: number) => Promise<Head | undefined>
  /**
   * Appends an entry behind the one with the id `after`. Repeating it does no harm. @returns false where another entry
   * has the place, or the one before is another
   */
  readonly append: (entry: Entry, after: string, ms: number) => Promise<boolean>
  /** The entry `n` without its body, then some that follow; and the epoch. */
  readonly since: (n: number, ms: number) => Promise<{ readonly epoch: string; readonly entries: readonly Entry[] }>
  /** Stores pieces under an id, which nobody sees before an entry or a copy names it. */
  readonly putPiece: (id: string, i: number, piece: Uint8Array, ms: number) => Promise<void>
  readonly piece: (id: string, i: number, ms: number) => Promise<Uint8Array>
  /** Begins a cluster with a copy. @returns false where one has begun already */
  readonly begin: (head: Head, copy: Copy, ms: number) => Promise<boolean>
  /** Adds a copy; with a head, all nodes begin anew under it. Forgets what is older than the copy before. */
  readonly addCopy: (copy: Copy, head: Head | undefined, ms: number) => Promise<void>
  readonly lastCopy: (ms: number) => Promise<Copy | undefined>
  /** Makes every node check whether it still fits the log; `was`: the epoch that they know. */
  readonly renew: (was: string, epoch: string, ms: number) => Promise<void>
  /** Takes or renews what only one node may hold, for `forMs` of the primary's clock. @returns whether this node holds it */
  readonly hold: (name: string, node: string, forMs: number, ms: number) => Promise<boolean>
  readonly release: (node: string, ms: number) => Promise<void>
  /** How many other nodes have reported in time that they are alive. */
  readonly others: (node: string, ms: number) => Promise<number>
}
