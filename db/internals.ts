// The only file of db that depends on the internals of Drizzle and better-sqlite3. Each function says what it saves.
import type Database from 'better-sqlite3'
import { Param as Encoded, is, Placeholder } from 'drizzle-orm'

export type Prepared = {
  get(values?: Record<string, unknown>): unknown
  all(values?: Record<string, unknown>): unknown
  run(values?: Record<string, unknown>): unknown
  getQuery(): { sql: string; params: readonly unknown[] }
}

// A quoted text, or a parameter with the plus that may stand before it.
const PARAMETER = /'[^']*'|"[^"]*"|\+?\?/g
/**
 * SQLite plans a statement again, in 20 to 60 µs, whenever a bare parameter that its plan may depend on gets a value.
 * A plus before each parameter hides the value, so every statement of this connection is planned once.
 */
export function planOnce(client: Database.Database): Database.Database {
  const prepare = client.prepare.bind(client)
  const once = (text: string) => prepare(text.replace(PARAMETER, (parameter) => (parameter === '?' ? '+?' : parameter)))
  return Object.assign(client, { prepare: once as typeof client.prepare })
}

/** A parameter of a built statement: the name of its value, with the encoding of its column, or the value itself. */
export type Parameter =
  | { readonly name: string; readonly encode: ((value: unknown) => unknown) | undefined }
  | { readonly name: undefined; readonly value: unknown }

/**
 * The parameters that Drizzle left in a built statement: writes and lists need them to bind values natively. Bound by
 * Drizzle, an INSERT is a fifth slower.
 */
export const parametersOf = (params: readonly unknown[]): readonly Parameter[] =>
  params.map((p) => {
    if (is(p, Placeholder)) return { name: p.name, encode: undefined }
    if (!is(p, Encoded) || !is(p.value, Placeholder)) return { name: undefined, value: p }
    return { name: p.value.name, encode: p.encoder.mapToDriverValue.bind(p.encoder) }
  })

/**
 * Replaces Drizzle's `run` by a native one. Drizzle's looks up each placeholder at each run, which makes an INSERT a
 * fifth slower. Reads are native too, in query.ts and list.ts, with statements that Drizzle built.
 */
export function runsNatively<Q extends Prepared>(q: Q, run: Prepared['run']): Q {
  q.run = run
  return q
}
