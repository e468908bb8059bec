import type { createOnce, Done, Keyed } from '../../db/idempotency.ts'
import type { Caller } from '../context.ts'
import { callerOf } from './gate.ts'
import { type createSpending, sizeOf } from './limits.ts'

type KeyOf = (request: Request, body: unknown) => Keyed | undefined

/**
 * `together(request, body, work)`: several writes that give one answer to their Idempotency-Key. `work` does not run if the
 * key already has an answer; if two ran at the same time, the answer of the first to end counts for both.
 */
export function createTogether(
  once: ReturnType<typeof createOnce>,
  keyOf: KeyOf,
  spend: ReturnType<typeof createSpending>,
) {
  /** The earlier answer to the key. */
  async function known<T>(caller: Caller, keyed: Keyed): Promise<Done<T> | undefined> {
    const none = new Error('nothing yet')
    try {
      return await once<T>(caller, keyed, () => {
        throw none
      })
    } catch (e) {
      if (e !== none) throw e
      return undefined
    }
  }
  return async <T>(request: Request, body: unknown, work: () => Promise<Done<T>>): Promise<Done<T>> => {
    const caller = callerOf(request)
    spend(request, caller, sizeOf(request, body))
    const keyed = keyOf(request, body)
    if (!keyed) return work()
    const earlier = await known<T>(caller, keyed)
    if (earlier) return earlier
    const done = await work()
    return once(caller, keyed, () => done)
  }
}
