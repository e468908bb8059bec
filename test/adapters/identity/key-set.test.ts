import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteKeys } from '../../../src/adapters/identity/keys/jwks.ts'
import { createWorld, MINUTE } from '../../support/remote-keys.ts'
import { createKey, startKeyServer } from '../../support/tokens.ts'

const key = createKey('current', 'RS256')
const next = createKey('next', 'ES256')
const foreign = createKey('foreign', 'RS256')
const server = await startKeyServer([key.jwk])
const folder = mkdtempSync(join(tmpdir(), 'loyer-keys-'))
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  server.mode = 'ok'
  server.keys = [key.jwk]
})
const privateJwk = (of = key) => ({ ...of.privateKey.export({ format: 'jwk' }), kid: of.kid, alg: of.alg, use: 'sig' })
const weak = { kty: 'RSA', kid: 'weak', alg: 'RS256', e: 'AQAB', n: 'x'.repeat(171) }

describe('one bad key does not lock out the others', () => {
  const cases: readonly [string, unknown, number][] = [
    ['private key', privateJwk(foreign), 1],
    ['symmetric key', { kty: 'oct', k: 'c2VjcmV0', kid: 'foreign', alg: 'HS256' }, 1],
    ['1024-bit modulus', weak, 1],
    ['point off the curve', { ...next.jwk, x: next.jwk.y }, 1],
    ['unknown kty', { kty: 'XYZ', kid: 'foreign' }, 1],
    ['kid a number', { ...foreign.jwk, kid: 7 }, 1],
    ['no object', 'key', 1],
    ['null', null, 1],
    ['encryption key, as Keycloak lists one', { ...foreign.jwk, use: 'enc', alg: 'RSA-OAEP' }, 0],
  ]
  for (const [name, bad, logged] of cases)
    test(name, async () => {
      server.keys = [bad, key.jwk] as object[]
      const { ask, keys, warnings } = createWorld(server, key)
      expect(await ask()).toBe(200)
      expect(await ask(foreign)).toBe(401)
      expect(keys.state().keys).toBe(1)
      expect(warnings.filter((line) => line.startsWith('identity_key_dropped')).length).toBe(logged)
    })

  test('tokens of a key whose private half was published are refused, and the half is kept nowhere', async () => {
    const { ask, clock, warnings } = createWorld(server, key, { file: `${folder}/leak.json` })
    expect(await ask()).toBe(200)
    clock.pass(MINUTE)
    server.keys = [privateJwk()]
    await ask(foreign)
    expect(await ask()).toBe(401)
    expect(readFileSync(`${folder}/leak.json`, 'utf8') + warnings.join()).not.toContain(String(privateJwk().d))
  })
})

describe('a set that is no set is a failed fetch: known keys go on', () => {
  const many = Array.from({ length: 21 }, (_, i) => ({ ...key.jwk, kid: `k${i}` }))
  for (const [name, keys] of [
    ['21 keys', many],
    ['no keys', []],
    ['only a symmetric one', [{ kty: 'oct', k: 'eA' }]],
  ] as const)
    test(name, async () => {
      const { ask, clock, keys: remote } = createWorld(server, key)
      await ask()
      clock.pass(11 * MINUTE)
      server.keys = keys
      expect([await ask(foreign), await ask()]).toEqual([503, 200])
      expect(remote.state().lastFetch).toBe('failed')
    })

  test('20 keys are taken', async () => {
    server.keys = [...many.slice(0, 19), key.jwk]
    expect(await createWorld(server, key).ask()).toBe(200)
  })

  test('a token without kid passes when one key fits it, and not when two do', async () => {
    server.keys = [key.jwk, next.jwk]
    const { clock, keys } = createWorld(server, key)
    expect(await keys.find({ alg: 'RS256' })).toBeObject()
    clock.pass(MINUTE)
    server.keys = [key.jwk, foreign.jwk]
    await expect(keys.find({ kid: 'nobody', alg: 'RS256' })).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(keys.find({ alg: 'RS256' })).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

describe('addresses', () => {
  const start = (url: string) => () =>
    createRemoteKeys({ url, file: undefined, fetch, wall: Date.now, log: { warn: () => {} } })
  for (const url of [
    'https://id.example.cm/certs',
    'http://127.0.0.1:1/c',
    'http://localhost/c',
    'http://[::1]:8080/c',
  ])
    test(`${url} is taken`, () => expect(start(url)).not.toThrow())
  for (const url of [
    'http://id.example.cm/certs',
    'http://127.0.0.1.evil.example/c',
    'http://localhost.evil.example/c',
    'http://10.0.0.1/c',
    'file:///etc/passwd',
    'data:application/json,{"keys":[]}',
    'ftp://localhost/c',
    'https://user:secret@id.example.cm/c',
    '',
  ])
    test(`${url || 'nothing'} does not start`, () => expect(start(url)).toThrow(TypeError))
})
