// Every table of an archive, filled or not by the people of the tests: no column of it may name what is here.
import { describe, expect, test } from 'bun:test'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as challenges from '../../../db/schema/challenges.ts'
import * as contracts from '../../../db/schema/contracts.ts'
import * as documents from '../../../db/schema/documents.ts'
import * as inspections from '../../../db/schema/inspections.ts'
import * as properties from '../../../db/schema/properties.ts'
import * as verification from '../../../db/schema/verification.ts'
import { transferTables } from '../../../db/transfer.ts'
import { rowChecker, strangers } from '../../../db/transfer-checks.ts'
import { createTestApp, uuid } from '../../support/app.ts'
import { packAll, type Row, restore, rowsIn } from '../../support/archives.ts'
import { jpegOf, upload } from '../../support/files.ts'
import { world } from '../../support/world.ts'

const source = createTestApp()
const their = await world(source, 'elsewhere')
const first = (table: string): Row =>
  source.rows(`select * from ${table} where org_id = ? limit 1`, their.orgId)[0] ?? {}
const lease = their.bookings.ACTIVE
const contract = source.rows("select id from document where kind = 'LEASE_CONTRACT' and booking_id = ?", lease)[0]?.id

const FILLED = new Map(
  [challenges, contracts, documents, inspections, properties, verification]
    .flatMap((file): unknown[] => Object.values(file))
    .flatMap((table) => (is(table, SQLiteTable) ? [getTableConfig(table)] : []))
    .map((config) => [config.name, config.columns]),
)
/** What a column that must not be empty holds in a row made here. */
function madeUp(column: { name: string; enumValues?: readonly string[] | undefined; getSQLType(): string }) {
  const { name, enumValues } = column
  if (enumValues?.[0]) return enumValues[0]
  if (name === 'org_id') return their.orgId
  if (column.getSQLType() !== 'text') return 1
  if (name.endsWith('_at')) return '2026-03-01T00:00:00.000Z'
  if (name.endsWith('sha256')) return '0'.repeat(64)
  if (name.endsWith('_by') || name.endsWith('user_id')) return their.userIds.ana
  return name.endsWith('id') ? uuid(`${name} made up`) : '[]'
}
function fill(table: string, given: Row): void {
  const columns = (FILLED.get(table) ?? []).filter(({ notNull, name }) => notNull || name in given)
  const values = columns.map((column) => given[column.name] ?? madeUp(column))
  source.deps.store.client
    .prepare(
      `insert into ${table} (${columns.map(({ name }) => name).join()}) values (${columns.map(() => '?').join()})`,
    )
    .run(...values)
}
const photo = { ownerType: 'PROPERTY', ownerId: their.properties.PUBLISHED, kind: 'PHOTO', contentType: 'image/jpeg' }
const scan = { media_object_id: (await upload(source, their.as.ana, photo, await jpegOf(40, 30))).body.id }
fill('assignment', { user_id: their.userIds.mia, property_id: their.properties.PUBLISHED })
fill('lease_template', {})
fill('lease_party', { booking_id: lease })
fill('signed_copy', { booking_id: lease, ...scan })
fill('inspection_photo', { inspection_id: first('inspection').id, ...scan })
fill('inspection_signature', { inspection_id: first('inspection').id, document_id: contract, status: 'VALID' })
fill('verification_document', { case_id: first('verification_case').id, ...scan })
fill('consent', {})
const good = await packAll(source, their.orgId)

const t = createTestApp()
const w = await world(t)
const HERE = [w.userIds.tom, w.bookings.ACTIVE, w.properties.PUBLISHED]

test('each table has a row in the archive', () => {
  expect(transferTables.filter((table) => rowsIn(good, table).length === 0)).toEqual([])
})

/** What every row of an archive goes through before it is written. */
const comes = (table: string, row: Row) =>
  t.deps.write(null, (tx) => {
    strangers(tx, their.orgId)(table, rowChecker(table, their.orgId).check(row))
    return true
  })
describe.each(transferTables)('a row of %s is refused', (table) => {
  const [row = {}] = rowsIn(good, table)
  const last = String(Object.keys(row).at(-1))
  test('with any cell that names something here, also inside JSON', async () => {
    await comes(table, row)
    const cells = Object.entries(row).filter(([name, value]) => typeof value === 'string' && name !== 'org_id')
    expect(cells.length).toBeGreaterThan(0)
    for (const [name, value] of cells)
      for (const id of HERE) {
        const named = /^[[{]/.test(String(value)) ? JSON.stringify([{ deep: { id } }]) : id
        await expect(comes(table, { ...row, [name]: named })).rejects.toThrow(
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

test('as it is, it comes in, and the trail says what and by whom', async () => {
  const done = await restore(t, good, false)
  expect(done.rows).toBe(transferTables.reduce((n, table) => n + rowsIn(good, table).length, 0))
  expect(
    t.rows("select details from audit_entry where action = 'organization.import' and org_id = ?", w.orgId),
  ).toEqual([{ details: expect.stringContaining('"by":"root"') }])
})
