import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { leaseTemplate } from '../../../../db/schema/documents.ts'
import type { LeaseKind } from './rules.ts'

export type TemplateRow = typeof leaseTemplate.$inferSelect
export const insertTemplate = inserting('leaseTemplate.insert', leaseTemplate)

const latest = query('leaseTemplate.latest', ['orgId', 'kind'], (db, p) =>
  db
    .select()
    .from(leaseTemplate)
    .where(and(eq(leaseTemplate.orgId, p.orgId), eq(leaseTemplate.kind, p.kind)))
    .orderBy(desc(leaseTemplate.version))
    .limit(1),
)
/** The version in force; undefined while the organization uses those that come with the program. */
export const latestTemplate = (db: Db, orgId: string, kind: LeaseKind): TemplateRow | undefined =>
  latest(db).get({ orgId, kind })
