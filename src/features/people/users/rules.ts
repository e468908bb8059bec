/** INVITED: not registered yet. ERASED: closed at the person's request, without personal data. */
export const USER_STATUS = ['INVITED', 'ACTIVE', 'DISABLED', 'ERASED'] as const
