import type { Store } from '../../../../db/open.ts'
import { DAY_MS } from '../../../core/dates.ts'
import type { Clock } from '../../../time.ts'
import { readOffset, writeOffset } from './store.ts'

export type MovableClock = Clock & { readonly advance: (days: number) => Promise<number> }

/** Business time is real time plus an offset that the sandbox sets and the database stores. */
export function movableClock(store: Store, wall: Clock['wall']): MovableClock {
  let offset = readOffset(store.db)
  return {
    now: () => wall() + offset,
    wall,
    async advance(days) {
      offset = await store.write(null, (tx) => {
        const next = readOffset(tx) + days * DAY_MS
        writeOffset(tx, next)
        return next
      })
      return wall() + offset
    },
  }
}
