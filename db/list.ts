import { and, asc, count, desc, eq, is, Placeholder, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './open.ts'

type Columns = Record<string, AnySQLiteColumn>
type Condition = (p: Placeholder) => SQL
type Filter = {
  readonly column?: AnySQLiteColumn
  /** For what is no plain equality. */
  readonly where?: Condition
  /** Narrower than what one owner or tenant sees: its index is taken before the scope's. */
  readonly narrow?: boolean
  /** Part of every index of this list, as the organization is. */
  readonly base?: boolean
}
type Range = { readonly column: AnySQLiteColumn; readonly op: '>=' | '<=' }
export type Scope = { readonly kind: 'all' | 'owner' | 'tenant'; readonly userId: string }

export type ListSpec<C extends Columns, F extends string, R extends string> = {
  readonly name: string
  readonly table: SQLiteTable
  readonly org: AnySQLiteColumn
  readonly id: AnySQLiteColumn
  /** What leaves the process, by member name. */
  readonly columns: C
  /** Members to compare with, the most selective first. */
  readonly filters: { readonly [K in F]: Filter }
  /** A list with a range is ordered by the range's column, then by id. */
  readonly ranges: { readonly [K in R]: Range }
  readonly scopes: { readonly owner?: Filter; readonly tenant?: Filter }
}

export type ListQuery<K extends string> = {
  readonly orgId: string
  readonly scope: Scope
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** The last row's key: [id], or [range value, id]. */
  readonly after?: readonly string[] | undefined
  readonly values: { readonly [N in K]?: string | undefined }
}

type Cell<T extends AnySQLiteColumn> = T['_']['data']
/** A row as it leaves: columns without a value are absent. */
export type ListRow<C extends Columns> = {
  [K in keyof C as C[K]['_']['notNull'] extends true ? K : never]: Cell<C[K]>
} & { [K in keyof C as C[K]['_']['notNull'] extends true ? never : K]?: Cell<C[K]> }

/** What to explain: name and SQL of each statement a list can become. */
export const lists: { name: string; shapes: (db: Db) => readonly string[] }[] = []

type Shape = {
  readonly used: readonly string[]
  readonly scope: Scope['kind']
  readonly order: 'asc' | 'desc'
  readonly paged: boolean
}

/** Builds the native statement's positional arguments from the names Drizzle left in its parameter list. */
const binder = (params: readonly unknown[]): ((values: Record<string, unknown>) => unknown[]) => {
  const names = params.map((p) => (is(p, Placeholder) ? { name: p.name } : { value: p }))
  return (values) => names.map((n) => ('name' in n ? values[n.name] : n.value))
}

/** A reader of rows by position: Drizzle's decoding where a column has one, nothing for NULL. */
export function rowReader<C extends Columns>(columns: C): (cells: readonly unknown[]) => ListRow<C> {
  const fields = Object.entries(columns).map(([key, column]) => ({
    key,
    decode: column.dataType === 'custom' ? (v: unknown) => column.mapFromDriverValue(v) : undefined,
  }))
  return (cells) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i]
      const cell = cells[i]
      if (field && cell !== null) row[field.key] = field.decode ? field.decode(cell) : cell
    }
    return row as ListRow<C>
  }
}

/** A keyset list: one statement for each shape really asked for, built at its first use, read natively. */
export function list<C extends Columns, F extends string, R extends string>(spec: ListSpec<C, F, R>) {
  const filters = Object.entries(spec.filters) as [F, Filter][]
  const ranges = Object.entries(spec.ranges) as [R, Range][]
  const read = rowReader(spec.columns)

  function conditions({ used, scope, order, paged }: Shape) {
    const range = ranges.find(([n]) => used.includes(n))?.[1]
    const scoped = scope === 'all' ? undefined : spec.scopes[scope]
    // One index serves a statement; the unary plus keeps the planner from choosing another and then sorting.
    const driver = range
      ? undefined
      : [
          ...filters.filter(([n, f]) => f.narrow && used.includes(n)).map(([, f]) => f),
          ...(scoped ? [scoped] : []),
          ...filters.filter(([n]) => used.includes(n)).map(([, f]) => f),
        ].find((f) => f.column && !f.base)
    const equal = (f: Filter, p: Placeholder): SQL | undefined =>
      f.where
        ? f.where(p)
        : f.column && (f === driver || f.base || (range && f === scoped) ? eq(f.column, p) : sql`+${f.column} = ${p}`)
    const key = range?.column
    const before = order === 'asc' ? sql`>` : sql`<`
    const where = and(
      eq(spec.org, sql.placeholder('orgId')),
      scoped && equal(scoped, sql.placeholder('scopeUser')),
      ...filters.filter(([n]) => used.includes(n)).map(([n, f]) => equal(f, sql.placeholder(n))),
      ...ranges
        .filter(([n]) => used.includes(n))
        .map(
          ([n, r]) =>
            sql`${r.column === key ? r.column : sql`+${r.column}`} ${r.op === '>=' ? sql`>=` : sql`<=`} ${sql.placeholder(n)}`,
        ),
      paged
        ? key
          ? sql`(${key}, ${spec.id}) ${before} (${sql.placeholder('afterKey')}, ${sql.placeholder('afterId')})`
          : sql`${spec.id} ${before} ${sql.placeholder('afterId')}`
        : undefined,
    )
    return { where, key }
  }

  function page(db: Db, shape: Shape) {
    const { where, key } = conditions(shape)
    const way = shape.order === 'asc' ? asc : desc
    return db
      .select({ ...spec.columns, ...(key ? { sortKey: sql`${key}` } : {}) } as Columns)
      .from(spec.table)
      .where(where)
      .orderBy(...(key ? [way(key), way(spec.id)] : [way(spec.id)]))
      .limit(sql.placeholder('limit'))
      .toSQL()
  }
  const total = (db: Db, shape: Shape) =>
    db
      .select({ n: count() })
      .from(spec.table)
      .where(conditions({ ...shape, paged: false }).where)
      .toSQL()

  const names = [...filters.map(([n]) => n), ...ranges.map(([n]) => n)] as (F | R)[]
  lists.push({
    name: spec.name,
    shapes: (db) => {
      const base = filters.flatMap(([n, f]) => (f.base ? [n] : []))
      const subsets: string[][] = [base]
      for (const n of names) if (!base.includes(n as F)) subsets.push(...subsets.map((s) => [...s, n]))
      const scopes = ['all', ...Object.keys(spec.scopes)] as Scope['kind'][]
      return subsets
        .filter((s) => s.length <= base.length + 3)
        .flatMap((used) =>
          scopes.flatMap((scope) =>
            (['asc', 'desc'] as const).flatMap((order) =>
              [true, false].map((paged) => page(db, { used, scope, order, paged }).sql),
            ),
          ),
        )
    },
  })

  const prepared = new WeakMap<Db, Map<string, { all: (values: Record<string, unknown>) => unknown[][] }>>()
  function statement(db: Db, kind: 'page' | 'total', shape: Shape) {
    let kept = prepared.get(db)
    if (!kept) {
      kept = new Map()
      prepared.set(db, kept)
    }
    const name = `${kind} ${shape.scope} ${shape.order} ${shape.paged} ${shape.used.join(' ')}`
    let found = kept.get(name)
    if (!found) {
      const built = kind === 'page' ? page(db, shape) : total(db, shape)
      const native = db.$client.prepare(built.sql).raw()
      const bind = binder(built.params)
      found = { all: (values) => native.all(...bind(values)) as unknown[][] }
      kept.set(name, found)
    }
    return found
  }

  const width = Object.keys(spec.columns).length
  return (db: Db, q: ListQuery<F | R> & { readonly count?: boolean | undefined }) => {
    const used = names.filter((n) => q.values[n] !== undefined)
    const shape: Shape = { used, scope: q.scope.kind, order: q.order, paged: q.after !== undefined }
    const values = {
      ...q.values,
      orgId: q.orgId,
      scopeUser: q.scope.userId,
      limit: q.limit + 1,
      afterKey: q.after?.[0],
      afterId: q.after?.at(-1),
    }
    const cells = statement(db, 'page', shape).all(values)
    const more = cells.length > q.limit
    if (more) cells.pop()
    const last = cells.at(-1)
    const rows = cells.map(read)
    const lastId = last?.[Object.keys(spec.columns).indexOf('id')]
    const ranged = ranges.some(([n]) => used.includes(n))
    return {
      rows,
      /** Where the next page begins, if there is one. */
      next: more && last ? (ranged ? [String(last[width]), String(lastId)] : [String(lastId)]) : undefined,
      total: q.count ? Number(statement(db, 'total', shape).all(values)[0]?.[0] ?? 0) : undefined,
    }
  }
}
