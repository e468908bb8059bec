// A column is named in its table and in the shape of the answer; what writes and lists rows takes it from the table.
import { expect, test } from 'bun:test'
import Database from 'better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { list, lists } from '../../db/list/list.ts'
import { listColumns } from '../../db/list/spec.ts'
import { attach } from '../../db/open.ts'
import { inserting, reading, saving, statements } from '../../db/query.ts'

const shed = sqliteTable('shed', {
  id: text().notNull(),
  orgId: text().notNull(),
  label: text().notNull(),
  secret: text().notNull(),
  createdAt: text().notNull(),
  updatedAt: text().notNull(),
  version: integer().notNull(),
  // the column that somebody has just added, and named nowhere else
  floor: integer(),
})
const before = statements.length
const insertShed = inserting('shed.insert', shed)
const findShed = reading('shed.byId', shed)
const saveShed = saving('shed', shed, 'secret')
const listSheds = list({
  name: 'sheds',
  table: shed,
  org: shed.orgId,
  id: shed.id,
  columns: listColumns(shed, 'secret'),
  filters: {},
  ranges: {},
  scopes: {},
})
// Its table is in no database of the service, whose statements another test explains.
statements.splice(before)
lists.pop()
const made = {
  id: 'a',
  orgId: 'o',
  label: 'A1',
  secret: 's',
  createdAt: 'then',
  updatedAt: 'then',
  version: 1,
  floor: null,
}

test('a new column is stored, read back and listed; what is left out by name is not', () => {
  const client = new Database(':memory:')
  client.exec(
    'create table shed (id text, "orgId" text, label text, secret text, "createdAt" text, "updatedAt" text, version integer, floor integer)',
  )
  const { db } = attach(client)
  const tx = db as Parameters<typeof insertShed>[0]
  insertShed(tx, made)
  const after = saveShed(tx, made, { label: 'A2', floor: 3, updatedAt: 'now' })
  const stored = { ...made, label: 'A2', floor: 3, updatedAt: 'now', version: 2 }
  expect([after, findShed(db, 'o', 'a')]).toEqual([stored, stored])
  // Written over a version that has gone: nothing.
  expect(saveShed(tx, made, { label: 'A3', floor: 4, updatedAt: 'later' })).toBeUndefined()
  expect(findShed(db, 'o', 'a')).toEqual(stored)
  const { rows } = listSheds(db, {
    orgId: 'o',
    scope: { kind: 'all', userId: '' },
    order: 'asc',
    limit: 10,
    values: {},
  })
  expect(rows).toEqual([{ id: 'a', orgId: 'o', label: 'A2', createdAt: 'then', floor: 3 }])
})
