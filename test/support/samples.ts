import { uuid } from './app.ts'
import type { Kind } from './kinds.ts'
import type { World } from './world.ts'

const REPORTS = 'rent-roll arrears collection occupancy tva-journal owner-statement'.split(' ')

export type Json = Record<string, unknown>
/** A payment in cash of the day before. */
export const cash = (amount: number, more: Json = {}): Json => ({
  amount,
  method: 'CASH',
  paidOn: '2026-03-09',
  ...more,
})

/** A deposit taken on the day before. */
export const received: Json = { type: 'RECEIVED', amount: 50_000, paidOn: '2026-03-09' }

/** A request that succeeds for whoever may make it at all. `mine` is Ana's and Tom's, and a state that allows it. */
export type Sample = {
  readonly line: string
  readonly status: number
  /** Of an answer that is no success: what cannot be done in a test without an identity provider or a file. */
  readonly code?: string
  /** Their own, of those who may not see Ana's. */
  readonly theirs?: Readonly<Record<string, string>>
  readonly kind?: Kind
  readonly mine?: string
  readonly body?: Json
}

/** One sample for each route; a new route needs a line here. */
export function samples(w: World): Sample[] {
  const { properties, units, tenants, bookings, invoices, payments } = w
  const get = (path: string, kind?: Kind, mine?: string): Sample => ({
    line: `GET ${path}`,
    status: 200,
    ...(kind && mine ? { kind, mine } : {}),
  })
  const on = (line: string, kind: Kind, mine: string, body: Json = {}, status = 200): Sample => ({
    line,
    status,
    kind,
    mine,
    body,
  })
  const code = { challengeId: 'unknown', code: '123456' }
  const password = 'correct horse battery'
  const phoneNumber = '+237677000111'
  const refused = (line: string, status: number, code: string, body?: Json): Sample => ({
    line,
    status,
    code,
    ...(body ? { body } : {}),
  })
  const file = (line: string, status: number, code?: string): Sample => ({
    line,
    status,
    kind: 'media',
    mine: w.media.PROPERTY,
    theirs: { tom: w.media.TOMS },
    ...(line.startsWith('POST') ? { body: {} } : {}),
    ...(code ? { code } : {}),
  })
  const own = (line: string, status: number, code?: string, body?: Json): Sample => ({
    line,
    status,
    kind: 'kyc',
    mine: w.kyc.ana,
    theirs: w.kyc,
    ...(code ? { code } : {}),
    ...(body ? { body } : {}),
  })
  const of = (kind: 'proof' | 'case', line: string, status: number, code?: string, body?: Json): Sample => ({
    line,
    status,
    kind,
    mine: w.proofs.PUBLISHED,
    ...(code ? { code } : {}),
    ...(body ? { body } : {}),
  })
  const text = (id: string): string =>
    `You have received 1,000 XAF from NOBODY (237699000111) at 2026-03-09 10:00:0${id}. Financial Transaction Id: 770000000${id}.`
  const user = (line: string, status: number, code: string, body?: Json): Sample => ({
    ...refused(line, status, code, body),
    kind: 'user',
    mine: w.userIds.tom,
  })
  const paper = { mediaObjectId: uuid('nobody'), role: 'SELF_ID' }
  const clause = { title_fr: 'Loyer', body_fr: '{{rent}}', title_en: 'Rent', body_en: '{{rent}}' }
  const place = { name: 'Immeuble', addressLine: 'Rue 2', city: 'Kribi' }
  return [
    get('/healthz'),
    get('/readyz'),
    get('/api/v1/sandbox/messages'),
    get('/api/v1/legal/versions'),
    refused('GET /api/v1/legal/:document/:version', 404, 'not_found'),
    { line: 'POST /api/v1/registration/otp', status: 202, body: { phoneNumber } },
    refused('POST /api/v1/registration/otp/verify', 410, 'challenge_gone', code),
    refused('POST /api/v1/registration/complete', 422, 'outdated_terms', {
      ticket: 'unknown',
      firstName: 'A',
      lastName: 'B',
      password,
      acceptedTermsVersion: 'v',
      acceptedPrivacyVersion: 'v',
    }),
    { line: 'POST /api/v1/account/password-reset/request', status: 202, body: { phoneNumber } },
    refused('POST /api/v1/account/password-reset/complete', 503, 'identity_unavailable', {
      ...code,
      newPassword: password,
    }),
    refused('POST /webhooks/smsvendor/dlr', 503, 'webhook_disabled', {}),
    refused('PUT /media-uploads/:id', 403, 'link_invalid'),
    refused('GET /media-files/:id', 403, 'link_invalid'),
    refused('GET /media-files/public/:id', 404, 'not_found'),
    get('/api/v1/account/export'),
    refused('DELETE /api/v1/account', 503, 'identity_unavailable', {}),
    get('/api/v1/account/sessions'),
    refused('DELETE /api/v1/account/sessions/:session', 503, 'identity_unavailable'),
    refused('POST /api/v1/account/password', 503, 'identity_unavailable', {
      currentPassword: password,
      newPassword: password,
    }),
    refused('POST /api/v1/account/phone/otp', 503, 'identity_unavailable', { newPhoneNumber: phoneNumber }),
    { line: 'POST /api/v1/account/phone/old-number/otp', status: 200, body: {} },
    refused('POST /api/v1/account/phone/verify', 410, 'challenge_gone', code),
    { line: 'POST /api/v1/account/phone/verification/otp', status: 200, body: {} },
    refused('POST /api/v1/account/phone/verification/verify', 410, 'challenge_gone', code),
    {
      line: 'POST /api/v1/media',
      status: 201,
      body: {
        ownerType: 'PROPERTY',
        ownerId: properties.PUBLISHED,
        kind: 'DOCUMENT',
        filename: 'titre.pdf',
        contentType: 'application/pdf',
        sizeBytes: 100,
      },
    },
    get('/api/v1/media'),
    file('GET /api/v1/media/:id', 200),
    { ...file('PATCH /api/v1/media/:id', 422, 'validation_failed'), body: { position: 1 } },
    file('GET /api/v1/media/:id/download-url', 409, 'invalid_state'),
    file('POST /api/v1/media/:id/upload-url', 200),
    file('POST /api/v1/media/:id/complete', 409, 'upload_missing'),
    file('DELETE /api/v1/media/:id', 204),
    refused('POST /api/v1/verification/kyc', 409, 'duplicate', {}),
    get('/api/v1/verification/kyc/mine'),
    own('GET /api/v1/verification/kyc/:id', 200),
    own('POST /api/v1/verification/kyc/:id/documents', 404, 'not_found', paper),
    own('POST /api/v1/verification/kyc/:id/submit', 422, 'documents_missing', {}),
    {
      line: 'POST /api/v1/verification/property-proofs',
      status: 201,
      body: { propertyId: properties.DRAFT },
    },
    get('/api/v1/verification/property-proofs'),
    of('proof', 'GET /api/v1/verification/property-proofs/:id', 200),
    of('proof', 'POST /api/v1/verification/property-proofs/:id/documents', 404, 'not_found', paper),
    of('proof', 'POST /api/v1/verification/property-proofs/:id/submit', 422, 'documents_missing', {}),
    get('/api/v1/admin/verification'),
    of('case', 'GET /api/v1/admin/verification/:id', 200),
    ...['start-review', 'approve', 'reject', 'request-info', 'revoke'].map((action) =>
      of('case', `POST /api/v1/admin/verification/:id/${action}`, 409, 'invalid_state', { note: 'Vu' }),
    ),
    { line: 'POST /api/v1/webhook-endpoints', status: 201, body: { url: 'https://compta.example.cm/loyer' } },
    get('/api/v1/webhook-endpoints'),
    get('/api/v1/webhook-endpoints/:id', 'endpoint', w.endpoint),
    on('PATCH /api/v1/webhook-endpoints/:id', 'endpoint', w.endpoint, { description: 'Compta' }),
    on('POST /api/v1/webhook-endpoints/:id/rotate-secret', 'endpoint', w.endpoint),
    get('/api/v1/webhook-endpoints/:id/deliveries', 'endpoint', w.endpoint),
    on('POST /api/v1/webhook-deliveries/:id/replay', 'delivery', w.delivery),
    { line: 'DELETE /api/v1/webhook-endpoints/:id', status: 204, kind: 'endpoint', mine: w.endpoint },
    get('/api/v1/me'),
    { line: 'PATCH /api/v1/me', status: 200, body: { locale: 'en' } },
    get('/api/v1/admin/users'),
    refused('POST /api/v1/admin/users', 503, 'identity_unavailable', { phoneNumber, roles: ['OWNER'] }),
    get('/api/v1/admin/users/:id', 'user', w.userIds.tom),
    user('PATCH /api/v1/admin/users/:id', 503, 'identity_unavailable', { roles: ['TENANT'] }),
    user('DELETE /api/v1/admin/users/:id', 409, 'invalid_state'),
    user('POST /api/v1/admin/users/:id/recovery-code', 503, 'identity_unavailable', {}),
    user('DELETE /api/v1/admin/users/:id/second-factor', 503, 'identity_unavailable'),
    get('/api/v1/organization'),
    get('/api/v1/overview'),
    get('/api/v1/search'),
    ...['/api/v1/people', '/api/v1/units'].map((path) => get(path)),
    get('/api/v1/admin/organization'),
    { line: 'PATCH /api/v1/admin/organization', status: 200, body: { name: 'Agence' } },
    get('/api/v1/admin/audit'),
    get('/api/v1/admin/audit/archives'),
    { line: 'GET /api/v1/admin/audit/archives/:id', status: 200, kind: 'archive', mine: w.archives.MINE },
    { line: 'GET /api/v1/admin/audit/archives/:id/download-url', status: 200, kind: 'archive', mine: w.archives.MINE },
    refused('POST /api/v1/admin/audit/archives', 409, 'invalid_state', { before: '2024-01-01' }),
    { line: 'POST /api/v1/properties', status: 201, body: place },
    get('/api/v1/properties'),
    get('/api/v1/properties/:id', 'property', properties.PUBLISHED),
    on('PATCH /api/v1/properties/:id', 'property', properties.DRAFT, { quartier: 'Bepanda' }),
    on('POST /api/v1/properties/:id/duplicate', 'property', properties.PUBLISHED, {}, 201),
    on('POST /api/v1/properties/:id/publish', 'property', properties.DRAFT),
    on('POST /api/v1/properties/:id/archive', 'property', properties.DRAFT),
    on('POST /api/v1/properties/:id/restore', 'property', properties.ARCHIVED),
    on('POST /api/v1/properties/:id/units', 'property', properties.PUBLISHED, { label: 'B1' }, 201),
    get('/api/v1/properties/:id/units', 'property', properties.PUBLISHED),
    get('/api/v1/units/:id', 'unit', units.SPARE),
    get('/api/v1/homes'),
    on('PATCH /api/v1/units/:id', 'unit', units.SPARE, { bedrooms: 2 }),
    { line: 'POST /api/v1/tenants', status: 201, body: { fullName: 'Une Autre' } },
    get('/api/v1/tenants'),
    get('/api/v1/tenants/:id', 'tenant', tenants.LINKED),
    on('PATCH /api/v1/tenants/:id', 'tenant', tenants.INVITED, { address: 'Rue 3' }),
    { line: 'POST /api/v1/bookings', status: 201, body: { unitId: units.SPARE, startDate: '2026-05-01' } },
    get('/api/v1/bookings'),
    get('/api/v1/bookings/:id', 'booking', bookings.ACTIVE),
    on('PATCH /api/v1/bookings/:id', 'booking', bookings.DRAFT, { dueDay: 5 }),
    on('POST /api/v1/bookings/:id/submit', 'booking', bookings.DRAFT),
    on('POST /api/v1/bookings/:id/activate', 'booking', bookings.PENDING),
    on('POST /api/v1/bookings/:id/cancel', 'booking', bookings.REQUEST),
    on('POST /api/v1/bookings/:id/renew', 'booking', bookings.ENDING, {}, 201),
    on('POST /api/v1/bookings/:id/payments', 'booking', bookings.ENDING, cash(70_000), 201),
    get('/api/v1/bookings/:id/signatures', 'booking', bookings.ENDING),
    on('POST /api/v1/bookings/:id/signatures/otp', 'booking', bookings.UNSIGNED),
    {
      ...on('POST /api/v1/bookings/:id/signatures', 'booking', bookings.UNSIGNED, { ...code, fullName: 'X' }, 410),
      code: 'challenge_gone',
    },
    { ...get('/api/v1/bookings/:id/signed-copy', 'booking', bookings.ENDING), status: 404, code: 'not_found' },
    {
      ...on(
        'POST /api/v1/bookings/:id/signed-copy',
        'booking',
        bookings.ENDING,
        { mediaObjectId: uuid('nobody') },
        404,
      ),
      code: 'not_found',
    },
    get('/api/v1/invoices'),
    get('/api/v1/invoices/:id', 'invoice', invoices.ISSUED),
    on('POST /api/v1/invoices/:id/charges', 'invoice', invoices.ISSUED, { label: 'Eau', amount: 4_500 }),
    get('/api/v1/invoices/:id/payments', 'invoice', invoices.OVERDUE),
    on('POST /api/v1/invoices/:id/payments', 'invoice', invoices.OVERDUE, cash(500), 201),
    on('POST /api/v1/invoices/:id/cancel', 'invoice', invoices.ISSUED),
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
    get('/api/v1/bookings/:id/settlement', 'booking', bookings.ACTIVE),
    get('/api/v1/bookings/:id/advance', 'booking', bookings.ACTIVE),
    get('/api/v1/bookings/:id/deposit', 'booking', bookings.ACTIVE),
    on('POST /api/v1/bookings/:id/deposit', 'booking', bookings.ACTIVE, received, 201),
    get('/api/v1/bookings/:id/notices', 'booking', bookings.ACTIVE),
    get('/api/v1/bookings/:id/timeline', 'booking', bookings.ACTIVE),
    get('/api/v1/events'),
    on('POST /api/v1/invoices/:id/remind', 'invoice', invoices.OVERDUE, { step: 'FINAL' }, 201),
    { line: 'POST /api/v1/reminders', status: 202, body: { invoiceIds: [invoices.OVERDUE], step: 'REMINDER' } },
    on('POST /api/v1/notices/:id/revoke-link', 'notice', w.notice),
    {
      line: 'GET /api/v1/notices/:id/letter-url',
      status: 409,
      code: 'invalid_state',
      kind: 'notice',
      mine: w.notice,
    },
    get('/api/v1/bookings/:id/file', 'booking', bookings.ACTIVE),
    get('/api/v1/payments/:id', 'payment', payments.CONFIRMED),
    on('POST /api/v1/payments/:id/confirm', 'payment', payments.PENDING),
    ...['reject', 'withdraw'].map((verb) => on(`POST /api/v1/payments/:id/${verb}`, 'payment', payments.DECLARED)),
    on('POST /api/v1/payments/:id/reverse', 'payment', payments.CONFIRMED),
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
