import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { edgeOf, pathOf } from './edge.ts'

type Out = { headers: Record<string, string | number>; status?: number | string }

const matches = (header: string | null, etag: string): boolean =>
  header !== null &&
  (header.trim() === '*' ||
    header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, '')))

/** A Response that takes the headers along: into one without them Elysia copies them one by one. */
function answer(set: Out, status: number, body: string | Uint8Array<ArrayBuffer> | null): Response {
  const headers = set.headers as Record<string, string>
  set.headers = {}
  return new Response(body, { status, headers })
}

/** The strong ETag of a row's version. */
export const etagOf = (epoch: string, version: number): string => `"${epoch}.${version}"`

/** If-Match (412): a caller changes what they have read, or nothing. */
export function expectVersion(ifMatch: string | null, epoch: string, version: number): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  if (!ifMatch.split(',').some((tag) => tag.trim() === etagOf(epoch, version)))
    throw new AppError('precondition_failed')
}

/** How answers leave: single resources with a strong ETag, lists with a weak one and from a cache of encoded bytes. */
export function createAnswers({ store, config }: Pick<Deps, 'store' | 'config'>, build: string) {
  const cache = createByteCache(32 * 1024 * 1024)

  function one<T>(request: Request, set: Out, version: number, body: T): T | Response {
    const etag = etagOf(store.epoch, version)
    set.headers.etag = etag
    return matches(request.headers.get('if-none-match'), etag) ? answer(set, 304, null) : body
  }

  type Listed = {
    readonly rows: readonly unknown[]
    readonly next?: string | undefined
    readonly total?: number | undefined
  }
  /**
   * A list as a bare array. `read` runs only when neither the client nor the cache has this version; both stand in one
   * turn with the version, so what is kept under a version is what it held. Who sees a whole organization sees the same
   * as the next one, unless `seenAs` says what this person alone sees it as.
   */
  function many(request: Request, set: Out, read: () => Listed, seenAs = ''): Response {
    const { caller } = edgeOf(request)
    if (!caller) throw new AppError('unauthorized')
    const { kind, userId } = caller.scope
    const shared = kind === 'all' && seenAs === ''
    const scope = shared ? kind : `${kind}${seenAs}:${userId}`
    const version = store.orgVersion(caller.orgId)
    const etag = `W/"${build}-${store.epoch}-${version}-${shared ? kind : `${kind.slice(0, 1)}${seenAs}${userId.slice(-12)}`}"`
    set.headers.etag = etag
    if (matches(request.headers.get('if-none-match'), etag)) return answer(set, 304, null)
    const key = `${caller.orgId} ${scope} ${request.url.slice(request.url.indexOf('/', 8))}`
    let kept = cache.get(key, version)
    if (!kept) {
      const { rows, next, total } = read()
      const headers: Record<string, string> = {}
      if (next !== undefined) headers.link = `<${nextUrl(config.publicUrl, request.url, next)}>; rel="next"`
      if (total !== undefined) headers['x-total-count'] = String(total)
      kept = { version, body: JSON.stringify(rows), headers }
      cache.put(key, kept)
    } else if (typeof kept.body === 'string') {
      // Encoded when it is asked for again: most lists are not.
      kept = { ...kept, body: new TextEncoder().encode(kept.body) }
      cache.put(key, kept)
    }
    Object.assign(set.headers, kept.headers)
    return answer(set, 200, kept.body)
  }
  return { one, many }
}

function nextUrl(publicUrl: string, requestUrl: string, cursor: string): string {
  const path = pathOf(requestUrl)
  const searchParams = new URLSearchParams(requestUrl.slice(requestUrl.indexOf(path) + path.length))
  searchParams.set('cursor', cursor)
  return `${publicUrl}${path}?${searchParams}`
}

type Kept = {
  readonly version: number
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}
/** Least recently used answers up to a number of bytes; an entry of an older version is as good as none. */
function createByteCache(maxBytes: number) {
  const entries = new Map<string, Kept>()
  let size = 0
  // The key is the caller's to choose: thousands of empty lists under long addresses must count too.
  const weight = (key: string, { body }: Kept): number =>
    (typeof body === 'string' ? 2 : 1) * body.length + 2 * key.length + 500
  const drop = (key: string): void => {
    const found = entries.get(key)
    if (found && entries.delete(key)) size -= weight(key, found)
  }
  return {
    get(key: string, version: number): Kept | undefined {
      const found = entries.get(key)
      if (!found) return undefined
      drop(key)
      if (found.version !== version) return undefined
      entries.set(key, found)
      size += weight(key, found)
      return found
    },
    put(key: string, value: Kept): void {
      if (value.body.length > maxBytes / 16) return
      drop(key)
      entries.set(key, value)
      size += weight(key, value)
      for (const oldest of entries.keys()) {
        if (size <= maxBytes) break
        drop(oldest)
      }
    },
  }
}
