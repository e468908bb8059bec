import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { ListParameters } from '../../../http/paging.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { DownloadLink } from '../../papers/media/model.ts'
import { makeFile } from './jobs.ts'
import { AuditArchive, AuditArchiveCreate, toArchive } from './model.ts'
import { archiveToDownload, createArchive } from './service.ts'
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
    .get('', ({ many, query }) => many('auditArchives', query, ['updatedSince'], (q) => listArchives(deps.db, q)), {
      access: ADMINS,
      query: ListParameters({}),
      answers: { 200: Type.Array(AuditArchive) },
      detail: {
        summary: 'List the archives of the audit trail',
        description: 'Newest first.',
        operationId: 'listAuditArchives',
      },
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
        detail: { summary: 'Read an archive of the audit trail', operationId: 'getAuditArchive' },
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
          summary: "Get a link to an archive's file, valid for five minutes",
          description: 'The audit trail records who requested it.',
          operationId: 'getAuditArchiveDownloadUrl',
        },
      },
    )
