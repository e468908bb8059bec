// What a phone has to fetch before it shows anything: the scripts and styles that each entry's page names or holds.
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const ui = join(import.meta.dirname, '../../dist/ui')
const KB = 1024

/** The file, and what it imports at once, and what these import: all that a browser fetches before it runs. */
function closure(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  if (!name.endsWith('.js')) return seen
  const text = readFileSync(join(ui, 'assets', name), 'utf8')
  for (const [, other = ''] of text.matchAll(/(?:^|[;}\s])(?:import|export)[^'"`;()]*["'`]\.\/([\w.-]+)["'`]/g))
    closure(other, seen)
  return seen
}

test.skipIf(!existsSync(ui)).each([
  ['console', 70],
  ['portal', 40],
])('the first load of the %s is at most %d KB, gzipped', (entry, most) => {
  const html = readFileSync(join(ui, entry, 'index.html'), 'utf8')
  const files = new Set<string>()
  for (const [, name = ''] of html.matchAll(/\/ui\/assets\/([\w.-]+)/g)) closure(name, files)
  const inside = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
  expect(inside).toHaveLength(1)
  const all = [...inside, ...[...files].map((name) => readFileSync(join(ui, 'assets', name)))]
  const size = all.reduce((sum, file) => sum + gzipSync(file).length, 0)
  expect([...files].some((name) => name.endsWith('.css'))).toBe(true)
  expect(size / KB).toBeLessThan(most)
  expect(size / KB).toBeGreaterThan(10)
})
