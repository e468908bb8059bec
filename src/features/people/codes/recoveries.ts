// The statements of what waits before it lets an ADMIN back in.
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { recovery } from '../../../../db/schema/users.ts'
import type { RecoveryKind } from './rules.ts'
import { dropChallenge } from './store.ts'

export type RecoveryRow = typeof recovery.$inferSelect
export const insertRecovery = inserting('recovery.insert', recovery)

const byId = query('recovery.byId', ['id'], (db, p) => db.select().from(recovery).where(eq(recovery.id, p.id)))
export const findRecovery = (db: Db, id: string): RecoveryRow | undefined => byId(db).get({ id })

/** Recoveries that an organization sees at once, at most. */
export const MOST_RECOVERIES = 50
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

const asked = query('recovery.asked', ['userId', 'after'], (db, p) =>
  db
    .select({ askedAt: recovery.askedAt })
    .from(recovery)
    .where(and(eq(recovery.userId, p.userId), gt(recovery.askedAt, p.after)))
    .orderBy(recovery.askedAt),
)
/** When recoveries of a person were asked for since, oldest first. */
export const recoveriesSince = (db: Db, userId: string, after: number): number[] =>
  asked(db)
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
