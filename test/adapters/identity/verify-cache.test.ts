import { describe, expect, test } from 'bun:test'
import { KeysUnavailable, UnknownKey } from '../../../src/adapters/identity/keys/jwks.ts'
import { createVerifier, TokenRefused, type VerifierOptions } from '../../../src/adapters/identity/verify.ts'
import { createIssuer } from '../../support/tokens.ts'

const ISSUER = 'https://id.example.cm/realms/svc'
const START = Date.UTC(2026, 2, 1, 12)
let now = START
const wall = () => now
const idp = createIssuer(ISSUER, wall)

function setUp(options: Partial<VerifierOptions> = {}) {
  now = START
  return createVerifier({ issuer: ISSUER, audience: 'svc-api', keys: idp.keys, wall, ...options })
}

describe('claims', () => {
  const org = '6f1c1d1e-43a4-4d0e-9a3e-2f4b8c0d1e2f'
  const cases: readonly [string, object, object][] = [
    [
      'profile',
      { given_name: 'Awa', family_name: 'Ndi', name: 'Awa Ndi', email: 'a@b.cm', phone_number: '+237650000001' },
      { givenName: 'Awa', familyName: 'Ndi', name: 'Awa Ndi', email: 'a@b.cm', phoneNumber: '+237650000001' },
    ],
    [
      'session and client',
      { sid: 's1', azp: 'svc-mobile' },
      { sid: 's1', azp: 'svc-mobile', username: '+237650000001' },
    ],
    [
      'a member of another type is absent',
      { email: 7, name: null, sid: ['x'], given_name: '' },
      { email: undefined, name: undefined, sid: undefined, givenName: undefined },
    ],
    ['phone_number_verified true', { phone_number_verified: true }, { phoneVerified: true }],
    ['phone_number_verified "true" is not true', { phone_number_verified: 'true' }, { phoneVerified: undefined }],
    ['org_id lowered', { org_id: org.toUpperCase() }, { orgId: org }],
    ['org_id missing', { org_id: undefined }, { orgId: undefined }],
    ['org_id in a list', { org_id: [org] }, { orgId: undefined }],
    ['org_id no UUID', { org_id: 'acme' }, { orgId: undefined }],
    ['org_id with a line break', { org_id: `${org}\n` }, { orgId: undefined }],
    [
      'known roles, each once',
      { realm_access: { roles: ['ADMIN', 'root', 'TENANT', 'ADMIN'] } },
      { roles: ['TENANT', 'ADMIN'] },
    ],
    ['roles in another case', { realm_access: { roles: ['admin'] } }, { roles: [] }],
    ['roles as a string', { realm_access: { roles: 'ADMIN' } }, { roles: [] }],
    ['roles with a number among them', { realm_access: { roles: ['ADMIN', 1] } }, { roles: [] }],
    [
      'roles of the client, not the realm',
      { realm_access: undefined, resource_access: { 'svc-api': { roles: ['ADMIN'] } } },
      { roles: [] },
    ],
    ['roles at the top', { realm_access: undefined, roles: ['ADMIN'] }, { roles: [] }],
    ['realm_access null', { realm_access: null }, { roles: [] }],
  ]
  for (const [name, claims, expected] of cases)
    test(name, async () => {
      const found: object = await setUp().verify(idp.mint({ claims }))
      for (const [key, value] of Object.entries(expected)) {
        expect(Reflect.get(found, key)).toEqual(value)
        expect(key in found).toBe(value !== undefined)
      }
    })

  test('one request cannot change what the next one sees', async () => {
    const claims = await setUp().verify(idp.mint())
    expect(Object.isFrozen(claims) && Object.isFrozen(claims.roles)).toBe(true)
  })
})

describe('cache', () => {
  test('the second look asks no key and gives the same object', async () => {
    let asked = 0
    const find: VerifierOptions['keys']['find'] = (header) => {
      asked++
      return idp.keys.find(header)
    }
    const { cached, verify } = setUp({ keys: { find } })
    const token = idp.mint()
    expect(cached(token)).toBeUndefined()
    const claims = await verify(token)
    expect(cached(token)).toBe(claims)
    expect(await verify(token)).toBe(claims)
    expect(asked).toBe(1)
  })

  test('an entry dies at exp, and a clock set back does not wake it', async () => {
    const { cached, verify } = setUp()
    const token = idp.mint()
    await verify(token)
    now = START + 299_999
    expect(cached(token)).toBeDefined()
    now = START + 300_000
    expect(cached(token)).toBeUndefined()
    now = START
    expect(cached(token)).toBeUndefined()
  })

  test('a token in its leeway passes, but not from memory', async () => {
    const { cached, verify } = setUp()
    const token = idp.mint()
    now = START + 302_000
    await verify(token)
    expect(cached(token)).toBeUndefined()
  })

  test('a refused token that becomes good later (nbf) is not refused from memory', async () => {
    const { verify } = setUp()
    const token = idp.mint({ claims: { nbf: START / 1000 + 60 } })
    await expect(verify(token)).rejects.toBeInstanceOf(TokenRefused)
    now = START + 60_000
    expect((await verify(token)).sub).toBeString()
  })

  test('the least recently used goes first, and never more than maxEntries stay', async () => {
    const { cached, verify } = setUp({ maxEntries: 2 })
    const [a, b, c] = ['a', 'b', 'c'].map((sub) => idp.mint({ claims: { sub } })) as [string, string, string]
    await verify(a)
    await verify(b)
    cached(a)
    await verify(c)
    expect([a, b, c].map((token) => cached(token)?.sub)).toEqual(['a', undefined, 'c'])
  })

  test('forget(sub) takes all tokens of one subject and of nobody else; forget() takes all', async () => {
    const { cached, forget, verify } = setUp()
    const tokens = ['a', 'a', 'b'].map((sub, i) => idp.mint({ claims: { sub, jti: `${i}` } }))
    await Promise.all(tokens.map(verify))
    forget('a')
    expect(tokens.map((token) => cached(token)?.sub)).toEqual([undefined, undefined, 'b'])
    forget()
    expect(tokens.map(cached)).toEqual([undefined, undefined, undefined])
  })

  test('a verification begun before forget() does not put its result back', async () => {
    const { cached, forget, verify } = setUp()
    const token = idp.mint()
    const pending = verify(token)
    forget('somebody')
    await pending
    expect(cached(token)).toBeUndefined()
  })

  test('a change of keys empties it', async () => {
    let rotate = () => {}
    const onChange = (listener: () => void) => {
      rotate = listener
    }
    const { cached, verify } = setUp({ keys: { ...idp.keys, onChange } })
    const token = idp.mint()
    await verify(token)
    rotate()
    expect(cached(token)).toBeUndefined()
  })
})

describe('an outage is never called a bad token', () => {
  const cases: readonly [string, unknown, unknown][] = [
    ['KeysUnavailable', new KeysUnavailable(7), 7],
    ['a bare TypeError of fetch', new TypeError('fetch failed'), 30],
    ['a database error', new Error('SQLITE_BUSY'), 30],
  ]
  for (const [name, error, retryAfter] of cases)
    test(name, async () => {
      const { cached, verify } = setUp({ keys: { find: () => Promise.reject(error) } })
      const token = idp.mint()
      const refusal = await verify(token).catch((e: unknown) => e)
      expect(refusal).toMatchObject({ code: 'identity_unavailable', details: { retryAfter } })
      expect(cached(token)).toBeUndefined()
    })

  test('an unknown key is a bad token, and its reason stays out of the answer', async () => {
    const { verify } = setUp({ keys: { find: () => Promise.reject(new UnknownKey()) } })
    const refusal = await verify(idp.mint()).catch((e: unknown) => e)
    expect(refusal).toMatchObject({ code: 'unauthorized', message: 'unauthorized', reason: 'unknown key' })
  })
})

test('2,000 mutilated tokens: each one refused, none accepted, no other error', async () => {
  const wrong: string[] = []
  const { verify } = setUp()
  const good = idp.mint()
  const end = good.lastIndexOf('.')
  let state = 20260301
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state % below
  }
  const alphabet = 'AZaz09-_.+/= \u0000é😀"{'
  for (let round = 0; round < 2_000; round++) {
    // The last character of the signature carries bits that base64url ignores, so it is left alone.
    const at = random(round % 2 ? end : good.length - 1)
    const junk = Array.from({ length: random(4) }, () => alphabet[random(alphabet.length)]).join('')
    const token = good.slice(0, at) + junk + good.slice(at + random(3))
    if (token === good) continue
    const refusal = await verify(token).catch((error: unknown) => error)
    if (!(refusal instanceof TokenRefused)) wrong.push(`round ${round}: ${refusal} for ${token}`)
  }
  expect(wrong).toEqual([])
})
