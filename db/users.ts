// Every statement that writes `app_user`, for the service's own changes and those that come from the identity provider.
import { and, eq, sql } from 'drizzle-orm'
import { erased } from './erasure.ts'
import type { Tx } from './open.ts'
import { inserting, query, saving } from './query.ts'
import { appUser } from './schema/users.ts'

type UserRow = typeof appUser.$inferSelect
export const insertUser = inserting('user.insert', appUser)
export const saveUser = saving('user', appUser)

const drop = query('user.delete', ['orgId', 'id'], (db, p) =>
  db.delete(appUser).where(and(eq(appUser.orgId, p.orgId), eq(appUser.id, p.id), eq(appUser.status, 'INVITED'))),
)
/** What is left of a person who was erased: the account that others' records refer to. */
export const ERASED = erased(appUser, ['subject'], { phoneVerified: false, roles: [], status: 'ERASED' })

/** The members that a new user has not filled in yet. */
export const UNSAID = {
  notifications: null,
  niu: null,
  idType: null,
  idNumber: null,
  address: null,
  limited: false,
  adminUntil: null,
} as const

/** Deletes an invitation; other users stay, because rows refer to them. */
export const deleteInvitation = (tx: Tx, { orgId, id }: UserRow): void => void drop(tx).run({ orgId, id })

const changed = { version: sql`${appUser.version} + 1` }
const accept = query(
  'user.acceptInvitation',
  ['id', 'orgId', 'subject', 'phoneNumber', 'phoneVerified', 'email', 'firstName', 'lastName', 'locale', 'at'],
  (db, p) =>
    db
      .update(appUser)
      .set({
        ...changed,
        subject: sql`${p.subject}`,
        username: sql`${p.phoneNumber}`,
        email: sql`${p.email}`,
        firstName: sql`${p.firstName}`,
        lastName: sql`${p.lastName}`,
        phoneVerified: sql`${sql.param(p.phoneVerified, appUser.phoneVerified)}`,
        locale: sql`coalesce(${p.locale}, ${appUser.locale})`,
        status: 'ACTIVE',
        updatedAt: sql`${p.at}`,
      })
      .where(
        and(
          eq(appUser.orgId, p.orgId),
          eq(appUser.id, p.id),
          eq(appUser.phoneNumber, p.phoneNumber),
          eq(appUser.status, 'INVITED'),
        ),
      ),
)
type Account = Pick<UserRow, 'orgId' | 'phoneVerified' | 'firstName' | 'lastName' | 'roles'> & {
  readonly phoneNumber: string
  readonly email?: string | undefined
  readonly locale?: 'fr' | 'en' | undefined
  readonly invitedUserId?: string | undefined
}
/**
 * Writes the user of a new account: a new row, or the invited one, which keeps its roles.
 * @returns false if the invitation is gone
 */
export function addUser(
  tx: Tx,
  { id, subject }: Pick<UserRow, 'id' | 'subject'>,
  account: Account,
  at: string,
): boolean {
  const { orgId, phoneNumber, phoneVerified, firstName, lastName, email = null, locale = null } = account
  const row = { id, subject, orgId, phoneNumber, phoneVerified, firstName, lastName, email, locale }
  if (account.invitedUserId !== undefined) return accept(tx).run({ ...row, at }).changes === 1
  const { roles } = account
  const rest = { username: phoneNumber, roles, status: 'ACTIVE' as const, notBefore: null, ...UNSAID, version: 1 }
  insertUser(tx, { ...row, ...rest, createdAt: at, updatedAt: at })
  return true
}
export const setPhoneNumber = query('user.setPhone', ['id', 'phoneNumber', 'at'], (db, p) =>
  db
    .update(appUser)
    .set({
      ...changed,
      username: sql`${p.phoneNumber}`,
      phoneNumber: sql`${p.phoneNumber}`,
      phoneVerified: true,
      updatedAt: sql`${p.at}`,
    })
    .where(eq(appUser.id, p.id)),
)
export const setUserRoles = query('user.setRoles', ['id', 'roles', 'at'], (db, p) =>
  db
    .update(appUser)
    .set({ ...changed, roles: sql`${sql.param(p.roles, appUser.roles)}`, updatedAt: sql`${p.at}` })
    .where(eq(appUser.id, p.id)),
)
export const setStatus = query('user.setStatus', ['id', 'status', 'at'], (db, p) =>
  db
    .update(appUser)
    .set({ ...changed, status: sql`${p.status}`, updatedAt: sql`${p.at}` })
    .where(eq(appUser.id, p.id)),
)
export const setNotBefore = query('user.setNotBefore', ['id', 'notBefore'], (db, p) =>
  db
    .update(appUser)
    .set({ notBefore: sql`${p.notBefore}` })
    .where(eq(appUser.id, p.id)),
)
