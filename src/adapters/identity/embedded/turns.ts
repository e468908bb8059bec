import { AppError } from '../../../errors.ts'

/**
 * Work under one key runs one after another, at most `most` waiting or running at a time.
 * @throws overloaded where that many are there already
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
