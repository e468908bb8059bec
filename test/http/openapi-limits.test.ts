// The public table of limits is made of the budgets: whichever number changes, the table changes with it.
import { expect, test } from 'bun:test'
import * as budgets from '../../src/core/budgets.ts'
import { type Budgets, LIMITS, limits } from '../../src/http/openapi/limits.ts'

/** Every number of the budgets, by the names that lead to it. */
function* leaves(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value === 'number') yield path
  else for (const [name, inner] of Object.entries(value as object)) yield* leaves(inner, [...path, name])
}
const changed = (value: unknown, [name, ...rest]: readonly string[]): unknown => {
  if (name === undefined) return Number(value) * 2 + 1
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[name] = changed(copy[name], rest)
  return copy
}

const all = [...leaves(budgets)]
test('there are budgets', () => {
  expect(all.length).toBeGreaterThan(60)
})
test('each number is in the table', () => {
  const missing = all
    .filter((path) => limits(changed(budgets, path) as Budgets) === LIMITS)
    .map((path) => path.join('.'))
  expect(missing).toEqual([])
})
test('it is a table whose cells hold no bar or line break', () => {
  const table = LIMITS.split('\n').filter((line) => line.startsWith('|'))
  expect(table.length).toBeGreaterThan(25)
  for (const line of table) expect(line.split('|')).toHaveLength(4)
  expect(LIMITS).not.toMatch(/undefined|NaN|\d\.\d{4}/)
})
test('times are told in the largest unit that fits them', () => {
  expect(LIMITS).toContain('one a minute; 3 in 10 minutes; 5 in 1 day')
  expect(LIMITS).toContain('100 seconds')
  expect(LIMITS).not.toMatch(/\bms|millisecond|every 1 /)
})
