import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Scope, ScopeKind } from '../src/core/reach.ts'
import type { Added, ListSpec } from './list-spec.ts'
import type { Db } from './open.ts'
import { binder, type Columns, perDb, statements } from './query.ts'

type Member<S> = S extends SQL<infer T> ? T : never
/** What stands beside a row's columns; a member without a value is absent. */
export type Beside<A> = { [K in keyof A]?: Member<A[K]> }

/** Drizzle leaves the table out of a column that stands alone, which a join would make ambiguous. */
export const fields = (members: readonly (readonly [string, unknown])[]): Record<string, SQL.Aliased> =>
  Object.fromEntries(members.map(([name, column]) => [name, sql`${sql`${column}`}`.as(name)]))

/** Completes a native row of a list in place: NULL leaves a computed member out, JSON is read. */
export function completed(row: Record<string, unknown>, names: readonly string[], json: readonly string[] = []): void {
  for (const name of names) if (row[name] === null) row[name] = undefined
  for (const name of json) if (typeof row[name] === 'string') row[name] = JSON.parse(row[name])
}

/**
 * `beside(db, orgId, scope, id)`: the computed members of a list, of one row that the caller may see; `scope` is what the
 * caller is to that row.
 */
export function besideReader<C extends Columns, F extends string, R extends string, A extends Added>(
  { name, table, org, id, joins, json }: ListSpec<C, F, R, A>,
  added: Readonly<Record<ScopeKind, [string, SQL][]>>,
) {
  const built = (db: Db, scope: ScopeKind) =>
    db
      .select(fields(added[scope]))
      .from(sql`${table} ${joins ?? sql.empty()}`)
      .where(and(eq(org, sql.placeholder('orgId')), eq(id, sql.placeholder('id'))))
      .toSQL()
  const kinds = (['all', 'owner', 'limited', 'tenant'] as const).filter((kind) => added[kind].length > 0)
  for (const kind of kinds) statements.push({ name: `${name}.beside.${kind}`, sql: (db) => built(db, kind).sql })
  const names = added.all.map(([member]) => member)
  const prepared = perDb(() => new Map<ScopeKind, (values: Record<string, unknown>) => unknown>())
  return (db: Db, orgId: string, scope: Scope, rowId: string): Beside<A> => {
    const of = prepared(db)
    let read = of.get(scope.kind)
    if (!read) {
      const { sql: text, params } = built(db, scope.kind)
      const statement = db.$client.prepare(text)
      const bind = binder(params)
      read = (values) => statement.get(...bind(values))
      of.set(scope.kind, read)
    }
    const row = (read({ orgId, id: rowId, scopeUser: scope.userId, self: scope.userId }) ?? {}) as Record<
      string,
      unknown
    >
    completed(row, names, json)
    return row as Beside<A>
  }
}
