// What reaches into Drizzle and better-sqlite3, each with what it costs without; no other file of db does.
import type Database from 'better-sqlite3'
import { Param as Encoded, is, Placeholder } from 'drizzle-orm'

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

/** A parameter of a built statement: the name of its value, as its column stores it; or the value itself. */
export type Parameter =
  | { readonly name: string; readonly encode: ((value: unknown) => unknown) | undefined }
  | { readonly name: undefined; readonly value: unknown }

/** Reads the parameters that Drizzle left in a built statement: without it neither writes nor lists could bind natively. */
export const parametersOf = (params: readonly unknown[]): readonly Parameter[] =>
  params.map((p) => {
    if (is(p, Placeholder)) return { name: p.name, encode: undefined }
    if (!is(p, Encoded) || !is(p.value, Placeholder)) return { name: undefined, value: p }
    return { name: p.value.name, encode: p.encoder.mapToDriverValue.bind(p.encoder) }
  })

/**
 * Puts a native `run` in the place of Drizzle's own, which looks up each placeholder anew: an INSERT costs a fifth more
 * that way. Reads go natively too, in query.ts and list.ts, with statements that Drizzle built.
 */
export function runsNatively<Q extends Prepared>(q: Q, run: Prepared['run']): Q {
  q.run = run
  return q
}
