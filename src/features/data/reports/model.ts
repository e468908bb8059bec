import { type Static, type TInteger, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { DateOnly, oneOf, QueryInteger, Uuid } from '../../../http/schema.ts'
import { Invoice } from '../../money/invoices/model.ts'
import { Count, Francs, Name } from '../figures/model.ts'
import { FORMATS, type Format } from '../figures/rules.ts'
import { StatementRow } from '../owner-statements/model.ts'

export const JournalRow = Type.Object(
  {
    kind: oneOf(['INVOICE', 'CREDIT_NOTE', 'CREDIT_NOTE_WITHDRAWN'] as const, {
      $id: 'TvaJournalKind',
      description:
        'CREDIT_NOTE: a negative line for what was taken off an invoice, in the month in which this happened. CREDIT_NOTE_WITHDRAWN: the amount is owed again, because the end of the lease was undone.',
    }),
    creditNoteNumber: Type.Optional({ ...Name, description: 'For a credit note only: AV-2026-000001.' }),
    invoiceId: Uuid,
    invoiceNumber: Name,
    issuedOn: DateOnly,
    propertyId: Uuid,
    propertyName: Name,
    unitLabel: Name,
    tenantName: Name,
    tenantNiu: Type.Optional(Type.String()),
    periodStart: DateOnly,
    periodEnd: DateOnly,
    netAmount: Type.Integer(),
    tvaBasisPoints: Type.Integer({ minimum: 0, description: '1925 is 19.25 %.' }),
    tvaAmount: Type.Integer(),
    grossAmount: Type.Integer(),
    status: { ...Invoice.properties.status, description: 'The current status of the invoice.' },
    cancelledOn: Type.Optional(DateOnly),
    creditedAmount: Francs,
    standingNetAmount: Type.Integer(),
    standingTvaAmount: Type.Integer(),
    standingGrossAmount: Type.Integer(),
  },
  { $id: 'TvaJournalRow' },
)
export type JournalRow = Static<typeof JournalRow>

const Signed = (description: string) => Type.Integer({ description: `${description} In XAF.` })

/** What a statement says of the account with an owner; sums of the lines of the owner account. */
export const BALANCE = {
  carriedAmount: Signed('The balance before `from`, since the first management fee.'),
  managementFeeAmount: Signed('The management fee, net; negative if refunds gave more of it back.'),
  managementFeeTvaAmount: Signed('The VAT on that fee.'),
  expensesAmount: Signed('The expenses that the management paid for the property.'),
  transferredAmount: Signed('The transfers to the owner.'),
  dueAmount: Signed(
    'The amount still to be transferred at the end of `to`: carriedAmount plus ownerAmount, less the fee, its VAT, expenses and transfers.',
  ),
}
export const OwnerBalance = Type.Object(
  { propertyId: Uuid, propertyName: Name, ownerAmount: StatementRow.properties.ownerAmount, ...BALANCE },
  { $id: 'OwnerBalance', description: 'The owner account of a property, as sums.' },
)

const pascalOf = (name: string): string => name.replace(/(?:^|-)(\w)/g, (_m, letter: string) => letter.toUpperCase())

export const counts = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((n) => [n, Count])) as Record<K, typeof Count>

/** Sums that credit notes may bring below zero. */
export const signed = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((n) => [n, Type.Integer()])) as Record<K, TInteger>

/** The answer of a report: its parameters, rows and sums. */
export const ReportOf = <R extends TObject>(
  name: string,
  row: R,
  totals: Readonly<Record<string, TInteger>>,
  more: Readonly<Record<string, TSchema>> = {},
) =>
  Type.Object(
    {
      report: Type.Literal(name),
      from: DateOnly,
      to: DateOnly,
      propertyId: Type.Optional(Uuid),
      currency: Type.Literal('XAF'),
      rows: Type.Array(row),
      ...more,
      totals: Type.Object({ rows: Count, ...totals }),
    },
    { $id: `${pascalOf(name)}Report`, description: 'The current figures.' },
  )

/** What is asked of each report. */
export const Parameters = Type.Object(
  {
    from: Type.Optional({ ...DateOnly, description: 'The first day; the first of the month if omitted.' }),
    to: Type.Optional({
      ...DateOnly,
      description: 'The last day, at most 366 days later; the end of the month if omitted.',
    }),
    propertyId: Type.Optional({ ...Uuid, description: 'Only this property.' }),
    format: Type.Optional(
      oneOf(FORMATS, {
        description:
          'json if omitted. A pdf has at most 1,000 lines, and for wide reports only the main columns. In csv (semicolons, UTF-8 with BOM, for Excel) and xlsx, headings and words are in `locale`, rates are percentages, and the last line has the sums.',
      }),
    ),
    locale: Type.Optional(
      oneOf(['fr', 'en'], {
        description: 'The language of a file; if omitted, of Accept-Language, for a PDF else of the organization.',
      }),
    ),
  },
  { additionalProperties: true },
)
const { from: _from, to: _to, ...others } = Parameters.properties
export const OfYear = Type.Object(
  {
    year: Type.Optional(QueryInteger({ minimum: 1900, maximum: 2199, description: 'The current one if omitted.' })),
    ...others,
  },
  { additionalProperties: true },
)
export type Query = {
  readonly from?: string
  readonly to?: string
  readonly propertyId?: string
  readonly year?: string
  readonly format?: Format
  readonly locale?: 'fr' | 'en'
}
