/** PROPOSED: waits for the tenant's signature. SCHEDULED: counts from its day. IN_FORCE: its day has come. */
export const RENT_CHANGE_STATUS = ['PROPOSED', 'SCHEDULED', 'IN_FORCE', 'CANCELLED'] as const
