// The migrations make what db/schema describes: tables, columns, keys, indexes, checks, triggers.
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { migrations } from '../db/migrations.ts'
import { attach } from '../db/open.ts'
import { triggers } from '../db/triggers.ts'

const db = join(import.meta.dirname, '../db')
const modules = await Promise.all(
  readdirSync(join(db, 'schema')).map((name) => import(join(db, 'schema', name)) as Promise<Record<string, unknown>>),
)
const schema = Object.assign({}, ...modules) as Record<string, unknown>
const tables = Object.values(schema)
  .filter((value) => value instanceof SQLiteTable)
  .map((table) => getTableConfig(table))
const { client } = attach(new Database(':memory:'))
const all = (sql: string, ...of: unknown[]) => client.prepare(sql).all(...of) as Record<string, unknown>[]
const words = (sql: string, ...of: unknown[]) =>
  client
    .prepare(sql)
    .pluck()
    .all(...of) as string[]
const definition = (name: string) => String(words('select sql from sqlite_master where name = ?', name)[0])

test('the newest migration describes the schema: nothing is left to generate', async () => {
  const folder = join(db, 'migrations/meta')
  const last =
    readdirSync(folder)
      .filter((name) => name.endsWith('_snapshot.json'))
      .sort()
      .at(-1) ?? ''
  const before = JSON.parse(readFileSync(join(folder, last), 'utf8'))
  expect(await generateSQLiteMigration(before, await generateSQLiteDrizzleJson(schema, before.id))).toEqual([])
})

test('every migration file runs, in order, and tables it makes are STRICT', () => {
  const files = readdirSync(join(db, 'migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
  expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files)
  expect(migrations.map(({ sql }) => sql)).toEqual(
    files.map((name) => readFileSync(join(db, 'migrations', name), 'utf8')),
  )
})

/** The index of the search, which triggers.sql makes, with the tables that it keeps itself in. */
const SEARCH = ['', '_config', '_content', '_data', '_docsize', '_due', '_idx'].map((end) => `search${end}`)
test('the database has the tables of the schema and no others', () => {
  expect(
    words("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name"),
  ).toEqual([...tables.map(({ name }) => name), ...SEARCH].sort())
})

for (const table of tables) {
  const { name } = table
  test(`${name} is as described`, () => {
    expect(words('select strict from pragma_table_list where name = ?', name)).toEqual([1 as never])
    const keys =
      table.primaryKeys[0]?.columns.map((c) => c.name) ?? table.columns.filter((c) => c.primary).map((c) => c.name)
    expect(
      all(
        'select name, lower(type) type, "notnull" as needed, dflt_value as preset, pk from pragma_table_xinfo(?)',
        name,
      ),
    ).toEqual(
      table.columns.map((c) => ({
        name: c.name,
        type: c.getSQLType(),
        needed: c.notNull ? 1 : 0,
        preset: c.default === undefined ? null : typeof c.default === 'string' ? `'${c.default}'` : String(c.default),
        pk: keys.indexOf(c.name) + 1,
      })),
    )
    const indexes = [
      ...table.indexes.map(({ config }) => ({
        name: config.name,
        only: config.unique ? 1 : 0,
        part: config.where ? 1 : 0,
        columns: config.columns.map((c) => ('name' in c ? c.name : '')).join(),
      })),
      ...table.uniqueConstraints.map((u) => ({
        name: u.name ?? '',
        only: 1,
        part: 0,
        columns: u.columns.map((c) => c.name).join(),
      })),
    ]
    expect(
      all(
        `select name, "unique" as only, partial as part, (select group_concat(coalesce(name, '')) from pragma_index_info(list.name)) as columns
         from pragma_index_list(?) list where origin = 'c' order by name`,
        name,
      ).sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
    ).toEqual(indexes.sort((a, b) => (a.name < b.name ? -1 : 1)))
    for (const { name: check } of table.checks) expect(definition(name)).toContain(`CONSTRAINT "${check}" CHECK`)
    const references = table.foreignKeys.map((key) => {
      const { columns, foreignColumns, foreignTable } = key.reference()
      return `${columns.map((c) => c.name).join()} -> ${getTableConfig(foreignTable).name}(${foreignColumns.map((c) => c.name).join()}) ${(key.onDelete ?? 'no action').toUpperCase()}`
    })
    expect(
      words(
        `select group_concat("from") || ' -> ' || "table" || '(' || group_concat("to") || ') ' || on_delete
         from (select * from pragma_foreign_key_list(?) order by id, seq) group by id`,
        name,
      ).sort(),
    ).toEqual(references.sort())
  })
}

test('rows of one organization cannot refer to rows of another: such keys carry org_id', () => {
  const loose = tables.flatMap(({ name, foreignKeys, columns }) =>
    columns.some((c) => c.name === 'org_id')
      ? foreignKeys
          .map((key) => key.reference())
          .filter(
            ({ columns: from, foreignTable }) =>
              getTableConfig(foreignTable).columns.some((c) => c.name === 'org_id') && from[0]?.name !== 'org_id',
          )
          .map(({ columns: from }) => `${name}.${from.map((c) => c.name).join()}`)
      : [],
  )
  expect(loose).toEqual([])
})

test('an integer column takes no text', () => {
  const insert = client.prepare(
    `insert into organization(id, tva_registered, time_zone, locale, issue_days_before, require_proof, created_at, updated_at)
     values('x', 0, 'Africa/Douala', 'fr', ?, 0, '', '')`,
  )
  expect(() => insert.run('12abc')).toThrow(/cannot store TEXT value in INTEGER column/)
})

test('triggers.ts makes the triggers, each once', () => {
  const declared = [...triggers.matchAll(/^CREATE TRIGGER (\w+)/gm)].map(([, name]) => name ?? '')
  expect(words("select name from sqlite_master where type = 'trigger' order by name")).toEqual(declared.sort())
  expect(new Set(declared).size).toBe(declared.length)
})
