/** The specification's realm roles, the narrowest first. */
export const ROLES = ['TENANT', 'OWNER', 'MANAGER', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]
export const isRole = (word: string): word is Role => (ROLES as readonly string[]).includes(word)
