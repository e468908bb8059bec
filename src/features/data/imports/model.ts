import { type Static, Type } from '@sinclair/typebox'
import { IMPORT_KINDS } from '../../../core/import-columns.ts'
import { CreatedAt, FinishedAt, Id, MediaObjectId, OrgId } from '../../../http/members.ts'
import { Body, Maybe, oneOf, Text } from '../../../http/schema.ts'
import { MAX_PROBLEMS, RUN_STATUS } from './rules.ts'
import type { ImportRow } from './store.ts'

const DryRun = Type.Boolean({ description: 'Only check: nothing is imported. false if omitted.' })

export const ImportRun = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    kind: oneOf(IMPORT_KINDS, { description: 'The kind of rows.' }),
    dryRun: DryRun,
    status: oneOf(RUN_STATUS, {
      description: 'FAILED: nothing was imported; see `problems`. A dry run is SUCCEEDED if nothing is wrong.',
      examples: ['SUCCEEDED'],
    }),
    rows: Type.Integer({
      description: 'The number of rows in the file without the headings; 0 until it has been read.',
      examples: [12],
    }),
    rowsDone: Type.Integer({
      description: 'The number of rows processed; grows while the run goes on.',
      examples: [12],
    }),
    problemCount: Type.Integer({ description: 'The total number of problems.' }),
    problems: Type.Array(
      Type.Object({
        row: Type.Integer({
          description: 'The row as a spreadsheet counts it: the headings are row 1; 0 is the whole file.',
          examples: [4],
        }),
        column: Type.Optional(
          Type.String({
            description:
              'The heading in the file, or that of the template if the file has none; a letter for a column that should be empty.',
            examples: ['Ville'],
          }),
        ),
        message: Type.String({
          description: 'The problem, in the language of Accept-Language.',
          examples: ['Ce champ est obligatoire.'],
        }),
      }),
      { description: `The first ${MAX_PROBLEMS}.`, examples: [[]] },
    ),
    created: Type.Record(Type.String(), Type.Integer(), {
      description: 'How many of each were imported, or would be by a dry run.',
      examples: [{ properties: 12 }],
    }),
    createdAt: CreatedAt,
    finishedAt: Type.Optional(FinishedAt),
  },
  { $id: 'ImportRun' },
)
export type ImportRun = Static<typeof ImportRun>

export const ListedImportRun = Type.Omit(ImportRun, ['problems'], { $id: 'ListedImportRun' })

export const ImportCreate = Body(
  {
    kind: oneOf(IMPORT_KINDS, { description: 'The kind of rows.' }),
    dryRun: Maybe(DryRun),
    csv: Maybe(
      Text({
        max: 60_000,
        lines: true,
        description:
          'The rows as CSV: separated by commas, semicolons or tabs, with the headings first. The whole body (JSON in UTF-8) may have 64 KiB at most, otherwise 413: upload a larger file.',
        examples: ['Nom;Adresse;Ville\nRésidence Makepe;Derrière le marché;Douala'],
      }),
    ),
    mediaObjectId: Maybe(MediaObjectId),
  },
  {
    $id: 'ImportCreate',
    ways: { Inline: { has: ['csv'] }, OfFile: { has: ['mediaObjectId'] } },
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
