import { prorate } from '../../../core/money.ts'

/** PROPOSED: waits for the tenant's signature. SCHEDULED: counts from its day. IN_FORCE: its day has come. */
export const RENT_CHANGE_STATUS = ['PROPOSED', 'SCHEDULED', 'IN_FORCE', 'CANCELLED'] as const

type Step = { readonly fromDate: string; readonly rentAmount: number; readonly previousAmount: number }

/** The net rent (francs) of a full period that starts on `day`. `steps`: the changes that count, by their day. */
export function rentOn(steps: readonly Step[], rentNow: number, day: string): number {
  const later = steps.find((step) => step.fromDate > day)
  return later?.previousAmount ?? steps.at(-1)?.rentAmount ?? rentNow
}

/**
 * The net rent (francs) of a full period that an invoice was made out at: a period that was paid before a change keeps
 * its own. `amount` is the rent of `days` of the period's `daysInPeriod`.
 */
export function rentBehind(
  steps: readonly Step[],
  rentNow: number,
  invoice: { readonly start: string; readonly amount: number; readonly days: number; readonly daysInPeriod: number },
): number {
  const { start, amount, days, daysInPeriod } = invoice
  if (days === daysInPeriod) return amount
  const known = rentOn(steps, rentNow, start)
  const all = [known, ...steps.flatMap((step) => [step.previousAmount, step.rentAmount])]
  return all.find((rent) => prorate(rent, days, daysInPeriod) === amount) ?? known
}
