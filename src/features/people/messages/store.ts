import {
  and,
  asc,
  count,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  min,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
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
} from '../../../../db/budgets.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { exists as existsRow, inserting, query } from '../../../../db/query.ts'
import { challenge, codeSend } from '../../../../db/schema/challenges.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { outboundMessage } from '../../../../db/schema/messages.ts'
import { deliveryReport } from '../../../../db/schema/operations.ts'
import { property } from '../../../../db/schema/properties.ts'
import { rentMessage } from '../../../../db/schema/reminders.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'
import { purging, SLICE } from '../../../../db/write/purge.ts'
import { PASSWORDS } from '../../../core/budgets.ts'
import { LEASE_MS, type Spent } from './rules.ts'

export type MessageRow = typeof outboundMessage.$inferSelect
const m = outboundMessage

/** False if the message already exists, or another SMS already replaces the same one. */
export const insertOutbound = (tx: Tx, row: MessageRow): boolean =>
  tx.insert(m).values(row).onConflictDoNothing().run().changes === 1

const byId = query('outbound.byId', ['id'], (db, p) => db.select().from(m).where(eq(m.id, p.id)))
export const findOutbound = (db: Db, id: string): MessageRow | undefined => byId(db).get({ id })

const byVendorId = query('outbound.byVendorId', ['vendorMessageId'], (db, p) =>
  db.select().from(m).where(eq(m.vendorMessageId, p.vendorMessageId)).limit(1),
)
export const findReported = (db: Db, vendorMessageId: string): MessageRow | undefined =>
  byVendorId(db).get({ vendorMessageId })

const due = query('outbound.due', ['now', 'limit'], (db, p) =>
  db
    .select({ id: m.id })
    .from(m)
    .where(and(isNotNull(m.nextAt), lte(m.nextAt, p.now), gt(m.expiresAt, p.now), livesHere(m.orgId)))
    .orderBy(asc(m.nextAt))
    .limit(p.limit),
)
export const dueOutbound = (db: Db, now: number, limit: number): string[] =>
  due(db)
    .all({ now, limit })
    .map(({ id }) => id)

const claim = query('outbound.claim', ['id', 'now', 'until'], (db, p) =>
  db
    .update(m)
    .set({
      status: sql`'SENDING'`,
      attempts: sql`${m.attempts} + 1`,
      nextAt: sql`${p.until}`,
      updatedAt: sql`${p.now}`,
    })
    .where(and(eq(m.id, p.id), isNotNull(m.sealed), lte(m.nextAt, p.now), gt(m.expiresAt, p.now)))
    .returning(),
)
/** Claims a due message for one attempt; undefined if another attempt has it, or it may no longer be sent. */
export const claimOutbound = (tx: Tx, id: string, now: number): MessageRow | undefined =>
  claim(tx).get({ id, now, until: now + LEASE_MS })

const recover = query('outbound.recover', ['now'], (db, p) =>
  db
    .update(m)
    .set({ nextAt: sql`${p.now}` })
    .where(and(isNotNull(m.nextAt), gt(m.nextAt, p.now), eq(m.status, sql`'SENDING'`))),
)
export const recoverOutbound = (tx: Tx, now: number): void => void recover(tx).run({ now })

const CHANGES = ['status', 'attempts', 'vendorMessageId', 'reason', 'sealed', 'nextAt', 'sentAt', 'updatedAt'] as const
const save = query('outbound.save', [...CHANGES, 'id'], (db, p) => {
  const set: Record<string, SQL> = {}
  for (const key of CHANGES) set[key] = sql`${p[key]}`
  return db
    .update(m)
    .set(set as never)
    .where(eq(m.id, p.id))
})
export const saveOutbound = (tx: Tx, row: MessageRow): void => void save(tx).run(row)

const drop = query('outbound.drop', ['challengeId', 'now'], (db, p) =>
  db
    .update(m)
    .set({
      sealed: null,
      nextAt: null,
      status: sql`case when ${m.status} = 'QUEUED' then 'EXPIRED' else ${m.status} end`,
      updatedAt: sql`${p.now}`,
    })
    .where(and(isNotNull(m.challengeId), eq(m.challengeId, p.challengeId), isNotNull(m.sealed))),
)
/** Stops every message that carries this void code. */
export const dropCode = (tx: Tx, challengeId: string, now: number): void => void drop(tx).run({ challengeId, now })

const settle = query('outbound.settled', ['id', 'now'], (db, p) =>
  db
    .update(m)
    .set({ sealed: null, nextAt: null, status: sql`'EXPIRED'`, reason: sql`'settled'`, updatedAt: sql`${p.now}` })
    .where(
      and(
        eq(m.id, p.id),
        eq(m.status, sql`'QUEUED'`),
        sql`${m.purpose} <> 'reminder_formal_notice'`,
        exists(
          db
            .select({ id: rentMessage.id })
            .from(rentMessage)
            .innerJoin(invoice, and(eq(invoice.orgId, rentMessage.orgId), eq(invoice.id, rentMessage.invoiceId)))
            .where(
              and(
                eq(rentMessage.id, sql`coalesce(${m.insteadOf}, ${m.id})`),
                inArray(invoice.status, ['PAID', 'CANCELLED']),
              ),
            ),
        ),
      ),
    ),
)
/**
 * Drops a reminder whose invoice was settled while it waited; a formal notice is about several, so it still goes out.
 */
export const dropSettled = (tx: Tx, id: string, now: number): void => void settle(tx).run({ id, now })

const expire = query('outbound.expire', ['now'], (db, p) =>
  db
    .update(m)
    .set({
      sealed: null,
      nextAt: null,
      status: sql`case when ${m.status} in ('QUEUED', 'SENDING') then 'EXPIRED' else ${m.status} end`,
      updatedAt: sql`${p.now}`,
    })
    .where(
      inArray(
        m.id,
        db
          .select({ id: m.id })
          .from(m)
          .where(and(isNotNull(m.sealed), lte(m.expiresAt, p.now)))
          .limit(SLICE),
      ),
    ),
)
/** Deletes messages older than `before`. */
export const purgeOutbound = purging('outbound.purge', ['before'], m, (p) => lt(m.createdAt, p.before))
const neverSent = query('outbound.neverSent', ['now'], (db, p) =>
  db
    .update(codeSend)
    .set({ status: sql`'UNSENT'` })
    .where(
      inArray(
        codeSend.challengeId,
        db
          .select({ id: m.challengeId })
          .from(m)
          .where(and(isNotNull(m.sealed), lte(m.expiresAt, p.now), isNotNull(m.challengeId), isNull(m.sentAt))),
      ),
    ),
)
/** Deletes numbers and texts that are too late to send, a slice at a time. @returns of how many messages */
export function expireOutbound(tx: Tx, now: number): number {
  // A code that no vendor accepted while it was valid costs no budget.
  neverSent(tx).run({ now })
  return expire(tx).run({ now }).changes
}

const early = query('deliveryReport.early', ['earlyId'], (db, p) =>
  db
    .select({ status: deliveryReport.earlyStatus })
    .from(deliveryReport)
    .where(and(isNotNull(deliveryReport.earlyId), eq(deliveryReport.earlyId, p.earlyId))),
)
/** Reports that arrived before the vendor's id was stored here. */
export const earlyReports = (db: Db, vendorMessageId: string): string[] =>
  early(db)
    .all({ earlyId: vendorMessageId })
    .flatMap(({ status }) => status ?? [])

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
const requested = sql`${s.status} <> 'VERIFIED' and (${s.status} <> 'UNSENT' or ${s.purpose} = 'PASSWORD_RESET')`

const counted = (name: string, where: (p: Keys) => SQL | undefined) =>
  query(`codeSend.${name}`, KEYS, (db, p) =>
    db
      .select({ n: count(), first: min(s.sentAt), last: max(s.sentAt) })
      .from(s)
      .where(and(where(p as never), gt(s.sentAt, p.since))),
  )
const ofPurpose = (p: Keys) => eq(sql`+${s.purpose}`, p.purpose)
const COUNTS = {
  network: counted('ofNetwork', (p) => and(eq(s.address, p.address), requested)),
  site: counted('ofSite', (p) => and(eq(s.site, p.site), requested)),
  numberAndNetwork: counted('ofNumberAndNetwork', (p) =>
    and(eq(s.phoneNumber, p.phoneNumber), eq(sql`+${s.address}`, p.address), requested),
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
  rememberPlace(tx, { userId, place, lastAt: now }, PASSWORDS.places)
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

const before = existsRow('property.ofOwnerBefore', ['orgId', 'userId'], property, (p) =>
  and(eq(property.orgId, p.orgId), lt(property.ownerUserId, p.userId)),
)
const after = existsRow('property.ofOwnerAfter', ['orgId', 'userId'], property, (p) =>
  and(eq(property.orgId, p.orgId), gt(property.ownerUserId, p.userId)),
)
/** Whether anybody else owns a property of the organization. */
export const hasOtherOwner = (db: Db, orgId: string, userId: string): boolean =>
  before(db, { orgId, userId }) || after(db, { orgId, userId })

/** Deletes sends that no budget counts any more. */
export const purgeSends = purging('codeSend.purge', ['before'], s, (p) => lt(s.sentAt, p.before))
