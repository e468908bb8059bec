import { list } from '../../../../db/list.ts'
import { shown } from '../../../../db/query.ts'
import { auditEntry } from '../../../../db/schema/operations.ts'

export const listEntries = list({
  name: 'audit',
  table: auditEntry,
  org: auditEntry.orgId,
  id: auditEntry.id,
  columns: shown(auditEntry, 'orgId'),
  filters: {
    subjectId: { column: auditEntry.subjectId },
    actorUserId: { column: auditEntry.actorUserId },
    action: { column: auditEntry.action },
  },
  // An entry never changes: "updated since" is "created since".
  ranges: { updatedSince: { column: auditEntry.createdAt, op: '>=' } },
  scopes: {},
})
