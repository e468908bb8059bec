import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createWorld, DAY, ISSUER, MINUTE, SECOND } from '../../support/remote-keys.ts'
import { createIssuer, createKey, FAULTS, startKeyServer } from '../../support/tokens.ts'

const key = createKey('current', 'RS256')
const next = createKey('next', 'RS256')
const foreign = createKey('foreign', 'RS256')
const server = await startKeyServer([key.jwk])
afterAll(() => server.close())
beforeEach(() => {
  server.mode = 'ok'
  server.keys = [key.jwk]
  server.hits.direct = 0
  server.hits.followed = 0
})

describe('the provider fails for 5 minutes: known keys always pass, unknown ones are 503, never 401', () => {
  for (const fault of FAULTS)
    test(fault, async () => {
      const { ask, clock, keys, perMinute } = createWorld(server, key)
      expect(await ask()).toBe(200)
      // Past the 600 s of freshness, so that every request would like a refresh.
      clock.pass(11 * MINUTE)
      server.mode = fault
      for (let passed = 0; passed < 5 * MINUTE; passed += 10 * SECOND) {
        const [known, unknown] = await Promise.all([ask(), ask(foreign)])
        expect([known, unknown]).toEqual([200, 503])
        clock.pass(10 * SECOND)
      }
      expect(keys.state()).toMatchObject({ lastFetch: 'failed', usable: true, source: 'network' })
      server.mode = 'ok'
      clock.pass(30 * SECOND)
      expect([await ask(foreign), await ask()]).toEqual([401, 200])
      expect(perMinute()).toBeLessThanOrEqual(2)
      expect(server.hits.followed).toBe(0)
    })
})

describe('a cold start during the fault, with nothing on disk: 503, never 401', () => {
  for (const fault of FAULTS)
    test(fault, async () => {
      server.mode = fault
      const { ask, clock, keys, perMinute } = createWorld(server, key)
      for (let passed = 0; passed < 2 * MINUTE; passed += 15 * SECOND) {
        expect(await Promise.all([ask(), ask(foreign)])).toEqual([503, 503])
        clock.pass(15 * SECOND)
      }
      expect(keys.state()).toEqual({ source: 'none', keys: 0, lastFetch: 'failed', usable: false })
      expect(perMinute()).toBeLessThanOrEqual(2)
      server.mode = 'ok'
      clock.pass(30 * SECOND)
      expect(await ask()).toBe(200)
    })
})

test('a provider that hangs is given up after 3 s, and not asked again for 30 s', async () => {
  server.mode = 'slow'
  const { ask, fetches } = createWorld(server, key, { timeout: 3_000 })
  const begun = performance.now()
  expect(await ask()).toBe(503)
  expect(performance.now() - begun).toBeWithin(2_900, 4_500)
  expect(await ask()).toBe(503)
  expect(performance.now() - begun).toBeLessThan(4_500)
  expect(fetches.length).toBe(1)
}, 15_000)

describe('crowds', () => {
  test('200 verifications at a cold start make one fetch', async () => {
    const { ask, fetches } = createWorld(server, key)
    expect(new Set(await Promise.all(Array.from({ length: 200 }, () => ask())))).toEqual(new Set([200]))
    expect(fetches.length).toBe(1)
  })

  test('200 tokens of unknown keys make one fetch, and none in the 30 s after it', async () => {
    const { ask, clock, fetches } = createWorld(server, key)
    await ask()
    clock.pass(30 * SECOND)
    expect(new Set(await Promise.all(Array.from({ length: 200 }, () => ask(foreign))))).toEqual(new Set([401]))
    clock.pass(29 * SECOND)
    expect(await ask({ ...foreign, kid: 'another' })).toBe(401)
    expect(fetches.length).toBe(2)
  })

  test('a stranger who sends unknown keys all day causes at most 2 fetches a minute', async () => {
    const { ask, clock, perMinute } = createWorld(server, key)
    for (let i = 0; i < 100; i++) {
      await ask(foreign)
      clock.pass(3 * SECOND)
    }
    expect(perMinute()).toBe(2)
  })

  test('the right key under another algorithm is refused without a fetch', async () => {
    const { ask, clock, fetches, keys } = createWorld(server, key)
    await ask()
    clock.pass(MINUTE)
    await expect(keys.find({ kid: key.kid, alg: 'RS512' })).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(keys.find({ kid: key.kid, alg: 'ES256' })).rejects.toMatchObject({ code: 'unauthorized' })
    expect(fetches.length).toBe(1)
  })
})

describe('age', () => {
  test('no fetch for 600 s; then known keys do not wait for the refresh behind them', async () => {
    const { ask, clock, fetches } = createWorld(server, key, { timeout: 1_000 })
    await ask()
    clock.pass(10 * MINUTE)
    await ask()
    expect(fetches.length).toBe(1)
    clock.pass(SECOND)
    server.mode = 'slow'
    const begun = performance.now()
    expect(await ask()).toBe(200)
    expect(performance.now() - begun).toBeLessThan(500)
    expect(fetches.length).toBe(2)
  })

  test('keys pass for 24 h of outage and not a second longer', async () => {
    const { ask, clock, keys } = createWorld(server, key)
    await ask()
    server.mode = 'down'
    clock.pass(DAY)
    expect(await ask()).toBe(200)
    clock.pass(SECOND)
    expect(await ask()).toBe(503)
    expect(keys.state().usable).toBe(false)
  })
})

describe('rotation', () => {
  test('a new key is fetched at first sight; tokens of the old one pass while it is published', async () => {
    const { ask, clock, fetches } = createWorld(server, key)
    await ask()
    clock.pass(MINUTE)
    server.keys = [next.jwk, key.jwk]
    expect(await Promise.all([ask(next), ask(key)])).toEqual([200, 200])
    expect(fetches.length).toBe(2)
  })

  test('a withdrawn key is dead at once, also for tokens remembered as good', async () => {
    const { clock, keys, verifier, ask } = createWorld(server, key)
    const token = createIssuer(ISSUER, clock.wall, key).mint()
    await verifier.verify(token)
    let changes = 0
    keys.onChange(() => changes++)
    clock.pass(MINUTE)
    server.keys = [next.jwk]
    expect(await ask(next)).toBe(200)
    expect(verifier.cached(token)).toBeUndefined()
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(changes).toBe(1)
  })

  test('the same keys in another order or with other decoration are no change', async () => {
    server.keys = [key.jwk, next.jwk]
    const { ask, clock, fetches, keys } = createWorld(server, key)
    let changes = 0
    keys.onChange(() => changes++)
    await ask()
    clock.pass(MINUTE)
    server.keys = [next.jwk, { ...key.jwk, x5t: 'abc' }]
    await ask(foreign)
    expect([fetches.length, changes]).toEqual([2, 0])
  })
})
