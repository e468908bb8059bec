import { cash, get, on, received, type Sample } from '../sample.ts'
import type { World } from '../world.ts'

const REPORTS = 'rent-roll arrears collection occupancy tva-journal owner-statement owner-account profit-loss'.split(
  ' ',
)

/** Invoices, papers, payments, deposits, messages, lists in and out. */
export function moneySamples(w: World): Sample[] {
  const { bookings, invoices, payments } = w
  const text = (id: string): string =>
    `You have received 1,000 XAF from NOBODY (237699000111) at 2026-03-09 10:00:0${id}. Financial Transaction Id: 770000000${id}.`
  const clause = { title_fr: 'Loyer', body_fr: '{{rent}}', title_en: 'Rent', body_en: '{{rent}}' }
  return [
    get('/api/v1/invoices'),
    get('/api/v1/invoices/:id', 'invoice', invoices.ISSUED),
    on('POST /api/v1/invoices/:id/charges', 'invoice', invoices.ISSUED, { label: 'Eau', amount: 4_500 }),
    get('/api/v1/invoices/:id/payments', 'invoice', invoices.OVERDUE),
    get('/api/v1/invoices/:id/credit-notes', 'invoice', invoices.OVERDUE),
    on(
      'POST /api/v1/bookings/:id/invoices',
      'booking',
      bookings.ACTIVE,
      { lines: [{ label: 'Eau', amount: 4_500 }] },
      201,
    ),
    on('POST /api/v1/invoices/:id/payments', 'invoice', invoices.OVERDUE, cash(500), 201),
    on('POST /api/v1/invoices/:id/cancel', 'invoice', invoices.ISSUED, { reason: 'Doublon' }),
    on('POST /api/v1/invoices/:id/waive', 'invoice', invoices.OVERDUE, { amount: 500, reason: 'Travaux' }),
    get('/api/v1/adjustments'),
    get('/api/v1/ledger/entries'),
    get('/api/v1/ledger/trial-balance'),
    get('/api/v1/ledger/export'),
    get('/api/v1/ledger/accounts'),
    { line: 'PATCH /api/v1/ledger/accounts', status: 200, body: { RENT: '7073' } },
    get('/api/v1/ledger/closings'),
    { line: 'POST /api/v1/ledger/closings', status: 200, body: { month: '2026-01' } },
    { line: 'DELETE /api/v1/ledger/closings/:month', status: 200, mine: '2026-01' },
    get('/api/v1/documents'),
    get('/api/v1/documents/:id', 'document', w.documents.LEASE_CONTRACT),
    {
      line: 'GET /api/v1/documents/:id/download-url',
      status: 409,
      code: 'invalid_state',
      kind: 'document',
      mine: w.documents.INVOICE,
    },
    { line: 'GET /api/v1/lease-templates/:kind', status: 200, mine: 'HOME' },
    { line: 'PUT /api/v1/lease-templates/:kind', status: 200, mine: 'HOME', body: { clauses: [clause] } },
    {
      line: 'POST /api/v1/lease-templates/:kind/preview',
      status: 200,
      mine: 'BUSINESS',
      body: { clauses: [clause], locale: 'en' },
    },
    get('/api/v1/payments'),
    { line: 'POST /api/v1/payments/parse', status: 200, body: { text: text('1') } },
    { line: 'POST /api/v1/payments/from-message', status: 201, body: { text: text('2') } },
    get('/api/v1/payments/unmatched'),
    on('POST /api/v1/payments/unmatched/:id/assign', 'message', w.messages.OPEN, { invoiceId: invoices.OVERDUE }),
    on('POST /api/v1/payments/unmatched/:id/dismiss', 'message', w.messages.WAITING),
    get('/api/v1/bookings/:id/settlement', 'booking', bookings.TERMINATED),
    get('/api/v1/bookings/:id/account', 'booking', bookings.ACTIVE),
    get('/api/v1/bookings/:id/advance', 'booking', bookings.ACTIVE),
    get('/api/v1/bookings/:id/deposit', 'booking', bookings.ACTIVE),
    on('POST /api/v1/bookings/:id/deposit', 'booking', bookings.ACTIVE, received, 201),
    get('/api/v1/bookings/:id/messages', 'booking', bookings.ACTIVE),
    get('/api/v1/bookings/:id/timeline', 'booking', bookings.ACTIVE),
    get('/api/v1/events'),
    on('POST /api/v1/invoices/:id/remind', 'invoice', invoices.OVERDUE, { step: 'FINAL' }, 201),
    { line: 'POST /api/v1/reminders', status: 202, body: { invoiceIds: [invoices.OVERDUE], step: 'REMINDER' } },
    get('/api/v1/messages'),
    {
      ...on('POST /api/v1/messages/:id/handle', 'rent_message', w.rentMessage, { status: 'SKIPPED' }),
      status: 409,
      code: 'invalid_state',
    },
    on('POST /api/v1/messages/:id/revoke-link', 'rent_message', w.rentMessage),
    {
      line: 'GET /api/v1/messages/:id/letter-url',
      status: 409,
      code: 'invalid_state',
      kind: 'rent_message',
      mine: w.rentMessage,
    },
    get('/api/v1/bookings/:id/file', 'booking', bookings.ACTIVE),
    get('/api/v1/payments/:id', 'payment', payments.CONFIRMED),
    on('POST /api/v1/payments/:id/confirm', 'payment', payments.PENDING),
    ...['reject', 'withdraw'].map((verb) => on(`POST /api/v1/payments/:id/${verb}`, 'payment', payments.DECLARED)),
    on('POST /api/v1/payments/:id/reverse', 'payment', payments.CONFIRMED, { reason: 'Chèque sans provision' }),
    {
      line: 'POST /api/v1/transfers',
      status: 201,
      body: cash(700, { parts: [{ bookingId: bookings.ACTIVE, kind: 'DEPOSIT', amount: 700 }] }),
    },
    get('/api/v1/transfers'),
    get('/api/v1/transfers/:id', 'moneyTransfer', w.moneyTransfers.MINE),
    on('POST /api/v1/transfers/:id/attribute', 'moneyTransfer', w.moneyTransfers.WAITING, {
      parts: [{ bookingId: bookings.ACTIVE, kind: 'DEPOSIT', amount: 300 }],
    }),
    on('POST /api/v1/transfers/:id/reverse', 'moneyTransfer', w.moneyTransfers.MINE, {
      reason: 'Chèque sans provision',
    }),
    { line: 'POST /api/v1/exports', status: 202, body: {} },
    get('/api/v1/exports/:id', 'export', w.exports.MINE),
    { ...get('/api/v1/exports/:id/download-url', 'export', w.exports.MINE), theirs: w.exportsOf },
    { line: 'GET /api/v1/imports/:id', status: 200, kind: 'import', mine: w.imports.MINE },
    { line: 'GET /api/v1/imports/templates/:kind', status: 200, mine: 'leases' },
    { line: 'POST /api/v1/imports', status: 202, body: { kind: 'properties', csv: 'Nom' } },
    ...[...REPORTS.map((name) => `reports/${name}`), 'exports', 'imports'].map((path) => get(`/api/v1/${path}`)),
    on('POST /api/v1/bookings/:id/reinstate', 'booking', bookings.TERMINATED),
    on('POST /api/v1/bookings/:id/terminate', 'booking', bookings.ACTIVE, { reason: 'Fin' }),
  ]
}
