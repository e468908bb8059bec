/** INVITED: not registered yet. ERASED: closed at the person's request, without personal data. */
export const USER_STATUS = ['INVITED', 'ACTIVE', 'DISABLED', 'ERASED'] as const

/** What an account gives up when its access ends for good: its number is free again. */
export const SHUT_OUT = { username: null, phoneNumber: null, phoneVerified: false, status: 'DISABLED' } as const
/** What is left of a person who was erased. */
export const ERASED = {
  ...SHUT_OUT,
  ...{ email: null, firstName: null, lastName: null, locale: null },
  roles: [],
  status: 'ERASED',
} as const
