import { gunzipSync, gzipSync } from 'node:zlib'
import type Database from 'better-sqlite3'
import type { Wrote } from '../fast.ts'
import type { Entry } from './primary.ts'

/** Below this size gzip gains nothing. */
const SMALL = 512
const GZIP_BEGINS = 0x1f
/** Prepared statements that a player keeps. */
const MOST = 2000

/** JSON for what SQLite stores: a whole number beyond doubles, bytes, and doubles that JSON cannot write. */
function written(value: unknown): unknown {
  if (typeof value === 'bigint') return { i: String(value) }
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { n: Object.is(value, -0) ? '-0' : String(value) }
  if (value instanceof Uint8Array) return { b: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return { a: value.map(written) }
  if (value !== null && typeof value === 'object')
    return { o: Object.fromEntries(Object.entries(value).map(([name, member]) => [name, written(member)])) }
  return value
}
function readBack(given: unknown): unknown {
  if (given === null || typeof given !== 'object') return given
  const value: { i?: unknown; n?: unknown; b?: unknown; a?: unknown; o?: object } = given
  if (typeof value.i === 'string') return BigInt(value.i)
  if (typeof value.n === 'string') return Number(value.n)
  if (typeof value.b === 'string') return Buffer.from(value.b, 'base64')
  if (Array.isArray(value.a)) return value.a.map(readBack)
  return Object.fromEntries(Object.entries(value.o ?? {}).map(([name, member]) => [name, readBack(member)]))
}

/** The statements of one change as bytes: each text once, then which one ran with which values. */
export function encode(statements: readonly Wrote[]): Uint8Array {
  const texts = [...new Set(statements.map(({ sql }) => sql))]
  const places = new Map(texts.map((sql, i) => [sql, i]))
  const runs = statements.map(({ sql, values }) => [places.get(sql), ...values.map(written)])
  const plain = Buffer.from(JSON.stringify({ texts, runs }))
  return plain.length < SMALL ? plain : gzipSync(plain, { level: 1 })
}

function decode(body: Uint8Array): readonly Wrote[] {
  if (body.length === 0) return []
  const plain = body[0] === GZIP_BEGINS ? gunzipSync(body) : body
  const { texts, runs } = JSON.parse(Buffer.from(plain).toString()) as {
    texts: string[]
    runs: [number, ...unknown[]][]
  }
  return runs.map(([i, ...values]) => ({ sql: texts[i] ?? '', values: values.map(readBack) }))
}

/** How far a database has played the log: the cluster, the epoch that it knew, and the last entry. */
export type Position = { readonly cluster: string; readonly epoch: string; readonly n: number; readonly id: string }
/** The setting with the position, which is this node's own and in no change. */
const KEY = 'cluster'

export function positionOf(client: Database.Database): Position | undefined {
  const stored = client.prepare('select value from setting where key = ?').pluck().get(KEY)
  return typeof stored === 'string' ? (JSON.parse(stored) as Position) : undefined
}
const PUT = 'insert into setting(key, value) values(?, ?) on conflict (key) do update set value = excluded.value'
export function setPosition(client: Database.Database, position: Position): void {
  client.prepare(PUT).run(KEY, JSON.stringify(position))
}
/** Forgets the position: from now on the database is changed alone, so that no log fits it. */
export function leave(client: Database.Database): void {
  client.prepare('delete from setting where key = ?').run(KEY)
}

/** Plays entries into a database, each in one transaction with its position. */
export function createPlayer(client: Database.Database, { cluster, epoch }: Pick<Position, 'cluster' | 'epoch'>) {
  const prepared = new Map<string, Database.Statement>()
  const begin = client.prepare('BEGIN IMMEDIATE')
  const commit = client.prepare('COMMIT')
  const rollback = client.prepare('ROLLBACK')
  const put = client.prepare(PUT)

  function statement(sql: string): Database.Statement {
    const known = prepared.get(sql)
    if (known) return known
    if (prepared.size >= MOST) prepared.clear()
    const statement = client.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  /** @returns the statements that it ran @throws what SQLite throws; nothing has changed then */
  return function play({ n, id, body }: Entry): readonly Wrote[] {
    const statements = decode(body)
    begin.run()
    try {
      for (const { sql, values } of statements) {
        const found = statement(sql)
        if (found.reader) found.all(...values)
        else found.run(...values)
      }
      put.run(KEY, JSON.stringify({ cluster, epoch, n, id } satisfies Position))
      commit.run()
    } catch (e) {
      if (client.inTransaction) rollback.run()
      throw e
    }
    return statements
  }
}
