import type { Found, Reading } from '../../../db/list-reading.ts'

/** Reads lists that would hold the main thread up, one after another, each person's in their turn. */
export type ListThread = {
  /** @throws too_many_requests, overloaded where enough wait already; what the database says */
  readonly read: (userId: string, reading: Reading) => Promise<Found>
  readonly close: () => Promise<void>
}
