import { and, count, eq, gt, lt, max, min, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { challenge, codeSend } from '../../../../db/schema/challenges.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { dayOf, knownPlaceOf, rememberPlace, spendDay, spentOnDay } from '../../../../db/spending.ts'
import { PASSWORDS } from '../../../core/budgets.ts'
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

const verified = query('codeSend.verified', ['challengeId'], (db, p) =>
  db
    .update(s)
    .set({ status: sql`'VERIFIED'` })
    .where(and(eq(s.challengeId, p.challengeId), sent))
    .prepare(),
)
/** The codes sent for a challenge were used: they cost the operator's budgets nothing any more. */
export const giveBackSends = (tx: Tx, challengeId: string): void => void verified(tx).run({ challengeId })

const unsent = query('codeSend.unsent', ['challengeId'], (db, p) =>
  db
    .update(s)
    .set({ status: sql`'UNSENT'` })
    .where(
      and(
        eq(s.challengeId, p.challengeId),
        sent,
        sql`${s.sentAt} = (select max(sent_at) from code_send where challenge_id = ${p.challengeId})`,
      ),
    )
    .prepare(),
)
/** No vendor took the latest code of a challenge: it costs nobody's budget. */
export const cancelSend = (tx: Tx, challengeId: string): void => void unsent(tx).run({ challengeId })

const nameless = query('codeSend.nameless', ['id', 'subject', 'phoneNumber'], (db, p) =>
  db
    .update(s)
    .set({ phoneNumber: '', userId: null, challengeId: null, subject: null })
    .where(or(eq(s.userId, p.id), eq(s.userId, p.subject), eq(s.phoneNumber, p.phoneNumber)))
    .prepare(),
)
/** Takes number and account off what a person asked for: the budgets of networks and of neighbouring numbers count it still. */
export const forgetSends = (tx: Tx, of: { id: string; subject: string; phoneNumber: string | null }): void =>
  void nameless(tx).run(of)

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

const DAY = 86_400_000
/** Takes one of a day's budget (UTC). @returns ms until there is one, where none is left */
export function takeOfDay(tx: Tx, budget: string, key: string, most: number, now: number): number {
  const day = dayOf(now)
  if (spentOnDay(tx, budget, key, day) >= most) return (day + 1) * DAY - now
  spendDay(tx, budget, key, day)
  return 0
}

type DayBudget = readonly [budget: string, key: string, most: number]
/** Takes one of each budget of the day that a time falls on; false, and nothing taken, where one has none left. */
export function spendAllOfDay(tx: Tx, budgets: readonly DayBudget[], at: number): boolean {
  const day = dayOf(at)
  if (budgets.some(([budget, key, most]) => spentOnDay(tx, budget, key, day) >= most)) return false
  for (const [budget, key] of budgets) spendDay(tx, budget, key, day)
  return true
}

export const isKnownPlace = (db: Db, userId: string, place: string, now: number): boolean =>
  knownPlaceOf(db, userId, place, now - PASSWORDS.knownMs) !== undefined
/** Somebody proved to be the account's owner at this place. */
export const knowPlace = (tx: Tx, userId: string, place: string, now: number): void =>
  rememberPlace(tx, userId, place, now, PASSWORDS.places)

const verifiedNumber = query('user.verifiedNumber', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select({ id: appUser.id })
    .from(appUser)
    .where(and(eq(appUser.phoneNumber, p.phoneNumber), eq(appUser.orgId, p.orgId), eq(appUser.phoneVerified, true)))
    .prepare(),
)
/** Whether a member of the organization has proved to have this number. */
export const isVerifiedNumber = (db: Db, orgId: string, phoneNumber: string): boolean =>
  verifiedNumber(db).get({ orgId, phoneNumber }) !== undefined

const oldSends = query('codeSend.purge', ['before'], (db, p) => db.delete(s).where(lt(s.sentAt, p.before)).prepare())
/** Forgets what no budget counts any more. */
export const purgeSends = (tx: Tx, before: number): void => void oldSends(tx).run({ before })
