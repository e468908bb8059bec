import type Database from 'better-sqlite3'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { CommitThenFail } from '../src/errors.ts'

export type Db = BetterSQLite3Database<Record<string, never>> & { readonly $client: Database.Database }
declare const inWrite: unique symbol
/** A Db inside a write transaction. Store functions that write take this type; those that read take Db. */
export type Tx = Db & { readonly [inWrite]: true }
type NotPromise<T> = T extends PromiseLike<unknown> ? never : T
/**
 * Runs `fn` in the next group commit and resolves once it is on disk. If it changed anything, the version of
 * organization `orgId` goes up; null if it belongs to none. `unseen` then writes what no response shows and leaves the
 * version alone. An exception undoes the effects of its own function only. 503 when nothing can be saved. `undo`: what
 * `fn` answers is all that remains of it.
 */
export type Write = <T>(
  orgId: string | null,
  fn: (tx: Tx) => NotPromise<T> | CommitThenFail,
  how?: { readonly unseen?: (tx: Tx, value: T) => void; readonly undo?: boolean },
) => Promise<T>
