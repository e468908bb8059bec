import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { addDays, DAY_MS, startOfDay } from '../../../core/dates.ts'
import { leastIdAt } from '../../../core/id.ts'
import type { Deps } from '../../../deps.ts'
import { CreatedAt, Id } from '../../../http/members.ts'
import { contains, ListParameters } from '../../../http/paging.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { DateOnly, InLists, Text, Uuid } from '../../../http/schema.ts'
import { DownloadLink } from '../../papers/media/model.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { archiveToDownload, createArchive } from './archives.ts'
import { makeFile } from './jobs.ts'
import { AuditArchive, AuditArchiveCreate, toArchive } from './model.ts'
import { type ArchiveRow, entriesAbout, findArchive, listArchives, listEntries } from './store.ts'

const AuditEntry = Type.Object(
  {
    id: Id,
    actorUserId: Type.Optional({ ...Uuid, description: 'The user who did it; absent for the system.' }),
    actorName: InLists(Type.String(), 'The name of the user who did it.'),
    actor: Type.String({ description: "The caller's roles, or system.", examples: ['OWNER'] }),
    action: Type.String({ description: 'Such as booking.terminate.', examples: ['booking.activate'] }),
    subjectType: Type.String({ description: 'The type of the object that was changed.', examples: ['booking'] }),
    subjectId: Type.String({
      description: 'The id of the object that was changed.',
      examples: ['01985f3a-7c00-7000-8000-000000000013'],
    }),
    beforeDigest: Type.Optional(
      Type.String({
        description: 'SHA-256 of the row before the change, base64url.',
        examples: ['mXxS1pFMGCQYjvYbiZFvnDNo_Q9hYtGuXHZ2H1VvA2Y'],
      }),
    ),
    afterDigest: Type.Optional(
      Type.String({
        description: 'SHA-256 of the row after the change, base64url.',
        examples: ['u5mJ6tU7a1w9GJ6gk0yQ8bXvRkCk4s0dHfJmK1W3n8E'],
      }),
    ),
    details: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'Further details, by name.',
        examples: [{ signed: true }],
      }),
    ),
    changes: Type.Optional(
      Type.Array(
        Type.Object({
          member: Type.String({ examples: ['rentAmount'], description: 'The member that changed.' }),
          before: Type.Optional(Type.Unknown({ description: 'Its value before; absent if it had none.' })),
          after: Type.Optional(Type.Unknown({ description: 'Its value afterwards; absent if it has none.' })),
        }),
        {
          examples: [[{ member: 'rentAmount', before: 80_000, after: 85_000 }]],
          description:
            "The members that an update changed. Of persons' numbers the last digits are shown, of their names the initials; long values are cut. Absent in entries that earlier versions recorded.",
        },
      ),
    ),
    requestId: Type.String({
      description: 'The X-Request-Id of the request.',
      examples: ['01985f3a-7c00-7000-8000-000000000063'],
    }),
    createdAt: CreatedAt,
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
  subjectId: Type.Optional({ ...Uuid, description: 'Only changes of this object.' }),
  actorUserId: Type.Optional({ ...Uuid, description: 'Only changes by this user.' }),
  action: Type.Optional(Text({ max: 60, description: 'Only this action, such as booking.terminate.' })),
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
      const listQuery = {
        ...query,
        from: from && new Date(from).toISOString(),
        fromId: from && leastIdAt(from - LEEWAY_MS),
        to: to && new Date(to).toISOString(),
        toId: to && leastIdAt(to + LEEWAY_MS),
      }
      const about = contains(query.q)
      return many({ name: 'audit', query: listQuery, filters: FILTERS }, (q) =>
        listEntries(deps.db, {
          ...q,
          branches: about === undefined ? undefined : entriesAbout(deps.db, q.orgId, about),
        }),
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

const DOWNLOAD_SECONDS = 300
/** An archive never changes, so its version is always 1. */
const versioned = (row: ArchiveRow) => ({ ...row, version: 1 })

export const auditArchives = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/audit/archives', tags: ['Administration'] })
    .use(http)
    .post(
      '',
      async ({ body, caller, mutate, inTurn }) => {
        const archive = await inTurn(() => makeFile(deps, caller.orgId, body.before))
        let storedId: string | undefined
        try {
          const answer = await mutate({
            status: 201,
            body,
            run: (ctx) => versioned(createArchive(ctx, archive)),
            view: (row) => toArchive(row),
          })
          storedId = answer.id
          return answer
        } finally {
          // The request was refused or is a replay of an earlier one: no archive uses this file.
          if (archive && archive.id !== storedId) await deps.blobs.remove(archive.id)
        }
      },
      {
        access: { roles: ADMINS, stepUp: true },
        body: AuditArchiveCreate,
        creates: ['/api/v1/admin/audit/archives/{id}'],
        problems: ['invalid_state', 'already_running', 'quota_exceeded', 'overloaded'],
        answers: { 201: AuditArchive },
        detail: {
          summary: 'Move old entries of the audit trail into a signed file',
          operationId: 'createAuditArchive',
          description: [
            'The file is gzip of NDJSON, one JSON object a line: first `{format, id, organizationId, before,',
            'previousSha256}`, then the entries, oldest first, last `{entries}`, their number. Entries leave the',
            'trail (`GET /admin/audit`) some minutes later, and only while the file exists and is complete.',
            'Refused with 409 `invalid_state` if no entry is that old, and with 409 `already_running` while the',
            'entries of the previous archive are still leaving. To verify an archive: `sha256` is that of the',
            'file. `signature` is a detached JWS (`header..signature`, EdDSA with Ed25519); its payload is the 64',
            'characters of `sha256`, and its public key is `jwk` in the header. The key is the same in all',
            "archives while the server keeps its data folder's `master.key`. `previousSha256`, also in the file,",
            'is the `sha256` of the previous archive, so that a missing archive is noticed. An export holds no',
            'archives: download them before you move to another server.',
          ].join(' '),
        },
      },
    )
    .get(
      '',
      ({ many, query }) =>
        many({ name: 'auditArchives', query, filters: ['updatedSince'] }, (q) => listArchives(deps.db, q)),
      {
        access: ADMINS,
        query: ListParameters({}),
        answers: { 200: Type.Array(AuditArchive) },
        detail: {
          summary: 'List the archives of the audit trail',
          description: 'Newest first.',
          operationId: 'listAuditArchives',
        },
      },
    )
    .get(
      '/:id',
      ({ caller, params, one }) => {
        const row = findArchive(deps.db, caller.orgId, params.id)
        return one(row && versioned(row), (archive) => toArchive(archive))
      },
      {
        access: ADMINS,
        answers: { 200: AuditArchive },
        detail: { summary: 'Read an archive of the audit trail', operationId: 'getAuditArchive' },
      },
    )
    .get(
      '/:id/download-url',
      ({ params, perform, set }) => {
        set.headers['cache-control'] = 'no-store'
        return perform({
          run: (ctx) => {
            const { id } = archiveToDownload(ctx, params.id)
            return { url: deps.links.sign('GET', '/media-files', id, DOWNLOAD_SECONDS, { of: 'audit-archive' }).url }
          },
        })
      },
      {
        access: { roles: ADMINS, stepUp: true },
        answers: { 200: DownloadLink },
        detail: {
          summary: "Get a link to an archive's file, valid for five minutes",
          description: 'The audit trail records who requested it.',
          operationId: 'getAuditArchiveDownloadUrl',
        },
      },
    )
