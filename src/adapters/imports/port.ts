import type { Keyed } from '../../../db/idempotency.ts'

/** A change of a property, a lease, a payment, a regularisation or a tenant's account, decided on a version of its row: `seen` is that version where the caller named one. */
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
  /** Of the ETag of the answer. */
  readonly epoch: string
  /** Of its Idempotency-Key, where the thread answers it whole. */
  readonly keyed: Keyed | undefined
}
/** Runs imports beside the service: reading, checking and writing rows take seconds, in which requests are answered. */
export type ImportThread = {
  /** Works through one run, recording progress in its row. @throws what stopped it: an AppError for people, or a fault */
  readonly run: (orgId: string, importId: string) => Promise<void>
  /**
   * Changes a property with many documents, or a lease with many invoices, which follow in one transaction, during which
   * others can read. @returns its row, or the settlement @throws too_many_requests, overloaded where enough wait already
   */
  readonly change: (change: LongChange) => Promise<unknown>
  /** Ends the thread as soon as it is not writing. */
  readonly close: () => Promise<void>
}
