import type { TSchema } from '@sinclair/typebox'
import { ERROR_CODES, type ErrorCode } from '../../error-codes.ts'
import type { RouteAccess } from '../auth.ts'
import type { Json } from './schemas.ts'

/** An operation as the plugin generates it, with the route's `detail` unchanged. */
export type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly (Json & { name: string; in: string; required: boolean; schema: TSchema })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema?: TSchema }>> }
  /** Answers that are not JSON (files, pages), as OpenAPI response objects. */
  readonly responses?: Readonly<Record<string, Json>>
  readonly 'x-section'?: { readonly name: string; readonly description: string }
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
  readonly 'x-fresh'?: readonly string[]
  readonly 'x-whole'?: boolean
  /** Whether it has an ETag, where the model does not tell: something computed may; a row without versions has none, and no If-Match. */
  readonly 'x-versioned'?: boolean
  /** Other media types of a 200 whose JSON is in `answers`. */
  readonly 'x-files'?: Readonly<Record<string, Json>>
}

/** Whether a named schema describes something with an ETag: a row with an id or a version, or an overview with a `today`. */
const isRow = ({ $id, properties = {} }: TSchema): boolean =>
  $id !== undefined && ['id', 'version', 'today'].some((member) => member in (properties as Json))

/** What an operation takes and does beyond what it declares, by the manners of all routes. */
export function mannersOf(method: string, path: string, op: Operation) {
  const secured = Array.isArray(op['x-roles'])
  const answers = op['x-answers'] ?? {}
  const answer = answers[200] ?? answers[201] ?? answers[202]
  const list = secured && method === 'GET' && (op.parameters ?? []).some(({ name }) => name === 'cursor')
  const rows = answer === undefined ? [] : [answer, ...((answer.anyOf ?? []) as TSchema[])]
  const resource = secured && (op['x-versioned'] ?? rows.some(isRow))
  const replayed = secured && method === 'POST' && op['x-idempotent'] !== false
  // An operation belongs to the one resource that its path names; an answer with an ETag allows If-Match too.
  const changes = ['PATCH', 'PUT'].includes(method) || (replayed && /\{\w+\}\/[\w-]+$/.test(path))
  const honoursIfMatch =
    secured &&
    op['x-versioned'] !== false &&
    ((changes && ['object', undefined].includes(answer?.type)) ||
      (method === 'DELETE' && (path.endsWith('/{id}') || answer?.type === 'object')) ||
      (method === 'GET' && (list || resource)))
  return { method, path, secured, list, replayed, honoursIfMatch, versioned: list || resource }
}
export type Manners = ReturnType<typeof mannersOf>

/** Every code that an operation can answer, in the order of the error list. */
export function codesOf(op: Operation, { method, path, secured, honoursIfMatch, replayed }: Manners): ErrorCode[] {
  const checked = op['x-roles'] !== undefined
  const when: readonly [boolean, readonly ErrorCode[]][] = [
    [true, [...(op['x-problems'] ?? []), 'internal']],
    [secured, ['unauthorized', 'forbidden', 'organization_required', 'identity_unavailable']],
    [op['x-step-up'] !== undefined, ['step_up_required']],
    [op['x-fresh'] !== undefined, ['reauthentication_required']],
    [checked && /\{\w*id\}/i.test(path), ['not_found']],
    [op.requestBody !== undefined, ['malformed_json', 'body_too_large', 'unsupported_media_type']],
    [checked, ['validation_failed']],
    [honoursIfMatch, ['precondition_failed']],
    [replayed, ['idempotency_mismatch']],
    [/^\/(api|webhooks)\//.test(path), ['too_many_requests', 'storage_unavailable']],
    // Reads too: when a token is first seen, its caller's rows are written.
    [secured || method !== 'GET', ['overloaded', 'storage_unavailable']],
  ]
  const codes = new Set(when.flatMap(([holds, list]) => (holds ? list : [])))
  return ERROR_CODES.filter((code) => codes.has(code))
}
