import { type Placeholder, sql } from 'drizzle-orm'
import { type Prepared, parametersOf, runsNatively } from './fast.ts'
import type { Db } from './open.ts'

type Placeholders<K extends string> = { readonly [N in K]: Placeholder<N> }
type Param = string | number | bigint | boolean | null | Readonly<Record<string, unknown>> | readonly unknown[]
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

/** `run` of a built statement, prepared at its first use: most statements read. */
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
 * A statement built at its first use and kept for each Db; declared once, at module level, in a store. Writes bind their
 * values natively.
 */
export function query<const K extends string, Q extends Prepared>(
  name: string,
  keys: readonly K[],
  build: (db: Db, p: Placeholders<K>) => Q,
): (db: Db) => Bound<K, Q> {
  const placeholders = Object.fromEntries(keys.map((k) => [k, sql.placeholder(k)])) as Placeholders<K>
  const of = perDb((db) => {
    const q = build(db, placeholders)
    return runsNatively(q, runner(db, q))
  })
  statements.push({ name, sql: (db) => of(db).getQuery().sql })
  return of as (db: Db) => Bound<K, Q>
}
