import type Database from 'better-sqlite3'
import { Param as Encoded, is, Placeholder, sql } from 'drizzle-orm'
import type { Db } from './open.ts'

type Placeholders<K extends string> = { readonly [N in K]: Placeholder<N> }
type Param = string | number | bigint | boolean | null | Readonly<Record<string, unknown>> | readonly unknown[]
type Prepared = {
  get(values?: Record<string, unknown>): unknown
  all(values?: Record<string, unknown>): unknown
  run(values?: Record<string, unknown>): unknown
  getQuery(): { sql: string; params: readonly unknown[] }
}

/** A prepared statement whose parameters are checked by name: `byId(db).get({ orgId, id })`. */
type Bound<K extends string, Q extends Prepared> = {
  get(values: { readonly [N in K]: Param }): ReturnType<Q['get']>
  all(values: { readonly [N in K]: Param }): ReturnType<Q['all']>
  run(values: { readonly [N in K]: Param }): ReturnType<Q['run']>
}

/** Every statement of the program by name, for the EXPLAIN test. */
export const statements: { name: string; sql: (db: Db) => string }[] = []

/** What is made for a Db at its first use, and kept as long as that. */
export function perDb<T>(make: (db: Db) => T): (db: Db) => T {
  const made = new WeakMap<Db, { readonly value: T }>()
  return (db) => {
    let found = made.get(db)
    if (!found) {
      found = { value: make(db) }
      made.set(db, found)
    }
    return found.value
  }
}

/**
 * A statement built at its first use and kept for each Db; declared once, at module level, in a store. Writes bind their
 * values natively: Drizzle's own way costs a fifth of an INSERT.
 */
export function query<const K extends string, Q extends Prepared>(
  name: string,
  keys: readonly K[],
  build: (db: Db, p: Placeholders<K>) => Q,
): (db: Db) => Bound<K, Q> {
  const placeholders = Object.fromEntries(keys.map((k) => [k, sql.placeholder(k)])) as Placeholders<K>
  const of = perDb((db) => {
    const q = build(db, placeholders)
    q.run = runner(db, q)
    return q
  })
  statements.push({ name, sql: (db) => of(db).getQuery().sql })
  return of as (db: Db) => Bound<K, Q>
}

// What is quoted, and a parameter with what may stand before it.
const PARAMETER = /'[^']*'|"[^"]*"|\+?\?/g
/**
 * SQLite plans a statement anew whenever a bare parameter that its plan may depend on gets a value: 20 to 60 µs each time.
 * A plus before each of them hides the values, so that every statement of this connection is planned once.
 */
export function planOnce(client: Database.Database): Database.Database {
  const prepare = client.prepare.bind(client)
  const once = (text: string) => prepare(text.replace(PARAMETER, (found) => (found === '?' ? '+?' : found)))
  return Object.assign(client, { prepare: once as typeof client.prepare })
}

/** Builds the native statement's positional arguments from the names Drizzle left in its parameter list. */
export function binder(params: readonly unknown[]): (values: Record<string, unknown>) => unknown[] {
  const binds = params.map((p): ((values: Record<string, unknown>) => unknown) => {
    if (is(p, Placeholder)) return (values) => values[p.name]
    if (!is(p, Encoded) || !is(p.value, Placeholder)) return () => p
    const { name } = p.value
    return (values) => p.encoder.mapToDriverValue(values[name])
  })
  return (values) => binds.map((bind) => bind(values))
}

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
