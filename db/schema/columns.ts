import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { customType, index } from 'drizzle-orm/sqlite-core'

/** A JSON column. NULL never comes here: query.ts keeps it as NULL. */
export const json = <T>() =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    toDriver: JSON.stringify,
    fromDriver: JSON.parse,
  })

/** A boolean column. */
export const flag = customType<{ data: boolean; driverData: number }>({
  dataType: () => 'integer',
  toDriver: Number,
  fromDriver: Boolean,
})

type Cols = readonly AnySQLiteColumn[]
/**
 * The indexes that a keyset list needs: each filter with the id, each range with the id, and both again
 * within each scope (what one owner or one tenant sees); and the pairs that many rows may share. Names are
 * `<table>_<columns>`.
 */
export function listIndexes(
  table: string,
  org: AnySQLiteColumn,
  id: AnySQLiteColumn,
  by: { filters?: Cols; scopes?: Cols; ranges?: Cols; pairs?: readonly Cols[] },
) {
  const { filters = [], scopes = [], ranges = [], pairs = [] } = by
  const name = (cols: Cols) => `${table}_${cols.map((c) => c.name).join('_')}`
  return [
    ...filters.map((f) => [f]),
    ...scopes.map((s) => [s]),
    ...ranges.map((r) => [r]),
    ...scopes.flatMap((s) => ranges.map((r) => [s, r])),
    ...pairs,
  ].map((cols) => index(name(cols)).on(org, ...cols, id))
}
