import { and, eq, type SQL, sql } from 'drizzle-orm'
import { holds, isPart, type Scope, type ScopeKind } from '../../src/core/scope.ts'
import type { Db } from '../open.ts'
import { binder, type Columns, perDb, statements } from '../query.ts'
import type { Computed, ListSpec } from './spec.ts'

type Member<S> = S extends SQL<infer T> ? T : never
/** The computed members of a row; one without a value is absent. */
export type ComputedRow<A> = { [K in keyof A]?: Member<A[K]> }

/** Drizzle leaves the table out of a column that stands alone, which a join would make ambiguous. */
export const fields = (members: readonly (readonly [string, unknown])[]): Record<string, SQL.Aliased> =>
  Object.fromEntries(members.map(([name, column]) => [name, sql`${sql`${column}`}`.as(name)]))

/** Completes a native row of a list in place: NULL leaves a computed member out, JSON is read. */
export function completed(row: Record<string, unknown>, names: readonly string[], json: readonly string[] = []): void {
  for (const name of names) if (row[name] === null) row[name] = undefined
  for (const name of json) if (typeof row[name] === 'string') row[name] = JSON.parse(row[name])
}

type Seen = { readonly id: string; readonly ownerUserId?: string; readonly propertyId?: string | null }
/** What a caller is to a row: an owner may rent from another one of the organization, and is its tenant then. */
function kindFor(scope: Scope, { ownerUserId, propertyId }: Seen): ScopeKind {
  const isOwned = ownerUserId !== undefined && typeof propertyId === 'string'
  return isOwned && isPart(scope) && !holds(scope, { ownerUserId, propertyId }) ? 'tenant' : scope.kind
}

/** `computed(db, caller, row)`: the computed members of a list, of one row that the caller may see. */
export function computedReader<C extends Columns, F extends string, R extends string, A extends Computed>(
  { name, table, org, id, joins, json }: ListSpec<C, F, R, A>,
  computed: Readonly<Record<ScopeKind, [string, SQL][]>>,
) {
  const built = (db: Db, scope: ScopeKind) =>
    db
      .select(fields(computed[scope]))
      .from(sql`${table} ${joins ?? sql.empty()}`)
      .where(and(eq(org, sql.placeholder('orgId')), eq(id, sql.placeholder('id'))))
      .toSQL()
  const kinds = (['all', 'owner', 'limited', 'tenant'] as const).filter((kind) => computed[kind].length > 0)
  for (const kind of kinds) statements.push({ name: `${name}.computed.${kind}`, sql: (db) => built(db, kind).sql })
  const names = computed.all.map(([member]) => member)
  const prepared = perDb(() => new Map<ScopeKind, (values: Record<string, unknown>) => unknown>())
  return (db: Db, { orgId, scope }: { readonly orgId: string; readonly scope: Scope }, row: Seen): ComputedRow<A> => {
    const of = prepared(db)
    const kind = kindFor(scope, row)
    let read = of.get(kind)
    if (!read) {
      const { sql: text, params } = built(db, kind)
      const statement = db.$client.prepare(text)
      const bind = binder(params)
      read = (values) => statement.get(...bind(values))
      of.set(kind, read)
    }
    const { userId } = scope
    const values = (read({ orgId, id: row.id, scopeUser: userId, self: userId }) ?? {}) as Record<string, unknown>
    completed(values, names, json)
    return values as ComputedRow<A>
  }
}
