/** The specification's realm roles, the narrowest first. */
export const ROLES = ['TENANT', 'OWNER', 'MANAGER', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]
export const isRole = (word: string): word is Role => (ROLES as readonly string[]).includes(word)

/** A manager of some properties may call what an owner may, but for what is of the whole organization. */
export const rolesOfPart = (roles: readonly Role[], whole: boolean): readonly Role[] =>
  roles.flatMap((role) => (role !== 'MANAGER' ? [role] : whole ? [] : ['OWNER' as const]))
