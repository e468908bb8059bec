import { ERROR_CODES, ERRORS, type ErrorCode } from '../../error-codes.ts'
import { AppError, invalid, refused } from '../../errors.ts'
import { type ProblemStatus, problem, STATUSES } from '../problems.ts'
import { type Json, pascal } from './schemas.ts'

/** What decides how a route can fail. */
export type RouteFacts = {
  readonly method: string
  readonly path: string
  readonly secured: boolean
  /** The `access` checks of auth.ts apply to it. */
  readonly checked: boolean
  readonly takesBody: boolean
  readonly honoursIfMatch: boolean
  /** It accepts an Idempotency-Key. */
  readonly replayed: boolean
  /** It requires a recent second factor. */
  readonly stepUp: boolean
  /** Codes that its own rules can raise. */
  readonly own: readonly ErrorCode[]
}

/** Codes that any address can answer, even without an operation. */
export const EDGE_CODES: readonly ErrorCode[] = [
  'method_not_allowed',
  'misdirected_request',
  'not_set_up',
  'organization_frozen',
  'organization_moved',
]

/** Every code that a route can answer, in the order of the error list. */
export function codesOf(route: RouteFacts): ErrorCode[] {
  const { method, path, secured, checked, takesBody, honoursIfMatch, replayed, stepUp } = route
  const api = path.startsWith('/api/')
  const when: readonly [boolean, readonly ErrorCode[]][] = [
    [true, [...route.own, 'internal']],
    [secured, ['unauthorized', 'forbidden', 'organization_required', 'identity_unavailable']],
    [stepUp, ['step_up_required']],
    [checked && /\{\w*id\}/i.test(path), ['not_found']],
    [takesBody, ['malformed_json', 'body_too_large', 'unsupported_media_type']],
    [checked, ['validation_failed']],
    [honoursIfMatch, ['precondition_failed']],
    [replayed, ['idempotency_mismatch']],
    [api || path.startsWith('/webhooks/'), ['too_many_requests', 'storage_unavailable']],
    // Reads too: when a token is first seen, its caller's rows are written.
    [secured || method !== 'GET', ['overloaded', 'storage_unavailable']],
  ]
  const codes = new Set(when.flatMap(([holds, list]) => (holds ? list : [])))
  return ERROR_CODES.filter((code) => codes.has(code))
}

const REQUEST_ID = '01985f3a-7c00-7000-8000-000000000063'
const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` })

/** An example problem, made by the same function as real answers. */
async function exampleOf(code: ErrorCode, path: string): Promise<unknown> {
  const instance = path.replace(/\{\w+\}/g, '01985f3a-7c00-7000-8000-000000000010')
  const errors = {
    validation_failed: () => invalid('/city', 'This member is required.', 'Ce champ est obligatoire.'),
    invalid_state: () => refused('ARCHIVED', ['restore']),
  }
  const error = code in errors ? errors[code as keyof typeof errors]() : new AppError(code)
  return problem(error, new Request(`http://localhost${instance}`), REQUEST_ID).json()
}

/** The response for one status: its possible codes, an example of each, and its headers. */
export async function problemResponse(status: ProblemStatus, codes: readonly ErrorCode[], path: string): Promise<Json> {
  const examples: Json = {}
  for (const code of codes) examples[code] = { value: await exampleOf(code, path) }
  return {
    description: [STATUSES[status].means, `Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`]
      .filter(Boolean)
      .join(' '),
    'x-codes': codes,
    headers: {
      'X-Request-Id': header('X-Request-Id'),
      'Content-Language': header('Content-Language'),
      ...(codes.includes('unauthorized') ? { 'WWW-Authenticate': header('WWW-Authenticate') } : {}),
      ...(status === 429 || status === 503 ? { 'Retry-After': header('Retry-After') } : {}),
    },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples,
      },
    },
  }
}

/** The name of a problem response: InvalidStateOrDuplicateProblem. */
export const problemName = (codes: readonly ErrorCode[]): string => `${codes.map(pascal).join('Or')}Problem`

/** Codes grouped by status. */
export function byStatus(codes: readonly ErrorCode[]): [ProblemStatus, ErrorCode[]][] {
  const groups = new Map<ProblemStatus, ErrorCode[]>()
  for (const code of codes) groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code])
  return [...groups].sort(([a], [b]) => a - b)
}
