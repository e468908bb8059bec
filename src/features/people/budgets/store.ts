import { and, count, eq, gt, lt, max, min, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { exists, inserting, query } from '../../../../db/query.ts'
import { challenge, codeSend } from '../../../../db/schema/challenges.ts'
import { property } from '../../../../db/schema/properties.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { purging } from '../../../../db/slices.ts'
import {
  elsewhereLeft,
  knownPlaceOf,
  rememberPlace,
  rememberSite,
  spendAllOfDay,
  spendElsewhere,
  takeOfDay,
  untilRefill,
  waitOfDay,
} from '../../../../db/spending.ts'
import { PASSWORDS } from '../../../core/budgets.ts'
import type { Spent } from './rules.ts'

const s = codeSend

export const noteSend = inserting('codeSend.insert', codeSend)

const KEYS = ['phoneNumber', 'prefix', 'purpose', 'address', 'site', 'userId', 'subject', 'since'] as const
type Keys = Readonly<Record<(typeof KEYS)[number], SQL>>
const stranger = sql`${s.kind} = 'STRANGER'`
const sent = sql`${s.status} = 'SENT'`
/**
 * Requests that count against the person who asked, whatever their outcome. A used code costs nothing, nor does one
 * that no vendor accepted; a reset counts even then, because it must not reveal that a vendor was asked.
 */
const asked = sql`${s.status} <> 'VERIFIED' and (${s.status} <> 'UNSENT' or ${s.purpose} = 'PASSWORD_RESET')`

const counted = (name: string, where: (p: Keys) => SQL | undefined) =>
  query(`codeSend.${name}`, KEYS, (db, p) =>
    db
      .select({ n: count(), first: min(s.sentAt), last: max(s.sentAt) })
      .from(s)
      .where(and(where(p as never), gt(s.sentAt, p.since))),
  )
const ofPurpose = (p: Keys) => eq(sql`+${s.purpose}`, p.purpose)
const COUNTS = {
  network: counted('ofNetwork', (p) => and(eq(s.address, p.address), asked)),
  site: counted('ofSite', (p) => and(eq(s.site, p.site), asked)),
  numberAndNetwork: counted('ofNumberAndNetwork', (p) =>
    and(eq(s.phoneNumber, p.phoneNumber), eq(sql`+${s.address}`, p.address), asked),
  ),
  // Decoys count against a number too, or its budget would reveal whether it has an account.
  number: counted('ofNumber', (p) =>
    and(
      eq(s.phoneNumber, p.phoneNumber),
      ofPurpose(p),
      sql`${s.status} in ('SENT', 'VERIFIED', 'DECOY')`,
      ne(s.kind, sql`'KNOWN'`),
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
export const spentOf = (db: Db, kind: Counted, key: Key, since: number): Spent =>
  COUNTS[kind](db).get({ ...key, since }) as Spent

const verified = query('codeSend.verified', ['challengeId'], (db, p) =>
  db
    .update(s)
    .set({ status: sql`'VERIFIED'` })
    .where(and(eq(s.challengeId, p.challengeId), sent)),
)
/** Refunds the operator's budgets for the codes of a challenge: they were used. */
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
    ),
)
/** Refunds the latest code of a challenge: no vendor accepted it. */
export const cancelSend = (tx: Tx, challengeId: string): void => void unsent(tx).run({ challengeId })

const nameless = query('codeSend.nameless', ['id', 'subject', 'phoneNumber'], (db, p) =>
  db
    .update(s)
    .set({ phoneNumber: '', userId: null, challengeId: null, subject: null })
    .where(or(eq(s.userId, p.id), eq(s.userId, p.subject), eq(s.phoneNumber, p.phoneNumber))),
)
/**
 * Removes number and account from a person's requests; the budgets of networks and neighbouring numbers still count
 * them.
 */
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
    ),
)
/** Strangers' guesses at a number, beyond the first guess at each code, in challenges that expired after `since`. */
export const guessesAt = (db: Db, phoneNumber: string, purpose: string, since: number): number =>
  guesses(db).get({ phoneNumber, purpose, since })?.n ?? 0

export const isKnownPlace = (db: Db, userId: string, place: string, now: number): boolean =>
  knownPlaceOf(db, userId, place, now - PASSWORDS.knownMs) !== undefined
/** Records that the account's owner has proved their identity at this place. */
export const knowPlace = (tx: Tx, userId: string, place: string, now: number): void =>
  rememberPlace(tx, userId, place, now, PASSWORDS.places)
export { elsewhereLeft, rememberSite, spendAllOfDay, spendElsewhere, takeOfDay, untilRefill, waitOfDay }

const verifiedNumber = query('user.verifiedNumber', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select({ id: appUser.id })
    .from(appUser)
    .where(and(eq(appUser.phoneNumber, p.phoneNumber), eq(appUser.orgId, p.orgId), eq(appUser.phoneVerified, true))),
)
/** Whether a member of the organization has verified this number. */
export const isVerifiedNumber = (db: Db, orgId: string, phoneNumber: string): boolean =>
  verifiedNumber(db).get({ orgId, phoneNumber }) !== undefined

const before = exists('property.ofOwnerBefore', ['orgId', 'userId'], property, (p) =>
  and(eq(property.orgId, p.orgId), lt(property.ownerUserId, p.userId)),
)
const after = exists('property.ofOwnerAfter', ['orgId', 'userId'], property, (p) =>
  and(eq(property.orgId, p.orgId), gt(property.ownerUserId, p.userId)),
)
/** Whether anybody else owns a property of the organization. */
export const hasOtherOwner = (db: Db, orgId: string, userId: string): boolean =>
  before(db, { orgId, userId }) || after(db, { orgId, userId })

/** Deletes sends that no budget counts any more. */
export const purgeSends = purging('codeSend.purge', ['before'], s, (p) => lt(s.sentAt, p.before))
