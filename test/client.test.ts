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
  seen.push(request.clone())
  const answer = await t.app.handle(request)
  if (lost-- > 0) throw new TypeError('The connection was closed.')
  return answer
}
const client = createClient({ baseUrl: 'http://localhost', token: async () => ana, fetch })
const villa = { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }
const named = (name: string) => Number(t.rows('select count(*) n from property where name = ?', name)[0]?.n)

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
  expect(named('No town')).toBe(0)
  // @ts-expect-error there is no such address
  expect((await client.GET('/api/v1/nothing')).response.status).toBe(404)
})

test('what is no problem document is an error all the same', async () => {
  const proxy = createClient({ baseUrl: 'http://localhost', fetch: async () => new Response('<p>', { status: 502 }) })
  const error = await proxy.GET('/api/v1/me').then(ok).catch(String)
  expect(error).toBe('ProblemError: The server answered 502.')
})

test('a list is read to its end, a page at a time, with its filters', async () => {
  for (let i = 0; i < 5; i++) ok(await client.POST('/api/v1/properties', { body: { ...villa, name: `Listed ${i}` } }))
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

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => t.app.handle(request) })
afterAll(() => server.stop(true))
async function example(token: string, ...args: string[]) {
  const program = join(import.meta.dirname, '../src/client/example.ts')
  const env = { ...process.env, LOYER: `http://127.0.0.1:${server.port}`, TOKEN: token }
  const run = Bun.spawn([process.execPath, program, ...args], { env, stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  return [await run.exited, stdout, stderr] as const
}

test('the example says who is behind with the rent, and records a payment', async () => {
  const [before] = t.rows("select id, number from invoice where status = 'OVERDUE'")
  const owed = await example(ana)
  expect(owed).toEqual([0, expect.stringMatching(/^\S+ {2}due 2026-03-\d\d {2}60000 XAF\n60000 XAF in all\n$/), ''])
  expect(owed[1]).toContain(String(before?.number))
  const tomorrow = await example(ana, '--pay', String(before?.id), '1', '2027-01-01')
  expect(tomorrow).toEqual([1, '', expect.stringMatching(/^validation_failed: .+\n {2}\/paidOn: .+\n$/)])
  const paid = await example(ana, '--pay', String(before?.id), '60000', '2026-03-28')
  expect(paid).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36} CONFIRMED\n$/), ''])
  expect(await example(ana)).toEqual([0, '0 XAF in all\n', ''])
})

test('the example tells what was refused by code and sentence', async () => {
  const [invoice] = t.rows('select id from invoice')
  const refused = await example(ana, '--pay', String(invoice?.id), '60000', '2026-03-28')
  expect(refused).toEqual([1, '', expect.stringMatching(/^(overpayment|invalid_state): .+\.\n$/)])
  expect(await example('nobody')).toEqual([1, '', expect.stringMatching(/^unauthorized: .+\.\n$/)])
})
