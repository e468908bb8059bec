import { asc, count, desc, getTableName, type SQL, sql } from 'drizzle-orm'
import type { Scope, ScopeKind } from '../src/core/reach.ts'
import { type Beside, besideReader, completed, fields } from './added.ts'
import { armsOf } from './arms.ts'
import { arrayOf, rowJson } from './json.ts'
import { conditionsOf } from './list-conditions.ts'
import { type Asked, LongReading, type Reading, readList, rowsOf } from './list-reading.ts'
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

/** Rows that a list on the main thread goes through at most: some ms. */
const MOST_EFFORT = 2000
/** How many rows are counted by an index in the time that one is gone through. */
const COUNTED = 25
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
    return db
      .select({ n: sql`${count()}`.as('n') })
      .from(from(index))
      .where(where)
      .toSQL()
  }
  /** Counts the rows that the index of a statement leads to, up to `most`. */
  function reach(db: Db, shape: Shape) {
    const { lead, index } = conditions({ ...shape, paged: false })
    const built = db
      .select({ n: sql`1`.as('n') })
      .from(from(index))
      .where(lead)
      .toSQL()
    return { sql: `select count(*) n from (${built.sql} limit ?)`, params: [...built.params, sql.placeholder('most')] }
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
        .map((shape) => page(db, shape).sql)
  const totals = (db: Db): string[] => questions().map((q) => total(db, { ...q, order: 'desc', paged: false }).sql)
  const merging = (db: Db): string[] => kinds.map((scope) => rowsBy(db, { scope }).sql)
  lists.push({ name: spec.name, shapes: (db) => [...pages(false)(db), ...merging(db)], sorted: pages(true), totals })

  const building = { page, total, reach, rows: rowsBy }
  type Kind = keyof typeof building
  type Built = { [K in Kind]?: (values: Record<string, unknown>) => Asked } & { walks?: boolean }
  const built = perDb(() => new Map<string, Built>())
  /** The statements of a shape of query, built once for each Db. */
  function keptOf(db: Db, shape: Shape): Built {
    const known = built(db)
    const name = `${shape.written} ${shape.scope} ${shape.order} ${shape.paged} ${shape.rare} ${shape.few} ${shape.merged} ${shape.used.join(' ')}`
    const statements = known.get(name) ?? {}
    known.set(name, statements)
    return statements
  }
  function asked(db: Db, kind: Kind, shape: Shape, values: Record<string, unknown>): Asked {
    const kept = keptOf(db, shape)
    let ask = kept[kind]
    if (!ask) {
      const { sql: text, params } = building[kind](db, shape)
      const bind = binder(params)
      ask = (given) => ({ sql: text, values: bind(given) })
      kept[kind] = ask
    }
    return ask(values)
  }
  function isWalk(db: Db, shape: Shape): boolean {
    const kept = keptOf(db, shape)
    kept.walks ??= conditions(shape).walks
    return kept.walks
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
  /** What a query asks of the database, and whether that may take long. */
  function readingOf(db: Db, q: ListQuery<F | R>, written: boolean): Reading & { readonly long: boolean } {
    const properties = scopedBy(q.scope.kind)?.each && (q.scope.properties ?? []).map((id) => ({ scopeUser: id }))
    const others = properties ? properties.flatMap((of) => (q.arms ?? [{}]).map((arm) => ({ ...arm, ...of }))) : q.arms
    const arms = armsOf(q.values, severalOf, others)
    const merged = arms.length > 1
    let effort = 0
    const ask = (given: Readonly<Record<string, string | undefined>>) => {
      const used = names.filter((n) => given[n] !== undefined)
      const [usualName, usual] =
        filters.flatMap(([n, f]) => (f.usual && used.includes(n) ? [[n, f.usual] as const] : []))[0] ?? []
      const rare = usual !== undefined && usualName !== undefined && given[usualName] !== usual.value
      const few = hasFew(db, used, q.scope)
      const paged = q.after !== undefined
      const shape: Shape = { used, scope: q.scope.kind, order: q.order, paged, rare, few, merged, written }
      const values = {
        scopeUser: q.scope.userId,
        self: q.scope.userId,
        ...given,
        orgId: q.orgId,
        limit: q.limit + 1,
        afterKey: q.after?.[0],
        afterId: q.after?.at(-1),
      }
      if (q.brief && effort <= MOST_EFFORT) effort += effortOf(db, shape, values, q)
      const count = (sign: 1 | -1, of: Shape, counted: Record<string, unknown> = values) => ({
        ...asked(db, 'total', of, counted),
        sign,
      })
      /** The rows of the usual value are all rows less the others, which are few and have their own indexes. */
      const totals = (): Reading['totals'] => {
        if (!spec.indexes || !usual || !usualName || rare) return [count(1, shape)]
        return [
          count(1, { ...shape, used: used.filter((n) => n !== usualName) }),
          ...usual.others.map((other) => count(-1, { ...shape, rare: true }, { ...values, [usualName]: other })),
        ]
      }
      const rows = merged ? asked(db, 'rows', shape, { ...values, scopeUser: q.scope.userId }) : undefined
      return { page: asked(db, 'page', shape, values), rows, totals: q.count ? totals() : [] }
    }
    const asks = arms.map(ask)
    return {
      pages: asks.map(({ page: of }) => of),
      rows: asks[0]?.rows,
      order: q.order,
      limit: q.limit,
      totals: asks.flatMap((of) => of.totals),
      long: effort > MOST_EFFORT,
    }
  }
  /** About how many rows a statement goes through; those that are only counted, by an index, take little. */
  function effortOf(
    db: Db,
    shape: Shape,
    values: Record<string, unknown>,
    { limit, count: counted }: ListQuery<F | R>,
  ) {
    const walks = isWalk(db, shape)
    if (!walks && !shape.merged && !counted) return 0
    const most = walks ? MOST_EFFORT + 1 : counted ? (MOST_EFFORT + 1) * COUNTED : limit
    const n = Number(rowsOf(db, asked(db, 'reach', shape, { ...values, most }))[0]?.n)
    return walks ? n : Math.min(n, limit) + (counted ? n / COUNTED : 0)
  }
  function find(db: Db, q: ListQuery<F | R>, written: boolean) {
    const { long, ...reading } = readingOf(db, q, written)
    if (long) throw new LongReading(reading)
    return readList(db, reading)
  }
  function answer(db: Db, q: ListQuery<F | R>, written: boolean) {
    const { rows: native, total } = q.found ?? find(db, q, written)
    const more = native.length > q.limit
    if (more) native.length = q.limit
    const last = native.at(-1)
    const ranged = ranges.some(([n]) => q.values[n] !== undefined)
    const next = more && last ? (ranged ? [String(last.sortKey), String(last.id)] : [String(last.id)]) : undefined
    if (ranged) for (const row of native) row.sortKey = undefined
    return { native, next, total: q.count ? total : undefined }
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
