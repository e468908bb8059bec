import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { ListParameters } from '../../../http/paging.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { DateTime, Text, Uuid } from '../../../http/schema.ts'
import { listEntries } from './store.ts'

const AuditEntry = Type.Object(
  {
    id: Uuid,
    actorUserId: Type.Optional(Uuid),
    actor: Type.String({ description: "The caller's roles, or system." }),
    action: Type.String({ description: 'Such as booking.terminate.' }),
    subjectType: Type.String(),
    subjectId: Type.String(),
    beforeDigest: Type.Optional(Type.String({ description: 'SHA-256 of the row before the change, base64url.' })),
    afterDigest: Type.Optional(Type.String({ description: 'SHA-256 of the row after the change, base64url.' })),
    details: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
    requestId: Type.String(),
    createdAt: DateTime,
    importedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When `loyer import` brought it in: another server said so. Absent where this one saw it itself.',
      }),
    ),
  },
  { $id: 'AuditEntry' },
)
const Query = ListParameters({
  subjectId: Type.Optional(Uuid),
  actorUserId: Type.Optional(Uuid),
  action: Type.Optional(Text({ max: 60 })),
})

export const audit = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/audit', tags: ['Administration'] })
    .use(http)
    .get(
      '',
      ({ many, query }) =>
        many('audit', query, ['subjectId', 'actorUserId', 'action', 'updatedSince'], (q) => listEntries(deps.db, q)),
      {
        access: ADMINS,
        query: Query,
        answers: { 200: Type.Array(AuditEntry) },
        detail: { summary: 'Who changed what, newest first', operationId: 'listAudit' },
      },
    )
