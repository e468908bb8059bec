import { describe, expect, test } from 'bun:test'
import { createVerifier, TokenRefused, type VerifierOptions } from '../../../src/adapters/identity/verify.ts'
import { bearerToken } from '../../../src/http/auth.ts'
import { createIssuer, createKey, signToken } from '../../support/tokens.ts'

const ISSUER = 'https://id.example.cm/realms/svc'
const START = Date.UTC(2026, 2, 1, 12)
const wall = () => START
const rs256 = createKey('rsa')
const idp = createIssuer(ISSUER, wall, rs256)
const es256 = createKey('ec', 'ES256')

const setUp = (options: Partial<VerifierOptions> = {}) =>
  createVerifier({ issuer: ISSUER, audience: 'svc-api', keys: idp.keys, wall, ...options })
const seconds = (offset: number) => START / 1000 + offset
/** The verdict on a token, in a word. */
const verdict = (result: Promise<unknown>): Promise<unknown> =>
  result.then(
    () => 'ok',
    (error: unknown) => (error instanceof TokenRefused ? 401 : `unexpected ${error}`),
  )

describe('good tokens are never refused', () => {
  const cases: readonly [string, Parameters<typeof idp.mint>[0]][] = [
    ['as Keycloak mints them', {}],
    ['audience among others', { claims: { aud: ['account', 'svc-api'] } }],
    ['typ jwt in lower case', { header: { typ: 'jwt' } }],
    ['typ at+jwt', { header: { typ: 'at+jwt' } }],
    ['typ application/at+JWT', { header: { typ: 'application/at+JWT' } }],
    ['no payload typ', { claims: { typ: undefined } }],
    ['expired within the leeway', { claims: { exp: seconds(-4) } }],
    ['nbf within the leeway', { claims: { nbf: seconds(5) } }],
    ['nbf 0, as old Keycloaks send', { claims: { nbf: 0 } }],
    ['iat ahead, after our clock was set back', { claims: { iat: seconds(3600), exp: seconds(3900) } }],
    ['jku and x5u are not looked at', { header: { jku: 'https://evil.example/k', x5u: 'https://evil.example/x' } }],
    ['without org_id: the edge answers 403', { claims: { org_id: undefined } }],
    ['sub of 255 characters', { claims: { sub: 's'.repeat(255) } }],
  ]
  for (const [name, overrides] of cases)
    test(name, async () => {
      expect(await verdict(setUp().verify(idp.mint(overrides)))).toBe('ok')
    })
})

describe('the 20 bad tokens of T-01 are refused and never remembered', () => {
  const table = idp.badTokens().map(({ header, name, query = '' }) => {
    const headers: [string, string][] = header === undefined ? [] : [['authorization', header]]
    return [name, bearerToken(new Request(`http://localhost/api/v1/properties?${query}`, { headers }))] as const
  })
  test('they are 20', () => expect(new Set(table.map(([name]) => name)).size).toBe(20))
  test('four of them send no bearer token that could be looked at', () => {
    const none = table.flatMap(([name, { kind }]) => (kind === 'token' ? [] : [[name, kind]]))
    expect(none).toEqual([
      ['no header', 'none'],
      ['empty Bearer', 'none'],
      ['Basic scheme', 'none'],
      ['good token in the query', 'malformed'],
    ])
  })
  for (const [name, sent] of table)
    if (sent.kind === 'token')
      test(name, async () => {
        const { cached, verify } = setUp()
        expect(await verdict(verify(sent.token))).toBe(401)
        expect(cached(sent.token)).toBeUndefined()
      })
})

describe('further bad tokens are refused', () => {
  const cases: readonly [string, string][] = [
    ['RS512 under an RS256 policy', idp.mint({ key: { ...rs256, alg: 'RS512' } })],
    ['ES256 under an RS256 policy', idp.mint({ key: { ...es256, kid: rs256.kid } })],
    ['crit', idp.mint({ header: { crit: ['exp'], exp: 1 } })],
    ['crit that the library knows', idp.mint({ header: { crit: ['b64'], b64: true } })],
    ['empty crit', idp.mint({ header: { crit: [] } })],
    ['no header typ', idp.mint({ header: { typ: undefined } })],
    ['header typ not a string', idp.mint({ header: { typ: ['JWT'] } })],
    ['kid not a string', idp.mint({ header: { kid: 7 } })],
    ['Offline', idp.mint({ claims: { typ: 'Offline' } })],
    ['Logout', idp.mint({ claims: { typ: 'Logout' } })],
    ['payload typ null', idp.mint({ claims: { typ: null } })],
    ['ID token of the same audience, without typ', idp.mint({ claims: { typ: undefined, at_hash: 'x', nonce: 'n' } })],
    ['own token of svc-admin', idp.mint({ claims: { aud: 'realm-management', azp: 'svc-admin' } })],
    ['audience by prefix', idp.mint({ claims: { aud: 'svc-api-2' } })],
    ['issuer in another case', idp.mint({ claims: { iss: ISSUER.toUpperCase() } })],
    ['issuers in a list', idp.mint({ claims: { iss: [ISSUER] } })],
    ['no issuer', idp.mint({ claims: { iss: undefined } })],
    ['no iat', idp.mint({ claims: { iat: undefined } })],
    ['iat as a string', idp.mint({ claims: { iat: '1' } })],
    ['no sub', idp.mint({ claims: { sub: undefined } })],
    ['empty sub', idp.mint({ claims: { sub: '' } })],
    ['sub of 256 characters', idp.mint({ claims: { sub: 's'.repeat(256) } })],
    ['sub a number', idp.mint({ claims: { sub: 42 } })],
    ['exp past the leeway', idp.mint({ claims: { exp: seconds(-5) } })],
    ['nbf past the leeway', idp.mint({ claims: { nbf: seconds(6) } })],
    ['payload a list', idp.mint().replace(/\..*\./, `.${Buffer.from('[]').toString('base64url')}.`)],
    ['two parts', idp.mint().split('.').slice(0, 2).join('.')],
    ['five parts', `${idp.mint()}.a.b`],
    ['not ASCII', `${idp.mint()}é`],
    ['nothing', ''],
  ]
  for (const [name, token] of cases)
    test(name, async () => {
      expect(await verdict(setUp().verify(token))).toBe(401)
    })

  test('an exp of 1e999 does not live forever', async () => {
    // JSON.parse reads it as Infinity.
    const payload = `{"iss":"${ISSUER}","aud":"svc-api","sub":"s","iat":1,"exp":1e999}`
    const token = signToken({ alg: 'RS256', typ: 'JWT', kid: rs256.kid }, payload, rs256)
    expect(await verdict(setUp().verify(token))).toBe(401)
  })
})

describe('nothing is asked of the key source for a token that no key could mend', () => {
  const cases: readonly [string, string][] = [
    ['20 KB', idp.mint({ claims: { padding: 'x'.repeat(15_000) } })],
    ['just over 8 KB', `${idp.mint()}${'A'.repeat(8_193 - idp.mint().length)}`],
    ['alg outside the policy', idp.mint({ key: es256 })],
    ['typ', idp.mint({ header: { typ: 'secevent+jwt' } })],
    ['crit', idp.mint({ header: { crit: ['x'], x: 1 } })],
  ]
  for (const [name, token] of cases)
    test(name, async () => {
      let asked = 0
      const find: VerifierOptions['keys']['find'] = (header) => {
        asked++
        return idp.keys.find(header)
      }
      expect(await verdict(setUp({ keys: { find } }).verify(token))).toBe(401)
      expect(asked).toBe(0)
    })
})

describe('algorithms by configuration', () => {
  for (const alg of ['ES256', 'EdDSA'] as const)
    test(`${alg} where allowed, and no other with it`, async () => {
      const other = createIssuer(ISSUER, wall, createKey(alg, alg))
      const { verify } = setUp({ algorithms: [alg], keys: other.keys })
      expect(await verdict(verify(other.mint()))).toBe('ok')
      expect(await verdict(verify(idp.mint()))).toBe(401)
    })
  for (const algorithms of [['none'], ['HS256'], ['RS256', 'HS512'], ['RSA-OAEP'], []])
    test(`[${algorithms}] does not start`, () => {
      expect(() => setUp({ algorithms })).toThrow(TypeError)
    })
})
