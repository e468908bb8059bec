import { and, getTableName, type SQL, sql } from 'drizzle-orm'
import type { ScopeKind } from '../src/core/reach.ts'
import type { Added, Each, Filter, Found, Index, ListSpec, Range, Shape } from './list-spec.ts'
import type { Columns } from './query.ts'
import { indexName } from './schema/columns.ts'

/** What the statements of a list select by, and in which order. */
export function conditionsOf<C extends Columns, F extends string, R extends string, A extends Added, W>(
  spec: ListSpec<C, F, R, A, W>,
) {
  const filters = Object.entries(spec.filters) as [F, Filter][]
  const ranges = Object.entries(spec.ranges) as [R, Range][]
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
    /** One property has few enough rows to be sorted; an index by the range would hold those of all others, for each. */
    const of = scoped?.each && range ? scoped.column : undefined
    const orders = (i: Index) => i.range === range || i.few || (of && !i.range && i.on?.includes(of))
    const index = indexes.find(
      (i) =>
        (i.on ?? []).every((c) => columns.includes(c)) &&
        (i.most ? few && i.range === range : orders(i)) &&
        (!of || i.few || i.on?.includes(of)) &&
        (rare || !i.rare),
    )
    if (!index) throw new Error(`no index of ${spec.name} for ${used.join()}`)
    const sorted = index.few === true || index.most !== undefined || index.range !== range
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
    return { where, key, place, index: index.name, sorted, walks: false }
  }

  function conditions(shape: Shape, counted = false): Found {
    if (spec.indexes) return byIndex(spec.indexes, shape, counted)
    const { used, scope, order, paged, end } = shape
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
    const columns = filtersOf(used).map((f) => f.column)
    const pair = narrow
      ? undefined
      : spec.pairs?.find(([a, b]) =>
          range
            ? !scoped && b === range.column && columns.includes(a)
            : (scoped ? scoped.column === a : columns.includes(a)) && columns.includes(b),
        )
    const leads = (f: Filter): boolean => f.base || (pair ? pair.some((c) => c === f.column) : f === driver)
    const equals = [...(scoped ? [['scopeUser', scoped] as const] : []), ...filters.filter(([n]) => used.includes(n))]
    const chooses = (f: Filter) => f.where !== undefined && !(f.column ? leads(f) : f.few)
    const equal = ([name, f]: readonly [string, Filter]): SQL | undefined =>
      f.where
        ? end === 'find' && chooses(f)
          ? undefined
          : f.where(sql.placeholder(name), scope)
        : f.column && sql`${leads(f) ? f.column : sql`+${f.column}`} = ${sql.placeholder(name)}`
    // Sort the few rows of a narrow filter: the range's index would lead through the rows of everybody else.
    const key = range && (narrow ? sql`+${range.column}` : sql`${range.column}`)
    const [before, upTo, passed] = order === 'asc' ? [sql`>`, sql`<=`, '<='] : [sql`<`, sql`>=`, '>=']
    const beyond = (way: SQL, of: 'after' | 'end') =>
      key
        ? sql`(${key}, ${spec.id}) ${way} (${sql.placeholder(`${of}Key`)}, ${sql.placeholder(`${of}Id`)})`
        : sql`${spec.id} ${way} ${sql.placeholder(`${of}Id`)}`
    const where = and(
      sql`${spec.org} = ${sql.placeholder('orgId')}`,
      ...equals.map(equal),
      ...ranges
        // The end of a walk lies within its range, and SQLite goes by one of two bounds.
        .filter(([n, r]) => used.includes(n) && !(end === 'given' && r.column === range?.column && r.op === passed))
        .map(
          ([n, r]) =>
            sql`${r.column === range?.column ? key : sql`+${r.column}`} ${r.op === '>=' ? sql`>=` : sql`<=`} ${sql.placeholder(n)}`,
        ),
      paged ? beyond(before, 'after') : undefined,
      end === 'given' ? beyond(upTo, 'end') : undefined,
    )
    // Of two indexes with the range, the planner may choose the one that leads through everybody's rows.
    const by = range && !narrow && !filtersOf(used).some((f) => f.base) ? scoped?.column : undefined
    const index =
      by && range ? indexName(getTableName(spec.table), [by, range.column]) : counted ? spec.countedBy : undefined
    const sorted = narrow !== undefined && (range !== undefined || narrow.few === true)
    // A few rows of several keys come in no order of ids.
    const place = narrow?.few ? sql`+${spec.id}` : sql`${spec.id}`
    return { where, key, place, index, sorted, walks: !sorted && equals.some(([, f]) => chooses(f)) }
  }

  return { conditions, scopedBy, filtersOf, rangeOf }
}
