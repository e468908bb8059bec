import { and, eq } from 'drizzle-orm'
import { query } from '../../../../db/query.ts'
import { appUser } from '../../../../db/schema/users.ts'

/** The service's own row of an account at Keycloak, which it has since it was made here or first seen in a token. */
export const userBySubject = query('keycloak.userBySubject', ['orgId', 'subject'], (db, p) =>
  db
    .select({ id: appUser.id })
    .from(appUser)
    .where(and(eq(appUser.orgId, p.orgId), eq(appUser.subject, p.subject)))
    .prepare(),
)
