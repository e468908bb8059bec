/** The specification's realm roles, the narrowest first. */
export const ROLES = ['TENANT', 'OWNER', 'MANAGER', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]
export const isRole = (word: string): word is Role => (ROLES as readonly string[]).includes(word)

/**
 * The roles that a manager of some properties has for a route: those of an owner, and none where it concerns the whole
 * organization.
 */
export const rolesOfPart = (roles: readonly Role[], whole: boolean): readonly Role[] =>
  roles.flatMap((role) => (role !== 'MANAGER' ? [role] : whole ? [] : ['OWNER' as const]))
