import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import type { Db } from '../../../../db/open.ts'
import { exists, holding, query, reading, readingBy, shown } from '../../../../db/query.ts'
import { assignment } from '../../../../db/schema/properties.ts'
import { appUser } from '../../../../db/schema/users.ts'

export type UserRow = typeof appUser.$inferSelect

export const findUser = reading('user.byId', appUser)

export const findUserBySubject = readingBy('user.bySubject', appUser, appUser.orgId, appUser.subject)

const idTaken = query('user.idTaken', ['id'], (db, p) =>
  db.select({ id: appUser.id }).from(appUser).where(eq(appUser.id, p.id)),
)
export const userIdTaken = (db: Db, id: string): boolean => idTaken(db).get({ id }) !== undefined

const byPhone = query('user.byPhone', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select()
    .from(appUser)
    .where(and(eq(appUser.phoneNumber, p.phoneNumber), eq(appUser.orgId, p.orgId), eq(appUser.phoneVerified, true))),
)
/** The user who has verified this number; unverified ones do not count. */
export const findUserByPhone = (db: Db, orgId: string, phoneNumber: string): UserRow | undefined =>
  byPhone(db).get({ orgId, phoneNumber })

const elsewhere = exists('user.phoneElsewhere', ['orgId', 'phoneNumber'], appUser, (p) =>
  and(eq(appUser.phoneNumber, p.phoneNumber), ne(appUser.orgId, p.orgId), eq(appUser.phoneVerified, true)),
)
/** Whether an account of another organization has this number. */
export const phoneElsewhere = (db: Db, orgId: string, phoneNumber: string): boolean =>
  elsewhere(db, { orgId, phoneNumber })

const invited = query('user.invited', ['phoneNumber'], (db, p) =>
  db
    .select()
    .from(appUser)
    .where(and(eq(appUser.phoneNumber, p.phoneNumber), eq(sql`+${appUser.status}`, 'INVITED')))
    .orderBy(asc(appUser.id)),
)
/** All organizations' invitations of a number, earliest first. */
export const invitationsOf = (db: Db, phoneNumber: string): UserRow[] => invited(db).all({ phoneNumber })

const has = (role: unknown) => sql`exists (select 1 from json_each(${appUser.roles}) where value = ${role})`
const admins = exists('user.otherAdmin', ['orgId', 'id'], appUser, (p) =>
  and(eq(appUser.orgId, p.orgId), eq(appUser.status, 'ACTIVE'), ne(sql`+${appUser.id}`, p.id), has('ADMIN')),
)
/** Whether the organization has another ADMIN. */
export const hasOtherAdmin = (db: Db, orgId: string, id: string): boolean => admins(db, { orgId, id })

/** What a manager is limited to, as JSON. */
const limits = sql<
  string[]
>`case when ${appUser.limited} then (select json_group_array(${assignment.propertyId}) from ${assignment} where ${assignment.userId} = ${appUser.id}) end`
export const listUsers = list({
  name: 'users',
  table: appUser,
  org: appUser.orgId,
  id: appUser.id,
  columns: shown(appUser, 'subject', 'username', 'notBefore', 'notifications', 'limited'),
  added: () => ({ propertyIds: limits }),
  json: ['propertyIds'],
  filters: {
    status: { column: appUser.status, several: true },
    role: { where: has },
    q: {
      where: holding(
        sql`(coalesce(${appUser.firstName}, '') || ' ' || coalesce(${appUser.lastName}, ''))`,
        appUser.phoneNumber,
      ),
    },
  },
  ranges: { updatedSince: { column: appUser.updatedAt, op: '>=' } },
  scopes: {},
})
