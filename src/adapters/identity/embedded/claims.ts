import { API } from './clients.ts'
import type { AccountRow } from './rows/users.ts'

/** Seconds. */
export const LIFETIME = { access: 300, id: 300, code: 60, login: 1800, idle: 14 * 86_400, most: 30 * 86_400 } as const
export const SCOPES = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const
/** The API as a resource of RFC 8707, which must be a URI; tokens for it name the audience svc-api. */
export const RESOURCE = `urn:svc:${API.replace('svc-', '')}`

export const CLAIMS = {
  openid: ['sub', 'sid', 'acr', 'amr', 'auth_time'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale'],
  email: ['email'],
  phone: ['phone_number', 'phone_number_verified'],
} as const

/** Every claim that an ID token or the userinfo endpoint may contain, for the discovery document. */
export const ANNOUNCED: readonly string[] = [
  ...new Set(Object.values(CLAIMS).flat()),
  ...['org_id', 'realm_access'],
  ...['iss', 'aud', 'exp', 'iat', 'nonce'],
]

const nameOf = (user: AccountRow): string | undefined =>
  [user.firstName, user.lastName].filter(Boolean).join(' ') || undefined

/** Claims about a person by their OpenID names; the scope decides which are returned. */
export const personClaims = (user: AccountRow) => ({
  sub: user.id,
  name: nameOf(user),
  given_name: user.firstName ?? undefined,
  family_name: user.lastName ?? undefined,
  preferred_username: user.username ?? undefined,
  email: user.email ?? undefined,
  phone_number: user.phoneNumber ?? undefined,
  phone_number_verified: user.phoneVerified,
  locale: user.locale ?? undefined,
})

/** The claims that the API reads from an access token, in Keycloak's shape, whatever the scope. */
export const accessClaims = (user: AccountRow) => {
  const { sub: _, locale: __, ...person } = personClaims(user)
  return { ...person, typ: 'Bearer', org_id: user.orgId, realm_access: { roles: user.roles } }
}

/** Only the claims that the granted scope covers, without undefined ones. */
export function claimsFor(scope: string, claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const granted = new Set(scope.split(' '))
  const names = new Set<string>(Object.entries(CLAIMS).flatMap(([s, list]) => (granted.has(s) ? list : [])))
  return Object.fromEntries(Object.entries(claims).filter(([name, value]) => names.has(name) && value !== undefined))
}
