/** What the sub-meters of a building count. */
export const METER_KINDS = ['WATER', 'POWER', 'GAS', 'OTHER'] as const
export type MeterKind = (typeof METER_KINDS)[number]
