import { type Static, Type } from '@sinclair/typebox'
import { IMPORT_KINDS } from '../../../core/import-columns.ts'
import { Body, DateTime, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import { MAX_PROBLEMS, RUN_STATUS } from './rules.ts'
import type { ImportRow } from './store.ts'

export const ImportRun = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    kind: oneOf(IMPORT_KINDS),
    dryRun: Type.Boolean(),
    status: oneOf(RUN_STATUS, {
      description: 'FAILED: nothing was imported; see `problems`. A dry run is SUCCEEDED if nothing is wrong.',
    }),
    rows: Type.Integer({
      description: 'The number of rows in the file without the headings; 0 until it has been read.',
    }),
    rowsDone: Type.Integer({ description: 'The number of rows processed; grows while the run goes on.' }),
    problemCount: Type.Integer(),
    problems: Type.Array(
      Type.Object({
        row: Type.Integer({
          description: 'The row as a spreadsheet counts it: the headings are row 1; 0 is the whole file.',
        }),
        column: Type.Optional(
          Type.String({
            description:
              'The heading in the file, or that of the template if the file has none; a letter for a column that should be empty.',
          }),
        ),
        message: Type.String({ description: 'The problem, in the language of Accept-Language.' }),
      }),
      { description: `The first ${MAX_PROBLEMS}.` },
    ),
    created: Type.Record(Type.String(), Type.Integer(), {
      description: 'How many of each were imported, or would be by a dry run.',
    }),
    createdAt: DateTime,
    finishedAt: Type.Optional(DateTime),
  },
  { $id: 'ImportRun' },
)
export type ImportRun = Static<typeof ImportRun>

export const ListedImportRun = Type.Omit(ImportRun, ['problems'], { $id: 'ListedImportRun' })

export const ImportCreate = Body(
  {
    kind: oneOf(IMPORT_KINDS),
    dryRun: Maybe(Type.Boolean()),
    csv: Maybe(Text({ max: 60_000, lines: true })),
    mediaObjectId: Maybe(Uuid),
  },
  {
    $id: 'ImportCreate',
    'x-one-of': { Inline: { has: ['csv'] }, OfFile: { has: ['mediaObjectId'] } },
    examples: [
      { kind: 'properties', dryRun: true, csv: 'Nom;Adresse;Ville\nRésidence Makepe;Derrière le marché;Douala' },
      { kind: 'leases', mediaObjectId: '01985f3a-7c00-7000-8000-000000000070' },
    ],
  },
)
export type ImportCreate = Static<typeof ImportCreate>

export const toImport =
  (language: 'fr' | 'en') =>
  (row: ImportRow): ImportRun => {
    const { id, orgId, kind, dryRun, status, rows, rowsDone, problemCount, created, createdAt, finishedAt } = row
    const problems = row.problems.map(({ row: at, column, message }) => ({
      row: at,
      ...(column !== undefined && { column: typeof column === 'string' ? column : column[language] }),
      message: message[language],
    }))
    return {
      id,
      orgId,
      kind,
      dryRun,
      status,
      rows,
      rowsDone,
      problemCount,
      problems,
      created,
      createdAt,
      ...(finishedAt === null ? {} : { finishedAt }),
    }
  }
