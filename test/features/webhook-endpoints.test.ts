// Events to a landlord's own systems: signed, in order, again when they do not arrive, and never to a closed network.
import { afterAll, afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { deliverWebhooks, purgeDeliveries } from '../../src/features/webhook-endpoints/jobs.ts'
import { createTestApp, type TestApp } from '../support/app.ts'

const MIA = 'MANAGER.mia'
const ADA = 'ADMIN.ada'
const ANA = 'OWNER.ana'
const SECOND = 1000
const HOUR = 3600 * SECOND

type Got = { readonly headers: Record<string, string>; readonly body: string }
/** A receiver that notes what comes, verifies nothing and answers as told. */
function receiver() {
  const got: Got[] = []
  let answer: () => Response | Promise<Response> = () => new Response('ok')
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      got.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
      return answer()
    },
  })
  return {
    got,
    url: `http://127.0.0.1:${server.port}/hook`,
    answers: (fn: typeof answer) => {
      answer = fn
    },
    stop: () => server.stop(true),
  }
}
const receivers: ReturnType<typeof receiver>[] = []
afterAll(() => Promise.all(receivers.map((r) => r.stop())))
afterEach(() => void setSystemTime())
/** What a receiver's library says of a call that has just come. @throws when the signature does not hold */
function verified(t: TestApp, secret: string, { headers, body }: Got): unknown {
  setSystemTime(t.time.now)
  return new Webhook(secret).verify(body, headers)
}

type Delivery = {
  id: string
  type: string
  status: string
  attempts: number
  failure?: string
  responseStatus?: number
  nextAttemptAt?: string
}

async function start(events?: string[], apart = false) {
  const hook = receiver()
  receivers.push(hook)
  const t = createTestApp({ config: { webhookPrivateAddresses: !apart } })
  for (const who of [MIA, ADA, ANA]) await t.call(who, 'GET /api/v1/me')
  const made = await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: hook.url, ...(events ? { events } : {}) })
  const endpoint = String(made.body.id)
  const { body } = await t.call(MIA, `GET /api/v1/webhook-endpoints/${endpoint}/secret`)
  const deliveries = async (query = '') =>
    (await t.call<Delivery[]>(MIA, `GET /api/v1/webhook-endpoints/${endpoint}/deliveries?order=asc&${query}`)).body
  /** What the schedule does each second. */
  const deliver = async (): Promise<void> => {
    await t.work()
    await deliverWebhooks(t.deps)
  }
  return { t, hook, endpoint, secret: String(body.secret), deliveries, deliver, made }
}

/** A lease that begins today: created, submitted, activated, its first invoice issued and paid. */
async function lease(t: TestApp): Promise<{ booking: string; invoice: string }> {
  const property = await t.call(ANA, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'R', city: 'Douala' })
  const units = await t.call(ANA, `POST /api/v1/properties/${property.body.id}/units`, { label: 'A', rentAmount: 9000 })
  const tenant = await t.call(ANA, 'POST /api/v1/tenants', { fullName: 'Paul Biyong' })
  const made = await t.call(ANA, 'POST /api/v1/bookings', {
    unitId: units.body.id,
    tenantId: tenant.body.id,
    startDate: '2026-03-10',
  })
  const booking = String(made.body.id)
  await t.call(ANA, `POST /api/v1/bookings/${booking}/submit`)
  await t.call(ANA, `POST /api/v1/bookings/${booking}/activate`)
  await t.work()
  const invoices = await t.call<{ id: string }[]>(ANA, `GET /api/v1/invoices?bookingId=${booking}`)
  const invoice = invoices.body[0]?.id ?? ''
  await t.call(ANA, `POST /api/v1/invoices/${invoice}/payments`, {
    amount: 9000,
    method: 'CASH',
    paidOn: '2026-03-10',
  })
  return { booking, invoice }
}

describe('what arrives', () => {
  test('each change once, signed as Standard Webhooks has it, with no name, number or amount', async () => {
    const { t, hook, secret, deliver, deliveries } = await start()
    const { booking, invoice } = await lease(t)
    await deliver()
    const events = hook.got.map((got) => verified(t, secret, got)) as {
      type: string
      data: { id: string; url: string; status: string }
    }[]
    expect(events.map(({ type, data }) => `${type} ${data.status}`).sort()).toEqual([
      'booking.activate ACTIVE',
      'booking.create DRAFT',
      'booking.submit PENDING',
      'invoice.issue ISSUED',
      'invoice.paid PAID',
      'payment.record CONFIRMED',
    ])
    expect(events.find(({ type }) => type === 'invoice.paid')?.data).toEqual({
      object: 'invoice',
      id: invoice,
      status: 'PAID',
      orgId: expect.any(String),
      url: `http://localhost:3000/api/v1/invoices/${invoice}`,
    } as never)
    expect(events.filter(({ data }) => data.id === booking)).toHaveLength(3)
    for (const { body } of hook.got) expect(body).not.toMatch(/Biyong|9000|\+237/)
    expect((await deliveries()).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array.from({ length: 6 }, () => ['DELIVERED', 1]),
    )
    // Nothing twice, whatever runs again.
    await deliver()
    t.advance(1)
    await deliver()
    expect(hook.got).toHaveLength(6)
    expect(new Set(hook.got.map(({ headers }) => headers['webhook-id'])).size).toBe(6)
  })

  test('only what was asked for, and nothing from before or while disabled', async () => {
    const { t, hook, endpoint, deliver } = await start(['payment'])
    await lease(t)
    await deliver()
    expect(hook.got.map(({ body }) => JSON.parse(body).type)).toEqual(['payment.record'])
    await t.call(MIA, `PATCH /api/v1/webhook-endpoints/${endpoint}`, { status: 'DISABLED' })
    await lease(t)
    await deliver()
    await t.call(MIA, `PATCH /api/v1/webhook-endpoints/${endpoint}`, { status: 'ENABLED' })
    await deliver()
    expect(hook.got).toHaveLength(1)
  })

  test('no other organization hears of it', async () => {
    const { t, hook, deliver } = await start()
    await t.call('MANAGER.zoe~second', 'POST /api/v1/webhook-endpoints', { url: `${hook.url}?second` })
    await lease(t)
    await deliver()
    expect(hook.got).toHaveLength(6)
  })

  test('a changed byte, time or secret breaks the signature; for a day after a change both secrets hold', async () => {
    const { t, hook, endpoint, secret, deliver } = await start(['booking'])
    await t.call(MIA, `POST /api/v1/webhook-endpoints/${endpoint}/rotate-secret`)
    const { body } = await t.call(MIA, `GET /api/v1/webhook-endpoints/${endpoint}/secret`)
    const next = String(body.secret)
    expect(next).not.toBe(secret)
    await lease(t)
    await deliver()
    const [got = { headers: {}, body: '' }] = hook.got
    const { headers, body: text } = got
    for (const key of [secret, next]) expect(() => verified(t, key, got)).not.toThrow()
    const later = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }
    for (const [key, forged] of [
      [secret, { headers, body: text.replace('DRAFT', 'DRAFU') }],
      [secret, { headers: later, body: text }],
      [`whsec_${Buffer.alloc(32).toString('base64')}`, got],
    ] as const)
      expect(() => verified(t, key, forged)).toThrow()
    t.time.now += 25 * HOUR
    await lease(t)
    await deliver()
    const last = hook.got.at(-1) ?? { headers: {}, body: '' }
    expect(() => verified(t, next, last)).not.toThrow()
    expect(() => verified(t, secret, last)).toThrow()
  })
})

describe('what does not arrive', () => {
  const cases: [name: string, answer: () => Response | Promise<Response>, failure: string, status: number][] = [
    ['500', () => new Response('no', { status: 500 }), 'STATUS', 500],
    ['a redirect', () => Response.redirect('http://127.0.0.1:1/elsewhere', 307), 'STATUS', 307],
    ['404', () => new Response(null, { status: 404 }), 'STATUS', 404],
  ]
  test.each(cases)('%s is tried again and then arrives', async (_name, answer, failure, responseStatus) => {
    const { t, hook, deliver, deliveries } = await start(['payment'])
    hook.answers(answer)
    await lease(t)
    await deliver()
    const [first] = await deliveries()
    expect(first).toMatchObject({ status: 'PENDING', attempts: 1, failure, responseStatus })
    const wait = Date.parse(first?.nextAttemptAt ?? '') - t.time.now
    expect(wait).toBeGreaterThanOrEqual(54 * SECOND)
    expect(wait).toBeLessThanOrEqual(60 * SECOND)
    // Not before its time.
    await deliver()
    expect(hook.got).toHaveLength(1)
    hook.answers(() => new Response(null, { status: 204 }))
    t.time.now += wait
    await deliver()
    expect(hook.got).toHaveLength(2)
    expect(hook.got[0]?.headers['webhook-id']).toBe(hook.got[1]?.headers['webhook-id'] ?? '')
    expect((await deliveries())[0]).toMatchObject({ status: 'DELIVERED', attempts: 2, responseStatus: 204 })
  })

  test('nine attempts in less than three days, then it is given up, and a replay sends it again', async () => {
    const { t, hook, deliver, deliveries } = await start(['payment'])
    hook.answers(() => new Response(null, { status: 503 }))
    const begun = t.time.now
    await lease(t)
    await deliver()
    for (let i = 0; i < 20; i++) {
      const [row] = await deliveries()
      if (!row?.nextAttemptAt) break
      t.time.now = Date.parse(row.nextAttemptAt)
      await deliver()
    }
    expect(hook.got).toHaveLength(9)
    expect(t.time.now - begun).toBeLessThan(72 * HOUR)
    expect(t.time.now - begun).toBeGreaterThan(60 * HOUR)
    const [row] = await deliveries('status=FAILED')
    expect(row).toMatchObject({ attempts: 9, failure: 'STATUS', responseStatus: 503 })
    t.time.now += 30 * 24 * HOUR - 71 * HOUR
    hook.answers(() => new Response('ok'))
    await t.call(MIA, `POST /api/v1/webhook-deliveries/${row?.id}/replay`)
    await deliver()
    expect((await deliveries())[0]).toMatchObject({ status: 'DELIVERED', attempts: 1 })
    expect(new Set(hook.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    // Forgotten after a month.
    t.advance(31)
    await purgeDeliveries(t.deps)
    expect(t.rows('select * from webhook_delivery')).toEqual([])
  })

  test('one that hangs is let go after five seconds and does not keep others waiting', async () => {
    const { t, hook, endpoint, deliver, deliveries } = await start(['booking'])
    const other = receiver()
    receivers.push(other)
    await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: other.url, events: ['booking'] })
    hook.answers(() => new Promise(() => {}))
    await lease(t)
    const round = deliver()
    while (other.got.length < 3) await Bun.sleep(10)
    expect((await deliveries())[0]).toMatchObject({ status: 'PENDING', attempts: 0 })
    await round
    // One attempt found out; the two others wait for the endpoint's pause to end.
    expect((await deliveries()).map(({ attempts, failure }) => [attempts, failure])).toEqual([
      [1, 'TIMEOUT'],
      [0, undefined],
      [0, undefined],
    ])
    await deliver()
    expect(hook.got).toHaveLength(1)
    expect(t.rows('select failures from webhook_endpoint where id = ?', endpoint)).toEqual([{ failures: 1 }])
  }, 20_000)

  test('410 disables the endpoint', async () => {
    const { t, hook, endpoint, deliver } = await start(['booking'])
    hook.answers(() => new Response(null, { status: 410 }))
    await lease(t)
    await deliver()
    t.advance(2)
    await deliver()
    expect(hook.got).toHaveLength(1)
    expect((await t.call(MIA, `GET /api/v1/webhook-endpoints/${endpoint}`)).body.status).toBe('DISABLED')
    const trail = await t.call<{ actor: string }[]>(ADA, 'GET /api/v1/admin/audit?action=webhook_endpoint.gone')
    expect(trail.body.map(({ actor }) => actor)).toEqual(['system'])
  })
})

describe('addresses', () => {
  test('a closed one is refused by name, and nothing is kept', async () => {
    const { t, made } = await start(undefined, true)
    expect(made.status).toBe(422)
    expect(made.body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/url' }] })
    expect(t.rows('select * from webhook_endpoint')).toEqual([])
  })

  test('eleven are one too many', async () => {
    const { t, hook } = await start()
    for (let i = 1; i < 10; i++) await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: `${hook.url}?${i}` })
    const refused = await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: hook.url })
    expect([refused.status, refused.body.code]).toEqual([409, 'quota_exceeded'])
  })

  test('forgotten with all that waited for it', async () => {
    const { t, hook, endpoint, deliver } = await start(['booking'])
    await lease(t)
    await t.work()
    expect((await t.call(MIA, `DELETE /api/v1/webhook-endpoints/${endpoint}`)).status).toBe(204)
    await deliver()
    expect(hook.got).toEqual([])
    expect(t.rows('select * from webhook_delivery')).toEqual([])
    await lease(t)
    expect(t.rows("select * from job where kind = 'webhook.event' and status <> 'DONE'")).toEqual([])
  })
})
