// What a new user does in the first ten minutes, in order; later scenarios use what earlier ones made.
import assert from 'node:assert/strict'

type Json = Record<string, unknown>
type Answer = { status: number; headers: Headers; text: string; json: Json; list: Json[] }
type Options = {
  token?: string | undefined
  body?: Json
  form?: Record<string, string>
  headers?: Record<string, string>
}
export type Call = (method: string, path: string, options?: Options) => Promise<Answer>

/** What the scenarios hand on to one another. */
export type World = { call: Call; token?: string; refreshToken?: string; ids: Record<string, string> }
export type Scenario = { name: string; run: (world: World) => Promise<void> }

export const caller =
  (base: string): Call =>
  async (method, path, { token, body, form, headers = {} } = {}) => {
    const answer = await fetch(base + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    })
    const text = await answer.text()
    const isJson = /^application\/([\w.-]+\+)?json/.test(answer.headers.get('content-type') ?? '')
    const value: unknown = isJson && text !== '' ? JSON.parse(text) : {}
    const list = Array.isArray(value) ? value : []
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: Array.isArray(value) ? {} : (value as Json),
      list,
    }
  }

const status = (answer: Answer, expected: number): Answer => {
  assert.equal(answer.status, expected, `status ${answer.status} instead of ${expected}: ${answer.text.slice(0, 400)}`)
  return answer
}

const text = (value: unknown): string => {
  assert.equal(typeof value, 'string', `a string instead of ${JSON.stringify(value)}`)
  return String(value)
}

const idOf = ({ ids }: World, resource: string): string => {
  const id = ids[resource]
  assert.ok(id !== undefined, `nothing in ${resource}: an earlier scenario failed`)
  return id
}

/** Today where the demo's organization is. */
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Douala' }).format(new Date())
const RENT = 150_000

const get = async ({ call, token }: World, path: string) => status(await call('GET', path, { token }), 200)

/** `tries`: asks again where the tag has changed meanwhile. */
async function unchanged(world: World, path: string, tries = 1): Promise<void> {
  const etag = (await get(world, path)).headers.get('etag') ?? ''
  assert.match(etag, /^(W\/)?".+"$/)
  const { call, token } = world
  const again = await call('GET', path, { token, headers: { 'if-none-match': etag } })
  if (again.status === 200 && again.headers.get('etag') !== etag && tries > 1) return unchanged(world, path, tries - 1)
  assert.equal(status(again, 304).text, '')
}
const post = async ({ call, token }: World, path: string, expected: number, body?: Json) =>
  status(await call('POST', path, { token, ...(body === undefined ? {} : { body }) }), expected).json

const operation = (resource: string, name: string, expected: string): Scenario => ({
  name: `${name} ${resource} → ${expected}`,
  run: async (world) => {
    const answer = await post(world, `/api/v1/${resource}/${idOf(world, resource)}/${name}`, 200)
    assert.equal(answer.status, expected)
  },
})

const pay = (amount: number, invoiceStatus: string): Scenario => ({
  name: `pay ${amount} → invoice ${invoiceStatus}`,
  run: async (world) => {
    const path = `/api/v1/invoices/${idOf(world, 'invoices')}`
    const payment = await post(world, `${path}/payments`, 201, { amount, method: 'CASH', paidOn: today() })
    assert.equal(payment.status, 'CONFIRMED')
    const { json } = await get(world, path)
    assert.equal(json.status, invoiceStatus)
    assert.equal(Number(json.amountPaid) + Number(json.balanceAmount), json.grossAmount)
    assert.equal(json.paidAt !== undefined, invoiceStatus === 'PAID')
  },
})

const signIn = (role: string): Scenario => ({
  name: `sandbox token of an ${role}`,
  run: async (world) => {
    const { json } = status(await world.call('POST', '/api/v1/sandbox/token', { body: { role } }), 200)
    assert.match(text(json.token_type), /^bearer$/i)
    world.token = text(json.access_token)
    world.refreshToken = text(json.refresh_token)
    const me = await get(world, '/api/v1/me')
    assert.ok((me.json.roles as unknown[]).includes(role))
  },
})

export const scenarios: Scenario[] = [
  { name: '/healthz', run: async ({ call }) => void status(await call('GET', '/healthz'), 200) },
  { name: '/readyz', run: async ({ call }) => void status(await call('GET', '/readyz'), 200) },
  {
    name: '/openapi.json lists the operations',
    run: async ({ call }) => {
      const { json } = status(await call('GET', '/openapi.json'), 200)
      assert.match(text(json.openapi), /^3\.[01]\./)
      const paths = Object.keys(json.paths as Json)
      for (const path of ['/api/v1/properties', '/api/v1/bookings/{id}/terminate', '/api/v1/invoices/{id}']) {
        assert.ok(paths.includes(path), `${path} is missing among ${paths.length} paths`)
      }
    },
  },
  {
    name: '/docs and all that it loads come from here',
    run: async ({ call }) => {
      const page = status(await call('GET', '/docs'), 200)
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      const files = [...page.text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path)
      assert.ok(files.length >= 4)
      for (const path of files) {
        const file = status(await call('GET', path), 200)
        assert.match(file.headers.get('cache-control') ?? '', /immutable/)
      }
    },
  },
  {
    name: 'discovery document and key set',
    run: async ({ call }) => {
      const { json } = status(await call('GET', '/realms/svc/.well-known/openid-configuration'), 200)
      assert.match(text(json.issuer), /\/realms\/svc$/)
      assert.deepEqual(json.code_challenge_methods_supported, ['S256'])
      const keys = status(await call('GET', new URL(text(json.jwks_uri)).pathname), 200).json.keys
      assert.ok(Array.isArray(keys) && keys.length > 0)
    },
  },
  {
    name: 'no token → 401 problem with WWW-Authenticate',
    run: async ({ call }) => {
      const { headers, json } = status(await call('GET', '/api/v1/properties'), 401)
      assert.match(headers.get('www-authenticate') ?? '', /^Bearer realm="svc"/)
      assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.equal(json.status, 401)
      assert.equal(json.requestId, headers.get('x-request-id'))
    },
  },
  signIn('OWNER'),
  {
    name: 'create property → 201, read, listed',
    run: async (world) => {
      const body = {
        name: 'Résidence Bonapriso',
        addressLine: '12 rue Njo-Njo',
        city: 'Douala',
        amenities: ['parking'],
      }
      const property = await post(world, '/api/v1/properties', 201, body)
      assert.equal(property.status, 'DRAFT')
      assert.equal(property.type, 'APARTMENT')
      const id = text(property.id)
      world.ids.properties = id
      assert.equal((await get(world, `/api/v1/properties/${id}`)).json.name, body.name)
      const { list } = await get(world, '/api/v1/properties')
      assert.ok(list.some((row) => row.id === id))
    },
  },
  {
    name: 'create unit → 201, listed',
    run: async (world) => {
      const path = `/api/v1/properties/${idOf(world, 'properties')}/units`
      const unit = await post(world, path, 201, { label: 'A1', rentAmount: RENT })
      assert.equal(unit.status, 'AVAILABLE')
      world.ids.units = text(unit.id)
      assert.equal((await get(world, path)).list.length, 1)
    },
  },
  operation('properties', 'publish', 'PUBLISHED'),
  {
    name: 'ETag → 304, of one property and of the list',
    run: async (world) => {
      await unchanged(world, `/api/v1/properties/${idOf(world, 'properties')}`)
      // The tag of a list changes with each write of the organization, and a job may write between two requests.
      await unchanged(world, '/api/v1/properties', 5)
    },
  },
  {
    name: 'create booking for a new telephone number → DRAFT',
    run: async (world) => {
      const tenantPhoneNumber = `+2376${String(Date.now()).slice(-8)}`
      const body = { unitId: idOf(world, 'units'), tenantPhoneNumber, startDate: today(), depositAmount: RENT }
      const booking = await post(world, '/api/v1/bookings', 201, body)
      assert.equal(booking.status, 'DRAFT')
      assert.equal(booking.rentAmount, RENT)
      world.ids.bookings = text(booking.id)
    },
  },
  operation('bookings', 'submit', 'PENDING'),
  operation('bookings', 'activate', 'ACTIVE'),
  {
    name: 'the first invoice is issued within 5 s',
    run: async (world) => {
      const deadline = Date.now() + 6000
      let list: Json[] = []
      while (list.length === 0 && Date.now() < deadline) {
        await Bun.sleep(100)
        list = (await get(world, `/api/v1/invoices?bookingId=${idOf(world, 'bookings')}`)).list
      }
      const [invoice = {}] = list
      assert.equal(list.length, 1)
      assert.equal(invoice.status, 'ISSUED')
      assert.equal(invoice.grossAmount, RENT)
      assert.equal(invoice.periodStart, today())
      world.ids.invoices = text(invoice.id)
    },
  },
  pay(RENT - 50_000, 'ISSUED'),
  pay(50_000, 'PAID'),
  operation('bookings', 'terminate', 'TERMINATED'),
  operation('properties', 'archive', 'ARCHIVED'),
  {
    name: 'refresh token grant → a new token that works',
    run: async (world) => {
      const form = { grant_type: 'refresh_token', client_id: 'svc-mobile', refresh_token: text(world.refreshToken) }
      const answer = await world.call('POST', '/realms/svc/protocol/openid-connect/token', { form })
      world.token = text(status(answer, 200).json.access_token)
      await get(world, '/api/v1/me')
    },
  },
]

/** After a stop and a start on the same folder. */
export const afterRestart: Scenario[] = [
  {
    name: 'restart: the same token still works and the data is still there',
    run: async (world) => {
      const { json } = await get(world, `/api/v1/properties/${idOf(world, 'properties')}`)
      assert.equal(json.status, 'ARCHIVED')
      assert.equal((await get(world, `/api/v1/invoices/${idOf(world, 'invoices')}`)).json.status, 'PAID')
    },
  },
]
