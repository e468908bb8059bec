// reliability T-36: each limit to its end and ten beyond, with a clock that stands still; whose budget it is; memory.
import { afterAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { createLimiter } from '../../src/http/limits.ts'
import { setPeer } from '../../src/http/request.ts'
import { createTestApp } from '../support/app.ts'

let now = 1_000_000
const clock = spyOn(performance, 'now').mockImplementation(() => now)
afterAll(() => clock.mockRestore())
beforeEach(() => {
  now += 3_600_000
})

const proxies = ['10.0.0.0/8', '2001:db8::/32']
type App = ReturnType<typeof createTestApp>
const limited = (more = {}): App => createTestApp({ config: { rateLimits: true, trustedProxies: proxies, ...more } })
/** A request as the server hands it in: from a peer, with what it says of others. */
async function from(t: App, peer: string, line: string, headers: Record<string, string> = {}): Promise<Response> {
  const [method = '', path = ''] = line.split(' ')
  const request = new Request(`http://localhost${path}`, { method, headers })
  setPeer(request, peer)
  return await t.app.handle(request)
}
const refusals = async (n: number, run: () => Promise<{ status: number }>): Promise<number> => {
  let refused = 0
  for (let i = 0; i < n; i++) if ((await run()).status === 429) refused += 1
  return refused
}
const bearer = (word: string) => ({ authorization: `Bearer ${word}` })

type Limit = [name: string, line: string, headers: Record<string, string>, burst: number, perSecond: number]
const limits: Limit[] = [
  ['a user', 'GET /api/v1/me', bearer('OWNER.lea'), 60, 20],
  ['a user on paths that are not there', 'GET /api/v1/nowhere', bearer('OWNER.lea'), 60, 20],
  ['a stranger', 'GET /api/v1/sandbox/messages', {}, 60, 5],
  ['who has no token', 'GET /api/v1/me', {}, 60, 5],
  ['who guesses tokens', 'POST /api/v1/bookings', bearer('nobody!'), 60, 5],
  ['who tries every path', 'GET /wp-admin/nothing', {}, 60, 5],
  ['who signs up', 'POST /api/v1/registration/nothing', {}, 10, 10 / 60],
  ['who resets a password', 'POST /api/v1/account/password-reset/nothing', {}, 10, 10 / 60],
  ['a webhook', 'POST /webhooks/nothing/dlr', {}, 200, 50],
]
test.each(['/a/', '/i/', '/p/', '/r/', '/s/', '/u/'])('who guesses at links under %s', async (path) => {
  const t = limited()
  const knock = () => from(t, '203.0.113.7', `GET ${path}nothing`)
  expect([await refusals(60, knock), await refusals(10, knock)]).toEqual([0, 10])
  now += 2_000
  expect(await refusals(15, knock)).toBe(5)
  expect((await from(t, '203.0.113.8', `GET ${path}nothing`)).status).toBe(404)
})

describe.each(limits)('%s', (_name, line, headers, burst, perSecond) => {
  test(`${burst} at once, and then as many as come back`, async () => {
    const t = limited()
    const knock = () => from(t, '203.0.113.7', line, headers)
    expect(await refusals(burst, knock)).toBe(0)
    expect(await refusals(10, knock)).toBe(10)
    const refused = await knock()
    const problem = (await refused.json()) as { code: string }
    expect([refused.status, problem.code]).toEqual([429, 'too_many_requests'])
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    // Honest: so long, and one passes; a moment less, and none.
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBe(Math.max(1, Math.ceil(1 / perSecond)))
    if (perSecond < 1) {
      now += 1000 / perSecond - 10
      expect(await refusals(1, knock)).toBe(1)
      now += 10
      expect(await refusals(2, knock)).toBe(1)
    } else {
      now += wait * 1000
      expect(await refusals(perSecond + 3, knock)).toBe(3)
    }
    // A long rest gives no more than the burst.
    now += 86_400_000
    expect(await refusals(burst + 10, knock)).toBe(10)
  })
})

test('reset and sign-up share one budget, and leave the other routes theirs', async () => {
  const t = limited()
  expect(await refusals(10, () => from(t, '203.0.113.7', 'POST /api/v1/registration/nothing'))).toBe(0)
  expect(await refusals(1, () => from(t, '203.0.113.7', 'POST /api/v1/account/password-reset/nothing'))).toBe(1)
  expect(await refusals(1, () => from(t, '203.0.113.7', 'GET /api/v1/sandbox/messages'))).toBe(0)
})

test('who has no token, or a bad one, draws on one budget; who has a good one from the same address on their own', async () => {
  const t = limited()
  const at = (line: string, headers = {}) => from(t, '203.0.113.7', line, headers)
  expect(await refusals(30, () => at('GET /api/v1/me'))).toBe(0)
  expect(await refusals(30, () => at('GET /api/v1/me', bearer('nobody!')))).toBe(0)
  expect((await at('GET /api/v1/sandbox/messages')).status).toBe(429)
  expect((await at('GET /api/v1/me', bearer('OWNER.lea'))).status).toBe(200)
  expect((await at('GET /api/v1/me', bearer('nobody!'))).status).toBe(429)
  expect((await from(t, '203.0.113.8', 'GET /api/v1/me')).status).toBe(401)
})

test('one user’s flood is nobody else’s, and all tokens of one user are one', async () => {
  const t = limited()
  expect(await refusals(70, () => from(t, '203.0.113.7', 'GET /api/v1/me', bearer('OWNER.lea')))).toBe(10)
  expect(await refusals(1, () => from(t, '198.51.100.1', 'GET /api/v1/me', bearer('TENANT.lea')))).toBe(1)
  expect(await refusals(60, () => from(t, '203.0.113.7', 'GET /api/v1/me', bearer('OWNER.kim')))).toBe(0)
})

test('429 comes before 403 and 404, and after 401', async () => {
  const t = limited()
  const knock = () => from(t, '203.0.113.7', 'GET /api/v1/admin/audit', bearer('TENANT.lea'))
  for (let i = 0; i < 60; i++) expect((await knock()).status).toBe(403)
  expect((await knock()).status).toBe(429)
  expect((await from(t, '203.0.113.7', 'GET /api/v1/admin/audit', bearer('nobody!'))).status).toBe(401)
})

test.each([['GET /healthz'], ['GET /readyz'], ['GET /openapi.json'], ['GET /docs'], ['OPTIONS /api/v1/me']])(
  '%s is not counted',
  async (line) => {
    const t = limited()
    expect(await refusals(300, () => from(t, '203.0.113.7', line))).toBe(0)
  },
)

test('RATE_LIMITS=off counts nothing', async () => {
  const t = limited({ rateLimits: false })
  expect(await refusals(300, () => from(t, '203.0.113.7', 'POST /api/v1/registration/nothing'))).toBe(0)
})

describe('whose request it is', () => {
  const line = 'POST /api/v1/registration/nothing'
  /** Whether two requests draw on one budget. */
  async function shared(a: [string, string?], b: [string, string?]): Promise<boolean> {
    const t = limited()
    const knock = ([peer, forwarded]: [string, string?]) =>
      from(t, peer, line, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded })
    await refusals(10, () => knock(a))
    return (await knock(b)).status === 429
  }
  const cases: [name: string, a: [string, string?], b: [string, string?], one: boolean][] = [
    ['two peers', ['203.0.113.1'], ['203.0.113.2'], false],
    ['a stranger who names others', ['203.0.113.1', '1.1.1.1'], ['203.0.113.1', '2.2.2.2'], true],
    ['a stranger who names a proxy', ['203.0.113.1', '10.0.0.1'], ['203.0.113.1', '1.1.1.1, 10.0.0.1'], true],
    ['two clients behind the proxy', ['10.0.0.1', '1.1.1.1'], ['10.0.0.1', '2.2.2.2'], false],
    ['one client behind two proxies', ['10.0.0.1', '1.1.1.1'], ['10.9.9.9', '1.1.1.1'], true],
    ['one client through a chain', ['10.0.0.1', '1.1.1.1, 10.0.0.2'], ['10.0.0.3', '1.1.1.1'], true],
    ['what the client put before itself', ['10.0.0.1', '9.9.9.9, 1.1.1.1'], ['10.0.0.1', '8.8.8.8, 1.1.1.1'], true],
    ['a proxy that says nothing', ['10.0.0.1'], ['10.0.0.1', ''], true],
    ['a proxy that says nonsense', ['10.0.0.1', 'unknown'], ['10.0.0.1', '<script>'], true],
    ['a proxy over IPv6', ['2001:db8::1', '1.1.1.1'], ['2001:db8::1', '2.2.2.2'], false],
    ['a mapped proxy address', ['::ffff:10.0.0.1', '1.1.1.1'], ['::ffff:10.0.0.1', '2.2.2.2'], false],
    ['one IPv6 subscriber', ['2001:db9::1'], ['2001:db9::ffff'], true],
    ['the same, behind a proxy', ['10.0.0.1', '2001:db9::1'], ['10.0.0.1', '2001:0DB9:0:0:1::'], true],
    ['two IPv6 subscribers', ['2001:db9::1'], ['2001:db9:0:1::1'], false],
    ['one address in two ways', ['203.0.113.1'], ['::ffff:203.0.113.1'], true],
    ['a name that looks like a proxy', ['10.0.0.1.example', '1.1.1.1'], ['10.0.0.1.example', '2.2.2.2'], true],
  ]
  test.each(cases)('%s', async (_name, a, b, one) => expect(await shared(a, b)).toBe(one))
  test('without proxies nobody is believed', async () => {
    const t = limited({ trustedProxies: [] })
    let i = 0
    const knock = () => from(t, '10.0.0.1', line, { 'x-forwarded-for': `1.1.1.${i++}` })
    expect(await refusals(20, knock)).toBe(10)
  })
})

describe('the limiter itself', () => {
  test('keeps no more keys than it must, and takes no longer for it', () => {
    let at = 0
    const { take } = createLimiter(1 / 600, 5, () => at)
    Bun.gc(true)
    const before = process.memoryUsage().heapUsed
    const started = process.hrtime.bigint()
    for (let i = 0; i < 100_000; i++) {
      at += 0.001
      expect(take(`2001:db8::${i.toString(16)}`) === 0).toBe(true)
    }
    const ms = Number(process.hrtime.bigint() - started) / 1e6
    Bun.gc(true)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 2 ** 20)
    expect(ms).toBeLessThan(3_000)
  })
  test('one who is being refused is not forgotten in a flood of others', () => {
    const { take } = createLimiter(1 / 600, 5, () => 0)
    for (let i = 0; i < 5; i++) take('loud')
    let passed = 0
    for (let i = 0; i < 120_000; i++) {
      take(`k${i}`)
      if (i % 100 === 0 && take('loud') === 0) passed += 1
    }
    expect(passed).toBe(0)
  })
  test('a clock that stands still or goes back gives nothing away', () => {
    let at = 10_000
    const { take } = createLimiter(1, 2, () => at)
    expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 1])
    at = 0
    expect(take('a')).toBeGreaterThan(0)
  })
})
