// EXPLAIN QUERY PLAN of every statement: none reads a whole table, none sorts what an index could order.
import { expect, test } from 'bun:test'
import Database from 'better-sqlite3'
import { lists } from '../../db/list/list.ts'
import { attach } from '../../db/open.ts'
import { statements } from '../../db/query.ts'
// Each brings the statements of everything that it imports.
import '../../src/app.ts'
import '../../src/wiring.ts'
import '../../src/jobs/schedule.ts'

const { client, db } = attach(new Database(':memory:'))

/** Statements that may read a whole table or sort, and why that stays small. */
const SCANS: Readonly<Record<string, string>> = {
  'organization.first': 'stops at the first row',
  'setup.anyone': 'stops at the first row',
  'demo.others': 'goes through the accounts of a demo once, by a command of the operator',
  'auditArchive.open': 'walks a small index of what has entries in the trail still',
  'audit.actions': 'goes from one word of the trail to the next, about a hundred',
  'export.waiting': 'walks a small index of what waits, and stops at the first',
  'import.waiting': 'walks a small index of what waits, and stops at the first',
  'leasePayer.byPhone': 'orders the leases for which one number has paid',
  'report.billedByStart': "sorts one property's invoices of a year at most by their period, to sum them",
  'report.journal': "goes through a zone's changes of clock, a dozen at most",
  'report.journalOfOwner': 'likewise',
  'report.journalOfProperty': 'likewise',
  'report.journalOfManaged': 'likewise',
  'search.INVOICE.beginsOfOwner': 'goes through the newest thousand of one owner at most',
  'search.PAYMENT.beginsOfOwner': 'likewise',
  'search.DOCUMENT.beginsOfOwner': 'likewise',
  'message.latest': 'stops after 50 rows, walking the key backwards; sandbox only',
  'sandbox.userWithRole': 'stops at the first user with the role; sandbox only',
  'job.counts': 'counts one narrow index, for the metrics',
  'knownPlace.trim': 'orders the places of one account, seventeen at most',
  'oidc.sessionsBeyond': 'orders the sessions of one account, two hundred at most',
  'oidc.forgetRotated': 'orders the refresh tokens of one grant, a thousand at most',
  'signingKey.all': 'a handful of keys, read at start',
  'signingKey.dropBefore': 'a handful of keys',
  'signingKey.dropWaiting': 'a handful of keys',
  'secondFactor.dropSealed': 'once, with a lost master key, by a command',
  'secondFactorCode.dropEvery': 'likewise',
}

const plan = (sql: string): string[] => {
  // A parameter's value does not matter to the plan, but each must have one.
  const statement = client.prepare(`explain query plan ${sql}`)
  const parameters = Array.from({ length: sql.split('?').length - 1 }, () => null)
  return (statement.all(...parameters) as { detail: string }[]).map(({ detail }) => detail)
}
/** The steps of a plan that grow with the table. json_each and the like are arguments, not tables. */
const costly = (sql: string): string[] =>
  plan(sql).filter(
    (step) =>
      /USE TEMP B-TREE/.test(step) ||
      (/^SCAN /.test(step) &&
        !/^SCAN (json_each|CONSTANT ROW|\(|\d+ CONST)/.test(step) &&
        // The search index, by its words or by the number of a row.
        !/^SCAN search VIRTUAL TABLE INDEX \d+:(M\d|=)/.test(step)),
  )

type Named = { readonly name: string; readonly sql: string }
const found = (all: readonly Named[]) =>
  all
    .filter(({ name, sql }) => !(name in SCANS) && costly(sql).length > 0)
    .map(({ name, sql }) => ({ name, plan: plan(sql), sql: sql.replace(/^select .*? from/s, 'select … from') }))

const single: Named[] = statements.map(({ name, sql }) => ({ name, sql: sql(db) }))
const shapes: Named[] = lists.flatMap(({ name, shapes: of }) => [...new Set(of(db))].map((sql) => ({ name, sql })))

test('every statement finds its rows by an index', () => {
  expect(found(single)).toEqual([])
})

for (const { name } of lists)
  test(`every shape of the list of ${name} finds and orders its rows by an index`, () => {
    // One plan of each kind is enough to mend it.
    const kinds = new Map(found(shapes.filter((s) => s.name === name)).map((f) => [f.plan.join(), f]))
    expect([...kinds.values()]).toEqual([])
  })

test.each(lists.map((l) => [l.name, l] as const))('the total of %s is counted by an index', (name, { totals }) => {
  expect(found([...new Set(totals(db))].map((sql) => ({ name, sql })))).toEqual([])
})
test.each(lists.map((l) => [l.name, l] as const))('what of %s is sorted is few: found by a narrow filter', (_n, l) => {
  const wide = l.sorted(db).filter((sql) => !/^SEARCH .*\((?:org_id=\? AND )?(?!org_id)\w+=\?/.test(plan(sql)[0] ?? ''))
  expect(wide.map(plan)).toEqual([])
})
const WHO = /"(owner_user_id|tenant_user_id)" = \?/
const TIME = /"(?:paid_on|updated_at)" [<>]= \?/
test.each(lists.filter((l) => ['payments', 'documents', 'bookings'].includes(l.name)).map((l) => [l.name, l] as const))(
  '%s of one person between two times are found by an index of that person',
  (_n, { shapes: of }) => {
    const asked = of(db).flatMap((sql) => {
      const who = TIME.test(sql) ? WHO.exec(sql)?.[1] : undefined
      return who === undefined ? [] : [{ sql, found: plan(sql).some((step) => step.includes(`${who}=?`)) }]
    })
    expect(asked.length).toBeGreaterThan(8)
    expect(asked.filter(({ found }) => !found).map(({ sql }) => sql.replace(/^.* from /s, ''))).toEqual([])
  },
)
test('no list makes the list of a condition anew for each of its rows', () => {
  const anew = (steps: readonly string[]) => steps.some((step) => step.startsWith('CORRELATED LIST'))
  const found = lists.flatMap(({ name, totals }) => (totals(db).some((sql) => anew(plan(sql))) ? [name] : []))
  expect(found).toEqual([])
})
test('no question goes through all invoices of an organization but those that ask for all', () => {
  const all = [...single, ...shapes]
    .map(({ name, sql }) => ({
      name,
      steps: plan(sql).filter((step) => /INDEX invoice_org_id \(org_id=\?\)/.test(step)),
    }))
    .filter(({ steps }) => steps.length > 0)
    .map(({ name }) => name)
  expect([...new Set(all)]).toEqual(['invoices'])
})
test('what is open or late is found without going through what was paid', () => {
  const open = single.filter(({ sql }) => /"status" in \('ISSUED','OVERDUE'\)/.test(sql))
  const wide = open.filter(({ sql }) =>
    plan(sql).some((step) =>
      /^SEARCH invoice .*INDEX invoice_(?!open)\w+ \(org_id=\?( AND due_date[<>]\?)*\)/.test(step),
    ),
  )
  expect(open.length).toBeGreaterThan(5)
  expect(wide.map(({ name }) => name)).toEqual([])
})
test('what a manager of some properties is asked to see is not looked for among all of their owners', () => {
  const managed = single.filter(({ sql }) => sql.includes('"assignment"'))
  const wide = managed.filter(({ sql }) => plan(sql).some((step) => /^SEARCH invoice .*INDEX invoice_month/.test(step)))
  expect(managed.length).toBeGreaterThan(5)
  expect(wide.map(({ name }) => name)).toEqual([])
})
test('whole properties, owners and statuses are counted by indexes alone', () => {
  const all = lists.find((l) => l.name === 'invoices')?.totals(db) ?? []
  const covering = new Set(
    all.flatMap((sql) => plan(sql).map((step) => /COVERING INDEX (invoice_\w+)/.exec(step)?.[1])),
  )
  for (const name of ['org_id', 'property_id', 'owner_user_id', 'status', 'due_date', 'owner_user_id_due_date'])
    expect(covering).toContain(`invoice_${name}`)
})
test('two filters that many rows may share go by an index of both', () => {
  const used = new Set(shapes.flatMap(({ sql }) => plan(sql).map((step) => /USING INDEX (\w+)/.exec(step)?.[1] ?? '')))
  const pairs = [
    'invoice_property_id_due_date',
    'invoice_status_due_date',
    'invoice_status_updated_at',
    'invoice_owner_user_id_status',
    'payment_status_paid_on',
    'payment_status_updated_at',
    'payment_owner_user_id_status',
  ]
  expect(pairs.filter((name) => !used.has(name))).toEqual([])
})

test('each index of what grows with every month, and of what changes with it, is one that a question goes by, or forbids a second row', () => {
  const asked = [...single, ...shapes, ...lists.flatMap((l) => l.totals(db).map((sql) => ({ name: l.name, sql })))]
  const used = new Set(asked.flatMap(({ sql }) => plan(sql).flatMap((step) => /INDEX (\w+)/.exec(step)?.[1] ?? [])))
  const unused = (table: string) =>
    (client.pragma(`index_list(${table})`) as { name: string; unique: number }[])
      .filter(({ name, unique }) => unique === 0 && !used.has(name))
      .map(({ name }) => name)
  const tables = ['invoice', 'credit_note', 'payment', 'allocation', 'audit_entry', 'booking', 'expense', 'repair']
  expect(tables.flatMap(unused)).toEqual([])
  client.exec('create index invoice_lines on invoice(lines)')
  expect(unused('invoice')).toEqual(['invoice_lines'])
  client.exec('drop index invoice_lines')
})

test('every statement inside a trigger finds its rows by an index', () => {
  const triggers = client.prepare("select name, sql from sqlite_master where type = 'trigger'").all() as Named[]
  const inner = triggers.flatMap(({ name, sql }) =>
    sql
      .slice(sql.search(/\bBEGIN\b/) + 'BEGIN'.length, sql.lastIndexOf('END'))
      .split(';')
      .map((text) =>
        text
          .replace(/RAISE\([^)]*\)/g, '1')
          .replace(/\b(NEW|OLD)\.\w+/g, '?')
          .trim(),
      )
      .filter((text) => text !== '')
      .map((text) => ({ name, sql: text })),
  )
  expect(inner.length).toBeGreaterThanOrEqual(triggers.length)
  expect(found(inner)).toEqual([])
})

test('a statement that reads or sorts everything is caught', () => {
  for (const sql of [
    'select id from invoice where lines = ?',
    'select id from invoice where org_id = ? order by lines limit ?',
    'select status, count(*) from invoice where org_id = ? group by lines',
    'update booking set status = ? where rent_amount > ?',
    'delete from payment',
    'select i.id from organization o join invoice i on i.net_amount = o.version where o.id = ?',
  ])
    expect({ sql, found: found([{ name: 'bad', sql }]).length }).toEqual({ sql, found: 1 })
  expect(found([{ name: 'good', sql: 'select id from invoice where org_id = ? and id > ? order by id' }])).toEqual([])
})

test('no statement has a parameter whose value could change its plan, and what is quoted stays as it is', () => {
  const source = (text: string): string => client.prepare(text).source
  expect(source(`select '?' a, "id" "b?", ? c from invoice where status = ? limit ?`)).toBe(
    `select '?' a, "id" "b?", +? c from invoice where status = +? limit +?`,
  )
  expect(client.prepare("select '?' a, ? b, +? c").get('x', 1)).toEqual({ a: '?', b: 'x', c: 1 })
})

test('names are given once, and every exception still stands for something', () => {
  const names = single.map(({ name }) => name)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  expect(names.length).toBeGreaterThan(80)
  expect(Object.keys(SCANS).filter((name) => !single.some((s) => s.name === name && costly(s.sql).length > 0))).toEqual(
    [],
  )
})
