import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Db } from '../../../../db/open.ts'
import { accessClaims, claimsFor, personClaims } from './claims.ts'
import { API } from './clients.ts'
import type { Keys } from './rows/keys.ts'
import { liveAccount } from './rows/users.ts'

export type UserinfoDeps = {
  readonly db: Db
  readonly keys: Keys
  readonly issuer: string
  readonly wall: () => number
  /** Whether the token's session ended after the token was issued. */
  readonly ended: (sid: unknown, iat: number) => boolean
}

const refuse = (status: number, error?: string): Response =>
  new Response(JSON.stringify({ error: error ?? 'invalid_token' }), {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'www-authenticate': `Bearer realm="svc"${error ? `, error="${error}"` : ''}`,
    },
  })

/**
 * The userinfo endpoint. The library's own refuses every token with an audience, and ours must have one. The token is
 * accepted in the Authorization header only.
 */
export function createUserinfo({ db, keys, issuer, wall, ended }: UserinfoDeps) {
  return async (request: Request): Promise<Response> => {
    const token = /^Bearer ([\w\-.~+/]+=*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (token === undefined) return refuse(401)
    const options = {
      issuer,
      audience: API,
      // The previously configured algorithm is accepted too: its tokens stay valid until they expire.
      algorithms: ['RS256', 'ES256'],
      typ: 'JWT',
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: new Date(wall()),
      clockTolerance: 5,
    }
    const verified = await jwtVerify(token, createLocalJWKSet(keys.publicSet()), options).catch(() => undefined)
    if (verified?.payload.typ !== 'Bearer') return refuse(401, 'invalid_token')
    const { sub = '', iat = 0, scope, sid } = verified.payload
    const user = liveAccount(db, sub, iat)
    if (!user || ended(sid, iat)) return refuse(401, 'invalid_token')
    if (typeof scope !== 'string' || !scope.split(' ').includes('openid')) return refuse(403, 'insufficient_scope')
    const { org_id, realm_access } = accessClaims(user)
    return Response.json({ ...claimsFor(scope, personClaims(user)), org_id, realm_access })
  }
}
