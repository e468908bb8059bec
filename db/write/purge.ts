import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx, Write } from '../open.ts'
import { type Placeholders, query } from '../query.ts'

/** Rows that one write deletes: a few ms with all their indexes. */
export const SLICE = 500
/**
 * `purge(tx, values)` deletes up to `SLICE` rows that `where` selects, and returns how many: fewer than that mean that
 * none is left. Rows that were written one after another share pages: end the condition by the order of writing where
 * the index that finds the rows has another.
 */
export function purging<const K extends string>(
  name: string,
  keys: readonly K[],
  table: SQLiteTable,
  where: (p: Placeholders<K>) => SQL | undefined,
): (tx: Tx, values: { readonly [N in K]: string | number }) => number {
  const statement = query(name, keys, (db, p) =>
    db.delete(table).where(sql`rowid in (select rowid from ${table} where ${where(p)} limit ${SLICE})`),
  )
  return (tx, values) => statement(tx).run(values as never).changes
}

/**
 * Deletes in as many writes as it takes, so that others have their turn in between. Each function deletes a slice and
 * returns how many rows that were.
 */
export async function purgeInSlices(
  { write, stopping }: { readonly write: Write; readonly stopping: AbortSignal },
  ...purges: readonly ((tx: Tx) => number)[]
): Promise<void> {
  for (const purge of purges) while (!stopping.aborted && (await write(null, purge)) === SLICE);
}
