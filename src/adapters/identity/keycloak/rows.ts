import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { notFound } from '../../../errors.ts'
import { acceptInvitation, addUser } from '../embedded/rows/users.ts'
import type { NewAccount } from '../port.ts'

/** The service's own row of a Keycloak account, written when the account is created or first seen in a token. */
export const userBySubject = query('keycloak.userBySubject', ['orgId', 'subject'], (db, p) =>
  db
    .select({ id: appUser.id, roles: appUser.roles, status: appUser.status })
    .from(appUser)
    .where(and(eq(appUser.orgId, p.orgId), eq(appUser.subject, p.subject)))
    .prepare(),
)
export type UserRow = NonNullable<ReturnType<ReturnType<typeof userBySubject>['get']>>

const setSubject = query('keycloak.setSubject', ['id', 'subject'], (db, p) =>
  db
    .update(appUser)
    .set({ subject: sql`${p.subject}` })
    .where(eq(appUser.id, p.id))
    .prepare(),
)

/** Writes the row of a new account, or updates that of its invited user. @throws not_found when the invitation is gone */
export function addRow(tx: Tx, subject: string, account: NewAccount, at: string): void {
  const { orgId, phoneNumber, phoneVerified, firstName, lastName, roles, invitedUserId: id = subject } = account
  const { email = null, locale = null } = account
  const row = { id, orgId, phoneNumber, phoneVerified, email, firstName, lastName, locale, at }
  if (id === subject) return void addUser(tx).run({ ...row, roles })
  if (acceptInvitation(tx).run(row).changes !== 1) throw notFound()
  setSubject(tx).run({ id, subject })
}
