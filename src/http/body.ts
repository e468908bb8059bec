import { BODY } from '../core/budgets.ts'
import { isUnnamed, normalizePhone } from '../core/phone.ts'
import { readStream } from '../core/streams.ts'
import { AppError, bodyRefusals, cutOff } from '../errors.ts'

const TYPE = /[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*/y
const PARAMETER = /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")[ \t]*)?/y
const MAX_DEPTH = 20
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Members that take a number as people write it; `newPhoneNumber` is E.164 by contract. */
const PHONES: ReadonlySet<string> = new Set(['phoneNumber', 'tenantPhoneNumber', 'payerNumber'])

/** Normalizes every string to NFC and numbers to E.164, in place; refuses a value nested deeper than any valid body. */
function normalize(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.normalize('NFC')
  if (value === null || typeof value !== 'object') return value
  if (depth === MAX_DEPTH) throw new AppError('malformed_json')
  for (const [key, member] of Object.entries(value)) {
    const nfc = normalize(member, depth + 1)
    const text = typeof nfc === 'string' && PHONES.has(key) ? (normalizePhone(nfc) ?? nfc) : nfc
    // defineProperty, not assignment: a member may be called __proto__.
    if (text !== member)
      Object.defineProperty(value, key, { value: text, enumerable: true, configurable: true, writable: true })
  }
  return value
}

/**
 * The media type of a body in lower case, without parameters; undefined if it is missing, malformed, or not in UTF-8.
 */
export function mediaTypeOf(request: Request): string | undefined {
  const header = (request.headers.get('content-type') ?? '').trim()
  TYPE.lastIndex = 0
  const type = TYPE.exec(header)?.[0].trim().toLowerCase()
  PARAMETER.lastIndex = TYPE.lastIndex
  while (type !== undefined && PARAMETER.lastIndex < header.length) {
    const [parameter, name, value = ''] = PARAMETER.exec(header) ?? []
    if (parameter === undefined) return undefined
    if (name?.toLowerCase() === 'charset' && !/^("?)utf-8\1$/i.test(value)) return undefined
  }
  return type
}

/** Refuses compressed bodies. @throws unsupported_media_type, answered with Accept-Encoding */
export function refuseEncoded(request: Request): void {
  const coding = request.headers.get('content-encoding')
  if (coding !== null && coding.trim().toLowerCase() !== 'identity')
    throw new AppError('unsupported_media_type', {
      en: 'Send the body as it is, without Content-Encoding.',
      fr: 'Envoyez le corps tel quel, sans Content-Encoding.',
    })
}

/** JSON; for PATCH also its merge-patch type. */
const isJson = (request: Request): boolean => {
  if (request.headers.get('content-type') === 'application/json') return true
  const type = mediaTypeOf(request)
  return type === 'application/json' || (type === 'application/merge-patch+json' && request.method === 'PATCH')
}

/** The bytes of the body, up to a limit; if the declared length exceeds it, nothing is read. @throws body_too_large */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  refuseEncoded(request)
  const declared = request.headers.get('content-length')
  if (Number(declared ?? 0) > limit) throw new AppError('body_too_large')
  // The server never reads beyond the declared length, and reading at once costs a fifth of a stream.
  if (declared === null) return readStream(request.body, limit, bodyRefusals)
  const bytes = await request.arrayBuffer().catch((e: unknown) => {
    throw cutOff(e)
  })
  return new Uint8Array(bytes)
}

/**
 * The only body reader; it checks media type (415), size (413) and JSON object (400). A missing body is read as {}, so
 * that operations without payload accept it, and others name the member that is missing. Elysia's own parser is not
 * used: it accepts forms, and turns invalid JSON into "no body" if the body is optional.
 */
export async function readJson(request: Request, limit: number = BODY): Promise<object> {
  if (request.body === null) return {}
  const type = request.headers.get('content-type')
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (type !== null && declared !== 0 && !isJson(request)) throw new AppError('unsupported_media_type')
  const bytes = await readBytes(request, limit)
  if (bytes.byteLength === 0) return {}
  if (type === null) throw new AppError('unsupported_media_type')
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch (e) {
    throw new AppError('malformed_json', undefined, {}, e)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AppError('malformed_json')
  normalize(value, 0)
  return value
}

// C0 and C1 controls, bidirectional overrides and isolates; line breaks and tabs are judged apart.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
const BREAKS = /[\t\n\r]/

type TextSchema = { minLength: number; maxLength: number; 'x-lines'?: boolean; 'x-name'?: boolean }

/** Why a text is refused, or undefined; used by the check and by its error message. */
export function textProblem(
  schema: TextSchema,
  value: unknown,
): 'type' | 'characters' | 'length' | 'number' | undefined {
  if (typeof value !== 'string') return 'type'
  if (!value.isWellFormed() || CONTROLS.test(value) || (!schema['x-lines'] && BREAKS.test(value))) return 'characters'
  if (schema['x-name'] && isUnnamed(value)) return 'number'
  // A string never has more code points than UTF-16 units, so short ones need no counting.
  const units = value.length
  const points = units <= schema.maxLength && units >= schema.minLength * 2 ? units : [...value].length
  return points > schema.maxLength || points < schema.minLength || (schema.minLength > 0 && value.trim() === '')
    ? 'length'
    : undefined
}
export const isSound = (schema: TextSchema, value: unknown): boolean => textProblem(schema, value) === undefined
