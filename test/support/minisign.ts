// Signatures as minisign writes them, for programs that a test makes up.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

export function minisigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const number = Buffer.from('12345678')
  const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const key = Buffer.concat([Buffer.from('Ed'), number, x]).toString('base64')
  function signed(bytes: Uint8Array, name = 'loyer-0.2.0-linux-x64'): string {
    const comment = `timestamp:1795853970\tfile:${name}\thashed`
    const own = sign(null, createHash('blake2b512').update(bytes).digest(), privateKey)
    const all = sign(null, Buffer.concat([own, Buffer.from(comment)]), privateKey)
    const first = Buffer.concat([Buffer.from('ED'), number, own]).toString('base64')
    return `untrusted comment: signature\n${first}\ntrusted comment: ${comment}\n${all.toString('base64')}\n`
  }
  return { key, signed }
}
