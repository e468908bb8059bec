import { prorate } from '../../../core/money.ts'

/**
 * Why something was taken off an invoice: it was cancelled, was paid for time after the end of the lease, or its provisions
 * were higher than the charges.
 */
export const CREDIT_NOTE_REASONS = ['CANCELLED', 'ENDED', 'REGULARISED'] as const

type Whole = { readonly tvaAmount: number; readonly grossAmount: number; readonly tvaBasisPoints: number }
/**
 * Net and TVA of a part of an invoice, in francs with TVA: the rest keeps the TVA of its share, rounded half up, so that
 * both add up to the invoice.
 */
function partOf({ tvaAmount, grossAmount, tvaBasisPoints }: Whole, gross: number) {
  const left = prorate(grossAmount - gross, tvaBasisPoints, 10_000 + tvaBasisPoints)
  const tva = gross === grossAmount ? tvaAmount : tvaAmount - left
  return { netAmount: gross - tva, tvaAmount: tva, grossAmount: gross }
}

type Sums = { readonly netAmount: number; readonly tvaAmount: number; readonly grossAmount: number }
/** The same of a further part: with the parts that were taken off before it is what one part of all would be. */
export function partBeside(whole: Whole, taken: readonly Sums[], gross: number): Sums {
  const before = taken.reduce((sum, part) => sum + part.grossAmount, 0)
  const all = partOf(whole, before + gross)
  const tvaAmount = taken.reduce((left, part) => left - part.tvaAmount, all.tvaAmount)
  return { netAmount: gross - tvaAmount, tvaAmount, grossAmount: gross }
}
