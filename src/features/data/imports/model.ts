import { type Static, Type } from '@sinclair/typebox'
import { IMPORT_KINDS } from '../../../core/import-columns.ts'
import { CreatedAt, FinishedAt, Id, MediaObjectId, OrgId, PropertyId } from '../../../http/members.ts'
import { Body, Maybe, oneOf, Text } from '../../../http/schema.ts'
import { HEADING_LINES, MAPPED_BY, MAX_PROBLEMS, MAX_ROWS, OUTCOMES, PAID_MONTHS, RUN_STATUS } from './rules.ts'
import type { ImportRow } from './store.ts'

const Member = (description: string) => Text({ max: 40, description, examples: ['rentAmount'] })
const MONTH = '^\\d{4}-(0[1-9]|1[0-2])$'
const Outcome = oneOf(OUTCOMES, {
  description:
    'NEW: comes in. KNOWN: is there already. ENDED: its lease has ended and does not come back. OCCUPIED: somebody else lives there. VACANT: a unit without a tenant. TOTAL, EMPTY, HIDDEN: left out. PROBLEM: see `message`.',
})
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
    sheet: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Type.String({ description: 'The name of the sheet that was read; absent for CSV.' })),
          headingRow: Type.Integer({ description: 'The row of the headings, from 1.', examples: [1] }),
          others: Type.Array(
            Type.Object({
              name: Type.String({ description: 'Name it in `sheet` to read it.', examples: ['Feuil2'] }),
              hidden: Type.Boolean({ description: 'Whether the file hides it.' }),
            }),
            { description: 'The other sheets of the file.', examples: [[]] },
          ),
        },
        { description: 'Which sheet was read.' },
      ),
    ),
    columns: Type.Optional(
      Type.Array(
        Type.Object({
          index: Type.Integer({ description: 'Counted from 0.' }),
          letter: Type.String({ description: 'As a spreadsheet names it.', examples: ['A'] }),
          heading: Type.String({ description: 'The heading in the file.', examples: ['Loyer (FCFA)'] }),
          values: Type.Array(Type.String(), {
            description: 'The first values, at most three.',
            examples: [['150 000']],
          }),
          member: Type.Optional(
            Type.String({
              description: `What it is; absent for a column that is left aside. \`${PAID_MONTHS}\`: whether one month is paid.`,
              examples: ['rentAmount'],
            }),
          ),
          by: oneOf(MAPPED_BY, { description: 'How that is known.', examples: ['HEADING'] }),
          certain: Type.Boolean({ description: 'false: ask, and send `mapping`.' }),
        }),
        { description: 'What each column of the sheet is.', examples: [[]] },
      ),
    ),
    outcomes: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description: 'How many rows of each outcome.',
        examples: [{ NEW: 8, TOTAL: 1 }],
      }),
    ),
    read: Type.Optional(
      Type.Array(
        Type.Object({
          row: Type.Integer({ description: 'The row as a spreadsheet counts it.', examples: [4] }),
          outcome: Outcome,
          values: Type.Record(Type.String(), Type.Any(), {
            description: 'What was read, by member.',
            examples: [{ unit: 'A1', tenant: 'Ngo Bassa Marie', rentAmount: 85000 }],
          }),
          differs: Type.Optional(
            Type.Array(
              Type.Object({
                member: Type.String({ description: 'What it is about.', examples: ['rentAmount'] }),
                here: Type.Any({ description: 'What is there.', examples: [85000] }),
                sheet: Type.Any({ description: 'What the row says.', examples: [90000] }),
              }),
              { description: 'Where the row says otherwise than what is there; never applied.' },
            ),
          ),
          message: Type.Optional(
            Type.String({
              description: 'Why, in the language of Accept-Language.',
              examples: ['Ce bail a pris fin le 30/11/2026\u00a0: il ne revient pas.'],
            }),
          ),
        }),
        { description: 'The rows; gone once a person of the organization has closed an account.', examples: [[]] },
      ),
    ),
    createdAt: CreatedAt,
    finishedAt: Type.Optional(FinishedAt),
  },
  { $id: 'ImportRun' },
)
export type ImportRun = Static<typeof ImportRun>

export const ListedImportRun = Type.Omit(ImportRun, ['problems', 'sheet', 'columns', 'outcomes', 'read'], {
  $id: 'ListedImportRun',
})

export const ImportCreate = Body(
  {
    kind: Maybe(oneOf(IMPORT_KINDS, { description: 'The kind of rows; told by the headings if omitted.' })),
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
    sheet: Maybe(Text({ max: 60, description: 'The sheet to read; if omitted, the first visible one with headings.' })),
    headingRow: Maybe(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: `The row of the headings; if omitted, that of the first ${HEADING_LINES} that names the most columns.`,
      }),
    ),
    mapping: Maybe(
      Type.Array(
        Type.Object(
          {
            column: Type.Integer({ minimum: 0, maximum: 99, description: 'The column, from 0.' }),
            member: Type.Union([Member('What it is.'), Type.Null()], { description: 'null leaves it aside.' }),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: 100,
          description:
            'What columns are; others are told by their headings. Remembered for the next file with the same headings.',
        },
      ),
    ),
    fixes: Maybe(
      Type.Array(
        Type.Object(
          {
            row: Type.Integer({
              minimum: 1,
              maximum: 10_000,
              description: 'The row as a spreadsheet counts it.',
              examples: [4],
            }),
            member: Member('The member to set.'),
            value: Text({
              min: 0,
              max: 100,
              description: 'The text of the cell; empty for none.',
              examples: ['85 000'],
            }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 200, description: 'Cells to read in place of those of the file.' },
      ),
    ),
    leaveOut: Maybe(
      Type.Array(Type.Integer({ minimum: 1, maximum: 10_000 }), {
        maxItems: MAX_ROWS,
        description: 'Rows not to import.',
      }),
    ),
    hiddenRows: Maybe(Type.Boolean({ description: 'Also import the rows that a filter hides. false if omitted.' })),
    propertyId: Maybe({ ...PropertyId, description: 'For leases: the property of rows that name none.' }),
    property: Maybe(
      Type.Object(
        {
          name: Maybe(Text({ max: 120, description: 'The property of rows that name none.' })),
          city: Text({ max: 80, description: 'The city of properties that are not there yet.', examples: ['Douala'] }),
          addressLine: Maybe(Text({ max: 200, description: 'Their address; the city if omitted.' })),
        },
        {
          additionalProperties: false,
          description: 'For leases: properties that rows name and that are not there yet are created in this city.',
        },
      ),
    ),
    createUnits: Maybe(
      Type.Boolean({ description: 'For leases: create the units that are not there yet. false if omitted.' }),
    ),
    paidUntil: Maybe(
      Type.String({
        pattern: MONTH,
        description:
          'For leases: the last month of rent that is paid, of rows that do not say it; later periods are billed.',
        examples: ['2026-10'],
      }),
    ),
    depositsHeld: Maybe(
      Type.Boolean({
        description:
          'For leases: the deposits are already held. Each is entered as received on the first day of its lease, without a receipt. false if omitted.',
      }),
    ),
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
    const { reading, preview } = row
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
      ...(reading && {
        sheet: {
          ...(reading.sheet !== undefined && { name: reading.sheet }),
          headingRow: reading.headingRow,
          others: reading.others.map(({ name, isHidden }) => ({ name, hidden: isHidden })),
        },
        columns: reading.columns.map(({ index, letter, heading, member, by, certain }) => ({
          index,
          letter,
          heading,
          values: [...(preview?.values[index] ?? [])],
          ...(member !== undefined && { member }),
          by,
          certain,
        })),
        outcomes: reading.outcomes as Record<string, number>,
      }),
      ...(preview && {
        read: preview.rows.map(({ row: at, outcome, values, differs, message }) => ({
          row: at,
          outcome,
          values: { ...values },
          ...(differs && { differs: [...differs] }),
          ...(message && { message: message[language] }),
        })),
      }),
      createdAt,
      ...(finishedAt === null ? {} : { finishedAt }),
    }
  }
