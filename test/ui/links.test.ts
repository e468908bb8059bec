// Addresses inside the pages are plain text to the compiler: each has to be one that a folder of pages answers for.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ui = join(import.meta.dirname, '../../src/ui')
const read = (pattern: string): [name: string, text: string][] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: ui })].sort().map((name) => [name, readFileSync(join(ui, name), 'utf8')])

test.each(['console', 'portal'])('every link of the %s leads to a page', (entry) => {
  const routes = read(`${entry}/pages/*/routes.ts`).flatMap(([, text]) =>
    [...text.matchAll(/^\s*'(\/[^']*)':/gm), ...text.matchAll(/= \{ '(\/[^']*)':/g)].map(([, path = '']) => path),
  )
  expect(routes).toContain('/')
  const links = read(`${entry}/**/*.{svelte,ts}`).flatMap(([name, text]) =>
    [...text.matchAll(/\bhref\('(\/[^']*)'|\bpath: '(\/[^']*)', (?:search: '[^']*', )?label:/g)].map(
      ([, href, path = href]) => `${name}: ${path}`,
    ),
  )
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter((link) => !routes.includes(link.split(': ')[1] ?? ''))).toEqual([])
})
