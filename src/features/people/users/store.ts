import { and, asc, eq, gte, lt, ne, sql } from 'drizzle-orm'
import { holding } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { exists, inserting, query, reading, readingBy } from '../../../../db/query.ts'
import { idempotency } from '../../../../db/schema/operations.ts'
import { assignment, property } from '../../../../db/schema/properties.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { purging, SLICE } from '../../../../db/write/purge.ts'
import type { Ctx } from '../../../context.ts'
import { maskPhone } from '../../../core/phone.ts'
import { fullNameOf } from './rules.ts'

export type UserRow = typeof appUser.$inferSelect

export const findUser = reading('user.byId', appUser)

/** How messages name somebody: by name, else by a number of which the last digits show. */
export function nameIn(db: Db, orgId: string, id: string): string {
  const user = findUser(db, orgId, id)
  return fullNameOf(user) || (user?.phoneNumber ? maskPhone(user.phoneNumber) : '–')
}

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

const administering = query('user.admins', ['orgId', 'limit'], (db, p) =>
  db
    .select()
    .from(appUser)
    .where(and(eq(appUser.orgId, p.orgId), eq(appUser.status, 'ACTIVE'), has('ADMIN')))
    .orderBy(asc(appUser.id))
    .limit(p.limit),
)
const MOST_ADMINS = 100
/** The active ADMINs of an organization. */
export const adminsOf = (db: Db, orgId: string): UserRow[] => administering(db).all({ orgId, limit: MOST_ADMINS })

/** What a manager is limited to, as JSON. */
const limits = sql<
  string[]
>`case when ${appUser.limited} then (select json_group_array(${assignment.propertyId}) from ${assignment} where ${assignment.userId} = ${appUser.id}) end`
export const listUsers = list({
  name: 'users',
  table: appUser,
  org: appUser.orgId,
  id: appUser.id,
  columns: listColumns(appUser, 'subject', 'username', 'notBefore', 'notifications', 'limited', 'adminUntil'),
  computed: () => ({ propertyIds: limits }),
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

const assigned = query('caretaker.assigned', ['orgId', 'userId'], (db, p) =>
  db
    .select({ propertyId: assignment.propertyId })
    .from(assignment)
    .where(and(eq(assignment.userId, p.userId), eq(sql`+${assignment.orgId}`, p.orgId)))
    .orderBy(asc(assignment.propertyId)),
)
type Limited = Pick<typeof appUser.$inferSelect, 'orgId' | 'id' | 'limited'>
type WithRoles = Limited & Pick<typeof appUser.$inferSelect, 'roles'>
/** The properties that a user was limited to, by id, whatever the roles are; undefined where nobody did. */
export const assignedTo = (db: Db, { orgId, id, limited }: Limited): string[] | undefined =>
  limited
    ? assigned(db)
        .all({ orgId, userId: id })
        .map(({ propertyId }) => propertyId)
    : undefined
/** A limit is that of a manager: of an administrator, or of who manages nothing, it waits. */
const isLimited = ({ limited, roles }: WithRoles): boolean =>
  limited && roles.includes('MANAGER') && !roles.includes('ADMIN')
/** The properties that a manager is limited to, by id; undefined for everybody else. */
export const propertiesOf = (db: Db, user: WithRoles): string[] | undefined =>
  isLimited(user) ? assignedTo(db, user) : undefined

const assignable = query('caretaker.assignable', ['orgId', 'id'], (db, p) =>
  db
    .select({ id: property.id })
    .from(property)
    .where(and(eq(property.orgId, p.orgId), eq(property.id, p.id))),
)
const latest = query('caretaker.assignedAt', ['orgId', 'userId'], (db, p) =>
  db
    .select({ at: sql<string | null>`max(${assignment.createdAt})` })
    .from(assignment)
    .where(and(eq(assignment.userId, p.userId), eq(sql`+${assignment.orgId}`, p.orgId))),
)
/** Whether a user may have seen more at that time than now: their limit was set or changed since. */
export const isLimitedSince = (db: Db, user: WithRoles | undefined, at: string): boolean => {
  if (!user || !isLimited(user)) return false
  const since = latest(db).get({ orgId: user.orgId, userId: user.id })?.at
  return !since || at <= since
}

export const hasProperty = (db: Db, orgId: string, id: string): boolean =>
  assignable(db).get({ orgId, id }) !== undefined

const insertAssignment = inserting('caretaker.assign', assignment)
const drop = query('caretaker.unassign', ['userId'], (db, p) =>
  db.delete(assignment).where(eq(assignment.userId, p.userId)),
)
/** Limits a manager to properties, in place of those before. */
export function assign({ tx, caller, now }: Ctx, { orgId, id: userId }: Limited, properties: readonly string[]): void {
  drop(tx).run({ userId })
  for (const propertyId of properties)
    insertAssignment(tx, { orgId, userId, propertyId, createdBy: caller.userId, createdAt: now })
}

/** The answers between two places of the index: after `after`, before `to`. */
export type Span = { readonly after: string; readonly key: string; readonly to: string }
/** A key's scope begins with organization and person, each followed by a space; "!" is the next character. */
const scopes = (start: string) => ({ from: `${start} `, to: `${start}!` })
export const answersOf = (orgId: string): Span => {
  const { from: after, to } = scopes(orgId)
  return { after, key: '', to }
}

const own = purging('answer.own', ['from', 'to'], idempotency, (p) =>
  and(gte(idempotency.scope, p.from), lt(idempotency.scope, p.to)),
)
/** Deletes a slice of the answers kept for a person. @returns whether none is left */
export const dropOwn = (tx: Tx, orgId: string, userId: string): boolean => own(tx, scopes(`${orgId} ${userId}`)) < SLICE

const slice = query('answer.slice', ['after', 'key', 'to'], (db, p) =>
  db
    .select({ scope: idempotency.scope, key: idempotency.key })
    .from(idempotency)
    .where(and(sql`(${idempotency.scope}, ${idempotency.key}) > (${p.after}, ${p.key})`, lt(idempotency.scope, p.to)))
    .orderBy(asc(idempotency.scope), asc(idempotency.key))
    .limit(1)
    .offset(SLICE - 1),
)
/** Where the next slice of a span ends; undefined in the last one. */
export const endOfSlice = (tx: Tx, span: Span) => slice(tx).get(span)

const naming = query('answer.naming', ['after', 'key', 'scope', 'until', 'a', 'b'], (db, p) =>
  db
    .select({ scope: idempotency.scope, key: idempotency.key, body: idempotency.body })
    .from(idempotency)
    .where(
      and(
        sql`(${idempotency.scope}, ${idempotency.key}) > (${p.after}, ${p.key})`,
        sql`(${idempotency.scope}, ${idempotency.key}) <= (${p.scope}, ${p.until})`,
        sql`(instr(${idempotency.body}, ${p.a}) or instr(${idempotency.body}, ${p.b}))`,
      ),
    ),
)
/** The answers of a slice that contain one of two texts. */
export const answersNaming = (
  tx: Tx,
  q: { after: string; key: string; scope: string; until: string; a: string; b: string },
) => naming(tx).all(q)

const rewrite = query('answer.rewrite', ['scope', 'key', 'body'], (db, p) =>
  db
    .update(idempotency)
    .set({ body: sql`${p.body}` })
    .where(and(eq(idempotency.scope, p.scope), eq(idempotency.key, p.key))),
)
export const rewriteAnswer = (tx: Tx, scope: string, key: string, body: string): void =>
  void rewrite(tx).run({ scope, key, body })
