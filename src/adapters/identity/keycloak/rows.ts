import { and, eq } from 'drizzle-orm'
import { query } from '../../../../db/query.ts'
import { appUser } from '../../../../db/schema/users.ts'

/** The service's own row of a Keycloak account, written when the account is created or first seen in a token. */
export const userBySubject = query('keycloak.userBySubject', ['orgId', 'subject'], (db, p) =>
  db
    .select({ id: appUser.id, roles: appUser.roles, status: appUser.status })
    .from(appUser)
    .where(and(eq(appUser.orgId, p.orgId), eq(appUser.subject, p.subject))),
)
export type UserRow = NonNullable<ReturnType<ReturnType<typeof userBySubject>['get']>>
