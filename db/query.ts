import { type Placeholder, sql } from 'drizzle-orm'
import type { Db } from './open.ts'

type Placeholders<K extends string> = { readonly [N in K]: Placeholder<N> }
type Param = string | number | bigint | boolean | null | Readonly<Record<string, unknown>> | readonly unknown[]
type Prepared = {
  get(values?: Record<string, unknown>): unknown
  all(values?: Record<string, unknown>): unknown
  run(values?: Record<string, unknown>): unknown
  getQuery(): { sql: string }
}

/** A prepared statement whose parameters are checked by name: `byId(db).get({ orgId, id })`. */
type Bound<K extends string, Q extends Prepared> = {
  get(values: { readonly [N in K]: Param }): ReturnType<Q['get']>
  all(values: { readonly [N in K]: Param }): ReturnType<Q['all']>
  run(values: { readonly [N in K]: Param }): ReturnType<Q['run']>
}

/** Every statement of the program by name, for the EXPLAIN test. */
export const statements: { name: string; sql: (db: Db) => string }[] = []

/** A statement built at its first use and kept for each Db; declared once, at module level, in a store. */
export function query<const K extends string, Q extends Prepared>(
  name: string,
  keys: readonly K[],
  build: (db: Db, p: Placeholders<K>) => Q,
): (db: Db) => Bound<K, Q> {
  const placeholders = Object.fromEntries(keys.map((k) => [k, sql.placeholder(k)])) as Placeholders<K>
  const built = new WeakMap<Db, Q>()
  const of = (db: Db): Q => {
    let q = built.get(db)
    if (!q) {
      q = build(db, placeholders)
      built.set(db, q)
    }
    return q
  }
  statements.push({ name, sql: (db) => of(db).getQuery().sql })
  return of as (db: Db) => Bound<K, Q>
}
