import type { Keyed } from '../../../db/idempotency.ts'

/**
 * A change of a property, a lease, a payment, a regularisation or a tenant's account. `seen`: the version of its row that
 * the caller expects, if it named one.
 */
export type LongChange = {
  /** `settlement`: what `terminate` would settle, `shares`: what `regularise` would; nothing is changed. */
  readonly kind:
    | 'property'
    | 'terminate'
    | 'reinstate'
    | 'correct'
    | 'settlement'
    | 'pay'
    | 'advance'
    | 'decide'
    | 'regularise'
    | 'shares'
    | 'unregularise'
    | 'account'
  readonly caller: { readonly orgId: string; readonly userId: string }
  readonly requestId: string
  readonly nowMs: number
  readonly id: string
  /** The body of the request, or its query. */
  readonly given: object
  readonly seen: number | undefined
  /** The epoch in the ETag of the answer. */
  readonly epoch: string
  /** The Idempotency-Key, if the thread makes the whole answer. */
  readonly keyed: Keyed | undefined
}
/** Runs imports beside the service: reading, checking and writing rows take seconds, in which requests are answered. */
export type ImportThread = {
  /** Works through one run, recording progress in its row. @throws what stopped it: an AppError for people, or a fault */
  readonly run: (orgId: string, importId: string) => Promise<void>
  /**
   * Changes a property with many documents, or a lease with many invoices, which follow in one transaction, during which
   * others can read. @returns its row, or the settlement @throws too_many_requests or overloaded if too many changes wait already
   */
  readonly change: (change: LongChange) => Promise<unknown>
  /** Ends the thread as soon as it is not writing. */
  readonly close: () => Promise<void>
}
