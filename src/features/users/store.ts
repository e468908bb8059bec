import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { query } from '../../../db/query.ts'
import { inserting, reading, saving } from '../../../db/rows.ts'
import { appUser } from '../../../db/schema/users.ts'

export type UserRow = typeof appUser.$inferSelect
export const insertUser = inserting('user.insert', appUser)
export const saveUser = saving('user.save', appUser, [
  'username',
  'email',
  'firstName',
  'lastName',
  'phoneNumber',
  'phoneVerified',
  'roles',
  'locale',
  'status',
  'notBefore',
  'updatedAt',
])

const byId = reading('user.byId', appUser)
export const findUser = (db: Db, orgId: string, id: string): UserRow | undefined => byId(db, orgId, id)

const bySubject = query('user.bySubject', ['orgId', 'subject'], (db, p) =>
  db
    .select()
    .from(appUser)
    .where(and(eq(appUser.orgId, p.orgId), eq(appUser.subject, p.subject)))
    .prepare(),
)
export const findUserBySubject = (db: Db, orgId: string, subject: string): UserRow | undefined =>
  bySubject(db).get({ orgId, subject })

const taken = query('user.idTaken', ['id'], (db, p) =>
  db.select({ id: appUser.id }).from(appUser).where(eq(appUser.id, p.id)).prepare(),
)
export const userIdTaken = (db: Db, id: string): boolean => taken(db).get({ id }) !== undefined

const byPhone = query('user.byPhone', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select()
    .from(appUser)
    .where(and(eq(appUser.phoneNumber, p.phoneNumber), eq(appUser.orgId, p.orgId), eq(appUser.phoneVerified, true)))
    .prepare(),
)
/** Whose verified number it is: one that nobody proved leads to no one. */
export const findUserByPhone = (db: Db, orgId: string, phoneNumber: string): UserRow | undefined =>
  byPhone(db).get({ orgId, phoneNumber })

const elsewhere = query('user.phoneElsewhere', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select({ id: appUser.id })
    .from(appUser)
    .where(and(eq(appUser.phoneNumber, p.phoneNumber), ne(appUser.orgId, p.orgId), eq(appUser.phoneVerified, true)))
    .limit(1)
    .prepare(),
)
/** Whether the number is that of an account of another organization. */
export const phoneElsewhere = (db: Db, orgId: string, phoneNumber: string): boolean =>
  elsewhere(db).get({ orgId, phoneNumber }) !== undefined
