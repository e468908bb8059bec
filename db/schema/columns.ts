import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { customType, index } from 'drizzle-orm/sqlite-core'

/** A JSON column. NULL never reaches it: query.ts leaves NULL as it is. */
export const json = <T>() =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    toDriver: JSON.stringify,
    fromDriver: JSON.parse,
  })

export const flag = customType<{ data: boolean; driverData: number }>({
  dataType: () => 'integer',
  toDriver: Number,
  fromDriver: Boolean,
})

type Cols = readonly AnySQLiteColumn[]
/** The name of a list's index, by its columns between the organization and the id. */
export const indexName = (table: string, cols: Cols): string => `${table}_${cols.map((c) => c.name).join('_')}`
/**
 * The indexes of a keyset list: each filter and each range with the id, both again within each scope (the rows of one
 * owner or one tenant), and the pairs whose values many rows may share. Names are `<table>_<columns>`.
 */
export function listIndexes(
  table: string,
  org: AnySQLiteColumn,
  id: AnySQLiteColumn,
  by: { filters?: Cols; scopes?: Cols; ranges?: Cols; pairs?: readonly Cols[] },
) {
  const { filters = [], scopes = [], ranges = [], pairs = [] } = by
  return [
    ...filters.map((f) => [f]),
    ...scopes.map((s) => [s]),
    ...ranges.map((r) => [r]),
    ...scopes.flatMap((s) => ranges.map((r) => [s, r])),
    ...pairs,
  ].map((cols) => index(indexName(table, cols)).on(org, ...cols, id))
}
