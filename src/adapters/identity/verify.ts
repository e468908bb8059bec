import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import { UUID } from '../../core/id.ts'
import { ROLES, type Role } from '../../core/roles.ts'
import { AppError } from '../../errors.ts'
import { KeysUnavailable, type RemoteKeys, UnknownKey } from './keys/jwks.ts'

export type { Role }

/** The claims of a verified access token; times in seconds of the Unix epoch. Frozen, because the object is shared. */
export type Claims = {
  readonly sub: string
  /** Lower case. Absent when the token's org_id is missing or no UUID: the edge answers 403 organization_required. */
  readonly orgId?: string
  /** Known roles only, each once; empty when the claim is missing or misshapen. */
  readonly roles: readonly Role[]
  readonly iat: number
  readonly exp: number
  /** Time of the last password sign-in. */
  readonly authTime?: number
  readonly sid?: string
  /** Authentication level: '2' with a second factor. */
  readonly acr?: string
  readonly azp?: string
  readonly username?: string
  readonly email?: string
  readonly phoneNumber?: string
  readonly phoneVerified?: boolean
  readonly givenName?: string
  readonly familyName?: string
  readonly name?: string
}

/** 401: the token itself is invalid. `reason` is for the log only. No `cause`: jose's errors contain the claims. */
export class TokenRefused extends AppError {
  readonly reason: string
  constructor(reason: string) {
    super('unauthorized')
    this.name = 'TokenRefused'
    this.reason = reason
  }
}

export type VerifierOptions = {
  /** Compared character by character: a trailing slash is another issuer. */
  readonly issuer: string
  readonly audience: string
  /** Default RS256 alone; ES256 and EdDSA by configuration. Symmetric algorithms and `none` are a configuration error. */
  readonly algorithms?: readonly string[]
  /** Clears the cache when the keys change, if the key source reports that. */
  readonly keys: Pick<RemoteKeys, 'find'> & Partial<Pick<RemoteKeys, 'onChange'>>
  /** Real time in milliseconds, not the business clock that a sandbox moves. */
  readonly wall: () => number
  /** Size of the cache of verified tokens; default 10,000 (about 1 KB each). */
  readonly maxEntries?: number
}

export type Verifier = {
  /** Claims of a cached, unexpired token. Synchronous, so that the entrance can be too. */
  readonly cached: (token: string) => Claims | undefined
  /** Rejects with TokenRefused (401) or KeysUnavailable (503, `details.retryAfter` in seconds), nothing else. */
  readonly verify: (token: string) => Promise<Claims>
  /** Drops cached tokens of one subject (password, phone or roles changed; disabled), or all of them. */
  readonly forget: (sub?: string) => void
}

const [MAX_TOKEN, MAX_SUB, LEEWAY] = [8_192, 255, 5]
const SAFE_ALGORITHM = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/
// Stricter than jose, whose decoder accepts blanks and padding: a token must have one spelling only.
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/
const NO_KEY = [UnknownKey, errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys]
const ACCESS_TOKEN_TYPE = /^(?:jwt|(?:application\/)?at\+jwt)$/i

/** Verifies access tokens as RFC 9068 and RFC 8725 ask. Throws TypeError for an unsafe algorithm list. */
export function createVerifier(options: VerifierOptions): Verifier {
  const { algorithms = ['RS256'], audience, issuer, keys, maxEntries = 10_000, wall } = options
  if (algorithms.length === 0 || !algorithms.every((alg) => SAFE_ALGORITHM.test(alg)))
    throw new TypeError(`unsafe token algorithms: ${algorithms.join(', ') || 'none'}`)
  // The token itself is the cache key: a digest would cost more than everything else here. The first entry is the least
  // recently used.
  const entries = new Map<string, Claims>()
  // Incremented by every forget(), so that a verification begun earlier cannot cache its result afterwards.
  let generation = 0

  const forget = (sub?: string): void => {
    generation++
    if (sub === undefined) entries.clear()
    else for (const [key, claims] of entries) if (claims.sub === sub) entries.delete(key)
  }
  keys.onChange?.(() => forget())

  function cached(token: string): Claims | undefined {
    if (token.length > MAX_TOKEN) return undefined
    const claims = entries.get(token)
    if (!claims) return undefined
    const dead = claims.exp * 1000 <= wall()
    // Order of use matters only once the cache is full.
    const full = entries.size * 2 > maxEntries
    if (dead || full) entries.delete(token)
    if (dead) return undefined
    if (full) entries.set(token, claims)
    return claims
  }

  function remember(token: string, claims: Claims): void {
    entries.set(token, claims)
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value ?? '')
  }

  async function verify(token: string): Promise<Claims> {
    if (token.length > MAX_TOKEN || !COMPACT.test(token)) throw new TokenRefused('size or form')
    const known = cached(token)
    if (known) return known
    const begun = generation
    let outage: AppError | undefined
    // jose checks `alg` against the list before it asks for a key; jku, x5u and jwk of the header are ignored.
    const keyOf = async (header: JWTHeaderParameters) => {
      checkHeader(header)
      try {
        return await keys.find(header.kid === undefined ? { alg: header.alg } : { kid: header.kid, alg: header.alg })
      } catch (error) {
        outage = outageOf(error)
        throw outage ?? error
      }
    }
    const verifying = jwtVerify(token, keyOf, {
      algorithms: [...algorithms],
      audience,
      clockTolerance: LEEWAY,
      currentDate: new Date(wall()),
      issuer,
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    const { payload } = await verifying.catch((error: unknown) => {
      // Any other failure of the key source is an outage: a good token must not be called bad for it.
      throw outage ?? (error instanceof TokenRefused ? error : new TokenRefused(reasonOf(error)))
    })
    const claims = claimsOf(payload)
    if (begun === generation) remember(token, claims)
    return claims
  }

  return { cached, verify, forget }
}

/** Undefined when the key source answered that it has no such key. */
function outageOf(error: unknown): AppError | undefined {
  if (NO_KEY.some((kind) => error instanceof kind)) return undefined
  return error instanceof KeysUnavailable ? error : new KeysUnavailable(30, error)
}

function reasonOf(error: unknown): string {
  if (error instanceof UnknownKey) return 'unknown key'
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
    return `claim ${error.claim}`
  return error instanceof errors.JOSEError ? error.code : 'malformed token'
}

function checkHeader(header: JWTHeaderParameters): void {
  // RFC 9068 requires a typ and both our providers send one; without it an ID token would look the same.
  if (typeof header.typ !== 'string' || !ACCESS_TOKEN_TYPE.test(header.typ)) throw new TokenRefused('header typ')
  // No critical header extension is supported, not even those that the library knows (b64).
  if (header.crit !== undefined) throw new TokenRefused('header crit')
  if (header.kid !== undefined && typeof header.kid !== 'string') throw new TokenRefused('header kid')
}

function claimsOf(payload: JWTPayload): Claims {
  const { exp, iat, org_id: org, sub } = payload
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUB) throw new TokenRefused('claim sub')
  // JSON parses 1e999 as Infinity, which would never expire.
  if (typeof exp !== 'number' || typeof iat !== 'number' || !Number.isFinite(exp + iat))
    throw new TokenRefused('claim exp or iat')
  // Keycloak names its token type here (ID, Refresh, Offline, Logout); at_hash occurs in ID tokens only (OpenID
  // Connect).
  if (payload.typ !== undefined && payload.typ !== 'Bearer') throw new TokenRefused('claim typ')
  if (payload.at_hash !== undefined) throw new TokenRefused('claim at_hash')
  const orgId = typeof org === 'string' ? org.toLowerCase() : ''
  return Object.freeze({
    sub,
    ...(UUID.test(orgId) ? { orgId } : {}),
    roles: rolesOf(payload.realm_access),
    iat,
    exp,
    ...(typeof payload.auth_time === 'number' ? { authTime: payload.auth_time } : {}),
    ...text('sid', payload.sid),
    ...text('acr', payload.acr),
    ...text('azp', payload.azp),
    ...text('username', payload.preferred_username),
    ...text('email', payload.email),
    ...text('phoneNumber', payload.phone_number),
    ...(typeof payload.phone_number_verified === 'boolean' ? { phoneVerified: payload.phone_number_verified } : {}),
    ...text('givenName', payload.given_name),
    ...text('familyName', payload.family_name),
    ...text('name', payload.name),
  })
}

const text = <K extends string>(name: K, value: unknown): { [P in K]?: string } =>
  typeof value === 'string' && value !== '' ? ({ [name]: value } as { [P in K]?: string }) : {}

function rolesOf(access: unknown): readonly Role[] {
  const listed = typeof access === 'object' && access !== null && 'roles' in access ? access.roles : undefined
  if (!Array.isArray(listed) || !listed.every((role) => typeof role === 'string')) return Object.freeze([])
  return Object.freeze(ROLES.filter((role) => listed.includes(role)))
}
