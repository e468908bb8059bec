import { purgeInSlices } from '../../../../db/write/purge.ts'
import { DAY_MS } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { purgeReports } from './store.ts'

const KEPT_MS = 30 * DAY_MS
/** Deletes the ids of reports seen: no vendor repeats one after a month. */
export const purgeSeenReports = (deps: Pick<Deps, 'write' | 'clock' | 'stopping'>): Promise<void> =>
  purgeInSlices(deps, (tx) => purgeReports(tx, { before: deps.clock.wall() - KEPT_MS }))
