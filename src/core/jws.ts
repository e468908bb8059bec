import { createPrivateKey, createPublicKey, sign } from 'node:crypto'

/** The PKCS #8 prefix of a 32-byte Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * A detached JWS (RFC 7515, appendix F) over a text: `header..signature`, EdDSA by the key made of 32 secret bytes, with the
 * public key as `jwk` in the header.
 */
export function detachedJws(secret: Uint8Array, text: string): string {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' })
  const { kty, crv, x } = createPublicKey(key).export({ format: 'jwk' })
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', jwk: { kty, crv, x } })).toString('base64url')
  const signed = Buffer.from(`${header}.${Buffer.from(text).toString('base64url')}`)
  return `${header}..${sign(null, signed, key).toString('base64url')}`
}
