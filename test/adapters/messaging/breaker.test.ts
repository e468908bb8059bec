// A vendor that is down is left alone; one that is slow is not asked by everybody at once.
import { expect, test } from 'bun:test'
import { guarded } from '../../../src/adapters/messaging/guard.ts'
import type { Outcome } from '../../../src/adapters/messaging/port.ts'
import type { Vendor } from '../../../src/adapters/messaging/request.ts'
import { CODE, no } from '../../support/vendors.ts'

/** A vendor that does what it is told, with a clock of its own. */
function breaker() {
  const world = { now: 0, outcome: no('http_500', true, 'vendor') as Outcome, tried: 0 }
  let release: (() => void)[] = []
  const vendor: Vendor = {
    name: 'x',
    channels: ['SMS'],
    send: () => {
      world.tried += 1
      return new Promise((resolve) => release.push(() => resolve(world.outcome)))
    },
  }
  const guard = guarded(vendor, () => world.now)
  const send = () => guard.send(CODE, 600, 'id')
  /** Everything under way ends as the world says. */
  const end = () => {
    for (const go of release) go()
    release = []
  }
  const sendAndEnd = async (outcome: Outcome) => {
    world.outcome = outcome
    const sent = send()
    end()
    return sent
  }
  return { world, guard, send, end, sendAndEnd }
}
const down = no('http_500', true, 'vendor')
const refused = no('http_400', false, 'message')
const UNTRIED = { took: false, untried: true, again: true, fault: 'vendor' }

test('five failures in a row open the breaker; what the vendor refused does not count', async () => {
  const { world, guard, sendAndEnd } = breaker()
  for (const outcome of [down, down, down, down, refused, down, down, down, down]) await sendAndEnd(outcome)
  expect(guard.pausedMs()).toBe(0)
  await sendAndEnd(down)
  expect(guard.pausedMs()).toBe(30_000)
  expect(world.tried).toBe(10)
  world.now = 29_000
  expect(await sendAndEnd({ took: true })).toMatchObject({ ...UNTRIED, reason: 'breaker_open', afterMs: 1000 })
  expect(world.tried).toBe(10)
})

for (const [name, outcome, paused] of [
  ['works: closed', { took: true }, 0],
  ['refuses the message, so it answers: closed', refused, 0],
  ['fails: open for as long again', down, 30_000],
  ['is not allowed in: open', no('http_401', false, 'vendor'), 30_000],
] as const)
  test(`half open: one message tries, and ${name}`, async () => {
    const { world, guard, send, end, sendAndEnd } = breaker()
    for (let i = 0; i < 5; i++) await sendAndEnd(down)
    world.now = 30_000
    world.outcome = outcome
    const probe = send()
    const others = await Promise.all([send(), send(), send()])
    expect(others).toMatchObject([UNTRIED, UNTRIED, UNTRIED])
    expect(world.tried).toBe(6)
    end()
    expect(await probe).toEqual(outcome)
    expect(guard.pausedMs()).toBe(paused)
  })

test('at most sixteen are under way; the seventeenth is told to come again', async () => {
  const { world, send, end } = breaker()
  const first = Array.from({ length: 16 }, send)
  expect(await send()).toMatchObject({ ...UNTRIED, reason: 'busy' })
  world.outcome = { took: true }
  end()
  expect((await Promise.all(first)).every((o) => o.took)).toBe(true)
  const next = send()
  end()
  expect(await next).toEqual({ took: true })
})

test('an adapter that throws is an outcome, and holds no place', async () => {
  const guard = guarded({ name: 'x', channels: ['SMS'], send: () => Promise.reject(new Error('secret')) })
  for (let i = 0; i < 4; i++) expect(await guard.send(CODE, 600, 'id')).toEqual(no('adapter_failed', false, 'vendor'))
})
