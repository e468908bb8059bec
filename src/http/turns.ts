import { PAPERS_AT_ONCE } from '../core/budgets.ts'
import { AppError } from '../errors.ts'

/** Lets each caller have a few pieces of costly work in hand at once. @throws too_many_requests beyond */
export function createTurns() {
  const inHand = new Map<string, number>()
  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const others = inHand.get(userId) ?? 0
    if (others >= PAPERS_AT_ONCE)
      throw new AppError(
        'too_many_requests',
        {
          en: `${PAPERS_AT_ONCE} of your papers are being drawn already. Wait for one, then ask again.`,
          fr: `${PAPERS_AT_ONCE} de vos documents sont déjà en préparation. Attendez-en un, puis réessayez.`,
        },
        { retryAfter: 3 },
      )
    inHand.set(userId, others + 1)
    try {
      return await work()
    } finally {
      const left = (inHand.get(userId) ?? 1) - 1
      if (left === 0) inHand.delete(userId)
      else inHand.set(userId, left)
    }
  }
}
