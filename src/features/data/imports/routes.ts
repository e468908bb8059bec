import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { RUNS_KEPT } from '../../../core/budgets.ts'
import { COLUMNS, IMPORT_KINDS } from '../../../core/import-columns.ts'
import type { Deps } from '../../../deps.ts'
import { languageOf } from '../../../http/language.ts'
import { withNames } from '../../../http/mutation.ts'
import { ListParameters } from '../../../http/paging.ts'
import { type Http, OF_WHOLE, section } from '../../../http/routes.ts'
import { oneOf, TableFormat, Uuid } from '../../../http/schema.ts'
import { ImportCreate, ImportRun, ListedImportRun, toImport } from './model.ts'
import { MAX_ROWS } from './rules.ts'
import { createImport, getImport, vacantUnits } from './service.ts'
import { listImports, progressOf } from './store.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const file = (type: string) => ({ [type]: { schema: { type: 'string', format: 'binary' } } })

export const imports = (deps: Deps, http: Http) =>
  new Elysia({
    prefix: '/api/v1/imports',
    ...section('Import and export', 'Imports of rows from files, exports of all data.'),
  })
    .use(http)
    .post(
      '',
      ({ body, mutate, request }) =>
        mutate({ status: 202, body, run: (ctx) => createImport(ctx, body), view: toImport(languageOf(request)) }),
      {
        access: OF_WHOLE,
        body: ImportCreate,
        problems: ['already_running', 'not_found'],
        answers: { 202: ImportRun },
        detail: {
          summary: 'Import properties, units, tenants or leases from CSV or XLSX',
          operationId: 'createImport',
          description: [
            `Accepts a file of up to ${MAX_ROWS} rows; divide a longer one. Send a small file inline as \`csv\`; upload a larger one as`,
            'a media object of the caller (ownerType USER, kind DOCUMENT, contentType text/csv or that of XLSX)',
            'and name it in `mediaObjectId`. The first row holds the headings of the templates, French or',
            'English, in any order. CSV is separated by semicolons, commas or tabs, and encoded in UTF-8, UTF-16',
            'with its byte order mark, or Windows-1252. Amounts may be written as `150 000`, dates as',
            '`31/12/2026` or `2026-12-31`. Properties, units and tenants are matched by name (tenants by number',
            'if they have one). A lease comes into force unless its column says no. With `dryRun` nothing is',
            'imported and every problem is listed. Without it, all rows are imported, or none if anything is',
            'wrong. A person can have one import at a time. Imports run one after the other, and the',
            'organizations take turns. While one is written, changes by others wait for some seconds, and reads go on.',
          ].join(' '),
        },
      },
    )
    .get(
      '',
      ({ many, query }) => many({ name: 'imports', query, filters: ['updatedSince'] }, (q) => listImports(deps.db, q)),
      {
        access: OF_WHOLE,
        query: ListParameters({}),
        answers: { 200: Type.Array(ListedImportRun) },
        detail: {
          summary: 'List imports and dry runs',
          description: `Newest first. Lists the caller's own; a caller who sees the whole organization gets everybody's. The newest ${RUNS_KEPT.imports} finished ones are kept. Read an import by its id for the problems of its rows.`,
          operationId: 'listImports',
        },
      },
    )
    .get(
      '/:id',
      ({ caller, params, one, request }) =>
        one(
          getImport(deps.db, caller, params.id),
          withNames(toImport(languageOf(request)), (db, _caller, { id }) => progressOf(db).get(id) ?? {}),
        ),
      {
        access: OF_WHOLE,
        answers: { 200: ImportRun },
        detail: {
          summary: 'Read the progress and the problems of an import',
          operationId: 'getImport',
        },
      },
    )
    .get(
      '/templates/:kind',
      async ({ caller, params, query, request }) => {
        const language = languageOf(request)
        const at = language === 'fr' ? 0 : 1
        const units = params.kind === 'leases' && query.propertyId ? vacantUnits(deps.db, caller, query.propertyId) : []
        const columns = Object.entries(COLUMNS[params.kind])
          .filter(([, { apart }]) => !apart)
          .map(([member, { names, example }]) => ({
            member,
            heading: names[at],
            kind: 'text' as const,
            example: typeof example === 'string' ? example : example[at],
          }))
        const rows: Readonly<Record<string, string>>[] =
          units.length > 0 ? units : [Object.fromEntries(columns.map(({ member, example }) => [member, example]))]
        const sheet = {
          name: params.kind,
          columns,
          rows: rows.map((row) => columns.map(({ member }) => row[member] ?? '')),
        }
        const format = query.format ?? 'csv'
        const rest = async () => {}
        const body =
          format === 'csv'
            ? (await Array.fromAsync(deps.tables.csv(sheet, language, rest))).join('')
            : deps.tables.xlsx(sheet, new Date(deps.clock.now()), rest)
        return new Response(body, {
          headers: {
            'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : XLSX,
            'content-disposition': `attachment; filename="${params.kind}.${format}"`,
          },
        })
      },
      {
        access: OF_WHOLE,
        problems: ['not_found'],
        params: Type.Object({ kind: oneOf(IMPORT_KINDS, { description: 'The kind of rows.' }) }),
        query: Type.Object(
          {
            format: Type.Optional(TableFormat),
            propertyId: Type.Optional({
              ...Uuid,
              description:
                'For leases: the file already contains the vacant units of this property, one row each with their rent. A row left unchanged imports nothing.',
            }),
          },
          { additionalProperties: true },
        ),
        detail: {
          summary: 'Get a template to fill in',
          description: 'Has headings in the language of Accept-Language, and one example row.',
          operationId: 'getImportTemplate',
          responses: { 200: { description: 'The file.', content: { ...file('text/csv'), ...file(XLSX) } } },
        } as object,
      },
    )
