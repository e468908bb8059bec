// A list by a range that has no index of its own for one owner: few rows are sorted, many are picked from everybody's.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import Database from 'better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { list, lists } from '../../db/list.ts'
import { attach } from '../../db/open.ts'

const bill = sqliteTable('bill', {
  id: text().notNull(),
  org: text().notNull(),
  owner: text().notNull(),
  at: text().notNull(),
  n: integer().notNull(),
})
const listBills = list({
  name: 'bills',
  table: bill,
  org: bill.org,
  id: bill.id,
  columns: { id: bill.id, n: bill.n },
  filters: {},
  ranges: { since: { column: bill.at, op: '>=' } },
  scopes: { owner: { column: bill.owner }, limited: { column: bill.owner, each: true } },
  indexes: [
    { name: 'bill_owner', on: [bill.owner], range: bill.at, most: 3 },
    { name: 'bill_owner', on: [bill.owner] },
    { name: 'bill_at', range: bill.at },
    { name: 'bill_id' },
  ],
})
// Its table is in no database of the service, whose statements another test explains.
lists.pop()

const client = new Database(':memory:')
const { db } = attach(client)
const asked: string[] = []
const { prepare } = client
beforeAll(() => {
  client.exec(`create table bill (id text, org text, owner text, at text, n integer);
    create index bill_owner on bill (owner); create index bill_at on bill (org, at); create unique index bill_id on bill (org, id)`)
  const put = client.prepare('insert into bill values (?, ?, ?, ?, ?)')
  // Anne has three, Bruno four; the later a bill was made, the longer ago it was changed.
  for (const [i, owner] of ['anne', 'bruno', 'anne', 'bruno', 'bruno', 'anne', 'bruno'].entries())
    put.run(`b${i}`, 'o', owner, `2026-0${9 - i}`, i)
  put.run('b7', 'o', 'celia', '2026-05', 7)
  client.prepare = ((sql: string) => {
    asked.push(sql)
    return prepare.call(client, sql)
  }) as typeof prepare
})
afterAll(() => {
  client.prepare = prepare
})

/** All pages of two. */
function pages(owner: string, order: 'asc' | 'desc', since: string) {
  const found: number[] = []
  let after: readonly string[] | undefined
  do {
    const scope = { kind: 'owner', userId: owner } as const
    const { rows, next } = listBills(db, { orgId: 'o', scope, order, limit: 2, after, values: { since } })
    found.push(...rows.map(({ n }) => n))
    after = next
  } while (after)
  return found
}

test.each([
  ['anne', 'asc', '2026-01', [5, 2, 0]],
  ['anne', 'desc', '2026-01', [0, 2, 5]],
  ['anne', 'asc', '2026-06', [2, 0]],
  ['bruno', 'asc', '2026-01', [6, 4, 3, 1]],
  ['bruno', 'desc', '2026-01', [1, 3, 4, 6]],
  ['bruno', 'desc', '2026-06', [1, 3]],
] as const)('%s, %s since %s: these and no others', (owner, order, since, found) => {
  expect(pages(owner, order, since)).toEqual([...found])
})

test.each([
  ['anne', 'bill_owner'],
  ['bruno', 'bill_at'],
])('the rows of %s are found by %s', (owner, index) => {
  // Another handle of the database has no prepared statements yet.
  const other = attach(client).db
  asked.length = 0
  listBills(other, {
    orgId: 'o',
    scope: { kind: 'owner', userId: owner },
    order: 'asc',
    limit: 9,
    values: { since: '' },
  })
  expect(asked.map((sql) => /^select "bill".* indexed by "(\w+)"/.exec(sql)?.[1]).filter(Boolean)).toEqual([index])
})
