// The OpenAPI document against the routes, the specification's tables, the code's own list of errors, and a validator.
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { loadConfig } from '../src/config.ts'
import { ERROR_CODES, ERRORS } from '../src/error-codes.ts'
import { textProblem } from '../src/http/body.ts'
import { createSchemas } from '../src/http/openapi/schemas.ts'
import { Text } from '../src/http/schema.ts'
import { openApiDocument } from '../src/openapi.ts'
import { createTestApp } from './support/app.ts'
import {
  type Document,
  document,
  errorsOf,
  exampleOf,
  type Json,
  nodes,
  type Operation,
  operations,
  type Response,
  resolved,
} from './support/documented.ts'

const nowhere = (test: (at: string, node: Json) => boolean): string[] =>
  [...nodes(document)].filter(([at, node]) => !/\/examples?(\/|$)/.test(at) && test(at, node)).map(([at]) => at)

test.each([
  ['a sandbox', { LOYER_MODE: 'sandbox' }],
  ['production', { PUBLIC_URL: 'https://rent.example.cm' }],
  ['an external provider', { PUBLIC_URL: 'https://rent.example.cm', AUTH_URL: 'https://id.example.cm' }],
])('a validator finds no error in the document of %s', async (_name, env) => {
  const made = await openApiDocument(loadConfig(env))
  expect(await new Validator().validate(made)).toEqual({ valid: true })
})

test('the validator would find one', async () => {
  const broken = structuredClone(document) as unknown as { paths: Record<string, unknown> }
  broken.paths['/broken'] = { get: { responses: { 200: { content: {} } } } }
  expect((await new Validator().validate(broken)).valid).toBe(false)
})

test('every schema is one that a strict reader takes', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true })
  addFormats(ajv)
  const inside = (schema: unknown) =>
    JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'components#/$defs/')) as Json
  ajv.addSchema({ $id: 'components', $defs: inside(document.components.schemas) })
  const schemas = [...nodes(document)].filter(([at]) => /\/schema$/.test(at)).map(([, node]) => node)
  expect(schemas.length).toBeGreaterThan(100)
  for (const schema of schemas) ajv.compile(inside(schema))
})

test('every reference points somewhere', () => {
  const references = [...nodes(document)].filter(([, node]) => typeof node.$ref === 'string')
  expect(references.length).toBeGreaterThan(100)
  for (const [, node] of references) resolved(node as { $ref: string })
  expect(() => resolved({ $ref: '#/components/schemas/Nothing' })).toThrow('points nowhere')
})

test('nothing of the inside is left in it', () => {
  const inner = ['$id', 'x-lines', 'x-name', 'x-problems', 'x-answers', 'const', 'patternProperties']
  expect(nowhere((at, node) => !at.endsWith('/properties') && inner.some((key) => key in node))).toEqual([])
  const types = new Set(
    [...nodes(document)].filter(([at]) => /\/content$/.test(at)).flatMap(([, node]) => Object.keys(node)),
  )
  expect([...types].filter((type) => /form-data|urlencoded|text\/plain/.test(type))).toEqual([])
  expect(JSON.stringify(document)).not.toMatch(/Elysia|swagger|x-hide|undefined/i)
})

const codesOf = (response: Response | undefined): readonly string[] => (response && resolved(response)['x-codes']) ?? []

const { app } = createTestApp()
type Route = {
  method: string
  path: string
  hooks: { detail?: { hide?: boolean; 'x-roles'?: string[] | 'public'; 'x-problems'?: string[] } }
}
const routes = (app.routes as unknown as Route[]).filter(({ hooks }) => hooks.detail?.hide !== true)
const lineOf = ({ method, path }: Route): string => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

test('every route is an operation and every operation a route', () => {
  // The test app has no provider of its own, and so no tokens to give out.
  const lines = [...routes.map(lineOf), 'POST /api/v1/sandbox/token', 'POST /api/v1/sandbox/clock']
  expect(operations.map(([line]) => line).sort()).toEqual([...new Set(lines)].sort())
  expect(operations.filter(([line]) => /realms|docs|openapi/.test(line))).toEqual([])
})

/** What a row of the document must say of who may call it. */
function expectRoles(operation: Operation, route: Route | undefined): void {
  // What only a sandbox has is open to everybody.
  const roles = route ? (route.hooks.detail?.['x-roles'] ?? []) : 'public'
  if (roles === 'public') {
    expect(operation.security).toEqual([])
    // A public route may refuse credentials of its own (a code, a signature), and then says so itself.
    const own = route?.hooks.detail?.['x-problems'] ?? []
    const refusals = [operation.responses[401], operation.responses[403]].flatMap((r) => codesOf(r))
    if (route) expect(refusals.filter((code) => !own.includes(code))).toEqual([])
    expect(operation['x-roles']).toBeUndefined()
  } else {
    expect(operation.security).toEqual([{ bearer: [] }, { signIn: [] }])
    expect(operation['x-roles']).toEqual(roles)
    expect(Object.keys(operation.responses)).toContainValues(['401', '403', '422', '500', '503'])
  }
}

/** What carries codes or passwords, and previews: nothing of it is kept for a replay. */
const NEVER_REPLAYED = [
  ...['rentChangeOtp', 'signRentChange', 'inspectionSigningOtp', 'signInspection', 'previewRegularisation'],
  'phoneChangeOtp',
  'phoneChangeVerify',
  'phoneOldNumberOtp',
  'phoneVerificationOtp',
  'phoneVerificationVerify',
  'changePassword',
  'issueRecoveryCode',
  'previewLeaseTemplate',
  'signingOtp',
  'signLease',
]

test.each(operations)('%s is written down in full, and says who may call it', (line, operation) => {
  expectRoles(
    operation,
    routes.find((route) => lineOf(route) === line),
  )
  const [method = '', path = ''] = line.split(' ')
  expect(operation.operationId).toMatch(/^[a-z]\w+$/)
  expect(operation.summary.length).toBeGreaterThan(5)
  expect(operation.tags).toHaveLength(1)
  const parameters = operation.parameters.map((p) => resolved(p))
  const inPath = parameters.filter((p) => p.in === 'path')
  expect(inPath.map((p) => p.name).sort()).toEqual(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort(),
  )
  for (const { name, required, schema } of inPath) {
    expect(required).toBe(true)
    if (/id$/i.test(name)) expect(schema.format).toBe('uuid')
  }
  for (const { schema } of parameters) expect(resolved(schema).type ?? schema.anyOf).toBeDefined()
  const headers = parameters.filter((p) => p.in === 'header').map((p) => p.name)
  expect(headers.includes('Idempotency-Key')).toBe(
    method === 'POST' && operation.security.length > 0 && !NEVER_REPLAYED.includes(operation.operationId),
  )
  expect(headers.includes('If-Match')).toBe('412' in operation.responses)
  expect(headers.includes('If-None-Match')).toBe('304' in operation.responses)
  // A range is a success of the same kind; a link of a message leads elsewhere.
  const success = Object.keys(operation.responses).filter((status) => /^(2|303)/.test(status) && status !== '206')
  // What waits for an ADMIN is accepted, and done for everybody else.
  expect(success).toEqual(operation.operationId === 'resetSecondFactor' ? ['202', '204'] : [expect.any(String)])
  for (const [status, named] of Object.entries(operation.responses)) {
    const response = resolved(named)
    const types = Object.keys(response.content ?? {})
    expect(response.headers['X-Request-Id']).toBeDefined()
    if (status === '416') expect(types).toEqual([])
    else if (/^\/(i|p|r|verify)\//.test(path) && ['404', '410'].includes(status)) expect(types).toEqual(['text/html'])
    else if (Number(status) >= 400) expect(types).toEqual(['application/problem+json'])
    expect('Retry-After' in response.headers).toBe(status === '429' || status === '503')
  }
  const named = operation.requestBody?.content['application/json']?.schema
  const schema = named && resolved(named)
  if (operation.requestBody && schema)
    expect(operation.requestBody.required).toBe(
      schema.oneOf !== undefined || (Array.isArray(schema.required) && schema.required.length > 0),
    )
  if (method === 'GET') expect(operation.requestBody).toBeUndefined()
})

test('every example fits its schema', () => {
  const found: string[] = []
  let count = 0
  const check = (at: string, schema: Json, value: unknown) => {
    count++
    found.push(...errorsOf(schema, value).map((e) => `${at}: ${e}`))
  }
  for (const [name, schema] of Object.entries(document.components.schemas ?? {}))
    for (const value of (schema.examples as unknown[] | undefined) ?? [])
      check(name, { $ref: `#/components/schemas/${name}` }, value)
  for (const [at, node] of nodes(document)) {
    if (typeof node.schema !== 'object' || node.schema === null) continue
    const { schema, example, examples } = node as {
      schema: Json
      example?: unknown
      examples?: Record<string, { value: unknown }>
    }
    if (example !== undefined) check(at, schema, example)
    for (const { value } of Object.values(examples ?? {})) check(at, schema, value)
  }
  expect(found).toEqual([])
  expect(count).toBeGreaterThan(80)
})

test('every answer and every request body has an example', () => {
  const without = [...nodes(document)]
    .filter(([at]) => /\/content$/.test(at))
    .flatMap(([at, node]) =>
      Object.entries(node as Record<string, Json>)
        .filter(([type]) => type.endsWith('json'))
        .filter(([, media]) => media.example === undefined && media.examples === undefined)
        .map(([type]) => `${at} ${type}`),
    )
  expect(without).toEqual([])
  for (const [name, schema] of Object.entries(document.components.schemas ?? {}))
    if (name !== 'Problem')
      expect([name, schema.examples]).toEqual([name, [expect.anything(), ...((schema.examples as []) ?? []).slice(1)]])
})

test('an example that does not fit is found', () => {
  const property = exampleOf('Property')
  expect(errorsOf({ $ref: '#/components/schemas/Property' }, { ...property, status: 'SOLD' })).not.toEqual([])
  expect(errorsOf({ $ref: '#/components/schemas/Property' }, { ...property, id: 'nobody' })).not.toEqual([])
})

const source = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

test('the codes are those that the code throws', () => {
  const root = join(import.meta.dirname, '..')
  const text = source(join(root, 'src')) + source(join(root, 'db'))
  const thrown = [...text.matchAll(/(?:(?:AppError|super)\(|refusedAt\([^,()]+,)\s*'(\w+)'/g)].map(([, code]) => code)
  const helpers = ['not_found', 'validation_failed', 'invalid_state']
  const said = document.components.schemas?.ProblemCode?.enum as string[]
  expect([...said].sort()).toEqual([...new Set([...thrown, ...helpers])].sort() as string[])
  for (const code of said)
    expect(document.info.description).toContain(`| \`${code}\` | ${ERRORS[code as keyof typeof ERRORS].status} |`)
})

test('each failed answer lists codes of its status, with an example of each', () => {
  for (const [name, response] of Object.entries(document.components.responses ?? {})) {
    const codes = response['x-codes'] as string[]
    const status = codes.map((code) => ERRORS[code as keyof typeof ERRORS].status)[0] ?? 0
    expect(name).toMatch(/^[A-Z]\w+Problem$/)
    expect(codes.filter((code) => !ERROR_CODES.some((known) => known === code))).toEqual([])
    for (const code of codes) expect<number>(ERRORS[code as keyof typeof ERRORS].status).toBe(status)
    const media = (response.content as Record<string, { examples: Record<string, { value: Json }> }>)[
      'application/problem+json'
    ]
    expect(Object.entries(media?.examples ?? {}).map(([key, { value }]) => [key, value.code])).toEqual(
      codes.map((c) => [c, c]),
    )
  }
})

test("a route's own problems are documented", () => {
  const routesWith = app.routes as unknown as { hooks: { detail?: { 'x-problems'?: string[] } } }[]
  for (const [i, route] of routesWith.entries())
    for (const code of route.hooks.detail?.['x-problems'] ?? []) {
      const line = lineOf(app.routes[i] as unknown as Route)
      const operation = operations.find(([name]) => name === line)?.[1]
      const named = operation?.responses[ERRORS[code as keyof typeof ERRORS].status]
      expect(`${line} ${codesOf(named).includes(code)}`).toBe(`${line} true`)
    }
})

test.each([
  [{ max: 200 }, 'a line'],
  [{ max: 200, lines: true }, 'lines'],
  [{ min: 0, max: 200 }, 'perhaps nothing'],
  [{ max: 200, name: true }, 'a name'],
])('the pattern of %o refuses what the service refuses', (options) => {
  const schema = Text(options)
  const { pattern } = createSchemas().convert(schema) as { pattern: string }
  const regex = new RegExp(pattern, 'u')
  const bounds = schema as unknown as Parameters<typeof textProblem>[0]
  const differ: string[] = []
  for (let point = 0; point < 0x3000; point++)
    for (const value of ['', 'a', '6 77'].map((begin) => `${begin}${String.fromCodePoint(point)}${begin && '00'}`))
      if (regex.test(value) !== (textProblem(bounds, value) === undefined))
        differ.push(`U+${point.toString(16)} in ${value.length}`)
  expect(differ).toEqual([])
  expect(regex.test('')).toBe(bounds.minLength === 0)
})

test('the three servers, with PUBLIC_URL first', async () => {
  const made = (await openApiDocument(loadConfig({ PUBLIC_URL: 'https://rent.example.cm/' }))) as unknown as Document
  expect(made.servers.map((server) => server.url)).toEqual(['https://rent.example.cm', '{sandbox_url}', '{local_url}'])
  expect(made.servers[2]?.variables?.local_url?.default).toBe('http://localhost:3000')
  const text = JSON.stringify(made)
  expect(text).toContain('https://rent.example.cm/realms/svc/protocol/openid-connect/auth')
  // Outside a sandbox there are no tokens for the asking, and no password grant.
  expect(Object.keys(made.paths).filter((path) => path.includes('sandbox'))).toEqual([])
  expect(made.components.securitySchemes?.signIn?.flows).not.toHaveProperty('password')
  expect(document.components.securitySchemes?.signIn?.flows).toHaveProperty('password')
})

test('an external provider is named where there is one', async () => {
  const made = JSON.stringify(
    await openApiDocument(loadConfig({ AUTH_URL: 'https://id.example.cm', LOYER_MODE: 'sandbox' })),
  )
  expect(made).toContain('https://id.example.cm/realms/svc/protocol/openid-connect/token')
  expect(made).not.toContain('"password":{"tokenUrl"')
  expect(made).not.toContain('localhost:3000/realms')
})
