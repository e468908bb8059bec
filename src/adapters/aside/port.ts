import type { AppError } from '../../errors.ts'

/** `by`: whose share of the writes aside it uses; `memory`: bytes by which the process may grow meanwhile. */
export type AsideOptions = {
  readonly by?: { readonly orgId: string; readonly userId: string }
  readonly memory?: { readonly most: number; readonly refusal: () => AppError }
  /** Called with what the function notes on its way. */
  readonly noted?: (note: object) => void
}
/**
 * Runs functions that write for long, by their registered names, on a thread with a connection of its own: other writes
 * wait during its transaction, reads go on.
 */
export type Aside = {
  /** @returns what the function returns @throws what it throws; too_many_requests or overloaded if too many wait already */
  readonly run: (name: string, input: object, options?: AsideOptions) => Promise<unknown>
  /** Asks the functions to stop, and waits for those that write. */
  readonly close: () => Promise<void>
}
