import { and, asc, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { challenge, registrationTicket } from '../../../../db/schema/challenges.ts'
import { recovery } from '../../../../db/schema/users.ts'
import { purging } from '../../../../db/write/purge.ts'
import { ANONYMOUS, MAX_ATTEMPTS, MOST_RECOVERIES, type RecoveryKind } from './rules.ts'

export type ChallengeRow = typeof challenge.$inferSelect

const live = query('challenge.live', ['phoneNumber', 'purpose', 'userId', 'subject', 'asker', 'now'], (db, p) =>
  db
    .select()
    .from(challenge)
    .where(
      and(
        eq(challenge.phoneNumber, p.phoneNumber),
        eq(challenge.purpose, p.purpose),
        gt(challenge.expiresAt, p.now),
        isNull(challenge.usedAt),
        sql`${challenge.userId} is ${p.userId}`,
        sql`${challenge.subject} is ${p.subject}`,
        sql`${challenge.asker} is ${p.asker}`,
      ),
    )
    .limit(1),
)
type ChallengeKey = Pick<ChallengeRow, 'phoneNumber' | 'purpose' | 'userId' | 'subject' | 'asker'>
/** The open challenge of the same caller for the same purpose and subject. */
export const liveChallenge = (db: Db, c: ChallengeKey & { now: number }): ChallengeRow | undefined => live(db).get(c)

const underWay = query('challenge.underWay', ['phoneNumber', 'purpose', 'userId', 'now'], (db, p) =>
  db
    .select()
    .from(challenge)
    .where(
      and(
        eq(challenge.phoneNumber, p.phoneNumber),
        eq(challenge.purpose, p.purpose),
        gt(challenge.expiresAt, p.now),
        isNull(challenge.usedAt),
        isNull(challenge.joins),
        sql`${challenge.userId} is ${p.userId}`,
        sql`${challenge.kind} <> 'KNOWN'`,
        // If its account has changed, a code opens nothing; codes without an account must look as if they worked.
        sql`not (${challenge.decoy} and (${challenge.userId} is not null or ${challenge.purpose} = 'REGISTRATION'))`,
      ),
    )
    .orderBy(desc(challenge.expiresAt))
    .limit(1),
)
/** The latest code that a stranger had sent to a number and that is still valid. */
export const codeUnderWay = (db: Db, c: Pick<ChallengeKey, 'phoneNumber' | 'purpose' | 'userId'> & { now: number }) =>
  underWay(db).get(c)

const byId = query('challenge.byId', ['id'], (db, p) => db.select().from(challenge).where(eq(challenge.id, p.id)))
export const findChallenge = (db: Db, id: string): ChallengeRow | undefined => byId(db).get({ id })

const put = query(
  'challenge.put',
  [
    'id',
    'purpose',
    'phoneNumber',
    'userId',
    'subject',
    'channel',
    'codeHash',
    'decoy',
    'attempts',
    'expiresAt',
    'sentAt',
    'asker',
    'joins',
    'kind',
    'validFrom',
  ],
  (db, p) =>
    db
      .insert(challenge)
      .values({ ...p, usedAt: null } as never)
      .onConflictDoUpdate({
        target: challenge.id,
        set: {
          channel: sql`excluded.channel`,
          codeHash: sql`excluded.code_hash`,
          decoy: sql`excluded.decoy`,
          expiresAt: sql`excluded.expires_at`,
          sentAt: sql`excluded.sent_at`,
          joins: sql`excluded.joins`,
          kind: sql`excluded.kind`,
        },
      }),
)
/** Inserts a challenge, or gives an existing one a new code and keeps its attempts. */
export const putChallenge = (tx: Tx, { validFrom = null, ...row }: NewChallenge): void =>
  void put(tx).run({ ...row, validFrom })
type NewChallenge = Omit<ChallengeRow, 'usedAt' | 'validFrom'> & { readonly validFrom?: number | null }

const open = query('challenge.open', ['id'], (db, p) =>
  db.update(challenge).set({ validFrom: sql`null` }).where(eq(challenge.id, p.id)),
)
/** Makes a recovery code valid from now on. */
export const openChallenge = (tx: Tx, id: string): void => void open(tx).run({ id })

const tryOnce = query('challenge.try', ['id', 'now'], (db, p) =>
  db
    .update(challenge)
    .set({ attempts: sql`${challenge.attempts} + 1` })
    .where(
      and(
        eq(challenge.id, p.id),
        lt(challenge.attempts, sql`${MAX_ATTEMPTS}`),
        gt(challenge.expiresAt, p.now),
        isNull(challenge.usedAt),
      ),
    )
    .returning(),
)
/** Counts one attempt before the comparison; undefined if none is left. */
export const takeAttempt = (tx: Tx, id: string, now: number): ChallengeRow | undefined => tryOnce(tx).get({ id, now })

const setUsed = query('challenge.used', ['id', 'usedAt'], (db, p) =>
  db
    .update(challenge)
    .set({ usedAt: sql`${p.usedAt}` })
    .where(eq(challenge.id, p.id)),
)
export const markUsed = (tx: Tx, id: string, usedAt: number): void => void setUsed(tx).run({ id, usedAt })

const unuse = query('challenge.unuse', ['id'], (db, p) =>
  db
    .update(challenge)
    .set({ usedAt: sql`null`, attempts: sql`max(${challenge.attempts} - 1, 0)` })
    .where(eq(challenge.id, p.id)),
)
/** The action behind the right code failed: the code may be used again, and the attempt is refunded. */
export const giveBackChallenge = (tx: Tx, id: string): boolean => unuse(tx).run({ id }).changes === 1

const ofAccount = query('challenge.ofAccount', ['id', 'subject', 'phoneNumber'], (db, p) =>
  db
    .select({ id: challenge.id, purpose: challenge.purpose, userId: challenge.userId, usedAt: challenge.usedAt })
    .from(challenge)
    .where(
      or(
        eq(challenge.userId, p.id),
        eq(challenge.userId, p.subject),
        and(eq(challenge.phoneNumber, p.phoneNumber), inArray(challenge.purpose, [...ANONYMOUS])),
      ),
    ),
)
/** Codes that the account asked for, codes for the account, and codes that anybody asked for its number. */
export const codesOf = (db: Db, account: { id: string; subject: string; phoneNumber: string | null }) =>
  ofAccount(db).all(account)

const nameless = query('challenge.nameless', ['id', 'subject', 'phoneNumber'], (db, p) =>
  db
    .update(challenge)
    .set({ phoneNumber: sql`${challenge.id}`, userId: null, decoy: true, subject: null, asker: null })
    .where(or(eq(challenge.userId, p.id), eq(challenge.userId, p.subject), eq(challenge.phoneNumber, p.phoneNumber))),
)
/** Removes the person from their challenges; strangers still get the same answers. */
export const forgetChallenges = (tx: Tx, of: { id: string; subject: string; phoneNumber: string | null }): void =>
  void nameless(tx).run(of)

const silence = query('challenge.silence', ['id', 'userId'], (db, p) =>
  db
    .update(challenge)
    .set({ decoy: true, userId: sql`${p.userId}` })
    .where(eq(challenge.id, p.id)),
)
/** The code opens nothing from now on; the challenge still gives the same answers. */
export const silenceChallenge = (tx: Tx, id: string, userId: string | null): void =>
  void silence(tx).run({ id, userId })

const drop = query('challenge.drop', ['id'], (db, p) => db.delete(challenge).where(eq(challenge.id, p.id)))
export const dropChallenge = (tx: Tx, id: string): void => void drop(tx).run({ id })

const ticketsOf = query('ticket.drop', ['phoneNumber'], (db, p) =>
  db.delete(registrationTicket).where(eq(registrationTicket.phoneNumber, p.phoneNumber)),
)
/** Deletes the tickets of unfinished registrations with a number. */
export const dropTickets = (tx: Tx, phoneNumber: string): void => void ticketsOf(tx).run({ phoneNumber })

/** Deletes what neither a budget nor an answer needs any more. */
export const purgeChallenges = purging('challenge.purge', ['before'], challenge, (p) =>
  lt(challenge.expiresAt, p.before),
)
export const purgeTickets = purging('ticket.purge', ['before'], registrationTicket, (p) =>
  lt(registrationTicket.expiresAt, p.before),
)

export type RecoveryRow = typeof recovery.$inferSelect
export const insertRecovery = inserting('recovery.insert', recovery)

const recoveryById = query('recovery.byId', ['id'], (db, p) => db.select().from(recovery).where(eq(recovery.id, p.id)))
export const findRecovery = (db: Db, id: string): RecoveryRow | undefined => recoveryById(db).get({ id })

const pending = query('recovery.pending', ['orgId', 'userId', 'now', 'limit'], (db, p) =>
  db
    .select()
    .from(recovery)
    .where(
      and(
        eq(recovery.orgId, p.orgId),
        eq(recovery.status, 'PENDING'),
        gt(recovery.expiresAt, p.now),
        sql`(${p.userId} is null or +${recovery.userId} = ${p.userId})`,
      ),
    )
    .orderBy(desc(recovery.id))
    .limit(p.limit),
)
/** What can still be stopped, newest first; `userId`: only what is about this person. */
export const pendingRecoveries = (db: Db, of: { orgId: string; userId: string | null; now: number }): RecoveryRow[] =>
  pending(db).all({ ...of, limit: MOST_RECOVERIES })

const timesAsked = query('recovery.asked', ['userId', 'after'], (db, p) =>
  db
    .select({ askedAt: recovery.askedAt })
    .from(recovery)
    .where(and(eq(recovery.userId, p.userId), gt(recovery.askedAt, p.after)))
    .orderBy(asc(recovery.askedAt)),
)
/** When recoveries of a person were asked for since, oldest first. */
export const recoveriesSince = (db: Db, userId: string, after: number): number[] =>
  timesAsked(db)
    .all({ userId, after })
    .map(({ askedAt }) => askedAt)

const settle = query('recovery.settle', ['id', 'status'], (db, p) =>
  db
    .update(recovery)
    .set({ status: sql`${p.status}` })
    .where(and(eq(recovery.id, p.id), eq(recovery.status, 'PENDING'))),
)
/** @returns whether it was still pending: of several at once, one settles it */
export const settleRecovery = (tx: Tx, id: string, status: Exclude<RecoveryRow['status'], 'PENDING'>): boolean =>
  settle(tx).run({ id, status }).changes === 1

const close = query('recovery.close', ['userId', 'kind', 'now'], (db, p) =>
  db
    .update(recovery)
    .set({ status: sql`case when ${recovery.effectiveAt} > ${p.now} then 'STOPPED' else 'EFFECTIVE' end` })
    .where(and(eq(recovery.userId, p.userId), eq(recovery.kind, p.kind), eq(recovery.status, 'PENDING'))),
)
/** Closes what is pending about a person, because its code or their factors have changed another way. */
export const closeRecoveries = (tx: Tx, of: { userId: string; kind: RecoveryKind; now: number }): void =>
  void close(tx).run(of)

const voiding = query('recovery.void', ['askedBy', 'now'], (db, p) =>
  db
    .update(recovery)
    .set({ status: 'STOPPED' })
    .where(and(eq(recovery.askedBy, p.askedBy), eq(recovery.status, 'PENDING'), gt(recovery.expiresAt, p.now)))
    .returning({ id: recovery.id }),
)
/** Voids everything pending that a person asked for, with its codes: they are no longer an ADMIN. */
export function voidRecoveriesBy(tx: Tx, of: { askedBy: string; now: number }): void {
  for (const { id } of voiding(tx).all(of)) dropChallenge(tx, id)
}

const forget = query('recovery.forget', ['userId'], (db, p) => db.delete(recovery).where(eq(recovery.userId, p.userId)))
/** Deletes what is about an erased person. */
export const forgetRecoveries = (tx: Tx, userId: string): void => void forget(tx).run({ userId })

const past = query('recovery.purge', ['before'], (db, p) => db.delete(recovery).where(lt(recovery.expiresAt, p.before)))
export const purgeRecoveries = (tx: Tx, before: number): void => void past(tx).run({ before })
