// Every table of an archive, those of tomorrow too: no cell of it may name what is here, nor hold what has no place.
import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { is } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { rowChecker, strangers } from '../../../../db/transfer/checks.ts'
import { transferTables } from '../../../../db/transfer/transfer.ts'
import { createTestApp, uuid } from '../../../support/app.ts'
import { packAll, type Row, rowsIn } from '../../../support/archives.ts'
import { world } from '../../../support/world.ts'

const folder = new URL('../../../../db/schema/', import.meta.url)
const schema = await Promise.all(readdirSync(folder).map((name): Promise<Row> => import(new URL(name, folder).href)))
const COLUMNS = new Map(
  schema
    .flatMap((file) => Object.values(file))
    .flatMap((table) => (is(table, SQLiteTable) ? [getTableConfig(table)] : []))
    .map((config): [string, SQLiteColumn[]] => [config.name, config.columns]),
)
const source = createTestApp()
const their = await world(source, 'elsewhere')
const good = await packAll(source, their.orgId)
const t = createTestApp()
const w = await world(t)
const HERE = [w.userIds.tom, w.bookings.ACTIVE, w.properties.PUBLISHED]

/** What fits in a column of a table that nobody of the tests has filled. */
function fitting(column: SQLiteColumn): string | number {
  const { name, enumValues, columnType } = column
  if (enumValues?.[0]) return enumValues[0]
  if (name === 'org_id') return their.orgId
  if (column.getSQLType() !== 'text') return 1
  if (columnType === 'SQLiteCustomColumn') return '[]'
  const FORMS: [RegExp, string][] = [
    [/_at$/, '2026-03-01T00:00:00.000Z'],
    [/_on$|_date$|^period_/, '2026-03-01'],
    [/currency$/, 'XAF'],
    [/sha256$/, '0'.repeat(64)],
    [/^phone_number$/, '+237677999888'],
  ]
  return FORMS.find(([form]) => form.test(name))?.[1] ?? uuid(`new ${name}`)
}
const rowOf = (table: string): Row =>
  rowsIn(good, table)[0] ??
  Object.fromEntries((COLUMNS.get(table) ?? []).map((column) => [column.name, fitting(column)]))

/** Text as JSON may write it: each character by its code. */
const codes = (text: string): string =>
  text.replaceAll(/./g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** What every row of an archive goes through before it is written. */
const comes = (table: string, row: Row) =>
  t.deps.write(null, (tx) => {
    strangers(tx, their.orgId)(table, rowChecker(table, their.orgId).check(row))
    return true
  })

describe.each(transferTables)('a row of %s is refused', (table) => {
  const row = rowOf(table)
  const last = String(Object.keys(row).at(-1))
  test('with any cell that names something here, also inside JSON', async () => {
    expect(await comes(table, row)).toBe(true)
    const cells = Object.entries(row).filter(([name, value]) => typeof value === 'string' && name !== 'org_id')
    // A book says nothing but until when it is closed.
    expect(cells.length > 0 || table === 'book').toBe(true)
    for (const [name, value] of cells)
      for (const id of HERE) {
        const named = /^[[{]/.test(String(value)) ? JSON.stringify([{ deep: { id } }]) : id
        const coded = named.replace(id, codes(id))
        for (const cell of named === id ? [named] : [named, coded])
          await expect(comes(table, { ...row, [name]: cell })).rejects.toThrow(
            /is here already|no value that fits|another org/,
          )
      }
  })
  test('of another organization, with a member that nobody knows, above all size, or without its organization', async () => {
    const key = table === 'organization' ? 'id' : 'org_id'
    const { [key]: _, ...without } = row
    await expect(comes(table, { ...row, [key]: w.orgId })).rejects.toThrow('is of another organization')
    await expect(comes(table, { ...row, admin: 1 })).rejects.toThrow('a member that nobody knows')
    await expect(comes(table, { ...row, [last]: `"${'x'.repeat(1_000_001)}"` })).rejects.toThrow('no value that fits')
    await expect(comes(table, without)).rejects.toThrow('no value that fits')
  })
})
