import { and, count, eq, gt, lt, max, min, ne, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { query } from '../../../db/query.ts'
import { challenge, codeSend } from '../../../db/schema/challenges.ts'
import { budgetDay, knownPlace } from '../../../db/schema/identity.ts'
import type { Spent } from './rules.ts'

type Send = typeof codeSend.$inferSelect
const s = codeSend

const SEND = [
  'id',
  'phoneNumber',
  'prefix',
  'purpose',
  'address',
  'userId',
  'sentAt',
  'challengeId',
  'site',
  'kind',
  'status',
  'subject',
] as const
const insertSend = query('codeSend.insert', SEND, (db, p) =>
  db
    .insert(s)
    .values(p as never)
    .prepare(),
)
export const noteSend = (tx: Tx, row: Send): void => void insertSend(tx).run(row)

const KEYS = ['phoneNumber', 'prefix', 'purpose', 'address', 'site', 'userId', 'subject', 'since'] as const
type Keys = Readonly<Record<(typeof KEYS)[number], SQL>>
const stranger = sql`${s.kind} = 'STRANGER'`
const sent = sql`${s.status} = 'SENT'`
/**
 * What the asker did, whatever became of it; a code that was used costs them nothing, nor does one that no vendor took, but
 * for a reset: that a vendor was asked must not show.
 */
const asked = sql`${s.status} <> 'VERIFIED' and (${s.status} <> 'UNSENT' or ${s.purpose} = 'PASSWORD_RESET')`

const counted = (name: string, where: (p: Keys) => SQL | undefined) =>
  query(`codeSend.${name}`, KEYS, (db, p) =>
    db
      .select({ n: count(), first: min(s.sentAt), last: max(s.sentAt) })
      .from(s)
      .where(and(where(p as never), gt(s.sentAt, p.since)))
      .prepare(),
  )
const ofPurpose = (p: Keys) => eq(sql`+${s.purpose}`, p.purpose)
const COUNTS = {
  network: counted('ofNetwork', (p) => and(eq(s.address, p.address), asked)),
  site: counted('ofSite', (p) => and(eq(s.site, p.site), asked)),
  numberAndNetwork: counted('ofNumberAndNetwork', (p) =>
    and(eq(s.phoneNumber, p.phoneNumber), eq(sql`+${s.address}`, p.address), asked),
  ),
  // Decoys count for a number: whether it has an account must not show. It is nobody's budget where it has none.
  number: counted('ofNumber', (p) =>
    and(
      eq(s.phoneNumber, p.phoneNumber),
      ofPurpose(p),
      sql`${s.status} in ('SENT', 'VERIFIED', 'DECOY')`,
      sql`(${s.kind} <> 'KNOWN' or ${s.purpose} = 'REGISTRATION')`,
    ),
  ),
  prefix: counted('ofPrefix', (p) => and(eq(s.prefix, p.prefix), stranger, sent)),
  prefixAndSite: counted('ofPrefixAndSite', (p) =>
    and(eq(s.prefix, p.prefix), eq(sql`+${s.site}`, p.site), stranger, sent),
  ),
  strangersOfSite: counted('strangersOfSite', (p) => and(eq(s.site, p.site), stranger, sent)),
  strangers: counted('strangers', () => and(stranger, sent)),
  service: counted('service', () => sent),
  account: counted('ofAccount', (p) =>
    and(eq(s.userId, p.userId), ofPurpose(p), ne(s.kind, sql`'STRANGER'`), ne(s.status, sql`'UNSENT'`)),
  ),
  accountAndSubject: counted('ofAccountAndSubject', (p) =>
    and(eq(s.userId, p.userId), ofPurpose(p), eq(sql`+${s.subject}`, p.subject), ne(s.status, sql`'UNSENT'`)),
  ),
} as const
export type Counted = keyof typeof COUNTS
export type Key = Readonly<Record<Exclude<(typeof KEYS)[number], 'since'>, string | null>>
/** How much of a kind was spent since a time. */
export const spentOf = (db: Db, kind: Counted, key: Key, since: number): Spent =>
  COUNTS[kind](db).get({ ...key, since }) as Spent

const mark = query('codeSend.mark', ['challengeId', 'status'], (db, p) =>
  db
    .update(s)
    .set({ status: sql`${p.status}` })
    .where(and(eq(s.challengeId, p.challengeId), sent))
    .prepare(),
)
/** What became of the codes sent for a challenge: used, or taken by no vendor. */
export const markSends = (tx: Tx, challengeId: string, status: 'VERIFIED' | 'UNSENT'): void =>
  void mark(tx).run({ challengeId, status })

const guesses = query('challenge.guesses', ['phoneNumber', 'purpose', 'since'], (db, p) =>
  db
    .select({ n: sql<number | null>`sum(max(${challenge.attempts} - (${challenge.joins} is null), 0))` })
    .from(challenge)
    .where(
      and(
        eq(challenge.phoneNumber, p.phoneNumber),
        eq(challenge.purpose, p.purpose),
        gt(challenge.expiresAt, p.since),
        sql`${challenge.kind} = 'STRANGER'`,
      ),
    )
    .prepare(),
)
/** Strangers' guesses at a number, beyond the first one of each code that was sent, at challenges that expired after a time. */
export const guessesAt = (db: Db, phoneNumber: string, purpose: string, since: number): number =>
  guesses(db).get({ phoneNumber, purpose, since })?.n ?? 0

const add = query('budgetDay.add', ['budget', 'key', 'day'], (db, p) =>
  db
    .insert(budgetDay)
    .values({ budget: p.budget, key: p.key, day: p.day, spent: 1 })
    .onConflictDoUpdate({
      target: [budgetDay.budget, budgetDay.key, budgetDay.day],
      set: { spent: sql`${budgetDay.spent} + 1` },
    })
    .prepare(),
)
/** Spends one of a day's budget. */
export const spendDay = (tx: Tx, budget: string, key: string, day: number): void =>
  void add(tx).run({ budget, key, day })

const ofDay = query('budgetDay.spent', ['budget', 'key', 'day'], (db, p) =>
  db
    .select({ spent: budgetDay.spent })
    .from(budgetDay)
    .where(and(eq(budgetDay.budget, p.budget), eq(budgetDay.key, p.key), eq(budgetDay.day, p.day)))
    .prepare(),
)
export const spentOnDay = (db: Db, budget: string, key: string, day: number): number =>
  ofDay(db).get({ budget, key, day })?.spent ?? 0

const known = query('knownPlace.one', ['userId', 'place', 'since'], (db, p) =>
  db
    .select({ lastAt: knownPlace.lastAt })
    .from(knownPlace)
    .where(and(eq(knownPlace.userId, p.userId), eq(knownPlace.place, p.place), gt(knownPlace.lastAt, p.since)))
    .prepare(),
)
export const isKnownPlace = (db: Db, userId: string, place: string, since: number): boolean =>
  known(db).get({ userId, place, since }) !== undefined

const oldSends = query('codeSend.purge', ['before'], (db, p) => db.delete(s).where(lt(s.sentAt, p.before)).prepare())
const oldDays = query('budgetDay.purge', ['before'], (db, p) =>
  db.delete(budgetDay).where(lt(budgetDay.day, p.before)).prepare(),
)
const oldPlaces = query('knownPlace.purge', ['before'], (db, p) =>
  db.delete(knownPlace).where(lt(knownPlace.lastAt, p.before)).prepare(),
)
/** Forgets what no budget counts any more; `day` as counted from 1970, times in epoch ms. */
export function purgeBudgets(
  tx: Tx,
  before: { readonly sends: number; readonly places: number; readonly day: number },
) {
  oldSends(tx).run({ before: before.sends })
  oldPlaces(tx).run({ before: before.places })
  oldDays(tx).run({ before: before.day })
}
