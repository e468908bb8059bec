// Each test expects something. test/support/asserting.ts sees it at run time; this sees what does not run here.
import { expect, test } from 'bun:test'
import ts from 'typescript'
import { parse, type Source, sources, walk } from './support/sources.ts'

/** Returns under a condition before the first expect of a test, or at all in what declares tests. */
function earlyReturns({ root }: Source): string[] {
  const found: string[] = []
  let expects = false
  const look = (node: ts.Node, conditional: boolean): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isCallExpression(node) && node.expression.getText() === 'expect') expects = true
    if (ts.isReturnStatement(node) && conditional && !expects && !node.getText().includes('expect('))
      found.push(`line ${root.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.getText().slice(0, 60)}`)
    node.forEachChild((child) => look(child, conditional || ts.isIfStatement(node) || ts.isSwitchStatement(node)))
  }
  walk(root, (node) => {
    if (!ts.isCallExpression(node) || !/^(test|describe)\b/.test(node.expression.getText())) return
    for (const body of node.arguments)
      if (ts.isArrowFunction(body) || ts.isFunctionExpression(body)) {
        expects = false
        look(body.body, false)
      }
  })
  return found
}

test('no test ends before it expects something: what cannot run here is skipped by name', () => {
  const tests = sources().filter(({ path }) => path.startsWith('test/'))
  expect(tests.flatMap((file) => earlyReturns(file).map((found) => `${file.path}: ${found}`))).toEqual([])
})

test.each([
  `test('x', () => { if (!disk) return; expect(1).toBe(1) })`,
  `test.each([1])('%d', async (n) => { for (;;) { if (n) { return void say('not here') } } })`,
  `describe('x', async () => { if (!installed) { return } test('y', () => expect(1)) })`,
  `test.only('x', function () { if (a) return b; f(() => { expect(1) }) })`,
])('caught: %s', (code) => expect(earlyReturns(parse('test/x.test.ts', code))).toHaveLength(1))

test.each([
  `test('x', () => { expect(1).toBe(1); if (a) return; f() })`,
  `test('x', () => { if (a) return expect(1).toBe(1); f() })`,
  `test('x', () => { const f = () => { if (a) return }; expect(f()).toBe(1) })`,
])('not caught: %s', (code) => expect(earlyReturns(parse('test/x.test.ts', code))).toEqual([]))

const featuresIn = (pattern: RegExp): Set<string> =>
  new Set(sources().flatMap(({ path }) => pattern.exec(path)?.[1] ?? []))

test('the tests of a feature stand in a folder of its name', () => {
  const features = featuresIn(/^src\/features\/([\w-]+\/[\w-]+)\//)
  const tested = featuresIn(/^test\/features\/([\w-]+\/.+)\/[\w.-]+\.test\.ts$/)
  expect([...tested].filter((feature) => !features.has(feature))).toEqual([])
  expect([...featuresIn(/^src\/features\/(.*)\/routes\.ts$/)].filter((feature) => !tested.has(feature))).toEqual([])
  expect(tested.size).toBeGreaterThan(30)
})

test('no feature is a single file', () => {
  const files = sources().flatMap(({ path }) => /^src\/features\/([\w-]+\/[\w-]+)\//.exec(path)?.[1] ?? [])
  expect(files.filter((feature) => files.indexOf(feature) === files.lastIndexOf(feature))).toEqual([])
})
