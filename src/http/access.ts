import type { Claims, Verifier } from '../adapters/identity/verify.ts'
import type { Caller } from '../context.ts'

/** Who stands behind a bearer token: `known` answers at once for a token verified before, `verify` for any. */
export type Access = {
  readonly known: (token: string) => Caller | undefined
  /** Rejects with `unauthorized` for a bad token, with a 503 where the provider's keys cannot be had. */
  readonly verify: (token: string) => Promise<Caller>
  /** Forgets what is known of one user's tokens: their roles, number, password or status changed. */
  readonly forget: (subject: string) => void
}

/** `resolve` finds the caller's rows, making them at the first sight of a valid token. */
export function createAccess(verifier: Verifier, resolve: (claims: Claims) => Promise<Caller>): Access {
  // Keyed by the verifier's own claims object: what it forgets is forgotten here too.
  const callers = new WeakMap<Claims, Caller>()
  return {
    known(token) {
      const claims = verifier.cached(token)
      return claims && callers.get(claims)
    },
    async verify(token) {
      const claims = await verifier.verify(token)
      const known = callers.get(claims)
      if (known) return known
      const caller = await resolve(claims)
      callers.set(claims, caller)
      return caller
    },
    forget: verifier.forget,
  }
}
