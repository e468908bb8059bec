// A database of every schema there was, brought up to date: whole, and its people see what they saw before.
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { checkLedger } from '../../db/ledger/invariants.ts'
import { migrations } from '../../db/migrations.ts'
import { EVENT_TYPES, eventTypeOf, objectOf } from '../../src/features/data/events/rules.ts'
import { createTestApp } from '../support/app.ts'
import { bookedOf } from '../support/books.ts'

type Seen = { readonly as: string; readonly line: string; readonly body: object[] }
const folder = join(import.meta.dirname, 'schemas')
const read = (file: string): Buffer => gunzipSync(readFileSync(join(folder, file)))
const kept = readdirSync(folder)
  .filter((file) => file.endsWith('.db.gz'))
  .map((file) => file.replace('.db.gz', ''))
  .sort()

test('every schema has its database: after a new migration run `npm run db:keep`', () => {
  expect(kept).toEqual(migrations.map(({ name }) => name).sort())
})

/** What was kept under a name that has changed since. */
const RENAMED: readonly [RegExp, string][] = [
  [/\/notices\b/g, '/messages'],
  [/"kind":"NOTICE"/g, '"kind":"MESSAGE"'],
  [/"notice":\{"id"/g, '"message":{"id"'],
  [/"(action|subjectType)":"notice\b/g, '"$1":"rent_message'],
]
/** Endpoints subscribed to kinds of object, and events had the names of the trail's actions. */
const retyped = (text: string): string =>
  text
    .replace(/"events":(\[[^\]]*\])/g, (all, list: string) => {
      const objects: string[] = JSON.parse(list)
      const types = EVENT_TYPES.filter((type) => objects.includes(objectOf(type)))
      return types.length > 0 ? `"events":${JSON.stringify(types)}` : all
    })
    .replace(/"type":"([a-z_]+\.[a-z_-]+)"/g, (all, action: string) => {
      const type = eventTypeOf(action)
      return type === undefined ? all : `"type":"${type}"`
    })
const renamed = (text: string): string => retyped(RENAMED.reduce((t, [was, is]) => t.replace(was, is), text))

/** Tenants saw leases that their landlord drew up and did not send out: those are not told any more. */
const isStillSeen = ({ as, line }: Seen, row: object): boolean =>
  !as.startsWith('TENANT') || !line.includes('/bookings?') || 'submittedAt' in row || 'requestedBy' in row

describe.each(kept)('%s', (name) => {
  const file = read(`${name}.db.gz`)
  const t = createTestApp({ file })
  const seen: Seen[] = JSON.parse(renamed(read(`${name}.json.gz`).toString()))
  const pragma = (text: string): unknown => t.deps.store.client.pragma(text)

  test('whole and up to date', () => {
    expect(pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(pragma('foreign_key_check')).toEqual([])
    expect(pragma('user_version')).toEqual([{ user_version: migrations.length }])
  })

  test('its books balance', () => {
    expect(checkLedger(t.deps.store.client, bookedOf(t))).toEqual([])
  })

  test.each(seen.map((s) => [`${s.as} ${s.line}`, s] as const))('%s', async (_name, was) => {
    const answer = await t.call<object[]>(was.as, was.line)
    expect([answer.status, answer.body]).toMatchObject([200, was.body.filter((row) => isStillSeen(was, row))])
  })

  test('each payment of money is the share of a transfer of its own, and no other is one', () => {
    const shares = t.rows(`select p.method, p.amount = x.amount and p.paid_on = x.paid_on and p.org_id = x.org_id
      and x.direction = iif(p.type = 'REFUND', -1, 1)
      and x.state = case p.status when 'CONFIRMED' then 'POSTED' when 'REJECTED' then 'VOID' else p.status end as same
      from payment p left join transfer x on x.row = p.transfer`)
    const moved = shares.filter(({ method }) => method !== 'DEPOSIT' && method !== 'SET_OFF')
    expect(moved.length).toBeGreaterThan(0)
    expect(shares.map(({ same }) => same)).toEqual(shares.map((one) => (moved.includes(one) ? 1 : null)))
    expect(t.rows('select count(*) n from transfer')).toEqual([{ n: moved.length }])
  })

  test('it takes what comes next', async () => {
    const as = seen.find(({ as }) => as.startsWith('ADMIN'))?.as
    const body = { name: 'Immeuble neuf', addressLine: 'Rue 2', city: 'Douala' }
    // Another one than is read beside this.
    expect((await createTestApp({ file }).call(as, 'POST /api/v1/properties', body)).status).toBe(201)
  })
})
