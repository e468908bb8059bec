import { asc, eq, sql } from 'drizzle-orm'
import { query } from '../../../../db/query.ts'
import { appUser } from '../../../../db/schema/users.ts'

/** The first twelve members of an organization, oldest first. */
export const peopleOf = query('front.people', ['orgId'], (db, p) =>
  db
    .select({
      id: appUser.id,
      firstName: appUser.firstName,
      lastName: appUser.lastName,
      roles: appUser.roles,
      limited: appUser.limited,
    })
    .from(appUser)
    .where(sql`${eq(appUser.orgId, p.orgId)} and +${appUser.status} = 'ACTIVE'`)
    .orderBy(asc(appUser.id))
    .limit(12),
)
