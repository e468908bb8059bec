import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { forgetTimeTo, readLeap, readMark, writeLeap, writeMark } from '../db/clock.ts'
import type { Db, Store } from '../db/open.ts'
import { DAY_MS } from './core/dates.ts'
import { monotonicTime } from './core/monotonic-time.ts'
import type { Log } from './log.ts'

/** `now` is business time (billing, createdAt, ids), `wall` real time (tokens, lifetimes, limits, links); both epoch ms. */
export type Clock = { readonly now: () => number; readonly wall: () => number }

/** Clock corrections up to this size are normal (NTP) and not reported. */
const SILENT_MS = 60_000
/** A step ahead of more than this is longer than a service usually stands still: the clock may be wrong. */
const LEAP_MS = 100 * DAY_MS
/** How long work by the calendar waits after such a step, so that an operator has time to see it. */
const HELD_MS = DAY_MS

/**
 * The operator's confirmation that the clock is right: a file in the data folder, which the service reads and removes.
 */
export const confirmationIn = (dataDir: string): string => join(dataDir, 'clock.confirmed')

const iso = (ms: number): string => new Date(ms).toISOString()

/**
 * The service's time: the machine's clock, but never earlier than the latest time in the database. Where that was more
 * than a day ahead of a clock that is set, all sessions and links end, and time restarts at the machine's clock. After a
 * step of months, `leap` is set until the file `confirmation` says that the clock is right, or for a day.
 */
export async function openTime(store: Store, log: Log, real: () => number = Date.now, confirmation = '') {
  let { mark, resets } = readMark(store.db)
  let leap = readLeap(store.db)
  const time = monotonicTime(real, mark)
  let isLagLogged = false

  async function goBack(): Promise<void> {
    const span = { from: time.now(), to: Math.floor(real()) }
    await store.write(null, (tx) => {
      forgetTimeTo(tx, span)
      writeMark(tx, span.to, resets + 1)
      writeLeap(tx, undefined)
    })
    resets += 1
    leap = undefined
    time.reset()
    mark = span.to
    const [from, to] = [iso(span.from), iso(span.to)]
    log.error('clock.was_wrong', new Error(`The service had seen ${from}, and the clock of this machine says ${to}.`), {
      from,
      to,
      detail: 'Everybody signs in again. Look through what was written with dates that are not true.',
    })
  }

  function tellLeap(span: { readonly from: number; readonly to: number }): void {
    const [from, to] = [iso(span.from), iso(span.to)]
    log.error('clock.leapt', new Error(`The last time seen was ${from}, and the clock of this machine says ${to}.`), {
      from,
      to,
      detail:
        'For a day no rent is billed, no reminder is sent and no lease ends by its date. If the clock is right, run `loyer clock confirm`; if not, set it right.',
    })
  }
  /** The step ahead that nobody has confirmed yet, epoch ms. */
  function current(): typeof leap {
    const now = time.now()
    if (!leap && mark > 0 && now - mark > LEAP_MS) {
      leap = { from: mark, to: now }
      tellLeap(leap)
    }
    return leap
  }

  /** Stores the time for the next start; call it every minute. @returns whether time went back */
  async function keep(): Promise<boolean> {
    const astray = time.isAstray()
    if (astray) await goBack()
    else {
      const now = time.now()
      const held = current()
      const confirmed = existsSync(confirmation)
      const over = held !== undefined && (confirmed || now - held.to > HELD_MS)
      await store.write(null, (tx) => {
        writeMark(tx, now, resets)
        writeLeap(tx, over ? undefined : held)
      })
      mark = now
      if (confirmed) rmSync(confirmation, { force: true })
      if (over) {
        leap = undefined
        log.warn('clock.believed', { from: iso(held.from), to: iso(held.to) })
      }
    }
    const late = time.lead() > SILENT_MS
    if (late && !isLagLogged)
      log.warn('clock.set_back', {
        seconds: Math.round(time.lead() / 1000),
        detail:
          'The clock of this machine was set back, or is not set. Time goes on more slowly until it has caught up.',
      })
    isLagLogged = late
    return astray
  }
  // Nothing has been written before this at start. If the disk is full, the next minute tries again.
  if (time.isAstray()) await goBack().catch((e: unknown) => log.error('clock.not_kept', e))
  else if (leap) tellLeap(leap)
  return {
    now: time.now,
    /** The machine's clock, which other machines' tokens and requests to them are compared with. */
    machine: real,
    lead: time.lead,
    keep,
    leap: current,
    resets: (): number => resets,
    /** What /readyz says of the clock; undefined while all is well. */
    trouble: (): 'SET_BACK' | 'LEAPT' | undefined =>
      current() ? 'LEAPT' : time.lead() > SILENT_MS ? 'SET_BACK' : undefined,
  }
}
/** The same time for a command beside the service, which may have a minute of it not stored yet. */
export function timeBeside(db: Db, real: () => number = Date.now): number {
  const time = monotonicTime(real, readMark(db).mark)
  return time.isAstray() ? real() : time.now()
}
export type Time = Awaited<ReturnType<typeof openTime>>
