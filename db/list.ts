import { asc, desc, getTableName, type SQL, sql } from 'drizzle-orm'
import type { Scope, ScopeKind } from '../src/core/reach.ts'
import { type Beside, besideReader, completed, fields } from './added.ts'
import { armsOf, merge, nearest, type Row } from './arms.ts'
import { arrayOf, rowJson } from './json.ts'
import { conditionsOf } from './list-conditions.ts'
import type { Added, Filter, Index, ListQuery, ListSpec, Range, Shape } from './list-spec.ts'
import type { Db } from './open.ts'
import { binder, type Columns, perDb, rowReader } from './query.ts'

/** For the EXPLAIN test. `sorted`: statements that sort the rows of a narrow filter; `totals`: those that count. */
export const lists: {
  name: string
  shapes: (db: Db) => readonly string[]
  sorted: (db: Db) => readonly string[]
  totals: (db: Db) => readonly string[]
}[] = []

/**
 * Rows that one page goes through at most where a condition chooses among them, in some 20 ms: if there are more, it ends
 * there, and the next page goes on.
 */
const MOST_WALKED = 20_000
/** The total is exact up to here. */
const MOST_COUNTED = 10_000
/** A total as X-Total-Count tells it. `goesOn`: not all rows were counted. */
export const totalText = (n: number, goesOn = false): string =>
  n > MOST_COUNTED ? `${MOST_COUNTED}+` : `${n}${goesOn ? '+' : ''}`
/** A native row: the list's columns; `sortKey` if a range orders the list, `place` if it is merged. */
type Native = Record<string, unknown>

/**
 * A list with keyset pagination. Each shape of query has one statement, which is built at its first use and read
 * natively.
 */
export function list<
  C extends Columns,
  F extends string,
  R extends string,
  A extends Added = Record<never, SQL>,
  W = Readonly<Record<string, unknown>>,
>(spec: ListSpec<C, F, R, A, W>) {
  const filters = Object.entries(spec.filters) as [F, Filter][]
  const ranges = Object.entries(spec.ranges) as [R, Range][]
  const readColumns = rowReader(spec.columns)
  const added = Object.fromEntries(
    (['all', 'owner', 'limited', 'tenant'] as const).map((kind) => [
      kind,
      Object.entries<SQL>(
        spec.added?.(kind, { scopeUser: sql.placeholder('scopeUser'), self: sql.placeholder('self') }) ?? {},
      ),
    ]),
  ) as Record<ScopeKind, [string, SQL][]>
  const addedNames = added.all.map(([name]) => name)
  const read = (row: Native) => {
    completed(row, addedNames, spec.json)
    return readColumns(row) as ReturnType<typeof readColumns> & Beside<A>
  }
  const severalOf = filters.find(([, f]) => f.several)?.[0]
  const { conditions, scopedBy, filtersOf, rangeOf } = conditionsOf(spec)
  const from = (index: string | undefined): SQL =>
    index === undefined ? sql`${spec.table}` : sql`${spec.table} indexed by ${sql.identifier(index)}`
  /** What a row shows. */
  const shownOf = ({ written, scope }: Pick<Shape, 'written' | 'scope'>) =>
    fields(
      written && spec.written
        ? Object.entries({ id: spec.id, json: rowJson(spec.columns, spec.written) })
        : [...Object.entries(spec.columns), ...added[scope]],
    )
  /** The rows in order; of answers that are merged only what orders them, as most of them are left out. */
  function page(db: Db, shape: Shape) {
    const { where, key, place, index } = conditions(shape)
    const way = shape.order === 'asc' ? asc : desc
    const built = db
      .select({
        ...(shape.merged
          ? fields([
              ['id', spec.id],
              ['place', place],
            ])
          : shownOf(shape)),
        ...fields(key ? [['sortKey', key]] : []),
      })
      .from(sql`${from(index)} ${spec.joins ?? sql.empty()}`)
      .where(where)
      .orderBy(...(key ? [way(key), way(place)] : [way(place)]))
      .toSQL()
    return { sql: `${built.sql} limit ?`, params: [...built.params, sql.placeholder('limit')] }
  }
  /** The members of rows by their ids; the JSON array of these ids is the last parameter. */
  function rowsBy(db: Db, shape: Pick<Shape, 'written' | 'scope'>) {
    return db
      .select(shownOf(shape))
      .from(sql`${spec.table} ${spec.joins ?? sql.empty()}`)
      .where(
        sql`${spec.org} = ${sql.placeholder('orgId')} and ${spec.id} in (select value from json_each(${sql.placeholder('ids')}))`,
      )
      .toSQL()
  }
  function total(db: Db, shape: Shape) {
    const { where, index } = conditions({ ...shape, paged: false }, true)
    const built = db
      .select({ n: sql`1`.as('n') })
      .from(from(index))
      .where(where)
      .toSQL()
    return { sql: `select count(*) n from (${built.sql} limit ${MOST_COUNTED + 1})`, params: built.params }
  }
  /** The last row that a page goes through, if there are as many. */
  function end(db: Db, shape: Shape) {
    const { where, key, place, index } = conditions({ ...shape, end: 'find' })
    const way = shape.order === 'asc' ? asc : desc
    const built = db
      .select(fields([['id', spec.id], ['place', place], ...(key ? [['sortKey', key] as const] : [])]))
      .from(from(index))
      .where(where)
      .orderBy(...(key ? [way(key), way(place)] : [way(place)]))
      .toSQL()
    return { sql: `${built.sql} limit 1 offset ?`, params: [...built.params, sql.placeholder('walked')] }
  }

  const kinds = ['all', ...Object.keys(spec.scopes)] as Scope['kind'][]
  const names = [...filters.map(([n]) => n), ...ranges.map(([n]) => n)] as (F | R)[]
  const rarities = (used: readonly string[]) => (filtersOf(used).some((f) => f.usual) ? [true, false] : [false])
  const ofFew = (used: readonly string[], scope: ScopeKind) =>
    spec.indexes?.find((i) => i.most && i.on?.[0] === scopedBy(scope)?.column && i.range === rangeOf(used))
  /** Every combination of up to three filters and ranges. */
  function questions(): Pick<Shape, 'used' | 'scope' | 'rare' | 'few'>[] {
    const base = filters.flatMap(([n, f]) => (f.base ? [n] : []))
    const subsets: string[][] = [base]
    for (const n of names) if (!base.includes(n as F)) subsets.push(...subsets.map((s) => [...s, n]))
    return subsets
      .filter((s) => s.length <= base.length + 3)
      .flatMap((used) => kinds.flatMap((scope) => rarities(used).map((rare) => ({ used, scope, rare }))))
      .flatMap((q) => (ofFew(q.used, q.scope) ? [q, { ...q, few: true }] : [q]))
  }
  const pages =
    (sorted: boolean) =>
    (db: Db): string[] =>
      questions()
        .flatMap((q) =>
          (['asc', 'desc'] as const).flatMap((order) => [true, false].map((paged) => ({ ...q, order, paged }))),
        )
        .filter((shape) => conditions(shape).sorted === sorted)
        .flatMap((shape) => [
          page(db, shape).sql,
          ...(isWalk(shape) ? [end(db, shape).sql, page(db, { ...shape, end: 'given' }).sql] : []),
        ])
  const totals = (db: Db): string[] =>
    questions()
      .map((q) => ({ ...q, order: 'desc', paged: false }) as const)
      .flatMap((shape) => [total(db, shape).sql, ...(isWalk(shape) ? [total(db, { ...shape, end: 'given' }).sql] : [])])
  const merging = (db: Db): string[] => kinds.map((scope) => rowsBy(db, { scope }).sql)
  lists.push({ name: spec.name, shapes: (db) => [...pages(false)(db), ...merging(db)], sorted: pages(true), totals })

  const building = { page, total, end, rows: rowsBy }
  type Kind = keyof typeof building
  type Read = (values: Record<string, unknown>) => Row[]
  const built = perDb(() => new Map<string, Read>())
  /** The rows of a statement of a shape of query, which is built and prepared once for each Db. */
  function rowsOf(db: Db, kind: Kind, shape: Shape, values: Record<string, unknown>): Row[] {
    const known = built(db)
    const name = `${kind} ${shape.written} ${shape.scope} ${shape.order} ${shape.paged} ${shape.rare} ${shape.few} ${shape.merged} ${shape.end} ${shape.used.join(' ')}`
    let read = known.get(name)
    if (!read) {
      const { sql: text, params } = building[kind](db, shape)
      const statement = db.$client.prepare(text)
      const bind = binder(params)
      read = (given) => statement.all(...bind(given)) as Row[]
      known.set(name, read)
    }
    return read(values)
  }
  const walking = new Map<string, boolean>()
  function isWalk(shape: Shape): boolean {
    if (spec.indexes) return false
    const name = `${shape.scope} ${shape.used.join(' ')}`
    const known = walking.get(name) ?? conditions(shape).walks
    walking.set(name, known)
    return known
  }

  const counts = perDb((db) => {
    const limited = (spec.indexes ?? []).filter((i) => i.most !== undefined)
    const rows = (i: Index) =>
      `select 1 from "${getTableName(spec.table)}" indexed by "${i.name}" where "${i.on?.[0]?.name}" = ? limit ?`
    return new Map(limited.map((i) => [i, db.$client.prepare(`select count(*) from (${rows(i)})`).pluck()]))
  })
  /** Whether the caller's rows are so few that they are sorted, where an index by the range would hold those of others. */
  function hasFew(db: Db, used: readonly string[], { kind, userId }: Scope): boolean {
    const index = ofFew(used, kind)
    if (index?.most === undefined) return false
    const count = counts(db).get(index)
    return Number(count?.get(userId, index.most + 1)) <= index.most
  }
  function answer(db: Db, q: ListQuery<F | R>, written: boolean) {
    const properties = scopedBy(q.scope.kind)?.each && (q.scope.properties ?? []).map((id) => ({ scopeUser: id }))
    const others = properties ? properties.flatMap((of) => (q.arms ?? [{}]).map((arm) => ({ ...arm, ...of }))) : q.arms
    const given = armsOf(q.values, severalOf, others)
    const merged = given.length > 1
    const paged = q.after !== undefined
    const arms = given.map((arm) => {
      const used = names.filter((n) => arm[n] !== undefined)
      const rare = filters.some(([n, f]) => f.usual && arm[n] !== undefined && arm[n] !== f.usual)
      const few = hasFew(db, used, q.scope)
      const shape: Shape = { used, scope: q.scope.kind, order: q.order, paged, rare, few, merged, written }
      const values: Record<string, unknown> = {
        scopeUser: q.scope.userId,
        self: q.scope.userId,
        ...arm,
        orgId: q.orgId,
        limit: q.limit + 1,
        afterKey: q.after?.[0],
        afterId: q.after?.at(-1),
        walked: Math.ceil(MOST_WALKED / given.length) - 1,
      }
      return { shape, values }
    })
    /** Where the walk of all arms ends that ends first. */
    const endOf = (asPaged: boolean): Row | undefined =>
      nearest(
        arms.flatMap(({ shape, values }) =>
          isWalk(shape) ? rowsOf(db, 'end', { ...shape, paged: asPaged }, values) : [],
        ),
        q.order,
      )
    const read = (kind: 'page' | 'total', end: Row | undefined): Row[][] =>
      arms.map(({ shape, values }) =>
        end
          ? rowsOf(db, kind, { ...shape, end: 'given' }, { ...values, endKey: end.sortKey, endId: end.id })
          : rowsOf(db, kind, shape, values),
      )

    const end = endOf(paged)
    const answers = read('page', end)
    const found = merged ? merge(answers, q.order) : (answers[0] ?? [])
    const more = found.length > q.limit
    if (more) found.length = q.limit
    const native = merged && arms[0] ? filled(db, arms[0].shape, q, found) : found
    const last = more ? found.at(-1) : end
    const ranged = ranges.some(([n]) => q.values[n] !== undefined)
    const next = last && (ranged ? [String(last.sortKey), String(last.id)] : [String(last.id)])
    if (ranged) for (const row of native) row.sortKey = undefined
    return { native, next, total: q.count ? totalOf(paged ? endOf(false) : end) : undefined }

    function totalOf(whole: Row | undefined): string {
      const n = read('total', whole).reduce((sum, [row]) => sum + Number(row?.n ?? 0), 0)
      return totalText(n, whole !== undefined)
    }
  }
  /** What rows of merged answers show, which are known by what orders them. */
  function filled(db: Db, shape: Shape, { orgId, scope }: ListQuery<F | R>, rows: readonly Row[]): Row[] {
    const ids = JSON.stringify(rows.map(({ id }) => id))
    const values = { scopeUser: scope.userId, self: scope.userId, orgId, ids }
    const byId = new Map(rowsOf(db, 'rows', shape, values).map((row) => [row.id, row]))
    return rows.flatMap(({ id, sortKey }) => {
      const row = byId.get(id)
      return row ? [{ ...row, sortKey }] : []
    })
  }
  const listed = (db: Db, q: ListQuery<F | R>) => {
    const { native, ...about } = answer(db, q, false)
    return { ...about, rows: native.map(read) }
  }
  /** The rows as a JSON array, for a list that says how they are written. */
  const written = (db: Db, q: ListQuery<F | R>) => {
    const { native, ...about } = answer(db, q, true)
    return {
      ...about,
      rows: arrayOf<Omit<ReturnType<typeof readColumns>, keyof W> & W>(native.map((row) => row.json as Uint8Array)),
    }
  }
  return Object.assign(listed, { written, beside: besideReader(spec, added) })
}
