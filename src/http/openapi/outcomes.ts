import { id } from './story.ts'

type Outcome = { readonly status: string } & Readonly<Record<string, unknown>>
const NOT_STARTED = { activatedAt: undefined, creditAmount: 0 }
const UNPAID = { amountPaid: 0, paidAt: undefined }
const DECIDED = { documentId: undefined, confirmedAt: undefined, closedAt: '2026-03-05T09:00:00.000Z' }
/** Where an operation leaves the resource different from the story: its members then; `undefined` removes one. */
export const OUTCOMES: Readonly<Record<string, Outcome>> = {
  createProperty: { status: 'DRAFT' },
  archiveProperty: { status: 'ARCHIVED' },
  restoreProperty: { status: 'DRAFT' },
  createUnits: { status: 'AVAILABLE' },
  createBooking: { status: 'DRAFT', submittedAt: undefined, ...NOT_STARTED },
  renewBooking: {
    status: 'DRAFT',
    id: id(25),
    startDate: '2027-01-01',
    endDate: '2027-12-31',
    renewsBookingId: id(19),
    createdAt: '2026-11-20T09:30:00.000Z',
    submittedAt: undefined,
    ...NOT_STARTED,
  },
  updateBooking: { status: 'DRAFT', submittedAt: undefined, ...NOT_STARTED },
  submitBooking: { status: 'PENDING', ...NOT_STARTED },
  cancelBooking: { status: 'CANCELLED', cancelledAt: '2025-12-21T08:00:00.000Z', ...NOT_STARTED },
  terminateBooking: {
    status: 'TERMINATED',
    endDate: '2026-03-31',
    terminatedAt: '2026-03-31T17:00:00.000Z',
    terminationReason: 'Départ du locataire',
  },
  reinstateBooking: { status: 'ACTIVE' },
  addCharge: {
    status: 'ISSUED',
    ...UNPAID,
    grossAmount: 89_500,
    netAmount: 89_500,
    balanceAmount: 89_500,
    lines: [
      { kind: 'RENT', label: 'Loyer mars 2026', amount: 85_000 },
      { kind: 'CHARGE', label: 'Eau (Camwater), mars', amount: 4_500 },
    ],
  },
  cancelInvoice: { status: 'CANCELLED', ...UNPAID, cancelledAt: '2026-03-02T09:00:00.000Z' },
  rejectPayment: { status: 'REJECTED', ...DECIDED },
  withdrawPayment: { status: 'REJECTED', ...DECIDED, decidedBy: undefined },
  reversePayment: { status: 'REVERSED', documentId: undefined, closedAt: '2026-03-05T09:00:00.000Z' },
}
