// The endpoint table of the interface specification, its twenty rows in its order, on a live server with real tokens.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { type Live, prepareSpecification, startLive } from '../support/live.ts'
import { faultsOf, type Resource } from '../support/specification.ts'

type Json = Record<string, unknown>
type Told = Awaited<ReturnType<Live['call']>>
const WEBHOOK_TOKEN = 'the-token-of-the-vendor'
const TENANT_NUMBER = '+237677555444'
const STRANGER_NUMBER = '+237688123123'
const NEW_NUMBER = '+237699321321'
const PASSWORD = 'maïs et plantain'

let live: Live
/** What each row of the table was answered. */
const told: { readonly stranger: Told; readonly answer: Told; readonly also: unknown }[] = []
beforeAll(async () => {
  const env = { WEBHOOK_SMSVENDOR_TOKEN: WEBHOOK_TOKEN }
  live = await startLive({ data: temporaryFolder('specification'), env })
  await prepareSpecification(live, { tenant: TENANT_NUMBER, stranger: STRANGER_NUMBER })
  // The rows are steps of one story: all are asked before any is judged.
  for (const { line, as, body, also, keep } of TABLE) {
    const stranger = await live.call(undefined, line, as === undefined ? [] : body)
    const answer = await live.call(as, line, body)
    told.push({ stranger, answer, also: live.fill(also) })
    live.keep(answer.body, keep)
  }
}, 120_000)
afterAll(async () => {
  await live.server.end('SIGTERM')
  cleaner()()
})

type More = {
  readonly body?: Json
  /** Members that have no value here. */
  readonly absent?: string
  readonly also?: Json
  readonly keep?: Readonly<Record<string, string>>
}
/** A line of the table: whose token (or none: public), the request, the status, the resource or [an array of it]. */
const row = (
  as: 'public' | 'owner' | 'admin',
  line: string,
  status: number,
  gives?: Resource | [Resource],
  more: More = {},
) => ({ as: as === 'public' ? undefined : as, line, status, gives, absent: '', also: {}, keep: {}, ...more })
const PROFILE = {
  ticket: '{ticket}',
  firstName: 'Thérèse',
  lastName: 'Tchoua',
  password: PASSWORD,
  acceptedTermsVersion: '{termsVersion}',
  acceptedPrivacyVersion: '{privacyVersion}',
  email: 'therese@example.cm',
}
const UNREVIEWED = 'proofType assignedTo reviewedBy reviewNote reviewedAt'
const DRAFT = `${UNREVIEWED} submittedAt`
const PLACE = {
  name: 'Résidence Makepe',
  addressLine: 'Derrière le marché',
  amenities: ['forage', 'parking'],
  city: 'Douala',
  latitude: 4.0511,
  longitude: 9.7679,
  province: 'Littoral',
  quartier: 'Makepe',
}
const DEED = {
  mediaObjectId: '{title}',
  role: 'PROOF_OF_OWNERSHIP',
  certifyingAuthority: 'NOTARY',
  certificateRef: 'TF 1234/W',
  certifiedOn: '2024-02-29',
}
const REPORT = { messageId: 'wamid.1', channel: 'whatsapp', status: 'delivered', to: STRANGER_NUMBER }
const TABLE = [
  row('owner', 'POST /api/v1/properties', 201, 'Property', {
    body: PLACE,
    also: { ...PLACE, status: 'DRAFT', ownerUserId: '{owner}' },
    keep: { property: 'id' },
  }),
  row('owner', 'GET /api/v1/properties', 200, ['Property'], { absent: 'province quartier latitude longitude' }),
  row('owner', 'POST /api/v1/properties/{property}/archive', 200, 'Property', {
    also: { id: '{property}', status: 'ARCHIVED' },
  }),
  row('owner', 'GET /api/v1/properties/{villa}/units', 200, ['Unit'], { also: { id: '{unit}', areaSqm: 72.5 } }),
  row('owner', 'POST /api/v1/bookings/{booking}/terminate', 200, 'Booking', {
    also: { id: '{booking}', status: 'TERMINATED', rentAmount: 150_000, depositAmount: 300_000 },
  }),
  row('owner', 'GET /api/v1/invoices', 200, ['Invoice'], { absent: 'tenantUserId paidAt' }),
  row('owner', 'GET /api/v1/invoices/{invoice}', 200, 'Invoice', {
    absent: 'paidAt',
    also: { id: '{invoice}', bookingId: '{booking}', grossAmount: 150_000, netAmount: 150_000, tvaAmount: 0 },
  }),
  row('owner', 'GET /api/v1/media?ownerType=VERIFICATION', 200, ['Media object']),
  row('owner', 'POST /api/v1/media/{photo}/complete', 200, 'Media object', {
    also: { id: '{photo}', status: 'AVAILABLE', ownerId: '{owner}', ownerType: 'VERIFICATION' },
  }),
  row('owner', 'GET /api/v1/media/{photo}/download-url', 200, 'Download link', { keep: { link: 'url' } }),
  row('owner', 'POST /api/v1/verification/property-proofs', 201, 'Verification', {
    body: { propertyId: '{villa}' },
    absent: DRAFT,
    also: { kind: 'PROPERTY_PROOF', status: 'DRAFT', propertyId: '{villa}', documents: [] },
    keep: { proof: 'id' },
  }),
  row('owner', 'POST /api/v1/verification/property-proofs/{proof}/documents', 200, 'Verification', {
    body: DEED,
    absent: DRAFT,
    also: { id: '{proof}', proofType: 'OWNERSHIP', documents: [DEED] },
  }),
  row('owner', 'POST /api/v1/verification/property-proofs/{proof}/submit', 200, 'Verification', {
    absent: UNREVIEWED,
    also: { id: '{proof}', status: 'SUBMITTED' },
  }),
  row('owner', 'GET /api/v1/verification/kyc/mine', 200, ['Verification'], {
    absent: `${DRAFT} propertyId`,
    also: { id: '{kyc}', kind: 'OWNER_KYC' },
  }),
  row('admin', 'GET /api/v1/admin/verification/{proof}', 200, 'Verification', {
    absent: UNREVIEWED,
    also: { id: '{proof}', subjectUserId: '{owner}' },
  }),
  row('owner', 'GET /api/v1/me', 200, 'Current user', {
    absent: 'email',
    also: { id: '{owner}', roles: ['OWNER'], phoneNumber: '{ownNumber}' },
  }),
  row('owner', 'POST /api/v1/account/phone/otp', 200, 'Phone challenge', {
    body: { newPhoneNumber: NEW_NUMBER },
    also: { channel: 'WHATSAPP', maskedDestination: '+237•••••••21' },
  }),
  row('public', 'POST /api/v1/registration/complete', 201, 'Registered', {
    body: PROFILE,
    also: { username: STRANGER_NUMBER },
  }),
  row('public', 'POST /api/v1/account/password-reset/complete', 204, undefined, {
    body: { challengeId: '{session}', code: '{code}', newPassword: PASSWORD },
  }),
  row('public', `POST /webhooks/smsvendor/dlr?token=${WEBHOOK_TOKEN}`, 200, undefined, { body: REPORT }),
]

describe('the endpoint table', () => {
  test('has twenty rows', () => expect(TABLE).toHaveLength(20))

  for (const [n, { line, as, status, gives, absent }] of TABLE.entries())
    test(`${line.replace(/\?token=.*/, '')} → ${status}${gives ? ` ${Array.isArray(gives) ? `array of ${gives}` : gives}` : ''}`, () => {
      const { stranger, answer, also } = told[n] as (typeof told)[number]
      // Without a token only public endpoints look at what is sent: here an array, which none of them takes.
      expect(as === undefined ? [400, 422] : [401]).toContain(stranger.status)
      if (as !== undefined) expect(stranger.headers.get('www-authenticate')).toBe('Bearer realm="svc"')

      expect({ status: answer.status, told: answer.status === status ? '' : answer.text }).toEqual({ status, told: '' })
      if (status === 204) return expect(answer.text).toBe('')
      expect(answer.headers.get('content-type')).toStartWith('application/json')
      if (gives === undefined) return
      const many = Array.isArray(gives)
      const resource = many ? gives[0] : gives
      const rows = many ? (answer.body as unknown[]) : [answer.body]
      expect(Array.isArray(answer.body)).toBe(many)
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows)
        expect({ row, faults: faultsOf(resource, row, absent.split(' ')) }).toEqual({ row, faults: [] })
      expect(rows[0]).toMatchObject(also as Json)
    })
})

test('the link that was given brings the photo, and nobody else’s', async () => {
  const file = await fetch(String(live.made.link))
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect((await fetch(String(live.made.link).replace(String(live.made.photo), String(live.made.title)))).status).toBe(
    403,
  )
})

test('the password that was set, and the one that was chosen at registration, give tokens by the testing grant', async () => {
  for (const [username, password, expected] of [
    [TENANT_NUMBER, PASSWORD, 200],
    [TENANT_NUMBER, String(live.made.password), 400],
    [STRANGER_NUMBER, PASSWORD, 200],
  ] as const) {
    const grant = { grant_type: 'password', client_id: 'svc-mobile', scope: 'openid profile email', username, password }
    const answer = await fetch(`${live.server.base}/realms/svc/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(grant),
    })
    const told = (await answer.json()) as Json
    expect([username, answer.status]).toEqual([username, expected])
    if (expected !== 200) continue
    live.tokens[username] = String(told.access_token)
    const me = await live.call(username, 'GET /api/v1/me')
    expect(me.body).toMatchObject({ username, phoneNumber: username, phoneVerified: true, roles: ['TENANT'] })
  }
})

describe('the error table', () => {
  const wrong = '{code}'
  const rows: [condition: string, line: string, as: 'owner' | undefined, body: Json, status: number][] = [
    [
      'phone-change code request: another account uses the new number',
      'POST /api/v1/account/phone/otp',
      'owner',
      { newPhoneNumber: '{takenNumber}' },
      409,
    ],
    [
      'phone-change code request: the number is already the user’s own',
      'POST /api/v1/account/phone/otp',
      'owner',
      { newPhoneNumber: '{ownNumber}' },
      422,
    ],
    [
      'registration complete: ticket expired or invalid',
      'POST /api/v1/registration/complete',
      undefined,
      { ...PROFILE, ticket: 'no ticket' },
      422,
    ],
    [
      'registration complete: number already registered',
      'POST /api/v1/registration/complete',
      undefined,
      { ...PROFILE, ticket: '{secondTicket}' },
      409,
    ],
    [
      'password reset complete: session unknown',
      'POST /api/v1/account/password-reset/complete',
      undefined,
      { challengeId: 'unknown', code: wrong, newPassword: PASSWORD },
      410,
    ],
    [
      'password reset complete: session used',
      'POST /api/v1/account/password-reset/complete',
      undefined,
      { challengeId: '{session}', code: wrong, newPassword: PASSWORD },
      410,
    ],
    [
      'delivery-report callback: bad token',
      'POST /webhooks/smsvendor/dlr?token=another-token-of-it',
      undefined,
      {},
      401,
    ],
    ['delivery-report callback: no token', 'POST /webhooks/smsvendor/dlr', undefined, {}, 401],
  ]
  // 503, where nothing works: accounts cannot be made (races/tickets), the callback is not set up (features/webhooks).
  test.each(rows)('%s', async (_condition, line, as, body, status) => {
    if (line.includes('registration')) live.made.secondTicket ??= await live.ticketFor(STRANGER_NUMBER)
    const answer = await live.call(as, line, body)
    expect({ status: answer.status, told: answer.text }).toEqual({ status, told: answer.text })
    expect(answer.headers.get('content-type')).toStartWith('application/problem+json')
    expect(answer.body).toMatchObject({ status, code: expect.any(String), requestId: expect.any(String) })
  })

  test('password reset complete: attempt budget spent', async () => {
    const { prepare, call, codeSentTo } = live
    const { challengeId } = await prepare(undefined, 'POST /api/v1/account/password-reset/request', {
      phoneNumber: STRANGER_NUMBER,
    })
    const code = await codeSentTo(STRANGER_NUMBER)
    const attempt = (given: string) =>
      call(undefined, 'POST /api/v1/account/password-reset/complete', {
        challengeId,
        code: given,
        newPassword: PASSWORD,
      })
    for (let i = 0; i < 5; i++) expect((await attempt(code === '000000' ? '000001' : '000000')).status).toBe(422)
    expect((await attempt(code)).status).toBe(429)
  })
})
