import { swagger } from '@elysiajs/swagger'
import { type TSchema, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Config } from '../../config.ts'
import { ERROR_CODES, type ErrorCode } from '../../error-codes.ts'
import type { RouteAccess } from '../auth.ts'
import { PROBLEM, PROBLEM_MEMBER } from '../problems.ts'
import { Uuid } from '../schema.ts'
import { sample, sampleAnswer, sampleBody } from './examples.ts'
import { audience, describe, documentInfo, HEADERS, REQUEST_HEADERS, securitySchemes, tagsOf } from './info.ts'
import { linksTo } from './links.ts'
import { byStatus, codesOf, EDGE_CODES, problemName, problemResponse, type RouteFacts } from './problems.ts'
import { createSchemas, isObject, type Json, pascal, type Schemas, singular } from './schemas.ts'

/** An operation as the plugin generates it, with the route's `detail` unchanged. */
type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    name: string
    in: string
    required: boolean
    description?: string
    schema: TSchema
    examples?: unknown
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema?: TSchema }>> }
  /** Answers that are not JSON (files, pages), as OpenAPI response objects. */
  readonly responses?: Readonly<Record<string, Json>>
  readonly 'x-roles'?: RouteAccess
  readonly 'x-problems'?: readonly ErrorCode[]
  readonly 'x-answers'?: Readonly<Record<string, TSchema>>
  readonly 'x-idempotent'?: boolean
  /** Members in which the example of the answer differs from that of its model. */
  readonly 'x-shows'?: Json
  /** Parameters that are in no schema of the route, as OpenAPI parameter objects. */
  readonly 'x-parameters'?: readonly Json[]
  /** The address of what a 201 created. */
  readonly 'x-creates'?: readonly string[]
  readonly 'x-step-up'?: true | readonly string[]
  readonly 'x-whole'?: boolean
  /** It is computed, and yet has an ETag. */
  readonly 'x-versioned'?: boolean
  /** Other media types of a 200 whose JSON is in `answers`. */
  readonly 'x-files'?: Readonly<Record<string, Json>>
}
type Base = Json & { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

type Declared = { readonly method: string; readonly path: string; readonly hooks: object }

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
  for (const { method, path, hooks } of routes) documented.route(method, path, () => {}, described(path, hooks))
  await documented.handle(new Request('http://localhost/swagger/json'))
  if (!document) throw new Error('@elysiajs/swagger answered no document')
  return document
}
/** The id of a path, which auth.ts checks for every route. */
const ById = Type.Object({ id: Uuid })
/** The parts of a route that the document describes, without its handlers. */
const described = (path: string, hooks: { detail?: object; params?: TSchema; query?: TSchema; body?: TSchema }) => ({
  ...(hooks.detail && { detail: hooks.detail }),
  ...(hooks.params ? { params: hooks.params } : path.includes('/:id') && { params: ById }),
  ...(hooks.query && { query: hooks.query }),
  ...(hooks.body && { body: hooks.body }),
})

const header = (name: keyof typeof HEADERS): Json => ({ [name]: { $ref: `#/components/headers/${name}` } })
const REASONS: Readonly<Record<string, string>> = { 201: 'Created.', 202: 'Accepted.', 204: 'Done; no body.' }
const isEmpty = (schema: TSchema): boolean =>
  schema.type !== undefined && ['null', 'void', 'undefined'].includes(schema.type)

/** Whether a named schema describes something with an ETag: a row with an id or a version, or an overview with a `today`. */
const isRow = ({ $id, properties = {} }: TSchema): boolean =>
  $id !== undefined && ['id', 'version', 'today'].some((member) => member in (properties as Json))

type Route = RouteFacts & { readonly list: boolean; readonly resource: boolean }
function routeOf(method: string, path: string, op: Operation): Route {
  const roles = op['x-roles']
  const ok = op['x-answers']?.[200]
  const answer = ok ?? op['x-answers']?.[201] ?? op['x-answers']?.[202]
  const secured = Array.isArray(roles)
  const list = secured && method === 'GET' && (op.parameters ?? []).some((p) => p.name === 'cursor')
  const rows = answer === undefined ? [] : [answer, ...((answer.anyOf ?? []) as TSchema[])]
  const resource = secured && (op['x-versioned'] === true || rows.some(isRow))
  const operation =
    ['PATCH', 'PUT'].includes(method) ||
    (method === 'POST' && op['x-idempotent'] !== false && /\{\w+\}\/[\w-]+$/.test(path))
  return {
    method,
    path,
    secured,
    checked: roles !== undefined,
    replayed: secured && method === 'POST' && op['x-idempotent'] !== false,
    takesBody: op.requestBody !== undefined,
    // An operation belongs to the one resource that its path names; an answer with an ETag allows If-Match too.
    honoursIfMatch:
      secured &&
      ((operation && ['object', undefined].includes(answer?.type)) ||
        (method === 'DELETE' && (path.endsWith('/{id}') || answer?.type === 'object')) ||
        (method === 'GET' && (list || resource))),
    own: op['x-problems'] ?? [],
    stepUp: op['x-step-up'] !== undefined,
    list,
    resource,
  }
}

/** What the id in a path identifies. */
function idOf(path: string): string {
  const [noun = ''] = /[\w-]+(?=\/\{)/.exec(path) ?? []
  return `The id of the ${singular(noun.replaceAll('-', ' '))}.`
}

function parametersOf(op: Operation, route: Route, { convert }: Schemas): Json[] {
  const own = (op.parameters ?? []).map(({ schema, examples, ...parameter }) => {
    const { name } = parameter
    const { description, ...converted } = convert(schema, pascal(`${op.operationId} ${name}`))
    const words = name === 'id' ? idOf(route.path) : undefined
    return {
      ...parameter,
      required: parameter.in === 'path' || parameter.required,
      description: description ?? parameter.description ?? words,
      schema: { ...converted, ...(Array.isArray(examples) ? { examples } : {}) },
    }
  })
  const names: (keyof typeof REQUEST_HEADERS)[] = []
  if (route.replayed) names.push('Idempotency-Key')
  if (route.honoursIfMatch) names.push('If-Match')
  if (route.method === 'GET' && (route.list || route.resource)) names.push('If-None-Match')
  return [...own, ...names.map((name) => ({ $ref: `#/components/parameters/${name}` })), ...(op['x-parameters'] ?? [])]
}

/** The name of a body type whose model has no `$id`: PropertyCreate, PropertyPatch, CloseAccountRequest. */
const bodyName = (operationId: string): string => {
  const [, verb, noun] = /^(create|update)(\w+)$/.exec(operationId) ?? []
  return noun ? `${singular(noun)}${verb === 'create' ? 'Create' : 'Patch'}` : `${pascal(operationId)}Request`
}

/** JSON only, whatever the plugin lists; none for an empty body, which may be {} or missing. */
function bodyOf(op: Operation, { convert }: Schemas): Json | undefined {
  const media = op.requestBody?.content['application/json']
  if (!media?.schema) return op.requestBody
  const source = media.schema
  const schema = convert(source, bodyName(op.operationId))
  if (schema.$ref === undefined) return undefined
  const examples: readonly unknown[] = Array.isArray(source.examples) ? source.examples : [sampleBody(source)]
  const named = examples.map((value, i) => [`example${i + 1}`, { value }])
  return {
    required: source['x-one-of'] !== undefined || (Array.isArray(source.required) && source.required.length > 0),
    content: { 'application/json': { schema: { $ref: schema.$ref }, examples: Object.fromEntries(named) } },
  }
}

function answersOf(op: Operation, route: Route, { convert }: Schemas): Json {
  const out: Json = {}
  const versioned = route.list || route.resource
  const headers = {
    ...header('X-Request-Id'),
    ...(versioned ? header('ETag') : {}),
    ...(route.list ? { ...header('Link'), ...header('X-Total-Count') } : {}),
    ...(route.replayed ? header('Idempotency-Replayed') : {}),
  }
  const answers = Object.entries(op['x-answers'] ?? {})
  for (const [status, schema] of answers)
    out[status] = {
      description:
        schema.description ??
        REASONS[status] ??
        (route.list ? 'One page.' : route.method === 'GET' ? 'As it stands.' : 'Done.'),
      headers: { ...headers, ...(status === '201' && op['x-creates'] ? header('Location') : {}) },
      ...(isEmpty(schema)
        ? {}
        : {
            content: {
              'application/json': {
                schema: convert(schema, `${pascal(op.operationId)}Answer`),
                example: sampleAnswer(schema, op['x-shows']),
              },
              ...(status === '200' ? op['x-files'] : {}),
            },
          }),
    }
  if (route.method === 'GET' && versioned)
    out[304] = {
      description: 'Unchanged since If-None-Match.',
      headers: { ...header('X-Request-Id'), ...header('ETag') },
    }
  for (const [status, response] of Object.entries(op.responses ?? {}))
    if (isObject(response) && typeof response.description === 'string')
      out[status] = { ...response, headers: { ...headers, ...(response.headers as Json | undefined) } }
  // A route that declares no answers still answers JSON.
  if (Object.keys(out).length === 0)
    out[200] = {
      description: 'As it stands.',
      headers,
      content: { 'application/json': { schema: { type: 'object' }, example: {} } },
    }
  return out
}

/**
 * Turns the plugin's document into OpenAPI 3.1, and corrects it by what the routes declare (`access`, `problems`,
 * `answers`) and what the edge does to every request.
 */
async function corrected(base: Base, config: Config): Promise<Json> {
  const schemas = createSchemas()
  const shared = new Map<string, Json>()
  const used = new Set<ErrorCode>(EDGE_CODES)
  const tags = new Set<string>()
  const paths: Record<string, Json> = {}
  for (const [path, operations] of Object.entries(base.paths))
    for (const [verb, op] of Object.entries(operations)) {
      const method = verb.toUpperCase()
      const route = routeOf(method, path, op)
      const responses = answersOf(op, route, schemas)
      for (const [status, codes] of byStatus(codesOf(route))) {
        const name = problemName(codes)
        if (!shared.has(name)) shared.set(name, await problemResponse(status, codes, path))
        responses[status] = { $ref: `#/components/responses/${name}` }
        for (const code of codes) used.add(code)
      }
      for (const tag of op.tags ?? []) tags.add(tag)
      const { 'x-roles': roles } = op
      const body = bodyOf(op, schemas)
      paths[path] = {
        ...paths[path],
        [verb]: {
          operationId: op.operationId,
          summary: op.summary ?? op.operationId,
          description: [op.description, audience(op)].filter(Boolean).join('\n\n'),
          tags: op.tags ?? [],
          security: route.secured ? [{ bearer: [] }, { signIn: [] }] : [],
          ...(Array.isArray(roles) ? { 'x-roles': roles } : {}),
          ...(route.stepUp ? { 'x-step-up': op['x-step-up'] } : {}),
          parameters: parametersOf(op, route, schemas),
          ...(body ? { requestBody: body } : {}),
          responses,
        },
      }
    }
  for (const [path, operations] of Object.entries(base.paths))
    for (const [verb, op] of Object.entries(operations)) {
      const [place] = op['x-creates'] ?? []
      const operation = paths[path]?.[verb]
      const created = isObject(operation) && isObject(operation.responses) ? operation.responses[201] : undefined
      if (place !== undefined && isObject(created)) created.links = linksTo(place, paths)
    }
  const named: Json = {}
  for (const [name, schema] of schemas.components) {
    const source = schemas.sources.get(name)
    if (source === undefined) continue
    const example = schema.additionalProperties === false ? sampleBody(source) : sample(source)
    named[name] = { examples: [example], ...schema }
  }
  const codes = ERROR_CODES.filter((code) => used.has(code))
  const { code, ...members } = PROBLEM.properties
  named.Problem = {
    ...PROBLEM,
    properties: { ...members, code: { $ref: '#/components/schemas/ProblemCode', ...code } },
  }
  named.ProblemCode = {
    type: 'string',
    description: 'The stable code of an error.',
    enum: codes,
    examples: ['invalid_state'],
  }
  named.ProblemMember = PROBLEM_MEMBER
  return {
    openapi: '3.1.0',
    info: { ...(base.info as Json), description: describe(config, codes) },
    servers: base.servers,
    tags: tagsOf(tags),
    paths,
    components: {
      schemas: named,
      responses: Object.fromEntries(shared),
      parameters: REQUEST_HEADERS,
      headers: HEADERS,
      securitySchemes: securitySchemes(config),
    },
  }
}
