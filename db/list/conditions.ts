import { and, getTableName, type SQL, sql } from 'drizzle-orm'
import type { ScopeKind } from '../../src/core/scope.ts'
import type { Columns } from '../query.ts'
import { indexName } from '../schema/columns.ts'
import type { Computed, Conditions, Each, Filter, ListSpec, Range, Shape } from './spec.ts'

/** What the statements of a list select by, and in which order. */
export function conditionsOf<C extends Columns, F extends string, R extends string, A extends Computed>(
  spec: ListSpec<C, F, R, A>,
) {
  const filters = Object.entries(spec.filters) as [F, Filter][]
  const ranges = Object.entries(spec.ranges) as [R, Range][]
  const scopedBy = (scope: ScopeKind): (Filter & Each) | undefined => (scope === 'all' ? undefined : spec.scopes[scope])
  const filtersOf = (used: readonly string[]) => filters.filter(([n]) => used.includes(n)).map(([, f]) => f)
  const narrowest = (used: readonly string[]) => filtersOf(used).find((f) => f.narrow)

  function conditions(shape: Shape): Conditions {
    if (spec.conditions) return spec.conditions(shape)
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
    const chooses = (f: Filter) => !(f.column ? leads(f) : f.few)
    const isOther = ([name, r]: readonly [string, Range]) => used.includes(name) && r.column !== range?.column
    const equal = ([name, f]: readonly [string, Filter]): SQL | undefined => {
      if (end === 'find' && chooses(f)) return undefined
      if (f.where) return f.where(sql.placeholder(name), scope)
      return f.column && sql`${leads(f) ? f.column : sql`+${f.column}`} = ${sql.placeholder(name)}`
    }
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
        .filter((one) => !(end === 'find' && isOther(one)))
        .map(
          ([n, r]) =>
            sql`${r.column === range?.column ? key : sql`+${r.column}`} ${r.op === '>=' ? sql`>=` : sql`<=`} ${sql.placeholder(n)}`,
        ),
      paged ? beyond(before, 'after') : undefined,
      end === 'given' ? beyond(upTo, 'end') : undefined,
    )
    // Of two indexes with the range, the planner may choose the one that leads through everybody's rows.
    const by = range && !narrow && !filtersOf(used).some((f) => f.base) ? scoped?.column : undefined
    const index = by && range ? indexName(getTableName(spec.table), [by, range.column]) : undefined
    const sorted = narrow !== undefined && (range !== undefined || narrow.few === true)
    // A few rows of several keys come in no order of ids.
    const place = narrow?.few ? sql`+${spec.id}` : sql`${spec.id}`
    const walks = !narrow && (equals.some(([, f]) => chooses(f)) || ranges.some(isOther))
    return { where, key, place, index, sorted, walks }
  }

  return { conditions, scopedBy }
}
