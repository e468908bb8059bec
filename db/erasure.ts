import { getTableColumns, getTableName } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

/** What no erasure touches: which row it is, and when it was written. */
const ALWAYS = ['id', 'orgId', 'createdAt', 'updatedAt', 'version'] as const

/** By table: the members in free text that an erasure takes away. The audit trail, which stays, never spells them out. */
const personal = new Map<string, Set<string>>()
/** Whether a member of a row says something about a person that an erasure takes away. */
export const isPersonal = (table: string, member: string): boolean => personal.get(table)?.has(member) ?? false

/**
 * The members of a row when its person is erased: every column but those named in `stays` gets its value of `instead`, or
 * NULL, or its default. A column that is added later goes, unless somebody names it here.
 * @throws Error at the start of the program for a column that can be neither NULL nor its default
 */
export function erased<
  T extends SQLiteTable,
  const S extends keyof T['$inferSelect'],
  I extends Partial<T['$inferSelect']> = object,
>(table: T, stays: readonly S[], instead?: I): Omit<T['$inferSelect'], S | (typeof ALWAYS)[number]> {
  const retained: readonly unknown[] = [...ALWAYS, ...stays]
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => !retained.includes(name))
  const tableName = getTableName(table)
  const said = (member: string): boolean =>
    instead?.[member as keyof I] !== undefined && instead[member as keyof I] !== ''
  const words = columns.filter(
    ([member, column]) =>
      column.getSQLType() === 'text' && !column.enumValues?.length && !/(Id|By|At)$/.test(member) && !said(member),
  )
  personal.set(tableName, new Set([...(personal.get(tableName) ?? []), ...words.map(([member]) => member)]))
  const empty = ([name, column]: [string, AnySQLiteColumn]): unknown => {
    if (instead && name in instead) return instead[name as keyof I]
    if (column.notNull && column.default === undefined) throw new Error(`say what becomes of ${name} in an erasure`)
    return column.notNull ? column.default : null
  }
  return Object.fromEntries(columns.map((column) => [column[0], empty(column)])) as never
}
