import type { Deps } from '../../deps.ts'
import { purgeOld } from './store.ts'

const KEPT_MS = 2 * 24 * 3_600_000
/** Forgets codes, sends and tickets that nothing counts any more. */
export const purgeCodes = ({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<boolean> =>
  write(null, (tx) => {
    purgeOld(tx, clock.wall() - KEPT_MS)
    return true
  })
