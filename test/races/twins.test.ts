// reliability T-10: 500 keys × 10 twins at once: one effect a key, the others replays of it (or 409).
import { expect, test } from 'bun:test'
import { createTestApp } from '../support/app.ts'

const place = { name: 'N', addressLine: 'R', city: 'C' }
const KEYS = 500
const TWINS = 10

test(`${KEYS} keys × ${TWINS} twins: ${KEYS} effects`, async () => {
  const t = createTestApp()
  const requests = Array.from({ length: KEYS * TWINS }, (_x, i) => `key-${i % KEYS}`)
  const answers = await Promise.all(
    requests.map(async (key) => ({
      key,
      ...(await t.call('OWNER.twin', 'POST /api/v1/properties', place, { 'idempotency-key': key })),
    })),
  )
  const ids = new Map<string, Set<unknown>>()
  const firsts = new Map<string, number>()
  for (const { key, status, body, headers } of answers) {
    expect([201, 409]).toContain(status)
    if (status === 409) continue
    ids.set(key, (ids.get(key) ?? new Set()).add(body.id))
    if (!headers.has('idempotency-replayed')) firsts.set(key, (firsts.get(key) ?? 0) + 1)
  }
  expect(ids.size).toBe(KEYS)
  expect([...ids.values()].every((set) => set.size === 1)).toBe(true)
  expect([...firsts.values()].every((n) => n === 1)).toBe(true)
  expect(firsts.size).toBe(KEYS)
  const [counts] = t.rows(
    "select (select count(*) from property) as rows, (select count(*) from idempotency) as keys, (select count(*) from audit_entry where action = 'property.create') as told",
  )
  expect(counts).toEqual({ rows: KEYS, keys: KEYS, told: KEYS })
}, 180_000)

test('twins with different bodies: one effect, the others 422', async () => {
  const t = createTestApp()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_x, i) =>
      t.call('OWNER.twin', 'POST /api/v1/properties', { ...place, name: `N${i}` }, { 'idempotency-key': 'one' }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 'idempotency_mismatch')).toHaveLength(49)
  expect(t.rows('select count(*) as n from property')).toEqual([{ n: 1 }])
})
