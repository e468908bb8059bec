import { createHmac, timingSafeEqual } from 'node:crypto'
import { isUuid } from './id.ts'

type PhoneNumber = string | null | undefined
/** The phone number that belongs to an id now. */
export type ToOf = (id: string) => PhoneNumber
const tag = (key: Uint8Array, id: string, to: PhoneNumber): Buffer =>
  createHmac('sha256', key)
    .update(id + (to ?? ''))
    .digest()
    .subarray(0, 15)

/**
 * The token of a link: a UUID and a 120-bit MAC, as 42 characters. `to`: the number that the link is sent to; the token
 * is valid only while that number is current.
 */
export const linkToken = (key: Uint8Array, id: string, to?: PhoneNumber): string =>
  Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), tag(key, id, to)]).toString('base64url')

/** The UUID of a token signed with this key, for the number that belongs to the UUID now; or undefined. */
export function idOfToken(key: Uint8Array, token: string, toOf?: ToOf): string | undefined {
  if (!/^[A-Za-z0-9_-]{42}$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  // Two base64url texts can decode to the same bytes; only the canonical one is the token.
  if (bytes.toString('base64url') !== token) return undefined
  const id = bytes
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(id) && timingSafeEqual(bytes.subarray(16), tag(key, id, toOf?.(id))) ? id : undefined
}
