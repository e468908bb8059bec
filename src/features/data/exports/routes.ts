import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { RUNS_KEPT } from '../../../core/budgets.ts'
import type { Deps } from '../../../deps.ts'
import { ListParameters } from '../../../http/paging.ts'
import { type Http, LANDLORDS } from '../../../http/routes.ts'
import { Body } from '../../../http/schema.ts'
import { DownloadLink } from '../../papers/media/model.ts'
import { ExportRun, toExport } from './model.ts'
import { DOWNLOAD_SECONDS } from './rules.ts'
import { createExport, exportToDownload, getExport } from './service.ts'
import { listExports } from './store.ts'

export const dataExports = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/exports', tags: ['Import and export'] })
    .use(http)
    .post('', ({ body, mutate }) => mutate(202, body, createExport, toExport), {
      access: { roles: LANDLORDS, stepUp: true },
      body: Body({}),
      problems: ['already_running'],
      answers: { 202: ExportRun },
      detail: {
        summary: 'Pack what one may read into one file',
        operationId: 'createExport',
        description: [
          'One at a time a person. A zip with tables as JSON (`data/`), the main ones as CSV too (`csv/`), and files (`files/`); made of one moment, with',
          'the SHA-256 of each (`checksums.json`). It holds what its maker reads through this API, with the role they have when it',
          'is packed: an OWNER what is theirs; a MANAGER everything of the organization but its settings, its users, the audit',
          'trail and the identity papers and files of others; an ADMIN these too, and of identity papers those under review. Nobody',
          "gets others' papers that are not under review, nor passwords, keys, webhook secrets and what is on its way.",
          "The audit trail says who made it, with which role, and how many papers of others it holds. An ADMIN's can be brought",
          'into another database of the same version by `loyer import FILE.zip`, under the same ids; verifications keep their',
          'decision there, while papers that the file does not hold have to be asked for again: who moves house with them packs the file by',
          '`loyer export` at the server. People then set a new password by phone, and webhook endpoints are disabled.',
        ].join(' '),
      },
    })
    .get('', ({ many, query }) => many('exports', query, ['updatedSince'], (q) => listExports(deps.db, q)), {
      access: LANDLORDS,
      query: ListParameters({}),
      answers: { 200: Type.Array(ExportRun) },
      detail: {
        summary: 'Exports, newest first',
        description: `One's own; of everybody to who sees everything of the organization. Of those without a file the newest ${RUNS_KEPT.exports} are kept.`,
        operationId: 'listExports',
      },
    })
    .get('/:id', ({ caller, params, one }) => one(getExport(deps.db, caller, params.id), toExport), {
      access: LANDLORDS,
      answers: { 200: ExportRun },
      detail: {
        summary: 'How far an export is',
        description: 'To its maker, and to who sees everything of the organization.',
        operationId: 'getExport',
      },
    })
    .get(
      '/:id/download-url',
      ({ params, perform, set }) => {
        set.headers['cache-control'] = 'no-store'
        return perform(200, undefined, (ctx) => {
          const { id } = exportToDownload(ctx, params.id)
          return { url: deps.links.sign('GET', '/media-files', id, DOWNLOAD_SECONDS, { of: 'export' }).url }
        })
      },
      {
        access: { roles: LANDLORDS, stepUp: true },
        problems: ['invalid_state'],
        answers: { 200: DownloadLink },
        detail: {
          summary: 'A link to the file, for five minutes',
          description:
            'For its maker alone, while they have the role it was packed for (403 otherwise); the link ends with that role, too.',
          operationId: 'getExportDownloadUrl',
        },
      },
    )
