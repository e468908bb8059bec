export const INSPECTION_KINDS = ['ENTRY', 'EXIT'] as const
/** Filled in by the landlord; out for both to sign; signed by both. */
export const INSPECTION_STATUS = ['DRAFT', 'PROPOSED', 'SIGNED'] as const
export const ITEM_STATES = ['NEW', 'GOOD', 'WORN', 'DAMAGED', 'MISSING', 'NOT_CHECKED'] as const
export type ItemState = (typeof ITEM_STATES)[number]
export const METER_KINDS = ['WATER', 'POWER', 'GAS'] as const
