// An idle service looks at its database once a second; what a commit asks for is begun at once.
import { expect, test } from 'bun:test'
import { startSchedule } from '../../src/jobs/schedule.ts'
import { createTestApp, ORG, type TestApp } from '../support/app.ts'

/** Moments at which some task asked for the time, which each does before it looks at its queue; those of one turn are one. */
function watched(t: TestApp) {
  const looks: number[] = []
  const wall = (): number => {
    const now = performance.now()
    if (now - (looks.at(-1) ?? 0) > 50) looks.push(now)
    return t.clock.wall()
  }
  return { looks, deps: { ...t.deps, clock: { ...t.deps.clock, wall } } }
}

test('idle: one look a second', async () => {
  const t = createTestApp()
  const { looks, deps } = watched(t)
  const schedule = await startSchedule(deps)
  await Bun.sleep(300)
  looks.length = 0
  await Bun.sleep(4200)
  await schedule.stop()
  expect(looks.length).toBeGreaterThan(2)
  expect(looks.length).toBeLessThan(6)
  const after = looks.length
  await Bun.sleep(1200)
  expect(looks.length).toBe(after)
})

test('a commit begins what it asks for, and many commits do not do so each', async () => {
  const t = createTestApp()
  await t.call('OWNER.ana', 'GET /api/v1/me')
  const { looks, deps } = watched(t)
  const schedule = await startSchedule(deps)
  const touch = () =>
    deps.write(ORG, () =>
      t.store.client.prepare('update organization set updated_at = updated_at where id = ?').run(ORG),
    )
  const waits: number[] = []
  for (let i = 0; i < 9; i++) {
    await Bun.sleep(370)
    looks.length = 0
    const from = performance.now()
    await touch()
    while (looks.length === 0) await Bun.sleep(2)
    waits.push((looks[0] ?? 0) - from)
  }
  // The median: a busy machine delays some. Waiting for the next look of the timer would take half a second.
  expect(waits.sort((a, b) => a - b)[4]).toBeLessThan(150)
  looks.length = 0
  for (const end = performance.now() + 1000; performance.now() < end; ) await touch()
  expect(looks.length).toBeLessThan(8)
  await schedule.stop()
})
