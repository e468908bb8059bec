// The document and its page as they are served, and the service's answers against the document.
import { expect, test } from 'bun:test'
import { createTestApp, uuid } from './support/app.ts'
import {
  type Document,
  document,
  exampleOf,
  expectDocumented,
  operationOf,
  resolved,
  undocumented,
} from './support/documented.ts'
import { samples, worldApp } from './support/world.ts'

const { app, call } = createTestApp()

test('/openapi.json is public, tagged, kept by clients and smaller when packed', async () => {
  const first = await call(undefined, 'GET /openapi.json')
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(first.headers.get('vary')).toContain('Accept-Encoding')
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  const again = await call(undefined, 'GET /openapi.json', undefined, { 'if-none-match': `"x", W/${etag}` })
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await call(undefined, 'GET /openapi.json', undefined, { 'if-none-match': '"x"' })).status).toBe(200)
  const packed = await app.handle(
    new Request('http://localhost/openapi.json', { headers: { 'accept-encoding': 'br, gzip' } }),
  )
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('etag')).not.toBe(etag)
  const bytes = new Uint8Array(await packed.arrayBuffer())
  expect(bytes.length).toBeLessThan(first.text.length / 5)
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(first.text)
  for (const refused of ['gzip;q=0', 'br', 'identity'])
    expect(
      (await call(undefined, 'GET /openapi.json', undefined, { 'accept-encoding': refused })).headers.get(
        'content-encoding',
      ),
    ).toBeNull()
  expect((await call(undefined, 'POST /openapi.json')).status).toBe(401)
})

test('/openapi.json describes the same whatever was asked before: its tag is one on all nodes', async () => {
  const { t } = await worldApp()
  const { ProblemCode: _, ...schemas } = (await t.call<Document>(undefined, 'GET /openapi.json')).body.components
    .schemas as Document['components'][string]
  // That of a process that has answered nothing yet, and has a sandbox with a sign-in of its own besides.
  expect(document.components.schemas).toMatchObject(schemas)
})

test('/docs is a page with its own policy and its assets, and nothing beside them', async () => {
  const page = await call(undefined, 'GET /docs')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  const assets = [...page.text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(assets.length).toBeGreaterThan(2)
  for (const path of assets) expect([path, (await call(undefined, `GET ${path}`)).status]).toEqual([path, 200])
  expect(page.text).not.toMatch(/(?:src|href)="https?:/)
  for (const path of ['/docs/nothing.js', '/docs/../package.json', '/docs/%2e%2e/serve.ts'])
    expect((await call('OWNER', `GET ${path}`)).status).toBe(404)
})

test('what the service answers is documented', async () => {
  const seen: string[] = []
  const ask = async (as: string | undefined, line: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const answer = await call(as, line, body, headers)
    expectDocumented(method, path, answer)
    seen.push(`${method} ${answer.status}`)
    return answer
  }
  const place = { name: 'Résidence', addressLine: 'Rue 1', city: 'Douala' }
  const key = { 'idempotency-key': 'a-key' }
  const made = await ask('OWNER', 'POST /api/v1/properties', place, key)
  await ask('OWNER', 'POST /api/v1/properties', place, key)
  await ask('OWNER', 'POST /api/v1/properties', { ...place, city: 'Kribi' }, key)
  const at = `/api/v1/properties/${made.body.id}`
  await ask('OWNER', `POST ${at}/units`, { labels: ['A1', 'A2'], rentAmount: 60000 })
  await ask('OWNER', `POST ${at}/units`, { label: 'A3' })
  await ask('OWNER', `GET ${at}/units?limit=1&count=true`)
  await ask('OWNER', `GET ${at}/units?limit=1000`)
  const one = await ask('OWNER', `GET ${at}`)
  await ask('OWNER', `GET ${at}`, undefined, { 'if-none-match': one.headers.get('etag') ?? '' })
  await ask('OWNER', `PATCH ${at}`, { name: 'Autre' }, { 'if-match': '"other"' })
  await ask('OWNER', `PATCH ${at}`, { latitude: null })
  await ask('OWNER', `POST ${at}/publish`)
  await ask('OWNER', `POST ${at}/restore`)
  await ask('OWNER', `POST ${at}/archive`, {})
  await ask('OWNER', `POST ${at}/archive`, '{')
  await ask('OWNER', `POST ${at}/archive`, { x: 1 })
  await ask('OWNER', `POST ${at}/archive`, 'x=1', { 'content-type': 'application/x-www-form-urlencoded' })
  await ask('OWNER', 'POST /api/v1/properties', `{"name":"${'x'.repeat(70_000)}"}`)
  await ask('TENANT', 'POST /api/v1/properties', place)
  await ask(undefined, 'POST /api/v1/properties', place)
  await ask('OWNER', `GET /api/v1/properties/${uuid('nothing')}`)
  await ask('OWNER', 'GET /api/v1/tenants?limit=1&limit=2')
  await ask('OWNER', 'PUT /api/v1/tenants')
  await ask('OWNER', 'GET /api/v1/nothing')
  for (const path of ['me', 'admin/organization', 'admin/audit', 'tenants']) await ask('ADMIN', `GET /api/v1/${path}`)
  await ask(undefined, 'GET /api/v1/sandbox/messages')
  const statuses = [200, 201, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422]
  expect([...new Set(seen.map((s) => Number(s.split(' ')[1])))].sort()).toEqual(statuses)
})

test('an answer that the document does not tell is found', () => {
  const answer = (status: number, text: string, headers: Record<string, string> = {}) => ({
    status,
    text,
    headers: new Headers({
      'content-type': 'application/json',
      'x-request-id': 'some-request',
      etag: '"1"',
      ...headers,
    }),
  })
  const whole = JSON.stringify(exampleOf('CurrentUser'))
  expect(undocumented('GET', '/api/v1/me', answer(200, whole))).toEqual([])
  expect(undocumented('GET', '/api/v1/me', answer(202, whole))).toEqual(['202 is not documented'])
  expect(undocumented('GET', '/api/v1/me', answer(200, '{}'))).not.toEqual([])
  expect(undocumented('GET', '/api/v1/me', answer(200, whole, { link: '<x>' }))).toEqual([
    'header link is not documented',
  ])
  expect(undocumented('GET', '/api/v1/me', answer(200, whole, { 'content-type': 'text/html' }))).not.toEqual([])
  expect(undocumented('GET', '/api/v1/nothing', answer(200, '{}'))).not.toEqual([])
  expect(() => expectDocumented('GET', '/api/v1/me', answer(500, '{}'))).toThrow()
  expect(operationOf('GET', `/api/v1/units/${uuid('x')}?a=1`)?.operationId).toBe('getUnit')
})

/** An organization with everything in it; each request that may write gets a copy to itself. */
const { t: whole, w } = await worldApp()
const file = new Uint8Array(whole.store.client.serialize())
const { ada, ana, tom } = w.as

test.each(samples(w).map((s) => [s.line, s] as const))(
  '%s: every status it is known for is documented',
  async (line, sample) => {
    const [method = '', path = ''] = line.replaceAll(/:\w+/g, sample.mine ?? uuid('nothing')).split(' ')
    const operation = operationOf(method, path)
    const roles = operation?.['x-roles'] ?? []
    // A landlord would have to name the tenant of a lease, and answers no rider.
    const byTenant =
      line === 'POST /api/v1/bookings' ||
      /^POST \S+\/rent-changes\/:id\/(signatures|signatures\/otp|decline)$/.test(line)
    const landlord = byTenant ? tom : ana
    const who =
      roles.length === 0 ? undefined : roles.includes('OWNER') ? landlord : roles.includes('TENANT') ? tom : ada
    const ask = async (
      as = who,
      body: unknown = sample.body,
      headers: Record<string, string> = {},
      on = method === 'GET' ? whole : createTestApp({ file }),
    ) => {
      const answer = await on.call(as, `${method} ${path}`, body, headers)
      expectDocumented(method, path, answer)
      return answer
    }
    const t = createTestApp({ file })
    const done = await ask(who, sample.body, { 'idempotency-key': 'once' }, t)
    expect(done.status).toBe(sample.status)
    // Refusals are not kept.
    if (sample.status < 300 && operation?.parameters.some((p) => resolved(p).name === 'Idempotency-Key'))
      expect((await ask(who, sample.body, { 'idempotency-key': 'once' }, t)).headers.get('idempotency-replayed')).toBe(
        'true',
      )
    if (method === 'GET' && done.status === 200) {
      const etag = done.headers.get('etag')
      expect(etag !== null).toBe(operation?.responses[304] !== undefined)
      if (etag) expect((await ask(who, undefined, { 'if-none-match': etag })).status).toBe(304)
    } else {
      // What says that it honours If-Match does, and what does not say it does not.
      const old = await ask(who, sample.body, { 'if-match': '"an.old.one"' })
      expect(old.status).toBe(operation?.responses[412] && method !== 'GET' ? 412 : sample.status)
      // Raw bodies and DELETE have no members.
      if (/^(POST|PATCH) \/api/.test(line))
        expect((await ask(who, { ...sample.body, noSuchMember: 1 })).status).toBe(422)
    }
    const stranger = await (who === undefined ? createTestApp({ file }) : whole).call(undefined, `${method} ${path}`)
    expectDocumented(method, path, stranger)
    expect(stranger.status === 401).toBe(who !== undefined)
  },
  // A preview is drawn by a worker that has to start.
  60_000,
)
