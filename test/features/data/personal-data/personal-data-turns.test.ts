// Exports of much: one at a time for each person, and nobody else waits for more than a page of them.
import { expect, test } from 'bun:test'
import { createTestApp } from '../../../support/app.ts'

const t = createTestApp()
const ask = (who: string) =>
  t.app.handle(new Request('http://localhost/api/v1/account/export', { headers: { authorization: `Bearer ${who}` } }))

test('of two asked for in the same moment one is made', async () => {
  await t.call('OWNER.ana', 'GET /api/v1/properties')
  const both = await Promise.all([ask('OWNER.ana'), ask('OWNER.ana')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 429])
  for (const answer of both) {
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await answer.body?.cancel()
  }
})

test('others have their turn after each page of an export, however many are made at once', async () => {
  const busy = ['ADMIN.ada', 'ADMIN.ben', 'ADMIN.cleo']
  for (const who of busy) await t.call(who, 'GET /api/v1/properties')
  for (const { id } of t.rows("select id from app_user where roles like '%ADMIN%'")) fill(String(id))
  const streams = await Promise.all(busy.map(ask))
  // Of this process alone: what else the machine does counts for nothing.
  const busyMs = () => process.cpuUsage().user / 1000
  let longest = 0
  let since = busyMs()
  let over = false
  const watch = (): void => {
    longest = Math.max(longest, busyMs() - since)
    since = busyMs()
    if (!over) setImmediate(watch)
  }
  setImmediate(watch)
  const sizes = await Promise.all(streams.map(async (stream) => (await stream.bytes()).length))
  over = true
  expect(longest).toBeLessThan(100)
  expect(Math.min(...sizes)).toBeGreaterThan(10_000)
})

function fill(userId: string): void {
  const { client } = t.store
  const columns = '(id, org_id, actor_user_id, actor, action, subject_type, subject_id, request_id, created_at)'
  const put = client.prepare(
    `insert into audit_entry ${columns} select ?, org_id, id, 'USER', 'x', 'x', 'x', 'x', '2026' from app_user where id = ?`,
  )
  client.transaction(() => {
    for (let n = 0; n < 20_000; n++) put.run(crypto.randomUUID(), userId)
  })()
}
