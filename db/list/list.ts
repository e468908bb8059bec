import { asc, desc, type SQL, sql } from 'drizzle-orm'
import type { Scope, ScopeKind } from '../../src/core/scope.ts'
import { MOST_COUNTED, totalText } from '../../src/core/totals.ts'
import type { Db } from '../open.ts'
import { binder, type Columns, perDb, rowReader } from '../query.ts'
import { branchesOf, merge, nearest, type Row } from './branches.ts'
import { type ComputedRow, completed, computedReader, fields } from './computed.ts'
import { conditionsOf } from './conditions.ts'
import type { Computed, Filter, ListQuery, ListSpec, Range, Shape } from './spec.ts'

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
/** So many are tried first. */
const FEW_WALKED = 1000
/** A native row: the list's columns; `sortKey` if a range orders the list, `place` if it is merged. */
type Native = Record<string, unknown>

/**
 * A list with keyset pagination. Each shape of query has one statement, which is built at its first use and read
 * natively.
 */
export function list<C extends Columns, F extends string, R extends string, A extends Computed = Record<never, SQL>>(
  spec: ListSpec<C, F, R, A>,
) {
  const filters = Object.entries(spec.filters) as [F, Filter][]
  const ranges = Object.entries(spec.ranges) as [R, Range][]
  const readColumns = rowReader(spec.columns)
  const computed = Object.fromEntries(
    (['all', 'owner', 'limited', 'tenant'] as const).map((kind) => [
      kind,
      Object.entries<SQL>(
        spec.computed?.(kind, { scopeUser: sql.placeholder('scopeUser'), self: sql.placeholder('self') }) ?? {},
      ),
    ]),
  ) as Record<ScopeKind, [string, SQL][]>
  const computedNames = computed.all.map(([name]) => name)
  const read = (row: Native) => {
    completed(row, computedNames, spec.json)
    return readColumns(row) as ReturnType<typeof readColumns> & ComputedRow<A>
  }
  const severalOf = filters.find(([, f]) => f.several)?.[0]
  const { conditions, scopedBy } = conditionsOf(spec)
  const from = (index: string | undefined): SQL =>
    index === undefined ? sql`${spec.table}` : sql`${spec.table} indexed by ${sql.identifier(index)}`
  /** What a row shows. */
  const columnsOf = ({ scope }: Pick<Shape, 'scope'>) => fields([...Object.entries(spec.columns), ...computed[scope]])
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
          : columnsOf(shape)),
        ...fields(key ? [['sortKey', key]] : []),
      })
      .from(sql`${from(index)} ${spec.joins ?? sql.empty()}`)
      .where(where)
      .orderBy(...(key ? [way(key), way(place)] : [way(place)]))
      .toSQL()
    return { sql: `${built.sql} limit ?`, params: [...built.params, sql.placeholder('limit')] }
  }
  /** The members of rows by their ids; the JSON array of these ids is the last parameter. */
  function rowsBy(db: Db, shape: Pick<Shape, 'scope'>) {
    return db
      .select(columnsOf(shape))
      .from(sql`${spec.table} ${spec.joins ?? sql.empty()}`)
      .where(
        sql`${spec.org} = ${sql.placeholder('orgId')} and ${spec.id} in (select value from json_each(${sql.placeholder('ids')}))`,
      )
      .toSQL()
  }
  function total(db: Db, shape: Shape) {
    const { where, index } = conditions({ ...shape, paged: false, counted: true })
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
  /** Every combination of up to three filters and ranges. */
  function questions(): Pick<Shape, 'used' | 'scope'>[] {
    const base = filters.flatMap(([n, f]) => (f.base ? [n] : []))
    const subsets: string[][] = [base]
    for (const n of names) if (!base.includes(n as F)) subsets.push(...subsets.map((s) => [...s, n]))
    return subsets.filter((s) => s.length <= base.length + 3).flatMap((used) => kinds.map((scope) => ({ used, scope })))
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
    const name = `${kind} ${shape.scope} ${shape.order} ${shape.paged} ${shape.merged} ${shape.end} ${shape.used.join(' ')}`
    let read = known.get(name)
    if (!read) {
      const { sql: text, params } = building[kind](db, shape)
      const statement = db.$client.prepare(text)
      const bind = binder(params)
      read = (parameters) => statement.all(...bind(parameters)) as Row[]
      known.set(name, read)
    }
    return read(values)
  }
  const walking = new Map<string, boolean>()
  function isWalk(shape: Shape): boolean {
    const name = `${shape.scope} ${shape.used.join(' ')}`
    const known = walking.get(name) ?? conditions(shape).walks
    walking.set(name, known)
    return known
  }

  function listed(db: Db, q: ListQuery<F | R>) {
    const properties = scopedBy(q.scope.kind)?.each && (q.scope.properties ?? []).map((id) => ({ scopeUser: id }))
    const others = properties
      ? properties.flatMap((of) => (q.branches ?? [{}]).map((branch) => ({ ...branch, ...of })))
      : q.branches
    const filterSets = branchesOf(q.values, severalOf, others)
    const merged = filterSets.length > 1
    const paged = q.after !== undefined
    const branches = filterSets.map((branch) => {
      const used = names.filter((n) => branch[n] !== undefined)
      const shape: Shape = { used, scope: q.scope.kind, order: q.order, paged, merged }
      const values: Record<string, unknown> = {
        scopeUser: q.scope.userId,
        self: q.scope.userId,
        ...branch,
        orgId: q.orgId,
        limit: q.limit + 1,
        afterKey: q.after?.[0],
        afterId: q.after?.at(-1),
      }
      return { shape, values }
    })
    /** Where the walk of all branches ends that ends first. */
    const endOf = (asPaged: boolean, most: number): Row | undefined => {
      const walked = Math.ceil(most / filterSets.length) - 1
      const ends = branches.flatMap(({ shape, values }) =>
        isWalk(shape) ? rowsOf(db, 'end', { ...shape, paged: asPaged }, { ...values, walked }) : [],
      )
      return nearest(ends, q.order)
    }
    const answersOf = (kind: 'page' | 'total', end: Row | undefined): Row[][] =>
      branches.map(({ shape, values }) =>
        end
          ? rowsOf(db, kind, { ...shape, end: 'given' }, { ...values, endKey: end.sortKey, endId: end.id })
          : rowsOf(db, kind, shape, values),
      )

    const pageTo = (end: Row | undefined): Row[] => {
      const answers = answersOf('page', end)
      return merged ? merge(answers, q.order) : (answers[0] ?? [])
    }

    // Most pages are full after a few rows.
    let end = endOf(paged, FEW_WALKED)
    let rows = pageTo(end)
    if (end && rows.length <= q.limit) {
      end = endOf(paged, MOST_WALKED)
      rows = pageTo(end)
    }
    const more = rows.length > q.limit
    if (more) rows.length = q.limit
    const native = merged && branches[0] ? filled(db, branches[0].shape, q, rows) : rows
    const last = more ? rows.at(-1) : end
    const ranged = ranges.some(([n]) => q.values[n] !== undefined)
    const next = last && (ranged ? [String(last.sortKey), String(last.id)] : [String(last.id)])
    if (ranged) for (const row of native) row.sortKey = undefined
    return { rows: native.map(read), next, total: q.count ? totalOf(endOf(false, MOST_WALKED)) : undefined }

    function totalOf(whole: Row | undefined): string {
      const n = answersOf('total', whole).reduce((sum, [row]) => sum + Number(row?.n ?? 0), 0)
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
  return Object.assign(listed, { computed: computedReader(spec, computed) })
}
