// The typed client against the app itself, and the example program against a server that listens.
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createClient, type Item, list, ok, ProblemError, type Schema } from '../src/client/client.ts'
import { letting, stage } from './support/scenario.ts'

const s = await stage({ given: letting({ startDate: '2026-03-01' }) })
const { t } = s
t.advance(20)
await t.work()
const ana = 'OWNER.ana'
const seen: Request[] = []
/** How many answers are lost on the way back before one arrives. */
let lost = 0
const sent = (): string[] => seen.splice(0).map(({ method, url }) => `${method} ${new URL(url).pathname}`)
async function fetch(request: Request): Promise<Response> {
  request.signal.throwIfAborted()
  seen.push(request.clone())
  const answer = await t.app.handle(request)
  if (lost-- > 0) throw new TypeError('The connection was closed.')
  return answer
}
const client = createClient({ baseUrl: 'http://localhost', token: async () => ana, fetch })
const villa = { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }
const named = (name: string) => Number(t.rows('select count(*) n from property where name = ?', name)[0]?.n)
for (let i = 0; i < 5; i++) ok(await client.POST('/api/v1/properties', { body: { ...villa, name: `Listed ${i}` } }))

test('an answer has the type of its schema', async () => {
  const me: Schema<'CurrentUser'> = ok(await client.GET('/api/v1/me'))
  expect(me.roles).toEqual(['OWNER'])
  const made = ok(await client.POST('/api/v1/properties', { body: { ...villa, name: 'Typed' } }))
  // @ts-expect-error a property has no such member
  expect(made.colour).toBeUndefined()
  const status: Schema<'PropertyStatus'> = made.status
  expect(status).toBe('DRAFT')
})

test('what is wrong is refused by the compiler first, and then by the API', async () => {
  // @ts-expect-error a property needs a town
  const answer = await client.POST('/api/v1/properties', { body: { name: 'No town', addressLine: 'Rue 1' } })
  expect(answer.response.status).toBe(422)
  const error = await Promise.resolve(answer)
    .then(ok)
    .catch((e) => e)
  expect(error).toBeInstanceOf(ProblemError)
  expect(error).toMatchObject({ status: 422, problem: { code: 'validation_failed', status: 422 } })
  expect(error.problem.errors.map(({ path }: { path: string }) => path)).toEqual(['/city'])
  expect(error.message).toBe(`validation_failed at /city: ${error.problem.errors[0].message}`)
  expect(named('No town')).toBe(0)
  // @ts-expect-error there is no such address
  expect((await client.GET('/api/v1/nothing')).response.status).toBe(404)
})

test('what is no problem document is an error all the same', async () => {
  const proxy = createClient({ baseUrl: 'http://localhost', fetch: async () => new Response('<p>', { status: 520 }) })
  const error = await proxy.GET('/api/v1/me').then(ok).catch(String)
  expect(error).toBe('ProblemError: The server answered 520.')
})

test('a list is read to its end, a page at a time, with its filters', async () => {
  sent()
  const names: string[] = []
  for await (const property of list(client, '/api/v1/properties', { query: { limit: 2, q: 'Listed', order: 'asc' } }))
    names.push(property.name)
  expect(names).toEqual([0, 1, 2, 3, 4].map((i) => `Listed ${i}`))
  expect(sent()).toEqual(Array(3).fill('GET /api/v1/properties'))
  const id = ok(await client.GET('/api/v1/bookings'))[0]?.id ?? 'no lease'
  const units: Item<'/api/v1/properties/{id}/units'>[] = []
  const property = ok(await client.GET('/api/v1/bookings/{id}', { params: { path: { id } } })).propertyId
  for await (const unit of list(client, '/api/v1/properties/{id}/units', { path: { id: property } })) units.push(unit)
  expect(units.map(({ label }) => label).sort()).toEqual(['A1', 'A2'])
  // @ts-expect-error one resource is no list
  const one = list(client, '/api/v1/me')
  expect(await one.next().catch((e: Error) => e.name)).toBe('TypeError')
})

test('a POST whose answer is lost is sent again with its key, and has one effect', async () => {
  sent()
  lost = 1
  const made = ok(await client.POST('/api/v1/properties', { body: { ...villa, name: 'Once' } }))
  const keys = new Set(seen.map(({ headers }) => headers.get('idempotency-key')))
  expect([seen.length, keys.size, [...keys][0]?.length]).toEqual([2, 1, 36])
  expect([made.name, named('Once')]).toEqual(['Once', 1])
  sent()
  ok(await client.POST('/api/v1/properties', { body: { ...villa, name: 'Once' } }))
  expect(keys.has(seen[0]?.headers.get('idempotency-key') ?? '')).toBe(false)
})

test('an answer that breaks off in its middle is lost too', async () => {
  let asked = 0
  const breaking = async (request: Request) => {
    asked += 1
    const answer = await t.app.handle(request)
    if (asked > 1) return answer
    const half = (await answer.text()).slice(0, 40)
    const body = new ReadableStream({
      start: (to) => to.enqueue(new TextEncoder().encode(half)),
      pull: (to) => to.error(new TypeError('terminated')),
    })
    return new Response(body, answer)
  }
  const torn = createClient({ baseUrl: 'http://localhost', token: ana, fetch: breaking })
  const made = ok(await torn.POST('/api/v1/properties', { body: { ...villa, name: 'Torn' } }))
  expect([made.name, asked, named('Torn')]).toEqual(['Torn', 2, 1])
})

test('a key of its own is left as it is, so that it holds over a restart', async () => {
  const asked = { body: { ...villa, name: 'Kept' }, headers: { 'idempotency-key': 'my-key' } }
  const [first, second] = [
    await client.POST('/api/v1/properties', asked),
    await client.POST('/api/v1/properties', asked),
  ]
  expect(ok(second).id).toBe(ok(first).id)
  expect(second.response.headers.get('idempotency-replayed')).toBe('true')
})

test('what may not have a second effect is not sent again', async () => {
  const id = ok(await client.POST('/api/v1/properties', { body: { ...villa, name: 'Before' } })).id
  const params = { path: { id } }
  const stranger = createClient({ baseUrl: 'http://localhost', fetch })
  const body = { phoneNumber: '+237699112233' }
  const attempts: [() => Promise<unknown>, string][] = [
    [
      () => client.PATCH('/api/v1/properties/{id}', { params, body: { name: 'After' } }),
      `PATCH /api/v1/properties/${id}`,
    ],
    // another code would be sent
    [() => client.POST('/api/v1/account/phone/verification/otp'), 'POST /api/v1/account/phone/verification/otp'],
    // the server keeps no keys of strangers: each would be another message
    [() => stranger.POST('/api/v1/registration/otp', { body }), 'POST /api/v1/registration/otp'],
  ]
  for (const [attempt, line] of attempts) {
    sent()
    lost = 1
    expect(await attempt().catch((e) => e.message)).toBe('The connection was closed.')
    expect(sent()).toEqual([line])
  }
})

test('a list begins at a cursor, and stops where the caller gives up or the API refuses', async () => {
  const query = { limit: 2, q: 'Listed', order: 'asc' } as const
  const first = await client.GET('/api/v1/properties', { params: { query } })
  const cursor = /cursor=([^&>]+)/.exec(first.response.headers.get('link') ?? '')?.[1] ?? 'no second page'
  const names: string[] = []
  for await (const { name } of list(client, '/api/v1/properties', { query: { ...query, cursor } })) names.push(name)
  expect(names).toEqual([2, 3, 4].map((i) => `Listed ${i}`))

  const end = new AbortController()
  sent()
  const read = list(client, '/api/v1/properties', { query, signal: end.signal })
  expect([(await read.next()).value?.name, (await read.next()).value?.name]).toEqual(['Listed 0', 'Listed 1'])
  end.abort()
  expect(await read.next().catch((e: Error) => e.name)).toBe('AbortError')
  expect(await read.next()).toEqual({ done: true, value: undefined })
  expect(sent()).toEqual(['GET /api/v1/properties'])

  let pages = 0
  const refusing = createClient({
    baseUrl: 'http://localhost',
    token: ana,
    fetch: (request) => {
      pages += 1
      return pages === 1 ? fetch(request) : t.app.handle(new Request(request.url))
    },
  })
  const half: string[] = []
  const refused = (async () => {
    for await (const { name } of list(refusing, '/api/v1/properties', { query })) half.push(name)
  })()
  expect(await refused.catch((e) => e.problem?.code)).toBe('unauthorized')
  expect([half.length, pages]).toEqual([2, 2])
})

const refusal = (status: number, headers: Record<string, string> = {}) => new Response('{}', { status, headers })
const soon = { 'retry-after': '1' }
test('a refusal says how long to wait, where the service does', async () => {
  const waits = async (headers: Record<string, string>, status = 429) => {
    const answer = new Response('{}', { status, headers })
    return Promise.resolve({ response: answer, error: {} })
      .then(ok)
      .catch((e: ProblemError) => e.retryAfter)
  }
  expect([await waits({ 'retry-after': '60' }), await waits({}), await waits({}, 404)]).toEqual([
    60,
    undefined,
    undefined,
  ])
  expect(await waits({ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' })).toBeUndefined()
})

const sentAgain: [what: string, answer: () => Response, asked: number][] = [
  ['a proxy finds no service', () => refusal(502), 3],
  ['a proxy waits in vain', () => refusal(504), 3],
  ['no room, come back at once', () => refusal(503, soon), 3],
  ['too many requests, come back at once', () => refusal(429, soon), 3],
  ['too many requests, come back in a minute', () => refusal(429, { 'retry-after': '60' }), 1],
  ['out of order until tomorrow', () => refusal(503, { 'retry-after': '3600' }), 1],
  ['until a date', () => refusal(503, { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }), 1],
  ['a fault', () => refusal(500), 1],
  ['a refusal', () => refusal(409), 1],
]
test('what was not done is sent again with its key, unless the service asks for a longer time', async () => {
  const run = async ([what, answer, asked]: (typeof sentAgain)[number]) => {
    const keys: (string | null)[] = []
    const fetch = async (request: Request) => {
      keys.push(request.headers.get('idempotency-key'))
      return answer()
    }
    const open = { baseUrl: 'http://localhost', fetch }
    const made = await createClient({ ...open, token: ana }).POST('/api/v1/properties', { body: villa })
    expect([what, made.response.status, keys.length, new Set(keys).size]).toEqual([what, answer().status, asked, 1])
    // what may have a second effect is sent once
    await createClient(open).POST('/api/v1/registration/otp', { body: { phoneNumber: '+237699112233' } })
    await createClient({ ...open, token: ana }).PATCH('/api/v1/me', { body: {} })
    expect([what, keys.length]).toEqual([what, asked + 2])
  }
  await Promise.all(sentAgain.map(run))
})

test('a service that is started again after a fault answers; who gives up does not wait for it', async () => {
  let asked = 0
  const restarting = async (request: Request) => {
    request.signal.throwIfAborted()
    asked += 1
    return asked < 3 ? refusal(502) : t.app.handle(request)
  }
  const patient = createClient({ baseUrl: 'http://localhost', token: ana, fetch: restarting })
  const began = performance.now()
  ok(await patient.POST('/api/v1/properties', { body: { ...villa, name: 'Restarted' } }))
  // the unit starts it 2 s after a fault
  expect([asked, named('Restarted'), performance.now() - began > 2_500]).toEqual([3, 1, true])

  asked = 0
  const given = performance.now()
  const gone = await patient.GET('/api/v1/me', { signal: AbortSignal.timeout(500) }).catch((e: Error) => e.name)
  expect([gone, asked, performance.now() - given < 2_000]).toEqual(['TimeoutError', 2, true])
})

test('a POST is sent again exactly where the server keeps its key, or where it has no effect', async () => {
  type Operation = { parameters?: { name?: string; $ref?: string }[] }
  const document = await (await t.app.handle(new Request('http://localhost/openapi.json'))).json()
  const posts = Object.entries<{ post?: Operation }>(document.paths).filter(([, { post }]) => post)
  const again: string[] = []
  const broken = createClient({
    baseUrl: 'http://localhost',
    token: ana,
    fetch: async ({ url }) => {
      again.push(new URL(url).pathname)
      throw new TypeError('The connection was closed.')
    },
  })
  await Promise.all(posts.map(([path]) => broken.POST(path as '/api/v1/properties', { body: villa }).catch(() => 0)))
  const sentAgain = posts.map(([path]) => path).filter((path) => again.filter((p) => p === encodeURI(path)).length > 1)
  const keyed = posts.filter(([, { post }]) => JSON.stringify(post?.parameters ?? []).includes('Idempotency-Key'))
  const paths = keyed.map(([path]) => path)
  expect(paths.length).toBeGreaterThan(70)
  expect(paths.filter((path) => !sentAgain.includes(path))).toEqual([])
  expect(sentAgain.filter((path) => !paths.includes(path))).toEqual([
    '/api/v1/lease-templates/{kind}/preview',
    '/api/v1/properties/{id}/regularisations/preview',
    '/webhooks/smsvendor/dlr',
  ])
})

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => t.app.handle(request) })
afterAll(() => server.stop(true))
async function example(token: string, ...args: string[]) {
  const program = join(import.meta.dirname, '../src/client/example.ts')
  const env = { ...process.env, LOYER: `http://127.0.0.1:${server.port}`, TOKEN: token }
  const run = Bun.spawn([process.execPath, program, ...args], { env, stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  return [await run.exited, stdout, stderr] as const
}

test('the example says who is behind with the rent, records a payment, and tells what was refused by code and sentence', async () => {
  const [before] = t.rows("select id, number from invoice where status = 'OVERDUE'")
  const owed = await example(ana)
  expect(owed).toEqual([0, expect.stringMatching(/^\S+ {2}due 2026-03-\d\d {2}60000 XAF\n60000 XAF in all\n$/), ''])
  expect(owed[1]).toContain(String(before?.number))
  const tomorrow = await example(ana, '--pay', String(before?.id), '1', '2027-01-01')
  expect(tomorrow).toEqual([1, '', expect.stringMatching(/^validation_failed at \/paidOn: .+\n$/)])
  const paid = await example(ana, '--pay', String(before?.id), '60000', '2026-03-28')
  expect(paid).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36} CONFIRMED\n$/), ''])
  expect(await example(ana)).toEqual([0, '0 XAF in all\n', ''])
  const refused = await example(ana, '--pay', String(before?.id), '60000', '2026-03-28')
  expect(refused).toEqual([1, '', expect.stringMatching(/^(overpayment|invalid_state)( at \/amount)?: .+\.\n$/)])
  expect(await example('nobody')).toEqual([1, '', expect.stringMatching(/^unauthorized: .+\.\n$/)])
})
