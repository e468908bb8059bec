import { and, eq, lt, sql } from 'drizzle-orm'
import { query } from '../../../../../db/query.ts'
import { secondFactor, secondFactorCode, secondFactorTry } from '../../../../../db/schema/identity.ts'

export type FactorRow = typeof secondFactor.$inferSelect
const f = secondFactor

export const factorsOf = query('secondFactor.ofUser', ['userId'], (db, p) =>
  db.select().from(f).where(eq(f.userId, p.userId)).orderBy(f.id),
)
export const addFactor = query(
  'secondFactor.add',
  ['id', 'userId', 'kind', 'sealed', 'credentialId', 'publicKey', 'counter', 'at'],
  (db, p) =>
    db.insert(f).values({
      id: p.id,
      userId: p.userId,
      kind: p.kind,
      sealed: p.sealed,
      credentialId: p.credentialId,
      publicKey: p.publicKey,
      counter: p.counter,
      createdAt: p.at,
      usedAt: null,
    }),
)
/** Consumes a TOTP time step: no step is accepted twice, nor after a later one. */
export const takeStep = query('secondFactor.takeStep', ['id', 'step', 'at'], (db, p) =>
  db
    .update(f)
    .set({ counter: sql`${p.step}`, usedAt: sql`${p.at}` })
    .where(and(eq(f.id, p.id), lt(f.counter, p.step))),
)
/** Updates a passkey's counter if it still has the value that was checked. */
export const moveCounter = query('secondFactor.moveCounter', ['id', 'was', 'counter', 'at'], (db, p) =>
  db
    .update(f)
    .set({ counter: sql`${p.counter}`, usedAt: sql`${p.at}` })
    .where(and(eq(f.id, p.id), eq(f.counter, p.was))),
)
export const dropFactor = query('secondFactor.drop', ['id', 'userId'], (db, p) =>
  db.delete(f).where(and(eq(f.id, p.id), eq(f.userId, p.userId))),
)
export const dropFactors = query('secondFactor.dropAll', ['userId'], (db, p) =>
  db.delete(f).where(eq(f.userId, p.userId)),
)
/** Deletes the secrets that only a lost master key could decrypt. */
export const dropSealed = query('secondFactor.dropSealed', [], (db) => db.delete(f).where(eq(f.kind, 'TOTP')))

const c = secondFactorCode
export const codesOf = query('secondFactorCode.ofUser', ['userId'], (db, p) =>
  db.select({ digest: c.digest }).from(c).where(eq(c.userId, p.userId)),
)
export const addCode = query('secondFactorCode.add', ['userId', 'digest'], (db, p) =>
  db.insert(c).values({ userId: p.userId, digest: p.digest }),
)
export const useCode = query('secondFactorCode.use', ['userId', 'digest'], (db, p) =>
  db.delete(c).where(and(eq(c.userId, p.userId), eq(c.digest, p.digest))),
)
export const dropCodes = query('secondFactorCode.dropAll', ['userId'], (db, p) =>
  db.delete(c).where(eq(c.userId, p.userId)),
)
export const dropEveryCode = query('secondFactorCode.dropEvery', [], (db) => db.delete(c))

const t = secondFactorTry
export const triesOf = query('secondFactorTry.ofUser', ['userId'], (db, p) =>
  db.select().from(t).where(eq(t.userId, p.userId)),
)
export const countTry = query('secondFactorTry.count', ['userId', 'failures', 'lockedUntil', 'at'], (db, p) =>
  db
    .insert(t)
    .values({ userId: p.userId, failures: p.failures, lockedUntil: p.lockedUntil, updatedAt: p.at })
    .onConflictDoUpdate({
      target: t.userId,
      set: {
        failures: sql`excluded.failures`,
        lockedUntil: sql`excluded.locked_until`,
        updatedAt: sql`excluded.updated_at`,
      },
    }),
)
export const forgiveTries = query('secondFactorTry.drop', ['userId'], (db, p) =>
  db.delete(t).where(eq(t.userId, p.userId)),
)
