import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { customType, index } from 'drizzle-orm/sqlite-core'

/** A JSON column that keeps NULL as NULL through placeholders (Drizzle's own mode writes the text 'null'). */
export const json = <T>() =>
  customType<{ data: T; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (v) => (v === null || v === undefined ? null : JSON.stringify(v)),
    fromDriver: (v) => JSON.parse(v ?? 'null') as T,
  })

/** A boolean column that keeps NULL as NULL through placeholders (Drizzle's own mode writes 0). */
export const flag = customType<{ data: boolean; driverData: number | null }>({
  dataType: () => 'integer',
  toDriver: (v) => (v === null || v === undefined ? null : v ? 1 : 0),
  fromDriver: (v) => v === 1,
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
