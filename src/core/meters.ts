/** What the sub-meters of a building count. */
export const METER_KINDS = ['WATER', 'POWER', 'GAS', 'OTHER'] as const
export type MeterKind = (typeof METER_KINDS)[number]

/** Thousandths of a measure as text, without decimals that say nothing: `1 245,5` (fr) or `1,245.5` (en). */
export function formatCount(thousandths: number, locale: 'fr' | 'en'): string {
  const whole = String(Math.floor(thousandths / 1000)).replace(/\B(?=(?:\d{3})+$)/g, locale === 'fr' ? '\u00a0' : ',')
  const rest = String(thousandths % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '')
  return rest === '' ? whole : `${whole}${locale === 'fr' ? ',' : '.'}${rest}`
}
