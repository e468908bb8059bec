import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { ELSEWHERE, KNOWN_SITES } from '../src/core/budgets.ts'
import { DAY_MS } from '../src/core/dates.ts'
import { ANYBODY } from '../src/core/known-places.ts'
import type { Db, Tx } from './open.ts'
import { query } from './query.ts'
import { budgetDay, knownPlace } from './schema/identity.ts'
import { purging } from './write/purge.ts'

/** Days are those of UTC, counted from 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS)

const add = query('budgetDay.add', ['budget', 'key', 'day', 'n'], (db, p) =>
  db
    .insert(budgetDay)
    .values({ budget: p.budget, key: p.key, day: p.day, spent: p.n })
    .onConflictDoUpdate({
      target: [budgetDay.budget, budgetDay.key, budgetDay.day],
      set: { spent: sql`${budgetDay.spent} + ${p.n}` },
    }),
)
/** A budget of somebody, or of something, on a day. */
type Day = { readonly budget: string; readonly key: string; readonly day: number }
/** Spends `n` of a day's budget; a negative `n` gives back. */
export const spendDay = (tx: Tx, of: Day, n = 1): void => void add(tx).run({ ...of, n })

const ofDay = query('budgetDay.spent', ['budget', 'key', 'day'], (db, p) =>
  db
    .select({ spent: budgetDay.spent })
    .from(budgetDay)
    .where(and(eq(budgetDay.budget, p.budget), eq(budgetDay.key, p.key), eq(budgetDay.day, p.day))),
)
export const spentOnDay = (db: Db, budget: string, key: string, day: number): number =>
  ofDay(db).get({ budget, key, day })?.spent ?? 0

type Asker = { readonly userId: string; readonly orgId: string }
const elsewhereOf = ({ userId, orgId }: Asker) =>
  [
    ['elsewhere_person', userId, ELSEWHERE.person],
    ['elsewhere_organization', orgId, ELSEWHERE.organization],
  ] as const
/** How many more phone numbers somebody may enter today and learn that they belong to an account elsewhere. */
export const elsewhereLeft = (db: Db, asker: Asker, now: number): number =>
  Math.min(...elsewhereOf(asker).map(([budget, key, most]) => most - spentOnDay(db, budget, key, dayOf(now))))
/** Counts numbers about which somebody has learned that. @returns how many were left before */
export function spendElsewhere(tx: Tx, asker: Asker, now: number, n = 1): number {
  const left = elsewhereLeft(tx, asker, now)
  for (const [budget, key] of elsewhereOf(asker)) spendDay(tx, { budget, key, day: dayOf(now) }, n)
  return left
}

type Most = { readonly budget: string; readonly key: string; readonly most: number }
/** @returns ms until a day's budget (UTC) refills if it is spent, else 0 */
export const waitOfDay = (db: Db, { budget, key, most }: Most, now: number): number =>
  spentOnDay(db, budget, key, dayOf(now)) >= most ? untilRefill(now) : 0
/** Takes one from the budget of the day (UTC) of `now`; returns no row if as many as `most` are spent. */
export const takeOfDay = query('budgetDay.take', ['budget', 'key', 'now', 'most'], (db, p) =>
  db
    .insert(budgetDay)
    .values({ budget: p.budget, key: p.key, day: sql`cast(${p.now} / ${DAY_MS} as integer)`, spent: 1 })
    .onConflictDoUpdate({
      target: [budgetDay.budget, budgetDay.key, budgetDay.day],
      set: { spent: sql`${budgetDay.spent} + 1` },
      setWhere: lt(budgetDay.spent, p.most),
    })
    .returning({ spent: budgetDay.spent }),
)
/** ms until the budgets of a day refill. */
export const untilRefill = (now: number): number => (dayOf(now) + 1) * DAY_MS - now

type DayBudget = readonly [budget: string, key: string, most: number]
/** Takes one from each budget of the day of `at`; returns false and takes nothing if one of them is spent. */
export function spendAllOfDay(tx: Tx, budgets: readonly DayBudget[], at: number): boolean {
  const day = dayOf(at)
  if (budgets.some(([budget, key, most]) => spentOnDay(tx, budget, key, day) >= most)) return false
  for (const [budget, key] of budgets) spendDay(tx, { budget, key, day })
  return true
}

export type PasswordBudget = 'password_strangers' | 'password_network' | 'password_browser' | 'password_session'
const forgetTries = query('budgetDay.forgetPasswords', ['userId'], (db, p) =>
  db
    .delete(budgetDay)
    .where(
      and(
        sql`${budgetDay.budget} in ('password_strangers', 'password_network', 'password_browser', 'password_session')`,
        eq(budgetDay.key, p.userId),
      ),
    ),
)

type Place = typeof knownPlace.$inferSelect
const one = query('knownPlace.one', ['userId', 'place', 'since'], (db, p) =>
  db
    .select()
    .from(knownPlace)
    .where(and(eq(knownPlace.userId, p.userId), eq(knownPlace.place, p.place), gt(knownPlace.lastAt, p.since))),
)
/** The network or browser if the account has signed in from it since the given time; otherwise undefined. */
export const knownPlaceOf = (db: Db, userId: string, place: string, since: number): Place | undefined =>
  one(db).get({ userId, place, since })

const put = query('knownPlace.put', ['userId', 'place', 'failures', 'waitUntil', 'lastAt'], (db, p) =>
  db
    .insert(knownPlace)
    .values(p as never)
    .onConflictDoUpdate({
      target: [knownPlace.userId, knownPlace.place],
      set: {
        failures: sql`excluded.failures`,
        waitUntil: sql`excluded.wait_until`,
        lastAt: sql`excluded.last_at`,
      },
    }),
)
export const putPlace = (tx: Tx, row: Place): void => void put(tx).run(row)

const trim = query('knownPlace.trim', ['userId', 'most'], (db, p) =>
  db
    .delete(knownPlace)
    .where(
      and(
        eq(knownPlace.userId, p.userId),
        sql`${knownPlace.place} not in (select place from known_place where user_id = ${p.userId} order by last_at desc limit ${p.most})`,
      ),
    ),
)
/** Records that the account's owner signed in from here; of many places only the latest are stored. */
export function rememberPlace(tx: Tx, seen: Pick<Place, 'userId' | 'place' | 'lastAt'>, most: number): void {
  putPlace(tx, { ...seen, failures: 0, waitUntil: null })
  trim(tx).run({ userId: seen.userId, most })
}

/**
 * Records that somebody signed in at this site. One account adds only a few sites a day, so that nobody makes the
 * addresses of a flood known, or drops those of others.
 */
export function rememberSite(tx: Tx, userId: string, place: string, now: number): void {
  if (one(tx).get({ userId: ANYBODY, place, since: 0 })) {
    putPlace(tx, { userId: ANYBODY, place, failures: 0, waitUntil: null, lastAt: now })
    return
  }
  if (spentOnDay(tx, 'known_sites', userId, dayOf(now)) >= KNOWN_SITES.aDay) return
  spendDay(tx, { budget: 'known_sites', key: userId, day: dayOf(now) })
  rememberPlace(tx, { userId: ANYBODY, place, lastAt: now }, KNOWN_SITES.stored)
}

const clear = query('knownPlace.clear', ['userId'], (db, p) =>
  db.update(knownPlace).set({ failures: 0, waitUntil: null }).where(eq(knownPlace.userId, p.userId)),
)
/** Resets the counts of wrong passwords after the password was changed. */
export function forgetGuesses(tx: Tx, userId: string): void {
  clear(tx).run({ userId })
  forgetTries(tx).run({ userId })
}

const drop = query('knownPlace.drop', ['userId'], (db, p) =>
  db.delete(knownPlace).where(eq(knownPlace.userId, p.userId)),
)
export const forgetPlaces = (tx: Tx, userId: string): void => void drop(tx).run({ userId })

/** Delete what no budget counts any more: days since 1970, and epoch ms. */
export const purgeDays = purging('budgetDay.purge', ['before'], budgetDay, (p) => lt(budgetDay.day, p.before))
export const purgePlaces = purging('knownPlace.purge', ['before'], knownPlace, (p) => lt(knownPlace.lastAt, p.before))
