import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { type Http, LANDLORDS } from '../../http/http.ts'
import { Body, Uuid } from '../../http/schema.ts'
import { DownloadLink } from '../media/model.ts'
import { ExportRun, toExport } from './model.ts'
import { DOWNLOAD_SECONDS } from './rules.ts'
import { createExport, exportToDownload, getExport } from './service.ts'

const ById = Type.Object({ id: Uuid })

export const dataExports = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/exports', tags: ['Import and export'] })
    .use(http)
    .post('', ({ body, mutate }) => mutate(202, body, createExport, toExport), {
      access: LANDLORDS,
      body: Body({}),
      problems: ['already_running'],
      answers: { 202: ExportRun },
      detail: {
        summary: 'Pack everything of the organization into one file',
        operationId: 'createExport',
        description: [
          'A zip with every table as JSON (`data/`), the main ones as CSV too (`csv/`), and all files (`files/`); made of one',
          'moment, with the SHA-256 of each (`checksums.json`). Passwords, keys, webhook secrets and what is on its way are left',
          'out. `loyer import FILE.zip` brings it into another database of the same version, under the same ids; people then set',
          'a new password by phone, and webhook endpoints are disabled. An OWNER gets what is theirs: to read, not to bring in.',
        ].join(' '),
      },
    })
    .get('/:id', ({ caller, params, one }) => one(getExport(deps.db, caller, params.id), toExport), {
      access: LANDLORDS,
      params: ById,
      answers: { 200: ExportRun },
      detail: { summary: 'How far an export is', operationId: 'getExport' },
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
        access: LANDLORDS,
        params: ById,
        problems: ['invalid_state'],
        answers: { 200: DownloadLink },
        detail: { summary: 'A link to the file, for five minutes', operationId: 'getExportDownloadUrl' },
      },
    )
