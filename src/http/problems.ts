import { type Static, Type } from '@sinclair/typebox'
import { ValidationError } from 'elysia'
import { storageError } from '../../db/health.ts'
import { isStorageFailure } from '../../db/open.ts'
import type { Deps } from '../deps.ts'
import { ERROR_CODES, ERRORS, type ErrorCode } from '../error-codes.ts'
import { AppError } from '../errors.ts'
import { troublePage } from '../web/trouble.ts'
import { bearerToken } from './auth.ts'
import { languageChosen, languageOf } from './language.ts'
import { isForPeople } from './pages.ts'
import { callerOf, edgeOf, pathOf, targetOf } from './request.ts'
import type { RouteTable } from './route-table.ts'
import { oneOf } from './schema.ts'
import { STEP_UP_SECONDS } from './step-up.ts'
import { fieldErrors, ruleErrors } from './validation.ts'

/**
 * Converts anything thrown to an AppError. Only the text of AppErrors reaches the client; the rest goes to the log.
 */
function asAppError(error: unknown, kind: string | number, request: Request): AppError {
  if (error instanceof AppError) return error
  // Elysia wraps errors thrown in a parse hook.
  if (error instanceof Error && error.cause instanceof AppError) return error.cause
  if (error instanceof ValidationError && error.type !== 'response') {
    const schema = (error.validator as { schema?: Parameters<typeof fieldErrors>[0] } | undefined)?.schema
    const errors = schema ? fieldErrors(schema, error.value) : []
    const edge = edgeOf(request)
    const rules = error.type === 'body' ? edge.bodyRules : undefined
    if (rules) errors.push(...ruleErrors(errors, error.value, (sound) => rules(sound, callerOf(request))))
    return new AppError('validation_failed', undefined, {
      errors:
        errors.length > 0
          ? errors
          : [{ path: '', message: { en: 'Is not as it should be.', fr: 'N’est pas valable.' } }],
    })
  }
  if (kind === 'NOT_FOUND') return new AppError('not_found')
  if (kind === 'PARSE') return new AppError('malformed_json', undefined, {}, error)
  if (isStorageFailure(error)) return storageError(error)
  return new AppError('internal', undefined, {}, error)
}

/** Faults of a 5xx status that say nothing about the service's health. */
const EXPECTED: readonly ErrorCode[] = ['webhook_disabled', 'not_set_up', 'organization_frozen']

/** The app's only error handler. */
export const onError =
  ({ log, store }: Pick<Deps, 'log' | 'store'>, routes: RouteTable) =>
  ({
    error,
    code,
    request,
    set,
  }: {
    error: unknown
    code: string | number
    request: Request
    set: { headers: Record<string, string | number> }
  }): Response => {
    const { requestId, caller } = edgeOf(request)
    let known = asAppError(error, code, request)
    const headers: Record<string, string> = {}
    const path = pathOf(request.url)
    if (known.code === 'not_found') {
      // GET of an action (/payments/parse) matches a route with an id (/payments/:id), which must not count here.
      const allow = routes.methods(path, code === 'NOT_FOUND')
      if (allow.length > 0 && !allow.includes(request.method)) {
        known = new AppError('method_not_allowed')
        headers.allow = allow.join(', ')
      }
    }
    if (known.code === 'unauthorized')
      headers['www-authenticate'] =
        bearerToken(request).kind === 'none' ? 'Bearer realm="svc"' : 'Bearer realm="svc", error="invalid_token"'
    // RFC 9470: names the kind of sign-in that is required.
    if (known.code === 'reauthentication_required')
      headers['www-authenticate'] =
        'Bearer realm="svc", error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="300"'
    if (known.code === 'step_up_required')
      headers['www-authenticate'] =
        `Bearer realm="svc", error="insufficient_user_authentication", error_description="A recent second factor is required", acr_values="2", max_age=${STEP_UP_SECONDS}`
    // RFC 9110, 15.5.16: the encoding was refused, not the media type.
    if (known.code === 'unsupported_media_type' && request.headers.has('content-encoding'))
      headers['accept-encoding'] = 'identity'
    if (known.code === 'storage_unavailable') store.health.failed(known)
    if (ERRORS[known.code].status >= 500 && !EXPECTED.includes(known.code)) {
      const fields = { requestId, code: known.code, method: request.method, orgId: caller?.orgId }
      // An error that the service itself decided on has no stack worth logging.
      if (known.cause === undefined && known.code !== 'internal')
        log.warn('request.refused', { ...fields, detail: known.message })
      else log.error('request.failed', known.cause ?? known, fields)
    }
    for (const name of ['etag', 'link', 'x-total-count', 'idempotency-replayed']) delete set.headers[name]
    set.headers['cache-control'] = 'no-store'
    return problem(known, request, requestId, headers)
  }

/** The statuses of the codes: their names (RFC 9110), and what they mean to a client. */
export const STATUSES: Readonly<Record<ProblemStatus, { readonly title: string; readonly means?: string }>> = {
  308: { title: 'Permanent Redirect', means: 'The organization has moved: Location is the same address there.' },
  400: { title: 'Bad Request', means: 'The body is not a JSON object.' },
  401: {
    title: 'Unauthorized',
    means: 'The token is missing or invalid, or lacks the second factor that this needs.',
  },
  403: { title: 'Forbidden', means: 'The token is valid, but the role does not allow this.' },
  404: { title: 'Not Found', means: 'There is nothing here that the caller may see.' },
  405: { title: 'Method Not Allowed' },
  409: { title: 'Conflict', means: 'The current state does not allow it.' },
  410: { title: 'Gone' },
  412: { title: 'Precondition Failed', means: 'The version in If-Match is not the current one.' },
  413: { title: 'Content Too Large', means: 'The body is too large.' },
  415: { title: 'Unsupported Media Type', means: 'The body is not application/json.' },
  421: { title: 'Misdirected Request' },
  422: { title: 'Unprocessable Content', means: 'The body or the query is invalid, or breaks a rule.' },
  429: { title: 'Too Many Requests', means: 'Too many requests.' },
  500: { title: 'Internal Server Error', means: 'A fault of the service; nothing was changed.' },
  503: { title: 'Service Unavailable', means: 'Try again later; nothing was changed.' },
}

/** A path as the URI reference that RFC 9457 asks for: URL parsing leaves a stray % and brackets as they are. */
const reference = (path: string): string =>
  path.replace(/%(?![\dA-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/%-]/g, encodeURIComponent)

const PROBLEM_MEMBER = Type.Object(
  {
    path: Type.String({ description: 'The path, such as /rentAmount; for a header or query parameter, its name.' }),
    message: Type.String({ description: 'A sentence for people, in the language of `detail`.' }),
  },
  {
    $id: 'ProblemMember',
    description: 'An invalid member of a request.',
    examples: [{ path: '/city', message: 'Ce champ est obligatoire.' }],
  },
)

/** The problem document (RFC 9457) that every refusal is. */
export const PROBLEM = Type.Object(
  {
    type: Type.String({ format: 'uri', description: '`urn:loyer:problem:` and the code.' }),
    title: Type.String({ description: 'The name of the status.' }),
    status: Type.Integer({ minimum: 300, maximum: 599, description: 'The HTTP status.' }),
    detail: Type.String({ description: 'A sentence for people, in the language of Accept-Language (fr or en).' }),
    instance: Type.String({ format: 'uri-reference', description: 'The path of the request.' }),
    code: Type.Unsafe<ErrorCode>(
      oneOf(ERROR_CODES, {
        $id: 'ProblemCode',
        description: 'The stable code of the error; programs should rely on it.',
      }),
    ),
    requestId: Type.String({
      description: 'The id of the request, also in X-Request-Id; quote it when you ask for help.',
    }),
    errors: Type.Optional(
      Type.Array(PROBLEM_MEMBER, {
        maxItems: 20,
        description: 'On 422: each invalid member, never the value sent.',
      }),
    ),
    currentStatus: Type.Optional(
      Type.String({ description: 'On 409 invalid_state: the current status of the resource.' }),
    ),
    allowed: Type.Optional(
      Type.Array(Type.String(), { description: 'On 409 invalid_state: the operations that this status allows.' }),
    ),
    transferId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'On 409 duplicate: the transfer that has this reference. On 409 invalid_state: the transfer that the payment is a share of.',
      }),
    ),
    paymentId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'On 409 maybe_known, and duplicate for a message: the payment in which the money may be, or is, known.',
      }),
    ),
  },
  {
    $id: 'Problem',
    description: 'RFC 9457 problem details, as application/problem+json.',
    examples: [
      {
        type: 'urn:loyer:problem:not_found',
        title: 'Not Found',
        status: 404,
        detail: 'This does not exist, or you may not see it.',
        instance: '/api/v1/properties/01985f3a-7c00-7000-8000-000000000010',
        code: 'not_found',
        requestId: '01985f3a-7c00-7000-8000-000000000063',
      },
    ],
  },
)
export type Problem = Static<typeof PROBLEM>
export type ProblemStatus = (typeof ERRORS)[ErrorCode]['status']

/** An answer as RFC 9457 problem document, in the caller's language; to a person who opened a page, a page. */
export function problem(
  error: AppError,
  request: Request,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  const status = ERRORS[error.code].status
  const { errors, retryAfter = 5, currentStatus, allowed, allow, paymentId, transferId, movedTo } = error.details
  const path = pathOf(request.url)
  const waiting = status === 429 || status === 503
  const more = {
    ...(waiting ? { 'retry-after': String(retryAfter) } : {}),
    ...(allow ? { allow: allow.join(', ') } : {}),
    ...(movedTo ? { location: movedTo + targetOf(request.url) } : {}),
    ...headers,
  }
  if (isForPeople(request, path, status, error.code)) {
    const locale = languageChosen(request) ?? languageOf(request, 'fr')
    const detail = (error.text ?? ERRORS[error.code])[locale]
    return troublePage({
      ...{ status, code: error.code, locale, detail, path },
      retryAfter: waiting ? retryAfter : undefined,
      headers: more,
    })
  }
  const language = languageOf(request)
  const body: Problem = {
    type: `urn:loyer:problem:${error.code}`,
    title: STATUSES[status].title,
    status,
    detail: (error.text ?? ERRORS[error.code])[language],
    instance: reference(path),
    code: error.code,
    requestId,
    ...(currentStatus === undefined ? {} : { currentStatus }),
    ...(allowed === undefined ? {} : { allowed: [...allowed] }),
    ...(paymentId === undefined ? {} : { paymentId }),
    ...(transferId === undefined ? {} : { transferId }),
    ...(errors === undefined
      ? {}
      : { errors: errors.slice(0, 20).map((e) => ({ path: e.path, message: e.message[language] })) }),
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      'content-language': language,
      ...more,
    },
  })
}
