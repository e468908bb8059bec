import type { Tx } from '../../../../db/open.ts'
import { purgeInSlices } from '../../../../db/write/purge.ts'
import { DAY_MS } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { deliverMessage } from './service.ts'
import { dueOutbound, expireOutbound, purgeOutbound, recoverOutbound } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log'>

const KEPT_MS = 90 * DAY_MS
/** Most messages sent at once. They run apart from the jobs, so that a slow vendor cannot block those. */
const AT_ONCE = 16

/** Deletes numbers and texts as soon as it is too late to send them, and the whole message after ninety days. */
export function purgeMessages(deps: Pick<Deps, 'write' | 'clock' | 'stopping'>): Promise<void> {
  const now = deps.clock.wall()
  return purgeInSlices(
    deps,
    (tx) => expireOutbound(tx, now),
    (tx) => purgeOutbound(tx, { before: now - KEPT_MS }),
  )
}

/** Makes messages that the last process was sending due again, under the same id for the vendor. */
export const recoverMessages = (tx: Tx, wall: number): void => recoverOutbound(tx, wall)

export function createDispatcher(deps: Work) {
  const underWay = new Map<string, Promise<unknown>>()

  /** Starts the due messages that there is room for, without waiting for them. @returns how many were started */
  function round(): number {
    const room = AT_ONCE - underWay.size
    const ids = room === 0 ? [] : dueOutbound(deps.db, deps.clock.wall(), AT_ONCE + room)
    const fresh = ids.filter((id) => !underWay.has(id)).slice(0, room)
    for (const id of fresh)
      underWay.set(
        id,
        deliverMessage(deps, id)
          .catch((e: unknown) => deps.log.error('message.failed', e))
          .finally(() => underWay.delete(id)),
      )
    return fresh.length
  }
  const settled = async (): Promise<void> => void (await Promise.all(underWay.values()))

  return {
    round: async () => round(),
    settled,
    /** Sends until nothing is due. @returns how many were tried */
    async drain(): Promise<number> {
      let done = 0
      for (let started = round(); started > 0; started = round()) {
        done += started
        await settled()
      }
      return done
    },
  }
}
