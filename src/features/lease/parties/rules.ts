/** Most co-tenants and guarantors of a lease together: their signatures stand on one paper. */
export const MOST_PARTIES = 6
