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
    .post('', ({ body, mutate }) => mutate({ status: 202, body, run: createExport, view: toExport }), {
      access: { roles: LANDLORDS, stepUp: true },
      body: Body({}),
      problems: ['already_running'],
      answers: { 202: ExportRun },
      detail: {
        summary: 'Export everything that the caller may read into one file',
        operationId: 'createExport',
        description: [
          'One at a time for each person. The file is a zip with tables as JSON (`data/`), the main ones also',
          'as CSV (`csv/`), and files (`files/`). All of it is from one moment, with the SHA-256 of each file',
          '(`checksums.json`). It holds what the caller can read through this API with the role they have when',
          'it is packed. An OWNER gets what is theirs. A MANAGER gets everything of the organization except its',
          'settings, its users, the audit trail, and the identity papers and files of others. An ADMIN also',
          "gets these; of identity papers, those under review. Nobody gets others' papers that are not under",
          'review, nor passwords, keys, webhook secrets and messages not sent yet. The audit trail records who',
          'made the export, with which role, and how many papers of others it holds. `loyer import FILE.zip`',
          "brings an ADMIN's export into another database of the same version, under the same ids.",
          'Verifications keep their decision there, but papers that the file does not hold must be requested',
          'again; to take them along, pack the file with `loyer export` on the server. Afterwards people set a',
          'new password by phone, and webhook endpoints are disabled.',
        ].join(' '),
      },
    })
    .get(
      '',
      ({ many, query }) => many({ name: 'exports', query, filters: ['updatedSince'] }, (q) => listExports(deps.db, q)),
      {
        access: LANDLORDS,
        query: ListParameters({}),
        answers: { 200: Type.Array(ExportRun) },
        detail: {
          summary: 'List exports',
          description: `Newest first. Lists the caller's own; a caller who sees the whole organization gets everybody's. Of the exports without a file, the newest ${RUNS_KEPT.exports} are kept.`,
          operationId: 'listExports',
        },
      },
    )
    .get('/:id', ({ caller, params, one }) => one(getExport(deps.db, caller, params.id), toExport), {
      access: LANDLORDS,
      answers: { 200: ExportRun },
      detail: {
        summary: 'Read the progress of an export',
        description: 'For the person who made it, and for callers who see the whole organization.',
        operationId: 'getExport',
      },
    })
    .get(
      '/:id/download-url',
      ({ params, perform, set }) => {
        set.headers['cache-control'] = 'no-store'
        return perform({
          run: (ctx) => {
            const { id } = exportToDownload(ctx, params.id)
            return { url: deps.links.sign('GET', '/media-files', id, DOWNLOAD_SECONDS, { of: 'export' }).url }
          },
        })
      },
      {
        access: { roles: LANDLORDS, stepUp: true },
        problems: ['invalid_state'],
        answers: { 200: DownloadLink },
        detail: {
          summary: 'Get a link to the file, valid for five minutes',
          description:
            'Only for the person who made the export, while they have the role it was packed for (otherwise 403). The link also ends with that role.',
          operationId: 'getExportDownloadUrl',
        },
      },
    )
