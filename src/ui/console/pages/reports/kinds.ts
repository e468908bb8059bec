import { api, type Schemas } from '../../../shared/api.ts'
import { monthOf, today } from '../../../shared/dates.ts'
import { saveFile } from '../../kit/files.ts'
import type { Column } from './words.ts'

type Format = Schemas['ReportRentRollFormat']
/** A line of any report, by the names of its members. */
export type Row = Readonly<Record<string, string | number | undefined>>
export type Report = {
  readonly from: string
  readonly to: string
  readonly rows: readonly Row[]
  readonly accounts?: readonly Row[]
  readonly totals: Row
}
type Shape = {
  /** The large figures at the top, from the totals. */
  readonly figures: readonly Column[]
  /** What names a line; the others are its facts. */
  readonly name: Column
  readonly columns: readonly Column[]
  /** Of the accounts with owners, where a report has them. */
  readonly account?: readonly Column[]
}

export const KINDS = {
  'rent-roll': {
    figures: ['grossAmount', 'amountPaid', 'balanceAmount'],
    name: 'unitLabel',
    columns: ['propertyName', 'tenantName', 'grossAmount', 'amountPaid', 'balanceAmount', 'status'],
  },
  arrears: {
    figures: ['balanceAmount', 'days0To30Amount', 'days31To60Amount', 'days61To90Amount', 'over90DaysAmount'],
    name: 'tenantName',
    columns: ['propertyName', 'unitLabel', 'dueDate', 'daysLate', 'balanceAmount'],
  },
  collection: {
    figures: ['invoicedAmount', 'paidAmount', 'collectionRate'],
    name: 'propertyName',
    columns: ['month', 'invoices', 'invoicedAmount', 'paidAmount', 'collectionRate'],
  },
  occupancy: {
    figures: ['units', 'occupancyRate', 'vacantDays'],
    name: 'propertyName',
    columns: ['units', 'occupiedDays', 'vacantDays', 'occupancyRate'],
  },
  'tva-journal': {
    figures: ['standingNetAmount', 'standingTvaAmount', 'standingGrossAmount'],
    name: 'invoiceNumber',
    columns: ['issuedOn', 'tenantName', 'unitLabel', 'standingNetAmount', 'standingTvaAmount', 'standingGrossAmount'],
  },
  'owner-statement': {
    figures: ['dueAmount', 'receivedAmount', 'ownerAmount', 'depositHeldAmount'],
    name: 'unitLabel',
    columns: ['propertyName', 'tenantName', 'grossAmount', 'receivedAmount', 'balanceAmount', 'ownerAmount'],
    account: [
      'carriedAmount',
      'ownerAmount',
      'managementFeeAmount',
      'managementFeeTvaAmount',
      'expensesAmount',
      'transferredAmount',
      'dueAmount',
    ],
  },
  'owner-account': {
    figures: ['dueAmount'],
    name: 'line',
    columns: ['propertyName', 'happenedOn', 'kind', 'label', 'dueAmount'],
  },
  'profit-loss': {
    figures: ['resultAmount'],
    name: 'line',
    columns: ['propertyName', 'kind', 'waivedAmount', 'resultAmount'],
  },
} as const satisfies Readonly<Record<string, Shape>>
export type Kind = keyof typeof KINDS
export const kindOf = (text: string): Kind | undefined => (Object.hasOwn(KINDS, text) ? (text as Kind) : undefined)
export const shapeOf = (kind: Kind): Shape => KINDS[kind]

/** The months that a period of the page covers; arrears are those of today whatever the period. */
export function spanOf(period: string | null): { from: string; to: string } {
  const day = today()
  if (period === 'last') return monthOf(day, 1)
  const back = { quarter: 2, half: 5, year: 11 }[period ?? ''] ?? 0
  return { from: monthOf(day, back).from, to: monthOf(day).to }
}
type Span = { readonly from?: string; readonly to?: string; readonly year?: number; readonly propertyId?: string }

/** @throws Trouble */
export async function readReport(kind: Kind, query: Span): Promise<Report> {
  // all reports are of one form: rows and totals whose members have the names of the columns
  return (await api.GET(`/api/v1/reports/${kind}`, { params: { query } })).data as unknown as Report
}

/** Hands the report to the browser as a file. @throws Trouble */
export async function downloadReport(
  kind: Kind,
  query: Span,
  format: Exclude<Format, 'json'>,
  locale: 'fr' | 'en',
): Promise<void> {
  const call = { params: { query: { ...query, format, locale } }, parseAs: 'blob' } as const
  const blob = (await api.GET(`/api/v1/reports/${kind}`, call)).data as unknown as Blob
  saveFile(blob, `${[kind, query.year, query.from, query.to].filter(Boolean).join('-')}.${format}`)
}
