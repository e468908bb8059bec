// The organization's date, as the server said it last: the browser's may be a day off, and a sandbox moves it.
import { api, data } from './api.ts'

const FRESH_MS = 600_000
/** How long a failed question rests. */
const REST_MS = 60_000
let day = $state.raw<string>()
let due = 0
let asking: Promise<void> | undefined

/** Takes the date from an answer that carries it. */
export function learn(today: string): void {
  day = today
  due = Date.now() + FRESH_MS
}
/** Asks for the date where what is known is older than ten minutes. */
export function learnToday(): Promise<void> {
  // a clock that was set back must not make an old date fresh
  const left = due - Date.now()
  if (left > 0 && left <= FRESH_MS) return Promise.resolve()
  asking ??= data(api.GET('/api/v1/organization'))
    .then(({ today }) => learn(today))
    .catch(() => {
      due = Date.now() + REST_MS
    })
    .finally(() => {
      asking = undefined
    })
  return asking
}
/** Undefined until the server has said it. */
export const knownToday = (): string | undefined => day
/** A page with a form of today's date: it opens once the date is known. */
export const dated =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> =>
    (await Promise.all([load(), learnToday()]))[0]
