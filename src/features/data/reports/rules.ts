/** How a report looks as a PDF: its columns with their share of the page width, and the figures at the top. */
type Paper = {
  readonly grouped: boolean
  readonly columns: readonly (readonly [share: number, ...members: string[]])[]
  readonly headline: readonly [member: string, ...more: string[]]
}
export type PaperName =
  | 'rent-roll'
  | 'arrears'
  | 'collection'
  | 'occupancy'
  | 'tva-journal'
  | 'owner-account'
  | 'profit-loss'
export const PAPERS: Readonly<Record<PaperName, Paper>> = {
  'rent-roll': {
    grouped: true,
    columns: [
      [0.19, 'unitLabel', 'tenantName'],
      [0.155, 'invoiceNumber'],
      [0.135, 'periodStart', 'periodEnd'],
      [0.11, 'grossAmount'],
      [0.09, 'creditedAmount'],
      [0.1, 'amountPaid'],
      [0.1, 'balanceAmount'],
      [0.12, 'status'],
    ],
    headline: ['balanceAmount', 'grossAmount', 'creditedAmount', 'amountPaid'],
  },
  arrears: {
    grouped: true,
    columns: [
      [0.22, 'unitLabel', 'tenantName', 'tenantPhoneNumber'],
      [0.155, 'invoiceNumber'],
      [0.135, 'dueDate'],
      [0.08, 'daysLate'],
      [0.115, 'grossAmount'],
      [0.085, 'creditedAmount'],
      [0.105, 'amountPaid'],
      [0.105, 'balanceAmount'],
    ],
    headline: ['balanceAmount'],
  },
  collection: {
    grouped: true,
    columns: [
      [0.18, 'month'],
      [0.12, 'invoices'],
      [0.18, 'invoicedAmount'],
      [0.18, 'collectedAmount'],
      [0.18, 'balanceAmount'],
      [0.16, 'collectionRate'],
    ],
    headline: ['collectionRate', 'invoicedAmount', 'collectedAmount'],
  },
  occupancy: {
    grouped: false,
    columns: [
      [0.34, 'propertyName'],
      [0.12, 'units'],
      [0.14, 'unitDays'],
      [0.13, 'occupiedDays'],
      [0.13, 'vacantDays'],
      [0.14, 'occupancyRate'],
    ],
    headline: ['occupancyRate', 'occupiedDays', 'vacantDays'],
  },
  'tva-journal': {
    grouped: false,
    columns: [
      [0.16, 'creditNoteNumber', 'invoiceNumber', 'issuedOn'],
      [0.24, 'tenantName', 'tenantNiu', 'propertyName', 'unitLabel'],
      [0.11, 'kind', 'status', 'cancelledOn'],
      [0.09, 'tvaBasisPoints'],
      [0.14, 'netAmount', 'standingNetAmount'],
      [0.12, 'tvaAmount', 'standingTvaAmount'],
      [0.14, 'grossAmount', 'standingGrossAmount'],
    ],
    headline: ['standingTvaAmount', 'standingNetAmount', 'standingGrossAmount'],
  },
  'owner-account': {
    grouped: true,
    columns: [
      [0.16, 'happenedOn'],
      [0.36, 'line', 'kind'],
      [0.28, 'label'],
      [0.2, 'dueAmount'],
    ],
    headline: ['dueAmount'],
  },
  'profit-loss': {
    grouped: true,
    columns: [
      [0.5, 'line'],
      [0.25, 'kind'],
      [0.25, 'resultAmount'],
    ],
    headline: ['resultAmount'],
  },
}
