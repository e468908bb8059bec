import { dayOf, purgeDays, purgePlaces } from '../../../../db/budgets.ts'
import { purgeInSlices } from '../../../../db/write/purge.ts'
import { PASSWORDS } from '../../../core/budgets.ts'
import { DAY_MS } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { purgeSends } from '../messages/store.ts'
import { purgeChallenges, purgeTickets } from './store.ts'

const KEPT_MS = 2 * DAY_MS
/** Deletes codes, tickets and sends that nothing counts any more, and places without a recent sign-in. */
export function purgeCodes(deps: Pick<Deps, 'write' | 'clock' | 'stopping'>): Promise<void> {
  const now = deps.clock.wall()
  const before = now - KEPT_MS
  return purgeInSlices(
    deps,
    (tx) => purgeChallenges(tx, { before }),
    (tx) => purgeTickets(tx, { before }),
    (tx) => purgeSends(tx, { before }),
    (tx) => purgePlaces(tx, { before: now - PASSWORDS.knownMs }),
    (tx) => purgeDays(tx, { before: dayOf(before) }),
  )
}
