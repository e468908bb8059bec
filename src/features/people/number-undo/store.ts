import { and, desc, eq, gte, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { phoneUndo } from '../../../../db/schema/users.ts'

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
