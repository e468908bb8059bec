import type Database from 'better-sqlite3'
import { merge, type Row } from './arms.ts'
import type { Db } from './open.ts'
import { perDb } from './query.ts'

/** A statement with the values of its parameters. */
export type Asked = { readonly sql: string; readonly values: readonly unknown[] }
/** What a list asks for, which any connection to the database can answer. */
export type Reading = {
  /** The rows: of several answers, merged in this order. */
  readonly pages: readonly Asked[]
  /** What the rows of merged answers show; its last value is to be the JSON array of their ids. */
  readonly rows?: Asked | undefined
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** The total: the sum of counts, of which some are taken off. */
  readonly totals: readonly (Asked & { readonly sign: 1 | -1 })[]
}
/** `rows`: one more than the limit if there is a next page. */
export type Found = { readonly rows: Row[]; readonly total: number }

/** Thrown by a list that may hold up the main thread: another thread reads it, and the list is called again with the result. */
export class LongReading extends Error {
  readonly reading: Reading
  constructor(reading: Reading) {
    super('this list is for another thread')
    this.reading = reading
  }
}

const preparedOn = perDb(() => new Map<string, Database.Statement>())
/** The rows of a statement, which is prepared once. */
export function rowsOf(db: Db, { sql, values }: Asked): Row[] {
  const known = preparedOn(db)
  let statement = known.get(sql)
  if (!statement) {
    statement = db.$client.prepare(sql)
    known.set(sql, statement)
  }
  return statement.all(...values) as Row[]
}

/** Answers what a list asks for, with a pause after each statement. */
export function* reading(db: Db, { pages, rows: shown, order, limit, totals }: Reading): Generator<undefined, Found> {
  const answers: Row[][] = []
  for (const page of pages) {
    answers.push(rowsOf(db, page))
    yield
  }
  let total = 0
  for (const of of totals) {
    total += of.sign * Number(rowsOf(db, of)[0]?.n ?? 0)
    yield
  }
  const rows = pages.length > 1 ? merge(answers, order) : (answers[0] ?? [])
  if (rows.length > limit + 1) rows.length = limit + 1
  return { rows: shown ? filled(db, shown, rows) : rows, total }
}
function filled(db: Db, { sql, values }: Asked, rows: readonly Row[]): Row[] {
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const byId = new Map(rowsOf(db, { sql, values: values.with(-1, ids) }).map((row) => [row.id, row]))
  return rows.flatMap(({ id, sortKey }) => {
    const row = byId.get(id)
    return row ? [{ ...row, sortKey }] : []
  })
}
/** Answers what a list asks for, without pauses. */
export function readList(db: Db, asked: Reading): Found {
  const steps = reading(db, asked)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
