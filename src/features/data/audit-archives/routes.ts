import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { ListParameters } from '../../../http/paging.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { DownloadLink } from '../../papers/media/model.ts'
import { AuditArchive, AuditArchiveCreate, toArchive } from './model.ts'
import { archiveToDownload, createArchive, makeFile } from './service.ts'
import { type ArchiveRow, findArchive, listArchives } from './store.ts'

const DOWNLOAD_SECONDS = 300
/** An archive never changes, so its version is always 1. */
const versioned = (row: ArchiveRow) => ({ ...row, version: 1 })

export const auditArchives = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/audit/archives', tags: ['Administration'] })
    .use(http)
    .post(
      '',
      async ({ body, caller, mutate, inTurn }) => {
        const made = await inTurn(() => makeFile(deps, caller.orgId, body.before))
        let kept: string | undefined
        try {
          const answer = await mutate(
            201,
            body,
            (ctx) => versioned(createArchive(ctx, made)),
            (row) => toArchive(row),
          )
          kept = answer.id
          return answer
        } finally {
          // The request was refused or is a replay of an earlier one: no archive uses this file.
          if (made && made.id !== kept) await deps.blobs.remove(made.id)
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
            'The file is gzip of NDJSON, one JSON object a line: first `{format, id, organizationId, before, previousSha256}`, then',
            'the entries, oldest first, last `{entries}`, their number. Entries leave the trail (`GET /admin/audit`) some minutes',
            'later, and only while the file is there and whole. 409 `invalid_state` where no entry is that old, `already_running`',
            'while the entries of the archive before are still leaving.',
            'To verify: `sha256` is that of the file; `signature` is a detached JWS (`header..signature`, EdDSA with Ed25519), whose',
            'payload is the 64 characters of `sha256` and whose public key is `jwk` in the header, the same in all archives',
            "while the server keeps its data folder's `master.key`; `previousSha256`, in the file too, is the `sha256` of the",
            'archive before, so that none can be left out. An export holds no archives: fetch them before moving to another server.',
          ].join(' '),
        },
      },
    )
    .get('', ({ many, query }) => many('auditArchives', query, ['updatedSince'], (q) => listArchives(deps.db, q)), {
      access: ADMINS,
      query: ListParameters({}),
      answers: { 200: Type.Array(AuditArchive) },
      detail: { summary: 'The archives of the audit trail, newest first', operationId: 'listAuditArchives' },
    })
    .get(
      '/:id',
      ({ caller, params, one }) => {
        const row = findArchive(deps.db, caller.orgId, params.id)
        return one(row && versioned(row), (archive) => toArchive(archive))
      },
      {
        access: ADMINS,
        answers: { 200: AuditArchive },
        detail: { summary: 'One archive of the audit trail', operationId: 'getAuditArchive' },
      },
    )
    .get(
      '/:id/download-url',
      ({ params, perform, set }) => {
        set.headers['cache-control'] = 'no-store'
        return perform(200, undefined, (ctx) => {
          const { id } = archiveToDownload(ctx, params.id)
          return { url: deps.links.sign('GET', '/media-files', id, DOWNLOAD_SECONDS, { of: 'audit-archive' }).url }
        })
      },
      {
        access: { roles: ADMINS, stepUp: true },
        answers: { 200: DownloadLink },
        detail: {
          summary: "A link to an archive's file, for five minutes",
          description: 'The audit trail says who asked for it.',
          operationId: 'getAuditArchiveDownloadUrl',
        },
      },
    )
