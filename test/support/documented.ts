// Every answer that a test sees stands in the OpenAPI document: its status, its media type, its headers, its body.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { loadConfig } from '../../src/config.ts'
import { openApiDocument } from '../../src/openapi.ts'

export type Json = { [key: string]: unknown }
export type Media = { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> }
export type Response = {
  $ref?: string
  description: string
  'x-codes'?: string[]
  headers: Json
  content?: Record<string, Media>
}
export type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Json }
export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Json[]
  'x-roles'?: string[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
}
export type Document = {
  openapi: string
  info: Json & { description: string }
  servers: { url: string; variables?: Record<string, { default: string }> }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, Json>>
}

const root = join(import.meta.dirname, '../..')
/** A name that changes with any source file. */
function stateOfSources(): string {
  const hash = createHash('sha256')
  for (const folder of ['src', 'db', 'package.json'])
    for (const name of folder.includes('.') ? [''] : readdirSync(join(root, folder), { recursive: true }).sort()) {
      const { mtimeMs, size } = statSync(join(root, folder, String(name)))
      hash.update(`${folder}/${name} ${mtimeMs} ${size}\n`)
    }
  return hash.digest('hex').slice(0, 32)
}
/** Stored for the other test files: to build it takes half a second in each. */
async function stored(): Promise<Document> {
  const file = join(tmpdir(), `loyer-openapi-${stateOfSources()}.json`)
  if (!existsSync(file)) {
    const made = await openApiDocument(loadConfig({ LOYER_MODE: 'sandbox', PORT: '3999' }))
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(made))
    renameSync(`${file}.${process.pid}`, file)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}
/** The whole document of a sandbox, as `loyer openapi` prints it. */
export const document = await stored()

/** The target of a local reference; any other value is returned as it is. @throws Error if the target does not exist */
export function resolved<T extends { $ref?: string }>(value: T, within: Document = document): T {
  if (value.$ref === undefined) return value
  let at: unknown = within
  for (const word of value.$ref.replace(/^#\//, '').split('/'))
    at = (at as Json | undefined)?.[word.replaceAll('~1', '/').replaceAll('~0', '~')]
  if (at === undefined) throw new Error(`${value.$ref} points nowhere`)
  return at as T
}

/** The example of a schema by its name. @throws Error where there is none */
export const exampleOf = (name: string): Json => {
  const [example] = (document.components.schemas?.[name]?.examples ?? []) as Json[]
  if (!example) throw new Error(`${name} has no example`)
  return example
}

type Named = [line: string, operation: Operation]
/** Every operation by its line. */
export const operations: Named[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]): Named => [`${verb.toUpperCase()} ${path}`, operation]),
)
/** Every object of the document with the keys that lead to it. */
export function* nodes(value: unknown, at = ''): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value as Json]
  for (const [key, inner] of Object.entries(value)) yield* nodes(inner, `${at}/${key}`)
}

const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats(ajv)
ajv.addSchema(document, 'document')
const compiled = new Map<Json, ReturnType<typeof ajv.compile>>()
/** What is wrong with a value by a schema of the document; empty when nothing is. */
export function errorsOf(schema: Json, value: unknown): string[] {
  let check = compiled.get(schema)
  if (!check) {
    check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as Json)
    compiled.set(schema, check)
  }
  return check(value) ? [] : (check.errors ?? []).map((e) => `${e.instancePath || '/'} ${e.message}`)
}

const patterns = Object.keys(document.paths)
  .map((path) => [path, new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)] as const)
  // A path of fixed words goes before one with a parameter in the same place.
  .sort(([a], [b]) => a.split('{').length - b.split('{').length)

export function operationOf(method: string, path: string): Operation | undefined {
  // A letter in percent is that letter; %25 and %2F stay what they are.
  const plain = new URL(path, 'http://localhost').pathname.replace(/%(?!25|2f)[2-7][\da-f]/gi, decodeURIComponent)
  const [name] = patterns.find(([, pattern]) => pattern.test(plain)) ?? []
  return name === undefined ? undefined : document.paths[name]?.[method.toLowerCase()]
}

/** Statuses that belong to no operation: no such path or method, another host, and the preflight. */
const ANYWHERE = [204, 401, 404, 405, 421, 429]
const TOLD = ['etag', 'link', 'location', 'x-total-count', 'idempotency-replayed', 'retry-after', 'www-authenticate']
const OPTIONAL = ['link', 'x-total-count', 'idempotency-replayed']
/** Not in the document: pages, their assets, and the OpenID provider. */
const HIDDEN = /^\/(realms\/svc\/|verify\/.*\.|docs(\/|$)|openapi\.json$|metrics$)/

/** What signed links in an answer carry and the operation that they lead to does not describe. */
function undescribed(text: string): string[] {
  return [...text.matchAll(/\/media-(files|uploads)\/[\da-f-]{36}\?[^"\s]+/g)].flatMap(([link, kind]) => {
    const { parameters = [] } = document.paths[`/media-${kind}/{id}`]?.[kind === 'files' ? 'get' : 'put'] ?? {}
    const described = parameters.map((parameter) => resolved(parameter).name)
    const carried = [...new URL(link, 'http://localhost').searchParams.keys()]
    return carried.filter((name) => !described.includes(name)).map((name) => `the link's ${name} is not documented`)
  })
}

type Seen = { readonly status: number; readonly headers: Headers; readonly text: string }
/** The differences between an answer and the OpenAPI document. */
export function undocumented(method: string, path: string, answer: Seen): string[] {
  if (HIDDEN.test(path)) return []
  const operation = operationOf(method, path)
  const { status, headers, text } = answer
  if (!operation || status === 405 || status === 421)
    return ANYWHERE.includes(status) ? [] : [`${status} of an operation that is not documented`]
  const named = operation.responses[status]
  if (!named) return [`${status} is not documented`]
  const response = resolved(named)
  const documented = Object.keys(response.headers).map((name) => name.toLowerCase())
  const found = TOLD.filter((name) => headers.has(name) && !documented.includes(name)).map(
    (name) => `header ${name} is not documented`,
  )
  // Many made at once have no version of their own; lists are known by their method.
  for (const name of documented)
    if (
      !OPTIONAL.includes(name) &&
      // Of several codes of 403 one asks for a new sign-in.
      !(name === 'www-authenticate' && status === 403) &&
      !headers.has(name) &&
      !(name === 'etag' && method === 'POST' && text.startsWith('['))
    )
      found.push(`header ${name} is documented and missing`)
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const media = response.content?.[type]
  if (!response.content) return text === '' ? found : [...found, 'a body where none is documented']
  if (!media) return [...found, `media type ${type} is not documented`]
  if (!type.endsWith('json')) return found
  const body = JSON.parse(text) as Json
  const codes = response['x-codes']
  if (codes && !(codes.includes(String(body.code)) && body.status === status))
    found.push(`code ${body.code} of ${status} is not documented`)
  return [...found, ...undescribed(text), ...errorsOf(media.schema, body)]
}

/** @throws Error with all differences between this answer and the OpenAPI document */
export function expectDocumented(method: string, path: string, answer: Seen): void {
  const found = undocumented(method, path, answer)
  if (found.length > 0)
    throw new Error(`${method} ${path} → ${answer.status}: ${found.join('; ')}\n${answer.text.slice(0, 500)}`)
}
