// What generators make of the document: names that a person can read, and a word on everything.
import { expect, test } from 'bun:test'
import openapiTypes, { astToString } from 'openapi-typescript'
import { document, type Json, nodes, operations } from './support/documented.ts'

/** Schemas as they are written, not what examples hold. */
const schemasOf = (): [string, Json][] =>
  [...nodes(document)].filter(([at]) => !/\/(examples?|responses\/[^/]+\/headers)(\/|$)/.test(at))

test('every member and every parameter says what it is', () => {
  const silent: string[] = []
  for (const [at, node] of schemasOf()) {
    if (/\/allOf\/\d$/.test(at)) continue
    for (const [name, member] of Object.entries((node.properties ?? {}) as Record<string, Json>))
      if (/\/schemas\//.test(at) && (typeof member.description !== 'string' || member.description.length < 5))
        silent.push(`${at} ${name}`)
    if (
      node.in !== undefined &&
      typeof node.schema === 'object' &&
      (typeof node.description !== 'string' || node.description.length < 5)
    )
      silent.push(at)
  }
  // Say it where the member is declared; what many models share is in src/http/members.ts.
  expect(silent).toEqual([])
})

test('what a generator makes a type of has a name of its own', () => {
  const nameless = schemasOf().filter(
    ([at, node]) =>
      !/^\/components\/(schemas\/[^/]+|responses\/.*)$/.test(at) &&
      ((node.type === 'object' && Object.keys((node.properties ?? {}) as Json).length > 0) ||
        (node.type === 'string' && Array.isArray(node.enum) && node.enum.length > 1 && !/\/headers\//.test(at))),
  )
  expect(nameless.map(([at]) => at)).toEqual([])
  const names = Object.keys(document.components.schemas ?? {})
  expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name))).toEqual([])
  const folded = names.map((name) => name.toLowerCase())
  expect(folded.filter((name, i) => folded.indexOf(name) !== i)).toEqual([])
  const words = Object.values(document.components.schemas ?? {}).flatMap(({ enum: list }) =>
    list ? [String(list)] : [],
  )
  expect(words.filter((list, i) => words.indexOf(list) !== i)).toEqual([])
  for (const [line, { requestBody }] of operations)
    for (const { schema } of Object.values(requestBody?.content ?? {}))
      if (schema.format !== 'binary') expect([line, typeof schema.$ref]).toEqual([line, 'string'])
})

test('no example is a filler', () => {
  expect(JSON.stringify(document)).not.toMatch(/exemple|"string"\s*:\s*"string"|lorem/i)
})

test('names are used once, tags are described', () => {
  const ids = operations.map(([, { operationId }]) => operationId)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  expect(document.tags.filter((tag) => !tag.description)).toEqual([])
  expect(new Set(document.tags.map((tag) => tag.name))).toEqual(new Set(operations.flatMap(([, o]) => o.tags)))
})

test('the typed client has every operation, and a type for each body that comes and goes', async () => {
  const types = astToString(await openapiTypes(JSON.stringify(document)))
  const between = (start: string, end: string): string => {
    const at = types.indexOf(start)
    return at < 0 ? '' : types.slice(at, types.indexOf(end, at))
  }
  const untyped = operations.filter(([line, { operationId, requestBody, responses }]) => {
    const [method = '', path = ''] = line.split(' ')
    const route = between(`    ${JSON.stringify(path)}: {\n`, '\n    };\n')
    const operation = between(`    ${operationId}: {\n`, '\n    };\n')
    return (
      !route.includes(`        ${method.toLowerCase()}: operations["${operationId}"];`) ||
      !Object.keys(responses).every((status) => operation.includes(`            ${status}: `)) ||
      /: (unknown|never|any|Record<string, never>);$/m.test(
        operation.replace(
          /^ *(query|header|path|cookie|requestBody|content)\?: never;| *\[name: string\]: unknown;$/gm,
          '',
        ),
      ) ||
      (requestBody !== undefined && /^ *requestBody\?: never;$/m.test(operation))
    )
  })
  expect(untyped.map(([line]) => line)).toEqual([])
})
