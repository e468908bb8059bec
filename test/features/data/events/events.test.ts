// Events to a landlord's own systems: signed, each once, in order, and never to a closed network.
import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { createOutbound } from '../../../../src/adapters/outbound/outbound.ts'
import { createDeliverer } from '../../../../src/features/data/events/jobs.ts'
import { silentLog } from '../../../../src/log.ts'
import { openTime } from '../../../../src/time.ts'
import { createTestApp, type TestApp, uuid } from '../../../support/app.ts'
import { type Got, HOUR, lease, MIA, start } from '../../../support/hooks.ts'

afterEach(() => void setSystemTime())
/** What a receiver's library says of a call that has just come. @throws when the signature does not hold */
function verified(t: TestApp, secret: string, { headers, body }: Got): unknown {
  setSystemTime(t.time.now)
  return new Webhook(secret).verify(body, headers)
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
      'booking.activated ACTIVE',
      'booking.created DRAFT',
      'booking.submitted PENDING',
      'invoice.issued ISSUED',
      'invoice.paid PAID',
      'payment.recorded CONFIRMED',
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
    expect(hook.got.map(({ body }) => JSON.parse(body).type)).toEqual(['payment.recorded'])
    await t.call(MIA, `PATCH /api/v1/webhook-endpoints/${endpoint}`, { status: 'DISABLED' })
    await lease(t)
    await deliver()
    await t.call(MIA, `PATCH /api/v1/webhook-endpoints/${endpoint}`, { status: 'ENABLED' })
    await deliver()
    expect(hook.got).toHaveLength(1)
  })

  test('of a kind of object only the types that were asked for; another word is refused at its place', async () => {
    const { t, hook, endpoint, deliver } = await start(['booking'])
    const path = `PATCH /api/v1/webhook-endpoints/${endpoint}`
    const made = await t.call(MIA, path, { events: ['booking.activated', 'invoice.paid'] })
    expect(made.body.events).toEqual(['booking.activated', 'invoice.paid'])
    for (const word of ['booking', 'booking.activate', 'booking.deleted']) {
      const { status, body } = await t.call(MIA, path, { events: ['invoice.paid', word] })
      expect([status, body]).toMatchObject([422, { code: 'validation_failed', errors: [{ path: '/events/1' }] }])
    }
    await lease(t)
    await deliver()
    expect(hook.got.map(({ body }) => JSON.parse(body).type)).toEqual(['booking.activated', 'invoice.paid'])
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
    const { body } = await t.call(MIA, `POST /api/v1/webhook-endpoints/${endpoint}/rotate-secret`)
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

  test('secrets replaced within a day each sign for a day of their own, five of them at most', async () => {
    const { t, hook, endpoint, secret, deliver } = await start(['booking'])
    const path = `POST /api/v1/webhook-endpoints/${endpoint}/rotate-secret`
    const secrets = [secret]
    for (let hour = 0; hour < 5; hour += 1) {
      t.time.now += HOUR
      secrets.push(String((await t.call(MIA, path)).body.secret))
    }
    const refused = await t.call(MIA, path)
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'too_many_requests',
      String(20 * 3600),
    ])
    /** Which of the secrets sign what is sent now. */
    const signs = async (): Promise<number[]> => {
      await lease(t)
      await deliver()
      const got = hook.got.at(-1) ?? { headers: {}, body: '' }
      return secrets.flatMap((key, n) => {
        try {
          verified(t, key, got)
          return [n]
        } catch {
          return []
        }
      })
    }
    expect(await signs()).toEqual([0, 1, 2, 3, 4, 5])
    t.time.now += 20 * HOUR - 1
    expect(await signs()).toEqual([0, 1, 2, 3, 4, 5])
    t.time.now += 1
    expect(await signs()).toEqual([1, 2, 3, 4, 5])
    secrets.push(String((await t.call(MIA, path)).body.secret))
    t.time.now += 3 * HOUR
    expect(await signs()).toEqual([4, 5, 6])
    t.time.now += 24 * HOUR
    expect(await signs()).toEqual([6])
  })

  test('signed at the time of the machine: its receiver refuses an old or early time by a clock of its own', async () => {
    const { t, hook, secret } = await start(['booking'])
    const machine = t.time.now - 24 * HOUR
    const time = await openTime(t.deps.store, silentLog, () => machine)
    const deliverer = createDeliverer({ ...t.deps, time })
    await lease(t)
    await t.work()
    await deliverer.round()
    await deliverer.settled()
    const [got = { headers: {}, body: '' }] = hook.got
    setSystemTime(machine)
    expect(() => new Webhook(secret).verify(got.body, got.headers)).not.toThrow()
  })
})

const sendTo = (id: string) => `POST /api/v1/webhook-endpoints/${id}/test`

describe('a test event', () => {
  test('arrives signed and is listed like any other, whatever the endpoint subscribes to', async () => {
    const { t, hook, endpoint, secret, deliver, deliveries } = await start(['payment'])
    await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: `${hook.url}?second` })
    const { status, body } = await t.call(MIA, sendTo(endpoint))
    const sent = { id: body.id, type: 'endpoint.tested', endpointId: endpoint }
    expect([status, body]).toMatchObject([201, { ...sent, status: 'PENDING', attempts: 0 }])
    await deliver()
    await deliver()
    expect(hook.got.map((got) => verified(t, secret, got))).toEqual([
      {
        type: 'endpoint.tested',
        timestamp: expect.any(String),
        data: {
          object: 'endpoint',
          id: endpoint,
          status: 'ENABLED',
          orgId: expect.any(String),
          url: `http://localhost:3000/api/v1/webhook-endpoints/${endpoint}`,
        },
      },
    ])
    expect(await deliveries()).toMatchObject([{ ...sent, status: 'DELIVERED', attempts: 1, responseStatus: 200 }])
    expect(t.rows("select action, subject_id from audit_entry where action = 'webhook_delivery.test'")).toEqual([
      { action: 'webhook_delivery.test', subject_id: body.id },
    ])
  })

  test('is tried again, and replayed', async () => {
    const { t, hook, endpoint, deliver, deliveries } = await start()
    hook.answers(() => new Response('no', { status: 500 }))
    const { body } = await t.call(MIA, sendTo(endpoint))
    await deliver()
    expect(await deliveries()).toMatchObject([{ status: 'PENDING', attempts: 1, failure: 'STATUS' }])
    hook.answers(() => new Response('ok'))
    expect((await t.call(MIA, `POST /api/v1/webhook-deliveries/${body.id}/replay`)).status).toBe(200)
    await deliver()
    expect(await deliveries()).toMatchObject([{ status: 'DELIVERED' }])
  })

  test('nobody subscribes to it; who may not manage the endpoint sends none', async () => {
    const { t, hook, endpoint } = await start()
    const asked = { url: hook.url, events: ['endpoint.tested'] }
    const refused = await t.call(MIA, 'POST /api/v1/webhook-endpoints', asked)
    expect([refused.status, refused.body]).toMatchObject([422, { errors: [{ path: '/events/0' }] }])
    for (const [who, status] of [
      ['OWNER.ana', 403],
      ['TENANT.tom', 403],
      ['MANAGER.zoe~second', 404],
    ] as const)
      expect([who, (await t.call(who, sendTo(endpoint))).status]).toEqual([who, status])
    expect(t.rows('select * from webhook_delivery')).toEqual([])
  })

  test('twenty in an hour, then 429; none to a disabled endpoint', async () => {
    const { t, hook, endpoint, deliver } = await start()
    for (let i = 0; i < 20; i += 1) expect((await t.call(MIA, sendTo(endpoint))).status).toBe(201)
    const refused = await t.call(MIA, sendTo(endpoint))
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'too_many_requests',
      '3600',
    ])
    await deliver()
    expect(hook.got).toHaveLength(20)
    t.time.now += HOUR + 1
    expect((await t.call(MIA, sendTo(endpoint))).status).toBe(201)
    await t.call(MIA, `PATCH /api/v1/webhook-endpoints/${endpoint}`, { status: 'DISABLED' })
    const off = await t.call(MIA, sendTo(endpoint))
    expect([off.status, off.body]).toMatchObject([409, { code: 'invalid_state', currentStatus: 'DISABLED' }])
  })
})

describe('addresses', () => {
  test('a closed one is refused by name, and nothing is kept', async () => {
    const { t, made } = await start(undefined, true)
    expect(made.status).toBe(422)
    expect(made.body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/url' }] })
    expect(t.rows('select * from webhook_endpoint')).toEqual([])
  })

  test('a sandbox of this machine alone calls the programs of its developer here', async () => {
    const { hook } = await start()
    const port = new URL(hook.url).port
    const production = { sandbox: false, webhookReach: 'PUBLIC' } as const
    for (const [config, host, status] of [
      [{}, `http://127.0.0.1:${port}`, 201],
      [{}, `http://localhost:${port}`, 201],
      [{}, `http://[::1]:${port}`, 201],
      [{}, `http://10.0.0.1:${port}`, 422],
      [{}, `http://127.0.0.1.example.cm:${port}`, 422],
      [{}, 'http://169.254.169.254', 422],
      [production, `http://127.0.0.1:${port}`, 422],
      [production, `http://localhost:${port}`, 422],
    ] as const) {
      const t = createTestApp({ config })
      const made = await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: `${host}/hook` })
      expect([host, config, made.status]).toEqual([host, config, status])
      if (status !== 201 || host.includes('::1')) continue
      const before = hook.got.length
      await t.call(MIA, sendTo(String(made.body.id)))
      const deliverer = createDeliverer(t.deps)
      await deliverer.round()
      await deliverer.settled()
      expect([host, hook.got.length]).toEqual([host, before + 1])
    }
  })

  test('a secret is shown once: in the answer that makes it, and kept nowhere', async () => {
    const { t, hook, endpoint, secret } = await start()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const headers = { 'idempotency-key': 'once' }
    const made = await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: `${hook.url}?2` }, headers)
    const again = await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: `${hook.url}?2` }, headers)
    expect(again.body).toEqual(made.body)
    expect(made.body.secret).not.toBe(secret)
    const rotated = await t.call(MIA, `POST /api/v1/webhook-endpoints/${endpoint}/rotate-secret`)
    for (const path of ['', `/${endpoint}`, `/${endpoint}/deliveries`])
      expect((await t.call(MIA, `GET /api/v1/webhook-endpoints${path}`)).text).not.toContain('whsec_')
    expect((await t.call(MIA, `GET /api/v1/webhook-endpoints/${endpoint}/secret`)).status).toBe(404)
    const kept = ['webhook_endpoint', 'webhook_delivery', 'idempotency', 'audit_entry', 'job']
      .map((table) => JSON.stringify(t.rows(`select * from ${table}`)))
      .join()
    for (const each of [secret, made.body.secret, rotated.body.secret])
      expect(kept).not.toContain(String(each).slice('whsec_'.length))
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

test('a name that leads inside is refused when it is registered, not first at the call', async () => {
  const t = createTestApp()
  const inside = new Set(['inside.example.cm', 'both.example.cm'])
  const lookup = (name: string, _options: object, done: (e: null, found: object[]) => void) =>
    done(null, [{ address: '8.8.8.8', family: 4 }, ...(inside.has(name) ? [{ address: '10.0.0.1', family: 4 }] : [])])
  Object.assign(t.deps, { outbound: createOutbound({ reach: 'PUBLIC', lookup: lookup as never }) })
  const url = (host: string) => ({ url: `https://${host}/hook` })
  for (const host of inside) {
    const { status, body } = await t.call(MIA, 'POST /api/v1/webhook-endpoints', url(host))
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path: '/url' })]])
  }
  const { status, body } = await t.call(MIA, 'POST /api/v1/webhook-endpoints', url('outside.example.cm'))
  expect(status).toBe(201)
  const path = `PATCH /api/v1/webhook-endpoints/${body.id}`
  expect((await t.call(MIA, path, url('inside.example.cm'))).status).toBe(422)
  expect((await t.call(MIA, path, url('compta.example.cm'))).body.url).toBe('https://compta.example.cm/hook')
  expect((await t.call(MIA, `PATCH /api/v1/webhook-endpoints/${uuid('none')}`, url('inside.example.cm'))).status).toBe(
    404,
  )
})
