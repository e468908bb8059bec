import type { Deps } from '../../../deps.ts'
import { purgeReports } from './store.ts'

const KEPT_MS = 30 * 24 * 3_600_000
/** Deletes the ids of reports seen: no vendor repeats one after a month. */
export const purgeSeenReports = ({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<boolean> =>
  write(null, (tx) => {
    purgeReports(tx, clock.wall() - KEPT_MS)
    return true
  })
