import type { Tx } from '../../../../db/open.ts'
import type { Deps } from '../../../deps.ts'
import { deliverMessage } from './service.ts'
import { dueOutbound, purgeOutbound, recoverOutbound } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log'>

const KEPT_MS = 90 * 24 * 3_600_000
/** At most this many on their way from the queue: apart from the jobs, which no slow vendor may hold up. */
const AT_ONCE = 16

/** Numbers and texts that are too late to send are forgotten at once, what became of a message after ninety days. */
export const purgeMessages = ({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<boolean> =>
  write(null, (tx) => {
    purgeOutbound(tx, clock.wall(), clock.wall() - KEPT_MS)
    return true
  })

/** At start nothing is being sent: messages that the process before had in hand are due now, under the same id for the vendor. */
export const recoverMessages = (tx: Tx, wall: number): void => recoverOutbound(tx, wall)

/** Sends what is due. */
export function createDispatcher(deps: Work) {
  const underWay = new Map<string, Promise<unknown>>()

  /** Starts what is due and has room, and does not wait for it. @returns how many were started */
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
    /** Everything that is due, until nothing is. @returns how many were tried */
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
