import { DAY_MS } from '../../../core/dates.ts'

/** INVITED: not registered yet. ERASED: closed at the person's request, without personal data. */
export const USER_STATUS = ['INVITED', 'ACTIVE', 'DISABLED', 'ERASED'] as const

/** The members of an account whose access ended for good: its number is free again. */
export const SHUT_OUT = { username: null, phoneNumber: null, phoneVerified: false, status: 'DISABLED' } as const

/**
 * Whether somebody administers the organization, or did within the last day: taking the role away is no way around what
 * protects it. `now`: epoch ms.
 */
export const isOrWasAdmin = (
  { roles, adminUntil }: { readonly roles: readonly string[]; readonly adminUntil: number | null },
  now: number,
): boolean => roles.includes('ADMIN') || (adminUntil !== null && now - adminUntil * 1000 < DAY_MS)

type Named = { readonly [N in 'firstName' | 'lastName']?: string | null | undefined }
/** Both names in one; empty where a person gave none. */
export const fullNameOf = (user: Named | undefined): string =>
  [user?.firstName, user?.lastName].filter(Boolean).join(' ')

export type Profile = {
  readonly [N in 'username' | 'email' | 'firstName' | 'lastName' | 'phoneNumber']: string | null
} & { readonly phoneVerified: boolean; readonly roles: readonly string[] }
type Claims = {
  readonly [N in 'username' | 'email' | 'givenName' | 'familyName' | 'phoneNumber']?: string | undefined
} & { readonly phoneVerified?: boolean | undefined; readonly roles: readonly string[] }

/** The claims of a token as members of a user row. */
export const profileOf = (claims: Claims): Profile => ({
  username: claims.username ?? null,
  email: claims.email ?? null,
  firstName: claims.givenName ?? null,
  lastName: claims.familyName ?? null,
  phoneNumber: claims.phoneNumber ?? null,
  phoneVerified: claims.phoneVerified ?? false,
  roles: claims.roles,
})
const members = (p: Profile): string =>
  JSON.stringify([p.username, p.email, p.firstName, p.lastName, p.phoneNumber, p.phoneVerified, p.roles])
/** Whether a row already has what the token says. */
export const sameProfile = (a: Profile, b: Profile): boolean => members(a) === members(b)
