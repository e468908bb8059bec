import { and, asc, count, desc, getTableName, type SQL, sql } from 'drizzle-orm'
import type { Scope, ScopeKind } from '../src/core/reach.ts'
import { type Beside, besideReader, completed, fields } from './added.ts'
import { armsOf, merge } from './arms.ts'
import { arrayOf, rowJson } from './json.ts'
import type { Added, Each, Filter, Found, Index, ListQuery, ListSpec, Range, Shape } from './list-spec.ts'
import type { Db } from './open.ts'
import { binder, type Columns, perDb, rowReader } from './query.ts'
import { indexName } from './schema/columns.ts'

/** For the EXPLAIN test. `sorted`: statements that sort the rows of a narrow filter; `totals`: those that count. */
export const lists: {
  name: string
  shapes: (db: Db) => readonly string[]
  sorted: (db: Db) => readonly string[]
  totals: (db: Db) => readonly string[]
}[] = []

/** A native row: the list's columns, or `n` for a total; `sortKey` if a range orders the list, `place` if it is merged. */
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
  const scopedBy = (scope: ScopeKind): (Filter & Each) | undefined => (scope === 'all' ? undefined : spec.scopes[scope])
  const filtersOf = (used: readonly string[]) => filters.filter(([n]) => used.includes(n)).map(([, f]) => f)
  const rangeOf = (used: readonly string[]) => ranges.find(([n]) => used.includes(n))?.[1].column
  const narrowest = (used: readonly string[]) => filtersOf(used).find((f) => f.narrow)

  /** Conditions of a statement that names its index, because SQLite often chooses the wrong one of two ranges. */
  function byIndex(indexes: readonly Index[], { used, scope, order, paged, rare, few }: Shape, counted: boolean) {
    const range = rangeOf(used)
    const scoped = scopedBy(scope)
    const equal = [...(scoped ? [['scopeUser', scoped] as const] : []), ...filters.filter(([n]) => used.includes(n))]
    const columns = equal.map(([, f]) => f.column)
    const index = indexes.find(
      (i) =>
        (i.on ?? []).every((c) => columns.includes(c)) &&
        (i.most ? few && i.range === range : i.range === range || i.few) &&
        (rare || !i.rare),
    )
    if (!index) throw new Error(`no index of ${spec.name} for ${used.join()}`)
    const sorted = index.few === true || index.most !== undefined
    const key = range && (sorted ? sql`+${range}` : sql`${range}`)
    const byId = sorted || (index.on === undefined && index.range === undefined)
    const place = byId ? sql`${spec.id}` : sql`${spec.table}.rowid`
    const before = order === 'asc' ? sql`>` : sql`<`
    const after = byId
      ? sql`${sql.placeholder('afterId')}`
      : sql`(select rowid from ${spec.table} where ${spec.org} = ${sql.placeholder('orgId')} and ${spec.id} = ${sql.placeholder('afterId')})`
    const where = and(
      // The total of one property of several is asked for by another name.
      (counted && scope !== 'limited' && index.within) || sql`${spec.org} = ${sql.placeholder('orgId')}`,
      ...equal.map(([n, f]) =>
        f.where ? f.where(sql.placeholder(n), scope) : sql`${f.column} = ${sql.placeholder(n)}`,
      ),
      index.where,
      ...ranges
        .filter(([n]) => used.includes(n))
        .map(
          ([n, r]) =>
            sql`${r.column === range ? key : r.column} ${r.op === '>=' ? sql`>=` : sql`<=`} ${sql.placeholder(n)}`,
        ),
      paged
        ? key
          ? sql`(${key}, ${place}) ${before} (${sql.placeholder('afterKey')}, ${after})`
          : sql`${place} ${before} ${after}`
        : undefined,
    )
    return { where, key, place, index: index.name, sorted }
  }

  function conditions(shape: Shape, counted = false): Found {
    if (spec.indexes) return byIndex(spec.indexes, shape, counted)
    const { used, scope, order, paged } = shape
    const range = ranges.find(([n]) => used.includes(n))?.[1]
    const scoped = scopedBy(scope)
    // One property has few enough rows to be sorted.
    const narrow = narrowest(used) ?? (range && scoped?.each ? scoped : undefined)
    // A statement uses one index: the unary plus keeps the planner from choosing another and then sorting.
    const driver =
      range && !narrow
        ? scoped
        : [...(narrow ? [narrow] : []), ...(scoped ? [scoped] : []), ...filtersOf(used)].find(
            (f) => f.column && !f.base,
          )
    const asked = filtersOf(used).map((f) => f.column)
    const pair = narrow
      ? undefined
      : spec.pairs?.find(([a, b]) =>
          range
            ? !scoped && b === range.column && asked.includes(a)
            : (scoped ? scoped.column === a : asked.includes(a)) && asked.includes(b),
        )
    const leads = (f: Filter): boolean => f.base || (pair ? pair.some((c) => c === f.column) : f === driver)
    const equal = (f: Filter, name: string): SQL | undefined =>
      f.where
        ? f.where(sql.placeholder(name), scope)
        : f.column && sql`${leads(f) ? f.column : sql`+${f.column}`} = ${sql.placeholder(name)}`
    // Sort the few rows of a narrow filter: the range's index would lead through the rows of everybody else.
    const key = range && (narrow ? sql`+${range.column}` : sql`${range.column}`)
    const before = order === 'asc' ? sql`>` : sql`<`
    const where = and(
      sql`${spec.org} = ${sql.placeholder('orgId')}`,
      scoped && equal(scoped, 'scopeUser'),
      ...filters.filter(([n]) => used.includes(n)).map(([n, f]) => equal(f, n)),
      ...ranges
        .filter(([n]) => used.includes(n))
        .map(
          ([n, r]) =>
            sql`${r.column === range?.column ? key : sql`+${r.column}`} ${r.op === '>=' ? sql`>=` : sql`<=`} ${sql.placeholder(n)}`,
        ),
      paged
        ? key
          ? sql`(${key}, ${spec.id}) ${before} (${sql.placeholder('afterKey')}, ${sql.placeholder('afterId')})`
          : sql`${spec.id} ${before} ${sql.placeholder('afterId')}`
        : undefined,
    )
    // Of two indexes with the range, the planner may choose the one that leads through everybody's rows.
    const led = range && !narrow && !filtersOf(used).some((f) => f.base) ? scoped?.column : undefined
    const index = led && range && indexName(getTableName(spec.table), [led, range.column])
    const sorted = narrow !== undefined && (range !== undefined || narrow.few === true)
    // A few rows of several keys come in no order of ids.
    return { where, key, place: narrow?.few ? sql`+${spec.id}` : sql`${spec.id}`, index, sorted }
  }

  const from = (index: string | undefined): SQL =>
    index === undefined ? sql`${spec.table}` : sql`${spec.table} indexed by ${sql.identifier(index)}`
  function page(db: Db, shape: Shape) {
    const { where, key, place, index } = conditions(shape)
    const way = shape.order === 'asc' ? asc : desc
    const built = db
      .select({
        ...fields(
          shape.written && spec.written
            ? Object.entries({ id: spec.id, json: rowJson(spec.columns, spec.written) })
            : [...Object.entries(spec.columns), ...added[shape.scope]],
        ),
        ...fields(key ? [['sortKey', key]] : []),
        ...fields(shape.merged ? [['place', place]] : []),
      })
      .from(sql`${from(index)} ${spec.joins ?? sql.empty()}`)
      .where(where)
      .orderBy(...(key ? [way(key), way(place)] : [way(place)]))
      .toSQL()
    return { sql: `${built.sql} limit ?`, params: [...built.params, sql.placeholder('limit')] }
  }
  function total(db: Db, shape: Shape) {
    const { where, index } = conditions({ ...shape, paged: false }, true)
    return db
      .select({ n: sql`${count()}`.as('n') })
      .from(from(index))
      .where(where)
      .toSQL()
  }

  const names = [...filters.map(([n]) => n), ...ranges.map(([n]) => n)] as (F | R)[]
  const rarities = (used: readonly string[]) => (filtersOf(used).some((f) => f.usual) ? [true, false] : [false])
  const ofFew = (used: readonly string[], scope: ScopeKind) =>
    spec.indexes?.find((i) => i.most && i.on?.[0] === scopedBy(scope)?.column && i.range === rangeOf(used))
  /** Every combination of up to three filters and ranges. */
  function questions(): Pick<Shape, 'used' | 'scope' | 'rare' | 'few'>[] {
    const base = filters.flatMap(([n, f]) => (f.base ? [n] : []))
    const subsets: string[][] = [base]
    for (const n of names) if (!base.includes(n as F)) subsets.push(...subsets.map((s) => [...s, n]))
    const scopes = ['all', ...Object.keys(spec.scopes)] as Scope['kind'][]
    return subsets
      .filter((s) => s.length <= base.length + 3)
      .flatMap((used) => scopes.flatMap((scope) => rarities(used).map((rare) => ({ used, scope, rare }))))
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
  lists.push({ name: spec.name, shapes: pages(false), sorted: pages(true), totals })

  const prepared = perDb(() => new Map<string, { all: (values: Record<string, unknown>) => Native[] }>())
  function statement(db: Db, kind: 'page' | 'total', shape: Shape) {
    const kept = prepared(db)
    const name = `${kind} ${shape.written} ${shape.scope} ${shape.order} ${shape.paged} ${shape.rare} ${shape.few} ${shape.merged} ${shape.used.join(' ')}`
    const known = kept.get(name)
    if (known) return known
    const built = kind === 'page' ? page(db, shape) : total(db, shape)
    const native = db.$client.prepare(built.sql)
    const bind = binder(built.params)
    const found = { all: (values: Record<string, unknown>) => native.all(...bind(values)) as Native[] }
    kept.set(name, found)
    return found
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
    const arms = armsOf(q.values, severalOf, others)
    const merged = arms.length > 1
    const ask = (given: Readonly<Record<string, string | undefined>>) => {
      const used = names.filter((n) => given[n] !== undefined)
      const [usualName, usual] =
        filters.flatMap(([n, f]) => (f.usual && used.includes(n) ? [[n, f.usual] as const] : []))[0] ?? []
      const rare = usual !== undefined && usualName !== undefined && given[usualName] !== usual.value
      const shape: Shape = {
        used,
        scope: q.scope.kind,
        order: q.order,
        paged: q.after !== undefined,
        rare,
        few: hasFew(db, used, q.scope),
        merged,
        written,
      }
      const values = {
        scopeUser: q.scope.userId,
        self: q.scope.userId,
        ...given,
        orgId: q.orgId,
        limit: q.limit + 1,
        afterKey: q.after?.[0],
        afterId: q.after?.at(-1),
      }
      const count = (of: Shape, asked: Record<string, unknown>) =>
        Number(statement(db, 'total', of).all(asked)[0]?.n ?? 0)
      /** Counts the rows of the usual value as all rows less the others, which are few and have their own indexes. */
      const counted = (): number => {
        if (!spec.indexes || !usual || !usualName || rare) return count(shape, values)
        const rest = usual.others.map((other) => count({ ...shape, rare: true }, { ...values, [usualName]: other }))
        return rest.reduce((n, r) => n - r, count({ ...shape, used: used.filter((n) => n !== usualName) }, values))
      }
      return { rows: statement(db, 'page', shape).all(values), counted }
    }
    const answers = arms.map(ask)
    const found = answers.map(({ rows }) => rows)
    const native = merged ? merge(found, q.order) : (found[0] ?? [])
    const more = native.length > q.limit
    if (more) native.length = q.limit
    const last = native.at(-1)
    const ranged = ranges.some(([n]) => q.values[n] !== undefined)
    const next = more && last ? (ranged ? [String(last.sortKey), String(last.id)] : [String(last.id)]) : undefined
    if (ranged) for (const row of native) row.sortKey = undefined
    return { native, next, total: q.count ? answers.reduce((n, { counted }) => n + counted(), 0) : undefined }
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
