// What a monitor reads: time by route and status, what waits and for how long, what came of messages; never who or what.
import { expect, test } from 'bun:test'
import { leastIdAt } from '../../../../src/core/id.ts'
import { createPeopleApp } from '../../../support/people.ts'

const app = await createPeopleApp()
const { call, deps } = app
const ask = (path: string, method = 'GET') => app.send(new Request(`http://localhost${path}`, { method }))
const metrics = async (): Promise<string> => {
  const answer = await ask('/metrics')
  return answer.text()
}
const values = (text: string, metric: string): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`^${metric}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].map(([, labels = '', n]) => [
      labels,
      Number(n),
    ]),
  )
const counts = async () => values(await metrics(), 'loyer_http_request_duration_seconds_count')

test('answers are counted by method, route and status; an address never becomes a label', async () => {
  const token = await app.token('+237677000001', 'pignon sur rue')
  const before = await counts()
  const made = await call('POST /api/v1/properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }, { token })
  for (let i = 0; i < 3; i++) await call(`GET /api/v1/properties/${made.body.id}`, undefined, { token })
  await call(`HEAD /api/v1/properties/${made.body.id}`, undefined, { token })
  await call(`GET /api/v1/properties/${crypto.randomUUID()}`, undefined, { token })
  await call(`GET /api/v1/properties/${crypto.randomUUID()}`)
  await ask('/verify/VERY-SECRET-TOKEN')
  await ask('/no/such/place')
  await ask('/api/v1/properties', 'BREW')
  const found = await counts()
  const since = (labels: string): number => (found[labels] ?? 0) - (before[labels] ?? 0)
  const property = (status: number, method = 'GET') =>
    since(`method="${method}",route="/api/v1/properties/:id",status="${status}"`)
  expect([property(200), property(200, 'HEAD'), property(404), property(401)]).toEqual([3, 1, 1, 1])
  expect(since('method="POST",route="/api/v1/properties",status="201"')).toBe(1)
  const text = await metrics()
  expect(text).not.toContain('VERY-SECRET')
  expect(text).not.toContain(String(made.body.id))
  expect(text).not.toMatch(/such\/place|BREW/)
  expect(Object.keys(found).some((labels) => labels.includes('route="none"'))).toBe(true)
})

test('invented addresses and methods add no series', async () => {
  const lines = (await metrics()).split('\n').length
  for (let i = 0; i < 50; i++) {
    await call(`GET /api/v1/nothing-${i}`)
    await call(`GET /api/v1/properties/${crypto.randomUUID()}`)
    await ask(`/i/${crypto.randomUUID()}${i}`)
  }
  expect((await metrics()).split('\n').length).toBeLessThan(lines + 60)
})

test('a histogram adds up: each bucket holds those before it, the last all', async () => {
  await ask('/healthz')
  const text = await metrics()
  const all = values(text, 'loyer_http_request_duration_seconds_bucket')
  const labels = 'method="GET",route="/healthz",status="200"'
  const buckets = Object.entries(all).filter(([name]) => name.startsWith(labels))
  expect(buckets.length).toBe(9)
  expect(buckets.map(([, n]) => n)).toEqual(buckets.map(([, n]) => n).toSorted((a, b) => a - b))
  const count = values(text, 'loyer_http_request_duration_seconds_count')[labels]
  expect(count).toBeGreaterThan(0)
  expect(buckets.at(-1)).toEqual([`${labels},le="+Inf"`, Number(count)])
})

test('each metric says what it is and has its type once, before its lines, which stand together', async () => {
  const seen = new Set<string>()
  let [current, said] = ['', '']
  for (const line of (await metrics()).trimEnd().split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (kind === 'HELP') {
      expect([line, rest]).toEqual([line, expect.stringMatching(/^[A-Z].+\.$/)])
      said = name
    } else if (kind === 'TYPE') {
      expect([line, said, seen.has(name)]).toEqual([line, name, false])
      expect(rest).toMatch(/^(gauge|counter|histogram)$/)
      current = name
      seen.add(current)
    } else expect([line, line.startsWith(current) && current !== '']).toEqual([line, true])
  }
  expect(seen.size).toBeGreaterThan(10)
})

test('messages are counted by what came of them, from zero on, and nobody is named', async () => {
  const sent = async () => values(await metrics(), 'loyer_messages_total')
  const before = await sent()
  // A monitor sees no increase in a counter that begins with its first message.
  expect(before).toEqual(
    Object.fromEntries(
      ['WHATSAPP', 'SMS'].flatMap((channel) =>
        ['taken', 'put_off', 'refused'].map((result) => [`vendor="log",channel="${channel}",result="${result}"`, 0]),
      ),
    ),
  )
  await call('POST /api/v1/registration/otp', { phoneNumber: '+237699112233' })
  const changed = Object.entries(await sent()).filter(([labels, n]) => n !== before[labels])
  expect(changed).toEqual([[expect.stringMatching(/^vendor="log",channel="(WHATSAPP|SMS)",result="taken"$/), 1]])
  expect(await metrics()).not.toContain('699112233')
})

test('what a vendor bills is counted in parts, and in francs where its price is known', async () => {
  const billed = async (env: Record<string, string>) => {
    const fresh = await createPeopleApp(env)
    async function sums(): Promise<(number | undefined)[]> {
      const text = await (await fresh.send(new Request('http://localhost/metrics'))).text()
      const sum = (metric: string) => Object.values(values(text, metric)).reduce<number | undefined>(add, undefined)
      return [sum('loyer_message_parts_total'), sum('loyer_message_cost_xaf_total')]
    }
    const before = await sums()
    await fresh.call('POST /api/v1/registration/otp', { phoneNumber: '+237699112233' })
    return [before, await sums()]
  }
  const add = (a: number | undefined, b: number): number => (a ?? 0) + b
  const price = { MESSAGING_PRICE_SMS: '4.5', MESSAGING_PRICE_WHATSAPP: '4.5' }
  expect(await billed({})).toEqual([
    [0, undefined],
    [1, undefined],
  ])
  expect(await billed(price)).toEqual([
    [0, 0],
    [1, 4.5],
  ])
})

test('what waits says for how long, and a failed job is a number', async () => {
  const oldest = async () => values(await metrics(), 'loyer_queue_oldest_seconds')
  expect(Object.keys(await oldest()).sort()).toEqual(
    ['jobs', 'messages', 'papers', 'webhooks'].map((queue) => `queue="${queue}"`),
  )
  const put = (status: string, runAt: number) =>
    deps.store.client
      .prepare('insert into job (id, kind, source, payload, status, run_at) values (?, ?, ?, ?, ?, ?)')
      .run(crypto.randomUUID(), 'nothing', crypto.randomUUID(), '{}', status, runAt)
  put('READY', deps.clock.wall() - 120_000)
  put('READY', deps.clock.wall() + 120_000)
  put('FAILED', deps.clock.wall() - 999_000)
  const atOnce = leastIdAt(deps.clock.now() - 200_000)
  expect((await oldest())['queue="jobs"']).toBeWithin(119, 150)
  expect(values(await metrics(), 'loyer_jobs')['status="FAILED"']).toBe(1)
  deps.store.client
    .prepare("insert into job (id, kind, source, payload, status, run_at) values (?, 'nothing', 'x', '{}', 'READY', 0)")
    .run(atOnce)
  expect((await oldest())['queue="jobs"']).toBeWithin(199, 230)
  deps.store.client.exec('delete from job')
  expect((await oldest())['queue="jobs"']).toBe(0)
})

test('papers wait since they were asked for, deliveries since they are due, unless their endpoint is paused', async () => {
  const oldest = async (queue: string) => values(await metrics(), 'loyer_queue_oldest_seconds')[`queue="${queue}"`]
  const { client } = deps.store
  const at = (ms: number) => new Date(deps.clock.wall() + ms).toISOString()
  expect([await oldest('papers'), await oldest('webhooks')]).toEqual([0, 0])
  client.exec('pragma foreign_keys = off; pragma ignore_check_constraints = on')
  const columns = (table: string) =>
    (
      client.pragma(`table_info(${table})`) as { name: string; type: string; notnull: number; dflt_value: unknown }[]
    ).filter(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null)
  const put = (table: string, row: Record<string, unknown>) => {
    const all = {
      ...Object.fromEntries(columns(table).map(({ name, type }) => [name, type === 'INTEGER' ? 0 : ''])),
      ...row,
    }
    const names = Object.keys(all)
    client
      .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
      .run(...Object.values(all))
  }
  for (const [ms, place] of [
    [-300_000, 2],
    [-60_000, 1],
  ] as const)
    put('document', {
      ...{ id: crypto.randomUUID(), source: String(ms), code: String(ms), data: '{}', status: 'PENDING' },
      ...{ render_at: place, updated_at: new Date(deps.clock.now() + ms).toISOString() },
    })
  const delivery = (endpoint: string, next: number) =>
    put('webhook_delivery', {
      ...{ id: crypto.randomUUID(), org_id: 'o', endpoint_id: endpoint, event_id: crypto.randomUUID(), payload: '{}' },
      ...{ status: 'PENDING', next_attempt_at: at(next) },
    })
  for (const [id, paused] of [
    ['open', -1000],
    ['paused', 600_000],
  ] as const)
    put('webhook_endpoint', { id, org_id: 'o', status: 'ENABLED', paused_until: at(paused) })
  delivery('open', -90_000)
  delivery('open', 90_000)
  delivery('paused', -999_000)
  expect(await oldest('papers')).toBeWithin(299, 330)
  expect(await oldest('webhooks')).toBeWithin(89, 120)
  client.exec('delete from document; delete from webhook_delivery; delete from webhook_endpoint')
  expect([await oldest('papers'), await oldest('webhooks')]).toEqual([0, 0])
})

test('how long one piece of work held up all others: since the last reading, so the first has no value', async () => {
  const fresh = await createPeopleApp()
  const delays = async () => {
    const answer = await fresh.send(new Request('http://localhost/metrics'))
    return Object.values(values(await answer.text(), 'loyer_event_loop_delay_max_seconds'))
  }
  expect(await delays()).toEqual([])
  const begun = performance.now()
  while (performance.now() < begun + 400);
  const [held = 0] = await delays()
  expect(held).toBeGreaterThan(0.2)
  expect(held).toBeLessThan(60)
})

test('only who asks this machine by its own name reads it without a token, and no proxy', async () => {
  const there = await createPeopleApp({ PUBLIC_URL: 'https://rent.example.cm' })
  const from = async (headers: Record<string, string>) => {
    const answer = await there.send(new Request('http://localhost/metrics', { headers }))
    return [headers, answer.status]
  }
  try {
    for (const headers of [{}, { host: '127.0.0.1:3000' }, { host: '[::1]:9' }])
      expect(await from(headers)).toEqual([headers, 200])
    for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'])
      expect(await from({ [name]: '127.0.0.1' })).toEqual([{ [name]: '127.0.0.1' }, 401])
    expect(await from({ host: 'rent.example.cm' })).toEqual([{ host: 'rent.example.cm' }, 401])
  } finally {
    await there.close()
  }
})

test('a monitor on another machine reads them with METRICS_TOKEN, and with nothing that looks like it', async () => {
  const token = 'a-secret-of-the-monitor'
  const [guarded, open] = [await createPeopleApp({ METRICS_TOKEN: token }), app]
  const from = (one: typeof app, sent?: string): Promise<number> =>
    one
      .send(
        new Request('http://localhost/metrics', {
          headers: { 'x-forwarded-for': '198.51.100.7', ...(sent && { authorization: `Bearer ${sent}` }) },
        }),
      )
      .then(({ status }) => status)
  expect([await from(guarded, token), await from(guarded), await from(guarded, `${token}x`)]).toEqual([200, 401, 401])
  expect([await from(open, token), await from(open, 'undefined')]).toEqual([401, 401])
  // It opens the metrics alone.
  expect((await guarded.call('GET /api/v1/me', undefined, { token })).status).toBe(401)
  await guarded.close()
})
