import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { assignment, property } from '../../../../db/schema/properties.ts'
import type { appUser } from '../../../../db/schema/users.ts'
import type { Ctx } from '../../../context.ts'

const assigned = query('caretaker.assigned', ['orgId', 'userId'], (db, p) =>
  db
    .select({ propertyId: assignment.propertyId })
    .from(assignment)
    .where(and(eq(assignment.userId, p.userId), eq(sql`+${assignment.orgId}`, p.orgId)))
    .orderBy(asc(assignment.propertyId)),
)
type Limited = Pick<typeof appUser.$inferSelect, 'orgId' | 'id' | 'limited'>
/** The properties that a manager is limited to, by id; undefined for everybody else. */
export const propertiesOf = (db: Db, { orgId, id, limited }: Limited): string[] | undefined =>
  limited
    ? assigned(db)
        .all({ orgId, userId: id })
        .map(({ propertyId }) => propertyId)
    : undefined

const exists = query('caretaker.assignable', ['orgId', 'id'], (db, p) =>
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
export const isLimitedSince = (db: Db, user: Limited | undefined, at: string): boolean => {
  if (!user?.limited) return false
  const since = latest(db).get({ orgId: user.orgId, userId: user.id })?.at
  return !since || at <= since
}

export const hasProperty = (db: Db, orgId: string, id: string): boolean => exists(db).get({ orgId, id }) !== undefined

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
