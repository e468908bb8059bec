import { createHmac, timingSafeEqual } from 'node:crypto'
import { isUuid } from './id.ts'

const tag = (key: Uint8Array, id: string): Buffer => createHmac('sha256', key).update(id).digest().subarray(0, 15)

/** The token of a link: a UUID and 120 bits that nobody can make up without the key, as 42 characters. */
export const linkToken = (key: Uint8Array, id: string): string =>
  Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), tag(key, id)]).toString('base64url')

/** The UUID that a token was made for with this key, or undefined. */
export function idOfToken(key: Uint8Array, token: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{42}$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  // Two texts can mean the same bytes; only one of them is the token.
  if (bytes.toString('base64url') !== token) return undefined
  const id = bytes
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(id) && timingSafeEqual(bytes.subarray(16), tag(key, id)) ? id : undefined
}
