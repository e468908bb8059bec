// How an address may be spelt, which methods it takes, and how a body says what it is.
import { describe, expect, test } from 'bun:test'
import { createTestApp, uuid } from '../support/app.ts'
import { routesOf } from '../support/routes.ts'

const t = createTestApp()
const place = { name: 'Résidence', addressLine: 'Rue 1', city: 'Douala' }

describe('an address in percent is the address that it spells', () => {
  test.each([
    ['OWNER', 'GET /api/v1/%70roperties', 200],
    ['OWNER', 'GET /%61pi/v1/m%65', 200],
    ['OWNER', 'GET /api/v1/%70%72operties?q=%61', 200],
    ['OWNER', `GET /api/v1/%70roperties/${uuid('nobody')}`, 404],
    ['TENANT', 'GET /api/v1/admin/%61udit', 403],
    ['TENANT', 'GET /api/v1/%61dmin%2Faudit', 404],
    [undefined, 'GET /api/v1/%6cegal/versions', 200],
    // What is public is not the way to what is not.
    [undefined, 'GET /%61pi/v1/me', 401],
    [undefined, 'GET /api/v1/legal/%2e%2e/me', 401],
    [undefined, 'GET /api/v1/legal/.%2e/me', 401],
    [undefined, 'GET /api/v1/legal/%2E./me', 401],
    [undefined, 'GET /healthz/%2e%2e/api/v1/me', 401],
    [undefined, 'GET /docs%2f..%2fapi/v1/me', 401],
    [undefined, 'GET /api/v1/legal/..%2Fme', 404],
    [undefined, 'GET /api/v1/legal%2F..%2Fme', 401],
    // Once only, and nothing but letters, digits, dash, dot, underscore and tilde.
    ['OWNER', 'GET /api/v1/%2570roperties', 404],
    ['OWNER', 'GET /api/v1/%%37%30roperties', 404],
    ['OWNER', 'GET /api%2Fv1%2Fme', 404],
    ['OWNER', 'GET /api/v1/me%00', 404],
    ['OWNER', 'GET /api/v1/me%', 404],
    ['OWNER', 'GET /api/v1/me%3F', 404],
  ])('%p %s → %d', async (as, line, status) => {
    expect((await t.call(as, line)).status).toBe(status)
  })

  test('with its body, its headers and its query', async () => {
    const key = { 'idempotency-key': 'in-percent' }
    const t = createTestApp()
    const made = await t.call('OWNER', 'POST /api/v1/%70roperties', place, key)
    expect([made.status, made.body.name]).toEqual([201, 'Résidence'])
    const again = await t.call('OWNER', 'POST /api/v1/properties', place, key)
    expect([again.status, again.body.id, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      made.body.id,
      'true',
    ])
    const listed = await t.call<unknown[]>('OWNER', 'GET /api/v1/%70roperties?count=true&limit=1')
    expect([listed.body.length, listed.headers.get('x-total-count')]).toEqual([1, '1'])
    expect((await t.call('OWNER', 'PUT /api/v1/%70roperties')).headers.get('allow')).toBe('GET, HEAD, POST')
  })
})

describe('OPTIONS', () => {
  test.each([
    ['/api/v1/properties', 'GET, HEAD, POST, OPTIONS'],
    [`/api/v1/properties/${uuid('nobody')}`, 'GET, HEAD, PATCH, OPTIONS'],
    [`/api/v1/bookings/${uuid('nobody')}/submit`, 'POST, OPTIONS'],
    [`/media-uploads/${uuid('nobody')}`, 'PUT, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('%s tells what it takes, to anybody', async (path, allow) => {
    const told = await t.call(undefined, `OPTIONS ${path}`)
    expect([told.status, told.text, told.headers.get('allow')]).toEqual([204, '', allow])
    expect(told.headers.get('access-control-allow-origin')).toBeNull()
  })
  test('every path of the API tells at least one method, and just those', async () => {
    const lines = new Map<string, Set<string>>()
    for (const { method, path } of routesOf(t.app)) lines.set(path, (lines.get(path) ?? new Set()).add(method))
    for (const [path, methods] of lines) {
      if (methods.has('ALL')) continue
      const told = await t.call(undefined, `OPTIONS ${path.replace(/:\w+/g, uuid('nobody')).replace('*', 'x')}`)
      const allow = told.headers.get('allow')?.split(', ') ?? []
      for (const method of methods) expect([path, allow.includes(method)]).toEqual([path, true])
    }
    expect(lines.size).toBeGreaterThan(100)
  })
  test('of a path that there is not is 404', async () => {
    expect((await t.call(undefined, 'OPTIONS /nothing')).status).toBe(404)
  })
})

describe('Content-Type', () => {
  test.each([
    ['application/json; charset=utf-8; foo="bar"', 201],
    ['application/json;charset="UTF-8"', 201],
    ['APPLICATION/JSON ; profile=x', 201],
    ['application/json; foo="; charset=latin1"', 201],
    ['application/json; foo="a\\"b"; charset=utf-8', 201],
    ['application/json;', 201],
    ['application/json; charset=latin1', 415],
    ['application/json; charset=utf-8; charset=utf-16', 415],
    ['application/json; charset="utf-16"', 415],
    ['application/json; charset', 415],
    ['application/json; =x', 415],
    ['application/json foo', 415],
    ['application/jsonx', 415],
    ['application/problem+json', 415],
    ['application/merge-patch+json', 415],
    ['text/json', 415],
    ['', 415],
  ])('%s → %d', async (type, status) => {
    expect((await t.call('OWNER', 'POST /api/v1/properties', place, { 'content-type': type })).status).toBe(status)
  })
  test('of a merge patch is taken by PATCH', async () => {
    const { body } = await t.call('OWNER', 'POST /api/v1/properties', place)
    const type = { 'content-type': 'application/merge-patch+json; charset=utf-8' }
    const changed = await t.call('OWNER', `PATCH /api/v1/properties/${body.id}`, { city: 'Kribi' }, type)
    expect([changed.status, changed.body.city]).toEqual([200, 'Kribi'])
  })
})

test.each([['gzip'], ['br'], ['identity, gzip'], ['x']])(
  'a body packed as %s is refused, and told what is taken',
  async (coding) => {
    const headers = { 'content-encoding': coding }
    const refused = await t.call('OWNER', 'POST /api/v1/properties', place, headers)
    expect([refused.status, refused.headers.get('accept-encoding')]).toEqual([415, 'identity'])
    const plain = await t.call('OWNER', 'POST /api/v1/properties', place, { 'content-encoding': 'identity' })
    expect([plain.status, plain.headers.get('accept-encoding')]).toEqual([201, null])
  },
)
