/** A change of a property, decided on what its row was: `seen` is its version where the caller named one. */
export type PropertyChange = {
  readonly caller: { readonly orgId: string }
  readonly requestId: string
  readonly nowMs: number
  readonly id: string
  readonly patch: object
  readonly seen: number | undefined
}
/** Where files of rows are gone through: reading, trying and bringing in take seconds, in which requests are answered. */
export type ImportThread = {
  /** Goes through one run; its row tells how far. @throws what stopped it: an AppError for people, or what broke */
  readonly run: (orgId: string, importId: string) => Promise<void>
  /** Changes a property whose papers are many: the copies on them follow in one transaction, in which others can read. @returns its row */
  readonly changeProperty: (change: PropertyChange) => Promise<unknown>
  /** Ends the thread, once it holds up no writes. */
  readonly close: () => Promise<void>
}
