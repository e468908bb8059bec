// What deletes many rows gives others their turn after each slice.
import { expect, test } from 'bun:test'
import { getTableName } from 'drizzle-orm'
import { webhookDelivery } from '../../db/schema/webhooks.ts'
import { purgeIdempotencyKeys } from '../../db/write/idempotency.ts'
import { SLICE } from '../../db/write/purge.ts'
import { purgeDeliveries } from '../../src/features/data/events/jobs.ts'
import { billingHandlers } from '../../src/features/money/billing/jobs.ts'
import { purgeMessages } from '../../src/features/people/messages/jobs.ts'
import { createWorker } from '../../src/jobs/worker.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { lease, MIA } from '../support/hooks.ts'

const ROWS = 3 * SLICE + 1
const many = (t: TestApp, sql: string): void => {
  t.store.client.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) ${sql}`)
}
const left = (t: TestApp, table: string): unknown => t.rows(`select count(*) n from ${table}`)[0]?.n

/** The most rows of a table that one write took away while `work` ran, and how many writes there were. */
async function largest(t: TestApp, table: string, work: (spied: TestApp['deps']) => Promise<unknown>) {
  let [most, writes, before] = [0, 0, Number(left(t, table))]
  const write: TestApp['deps']['write'] = async (orgId, fn, aside) => {
    const done = await t.deps.write(orgId, fn, aside)
    const now = Number(left(t, table))
    most = Math.max(most, before - now)
    before = now
    writes += 1
    return done
  }
  await work({ ...t.deps, write })
  return { most, writes }
}

const LONG_AGO = Date.parse('2025-01-01T00:00:00Z')
const ISO = new Date(LONG_AGO).toISOString()
const deliveries = (orgId: string, endpointId: string): string =>
  `insert into webhook_delivery(id, org_id, endpoint_id, event_id, type, payload, status, created_at, updated_at)
   select 'd' || i, '${orgId}', '${endpointId}', 'e' || i, 'x', '{}', 'DELIVERED', '${ISO}', '${ISO}' from n`
const PURGES: [table: string, rows: string, work: (deps: TestApp['deps']) => Promise<unknown>][] = [
  [
    'job',
    `insert into job(id, kind, source, payload, status, attempts, run_at, done_at)
     select 'j' || i, 'x', i, '{}', 'DONE', 1, 0, ${LONG_AGO} from n`,
    (deps) => createWorker(deps, {}).tidy(),
  ],
  [
    'idempotency',
    `insert into idempotency(scope, key, body_hash, status, body, created_at) select 'x', i, 'x', 200, '{}', ${LONG_AGO} from n`,
    purgeIdempotencyKeys,
  ],
  [
    'outbound_message',
    `insert into outbound_message(id, channel, purpose, vendor, masked_destination, status, attempts, created_at, updated_at, expires_at)
     select 'm' || i, 'SMS', 'x', 'x', 'x', 'SENT', 1, ${LONG_AGO}, ${LONG_AGO}, ${LONG_AGO} from n`,
    purgeMessages,
  ],
]
test.each(PURGES)('old rows of %s go a slice at a time, all of them', async (table, rows, work) => {
  const t = createTestApp()
  many(t, rows)
  const { most, writes } = await largest(t, table, work)
  expect([left(t, table), most]).toEqual([0, SLICE])
  expect(writes).toBeGreaterThanOrEqual(4)
})

test('a webhook endpoint goes with all its deliveries, and others have their turn; its version is asked for first', async () => {
  const t = createTestApp()
  await t.call(MIA, 'GET /api/v1/me')
  const make = async () =>
    String((await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: 'https://example.org/hook' })).body.id)
  const [gone, stays] = [await make(), await make()]
  const orgId = String(t.rows('select org_id from webhook_endpoint')[0]?.org_id)
  many(t, deliveries(orgId, gone))
  t.store.client.exec(
    `insert into webhook_delivery(id, org_id, endpoint_id, event_id, type, payload, status, created_at, updated_at)
     values('kept', '${orgId}', '${stays}', 'e', 'x', '{}', 'DELIVERED', '${ISO}', '${ISO}')`,
  )
  const path = `DELETE /api/v1/webhook-endpoints/${gone}`
  expect((await t.call(MIA, path, undefined, { 'if-match': '"other"' })).status).toBe(412)
  expect((await t.call('MANAGER.zoe~second', path)).status).toBe(404)
  expect(left(t, getTableName(webhookDelivery))).toBe(ROWS + 1)
  const seen: number[] = []
  let over = false
  const watch = async (): Promise<void> => {
    while (!over)
      seen.push(
        await t.store.write(
          null,
          (tx) => tx.$client.prepare('select count(*) from webhook_delivery').pluck().get() as number,
        ),
      )
  }
  const watching = watch()
  expect((await t.call(MIA, path)).status).toBe(204)
  over = true
  await watching
  // Somebody else's writes came between the slices.
  expect(new Set(seen.filter((n) => n > 1 && n <= ROWS)).size).toBeGreaterThan(1)
  expect(t.rows('select id from webhook_delivery')).toEqual([{ id: 'kept' }])
  expect(t.rows('select id from webhook_endpoint')).toEqual([{ id: stays }])
  expect(t.rows("select count(*) n from audit_entry where action = 'webhook_endpoint.delete'")[0]?.n).toBe(1)
  expect((await t.call(MIA, path)).status).toBe(404)
})

test('deliveries of more than a month go a slice at a time', async () => {
  const t = createTestApp()
  await t.call(MIA, 'GET /api/v1/me')
  const { body } = await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: 'https://example.org/hook' })
  many(t, deliveries(String(t.rows('select org_id from webhook_endpoint')[0]?.org_id), String(body.id)))
  t.advance(60)
  const { most } = await largest(t, 'webhook_delivery', purgeDeliveries)
  expect([left(t, 'webhook_delivery'), most]).toEqual([0, SLICE])
})

test('all running leases are woken after a change of settings, a slice at a time; those that ended are not', async () => {
  const t = createTestApp()
  const { booking } = await lease(t)
  const [row] = t.rows('select * from booking where id = ?', booking) as [Record<string, string | number | null>]
  const [home] = t.rows('select * from unit where id = ?', String(row.unit_id)) as [
    Record<string, string | number | null>,
  ]
  const copies = (table: string, from: typeof row, own: Record<string, string>): void => {
    const named = Object.keys(from).map((name) => own[name] ?? `(select ${name} from ${table} where id = '${from.id}')`)
    many(t, `insert into ${table} (${Object.keys(from).join()}) select ${named.join()} from n`)
  }
  copies('unit', home, { id: "'u' || i", label: "'N' || i" })
  copies('booking', row, {
    id: "printf('lease-%06d', i)",
    unit_id: "'u' || i",
    status: "iif(i = 1, 'TERMINATED', 'ACTIVE')",
    next_run_on: "iif(i = 1, null, '2099-01-01')",
  })
  t.store.client.exec("create temp view asleep as select 1 from booking where next_run_on > '0001-01-01'")
  const { most } = await largest(t, 'asleep', async (deps) => {
    const job = { orgId: String(row.org_id), source: '', payload: undefined }
    await billingHandlers(deps)['billing.reschedule']?.(job as never)
  })
  expect([left(t, 'asleep'), most]).toEqual([0, SLICE])
  expect(t.rows("select next_run_on from booking where id = 'lease-000001'")).toEqual([{ next_run_on: null }])
})
