export const PARTIES = ['LANDLORD', 'TENANT'] as const
/** Everybody who signs a lease. */
export const SIGNING_PARTIES = [...PARTIES, 'CO_TENANT', 'GUARANTOR'] as const
export const SIGNATURE_STATUS = ['VALID', 'VOID'] as const
/**
 * Why a signature no longer counts: the text changed, the lease was cancelled, or it came into force without both
 * signatures.
 */
export const UNSIGNED_BY = ['CHANGED', 'CANCELLED', 'ACTIVATED'] as const
export type UnsignedBy = (typeof UNSIGNED_BY)[number]

/** Kinds of rows that the text of a lease is made from, besides the booking. The last two concern every lease. */
export const LEASE_SOURCES = ['tenant', 'property', 'unit', 'user', 'organization', 'lease_template'] as const
export type LeaseSource = (typeof LEASE_SOURCES)[number]
export const isLeaseSource = (type: string): type is LeaseSource => (LEASE_SOURCES as readonly string[]).includes(type)
