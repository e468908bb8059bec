import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { addDays, DAY_MS, startOfDay } from '../../../core/dates.ts'
import { leastIdAt } from '../../../core/id.ts'
import type { Deps } from '../../../deps.ts'
import { contains, ListParameters } from '../../../http/paging.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { DateOnly, DateTime, InLists, Text, Uuid } from '../../../http/schema.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { entriesAbout, listEntries } from './store.ts'

const AuditEntry = Type.Object(
  {
    id: Uuid,
    actorUserId: Type.Optional(Uuid),
    actorName: InLists(Type.String(), 'The name of the user who did it.'),
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
        description:
          'When `loyer import` brought the entry in, recorded by another server. Absent if this server recorded it.',
      }),
    ),
  },
  { $id: 'AuditEntry' },
)
const Query = ListParameters({
  subjectId: Type.Optional(Uuid),
  actorUserId: Type.Optional(Uuid),
  action: Type.Optional(Text({ max: 60 })),
  subjectType: Type.Optional({
    ...Text({ max: 60 }),
    description: 'Only changes of this type of object, such as booking.',
  }),
  from: Type.Optional({ ...DateOnly, description: "First day, in the organization's time zone." }),
  to: Type.Optional({ ...DateOnly, description: 'Last day.' }),
  q: Type.Optional({
    ...Text({ max: 100 }),
    description: 'A part of the name of the user who did it; if nobody has that name, a part of the action.',
  }),
})
const FILTERS = [
  'subjectId',
  'actorUserId',
  'action',
  'subjectType',
  'from',
  'fromId',
  'to',
  'toId',
  'updatedSince',
  'q',
] as const
/** How far an id may be from the time of its entry, because clocks were set or time zones changed. */
const LEEWAY_MS = 2 * DAY_MS
/** The calendar's last day has no next day. */
const LAST_DAY = '9999-12-31'

export const audit = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/audit', tags: ['Administration'] }).use(http).get(
    '',
    ({ caller, many, query }) => {
      const zone = findOrganization(deps.db, caller.orgId)?.timeZone ?? 'UTC'
      const from = query.from === undefined ? undefined : startOfDay(query.from, zone)
      const to = query.to === undefined || query.to === LAST_DAY ? undefined : startOfDay(addDays(query.to, 1), zone)
      const asked = {
        ...query,
        from: from && new Date(from).toISOString(),
        fromId: from && leastIdAt(from - LEEWAY_MS),
        to: to && new Date(to).toISOString(),
        toId: to && leastIdAt(to + LEEWAY_MS),
      }
      const about = contains(query.q)
      return many('audit', asked, FILTERS, (q) =>
        listEntries(deps.db, { ...q, arms: about === undefined ? undefined : entriesAbout(deps.db, q.orgId, about) }),
      )
    },
    {
      access: ADMINS,
      query: Query,
      answers: { 200: Type.Array(AuditEntry) },
      detail: {
        summary: 'List the audit trail',
        description: 'Shows who changed what, newest first.',
        operationId: 'listAudit',
      },
    },
  )
