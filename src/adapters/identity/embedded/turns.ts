import { AppError } from '../../../errors.ts'

/**
 * Runs work with the same key one at a time, with at most `most` running or waiting. @throws overloaded beyond that
 */
export function createTurns(most: number) {
  const lines = new Map<string, { held: number; last: Promise<unknown> }>()
  return async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(key) ?? { held: 0, last: Promise.resolve() }
    if (line.held >= most) throw new AppError('overloaded', undefined, { retryAfter: 2 })
    lines.set(key, line)
    line.held += 1
    const mine = line.last.then(work)
    line.last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      line.held -= 1
      if (line.held === 0) lines.delete(key)
    }
  }
}
