// Lists that would hold the main thread up: which they are, and that another thread answers the same.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { LongReading, type Reading } from '../../db/list-reading.ts'
import type { ListQuery } from '../../db/list-spec.ts'
import { openStore, type Store } from '../../db/open.ts'
import { fromThread, sqliteCode } from '../../db/store-error.ts'
import { createListThread } from '../../src/adapters/lists/thread.ts'
import { containing } from '../../src/core/fold.ts'
import type { Scope } from '../../src/core/reach.ts'
import { listInvoices } from '../../src/features/money/invoices/store.ts'
import { listPayments } from '../../src/features/money/payments/store.ts'
import { listTenants } from '../../src/features/people/tenants/store.ts'
import { listUnits } from '../../src/features/property/units/store.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())

const ROWS = { large: 60_000, small: 1_500 }
const PROPERTIES = 50
let store: Store
let file = ''
beforeAll(() => {
  file = join(temporaryFolder('lists'), 'loyer.db')
  store = openStore(file)
  const { client } = store
  client.pragma('foreign_keys = OFF')
  // What they keep up takes longer than all the rest.
  for (const name of client.prepare("select name from sqlite_master where type = 'trigger'").pluck().all())
    client.exec(`drop trigger ${name}`)
  const numbers = (most: number) =>
    `with recursive i (n) as (select 0 union all select n + 1 from i where n + 1 < ${most})`
  const id = (org: string, word: string, n: string) => `'${org}-${word}-' || format('%06d', ${n})`
  for (const [org, rows] of Object.entries(ROWS))
    client.exec(`
      insert into organization (id, tva_registered, time_zone, locale, issue_days_before, require_proof, created_at, updated_at)
        values ('${org}', 0, 'Africa/Douala', 'fr', 5, 0, '', '');
      ${numbers(PROPERTIES)} insert into property (id, org_id, owner_user_id, name, address_line, city, amenities, type, status, created_at, updated_at)
        select ${id(org, 'p', 'n')}, '${org}', 'anne', 'Villa', 'x', 'Douala', '[]', 'HOUSE', 'PUBLISHED', '', '' from i;
      ${numbers(rows)} insert into tenant (id, org_id, full_name, locale, created_by, created_at, updated_at)
        select ${id(org, 't', 'n')}, '${org}', iif(n % 700 = 0, 'Aïssa ', 'Paul ') || n, 'fr', iif(n % 3, 'anne', 'bruno'), '', '2026-0' || (1 + n % 9) from i;
      ${numbers(Math.min(rows, 6_000))} insert into unit (id, org_id, property_id, label, status, created_at, updated_at)
        select ${id(org, 'u', 'n')}, '${org}', ${id(org, 'p', `n % ${PROPERTIES}`)}, 'A' || n, 'AVAILABLE', '', '' from i;
      ${numbers(Math.min(rows, 6_000))} insert into payment (id, org_id, booking_id, property_id, owner_user_id, type, amount, currency, method, paid_on, reference, status, invoice_ids, recorded_by, created_at, updated_at)
        select ${id(org, 'm', 'n')}, '${org}', 'b' || n, ${id(org, 'p', `n % ${PROPERTIES}`)}, 'anne', 'PAYMENT', 1, 'XAF', 'CASH', '2026-01-01', 'R' || n, 'CONFIRMED', '[]', 'anne', '', '' from i;
      ${numbers(Math.min(rows, 4_000))} insert into invoice (id, org_id, booking_id, unit_id, property_id, owner_user_id, tenant_id, unit_label, tenant_name, property_name, number, currency, period_start, period_end, due_date, gross_amount, net_amount, tva_amount, tva_basis_points, status, amount_paid, credited_amount, lines, created_at, issued_on, updated_at)
        select ${id(org, 'i', 'n')}, '${org}', '${org}' || n, 'u', ${id(org, 'p', `n % ${PROPERTIES}`)}, 'anne', 't', 'A', 'Paul', 'Villa', 'N' || n, 'XAF', '2026-01-01', '2026-01-31', '2026-01-05', 1, 1, 0, 0, iif(n % 9, 'PAID', 'OVERDUE'), iif(n % 9, 1, 0), 0, '[]', '', '2026-01-01', '2026-0' || (1 + n % 7) from i`)
})
afterAll(() => store.close())

const all: Scope = { kind: 'all', userId: 'mia' }
const owner: Scope = { kind: 'owner', userId: 'anne' }
const manager = (org: string): Scope => ({
  kind: 'limited',
  userId: 'max',
  properties: Array.from({ length: PROPERTIES }, (_, n) => `${org}-p-${String(n).padStart(6, '0')}`),
})
type Asked = { org?: string; scope?: Scope; count?: boolean; order?: 'asc'; values?: Record<string, string> }
const query = ({ org = 'large', scope = all, count = false, order, values = {} }: Asked): ListQuery<string> => ({
  orgId: org,
  scope,
  order: order ?? 'desc',
  limit: 50,
  values,
  count,
})
const q = containing('aissa')

const tenants: [string, Asked, 'here' | 'elsewhere'][] = [
  ['the newest', {}, 'here'],
  ['the newest of a small organization, with their number', { org: 'small', count: true }, 'here'],
  ['what was changed since', { values: { updatedSince: '2026-05' } }, 'here'],
  ['a name in a small organization', { org: 'small', values: { q } }, 'here'],
  ['one number', { values: { phoneNumber: '+237600000000' } }, 'here'],
  ['a name', { values: { q } }, 'elsewhere'],
  ['a name, oldest first, with their number', { values: { q }, order: 'asc', count: true }, 'elsewhere'],
  ['how many there are', { count: true }, 'elsewhere'],
  ['those of an owner, whom no index knows', { scope: owner }, 'elsewhere'],
  ['those of an owner in a small organization', { org: 'small', scope: owner }, 'here'],
]
const units: [string, Asked, 'here' | 'elsewhere'][] = [
  ['those of fifty properties', { scope: manager('large') }, 'elsewhere'],
  ['those of fifty small properties', { org: 'small', scope: manager('small') }, 'here'],
  [
    'a label in fifty properties, with their number',
    { scope: manager('large'), count: true, values: { q } },
    'elsewhere',
  ],
]
const reference = { q: containing('R1'), typed: 'R1' }
const payments: [string, Asked, 'here' | 'elsewhere'][] = [
  ['the newest', {}, 'here'],
  ['a reference', { values: reference }, 'elsewhere'],
  ['a reference, of an owner, with their number', { scope: owner, count: true, values: reference }, 'elsewhere'],
  ['a reference in a small organization', { org: 'small', values: reference }, 'here'],
  ['of one lease', { values: { bookingId: 'b1' } }, 'here'],
]
const invoices: [string, Asked, 'here' | 'elsewhere'][] = [
  ['what changed in fifty properties', { scope: manager('large'), values: { updatedSince: '2026-05' } }, 'elsewhere'],
  [
    'what changed in a small organization',
    { org: 'small', scope: manager('small'), values: { updatedSince: '2026-05' } },
    'here',
  ],
]
const cases = [
  ...tenants.map((row) => ['tenants', ...row] as const),
  ...units.map((row) => ['units', ...row] as const),
  ...payments.map((row) => ['payments', ...row] as const),
  ...invoices.map((row) => ['invoices', ...row] as const),
]
const lists = { tenants: listTenants, units: listUnits, payments: listPayments, invoices: listInvoices } as Record<
  string,
  (db: Store['db'], q: ListQuery<never>) => unknown
>

test.each(cases)('%s, %s: read on the right thread, with the same answer', async (name, _what, asked, where) => {
  const given = query(asked)
  const run = (more: Partial<ListQuery<string>>) => lists[name]?.(store.db, { ...given, ...more } as ListQuery<never>)
  const plain = run({})
  let reading: Reading | undefined
  try {
    expect(run({ brief: true })).toEqual(plain)
  } catch (e) {
    if (!(e instanceof LongReading)) throw e
    reading = e.reading
  }
  expect(reading ? 'elsewhere' : 'here').toBe(where)
  if (!reading) return
  const thread = createListThread(file)
  try {
    expect(run({ brief: true, found: await thread.read('mia', reading) })).toEqual(plain)
  } finally {
    await thread.close()
  }
})

test('every page of a long list, one after the other: each row once, in order', async () => {
  const thread = createListThread(file)
  const seen: string[] = []
  let after: readonly string[] | undefined
  try {
    do {
      const given = { ...query({ scope: owner, values: { q } }), limit: 9, after, brief: true } as ListQuery<never>
      let page: ReturnType<typeof listTenants> | undefined
      try {
        page = listTenants(store.db, given)
      } catch (e) {
        if (!(e instanceof LongReading)) throw e
        page = listTenants(store.db, { ...given, found: await thread.read('anne', e.reading) })
      }
      seen.push(...page.rows.map(({ id }) => String(id)))
      after = page.next
    } while (after)
  } finally {
    await thread.close()
  }
  const expected = store.client
    .prepare(
      "select id from tenant where org_id = 'large' and created_by = 'anne' and full_name like 'Aïssa%' order by id desc",
    )
    .pluck()
    .all()
  expect(seen).toEqual(expected as string[])
  expect(seen.length).toBeGreaterThan(50)
})

const wholes: [string, Asked][] = [
  ['units', { count: true }],
  ['payments', { values: { paidFrom: '2026-01-01' }, order: 'asc' }],
  ['payments', { values: { status: 'CONFIRMED,REVERSED' }, count: true }],
  ['invoices', { values: { updatedSince: '2026-03' }, count: true }],
  ['invoices', { values: { updatedSince: '2026-03', status: 'OVERDUE,PAID' }, order: 'asc' }],
  ['invoices', { values: { dueFrom: '2026-01-01', status: 'OVERDUE' } }],
]
test.each(wholes)(
  '%s %j: the manager of every property gets what an administrator gets, page for page',
  (name, asked) => {
    const given = query(asked)
    let mine: readonly string[] | undefined
    let theirs: readonly string[] | undefined
    for (let page = 0; page < 3; page++) {
      type Page = ReturnType<typeof listUnits>
      const read = (scope: Scope, after?: readonly string[]): Page =>
        lists[name]?.(store.db, { ...given, scope, after } as ListQuery<never>) as Page
      const few: Page = read(manager('large'), mine)
      const whole: Page = read(all, theirs)
      expect(few.rows).toEqual(whole.rows)
      expect(few.rows).toHaveLength(50)
      expect(few.total).toBe(whole.total)
      mine = few.next
      theirs = whole.next
    }
  },
)

test('each of many properties is asked for the order of its rows alone, by an index of its own', () => {
  const asked = { ...query({ scope: manager('large'), values: { updatedSince: '2026-05' } }), brief: true }
  let pages: Reading['pages'] = []
  try {
    listInvoices(store.db, asked as ListQuery<never>)
  } catch (e) {
    if (e instanceof LongReading) ({ pages } = e.reading)
  }
  expect(pages).toHaveLength(PROPERTIES)
  for (const { sql } of pages) {
    expect(sql).toContain('indexed by "invoice_property_id" ')
    expect(sql).not.toContain('gross_amount')
  }
})

test('what the database says reaches the caller: damage stays damage', async () => {
  const thread = createListThread(file)
  const broken: Reading = { pages: [{ sql: 'select * from nowhere', values: [] }], order: 'asc', limit: 0, totals: [] }
  const failed = fromThread(await thread.read('ana', broken).catch((e: unknown) => e))
  expect([String(failed), sqliteCode(failed)]).toEqual(['SqliteError: no such table: nowhere', 'SQLITE_ERROR'])
  await thread.close()
})
