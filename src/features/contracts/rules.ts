export const PARTIES = ['LANDLORD', 'TENANT'] as const
export type LeaseParty = (typeof PARTIES)[number]
export const SIGNATURE_STATUS = ['VALID', 'VOID'] as const
/** Why a signature no longer counts: the text changed, the lease was cancelled, or came into force without both. */
export const UNSIGNED_BY = ['CHANGED', 'CANCELLED', 'ACTIVATED'] as const
export type UnsignedBy = (typeof UNSIGNED_BY)[number]
