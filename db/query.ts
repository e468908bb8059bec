import { and, eq, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Prepared, parametersOf, runsNatively } from './internals.ts'
import type { Db, Tx } from './types.ts'

export type Placeholders<K extends string> = { readonly [N in K]: Placeholder<N> }
type Param = string | number | bigint | boolean | null | Readonly<Record<string, unknown>> | readonly unknown[]
/** A prepared statement whose parameters are checked by name: `byId(db).get({ orgId, id })`. */
type Bound<K extends string, Q extends Prepared> = {
  get(values: { readonly [N in K]: Param }): ReturnType<Q['get']>
  all(values: { readonly [N in K]: Param }): ReturnType<Q['all']>
  run(values: { readonly [N in K]: Param }): ReturnType<Q['run']>
}

/** Every statement of the program by name, for the EXPLAIN test. */
export const statements: { name: string; sql: (db: Db) => string }[] = []

/** Caches a value for each Db: made at the first use, dropped with the Db. */
export function perDb<T>(make: (db: Db) => T): (db: Db) => T {
  const cache = new WeakMap<Db, { readonly value: T }>()
  return (db) => {
    let entry = cache.get(db)
    if (!entry) {
      entry = { value: make(db) }
      cache.set(db, entry)
    }
    return entry.value
  }
}

/** The positional arguments of a native statement from values by name. */
export function binder(params: readonly unknown[]): (values: Record<string, unknown>) => unknown[] {
  const parameters = parametersOf(params)
  return (values) =>
    parameters.map((p) => {
      if (p.name === undefined) return p.value
      const value = values[p.name]
      return p.encode && value !== null && value !== undefined ? p.encode(value) : (value ?? null)
    })
}

/** `run` of a built statement, prepared at its first use only: most statements read. */
function runner(db: Db, q: Prepared): Prepared['run'] {
  let run: Prepared['run'] | undefined
  return (values = {}) => {
    if (!run) {
      const { sql: text, params } = q.getQuery()
      const statement = db.$client.prepare(text)
      const bind = binder(params)
      run = (v = {}) => statement.run(...bind(v))
    }
    return run(values)
  }
}

/**
 * A statement that is built once for each Db, at its first use. Declare it at module level, in a store. Writes bind
 * their values natively.
 */
export function query<const K extends string, Q extends { prepare(): Prepared }>(
  name: string,
  keys: readonly K[],
  build: (db: Db, p: Placeholders<K>) => Q,
): (db: Db) => Bound<K, ReturnType<Q['prepare']>> {
  const of = perDb((db) => {
    const placeholders = Object.fromEntries(keys.map((k) => [k, sql.placeholder(k)])) as Placeholders<K>
    const q = build(db, placeholders).prepare()
    return runsNatively(q, runner(db, q))
  })
  statements.push({ name, sql: (db) => of(db).getQuery().sql })
  return of as (db: Db) => Bound<K, ReturnType<Q['prepare']>>
}

/** `any(db, values)`: whether a table has a row that fits, by one statement as of `query`. */
export function exists<const K extends string>(
  name: string,
  keys: readonly K[],
  table: SQLiteTable & { readonly id: AnySQLiteColumn },
  where: (p: Placeholders<K>) => SQL | undefined,
): (db: Db, values: { readonly [N in K]: Param }) => boolean {
  const one = query(name, keys, (db, p) => db.select({ id: table.id }).from(table).where(where(p)).limit(1))
  return (db, values) => one(db).get(values) !== undefined
}

export type Columns = Record<string, AnySQLiteColumn>
type Cell<T extends AnySQLiteColumn> = T['_']['data']
/** A row as it leaves: columns without a value are undefined, which JSON leaves out. */
type ListRow<C extends Columns> = {
  [K in keyof C as C[K]['_']['notNull'] extends true ? K : never]: Cell<C[K]>
} & { [K in keyof C as C[K]['_']['notNull'] extends true ? never : K]?: Cell<C[K]> }

/** The columns under the names of their members: a native row then is one already, and needs no copy. */
const named = (columns: Columns): Record<string, SQL.Aliased> =>
  Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, sql`${column}`.as(key)]))

/** Completes native rows of `named` columns in place, with Drizzle's decoding where a column has one; NULL becomes `empty`. */
export function rowReader<C extends Columns>(columns: C, empty?: null): (row: unknown) => ListRow<C> {
  const all = Object.entries(columns)
  const nullable = empty === null ? [] : all.filter(([, column]) => !column.notNull).map(([key]) => key)
  const coded = all.filter(([, column]) => column.dataType === 'custom')
  return (native) => {
    const row = native as Record<string, unknown>
    for (const key of nullable) if (row[key] === null) row[key] = undefined
    for (const [key, column] of coded)
      if (row[key] !== null && row[key] !== undefined) row[key] = column.mapFromDriverValue(row[key])
    return row as ListRow<C>
  }
}

/** `insert(tx, row)`: one prepared INSERT of all columns; the row's type says them all, so no default hides in SQL. */
export function inserting<T extends SQLiteTable>(name: string, table: T): (tx: Tx, row: T['$inferSelect']) => void {
  const keys = Object.keys(getTableColumns(table))
  const statement = query(name, keys, (db, p) => db.insert(table).values(p as unknown as T['$inferInsert']))
  return (tx, row) => {
    statement(tx).run(row as never)
  }
}

/** `insert(tx, entered)`: the same for a table whose rows SQLite numbers in `row`. @returns the row with its number */
export function insertingNumbered<T extends SQLiteTable & { readonly row: AnySQLiteColumn }>(
  name: string,
  table: T,
): (tx: Tx, entered: Omit<T['$inferSelect'], 'row'>) => T['$inferSelect'] {
  const keys = Object.keys(getTableColumns(table)).filter((key) => key !== 'row')
  const statement = query(name, keys, (db, p) => db.insert(table).values(p as unknown as T['$inferInsert']))
  return (tx, entered) => {
    const { lastInsertRowid } = statement(tx).run(entered as never) as { lastInsertRowid: number | bigint }
    return { ...entered, row: Number(lastInsertRowid) } as T['$inferSelect']
  }
}

type Keyed = SQLiteTable & { readonly orgId: AnySQLiteColumn; readonly id: AnySQLiteColumn }

/** `one(db, ...key)`: one prepared SELECT of all columns by a key, read natively: Drizzle's mapping costs as much as SQLite. */
export function readingBy<T extends SQLiteTable>(
  name: string,
  table: T,
  ...key: readonly AnySQLiteColumn[]
): (db: Db, ...key: string[]) => T['$inferSelect'] | undefined {
  const columns = getTableColumns(table)
  const read = rowReader(columns, null)
  const text = (db: Db): string =>
    db
      .select(named(columns))
      .from(table as SQLiteTable)
      .where(and(...key.map((column) => eq(column, sql.placeholder('key')))))
      .toSQL().sql
  statements.push({ name, sql: text })
  const native = perDb((db) => db.$client.prepare(text(db)))
  return (db, ...values) => {
    const row = native(db).get(...values)
    return row === undefined ? undefined : (read(row) as T['$inferSelect'])
  }
}

/** `byId(db, orgId, id)`: a row of an organization. */
export const reading = <T extends Keyed>(
  name: string,
  table: T,
): ((db: Db, orgId: string, id: string) => T['$inferSelect'] | undefined) =>
  readingBy(name, table, table.orgId, table.id)

/**
 * `all(db, values)`: one prepared SELECT of many rows, read natively. `build` gets the columns, named, and the parameters;
 * what it selects must be those columns alone.
 */
export function readingAll<const K extends string, C extends Columns>(
  name: string,
  keys: readonly K[],
  columns: C,
  build: (
    db: Db,
    columns: Record<string, SQL.Aliased>,
    p: { readonly [N in K]: Placeholder<N> },
  ) => { toSQL(): { sql: string; params: unknown[] } },
): (db: Db, values: { readonly [N in K]: string | number }) => ListRow<C>[] {
  const read = rowReader(columns)
  const parameters = Object.fromEntries(keys.map((k) => [k, sql.placeholder(k)])) as {
    readonly [N in K]: Placeholder<N>
  }
  const built = (db: Db) => build(db, named(columns), parameters).toSQL()
  statements.push({ name, sql: (db) => built(db).sql })
  const native = perDb((db) => {
    const { sql: text, params } = built(db)
    const statement = db.$client.prepare(text)
    const bind = binder(params)
    return (values: Record<string, unknown>) => statement.all(...bind(values))
  })
  return (db, values) => native(db)(values).map(read)
}

type Versioned = SQLiteTable & {
  readonly orgId: AnySQLiteColumn
  readonly id: AnySQLiteColumn
  readonly version: AnySQLiteColumn
}
type Key = { readonly orgId: string; readonly id: string; readonly version: number }
/** What never changes of any row, but for the version, which each write counts. */
const FIXED = ['id', 'orgId', 'createdAt', 'version'] as const

/** Writes the changeable members C of a row R; `type` is the word of the audit trail for such a row. */
export type Saving<C, R> = ((tx: Tx, before: R, after: C) => R | undefined) & { readonly type: string }

/**
 * `save(tx, before, after)`: one prepared UPDATE of all columns but those named as `fixed`, only while the row still has
 * the version that was read. Returns the row as it now stands, or undefined when it changed meanwhile.
 */
export function saving<T extends Versioned, const F extends keyof T['$inferSelect'] = never>(
  type: string,
  table: T,
  ...fixed: readonly F[]
): Saving<Omit<T['$inferSelect'], F | (typeof FIXED)[number]>, T['$inferSelect']> {
  const columns = getTableColumns(table)
  const left: readonly unknown[] = [...FIXED, ...fixed]
  const changeable = Object.entries(columns).filter(([name]) => !left.includes(name))
  const statement = query(`${type}.save`, [...changeable.map(([name]) => name), 'org', 'key', 'seen'], (db, p) => {
    const set: Record<string, unknown> = { version: sql`${table.version} + 1` }
    // A placeholder alone would skip the column's own encoding.
    for (const [name, column] of changeable) set[name] = sql`${sql.param(p[name], column as AnySQLiteColumn)}`
    return db
      .update(table)
      .set(set as never)
      .where(and(eq(table.orgId, p.org), eq(table.id, p.key), eq(table.version, p.seen)))
  })
  const save = (tx: Tx, before: T['$inferSelect'], after: object): T['$inferSelect'] | undefined => {
    const { orgId, id, version } = before as Key
    const done = statement(tx).run({ ...after, org: orgId, key: id, seen: version } as never) as { changes: number }
    return done.changes === 1 ? { ...before, ...after, version: version + 1 } : undefined
  }
  return Object.assign(save, { type })
}
