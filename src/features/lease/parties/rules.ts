/** The people on a lease besides its landlord and its tenant. */
export const PARTY_ROLES = ['CO_TENANT', 'GUARANTOR'] as const
/** Most co-tenants and guarantors of a lease together: their signatures stand on one paper. */
export const MOST_PARTIES = 6
