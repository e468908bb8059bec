import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { createLocalJWKSet, errors, type JWK } from 'jose'
import { UnknownKey } from '../../src/adapters/identity/keys/jwks.ts'
import type { VerifierOptions } from '../../src/adapters/identity/verify.ts'

export type Algorithm = 'RS256' | 'RS512' | 'ES256' | 'EdDSA'
export type TestKey = {
  readonly kid: string
  readonly alg: Algorithm
  readonly privateKey: KeyObject
  readonly jwk: JWK
}

/** A signing key and its public JWK; an RSA pair takes some 100 ms, so make few. */
export function createKey(kid: string, alg: Algorithm = 'RS256'): TestKey {
  const { privateKey, publicKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } }
}

const part = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Signs any header over any payload (or its JSON text), however wrong: no library stands between. */
export function signToken(
  header: object,
  payload: object | string,
  { alg, privateKey }: Omit<TestKey, 'jwk' | 'kid'>,
): string {
  const input = `${part(header)}.${part(payload)}`
  const digest = alg === 'EdDSA' ? null : alg === 'RS512' ? 'sha512' : 'sha256'
  const signature = sign(digest, Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

// Made once, when first needed: RSA again, so that nothing but the missing trust speaks against it.
let stranger: TestKey | undefined

type Overrides = { readonly claims?: object; readonly header?: object; readonly key?: TestKey }
/** One of the ways to have no good token. On a live server `live` may come instead of 401. */
export type BadToken = { readonly name: string; readonly header?: string; readonly query?: string; readonly live?: 431 }
export type TestIssuer = {
  readonly issuer: string
  readonly key: TestKey
  /** The local key set, as a verifier takes it. */
  readonly keys: VerifierOptions['keys']
  /** A good token, but for the overrides; a member overridden with undefined is left out. */
  readonly mint: (overrides?: Overrides) => string
  /** The 20 variants of reliability.md T-01, each to be answered 401 on every secured route. */
  readonly badTokens: () => readonly BadToken[]
}

/** Plays Keycloak: `now` in milliseconds; tokens live 300 s. */
export function createIssuer(issuer: string, now: () => number = Date.now, key = createKey('test-key')): TestIssuer {
  const seconds = (offset: number) => Math.floor(now() / 1000) + offset
  const lookup = createLocalJWKSet({ keys: [key.jwk] })

  const mint = ({ claims, header, key: other = key }: Overrides = {}): string => {
    const payload = {
      iss: issuer,
      aud: 'svc-api',
      azp: 'svc-mobile',
      sub: '0b9c4a52-7f1d-4f52-8d3a-0a6a5a1c2f10',
      sid: 'a5f7e1f0-5d55-4b43-8a51-90f6f4a5b001',
      typ: 'Bearer',
      iat: seconds(0),
      exp: seconds(300),
      org_id: '6f1c1d1e-43a4-4d0e-9a3e-2f4b8c0d1e2f',
      realm_access: { roles: ['MANAGER', 'offline_access'] },
      preferred_username: '+237650000001',
      ...claims,
    }
    return signToken({ alg: other.alg, typ: 'JWT', kid: other.kid, ...header }, payload, other)
  }

  const badTokens = (): readonly BadToken[] => {
    const good = mint()
    const [head = '', body = '', signature = ''] = good.split('.')
    stranger ??= createKey('stranger')
    const flipped = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`
    const confused = `${part({ alg: 'HS256', typ: 'JWT', kid: key.kid })}.${body}`
    const publicPem = createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' })
    const bearer = (name: string, token: string): BadToken => ({ name, header: `Bearer ${token}` })
    return [
      { name: 'no header' },
      { name: 'empty Bearer', header: 'Bearer ' },
      { name: 'Basic scheme', header: `Basic ${Buffer.from('admin:admin').toString('base64')}` },
      { name: 'good token in the query', query: `access_token=${good}` },
      bearer('broken signature', `${head}.${body}.${flipped}`),
      bearer('alg none', `${part({ alg: 'none', typ: 'JWT' })}.${body}.`),
      bearer(
        'HS256 with the public key',
        `${confused}.${createHmac('sha256', publicPem).update(confused).digest('base64url')}`,
      ),
      bearer('embedded jwk', mint({ key: { ...stranger, kid: key.kid }, header: { jwk: stranger.jwk } })),
      bearer('unknown kid', mint({ header: { kid: 'nobody' } })),
      bearer('issuer with a trailing slash', mint({ claims: { iss: `${issuer}/` } })),
      bearer('wrong audience', mint({ claims: { aud: ['svc-mobile', 'account'] } })),
      bearer('no audience', mint({ claims: { aud: undefined } })),
      bearer('expired', mint({ claims: { iat: seconds(-306), exp: seconds(-6) } })),
      bearer('no exp', mint({ claims: { exp: undefined } })),
      bearer('exp as a string', mint({ claims: { exp: String(seconds(300)) } })),
      bearer('nbf a minute ahead', mint({ claims: { nbf: seconds(60) } })),
      bearer('ID token', mint({ claims: { typ: 'ID' } })),
      bearer('refresh token', mint({ claims: { typ: 'Refresh' } })),
      bearer('header typ of a logout token', mint({ header: { typ: 'logout+jwt' } })),
      { ...bearer('token of 20 KB', mint({ claims: { padding: 'x'.repeat(15_000) } })), live: 431 },
    ]
  }

  const find: TestIssuer['keys']['find'] = (header) =>
    lookup({ ...header }).catch((error: unknown) => {
      throw error instanceof errors.JOSEError ? new UnknownKey() : error
    })
  return { issuer, key, keys: { find }, mint, badTokens }
}

export const FAULTS = ['down', 'slow', '500', 'html', 'huge', 'redirect'] as const
export type KeyServerMode = 'ok' | (typeof FAULTS)[number]
export type KeyServer = {
  readonly url: string
  mode: KeyServerMode
  /** What `ok` serves: change it for a rotation. */
  keys: readonly object[]
  /** Requests so far, and those that followed the redirect: always 0, we hope. */
  readonly hits: { direct: number; followed: number }
  readonly close: () => Promise<void>
}

/** A key set on a loopback port, in whatever state of health. `slow` keeps the connection open and answers nothing. */
export async function startKeyServer(keys: readonly object[]): Promise<KeyServer> {
  const hits = { direct: 0, followed: 0 }
  const server = createServer((request, response) => {
    if (request.url === '/elsewhere') hits.followed++
    else hits.direct++
    answer(request.url === '/elsewhere' ? 'ok' : state.mode, response)
  })
  const answer = (mode: KeyServerMode, response: ServerResponse): void => {
    const json = { 'content-type': 'application/json' }
    const set = JSON.stringify({ keys: state.keys })
    if (mode === 'ok') response.writeHead(200, json).end(set)
    else if (mode === '500') response.writeHead(500, json).end(set)
    else if (mode === 'html')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in to the Wi-Fi</h1>')
    else if (mode === 'huge') response.writeHead(200, json).end(set + ' '.repeat(10_000_000))
    else if (mode === 'redirect') response.writeHead(302, { location: '/elsewhere' }).end()
    else if (mode === 'down') response.socket?.destroy()
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed())
      server.closeAllConnections()
    })
  const state: KeyServer = { url: `http://127.0.0.1:${port}/certs`, mode: 'ok', keys, hits, close }
  return state
}
