import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createWorld, DAY, HOUR, SECOND } from '../../support/remote-keys.ts'
import { createKey, startKeyServer } from '../../support/tokens.ts'

const key = createKey('current', 'RS256')
const next = createKey('next', 'RS256')
const server = await startKeyServer([key.jwk])
afterAll(() => server.close())
beforeEach(() => {
  server.mode = 'ok'
  server.keys = [key.jwk]
})

describe('clocks', () => {
  for (const [name, jump] of [
    ['an hour', HOUR],
    ['a day', DAY],
    ['three days', 3 * DAY],
  ] as const)
    test(`set back ${name}: good tokens pass, keys still age, the cool-down is no longer`, async () => {
      const { ask, clock, fetches } = createWorld(server, key)
      await ask()
      clock.setBack(jump)
      expect(await ask()).toBe(200)
      clock.pass(30 * SECOND)
      server.keys = [key.jwk, next.jwk]
      expect(await ask(next)).toBe(200)
      clock.pass(601 * SECOND)
      await ask()
      expect(fetches.length).toBe(3)
    })

  test('set back a day: keys are refreshed after 600 s all the same', async () => {
    const { ask, clock, fetches } = createWorld(server, key)
    await ask()
    clock.setBack(DAY)
    clock.pass(601 * SECOND)
    await ask()
    expect(fetches.length).toBe(2)
  })

  test('set forward two days during an outage, and right again: 503 in between, never 401', async () => {
    const { ask, clock } = createWorld(server, key)
    await ask()
    server.mode = 'down'
    clock.setBack(-2 * DAY)
    expect(await ask()).toBe(503)
    clock.setBack(2 * DAY)
    expect(await ask()).toBe(200)
  })
})
