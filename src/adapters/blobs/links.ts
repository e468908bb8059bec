import { createHmac, timingSafeEqual } from 'node:crypto'

type Method = 'PUT' | 'GET'
type Parameters = Readonly<Record<string, string>>
export type Link = { readonly url: string; readonly expiresAt: number }
export type Verdict = { readonly kind: 'good'; readonly parameters: Parameters } | { readonly kind: 'bad' | 'expired' }
export type Links = {
  /** An absolute URL that lets whoever has it do one thing with one object for a while. */
  readonly sign: (method: Method, path: string, id: string, seconds: number, more?: Parameters) => Link
  /** Judges a request by its method and URL alone, before anything else is looked at. */
  readonly check: (method: string, url: string) => Verdict
}

/** Keys follow each other every 30 days; the one before goes on being taken, so that no link dies of it. */
const KEY_MS = 30 * 24 * 3600_000
const QUERY = /^(v=1(?:&[a-z]+=[A-Za-z0-9_-]+)*)&sig=([A-Za-z0-9_-]{43})$/

/**
 * Signed links. The signature is an HMAC-SHA256 over version, method, path with id, and the query as it stands, key id
 * and expiry included: a parameter that is added, given twice, reordered or written otherwise breaks it. It is compared
 * as text, because two ends of a base64url text can mean the same bytes. `resets`: how often the clock went back behind
 * links that may have expired; those of before are taken no more.
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
    sign(method, path, id, seconds, more = {}) {
      const kid = current()
      const expiresAt = (Math.floor(wall() / 1000) + seconds) * 1000
      const extra = Object.entries(more).map(([name, value]) => `&${name}=${value}`)
      const query = `v=1&exp=${expiresAt / 1000}&kid=${kid}${extra.join('')}`
      const sig = signature(kid, method, `${path}/${id}`, query)
      return { url: `${publicUrl}${path}/${id}?${query}&sig=${sig}`, expiresAt }
    },
    check(method, url) {
      const { pathname, search } = new URL(url)
      const [, query = '', given = ''] = QUERY.exec(search.slice(1)) ?? []
      const parameters: Record<string, string> = Object.fromEntries(new URLSearchParams(query))
      const kid = Number(parameters.kid)
      const known = kid === current() || kid === current() - 1
      // An unknown key is judged like a known one, so that both take the same time.
      const expected = signature(known ? kid : current(), method === 'PUT' ? 'PUT' : 'GET', pathname, query)
      const same = given.length === expected.length && timingSafeEqual(Buffer.from(given), expected)
      if (!same || !known || !['PUT', 'GET', 'HEAD'].includes(method)) return { kind: 'bad' }
      return Number(parameters.exp) * 1000 > wall() ? { kind: 'good', parameters } : { kind: 'expired' }
    },
  }
}
