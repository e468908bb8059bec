import { dayOf, purgeSpending } from '../../../../db/spending.ts'
import { PASSWORDS } from '../../../core/budgets.ts'
import type { Deps } from '../../../deps.ts'
import { purgeSends } from '../budgets/store.ts'
import { purgeOld } from './store.ts'

const KEPT_MS = 2 * 24 * 3_600_000
/** Deletes codes, tickets and sends that nothing counts any more, and places without a recent sign-in. */
export const purgeCodes = ({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<boolean> =>
  write(null, (tx) => {
    const now = clock.wall()
    purgeOld(tx, now - KEPT_MS)
    purgeSends(tx, now - KEPT_MS)
    purgeSpending(tx, { places: now - PASSWORDS.knownMs, day: dayOf(now - KEPT_MS) })
    return true
  })
