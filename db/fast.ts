// What reaches into Drizzle and better-sqlite3, each with what it costs without; no other file of db does.
import type Database from 'better-sqlite3'
import { Param as Encoded, is, Placeholder } from 'drizzle-orm'
import type { Db } from './open.ts'

export type Prepared = {
  get(values?: Record<string, unknown>): unknown
  all(values?: Record<string, unknown>): unknown
  run(values?: Record<string, unknown>): unknown
  getQuery(): { sql: string; params: readonly unknown[] }
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

/** Reads the parameters that Drizzle left in a built statement: without it neither writes nor lists could bind natively. Builds the native statement's positional arguments from the names Drizzle left in its parameter list. */
export function binder(params: readonly unknown[]): (values: Record<string, unknown>) => unknown[] {
  const binds = params.map((p): ((values: Record<string, unknown>) => unknown) => {
    if (is(p, Placeholder)) return (values) => values[p.name]
    if (!is(p, Encoded) || !is(p.value, Placeholder)) return () => p
    const { name } = p.value
    return (values) => p.encoder.mapToDriverValue(values[name])
  })
  return (values) => binds.map((bind) => bind(values))
}

/**
 * Binds the values of a write natively. In Drizzle's own way, which looks up each placeholder anew, an INSERT costs a fifth
 * more. Reads go natively too, in rows.ts and list.ts, with statements that Drizzle built.
 */
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

/** Puts `run` in the place of Drizzle's own, for a statement that is kept as long as its Db. */
export function runsNatively<Q extends Prepared>(db: Db, q: Q): Q {
  q.run = runner(db, q)
  return q
}
