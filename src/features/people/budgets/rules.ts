import { CODES, type Refilled } from '../../../core/budgets.ts'

/** Neighbouring numbers share it: the number without its last four digits. */
export const prefixOf = (phoneNumber: string): string => phoneNumber.slice(0, -4)

/** How much of a budget is spent within its time; `first` and `last` in epoch ms, null where nothing is. */
export type Spent = { readonly n: number; readonly first: number | null; readonly last: number | null }

/** Ms until one more is free within a plain budget: 0 now. */
export const waitOf = (b: { readonly ms: number; readonly most: number }, { n, first }: Spent, now: number): number =>
  n < b.most ? 0 : Math.max(1, (first ?? now) + b.ms - now)

/** Ms until one more is free of a budget that refills: 0 now. `ofSite`: what the asker's site had of it in the last hour. */
export function refillOf(b: Refilled, { n, first, last }: Spent, ofSite: number, now: number): number {
  if (n < b.most + (ofSite < CODES.quietBelow ? b.quiet : 0)) return 0
  return ofSite < CODES.loudFrom ? Math.max(0, (last ?? 0) + b.thenEvery - now) : waitOf(b, { n, first, last }, now)
}
