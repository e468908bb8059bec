import { and, eq, sql } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { inserting } from '../../../../db/rows.ts'
import { auditEntry } from '../../../../db/schema/operations.ts'

export const insertEntry = inserting('audit.insert', auditEntry)

const redrawn = query('audit.redrawn', ['orgId', 'subjectId'], (db, p) =>
  db
    .select({ details: auditEntry.details })
    .from(auditEntry)
    .where(
      and(
        eq(auditEntry.orgId, p.orgId),
        eq(auditEntry.subjectId, p.subjectId),
        eq(sql`+${auditEntry.action}`, 'document.redraw'),
      ),
    )
    .prepare(),
)
/** The digests that a document's file had before it was drawn again. */
export const redrawnFrom = (db: Db, orgId: string, documentId: string): string[] =>
  redrawn(db)
    .all({ orgId, subjectId: documentId })
    .map(({ details }) => String(details?.was))

export const listEntries = list({
  name: 'audit',
  table: auditEntry,
  org: auditEntry.orgId,
  id: auditEntry.id,
  columns: {
    id: auditEntry.id,
    actorUserId: auditEntry.actorUserId,
    actor: auditEntry.actor,
    action: auditEntry.action,
    subjectType: auditEntry.subjectType,
    subjectId: auditEntry.subjectId,
    beforeDigest: auditEntry.beforeDigest,
    afterDigest: auditEntry.afterDigest,
    details: auditEntry.details,
    requestId: auditEntry.requestId,
    createdAt: auditEntry.createdAt,
    importedAt: auditEntry.importedAt,
  },
  filters: {
    subjectId: { column: auditEntry.subjectId },
    actorUserId: { column: auditEntry.actorUserId },
    action: { column: auditEntry.action },
  },
  // An entry never changes: "updated since" is "created since".
  ranges: { updatedSince: { column: auditEntry.createdAt, op: '>=' } },
  scopes: {},
})
