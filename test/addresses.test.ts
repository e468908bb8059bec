// The table in app.ts says which feature serves an address, and is held against the routes of the service and of each file.
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { createTestApp } from './support/app.ts'
import { cleaner } from './support/folder.ts'
import { sources, walk } from './support/sources.ts'

afterAll(cleaner())

const text = readFileSync(join(import.meta.dirname, '../src/app.ts'), 'utf8')
/** Address, without what follows it, and its feature; below an address, a longer one of the table goes first. */
const table = [...text.matchAll(/^ \* {3}([a-z-]+\/[a-z-]+) +(\/.*)$/gm)].flatMap(([, feature = '', addresses = '']) =>
  addresses.split(' ').map((address) => ({ feature, address })),
)
const shown = (path: string): string => path.replace(/^\/api\/v1(?=\/)/, '').replaceAll(/:(\w+)/g, '{$1}')
const lineOf = (path: string) =>
  table
    .filter(({ address }) => shown(path) === address || shown(path).startsWith(address === '/' ? '//' : `${address}/`))
    .sort((a, b) => b.address.length - a.address.length)[0]

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'all']
/** The paths that a file of routes spells out: those of a chain that begins with `new Elysia({ prefix })`. */
function pathsIn(root: ts.Node): string[] {
  const found: string[] = []
  walk(root, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
    const [path] = node.arguments
    if (!METHODS.includes(node.expression.name.text) || node.arguments.length < 2 || !path) return
    let chain: ts.Expression = node.expression.expression
    while (ts.isCallExpression(chain) || ts.isPropertyAccessExpression(chain)) chain = chain.expression
    if (!ts.isNewExpression(chain) || !ts.isStringLiteral(path)) return
    const prefix = /prefix: '([^']*)'/.exec(chain.arguments?.[0]?.getText() ?? '')?.[1] ?? ''
    found.push(prefix + path.text)
  })
  return found
}

const features = sources().flatMap(({ path, root }) => {
  const [, feature = ''] = /^src\/features\/([\w-]+\/[\w-]+)\/routes\.ts$/.exec(path) ?? []
  return feature === '' ? [] : pathsIn(root).map((at) => ({ feature, at }))
})

test('each address of a file of routes stands in the table under its feature', () => {
  expect(features.length).toBeGreaterThan(150)
  expect(
    features.filter(({ feature, at }) => lineOf(at)?.feature !== feature).map((f) => `${f.feature} ${f.at}`),
  ).toEqual([])
})

test('each address of the service has a line, and each line an address', () => {
  const paths = createTestApp().app.routes.map((route) => (route as { path: string }).path)
  const served = paths.filter((path) => !path.startsWith('/realms/'))
  expect(served.filter((path) => !lineOf(path))).toEqual([])
  const used = new Set(served.map(lineOf))
  expect(table.filter((line) => !used.has(line))).toEqual([])
})
