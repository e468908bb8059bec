import type { Copy, Entry, Primary } from '../../../db/cluster/primary.ts'

type Value = null | number | string | Uint8Array
type Statement = { readonly sql: string; readonly args?: readonly Value[] }
type Row = Readonly<Record<string, Value>>
type Result = { readonly rows: readonly Row[]; readonly changes: number }

/** Larger bodies are stored as pieces, so that no answer grows beyond what the server allows. */
const PIECE = 96 * 1024
/** How many entries one answer holds, each with at most one piece. */
const AT_ONCE = 64

const TABLES = [
  'create table if not exists cluster (id integer primary key check (id = 1), cluster text not null, epoch text not null, schema integer not null, key_check text not null)',
  'create table if not exists change (n integer primary key, id text not null, node text not null, at integer not null, pieces integer not null, body blob)',
  'create table if not exists piece (id text not null, i integer not null, at integer not null, body blob not null, primary key (id, i))',
  'create table if not exists copy (id text primary key, n integer not null, pieces integer not null)',
  'create table if not exists lease (name text primary key, node text not null, until integer not null)',
]
/** The primary's own clock, ms. */
const NOW = "cast(unixepoch('subsec') * 1000 as integer)"

/** A value as Hrana writes it (https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md). */
function written(value: Value): object {
  if (value === null) return { type: 'null' }
  if (typeof value === 'number') return { type: 'integer', value: String(value) }
  if (typeof value === 'string') return { type: 'text', value }
  return { type: 'blob', base64: Buffer.from(value).toString('base64') }
}
type Written = { readonly type: string; readonly value?: string | number; readonly base64?: string }
function readBack({ type, value, base64 }: Written): Value {
  if (type === 'blob') return Buffer.from(base64 ?? '', 'base64')
  return type === 'null' || value === undefined ? null : type === 'integer' ? Number(value) : value
}

type Told = {
  readonly cols: readonly { readonly name: string }[]
  readonly rows: readonly Written[][]
  readonly affected_row_count: number
}
type Answer = {
  readonly results: readonly {
    readonly type: string
    readonly error?: { readonly message: string }
    readonly response?: {
      readonly result?: Told & {
        readonly step_results?: readonly (Told | null)[]
        readonly step_errors?: readonly ({ readonly message: string } | null)[]
      }
    }
  }[]
}
const resultOf = ({ cols, rows, affected_row_count: changes }: Told): Result => ({
  changes,
  rows: rows.map((row) => Object.fromEntries(row.map((cell, i) => [cols[i]?.name ?? '', readBack(cell)]))),
})

type Ask = (url: string, init: RequestInit) => Promise<Response>

/**
 * The log of changes on a libSQL server, by Hrana over HTTP: requests wait on the network without blocking, and need no
 * library. `url`: http(s); `token`: for its Authorization header.
 */
export function createPrimary(url: string, token: string | undefined, ask: Ask = fetch): Primary {
  const place = new URL(url).host
  const address = `${url.replace(/\/+$/, '')}/v2/pipeline`
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }

  async function pipeline(requests: readonly object[], ms: number): Promise<Answer['results']> {
    const body = JSON.stringify({ baton: null, requests: [...requests, { type: 'close' }] })
    const response = await ask(address, { method: 'POST', headers, body, signal: AbortSignal.timeout(Math.ceil(ms)) })
    const text = await response.text()
    if (!response.ok) throw new Error(`the primary ${place} answered ${response.status}: ${text.slice(0, 200)}`)
    const { results } = JSON.parse(text) as Answer
    for (const { error } of results) if (error) throw new Error(`the primary ${place} refused: ${error.message}`)
    return results
  }
  const asStatement = ({ sql, args = [] }: Statement): object => ({ sql, args: args.map(written), want_rows: true })
  /** Each statement on its own, one after another. */
  async function each(statements: readonly Statement[], ms: number): Promise<readonly Result[]> {
    const results = await pipeline(
      statements.map((statement) => ({ type: 'execute', stmt: asStatement(statement) })),
      ms,
    )
    return results.flatMap(({ response }) => (response?.result ? [resultOf(response.result)] : []))
  }
  const one = async (sql: string, args: readonly Value[], ms: number): Promise<Result> => {
    const [result] = await each([{ sql, args }], ms)
    if (!result) throw new Error(`the primary ${place} left a statement out`)
    return result
  }
  /** All statements or none. */
  async function together(statements: readonly Statement[], ms: number): Promise<readonly Result[]> {
    const all = [{ sql: 'begin immediate' }, ...statements, { sql: 'commit' }]
    const steps = all.map((statement, i) => ({
      stmt: asStatement(statement),
      ...(i > 0 && { condition: { type: 'ok', step: i - 1 } }),
    }))
    const undo = { stmt: { sql: 'rollback' }, condition: { type: 'not', cond: { type: 'ok', step: all.length - 1 } } }
    const [answer] = await pipeline([{ type: 'batch', batch: { steps: [...steps, undo] } }], ms)
    const { step_errors: errors = [], step_results: results = [] } = answer?.response?.result ?? {}
    const failed = errors.slice(0, all.length).find((error) => error !== null)
    if (failed) throw new Error(`the primary ${place} refused: ${failed.message}`)
    return results.slice(1, all.length - 1).flatMap((result) => (result ? [resultOf(result)] : []))
  }

  const putPiece: Primary['putPiece'] = async (id, i, piece, ms) =>
    void (await one(`insert or ignore into piece (id, i, at, body) values (?, ?, ${NOW}, ?)`, [id, i, piece], ms))
  const pieceOf: Primary['piece'] = async (id, i, ms) => {
    const { rows } = await one('select body from piece where id = ? and i = ?', [id, i], ms)
    const body = rows[0]?.body
    if (!(body instanceof Uint8Array)) throw new Error(`the primary ${place} lost a piece`)
    return body
  }
  async function entryOf(row: Row, ms: number): Promise<Entry> {
    const { n, id, node, pieces, body } = row
    const numbers = Array.from({ length: Number(pieces) }, (_, i) => i)
    const parts: Uint8Array[] = []
    for (const i of numbers) parts.push(await pieceOf(String(id), i, ms))
    const whole = body instanceof Uint8Array ? body : Buffer.concat(parts)
    return { n: Number(n), id: String(id), node: String(node), body: whole }
  }
  const addCopy = ({ id, n, pieces }: Copy): Statement => ({
    sql: 'insert into copy (id, n, pieces) values (?, ?, ?)',
    args: [id, n, pieces],
  })

  return {
    place,
    async prepare(ms) {
      await each(
        TABLES.map((sql) => ({ sql })),
        ms,
      )
    },
    async head(ms) {
      const { rows } = await one('select cluster, epoch, schema, key_check from cluster', [], ms)
      const [row] = rows
      if (!row) return undefined
      const { cluster, epoch, schema, key_check: keyCheck } = row
      return { cluster: String(cluster), epoch: String(epoch), schema: Number(schema), keyCheck: String(keyCheck) }
    },
    async append({ n, id, node, body }, after, ms) {
      const pieces = body.length > PIECE ? Math.ceil(body.length / PIECE) : 0
      for (let i = 0; i < pieces; i++) await putPiece(id, i, body.subarray(i * PIECE, (i + 1) * PIECE), ms)
      const [, there] = await each(
        [
          {
            sql: `insert or ignore into change (n, id, node, at, pieces, body)
              select ?, ?, ?, ${NOW}, ?, ? where exists (select 1 from change where n = ? and id = ?)`,
            args: [n, id, node, pieces, pieces > 0 ? null : body, n - 1, after],
          },
          { sql: 'select id from change where n = ?', args: [n] },
        ],
        ms,
      )
      return there?.rows[0]?.id === id
    },
    async since(n, ms) {
      const [heads, found] = await each(
        [
          { sql: 'select epoch from cluster' },
          {
            sql: 'select n, id, node, case when n = ? then 0 else pieces end as pieces, case when n = ? then null else body end as body from change where n >= ? order by n limit ?',
            args: [n, n, n, AT_ONCE],
          },
        ],
        ms,
      )
      const entries: Entry[] = []
      for (const row of found?.rows ?? []) entries.push(await entryOf(row, ms))
      return { epoch: String(heads?.rows[0]?.epoch ?? ''), entries }
    },
    putPiece,
    piece: pieceOf,
    async begin({ cluster, epoch, schema, keyCheck }, copy, ms) {
      const first = 'where not exists (select 1 from cluster)'
      await together(
        [
          {
            sql: `insert into change (n, id, node, at, pieces) select 0, ?, ?, ${NOW}, 0 ${first}`,
            args: [cluster, cluster],
          },
          { sql: `insert into copy (id, n, pieces) select ?, ?, ? ${first}`, args: [copy.id, copy.n, copy.pieces] },
          {
            sql: `insert into cluster (id, cluster, epoch, schema, key_check) select 1, ?, ?, ?, ? ${first}`,
            args: [cluster, epoch, schema, keyCheck],
          },
        ],
        ms,
      )
      const { rows } = await one('select cluster from cluster', [], ms)
      return rows[0]?.cluster === cluster
    },
    async addCopy(copy, head, ms) {
      await together(
        [
          addCopy(copy),
          ...(head ? [{ sql: 'update cluster set epoch = ?, schema = ?', args: [head.epoch, head.schema] }] : []),
          // A node that was away while two copies were made starts from the latest copy.
          { sql: 'delete from copy where n < (select min(n) from (select n from copy order by n desc limit 2))' },
          { sql: 'delete from change where n < (select min(n) from copy)' },
          {
            sql: `delete from piece where at < ${NOW} - 3600000 and id not in (select id from change) and id not in (select id from copy)`,
          },
        ],
        ms,
      )
    },
    async lastCopy(ms) {
      const { rows } = await one('select id, n, pieces from copy order by n desc limit 1', [], ms)
      const [row] = rows
      return row && { id: String(row.id), n: Number(row.n), pieces: Number(row.pieces) }
    },
    async renew(was, epoch, ms) {
      await one('update cluster set epoch = ? where epoch = ?', [epoch, was], ms)
    },
    async hold(name, node, forMs, ms) {
      const { changes } = await one(
        `insert into lease (name, node, until) values (?, ?, ${NOW} + ?)
          on conflict (name) do update set node = excluded.node, until = excluded.until
          where lease.node = excluded.node or lease.until < ${NOW}`,
        [name, node, forMs],
        ms,
      )
      return changes > 0
    },
    async release(node, ms) {
      await one('delete from lease where node = ?', [node], ms)
    },
    async others(node, ms) {
      const { rows } = await one(
        `select count(*) as n from lease where name like 'node %' and node <> ? and until >= ${NOW}`,
        [node],
        ms,
      )
      return Number(rows[0]?.n ?? 0)
    },
  }
}
