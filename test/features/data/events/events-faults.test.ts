// Receivers that fail: tried again until just under three days, and no trouble for anybody else.
import { describe, expect, test } from 'bun:test'
import { purgeDeliveries } from '../../../../src/features/data/events/jobs.ts'
import { EVENT_TYPES, objectOf } from '../../../../src/features/data/events/rules.ts'
import { ADA, HOUR, lease, MIA, receiver, receivers, SECOND, start } from '../../../support/hooks.ts'

const BOOKINGS = EVENT_TYPES.filter((type) => objectOf(type) === 'booking')

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

  test('of many events none is tried later than three days after it, and a replay has three days of its own', async () => {
    const { t, hook, deliver, deliveries } = await start(['booking', 'document', 'invoice'])
    hook.answers(() => new Response(null, { status: 503 }))
    const begun = t.time.now
    for (let i = 0; i < 5; i += 1) await lease(t)
    let last = 0
    for (let quarters = 0; quarters < 4 * 96; quarters += 1) {
      const before = hook.got.length
      await deliver()
      if (hook.got.length > before) last = t.time.now
      t.time.now += HOUR / 4
    }
    expect(last - begun).toBeLessThanOrEqual(72 * HOUR)
    const rows = await deliveries('limit=200')
    expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'FAILED'))
    expect(Math.min(...rows.map(({ attempts }) => attempts))).toBeGreaterThan(3)
    const id = rows[0]?.id
    await t.call(MIA, `POST /api/v1/webhook-deliveries/${id}/replay`)
    await deliver()
    expect((await deliveries()).find((row) => row.id === id)).toMatchObject({ status: 'PENDING', attempts: 1 })
  }, 60_000)

  test('one that hangs is let go after five seconds and does not keep others waiting', async () => {
    const { t, hook, endpoint, deliver, deliveries } = await start(['booking'])
    const other = receiver()
    receivers.push(other)
    await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: other.url, events: BOOKINGS })
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

  test('while one hangs, what happens later reaches the others too', async () => {
    const { t, hook, deliveries, deliverer } = await start(['booking'])
    const other = receiver()
    receivers.push(other)
    await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: other.url, events: BOOKINGS })
    const answer = Promise.withResolvers<Response>()
    hook.answers(() => answer.promise)
    for (const expected of [3, 6, 9]) {
      await lease(t)
      await t.work()
      await deliverer.round()
      while (other.got.length < expected) await Bun.sleep(5)
    }
    // The one that hangs was called once, and is not called beside that.
    expect(hook.got).toHaveLength(1)
    answer.resolve(new Response('ok'))
    hook.answers(() => new Response('ok'))
    await deliverer.settled()
    expect(hook.got.map(({ headers }) => headers['webhook-id'])).toEqual(
      other.got.map(({ headers }) => headers['webhook-id']),
    )
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual(Array.from({ length: 9 }, () => 1))
  })

  test('a service that stops lets the call in hand end and begins no other', async () => {
    const { t, hook, deliveries, deliverer } = await start(['booking'])
    const answer = Promise.withResolvers<Response>()
    hook.answers(() => answer.promise)
    await lease(t)
    await t.work()
    await deliverer.round()
    while (hook.got.length < 1) await Bun.sleep(5)
    deliverer.stop()
    answer.resolve(new Response('ok'))
    await deliverer.settled()
    expect(hook.got).toHaveLength(1)
    expect((await deliveries()).map(({ status }) => status)).toEqual(['DELIVERED', 'PENDING', 'PENDING'])
  })

  test.each([
    ['disabled', 'PATCH', { status: 'DISABLED' }, 1],
    ['deleted', 'DELETE', undefined, 1],
    ['moved', 'PATCH', { url: 'http://127.0.0.1:1/elsewhere' }, 1],
    ['described', 'PATCH', { description: 'Comptabilité' }, 3],
  ] as const)('%s while an event is on its way: what follows goes by that', async (_name, method, body, calls) => {
    const { t, hook, endpoint, deliver } = await start(['booking'])
    hook.answers(async () => {
      if (hook.got.length === 1) await t.call(MIA, `${method} /api/v1/webhook-endpoints/${endpoint}`, body)
      return new Response('ok')
    })
    await lease(t)
    await deliver()
    await deliver()
    expect(hook.got).toHaveLength(calls)
  })

  test.each(['replay', 'mend'])('after failures a %s calls at once, not when the pause is over', async (way) => {
    const { t, hook, endpoint, deliver, deliveries } = await start(['payment'])
    hook.answers(() => new Response(null, { status: 500 }))
    await lease(t)
    await deliver()
    hook.answers(() => new Response('ok'))
    const [row] = await deliveries()
    if (way === 'replay') await t.call(MIA, `POST /api/v1/webhook-deliveries/${row?.id}/replay`)
    else await t.call(MIA, `PATCH /api/v1/webhook-endpoints/${endpoint}`, { url: `${hook.url}/mended` })
    await deliver()
    expect(hook.got).toHaveLength(way === 'replay' ? 2 : 1)
    await lease(t)
    await deliver()
    expect(hook.got).toHaveLength(way === 'replay' ? 3 : 2)
  })

  test('a replay to a disabled endpoint says to enable it, and changes nothing', async () => {
    const { t, hook, endpoint, deliver, deliveries } = await start(['payment'])
    await lease(t)
    await deliver()
    const [row] = await deliveries()
    const path = `PATCH /api/v1/webhook-endpoints/${endpoint}`
    await t.call(MIA, path, { status: 'DISABLED' })
    const replay = `POST /api/v1/webhook-deliveries/${row?.id}/replay`
    const refused = await t.call(MIA, replay, {}, { 'accept-language': 'en' })
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'invalid_state',
        currentStatus: 'DISABLED',
        detail: 'This endpoint is disabled, so nothing is sent to it. Enable it, then try again.',
      },
    ])
    expect(await deliveries()).toEqual([row] as never)
    await t.call(MIA, path, { status: 'ENABLED' })
    await deliver()
    expect(hook.got).toHaveLength(1)
    expect((await t.call(MIA, replay)).status).toBe(200)
    await deliver()
    expect(hook.got).toHaveLength(2)
  })

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
