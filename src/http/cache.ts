import { Elysia } from 'elysia'
import type { Store } from '../../db/open.ts'
import type { Caller } from '../context.ts'
import { accepted } from '../core/encodings.ts'
import type { Deps } from '../deps.ts'
import { isKnown } from './etag.ts'
import { answer, type Out, unchanged } from './json.ts'
import { callerOf, edgeOf } from './request.ts'

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
  function requestedBefore(key: string, version: number): boolean {
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
      if (body.length > maxBytes / 16 || !requestedBefore(key, version)) return
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

/**
 * Answers the same caller's same request from memory while nothing in the organization has changed. The plugin stands
 * behind `auth`; routing and checks can be skipped, as this caller has passed them for this address.
 */
export function createCache({ store }: Pick<Deps, 'store'>) {
  const answers = createByteCache(32 * 1024 * 1024, store.orgVersion)
  // The key names the user, as colleagues may see different rows, and the roles, as a newer token may have fewer.
  const names = new WeakMap<Caller, string>()
  function keyOf(request: Request, caller: Caller): string {
    const known = names.get(caller)
    const name = known ?? `${caller.orgId} ${caller.userId} ${caller.roles.join()} `
    if (known === undefined) names.set(caller, name)
    const encodings = request.headers.get('accept-encoding')
    return `${name}${encodings !== null && accepted(encodings).gzip ? 'gzip ' : ''}${request.url}`
  }

  function send(request: Request, set: Out, { etag, headers, body }: CachedAnswer): Response {
    set.headers.etag = etag
    if (isKnown(request.headers, etag)) return unchanged(request, set, etag)
    if (headers) Object.assign(set.headers, headers)
    return answer(set, 200, body)
  }
  const plugin = new Elysia({ name: 'cache' }).onRequest(({ request, set }) => {
    const { caller } = edgeOf(request)
    const cached = caller && request.method === 'GET' ? answers.get(keyOf(request, caller), caller.orgId) : undefined
    return cached && send(request, set as Out, cached)
  })
  return {
    plugin,
    /** Offers an answer of this version of the caller's organization. */
    offer(request: Request, version: number, body: string | Uint8Array<ArrayBuffer>, head: Head): void {
      answers.offer(keyOf(request, callerOf(request)), version, body, head)
    },
  }
}
export type Cache = ReturnType<typeof createCache>
