import { list } from '../../../../db/list.ts'
import { auditEntry } from '../../../../db/schema/operations.ts'

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
