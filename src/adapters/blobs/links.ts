import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '../../core/dates.ts'

type Method = 'PUT' | 'GET'
type Parameters = Readonly<Record<string, string>>
export type Link = { readonly url: string; readonly expiresAt: number }
export type Verdict = { readonly kind: 'good'; readonly parameters: Parameters } | { readonly kind: 'bad' | 'expired' }
export type Links = {
  /**
   * An absolute URL that allows its holder one action on one object for a limited time. With a `step`, its end is
   * rounded down to a multiple of that many seconds: the link stays the same meanwhile.
   */
  readonly sign: (method: Method, path: string, id: string, seconds: number, more?: Parameters, step?: number) => Link
  /** Checks a request by its method and URL alone, before anything else is read. */
  readonly check: (method: string, url: string) => Verdict
}

/** The signing key rotates every 30 days; the previous key stays valid, so that no link breaks early. */
const KEY_MS = 30 * DAY_MS
const QUERY = /^(v=1(?:&[a-z]+=[A-Za-z0-9_-]+)*)&sig=([A-Za-z0-9_-]{43})$/

/**
 * Signed links. The signature is an HMAC-SHA256 over version, method, path with id, and the query as written, key id
 * and expiry included: an added, repeated, reordered or re-encoded parameter invalidates it. It is compared as text,
 * because two base64url texts can decode to the same bytes. `resets` counts how often the clock was set back past links
 * that may have expired; links signed before a reset are refused.
 */
export function createLinks(
  masterKey: Uint8Array,
  publicUrl: string,
  wall: () => number,
  resets: () => number = () => 0,
): Links {
  const current = (): number => Math.floor(wall() / KEY_MS)
  const keyOf = (kid: number): Buffer =>
    createHmac('sha256', masterKey)
      .update(`loyer media links v1 ${kid}${resets() === 0 ? '' : ` ${resets()}`}`)
      .digest()
  const signature = (kid: number, method: Method, path: string, query: string): Buffer =>
    Buffer.from(createHmac('sha256', keyOf(kid)).update(`v1\n${method}\n${path}\n${query}`).digest('base64url'))

  return {
    sign(method, path, id, seconds, more = {}, step = 1) {
      const kid = current()
      const expiresAt = Math.floor((wall() / 1000 + seconds) / step) * step * 1000
      const extra = Object.entries(more).map(([name, value]) => `&${name}=${value}`)
      const query = `v=1&exp=${expiresAt / 1000}&kid=${kid}${extra.join('')}`
      const sig = signature(kid, method, `${path}/${id}`, query)
      return { url: `${publicUrl}${path}/${id}?${query}&sig=${sig}`, expiresAt }
    },
    check(method, url) {
      const { pathname, search } = new URL(url)
      const [, query = '', linkSignature = ''] = QUERY.exec(search.slice(1)) ?? []
      const parameters: Record<string, string> = Object.fromEntries(new URLSearchParams(query))
      const kid = Number(parameters.kid)
      const known = kid === current() || kid === current() - 1
      // An unknown key takes the same path as a known one, so that both take the same time.
      const expected = signature(known ? kid : current(), method === 'PUT' ? 'PUT' : 'GET', pathname, query)
      const same = linkSignature.length === expected.length && timingSafeEqual(Buffer.from(linkSignature), expected)
      if (!same || !known || !['PUT', 'GET', 'HEAD'].includes(method)) return { kind: 'bad' }
      return Number(parameters.exp) * 1000 > wall() ? { kind: 'good', parameters } : { kind: 'expired' }
    },
  }
}
