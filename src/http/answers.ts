import type { Deps } from '../deps.ts'
import type { Cache } from './cache.ts'
import { isKnown } from './etag.ts'
import { answer, formOf, type Out, unchanged } from './json.ts'
import { nextUrl } from './paging.ts'
import { callerOf } from './request.ts'

type Listed = {
  readonly rows: readonly unknown[]
  readonly next?: string | undefined
  readonly total?: string | undefined
}
/** A request, and where its answer goes. */
export type Exchange = { readonly request: Request; readonly set: Out }
/**
 * `seenAs`: what this caller sees differently from others who see the whole organization. `keep: false` for a list whose
 * rows pass by themselves.
 */
export type Sharing = { readonly seenAs?: string | undefined; readonly keep?: boolean }

/** How what was read is sent: single resources with a strong ETag, lists with a weak one; some are cached. */
export function createAnswers({ store, config }: Pick<Deps, 'store' | 'config'>, build: string, cache: Cache) {
  /** `keep`: caches an answer that depends on the organization's rows alone, not on the day or on a link that expires. */
  function one({ request, set }: Exchange, etag: string, view: () => unknown, keep: boolean): Response {
    if (isKnown(request.headers, etag)) return unchanged(request, set, etag)
    const form = formOf(request, JSON.stringify(view()), etag)
    Object.assign(set.headers, form.headers, { etag: form.etag })
    if (keep) {
      const head = { etag: form.etag ?? etag, headers: form.headers }
      cache.offer(request, store.orgVersion(callerOf(request).orgId), form.body, head)
    }
    return answer(set, 200, form.body)
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
   * share an ETag, unless there is a `seenAs`.
   */
  function many({ request, set }: Exchange, read: () => Listed, { seenAs = '', keep = true }: Sharing = {}): Response {
    const caller = callerOf(request)
    const { kind, userId } = caller.scope
    const version = store.orgVersion(caller.orgId)
    const shared = kind === 'all' && seenAs === ''
    const etag = `W/"${build}-${store.epoch}-${version}-${shared ? kind : `${kind.slice(0, 1)}${seenAs}${userId.slice(-12)}`}"`
    set.headers.etag = etag
    if (isKnown(request.headers, etag)) return unchanged(request, set, etag)
    const { rows, next, total } = read()
    const form = formOf(request, JSON.stringify(rows))
    const headers = { ...listHeaders(request, next, total), ...form.headers }
    if (keep) cache.offer(request, version, form.body, { etag, headers })
    Object.assign(set.headers, headers)
    return answer(set, 200, form.body)
  }
  return { one, many }
}
export type Answers = ReturnType<typeof createAnswers>
