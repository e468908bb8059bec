// Who is signed in, for all files of a page: `boot.ts`, which stands in the page itself, has made it before they came.
import type * as boot from './boot.ts'

export type { Role } from './recognize.ts'

declare global {
  var loyer: typeof boot.loyer
}
export const { session, securityUrl, SignedOut } = globalThis.loyer
if (!crypto.subtle) void import('@noble/hashes/sha2.js').then(({ sha256 }) => globalThis.loyer.lendHash(sha256))
