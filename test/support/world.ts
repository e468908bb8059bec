import { type Answer, ORG, type TestApp, uuid } from './app.ts'

type Json = Record<string, unknown>
export type Ids<K extends string> = Readonly<Record<K, string>>
/** A payment in cash of the day before. */
export const cash = (amount: number, more: Json = {}): Json => ({
  amount,
  method: 'CASH',
  paidOn: '2026-03-09',
  ...more,
})

export type World = Awaited<ReturnType<typeof world>>

/**
 * An organization with one object of each kind and state, made through the API alone: what Ana owns and Tom rents,
 * the same of Eve and Tia, and the manager and administrator of both. Names differ from one organization to the next,
 * for a test token's number follows from its name.
 */
export async function world(t: TestApp, org = 'organization') {
  const tag = org === 'organization' ? '' : org
  const word = (role: string, name: string): string => `${role}.${name}${tag}~${org}`
  const as = {
    ana: word('OWNER', 'ana'),
    eve: word('OWNER', 'eve'),
    mia: word('MANAGER', 'mia'),
    ada: word('ADMIN', 'ada'),
    tom: word('TENANT', 'tom'),
    tia: word('TENANT', 'tia'),
  }
  const userIds = Object.fromEntries(Object.keys(as).map((name) => [name, uuid(`${name}${tag}~${org}`)])) as Ids<
    keyof typeof as
  >
  /** @throws Error for anything but a success: a world that is not whole proves nothing */
  async function made(who: string, line: string, body?: Json): Promise<Answer> {
    const answer = await t.call(who, line, body)
    if (answer.status > 201) throw new Error(`${who} ${line}: ${answer.status} ${answer.text}`)
    return answer
  }
  const make = async (who: string, line: string, body?: Json): Promise<string> =>
    String((await made(who, line, body)).body.id)

  // Everybody has been seen once, so that nobody's first request writes a row in the middle of a test.
  for (const who of Object.values(as)) await made(who, 'GET /api/v1/me')

  const property = (who: string, name: string): Promise<string> =>
    make(who, 'POST /api/v1/properties', { name, addressLine: 'Rue 1', city: 'Douala' })
  async function units(who: string, propertyId: string, labels: string[]): Promise<string[]> {
    const ids: string[] = []
    for (const label of labels)
      ids.push(await make(who, `POST /api/v1/properties/${propertyId}/units`, { label, rentAmount: 50_000 }))
    return ids
  }
  const move = (who: string, kind: string, id: string, action: string, body?: Json): Promise<Answer> =>
    made(who, `POST /api/v1/${kind}/${id}/${action}`, body)

  /** A lease brought to a state, of a landlord and a tenant with an account. */
  async function lease(who: string, unitId: string, tenantUserId: string, steps: string[], more: Json = {}) {
    const id = await make(who, 'POST /api/v1/bookings', { unitId, tenantUserId, startDate: '2026-03-01', ...more })
    for (const step of steps) await move(who, 'bookings', id, step)
    return id
  }
  const pay = (who: string, invoiceId: string, body: Json): Promise<string> =>
    make(who, `POST /api/v1/invoices/${invoiceId}/payments`, body)
  async function invoicesOf(who: string, bookingId: string): Promise<string[]> {
    const { body } = await t.call<{ id: string }[]>(who, `GET /api/v1/invoices?order=asc&bookingId=${bookingId}`)
    return body.map(({ id }) => id)
  }

  const published = await property(as.ana, 'Villa')
  const draft = await property(as.ana, 'Chantier')
  const archived = await property(as.ana, 'Ruine')
  await move(as.ana, 'properties', archived, 'archive')
  const [free = '', u1 = '', u2 = '', u3 = '', u4 = '', u5 = '', u6 = '', spare = ''] = await units(as.ana, published, [
    'A0',
    'A1',
    'A2',
    'A3',
    'A4',
    'A5',
    'A6',
    'A7',
  ])
  await units(as.ana, draft, ['C1'])
  await move(as.ana, 'properties', published, 'publish')
  const invited = await make(as.ana, 'POST /api/v1/tenants', { fullName: 'Sans Compte' })

  const since = { startDate: '2025-12-10', billFrom: '2025-12-10' }
  const bookings = {
    DRAFT: await lease(as.ana, u1, userIds.tom, []),
    PENDING: await lease(as.ana, u2, userIds.tom, ['submit']),
    ACTIVE: await lease(as.ana, u3, userIds.tom, ['submit', 'activate'], since),
    CANCELLED: await lease(as.ana, u4, userIds.tom, ['cancel']),
    TERMINATED: await lease(as.ana, u5, userIds.tom, ['submit', 'activate', 'terminate']),
    // Ends, so that it can be renewed.
    ENDING: await lease(as.ana, u6, userIds.tom, ['submit', 'activate'], { endDate: '2026-12-31' }),
    REQUEST: await make(as.tom, 'POST /api/v1/bookings', { unitId: free, startDate: '2026-04-01' }),
  }
  const tom = String((await made(as.ana, `GET /api/v1/bookings/${bookings.DRAFT}`)).body.tenantId)

  const hers = await property(as.eve, 'Studio')
  const [herUnit = ''] = await units(as.eve, hers, ['E1'])
  const herBooking = await lease(as.eve, herUnit, userIds.tia, ['submit', 'activate'])
  const tia = String((await made(as.eve, `GET /api/v1/bookings/${herBooking}`)).body.tenantId)
  await t.work()

  const [paid = '', dropped = '', overdue = '', issued = ''] = await invoicesOf(as.ana, bookings.ACTIVE)
  const [open = ''] = await invoicesOf(as.ana, bookings.ENDING)
  const [herInvoice = ''] = await invoicesOf(as.eve, herBooking)
  await move(as.ana, 'invoices', dropped, 'cancel')
  const payments = {
    CONFIRMED: await pay(as.ana, paid, cash(50_000, { reference: 'R1' })),
    PENDING: await pay(as.tom, overdue, cash(1_000)),
    DECLARED: await pay(as.tom, overdue, cash(2_000)),
    REJECTED: await pay(as.tom, overdue, cash(3_000)),
    REVERSED: await pay(as.ana, overdue, cash(4_000)),
  }
  await move(as.ana, 'payments', payments.REJECTED, 'reject')
  await move(as.ana, 'payments', payments.REVERSED, 'reverse')
  const herPayment = await pay(as.tia, herInvoice, cash(5_000))

  /** Announced only: what belongs to a property, or the caller's own paper. */
  const media = (who: string, ownerType: string, ownerId: string): Promise<string> =>
    make(who, 'POST /api/v1/media', {
      ownerType,
      ownerId,
      kind: 'DOCUMENT',
      filename: 'titre.pdf',
      contentType: 'application/pdf',
      sizeBytes: 100,
    })
  const files = {
    PROPERTY: await media(as.ana, 'PROPERTY', published),
    UNIT: await media(as.ana, 'UNIT', u1),
    TOMS: await media(as.tom, 'USER', userIds.tom),
  }
  const herMedia = await media(as.eve, 'PROPERTY', hers)
  await media(as.tia, 'VERIFICATION', userIds.tia)
  await t.work()

  return {
    org,
    orgId: org === 'organization' ? ORG : uuid(org),
    as,
    userIds,
    properties: { PUBLISHED: published, DRAFT: draft, ARCHIVED: archived },
    units: { AVAILABLE: free, SPARE: spare, RESERVED: u2, OCCUPIED: u3 },
    tenants: { LINKED: tom, INVITED: invited },
    bookings,
    /** `OPEN` is OVERDUE too, and of the lease that ends. */
    invoices: { PAID: paid, CANCELLED: dropped, OVERDUE: overdue, ISSUED: issued, OPEN: open },
    payments,
    media: files,
    /** What Eve owns and Tia rents. */
    hers: {
      property: hers,
      unit: herUnit,
      tenant: tia,
      booking: herBooking,
      invoice: herInvoice,
      payment: herPayment,
      media: herMedia,
    },
  }
}

/** The rows that a refused request must leave as they were. */
export const traces = (t: TestApp): string =>
  JSON.stringify(
    [
      ...['property', 'unit', 'tenant', 'booking', 'invoice', 'payment', 'allocation', 'media_object'],
      ...['app_user', 'challenge', 'audit_entry', 'job', 'idempotency'],
    ].map((table) => [table, t.rows(`select * from ${table}`)]),
  )

type Kind = 'property' | 'unit' | 'tenant' | 'booking' | 'invoice' | 'payment' | 'media'
/** A request that succeeds for whoever may make it at all. `mine` is Ana's and Tom's, and a state that allows it. */
export type Sample = {
  readonly line: string
  readonly status: number
  /** Of an answer that is no success: what cannot be done in a test without an identity provider or a file. */
  readonly code?: string
  /** Tom's own, where Ana's is not his to see. */
  readonly toms?: string
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
    toms: w.media.TOMS,
    ...(line.startsWith('POST') ? { body: {} } : {}),
    ...(code ? { code } : {}),
  })
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
    get('/api/v1/account/sessions'),
    refused('DELETE /api/v1/account/sessions/:session', 503, 'identity_unavailable'),
    refused('POST /api/v1/account/password', 503, 'identity_unavailable', {
      currentPassword: password,
      newPassword: password,
    }),
    refused('POST /api/v1/account/phone/otp', 503, 'identity_unavailable', { newPhoneNumber: phoneNumber }),
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
    file('GET /api/v1/media/:id/download-url', 409, 'invalid_state'),
    file('POST /api/v1/media/:id/upload-url', 200),
    file('POST /api/v1/media/:id/complete', 409, 'upload_missing'),
    file('DELETE /api/v1/media/:id', 204),
    get('/api/v1/me'),
    { line: 'PATCH /api/v1/me', status: 200, body: { locale: 'en' } },
    get('/api/v1/admin/organization'),
    { line: 'PATCH /api/v1/admin/organization', status: 200, body: { name: 'Agence' } },
    get('/api/v1/admin/audit'),
    { line: 'POST /api/v1/properties', status: 201, body: place },
    get('/api/v1/properties'),
    get('/api/v1/properties/:id', 'property', properties.PUBLISHED),
    on('PATCH /api/v1/properties/:id', 'property', properties.DRAFT, { quartier: 'Bepanda' }),
    on('POST /api/v1/properties/:id/publish', 'property', properties.DRAFT),
    on('POST /api/v1/properties/:id/archive', 'property', properties.DRAFT),
    on('POST /api/v1/properties/:id/restore', 'property', properties.ARCHIVED),
    on('POST /api/v1/properties/:id/units', 'property', properties.PUBLISHED, { label: 'B1' }, 201),
    get('/api/v1/properties/:id/units', 'property', properties.PUBLISHED),
    get('/api/v1/units/:id', 'unit', units.SPARE),
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
    get('/api/v1/invoices'),
    get('/api/v1/invoices/:id', 'invoice', invoices.ISSUED),
    on('POST /api/v1/invoices/:id/charges', 'invoice', invoices.ISSUED, { label: 'Eau', amount: 4_500 }),
    get('/api/v1/invoices/:id/payments', 'invoice', invoices.OVERDUE),
    on('POST /api/v1/invoices/:id/payments', 'invoice', invoices.OVERDUE, cash(500), 201),
    on('POST /api/v1/invoices/:id/cancel', 'invoice', invoices.ISSUED),
    get('/api/v1/payments'),
    get('/api/v1/payments/:id', 'payment', payments.CONFIRMED),
    on('POST /api/v1/payments/:id/confirm', 'payment', payments.PENDING),
    on('POST /api/v1/payments/:id/reject', 'payment', payments.DECLARED),
    on('POST /api/v1/payments/:id/withdraw', 'payment', payments.DECLARED),
    on('POST /api/v1/payments/:id/reverse', 'payment', payments.CONFIRMED),
    on('POST /api/v1/bookings/:id/terminate', 'booking', bookings.ACTIVE, { reason: 'Fin' }),
  ]
}
