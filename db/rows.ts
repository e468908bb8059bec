import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx } from './open.ts'
import { query } from './query.ts'

type Param = Parameters<ReturnType<ReturnType<typeof query>>['run']>[0]

/** `insert(tx, row)`: one prepared INSERT of all columns; the row's type says them all, so no default hides in SQL. */
export function inserting<T extends SQLiteTable>(name: string, table: T): (tx: Tx, row: T['$inferSelect']) => void {
  const keys = Object.keys(getTableColumns(table))
  const statement = query(name, keys, (db, p) =>
    db
      .insert(table)
      .values(p as unknown as T['$inferInsert'])
      .prepare(),
  )
  return (tx, row) => {
    statement(tx).run(row as Param)
  }
}

type Versioned = SQLiteTable & {
  readonly orgId: AnySQLiteColumn
  readonly id: AnySQLiteColumn
  readonly version: AnySQLiteColumn
}
type Row<T extends SQLiteTable> = T['$inferSelect'] & {
  readonly orgId: string
  readonly id: string
  readonly version: number
}

/**
 * `save(tx, before, after)`: one prepared UPDATE of the columns that can change, only while the row still has the version
 * that was read. Returns the row as it now stands, or undefined when it changed meanwhile.
 */
export function saving<T extends Versioned, const K extends string & keyof T['$inferSelect']>(
  name: string,
  table: T,
  changeable: readonly K[],
) {
  const columns = getTableColumns(table)
  const statement = query(name, [...changeable, 'org', 'key', 'seen'], (db, p) => {
    const set: Record<string, unknown> = { version: sql`${table.version} + 1` }
    // A placeholder alone would skip the column's own encoding.
    for (const k of changeable) set[k] = sql`${sql.param(p[k], columns[k] as AnySQLiteColumn)}`
    return db
      .update(table)
      .set(set as never)
      .where(and(eq(table.orgId, p.org), eq(table.id, p.key), eq(table.version, p.seen)))
      .prepare()
  })
  return (
    tx: Tx,
    before: Row<T>,
    after: { readonly [P in K]: T['$inferSelect'][P] },
  ): T['$inferSelect'] | undefined => {
    const done = statement(tx).run({ ...after, org: before.orgId, key: before.id, seen: before.version } as never) as {
      changes: number
    }
    return done.changes === 1 ? { ...before, ...after, version: before.version + 1 } : undefined
  }
}
