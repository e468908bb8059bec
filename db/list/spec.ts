import { getTableColumns, type Placeholder, type SQL } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Scope, ScopeKind } from '../../src/core/scope.ts'
import type { Columns } from '../query.ts'

export type ListQuery<K extends string> = {
  readonly orgId: string
  readonly scope: Scope
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** The last row's key: [id], or [range value, id]. */
  readonly after?: readonly string[] | undefined
  readonly values: { readonly [N in K]?: string | undefined }
  /** Further filters, each an answer of its own; the list is all of them together. */
  readonly branches?: readonly Readonly<Record<string, string>>[] | undefined
  /** Whether the total is asked for. */
  readonly count?: boolean | undefined
}

type Condition = (p: Placeholder, scope: ScopeKind) => SQL
export type Filter = {
  readonly column?: AnySQLiteColumn
  /** A condition that is more than a plain equality; `scopeUser` and `self`, the caller, are parameters of every statement. */
  readonly where?: Condition
  /** Selects fewer rows than the scope of one owner or tenant: its index is preferred to the scope's. */
  readonly narrow?: boolean
  /** Finds a few rows of several keys, such as the leases of a tenant: they are sorted. */
  readonly few?: boolean
  /** May be given several values, separated by commas; one filter of a list at most. */
  readonly several?: boolean
  /** Every index of this list contains this column, as it does the organization. */
  readonly base?: boolean
}
/** The list is read property by property and merged: `scopeUser` is then the id of a property. */
export type Each = { readonly each?: true }
export type Range = { readonly column: AnySQLiteColumn; readonly op: '>=' | '<=' }

/** Of a list: the rows of one property after the other, for a limited manager. */
export const ofProperty = (column: AnySQLiteColumn): Filter & { readonly each: true } => ({ column, each: true })

/** Members of a response that are computed, by name; NULL leaves them out. */
export type Computed = Readonly<Record<string, SQL>>

/** The columns that a list shows: all but those named, and what only this service needs of every row. */
export function listColumns<T extends SQLiteTable, const H extends keyof T['_']['columns'] = never>(
  table: T,
  ...hidden: readonly H[]
): Omit<T['_']['columns'], H | 'updatedAt' | 'version'> {
  const left: readonly unknown[] = ['updatedAt', 'version', ...hidden]
  return Object.fromEntries(Object.entries(getTableColumns(table)).filter(([name]) => !left.includes(name))) as never
}

export type ListSpec<C extends Columns, F extends string, R extends string, A extends Computed> = {
  readonly name: string
  readonly table: SQLiteTable
  readonly org: AnySQLiteColumn
  readonly id: AnySQLiteColumn
  /** The columns in the response, by member name. */
  readonly columns: C
  /** What else stands in the response, of the joined tables, as far as this kind of caller may know it. */
  readonly computed?: (scope: ScopeKind, p: { readonly scopeUser: Placeholder; readonly self: Placeholder }) => A
  /** Those of them that are JSON. */
  readonly json?: readonly (keyof A & string)[]
  /** LEFT JOINs of at most one row each: the list's own table leads. */
  readonly joins?: SQL
  /** Members to filter by, the most selective first. */
  readonly filters: { readonly [K in F]: Filter }
  /** A list with a range is ordered by the range's column, then by id. */
  readonly ranges: { readonly [K in R]: Range }
  readonly scopes: { readonly tenant?: Filter } & (
    | { readonly owner?: never; readonly limited?: never }
    | { readonly owner: Filter; readonly limited: Filter & Each }
  )
  /**
   * Pairs with an index of their own: a filter and a range's column, or a scope and a filter; the most selective
   * first.
   */
  readonly pairs?: readonly (readonly [AnySQLiteColumn, AnySQLiteColumn])[]
  /** For a very large table: what its statements select by, instead of what the members above say. */
  readonly conditions?: (shape: Shape) => Conditions
}

/** One statement of a list. */
export type Shape = {
  readonly used: readonly string[]
  readonly scope: ScopeKind
  readonly order: 'asc' | 'desc'
  readonly paged: boolean
  /** One of several answers that are merged. */
  readonly merged?: boolean
  /** The statement counts. */
  readonly counted?: boolean
  /** Of a walk: `find` its last row, or end there. */
  readonly end?: 'find' | 'given' | undefined
}

/**
 * `place`: what orders rows of the same key; `sorted`: the few rows must be sorted, as no index orders them. `walks`: rows
 * are gone through in order, because a condition that no index knows chooses among them.
 */
export type Conditions = {
  readonly where: SQL | undefined
  readonly key: SQL | undefined
  readonly place: SQL
  readonly index: string | undefined
  readonly sorted: boolean
  readonly walks: boolean
}
