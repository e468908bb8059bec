import { forgetTimeTo, readMark, writeMark } from '../db/clock.ts'
import type { Store } from '../db/open.ts'
import { steadyTime } from './core/steady.ts'
import type { Log } from './log.ts'

/** Clock corrections up to this size are normal (NTP) and not reported. */
const SILENT_MS = 60_000

/**
 * The service's time: the machine's clock, but never earlier than the latest time in the database. Where that was more
 * than a day ahead of a clock that is set, all sessions and links end, and time restarts at the machine's clock.
 */
export async function openTime(store: Store, log: Log, real: () => number = Date.now) {
  let { mark, resets } = readMark(store.db)
  const time = steadyTime(real, mark)
  let told = false

  async function goBack(): Promise<void> {
    const span = { from: time.now(), to: Math.floor(real()) }
    await store.write(null, (tx) => {
      forgetTimeTo(tx, span)
      writeMark(tx, span.to, resets + 1)
    })
    resets += 1
    time.reset()
    const [from, to] = [new Date(span.from).toISOString(), new Date(span.to).toISOString()]
    log.error('clock.was_wrong', new Error(`The service had seen ${from}, and the clock of this machine says ${to}.`), {
      from,
      to,
      detail: 'Everybody signs in again. Look through what was written with dates that are not true.',
    })
  }
  /** Stores the time for the next start; call it every minute. @returns whether time went back */
  async function keep(): Promise<boolean> {
    const astray = time.isAstray()
    if (astray) await goBack()
    else await store.write(null, (tx) => writeMark(tx, time.now(), resets))
    const late = time.lead() > SILENT_MS
    if (late && !told)
      log.warn('clock.set_back', {
        seconds: Math.round(time.lead() / 1000),
        detail:
          'The clock of this machine was set back, or is not set. Time goes on more slowly until it has caught up.',
      })
    told = late
    return astray
  }
  // Nothing has been written before this at start. If the disk is full, the next minute tries again.
  if (time.isAstray()) await goBack().catch((e: unknown) => log.error('clock.not_kept', e))
  return { now: time.now, lead: time.lead, keep, resets: (): number => resets }
}
export type Time = Awaited<ReturnType<typeof openTime>>
