import type { Found, Reading } from '../../../db/list-reading.ts'

/** Reads lists that would hold up the main thread, one after another; people take turns. */
export type ListThread = {
  /** @throws too_many_requests or overloaded if too many lists wait already; errors of the database */
  readonly read: (userId: string, reading: Reading) => Promise<Found>
  readonly close: () => Promise<void>
}
