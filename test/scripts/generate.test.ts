import { expect, test } from 'bun:test'
import { migrationsModule, strict } from '../../scripts/generate.ts'

test('every table becomes STRICT, once, and nothing else changes', () => {
  const sql =
    'CREATE TABLE `a` (\n\t`id` text,\n\tCHECK(length("a"."id") > 0)\n);\n' +
    '--> statement-breakpoint\nCREATE INDEX `x` ON `a` (`id`);'
  const expected = sql.replace('\n);', '\n) STRICT;')
  expect(strict(sql)).toBe(expected)
  expect(strict(expected)).toBe(expected)
})

test('migrations are imported as text, in order', () => {
  const module = migrationsModule(['0000_initial.sql', '0001_add_tenants.sql'])
  expect(module).toContain(`import m0001 from './migrations/0001_add_tenants.sql' with { type: 'text' }`)
  expect(module).toMatch(/name: '0000_initial', sql: m0000[\s\S]*name: '0001_add_tenants', sql: m0001/)
  expect(migrationsModule([])).toContain('= []')
})
