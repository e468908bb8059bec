// Who may import whom, and what no file may contain. Each rule is shown a file that it must catch.
import { expect, test } from 'bun:test'
import ts from 'typescript'
import { allowed, areaOf, featureOf, packages, pure } from './support/directions.ts'
import { callsWith, isAsync, isMember, nodes } from './support/nodes.ts'
import { cycle, parse, type Source, sources } from './support/sources.ts'

const files = sources()

type Rule = {
  name: string
  on?: (path: string) => boolean
  finds: (file: Source) => string[]
  catches: [path: string, code: string][]
}

const inService = (path: string) => /^(src|db)\//.test(path)
const isLoud = (path: string) => /^src\/(main|log)\.ts$|^src\/commands\/|^scripts\//.test(path)

const INSIDE = [
  'event',
  'router',
  'extender',
  'singleton',
  'inference',
  'isAsync',
  'getGlobalRoutes',
  'wrap',
  'session',
]
/** How libraries call members that are nobody else's. */
const PRIVATE = /^_[a-z]/i
const WRITES = ['insert', 'update', 'delete', 'inserting', 'saving']
const OVERWRITTEN = ['run', 'get', 'all', 'prepare', 'transaction', 'fetch', 'handle', 'getGlobalRoutes', 'isAsync']
const holders = /^(app|plugin|http|hook|db|tx|q|query|client|statement|provider)$/
const nameOf = (node: ts.Node): string =>
  ts.isCallExpression(node) ? nameOf(node.expression) : ts.isIdentifier(node) ? node.text : ''
/** Members of Elysia, Drizzle, better-sqlite3 and oidc-provider that their documents do not name, members overwritten, and private ones. */
function reachesInside(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node) && PRIVATE.test(node.name.text)) return true
  if (ts.isBindingElement(node) && PRIVATE.test(node.propertyName?.getText() ?? '')) return true
  if (ts.isPropertyAccessExpression(node) && INSIDE.includes(node.name.text))
    return holders.test(nameOf(node.expression)) || nameOf(node.expression) === 'bearer'
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return (
      ts.isPropertyAccessExpression(node.left) &&
      OVERWRITTEN.includes(node.left.name.text) &&
      holders.test(nameOf(node.left.expression))
    )
  if (ts.isImportSpecifier(node))
    return (
      (node.propertyName ?? node.name).text === 'Param' &&
      /^'drizzle-orm'/.test(node.parent.parent.parent.moduleSpecifier.getText())
    )
  if (!ts.isCallExpression(node))
    return ts.isPropertyAssignment(node) && node.name.getText() === 'seed' && isRandom(node)
  if (ts.isIdentifier(node.expression) && node.expression.text === 'instance') return true
  const [target, members] = node.arguments
  return (
    isMember(node.expression, 'Object', 'assign') &&
    target !== undefined &&
    holders.test(nameOf(target)) &&
    members !== undefined &&
    ts.isObjectLiteralExpression(members) &&
    members.properties.some(({ name }) => name !== undefined && OVERWRITTEN.includes(name.getText()))
  )
}
const isRandom = (node: ts.PropertyAssignment): boolean => /random/i.test(node.initializer.getText())

const rules: Rule[] = [
  {
    name: 'imports follow the directions',
    finds: (file) =>
      file.imports.filter((i) => i.relative && !allowed(file.path, i.to, i.typeOnly)).map(({ to }) => to),
    catches: [
      ['src/core/money.ts', `import { AppError } from '../errors.ts'`],
      ['src/core/money.ts', `import type { Db } from '../../db/open.ts'`],
      ['src/features/property/units/rules.ts', `import { AppError } from '../../../errors.ts'`],
      ['src/features/property/units/rules.ts', `import { PROPERTY } from '../properties/rules.ts'`],
      ['src/features/property/units/store.ts', `import { property } from '../properties/store.ts'`],
      ['src/features/property/units/service.ts', `import { units } from './routes.ts'`],
      ['src/features/property/units/store.ts', `import { PROPERTY } from '../properties/rules.ts'`],
      ['src/features/property/units/service.ts', `import { disk } from '../../../adapters/blobs/disk.ts'`],
      ['src/features/property/units/service.ts', `import { unit } from '../../../../db/schema/properties.ts'`],
      ['src/features/property/units/routes.ts', `import { archive } from '../properties/service.ts'`],
      ['src/features/property/units/routes.ts', `const x = await import('../../../../db/open.ts')`],
      ['src/adapters/blobs/disk.ts', `import { s3 } from '../messaging/log.ts'`],
      ['src/adapters/blobs/disk.ts', `import { findMedia } from '../../features/papers/media/store.ts'`],
      ['src/http/auth.ts', `import { findUser } from '../features/people/users/store.ts'`],
      ['db/schema/units.ts', `import { units } from '../../src/features/property/units/service.ts'`],
      ['src/app.ts', `export { main } from './main.ts'`],
      ['src/log.ts', `import { stub } from '../test/support/stub.ts'`],
      ['src/changes/record.ts', `import { announce } from '../features/data/events/service.ts'`],
      ['src/helpers.ts', `import { now } from './core/dates.ts'`],
      ['src/ui/shared/api.ts', `import type { createApp } from '../../app.ts'`],
    ],
  },
  {
    name: 'packages stay where they belong',
    finds: ({ path, imports }) =>
      imports
        .filter(({ to, relative }) => {
          if (relative || to.startsWith('node:')) return false
          const area = areaOf(path)
          const only = packages.find(([pattern]) => pattern.test(to))?.[1]
          return pure.includes(area) || (only !== undefined && !only.includes(area) && !path.endsWith('.config.ts'))
        })
        .map(({ to }) => to),
    catches: [
      ['src/features/property/units/service.ts', `import { status } from 'elysia'`],
      ['src/features/property/units/routes.ts', `import { eq } from 'drizzle-orm'`],
      ['src/features/property/units/store.ts', `import Database from 'better-sqlite3'`],
      ['src/core/money.ts', `import { Type } from '@sinclair/typebox'`],
      ['src/http/host.ts', `import { Glob } from 'bun'`],
      ['src/http/auth.ts', `import Provider from 'oidc-provider'`],
      ['src/features/people/users/service.ts', `import { hash } from '@node-rs/argon2'`],
    ],
  },
  {
    name: 'only a feature itself writes through its store',
    finds: ({ path, imports }) =>
      imports
        .filter(({ to }) => areaOf(to) === 'store' && featureOf(to) !== featureOf(path))
        .flatMap(({ to, names }) =>
          names
            .filter((name) => /^(insert|save|set|update|upsert|delete|remove)/.test(name))
            .map((name) => `${name} of ${to}`),
        ),
    on: inService,
    catches: [['src/features/people/tenants/service.ts', `import { findUser, saveUser } from '../users/store.ts'`]],
  },
  {
    name: 'app_user is written by db/users.ts, for users and the identity providers alone',
    on: (path) => inService(path) && path !== 'db/users.ts',
    finds: (file) => [
      ...nodes((node) => callsWith(node, WRITES, (table) => table.getText() === 'appUser'))(file),
      ...(/^src\/(features\/people\/users\/service\.ts$|adapters\/identity\/)/.test(file.path)
        ? []
        : file.imports.filter(({ to }) => to === 'db/users.ts').map(({ to }) => to)),
    ],
    catches: [
      ['src/features/people/users/store.ts', `const save = saving('user', appUser)`],
      ['src/adapters/identity/keycloak/rows.ts', 'db.update(appUser).set({})'],
      ['src/features/people/tenants/service.ts', `import { saveUser } from '../../../../db/users.ts'`],
    ],
  },
  {
    name: 'a feature is one folder without folders of its own',
    on: (path) => path.startsWith('src/features/') && areaOf(path) !== 'group',
    finds: ({ path }) => (/^src\/features\/[\w-]+\/[\w-]+\/[\w-]+\.ts$/.test(path) ? [] : [path]),
    catches: [['src/features/property/units/helpers/x.ts', 'export const x = 1']],
  },
  {
    name: 'relative imports end in .ts',
    finds: ({ imports }) =>
      imports.filter(({ to, relative }) => relative && !/\.(ts|sql|json|svelte|css)$/.test(to)).map(({ to }) => to),
    catches: [
      ['src/app.ts', `import { x } from './http/edge'`],
      ['src/app.ts', `import { x } from './http/edge.js'`],
    ],
  },
  {
    name: 'no any',
    finds: nodes((node) => node.kind === ts.SyntaxKind.AnyKeyword),
    catches: [
      ['src/app.ts', 'export const x = JSON.parse("1") as any'],
      ['test/app.test.ts', 'const f = (x: Record<string, any>) => x'],
    ],
  },
  {
    name: 'no default exports',
    on: (path) => !/\.config\.ts$|\.d\.ts$/.test(path),
    finds: nodes(
      (node) =>
        ts.isExportAssignment(node) ||
        (node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent)) ||
        (ts.isExportSpecifier(node) && node.name.text === 'default'),
    ),
    catches: [
      ['src/app.ts', 'export default 1'],
      ['src/app.ts', 'export default function f() {}'],
      ['src/app.ts', 'const x = 1; export { x as default }'],
    ],
  },
  {
    name: 'no console but in main, commands, scripts and log',
    on: (path) => !isLoud(path),
    finds: nodes((node) => isMember(node, 'console')),
    catches: [['src/features/property/units/service.ts', 'console.log({ code: 1 })']],
  },
  {
    name: 'only main, its commands and the example programs touch Bun, Deno, and the environment, arguments and end of the process',
    on: (path) => inService(path) && !/^src\/(main\.ts|commands\/|client\/(example(-app)?|ten-minutes)\.ts)/.test(path),
    finds: nodes(
      (node) =>
        isMember(node, 'Bun') ||
        isMember(node, 'Deno') ||
        ['env', 'argv', 'exit'].some((name) => isMember(node, 'process', name)),
    ),
    catches: [['src/http/limits.ts', 'export const path = process.env.PATH']],
  },
  {
    name: 'no Math.random',
    finds: nodes((node) => isMember(node, 'Math', 'random')),
    catches: [['test/rules/x.test.ts', 'const x = Math.random()']],
  },
  {
    name: 'turns of the event loop are given by core/event-loop.ts, as Deno needs other ones',
    on: (path) => /^(src|db)\//.test(path) && !/^src\/(ui|core\/event-loop)/.test(path),
    finds: nodes((node) => ts.isIdentifier(node) && node.getText() === 'setImmediate'),
    catches: [['src/jobs/worker.ts', 'setImmediate(tick)']],
  },
  {
    name: 'no sql.raw',
    finds: nodes((node) => isMember(node, 'sql', 'raw')),
    catches: [['src/features/property/units/store.ts', 'const x = sql.raw("1")']],
  },
  {
    name: 'no eval',
    finds: nodes(
      (node) =>
        (ts.isCallExpression(node) && node.expression.getText() === 'eval') ||
        (ts.isNewExpression(node) && node.expression.getText() === 'Function'),
    ),
    catches: [
      ['src/app.ts', 'eval("1")'],
      ['src/app.ts', 'new Function("1")'],
    ],
  },
  {
    // what a library does not document may change with any version of it; each such place says what it costs without
    name: 'only files called internals.ts reach into the internals of a library',
    on: (path) => inService(path) && !/\/internals\.ts$/.test(path),
    finds: nodes((node) => reachesInside(node)),
    catches: [
      ['src/http/auth.ts', 'const read = bearer().event.transform'],
      ['src/http/routes.ts', 'hook.isAsync = false'],
      ['src/http/routes.ts', 'for (const hook of app.event.request ?? []) hook.isAsync = false'],
      ['src/http/openapi/document.ts', 'Object.assign(plugin, { getGlobalRoutes: () => routes })'],
      ['src/http/problems.ts', `app.router.http.find('GET', path)`],
      ['src/http/auth.ts', 'app.wrap((handle) => handle)'],
      ['src/http/routes.ts', `new Elysia({ name: 'http', seed: crypto.randomUUID() })`],
      ['db/query.ts', 'q.run = native'],
      ['db/query.ts', 'Object.assign(client, { prepare: once })'],
      ['db/query.ts', 'db.session.prepareQuery(q)'],
      ['db/query.ts', `import { Param } from 'drizzle-orm'`],
      ['src/adapters/pdf/kit.ts', 'doc._finalize()'],
      ['src/adapters/pdf/fonts.ts', 'const { _font: inter } = doc'],
      ['src/adapters/identity/embedded/embedded.ts', `instance(provider).configuration('x')`],
    ],
  },
  {
    // better-sqlite3 refuses a promise, which then ends the process; an await in a write would hold up everyone
    name: 'no async transaction',
    finds: nodes((node) => callsWith(node, ['transaction', 'write'], isAsync)),
    catches: [
      ['src/features/property/units/service.ts', 'db.transaction(async (tx) => { await tx })'],
      ['src/features/property/units/routes.ts', 'write(orgId, async function () {})'],
    ],
  },
]

for (const { name, on = () => true, finds, catches } of rules) {
  test(name, () => {
    expect(
      files.filter(({ path }) => on(path)).flatMap((file) => finds(file).map((found) => `${file.path}: ${found}`)),
    ).toEqual([])
  })
  for (const [path, code] of catches) {
    test(`${name}: caught in ${path}: ${code.slice(0, 80).replaceAll('\n', ' ')}`, () => {
      expect(on(path)).toBe(true)
      expect(finds(parse(path, code))).not.toEqual([])
    })
  }
}

test('no cycles among imports, those of types too', () => {
  expect(cycle(files.filter(({ path }) => inService(path)))).toBeUndefined()
})

test('a cycle is caught, one of types too, and a one-way import is none', () => {
  const other = parse('src/b.ts', `import { a } from './a.ts'`)
  expect(cycle([parse('src/a.ts', `export { b } from './b.ts'`), other])).toEqual(['src/a.ts', 'src/b.ts', 'src/a.ts'])
  expect(cycle([parse('src/a.ts', `import type { B } from './b.ts'`), other])).toHaveLength(3)
  expect(cycle([parse('src/a.ts', 'export const a = 1'), other])).toBeUndefined()
})

test('the rules see the repository', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(200)
})
