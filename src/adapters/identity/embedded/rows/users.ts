import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../../db/open.ts'
import { query } from '../../../../../db/query.ts'
import { credential } from '../../../../../db/schema/identity.ts'
import { appUser } from '../../../../../db/schema/users.ts'

const account = {
  id: appUser.id,
  orgId: appUser.orgId,
  username: appUser.username,
  email: appUser.email,
  firstName: appUser.firstName,
  lastName: appUser.lastName,
  phoneNumber: appUser.phoneNumber,
  phoneVerified: appUser.phoneVerified,
  roles: appUser.roles,
  locale: appUser.locale,
  status: appUser.status,
  notBefore: appUser.notBefore,
  passwordHash: credential.passwordHash,
  failures: credential.failures,
  lockedUntil: credential.lockedUntil,
  changedAt: credential.changedAt,
  updatedAt: credential.updatedAt,
}

/** An account of this provider is a user with a password; users of an external issuer have none. */
export const accountById = query('identity.accountById', ['id'], (db, p) =>
  db.select(account).from(appUser).innerJoin(credential, eq(credential.userId, appUser.id)).where(eq(appUser.id, p.id)),
)
export const accountByUsername = query('identity.accountByUsername', ['username'], (db, p) =>
  db
    .select(account)
    .from(appUser)
    .innerJoin(credential, eq(credential.userId, appUser.id))
    .where(eq(appUser.username, p.username)),
)
export type AccountRow = NonNullable<ReturnType<ReturnType<typeof accountById>['get']>>

export const addCredential = query('identity.addCredential', ['userId', 'passwordHash', 'at'], (db, p) =>
  db
    .insert(credential)
    .values({ userId: p.userId, passwordHash: p.passwordHash, failures: 0, changedAt: p.at, updatedAt: p.at }),
)

export const dropCredential = query('identity.dropCredential', ['userId'], (db, p) =>
  db.delete(credential).where(eq(credential.userId, p.userId)),
)
export const setPasswordHash = query('identity.setPassword', ['userId', 'passwordHash', 'at'], (db, p) =>
  db
    .update(credential)
    .set({
      passwordHash: sql`${p.passwordHash}`,
      failures: 0,
      lockedUntil: null,
      changedAt: sql`${p.at}`,
      updatedAt: sql`${p.at}`,
    })
    .where(eq(credential.userId, p.userId)),
)
/** Rehashes the same password with newer parameters; sessions are not affected. */
export const rehash = query('identity.rehash', ['userId', 'passwordHash', 'was'], (db, p) =>
  db
    .update(credential)
    .set({ passwordHash: sql`${p.passwordHash}` })
    .where(and(eq(credential.userId, p.userId), eq(credential.passwordHash, p.was))),
)
export const setFailures = query('identity.setFailures', ['userId', 'failures', 'lockedUntil', 'at'], (db, p) =>
  db
    .update(credential)
    .set({ failures: sql`${p.failures}`, lockedUntil: sql`${p.lockedUntil}`, updatedAt: sql`${p.at}` })
    .where(eq(credential.userId, p.userId)),
)

/** The account of `sub` if it may act now; `since`: time of its password sign-in, epoch seconds. */
export function liveAccount(db: Db, id: string, since?: number): AccountRow | undefined {
  const row = accountById(db).get({ id })
  if (row?.status !== 'ACTIVE') return undefined
  return since !== undefined && row.notBefore !== null && since < row.notBefore ? undefined : row
}
