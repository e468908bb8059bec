// Lists of very many rows: what is counted, and how far one page goes.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { ListQuery } from '../../db/list/spec.ts'
import { openStore, type Store } from '../../db/open.ts'
import { containing } from '../../src/core/case-folding.ts'
import type { Scope } from '../../src/core/scope.ts'
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
        select ${id(org, 'i', 'n')}, '${org}', '${org}' || n, 'u', ${id(org, 'p', `n % ${PROPERTIES}`)}, iif(n % 1000 in (7, 11), 'bruno', 'anne'), 't', 'A', 'Paul', 'Villa', 'N' || n, 'XAF', '2026-01-01', '2026-01-31', '2026-01-05', 1, 1, 0, 0, iif(n % 9, 'PAID', 'OVERDUE'), iif(n % 9, 1, 0), 0, '[]', '', '2026-01-01', '2026-0' || (1 + n % 7) from i`)
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
  values: values.q === undefined ? values : { ...values, q: containing(values.q) },
  count,
})
const q = 'aissa'

const lists = { tenants: listTenants, units: listUnits, payments: listPayments, invoices: listInvoices } as Record<
  string,
  (db: Store['db'], q: ListQuery<never>) => Page
>
type Page = { rows: readonly { id: string }[]; next?: string[] | undefined; total?: string | undefined }
const read = (name: string, asked: Asked, more: Partial<ListQuery<string>> = {}): Page =>
  lists[name]?.(store.db, { ...query(asked), ...more } as ListQuery<never>) as Page

const totals: [string, Asked, string][] = [
  ['tenants', { org: 'small' }, '1500'],
  ['tenants', {}, '10000+'],
  ['tenants', { values: { phoneNumber: '+237600000000' } }, '0'],
  // Of 86 in all, those among the newest or the oldest 20,000.
  ['tenants', { values: { q } }, '28+'],
  ['tenants', { values: { q }, order: 'asc' }, '29+'],
  ['tenants', { org: 'small', values: { q } }, '3'],
  ['tenants', { org: 'small', scope: owner }, '1000'],
  ['tenants', { scope: owner }, '10000+'],
  ['units', { scope: manager('large') }, '6000'],
  ['units', { scope: manager('large'), values: { q } }, '0'],
  ['payments', { values: { q: 'R1', typed: 'R1' } }, '1111'],
  ['invoices', { values: { status: 'PAID' } }, '3555'],
  ['invoices', { scope: manager('large'), values: { updatedSince: '2026-05' } }, '1713'],
]
test.each(totals)('%s %j: %s in all', (name, asked, total) => {
  expect(read(name, { ...asked, count: true }).total).toBe(total)
})

const searches: [string, Asked, string][] = [
  ['tenants', { values: { q } }, "full_name like 'Aïssa%'"],
  ['tenants', { values: { q }, order: 'asc' }, "full_name like 'Aïssa%'"],
  ['tenants', { values: { q }, scope: owner }, "full_name like 'Aïssa%' and created_by = 'anne'"],
  ['tenants', { values: { q, updatedSince: '2026-05' } }, "full_name like 'Aïssa%' and updated_at >= '2026-05'"],
  [
    'tenants',
    { values: { q, updatedSince: '2026-05' }, order: 'asc' },
    "full_name like 'Aïssa%' and updated_at >= '2026-05'",
  ],
  ['tenants', { values: { q: 'nobody' } }, '0'],
]
test.each(searches)(
  '%s %j: each row once and in order, though a page goes through some of them only',
  (name, asked, where) => {
    const seen: string[] = []
    let after: readonly string[] | undefined
    let pages = 0
    do {
      const page = read(name, asked, { limit: 9, after })
      seen.push(...page.rows.map(({ id }) => String(id)))
      after = page.next
      pages += 1
    } while (after)
    const by = asked.values?.updatedSince === undefined ? ['id'] : ['updated_at', 'id']
    const order = by.map((column) => `${column} ${asked.order ?? 'desc'}`).join()
    const expected = store.client
      .prepare(`select id from tenant where org_id = 'large' and ${where} order by ${order}`)
      .pluck()
      .all() as string[]
    expect(seen).toEqual(expected)
    expect(pages).toBe(Math.max(Math.ceil(expected.length / 9), 4))
  },
)

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
    let mine: readonly string[] | undefined
    let theirs: readonly string[] | undefined
    for (let page = 0; page < 3; page++) {
      const few = read(name, { ...asked, scope: manager('large') }, { after: mine })
      const whole = read(name, asked, { after: theirs })
      expect(few.rows).toEqual(whole.rows)
      expect(few.rows).toHaveLength(50)
      expect(few.total).toBe(whole.total)
      mine = few.next
      theirs = whole.next
    }
  },
)

test.each([
  ['anne', 'invoice_updated_at'],
  ['bruno', 'invoice_owner_user_id'],
])(
  'what changed of the invoices of %s is found by %s: few are sorted, many picked from everybody’s',
  (userId, index) => {
    const { client } = store
    // Another handle of the database has no prepared statements yet.
    const db = Object.create(store.db) as typeof store.db
    const { prepare } = client
    const asked: string[] = []
    client.prepare = ((sql: string) => {
      asked.push(sql)
      return prepare.call(client, sql)
    }) as typeof prepare
    try {
      for (const order of ['asc', 'desc'] as const) {
        const seen: string[] = []
        let after: readonly string[] | undefined
        do {
          const scope = { kind: 'owner', userId } as const
          const values = { updatedSince: '2026-04' }
          const page = listInvoices(db, { orgId: 'large', scope, order, limit: 200, after, values })
          seen.push(...page.rows.map((row) => row.id))
          after = page.next
        } while (after)
        const rows = prepare.call(
          client,
          `select id from invoice where org_id = 'large' and owner_user_id = ? and updated_at >= '2026-04' order by updated_at ${order}, id ${order}`,
        )
        expect(seen).toEqual(rows.pluck().all(userId) as string[])
      }
    } finally {
      client.prepare = prepare
    }
    const pages = asked.filter((sql) => sql.startsWith('select "invoice"'))
    expect(new Set(pages.map((sql) => / indexed by "(\w+)"/.exec(sql)?.[1]))).toEqual(new Set([index]))
  },
)
