import type { Refilled } from '../../core/budgets.ts'

/** How much of a budget is spent within its time; `first` and `last` in epoch ms, null where nothing is. */
export type Spent = { readonly n: number; readonly first: number | null; readonly last: number | null }

/** Ms until one more is free within a plain budget: 0 now. */
export const waitOf = (b: { readonly ms: number; readonly most: number }, { n, first }: Spent, now: number): number =>
  n < b.most ? 0 : Math.max(1, (first ?? now) + b.ms - now)

/** Ms until one more is free of a budget that refills: 0 now. `quiet`: the asker's site has had none of it lately. */
export const refillOf = (b: Refilled, { n, last }: Spent, quiet: boolean, now: number): number =>
  n < b.most + (quiet ? b.quiet : 0) ? 0 : Math.max(0, (last ?? 0) + b.thenEvery - now)
