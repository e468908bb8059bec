/** INVITED: asked in by number and not registered yet. ERASED: closed at the person's wish; nothing personal is left. */
export const USER_STATUS = ['INVITED', 'ACTIVE', 'DISABLED', 'ERASED'] as const
