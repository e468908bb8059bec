import { hash } from 'node:crypto'
import type { Store } from '../../db/open.ts'
import type { Caller } from '../context.ts'
import { accepted } from '../core/encodings.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { callerOf } from './gate.ts'
import { gzipped, isPacked } from './packing.ts'
import { nextUrl } from './paging.ts'

export type Out = { headers: Record<string, string | number>; status?: number | string }

const MARK = '-gzip"'
/** The strong tag of the packed form, whose bytes differ (RFC 9110, 8.8.3.3). A weak tag holds for both forms. */
const packedTag = (etag: string): string => (etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}${MARK}`)
/** Tags without the mark: both forms are the same version of a resource. */
const plainTags = (tags: string): string => (tags.includes(MARK) ? tags.replaceAll(MARK, '"') : tags)

/** The digest of a value's JSON, in hex. */
const sha256 = (value: unknown): string => hash('sha256', JSON.stringify(value), 'hex')

/** The strong ETag of a row's version; of one with names beside it, which change without it, `names` is their digest. */
export const etagOf = (epoch: string, version: number, names?: object): string =>
  `"${epoch}${names === undefined ? '' : `-n${sha256(names).slice(0, 12)}`}.${version}"`

/**
 * Passes headers and status to the Response directly: for what is left in `set`, Elysia would copy the headers one by
 * one into a second Response, and the body as a stream.
 */
function answer(set: Out, status: number, body: string | Shared | null): Response {
  const headers = set.headers as Record<string, string>
  set.headers = {}
  set.status = 200
  return new Response(body, { status, headers })
}

/** The form in which a text is sent: packed if the client accepts that and the text is long enough. */
function formOf({ headers }: Request, text: string | Uint8Array<ArrayBuffer>, etag?: string) {
  const encodings = headers.get('accept-encoding')
  if (encodings === null || !isPacked(accepted(encodings), text.length)) return { body: text, etag, headers: {} }
  return { body: gzipped(text), etag: etag && packedTag(etag), headers: PACKED }
}
const PACKED = { 'content-encoding': 'gzip' }

type Nullable<T> = { [K in keyof T]-?: null extends T[K] ? K : never }[keyof T]
export type Dto<T> = { [K in Exclude<keyof T, Nullable<T>>]: T[K] } & { [K in Nullable<T>]?: NonNullable<T[K]> }
/** A row as clients see it: without the `hidden` members; members without a value are absent, never null. */
export function dto<T extends object, H extends keyof T = never>(row: T, ...hidden: readonly H[]): Dto<Omit<T, H>> {
  const out: Record<string, unknown> = {}
  const left: readonly PropertyKey[] = hidden
  for (const name in row) {
    const value = row[name]
    if (value !== null && value !== undefined && !left.includes(name)) out[name] = value
  }
  return out as Dto<Omit<T, H>>
}
/** `dtoOf<Row>()(...hidden)`: the same for each row of a kind; `last` changes the answer in place, as it does rows of a list. */
export const dtoOf =
  <T extends object>(last?: (row: T) => void) =>
  <H extends keyof T = never>(...hidden: readonly H[]) =>
  (row: T): Dto<Omit<T, H>> => {
    const answered = dto(row, ...hidden)
    last?.(answered as unknown as T)
    return answered
  }
/** `without({ name: value })`: a `last` that leaves out members whose value says nothing. */
export const without =
  <N extends object>(nothing: N) =>
  (row: { [K in keyof N]?: unknown }): void => {
    for (const name in nothing) if (row[name] === nothing[name]) row[name] = undefined
  }

/** Whether a handler returned plain data rather than a Response. */
const isPlain = (value: unknown): boolean =>
  Array.isArray(value) ||
  (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)

type Returned = { readonly request: Request; readonly set: { headers: object }; readonly responseValue: unknown }
/** Answers as JSON what a handler returns that needs no version; leaves a Response as it is. */
export function answerJson({ request, responseValue: value, set: given }: Returned): Response | undefined {
  if (!isPlain(value)) return undefined
  const set = given as Out
  const tag = set.headers.etag
  const { body, etag, headers } = formOf(request, JSON.stringify(value), tag === undefined ? tag : String(tag))
  Object.assign(set.headers, headers, etag !== undefined && { etag })
  return answer(set, Number(set.status ?? 200), body)
}

/** How answers are sent: single resources with a strong ETag, lists with a weak one; some are cached, already encoded. */
export function createAnswers({ store, config }: Pick<Deps, 'store' | 'config'>, build: string) {
  const cache = createByteCache(32 * 1024 * 1024, store.orgVersion)
  // The key names the user, as colleagues may see different rows, and the roles, as a newer token may have fewer.
  const names = new WeakMap<Caller, string>()
  function keyOf(request: Request, caller: Caller): string {
    const known = names.get(caller)
    const name = known ?? `${caller.orgId} ${caller.userId} ${caller.roles.join()} `
    if (known === undefined) names.set(caller, name)
    const encodings = request.headers.get('accept-encoding')
    return `${name}${encodings !== null && accepted(encodings).gzip ? 'gzip ' : ''}${request.url}`
  }

  /**
   * A cached answer to the same caller's same request, while nothing in the organization has changed. The gate looks
   * here first: routing and checks can be skipped, as this caller has passed them for this address.
   */
  const find = (request: Request, caller: Caller): CachedAnswer | undefined =>
    cache.get(keyOf(request, caller), caller.orgId)

  function sendCached(request: Request, set: Out, kept: CachedAnswer): Response {
    set.headers.etag = kept.etag
    if (isKnown(request.headers, kept.etag)) return unchanged(request, set, kept.etag)
    if (kept.headers) Object.assign(set.headers, kept.headers)
    return answer(set, 200, kept.body)
  }

  /** `keep`: caches an answer that depends on the organization's rows alone, not on the day or on a link that expires. */
  function one(request: Request, set: Out, etag: string, view: () => unknown, keep: boolean): Response {
    if (isKnown(request.headers, etag)) return unchanged(request, set, etag)
    const form = formOf(request, JSON.stringify(view()), etag)
    Object.assign(set.headers, form.headers, { etag: form.etag })
    if (keep) {
      const caller = callerOf(request)
      const head = { etag: form.etag ?? etag, headers: form.headers }
      cache.offer(keyOf(request, caller), store.orgVersion(caller.orgId), form.body, head)
    }
    return answer(set, 200, form.body)
  }

  type Listed = {
    readonly rows: readonly unknown[]
    readonly next?: string | undefined
    readonly total?: string | undefined
  }
  function listHeaders(request: Request, next: string | undefined, total: string | undefined): Record<string, string> {
    const headers: Record<string, string> = {}
    if (next !== undefined) headers.link = `<${nextUrl(config.publicUrl, request.url, next)}>; rel="next"`
    if (total !== undefined) headers['x-total-count'] = total
    return headers
  }

  /**
   * Answers a list as a bare array. `read` runs only if the client has another version, and not before the version is
   * read: a cached list is of its version, or of a later one and then never found. Callers who see the whole organization
   * share an ETag, unless `seenAs` names what this one sees differently. `keep` as of `one`.
   */
  function many(
    request: Request,
    set: Out,
    read: () => Listed | Promise<Listed>,
    seenAs = '',
    keep = true,
  ): Response | Promise<Response> {
    const caller = callerOf(request)
    const { kind, userId } = caller.scope
    const version = store.orgVersion(caller.orgId)
    const shared = kind === 'all' && seenAs === ''
    const etag = `W/"${build}-${store.epoch}-${version}-${shared ? kind : `${kind.slice(0, 1)}${seenAs}${userId.slice(-12)}`}"`
    set.headers.etag = etag
    if (isKnown(request.headers, etag)) return unchanged(request, set, etag)
    const written = ({ rows, next, total }: Listed): Response => {
      const headers = listHeaders(request, next, total)
      const { body, headers: packing } = formOf(request, JSON.stringify(rows))
      Object.assign(headers, packing)
      if (keep) cache.offer(keyOf(request, caller), version, body, { etag, headers })
      Object.assign(set.headers, headers)
      return answer(set, 200, body)
    }
    const listed = read()
    return listed instanceof Promise ? listed.then(written) : written(listed)
  }
  return { find, sendCached, one, many }
}
export type Answers = ReturnType<typeof createAnswers>

/** A version for a value that has none of its own. */
export const digestOf = (value: unknown): number => Number.parseInt(sha256(value).slice(0, 12), 16)

type Shared = Uint8Array<ArrayBuffer> | Blob
/** Bun copies bytes, unlike a Blob, into each Response, which busies its garbage collector. Deno sends a Blob in chunks. */
const shared = (bytes: Uint8Array<ArrayBuffer>): Shared => (typeof Bun === 'undefined' ? bytes : new Blob([bytes]))

type Head = { readonly etag: string; readonly headers?: Readonly<Record<string, string>> }
type CachedAnswer = Head & { readonly version: number; readonly body: Shared; readonly size: number }
const MAX_ASKED = 2 * 1024 * 1024
/** An LRU cache limited in bytes; entries of an older version count as missing. */
function createByteCache(maxBytes: number, versionOf: Store['orgVersion']) {
  const entries = new Map<string, CachedAnswer>()
  let size = 0
  /** The version at which each key was first requested; the total length of the keys is limited. */
  const firstAskedAt = new Map<string, number>()
  let letters = 0
  const encoder = new TextEncoder()
  // Clients choose the keys, so their length counts: thousands of empty lists under long addresses would fill memory.
  const weight = (key: string, { size }: CachedAnswer): number => size + 2 * key.length + 500
  const drop = (key: string): void => {
    const entry = entries.get(key)
    if (entry && entries.delete(key)) size -= weight(key, entry)
  }
  /** Most answers are requested once; caching each of them would make every list a tenth slower. */
  function askedBefore(key: string, version: number): boolean {
    if (firstAskedAt.get(key) === version) return true
    letters += key.length
    if (letters > MAX_ASKED) {
      firstAskedAt.clear()
      letters = key.length
    }
    firstAskedAt.set(key, version)
    return false
  }
  return {
    get(key: string, orgId: string): CachedAnswer | undefined {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (entry.version !== versionOf(orgId)) return void drop(key)
      // The order of use matters only when the cache fills up.
      if (size * 2 > maxBytes) {
        entries.delete(key)
        entries.set(key, entry)
      }
      return entry
    },
    /** Caches an answer that is requested for the second time. */
    offer(key: string, version: number, body: string | Uint8Array<ArrayBuffer>, head: Head): void {
      if (body.length > maxBytes / 16 || !askedBefore(key, version)) return
      drop(key)
      const bytes = typeof body === 'string' ? encoder.encode(body) : body
      const value = { version, body: shared(bytes), size: bytes.length, ...head }
      entries.set(key, value)
      size += weight(key, value)
      for (const oldest of entries.keys()) {
        if (size <= maxBytes) break
        drop(oldest)
      }
    },
  }
}

/** Tags without the digest of names: a change asks for the version of the row alone. */
const versionTags = (tags: string): string =>
  tags.includes('-n') ? tags.replace(/-n[0-9a-f]{12}(?=\.\d+")/g, '') : tags

const named = (header: string, etag: string): boolean =>
  header === etag || header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag)
const bare = (tags: string): string => tags.replace(/(^|,)(\s*)W\//g, '$1$2')

/** RFC 9110, 13.1.1: If-Match uses strong comparison, so a weak tag never matches. @throws precondition_failed */
function expectMatch(ifMatch: string, etag: string): void {
  if (ifMatch.trim() !== '*' && (etag.startsWith('W/') || !named(ifMatch, etag)))
    throw new AppError('precondition_failed')
}

/**
 * Checks If-Match (412), then If-None-Match, against an ETag; the tags of both forms of an answer, packed and not, name
 * one version. @returns whether to answer 304
 */
export function isKnown(headers: Headers, etag: string): boolean {
  const ifMatch = headers.get('if-match')
  if (ifMatch !== null) expectMatch(versionTags(plainTags(ifMatch)), versionTags(plainTags(etag)))
  const had = headers.get('if-none-match')
  if (had === null) return false
  const tag = bare(plainTags(etag))
  const known = bare(plainTags(had))
  return named(versionTags(tag) === tag ? versionTags(known) : known, tag)
}

/** 304 under the tag of the form that the client has. */
function unchanged(request: Request, set: Out, etag: string): Response {
  const packed = packedTag(plainTags(etag))
  set.headers.etag = request.headers.get('if-none-match')?.includes(packed) ? packed : plainTags(etag)
  return answer(set, 304, null)
}

type Answered = { readonly params: object; readonly set: Out; readonly response: unknown }
/**
 * Gives a 201 its Location: the first of `places` for whose `{member}` of the answer and `:name` of the path all have a
 * text. @throws Error if none fits: every 201 must have a Location
 */
export function locations(places: readonly string[]): (answered: Answered) => void {
  const all = places.map((place) =>
    place.split(/(\{[\w.]+\}|:\w+)/).map((text, n) => ({
      text,
      inAnswer: text[0] === '{',
      path: n % 2 === 1 ? text.replace(/[{}:]/g, '').split('.') : undefined,
    })),
  )
  return ({ set, response, params }) => {
    if (set.status !== 201) return
    for (const parts of all) {
      const texts = parts.map(({ text, inAnswer, path }) =>
        path ? path.reduce<unknown>((at, key) => Object(at)[key], inAnswer ? response : params) : text,
      )
      if (texts.every((text) => typeof text === 'string')) {
        set.headers.location = texts.join('')
        return
      }
    }
    throw new Error(`nothing of ${places} fits the answer`)
  }
}
