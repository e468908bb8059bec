/** A reading that was a mistake is CANCELLED, never deleted. */
export const READING_STATUS = ['RECORDED', 'CANCELLED'] as const
