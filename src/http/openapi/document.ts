import { swagger } from '@elysiajs/swagger'
import { type TSchema, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Config } from '../../config.ts'
import { PROBLEM } from '../problems.ts'
import { Uuid } from '../schema.ts'
import { sample, sampleAnswer, sampleBody } from './examples.ts'
import { HEADERS, headersOf, REQUEST_HEADERS, requestHeadersOf } from './headers.ts'
import { audience, describe, documentInfo, securitySchemes } from './info.ts'
import { linksTo } from './links.ts'
import { codesOf, type Manners, mannersOf, type Operation } from './operation.ts'
import { createProblems } from './problems.ts'
import { createSchemas, type Json, pascal, type Schemas, singular } from './schemas.ts'

type Base = Json & { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }
type Hooks = { readonly detail?: object; readonly params?: TSchema; readonly query?: TSchema; readonly body?: TSchema }
const ById = Type.Object({ id: Uuid })
type Declared = { readonly method: string; readonly path: string; readonly hooks: Hooks }

/**
 * The OpenAPI document of these routes: that of @elysiajs/swagger, corrected. The plugin is mounted on a copy of the
 * routes without handlers, because its page would load scripts from elsewhere and it would slow down each start. Build
 * the document once, not for each request. `webhooks` refers to schemas that the routes have.
 */
export async function documentOf(routes: readonly Declared[], config: Config, webhooks: Json): Promise<Json> {
  let document: Promise<Json> | undefined
  const documented = new Elysia()
    .onAfterHandle(({ response }) => {
      document = corrected(response as Base, config).then((all) => ({ ...all, webhooks }))
    })
    .use(swagger({ excludeStaticFile: false, documentation: documentInfo(config) }))
  for (const { method, path, hooks } of routes) {
    // Of a route, what the document describes; auth.ts checks the id of a path for every route.
    const { detail, params = path.includes('/:id') ? ById : undefined, query, body } = hooks
    documented.route(method, path, () => {}, { detail, params, query, body } as object)
  }
  await documented.handle(new Request('http://localhost/swagger/json'))
  if (!document) throw new Error('@elysiajs/swagger answered no document')
  return document
}
/** What the id in a path identifies. */
function idOf(path: string): string {
  const [noun = ''] = /[\w-]+(?=\/\{)/.exec(path) ?? []
  return `The id of the ${singular(noun.replaceAll('-', ' '))}.`
}

function parametersOf(op: Operation, manners: Manners, { convert }: Schemas): Json[] {
  const own = (op.parameters ?? []).map(({ schema, examples, ...parameter }) => {
    const { name } = parameter
    const { description, ...converted } = convert(schema, pascal(`${op.operationId} ${name}`))
    return {
      ...parameter,
      required: parameter.in === 'path' || parameter.required,
      description: description ?? parameter.description ?? (name === 'id' ? idOf(manners.path) : undefined),
      schema: { ...converted, ...(Array.isArray(examples) ? { examples } : {}) },
    }
  })
  const headers = requestHeadersOf(
    manners.replayed && 'Idempotency-Key',
    manners.honoursIfMatch && 'If-Match',
    manners.method === 'GET' && manners.versioned && 'If-None-Match',
  )
  return [...own, ...headers, ...(op['x-parameters'] ?? [])]
}

/** The name of a body type whose model has no `$id`: PropertyCreate, PropertyPatch, CloseAccountRequest. */
const bodyName = (operationId: string): string => {
  const [, verb, noun] = /^(create|update)(\w+)$/.exec(operationId) ?? []
  return noun ? `${singular(noun)}${verb === 'create' ? 'Create' : 'Patch'}` : `${pascal(operationId)}Request`
}

/** JSON only, whatever the plugin lists; none for an empty body, which may be {} or missing. */
function bodyOf(op: Operation, { convert }: Schemas): Json | undefined {
  const source = op.requestBody?.content['application/json']?.schema
  if (!source) return op.requestBody
  const { $ref } = convert(source, bodyName(op.operationId))
  if ($ref === undefined) return undefined
  const examples: readonly unknown[] = Array.isArray(source.examples) ? source.examples : [sampleBody(source)]
  const named = Object.fromEntries(examples.map((value, i) => [`example${i + 1}`, { value }]))
  return {
    required: source['x-one-of'] !== undefined || (Array.isArray(source.required) && source.required.length > 0),
    content: { 'application/json': { schema: { $ref }, examples: named } },
  }
}

const REASONS: Readonly<Record<string, string>> = { 201: 'Created.', 202: 'Accepted.', 204: 'Done; no body.' }
const isEmpty = ({ type }: TSchema): boolean => ['null', 'void', 'undefined'].includes(type)

function answersOf(op: Operation, { method, list, replayed, versioned }: Manners, { convert }: Schemas): Json {
  const out: Json = {}
  const headers = headersOf(
    'X-Request-Id',
    versioned && 'ETag',
    list && 'Link',
    list && 'X-Total-Count',
    replayed && 'Idempotency-Replayed',
  )
  const done = list ? 'One page.' : method === 'GET' ? 'As it stands.' : 'Done.'
  for (const [status, schema] of Object.entries(op['x-answers'] ?? {})) {
    const json = isEmpty(schema)
      ? undefined
      : { schema: convert(schema, `${pascal(op.operationId)}Answer`), example: sampleAnswer(schema, op['x-shows']) }
    out[status] = {
      description: schema.description ?? REASONS[status] ?? done,
      headers: { ...headers, ...headersOf(status === '201' && op['x-creates'] !== undefined && 'Location') },
      ...(json && { content: { 'application/json': json, ...(status === '200' ? op['x-files'] : {}) } }),
    }
  }
  if (method === 'GET' && versioned)
    out[304] = { description: 'Unchanged since If-None-Match.', headers: headersOf('X-Request-Id', 'ETag') }
  for (const [status, response] of Object.entries(op.responses ?? {}))
    if (typeof response.description === 'string')
      out[status] = { ...response, headers: { ...headers, ...(response.headers as Json | undefined) } }
  return out
}

/** The schemas that operations and problems refer to, each with an example. */
function componentsOf({ convert, components, sources }: Schemas): Json {
  convert(PROBLEM)
  return Object.fromEntries(
    [...sources].map(([name, source]) => {
      const schema = components.get(name)
      const example = schema?.additionalProperties === false ? sampleBody(source) : sample(source)
      return [name, { examples: [example], ...schema }]
    }),
  )
}

/** The plugin's document as OpenAPI 3.1, corrected by what routes declare and what the edge does to every request. */
async function corrected(base: Base, config: Config): Promise<Json> {
  const schemas = createSchemas()
  const problems = createProblems()
  const tags = new Map<string, Json>()
  const paths: Record<string, Record<string, Json>> = {}
  for (const [path, operations] of Object.entries(base.paths))
    for (const [verb, op] of Object.entries(operations)) {
      const manners = mannersOf(verb.toUpperCase(), path, op)
      for (const name of op.tags ?? [])
        if (name === op['x-section']?.name) tags.set(name, op['x-section'])
        else if (!tags.has(name)) tags.set(name, { name })
      // Shared schemas are named after their first use: those of answers go first.
      const answers = answersOf(op, manners, schemas)
      const requestBody = bodyOf(op, schemas)
      paths[path] ??= {}
      paths[path][verb] = {
        operationId: op.operationId,
        summary: op.summary ?? op.operationId,
        description: [op.description, audience(op)].filter(Boolean).join('\n\n'),
        tags: op.tags ?? [],
        security: manners.secured ? [{ bearer: [] }, { signIn: [] }] : [],
        ...(manners.secured && { 'x-roles': op['x-roles'] }),
        ...(op['x-step-up'] && { 'x-step-up': op['x-step-up'] }),
        ...(op['x-fresh'] && { 'x-fresh': op['x-fresh'] }),
        parameters: parametersOf(op, manners, schemas),
        ...(requestBody && { requestBody }),
        responses: { ...answers, ...(await problems.of(codesOf(op, manners), path)) },
      }
    }
  for (const [path, operations] of Object.entries(base.paths))
    for (const [verb, { 'x-creates': places }] of Object.entries(operations)) {
      const created = (paths[path]?.[verb]?.responses as Record<string, Json> | undefined)?.[201]
      if (created && places?.[0] !== undefined) created.links = linksTo(places[0], paths)
    }
  return {
    openapi: '3.1.0',
    info: { ...(base.info as Json), description: describe(config) },
    servers: base.servers,
    tags: [...tags.values()],
    paths,
    components: {
      schemas: componentsOf(schemas),
      responses: problems.shared,
      parameters: REQUEST_HEADERS,
      headers: HEADERS,
      securitySchemes: securitySchemes(config),
    },
  }
}
