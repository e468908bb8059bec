// What an organization's own system is told of: no more than its managers see, and nothing of another organization.
import { afterAll, expect, test } from 'bun:test'
import { createDeliverer } from '../../../../src/features/data/events/jobs.ts'
import { webhooks } from '../../../../src/features/data/events/model.ts'
import { EVENT_OBJECTS } from '../../../../src/features/data/events/rules.ts'
import { createTestApp, uuid } from '../../../support/app.ts'
import { receiver } from '../../../support/hooks.ts'
import { world } from '../../../support/world.ts'

const hooks = [receiver(), receiver()] as const
afterAll(() => Promise.all(hooks.map((hook) => hook.stop())))
type Told = { type: string; timestamp: string; data: Record<string, string> }
const ID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

test('every kind of object is told of, and what is told is what a manager reads at its address, or of a check of identity an ADMIN alone', async () => {
  const t = createTestApp({ config: { webhookReach: 'ANY' } })
  const ORGS = ['organization', 'other'] as const
  for (const [n, org] of ORGS.entries()) {
    await t.call(`MANAGER.mia~${org}`, 'GET /api/v1/me')
    const made = await t.call(`MANAGER.mia~${org}`, 'POST /api/v1/webhook-endpoints', { url: hooks[n]?.url })
    expect(made.status).toBe(201)
  }
  for (const org of ORGS) {
    const { bookings } = await world(t, org)
    const parts = [{ bookingId: bookings.ACTIVE, kind: 'DEPOSIT', amount: 1_500 }]
    const came = { amount: 1_500, method: 'CASH', paidOn: '2026-03-10', parts }
    const made = await t.call(`MANAGER.mia~${org}`, 'POST /api/v1/transfers', came)
    const turned = { reason: 'Saisi deux fois' }
    expect([
      made.status,
      (await t.call(`MANAGER.mia~${org}`, `POST /api/v1/transfers/${made.body.id}/reverse`, turned)).status,
    ]).toEqual([201, 200])
  }
  await t.work()
  const deliverer = createDeliverer(t.deps)
  while ((await deliverer.round()) > 0) await deliverer.settled()

  const kyc = t.rows("select id from verification_case where kind = 'OWNER_KYC'").map(({ id }) => String(id))
  expect(kyc.length).toBeGreaterThan(0)
  for (const [n, org] of ORGS.entries()) {
    const told = hooks[n]?.got.map(({ body }) => JSON.parse(body) as Told) ?? []
    expect(new Set(told.map(({ data }) => data.object))).toEqual(new Set(EVENT_OBJECTS))
    // The example of the document is an event as it comes.
    for (const { type, data } of told) {
      const { example } = webhooks[type]?.post.requestBody.content['application/json'] ?? {}
      expect(Object.keys(example?.data ?? {})).toEqual(Object.keys(data))
      const statuses = told.filter((one) => one.type === type).map((one) => one.data.status)
      expect([type, statuses]).toEqual([type, expect.arrayContaining([example?.data.status])])
    }
    const last = new Map<string, Told>()
    for (const event of told) {
      const { data, ...head } = event
      const { status = 'NONE', ...which } = data
      const one = expect.stringMatching(new RegExp(`^${ID}$`))
      // No name, number, amount, secret, nor link that opens anything by itself.
      expect(head).toEqual({ type: expect.stringMatching(/^[a-z_]+\.[a-z_]+$/), timestamp: expect.any(String) })
      expect(status).toMatch(/^[A-Z_]+$/)
      const url = expect.stringMatching(new RegExp(`^http://localhost:3000/api/v1/[a-z/-]+/${which.id}$`))
      expect(which).toEqual({ object: expect.any(String), id: one, orgId: uuid(org), url })
      last.set(String(which.id), event)
    }
    for (const { type, data } of last.values()) {
      const read = `GET ${new URL(String(data.url)).pathname}`
      const identity = kyc.includes(String(data.id))
      if (identity) expect((await t.call(`MANAGER.mia~${org}`, read)).status).toBe(403)
      const { status, body } = await t.call(`${identity ? 'ADMIN.ada' : 'MANAGER.mia'}~${org}`, read)
      expect([type, status, body.id]).toEqual([type, 200, data.id])
      // What a payment calls its status, a transfer calls its state.
      if (data.status) expect([type, body.status ?? body.state]).toEqual([type, data.status])
    }
  }
}, 120_000)
