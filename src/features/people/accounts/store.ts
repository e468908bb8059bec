import { and, desc, eq, gt, gte, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { registrationTicket } from '../../../../db/schema/challenges.ts'
import { tenant } from '../../../../db/schema/tenants.ts'
import { phoneUndo } from '../../../../db/schema/users.ts'

export const insertTicket = inserting('ticket.insert', registrationTicket)

const take = query('ticket.take', ['hash', 'now', 'stale'], (db, p) =>
  db
    .update(registrationTicket)
    .set({ takenAt: sql`${p.now}` })
    .where(
      and(
        eq(registrationTicket.hash, p.hash),
        gt(registrationTicket.expiresAt, p.now),
        or(isNull(registrationTicket.takenAt), lt(registrationTicket.takenAt, p.stale)),
        isNull(registrationTicket.usedAt),
      ),
    )
    .returning({ phoneNumber: registrationTicket.phoneNumber }),
)
/** If the process dies during a registration, the ticket is free again after this time. */
const ABANDONED_MS = 60_000

/** Takes a ticket for one registration: of parallel requests only one gets it. */
export const takeTicket = (tx: Tx, hash: string, now: number): string | undefined =>
  take(tx).get({ hash, now, stale: now - ABANDONED_MS })?.phoneNumber

const settle = query('ticket.settle', ['hash', 'takenAt', 'usedAt'], (db, p) =>
  db
    .update(registrationTicket)
    .set({ takenAt: sql`${p.takenAt}`, usedAt: sql`${p.usedAt}` })
    .where(eq(registrationTicket.hash, p.hash)),
)
export const giveBackTicket = (tx: Tx, hash: string): void => void settle(tx).run({ hash, takenAt: null, usedAt: null })
export const useTicket = (tx: Tx, hash: string, now: number): void =>
  void settle(tx).run({ hash, takenAt: now, usedAt: now })

const inviting = query('tenant.inviting', ['phoneNumber'], (db, p) =>
  db.select({ orgId: tenant.orgId }).from(tenant).where(eq(tenant.phoneNumber, p.phoneNumber)).limit(1),
)
/** The organization that entered this number as a tenant's; if several did, the first. */
export const invitingOrganization = (db: Db, phoneNumber: string): string | undefined =>
  inviting(db).get({ phoneNumber })?.orgId

export type UndoRow = typeof phoneUndo.$inferSelect
export const insertUndo = inserting('phoneUndo.insert', phoneUndo)

const undo = query('phoneUndo.byId', ['id', 'now'], (db, p) =>
  db
    .select()
    .from(phoneUndo)
    .where(and(eq(phoneUndo.id, p.id), gte(phoneUndo.expiresAt, p.now))),
)
/** A change of number, undone or not; undefined once its link has expired. */
export const findUndo = (db: Db, id: string, now: number): UndoRow | undefined => undo(db).get({ id, now })

const latest = query('phoneUndo.latest', ['userId'], (db, p) =>
  db
    .select({ newNumber: phoneUndo.newNumber })
    .from(phoneUndo)
    .where(and(eq(phoneUndo.userId, p.userId), isNull(phoneUndo.usedAt)))
    .orderBy(desc(phoneUndo.id))
    .limit(1),
)
/** The number that a person's changes end with, counting only those not undone. */
export const numberLedTo = (db: Db, userId: string): string | undefined => latest(db).get({ userId })?.newNumber

const close = query('phoneUndo.close', ['userId', 'from', 'oldNumber', 'usedAt'], (db, p) =>
  db
    .update(phoneUndo)
    .set({ usedAt: sql`${p.usedAt}` })
    .where(
      and(
        eq(phoneUndo.userId, p.userId),
        or(gte(phoneUndo.id, p.from), eq(phoneUndo.oldNumber, p.oldNumber)),
        isNull(phoneUndo.usedAt),
      ),
    ),
)
/** Closes the changes that led away from a number the person has again, and all changes from `from` on. */
export const closeUndos = (tx: Tx, c: { userId: string; from: string; oldNumber: string; usedAt: number }): void =>
  void close(tx).run(c)

const forgetUndo = query('phoneUndo.forget', ['userId'], (db, p) =>
  db.delete(phoneUndo).where(eq(phoneUndo.userId, p.userId)),
)
/** Deletes the number changes of an erased person. */
export const dropUndos = (tx: Tx, userId: string): void => void forgetUndo(tx).run({ userId })

const pastUndos = query('phoneUndo.purge', ['before'], (db, p) =>
  db.delete(phoneUndo).where(lt(phoneUndo.expiresAt, p.before)),
)
export const purgeUndos = (tx: Tx, before: number): void => void pastUndos(tx).run({ before })
