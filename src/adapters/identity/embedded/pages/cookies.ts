import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs cookies with SHA-256, in place of the library's Keygrip: SHA-1 and a deprecated call that warns on stderr. */
export function cookieSigner(key: Uint8Array) {
  const sign = (data: string): string => createHmac('sha256', key).update(data).digest('base64url')
  const verify = (data: string, signature: string): boolean => {
    const [a, b] = [Buffer.from(sign(data)), Buffer.from(signature)]
    return a.length === b.length && timingSafeEqual(a, b)
  }
  return { sign, verify, index: (data: string, signature: string): number => (verify(data, signature) ? 0 : -1) }
}
