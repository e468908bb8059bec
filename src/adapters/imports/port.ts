/** Where files of rows are gone through: reading, trying and bringing in take seconds, in which requests are answered. */
export type ImportThread = {
  /** Goes through one run; its row tells how far. @throws what stopped it: an AppError for people, or what broke */
  readonly run: (orgId: string, importId: string) => Promise<void>
  /** Ends the thread, once it holds up no writes. */
  readonly close: () => Promise<void>
}
