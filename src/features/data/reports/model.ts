import { type Static, type TInteger, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { FIGURE } from '../../../core/figures.ts'
import {
  BookingId,
  DueDate,
  InvoiceId,
  IssuedOn,
  PeriodEnd,
  PeriodStart,
  PropertyId,
  PropertyName,
  TenantName,
  TenantPhoneNumber,
  UnitId,
  UnitLabel,
} from '../../../http/members.ts'
import { DateOnly, oneOf, QueryInteger, Uuid } from '../../../http/schema.ts'
import { Expense } from '../../money/expenses/model.ts'
import { Invoice } from '../../money/invoices/model.ts'
import { AGES, FORMATS, type Format, ROLL_STATUS } from './rules.ts'

const Name = Type.String()
export const Count = Type.Integer({ minimum: 0 })
const Francs = Type.Integer({ minimum: 0 })
const Credited = Type.Integer({
  minimum: 0,
  description: 'The part that credit notes took off: at the end of the lease, by a regularisation, or waived. In XAF.',
})
const Waived = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The part of creditedAmount that was waived, in XAF. Absent if none.' }),
)
const Paid = Type.Integer({ minimum: 0, description: 'The part that was paid, without creditedAmount. In XAF.' })
const Balance = Type.Integer({ minimum: 0, description: 'Gross less credited less paid. In XAF.' })
const Rate = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Basis points: 10000 is all. Absent where nothing was due.' }),
)

export const RollRow = Type.Object(
  {
    propertyId: PropertyId,
    propertyName: PropertyName,
    unitId: UnitId,
    unitLabel: UnitLabel,
    bookingId: Type.Optional(BookingId),
    tenantName: Type.Optional(TenantName),
    rentAmount: Type.Optional(
      Type.Integer({
        description: 'The net rent of a full period; for a vacant unit, the asking rent. In XAF.',
        examples: [85_000],
      }),
    ),
    invoiceId: Type.Optional(InvoiceId),
    invoiceNumber: Type.Optional({
      ...Name,
      description: 'The number that is printed on the invoice.',
      examples: ['2026-000123'],
    }),
    periodStart: Type.Optional(PeriodStart),
    periodEnd: Type.Optional(PeriodEnd),
    dueDate: Type.Optional(DueDate),
    grossAmount: { ...Francs, description: 'The amount with VAT, in XAF.', examples: [85_000] },
    creditedAmount: Credited,
    waivedAmount: Waived,
    amountPaid: { ...Paid, examples: [85_000] },
    balanceAmount: Balance,
    status: oneOf(ROLL_STATUS, {
      $id: 'RentRollStatus',
      description:
        'The status of the invoice; CREDITED if credit notes took all of it off, so that nobody paid it; NOT_INVOICED; VACANT.',
    }),
  },
  { $id: 'RentRollRow' },
)
export type RollRow = Static<typeof RollRow>

export const CollectionRow = Type.Object(
  {
    propertyId: PropertyId,
    propertyName: PropertyName,
    month: Type.String({ description: 'YYYY-MM', examples: ['2026-03'] }),
    invoices: { ...Count, description: 'The number of invoices.', examples: [1] },
    invoicedAmount: { ...Francs, description: 'Invoiced with VAT, in XAF.', examples: [85_000] },
    paidAmount: { ...Francs, description: `${FIGURE.paid.means} In XAF.`, examples: [85_000] },
    balanceAmount: { ...Francs, description: 'The amount still open, in XAF.' },
    collectionRate: { ...Rate, examples: [10_000] },
  },
  { $id: 'CollectionRow' },
)
export type CollectionRow = Static<typeof CollectionRow>

export const OccupancyRow = Type.Object(
  {
    propertyId: PropertyId,
    propertyName: PropertyName,
    units: { ...Count, description: 'The number of units.', examples: [1] },
    unitDays: { ...Count, description: 'The days on which units could have been let.', examples: [31] },
    occupiedDays: { ...Count, description: 'The days with a lease.', examples: [31] },
    vacantDays: { ...Count, description: 'The days without a lease.' },
    occupancyRate: {
      ...Rate,
      description: 'Basis points: 10000 is all. Absent where there was nothing to let.',
      examples: [10_000],
    },
  },
  { $id: 'OccupancyRow' },
)
export type OccupancyRow = Static<typeof OccupancyRow>

export const StatementRow = Type.Object(
  {
    propertyId: PropertyId,
    propertyName: PropertyName,
    bookingId: BookingId,
    unitLabel: UnitLabel,
    tenantName: TenantName,
    netAmount: { ...Francs, description: 'The amount without VAT, in XAF.', examples: [85_000] },
    tvaAmount: { ...Francs, description: 'The VAT, in XAF.' },
    grossAmount: { ...Francs, description: 'The amount with VAT, in XAF.', examples: [85_000] },
    creditedAmount: { ...Francs, description: 'What credit notes took off, in XAF.' },
    receivedAmount: { ...Francs, description: 'Money received, in XAF.', examples: [85_000] },
    withheldAmount: { ...Francs, description: 'Tax withheld by tenants, in XAF.' },
    refundedAmount: { ...Francs, description: 'Refunded to tenants, in XAF.' },
    setOffAmount: Type.Integer({ description: 'SET_OFF: paid by other leases, less paid for them. In XAF.' }),
    balanceAmount: { ...Francs, description: 'The amount still open, in XAF.' },
    depositReceivedAmount: { ...Francs, description: 'Deposits received, in XAF.' },
    depositDeductedAmount: Type.Integer({ description: 'Kept from deposits, less what was put back since. In XAF.' }),
    depositReturnedAmount: { ...Francs, description: 'Deposits returned, in XAF.' },
    depositMovedAmount: Type.Integer({ description: 'From another lease; negative: to another one. In XAF.' }),
    depositHeldAmount: Type.Integer({
      description: 'Held at the end of `to`, by the dates of the entries. In XAF.',
      examples: [170_000],
    }),
    creditAddedAmount: Type.Integer({
      description: "The change of the tenants' credit in that time; negative if it decreased. In XAF.",
    }),
    creditHeldAmount: Type.Integer({
      description:
        "Tenants' money at the end of `to` that no invoice has taken: paid in advance, or credited at the end of a lease. In XAF.",
    }),
    ownerAmount: Type.Integer({
      description: 'Received less refunded, set off and kept of deposits, less creditAddedAmount. In XAF.',
      examples: [85_000],
    }),
  },
  { $id: 'OwnerStatementRow' },
)
export type StatementRow = Static<typeof StatementRow>

export const JournalRow = Type.Object(
  {
    kind: oneOf(['INVOICE', 'CREDIT_NOTE', 'CREDIT_NOTE_WITHDRAWN'] as const, {
      $id: 'TvaJournalKind',
      description:
        'CREDIT_NOTE: a negative line for what was taken off an invoice, in the month in which this happened. CREDIT_NOTE_WITHDRAWN: the amount is owed again, because the end of the lease was undone.',
    }),
    creditNoteNumber: Type.Optional({ ...Name, description: 'For a credit note only: AV-2026-000001.' }),
    invoiceId: InvoiceId,
    invoiceNumber: { ...Name, description: 'The number that is printed on the invoice.', examples: ['2026-000123'] },
    issuedOn: IssuedOn,
    propertyId: PropertyId,
    propertyName: PropertyName,
    unitLabel: UnitLabel,
    tenantName: TenantName,
    tenantNiu: Type.Optional(Type.String({ description: "The tenant's taxpayer number." })),
    periodStart: PeriodStart,
    periodEnd: PeriodEnd,
    netAmount: Type.Integer({ description: 'The amount without VAT, in XAF.', examples: [85_000] }),
    tvaBasisPoints: Type.Integer({ minimum: 0, description: '1925 is 19.25 %.' }),
    tvaAmount: Type.Integer({ description: 'The VAT, in XAF.' }),
    grossAmount: Type.Integer({ description: 'The amount with VAT, in XAF.', examples: [85_000] }),
    status: { ...Invoice.properties.status, description: 'The current status of the invoice.' },
    cancelledOn: Type.Optional({ ...DateOnly, description: 'The day on which it was cancelled.' }),
    creditedAmount: { ...Francs, description: 'What credit notes took off, in XAF.' },
    standingNetAmount: Type.Integer({ description: 'The net amount still in force, in XAF.', examples: [85_000] }),
    standingTvaAmount: Type.Integer({ description: 'The VAT still in force, in XAF.' }),
    standingGrossAmount: Type.Integer({ description: 'The gross amount still in force, in XAF.', examples: [85_000] }),
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
  dueAmount: {
    ...Signed(
      'The amount still to be transferred at the end of `to`: carriedAmount plus ownerAmount, less the fee, its VAT, expenses and transfers.',
    ),
    examples: [85_000],
  },
}
export const OwnerBalance = Type.Object(
  { propertyId: PropertyId, propertyName: PropertyName, ownerAmount: StatementRow.properties.ownerAmount, ...BALANCE },
  { $id: 'OwnerBalance', description: 'The owner account of a property, as sums.' },
)

const pascalOf = (name: string): string => name.replace(/(?:^|-)(\w)/g, (_m, letter: string) => letter.toUpperCase())

export const counts = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((n) => [n, Count])) as Record<K, typeof Count>

/** Sums that credit notes may bring below zero. */
export const signed = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((n) => [n, Type.Integer()])) as Record<K, TInteger>

/** A sum is told like the member that is summed. */
const annotationsOf = ({ description, examples }: TSchema = Type.Any()) => ({
  ...(description && { description }),
  ...(examples && { examples }),
})

/** The answer of a report: its parameters, rows and sums. */
export const ReportOf = <R extends TObject>(
  name: string,
  row: R,
  totals: Readonly<Record<string, TInteger>>,
  more: Readonly<Record<string, TSchema>> = {},
) =>
  Type.Object(
    {
      report: Type.Literal(name, { description: 'The name of the report.' }),
      from: { ...DateOnly, description: 'The first day of the report.', examples: ['2026-03-01'] },
      to: { ...DateOnly, description: 'The last day of the report.', examples: ['2026-03-31'] },
      propertyId: Type.Optional(PropertyId),
      provisional: Type.Optional(
        Type.Literal(true, {
          description: 'Present while the time of the report is not over: its figures may change.',
        }),
      ),
      currency: Type.Literal('XAF', { description: 'The currency of the amounts: XAF.' }),
      rows: Type.Array(row, { description: 'The lines of the report.' }),
      ...more,
      totals: Type.Object(
        {
          rows: { ...Count, description: 'The number of lines.', examples: [1] },
          ...Object.fromEntries(
            Object.entries(totals).map(([n, sum]) => [n, { ...annotationsOf(row.properties[n]), ...sum }]),
          ),
        },
        { description: 'The sums of the lines.' },
      ),
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

export const ArrearsRow = Type.Object(
  {
    propertyId: PropertyId,
    propertyName: PropertyName,
    unitLabel: UnitLabel,
    tenantName: TenantName,
    tenantPhoneNumber: Type.Optional(TenantPhoneNumber),
    bookingId: BookingId,
    invoiceId: InvoiceId,
    invoiceNumber: { ...Name, description: 'The number that is printed on the invoice.', examples: ['2026-000123'] },
    periodStart: PeriodStart,
    dueDate: DueDate,
    grossAmount: { ...Francs, description: 'The amount with VAT, in XAF.', examples: [85_000] },
    creditedAmount: Credited,
    amountPaid: Paid,
    balanceAmount: { ...Balance, examples: [85_000] },
    depositHeldAmount: Type.Optional({
      ...Francs,
      description:
        'If the lease has ended and its deposit is held: the whole deposit, repeated on each of its invoices. The tenant is asked for the debts of the lease less this amount.',
      examples: [170_000],
    }),
    daysLate: { ...Count, description: 'Days since the due date.', examples: [26] },
    age: oneOf(AGES, { $id: 'ArrearsAge', description: 'The range of daysLate, in steps of thirty.' }),
  },
  { $id: 'ArrearsRow' },
)
export type ArrearsRow = Static<typeof ArrearsRow>
export const OPEN_BY_AGE = {
  days0To30Amount: { ...Francs, description: 'Open for up to 30 days, in XAF.', examples: [85_000] },
  days31To60Amount: { ...Francs, description: 'Open for 31 to 60 days, in XAF.' },
  days61To90Amount: { ...Francs, description: 'Open for 61 to 90 days, in XAF.' },
  over90DaysAmount: { ...Francs, description: 'Open for longer than 90 days, in XAF.' },
}

export const AccountRow = Type.Object(
  {
    propertyId: PropertyId,
    propertyName: PropertyName,
    happenedOn: { ...DateOnly, description: 'The day of the line; for sums, the first or the last day of the time.' },
    line: oneOf(['CARRIED', 'EARNED', 'MANAGEMENT_FEE', 'MANAGEMENT_FEE_TVA', 'EXPENSE', 'TRANSFER'] as const, {
      $id: 'OwnerAccountLine',
      description:
        'CARRIED: the balance before `from`, since the first fee. EARNED: `ownerAmount` of the owner statement. MANAGEMENT_FEE and its VAT. EXPENSE: paid by the management. TRANSFER: transferred to the owner.',
    }),
    kind: Type.Optional(Type.String({ description: 'For an expense its kind; for a transfer the way it was paid.' })),
    label: Type.Optional(Type.String({ description: 'The supplier, the reference or the note.' })),
    dueAmount: Type.Integer({
      description: 'The amount due to the owner; negative if it is deducted. In XAF.',
      examples: [85_000],
    }),
  },
  { $id: 'OwnerAccountRow' },
)
export type AccountRow = Static<typeof AccountRow>

export const ProfitRow = Type.Object(
  {
    propertyId: PropertyId,
    propertyName: PropertyName,
    line: oneOf(
      [
        'RECEIVED',
        'REFUNDED',
        'SET_OFF',
        'DEPOSITS_KEPT',
        'TENANT_CREDIT',
        'MANAGEMENT_FEE',
        'MANAGEMENT_FEE_TVA',
        'COST',
        'WAIVED',
      ] as const,
      {
        $id: 'ProfitLine',
        description:
          'RECEIVED, REFUNDED, SET_OFF, DEPOSITS_KEPT and TENANT_CREDIT add up to `ownerAmount` of the owner statement. COST: the expenses of a kind, whoever paid. WAIVED: what was waived by the day of its credit note; as no money, it does not change the result.',
      },
    ),
    kind: Type.Optional({ ...Expense.properties.kind, description: 'For expenses: their kind.' }),
    waivedAmount: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Of WAIVED: what was no longer asked for, with VAT. In XAF.' }),
    ),
    resultAmount: Type.Integer({ description: 'Negative for a cost. In XAF.', examples: [85_000] }),
  },
  { $id: 'ProfitLossRow' },
)
export type ProfitRow = Static<typeof ProfitRow>
