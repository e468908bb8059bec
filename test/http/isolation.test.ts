// reliability T-03: an id of another organization, owner or tenant is answered like one that never was, byte for byte.
import { describe, expect, test } from 'bun:test'
import { type Answer, uuid } from '../support/app.ts'
import { fill, routesOf } from '../support/routes.ts'
import { cash, samples, traces, type World, worldApp } from '../support/world.ts'

const NIL = '00000000-0000-0000-0000-000000000000'
const { t, w, other } = await worldApp(['organization', 'other'])
/** Manages Ana's published property, and nothing else. */
const CAL = 'MANAGER.cal'
await t.call(CAL, 'GET /api/v1/me')
const given = await t.call(w.as.ada, `PATCH /api/v1/admin/users/${uuid('cal~organization')}`, {
  propertyIds: [w.properties.PUBLISHED],
})
if (given.status !== 200) throw new Error(given.text)
const as = { ...w.as, cal: CAL }

const kinds = [
  'user',
  'property',
  'unit',
  'tenant',
  'booking',
  'invoice',
  'payment',
  'document',
  'media',
  'kyc',
  'proof',
] as const
const hers = (of: World): Record<string, string> => ({
  ...of.hers,
  ...{ user: of.userIds.tia, archive: of.archives.MINE, recovery: of.recoveries.eve },
})

/** The answer without what names the request. */
const bytes = ({ status, text, headers }: Answer): string =>
  JSON.stringify([
    status,
    text.replace(/"(requestId|instance)":"[^"]*"/g, ''),
    [...headers].filter(([name]) => name !== 'x-request-id'),
  ])

/** The four ids that must all be nothing to the caller. */
const strangers = (kind: string): [string, string][] => [
  ['random', uuid('nobody')],
  ['nil', NIL],
  ['other organization', hers(other)[kind] ?? ''],
  ['same organization, other landlord and tenant', hers(w)[kind] ?? ''],
]

test('every route with an id has a sample here', () => {
  const withId = routesOf(t.app).filter(
    ({ path, roles, hidden }) => path.includes(':id') && roles !== 'public' && !hidden,
  )
  expect(
    samples(w)
      .filter(({ kind }) => kind)
      .map(({ line }) => line)
      .sort(),
  ).toEqual(withId.map(({ line }) => line).sort())
})

/** What a manager of some properties is told 403 of. */
const WHOLE = new Set(routesOf(t.app).flatMap(({ line, whole }) => (whole ? [line] : [])))
const rolesOf = new Map(routesOf(t.app).map(({ line, roles }) => [line, roles]))
const withKind = samples(w).flatMap(({ line, kind, body }) => (kind ? [[line, kind, body] as const] : []))
test.each(withKind)('an id in the path: %s', async (line, kind, body) => {
  const roles = rolesOf.get(line) ?? []
  // A manager of some properties may call what an owner may, but for what is of the whole organization.
  const forCal = roles.includes('OWNER') && !WHOLE.has(line)
  const who = (['tom', 'ana', 'mia', 'ada', 'cal'] as const).filter((name, i) =>
    name === 'cal' ? forCal : roles.includes((['TENANT', 'OWNER', 'MANAGER', 'ADMIN'] as const)[i] ?? 'ADMIN'),
  )
  expect(who).not.toEqual([])
  const before = traces(t)
  for (const name of who) {
    // Managers and administrators see all of their own organization.
    const ids = strangers(kind).slice(0, name === 'mia' || name === 'ada' ? 3 : 4)
    const never = bytes(await t.call(as[name], fill(line, uuid('nobody')), body))
    expect([name, never]).toEqual([name, expect.stringMatching(/^\[404,/)])
    for (const [what, id] of ids)
      expect([name, what, bytes(await t.call(as[name], fill(line, id), body))]).toEqual([name, what, never])
    // No method, body, header or query makes it speak.
    const loud = { 'if-match': '"x"', 'if-none-match': '*' }
    const id = hers(other)[kind]
    expect([name, bytes(await t.call(as[name], fill(line, id), body, loud))]).toEqual([name, never])
  }
  expect(traces(t)).toBe(before)
})

const lease = { unitId: w.units.SPARE, startDate: '2026-06-01' }
const place = { name: 'N', addressLine: 'R', city: 'C' }
const paper = { kind: 'DOCUMENT', filename: 'a.pdf', contentType: 'application/pdf', sizeBytes: 100 }
type Row = [name: string, as: keyof typeof as, line: string, kind: string, body: (id: string) => object, answer: string]
const bodies: Row[] = [
  [
    'unit of a lease',
    'ana',
    'POST /api/v1/bookings',
    'unit',
    (id) => ({ ...lease, tenantId: w.tenants.LINKED, unitId: id }),
    '404',
  ],
  ['unit of a request', 'tom', 'POST /api/v1/bookings', 'unit', (id) => ({ ...lease, unitId: id }), '404'],
  ['tenant of a lease', 'ana', 'POST /api/v1/bookings', 'tenant', (id) => ({ ...lease, tenantId: id }), '404'],
  [
    'proof of a payment',
    'ana',
    `POST /api/v1/invoices/${w.invoices.ISSUED}/payments`,
    'payment',
    (id) => cash(1, { proofMediaId: id }),
    '404',
  ],
  [
    'proof of a declaration',
    'tom',
    `POST /api/v1/invoices/${w.invoices.ISSUED}/payments`,
    'invoice',
    (id) => cash(1, { proofMediaId: id }),
    '404',
  ],
  [
    'proof of an advance',
    'ana',
    `POST /api/v1/bookings/${w.bookings.ENDING}/payments`,
    'booking',
    (id) => cash(1, { proofMediaId: id }),
    '404',
  ],
  [
    'owner of a file',
    'ana',
    'POST /api/v1/media',
    'property',
    (id) => ({ ...paper, ownerType: 'PROPERTY', ownerId: id }),
    '404',
  ],
  [
    'unit of a file',
    'ana',
    'POST /api/v1/media',
    'unit',
    (id) => ({ ...paper, ownerType: 'UNIT', ownerId: id }),
    '404',
  ],
  [
    'person of a paper',
    'mia',
    'POST /api/v1/media',
    'user',
    (id) => ({ ...paper, ownerType: 'VERIFICATION', ownerId: id }),
    '404',
  ],
  [
    'paper of a check',
    'ana',
    `POST /api/v1/verification/kyc/${w.kyc.ana}/documents`,
    'media',
    (id) => ({ mediaObjectId: id, role: 'SELF_ID' }),
    '404',
  ],
  [
    'property of a proof',
    'ana',
    'POST /api/v1/verification/property-proofs',
    'property',
    (id) => ({ propertyId: id }),
    '404',
  ],
  // Only the word "no owner with this id" is told: decisions section 3 lets managers name an OWNER of the organization.
  ['owner of a new property', 'mia', 'POST /api/v1/properties', 'user', (id) => ({ ...place, ownerUserId: id }), '422'],
  [
    'new owner of a property',
    'mia',
    `PATCH /api/v1/properties/${w.properties.DRAFT}`,
    'user',
    (id) => ({ ownerUserId: id }),
    '422',
  ],
  [
    'owner, named by an owner',
    'ana',
    'POST /api/v1/properties',
    'user',
    (id) => ({ ...place, ownerUserId: id }),
    '403',
  ],
]
const byCal = bodies.flatMap(([name, who, ...rest]): Row[] =>
  who === 'ana' && !/^.* of a check$|property of a proof|, named by/.test(name)
    ? [[`${name}, by the manager of some`, 'cal', ...rest]]
    : [],
)
test.each([...bodies, ...byCal])('an id in the body: %s', async (_name, who, line, kind, body, status) => {
  const before = traces(t)
  const answers: string[] = []
  for (const [, id] of strangers(kind)) answers.push(bytes(await t.call(as[who], line, body(id))))
  expect(answers[0]).toStartWith(`[${status},`)
  for (const answer of answers) expect(answer).toBe(String(answers[0]))
  expect(traces(t)).toBe(before)
})

test('an id in the body: the account of another organization', async () => {
  const before = traces(t)
  const ids = [uuid('nobody'), NIL, other.userIds.tom, other.userIds.ana]
  const answers = await Promise.all(
    ids.map(async (id) => bytes(await t.call(w.as.ana, 'POST /api/v1/bookings', { ...lease, tenantUserId: id }))),
  )
  expect(answers[0]).toStartWith('[404,')
  for (const answer of answers) expect(answer).toBe(String(answers[0]))
  expect(traces(t)).toBe(before)
})

describe('a tenant sees no more than is theirs of their own organization', () => {
  const closed = [
    ['a property that is not published', `/api/v1/properties/${w.properties.DRAFT}`],
    ['its units', `/api/v1/properties/${w.properties.DRAFT}/units`],
    ["an archived property's units", `/api/v1/properties/${w.properties.ARCHIVED}/units`],
    ["another tenant's lease", `/api/v1/bookings/${w.hers.booking}`],
    ["another tenant's invoice", `/api/v1/invoices/${w.hers.invoice}`],
    ['its payments', `/api/v1/invoices/${w.hers.invoice}/payments`],
    ["another tenant's payment", `/api/v1/payments/${w.hers.payment}`],
  ] as const
  test.each(closed)('%s', async (_name, path) => {
    expect((await t.call(w.as.tom, `GET ${path}`)).status).toBe(404)
  })
  test('what they rent stays to be seen when it is not published any more', async () => {
    const lone = await t.call(w.as.tia, `GET /api/v1/properties/${w.hers.property}`)
    expect([lone.status, lone.body.status]).toEqual([200, 'DRAFT'])
    expect((await t.call(w.as.tia, `GET /api/v1/units/${w.hers.unit}`)).status).toBe(200)
  })
})

test('an id that is no UUID is answered like one that never was, and so is one in capitals', async () => {
  const never = bytes(await t.call(w.as.ana, `GET /api/v1/bookings/${NIL}`))
  for (const id of [
    'nr7',
    'x'.repeat(5_000),
    '%00',
    '..%2f..',
    '%zz',
    w.bookings.ACTIVE.toUpperCase(),
    `${w.bookings.ACTIVE}%20`,
  ])
    expect(bytes(await t.call(w.as.ana, `GET /api/v1/bookings/${id}`))).toBe(never)
})

test('the test would see a leak', () => {
  for (const kind of kinds) expect(new Set(strangers(kind).map(([, id]) => id)).size).toBe(4)
})

describe('an account named by its id in a lease', () => {
  const name = (as: string, tenantUserId: string) => t.call(as, 'POST /api/v1/bookings', { ...lease, tenantUserId })
  test('an owner names tenants: whoever else is there stays unknown, and leaves no trace', async () => {
    const before = traces(t)
    const answers: string[] = []
    for (const id of [uuid('nobody'), w.userIds.eve, w.userIds.mia, w.userIds.ada, w.userIds.ana])
      answers.push(bytes(await name(w.as.ana, id)))
    expect(answers[0]).toStartWith('[404,')
    for (const answer of answers) expect(answer).toBe(String(answers[0]))
    expect(traces(t)).toBe(before)
  })
  test('a tenant hands over their id, and any landlord can draw up a lease', async () => {
    const { status, body } = await name(w.as.ana, w.userIds.tia)
    expect([status, body.tenantUserId]).toEqual([201, w.userIds.tia])
    // Elsewhere the landlord is told whose the account is once the lease was sent out.
    expect((await t.call(w.as.ana, `GET /api/v1/bookings/${body.id}`)).body.tenantUserId).toBeUndefined()
    const { body: sent } = await t.call(w.as.mia, `POST /api/v1/bookings/${body.id}/submit`, {})
    expect(sent.tenantUserId).toBe(w.userIds.tia)
  })
  test.each(['mia', 'ada'] as const)('%s, who sees the whole organization, names any account', async (who) => {
    expect((await name(w.as[who], w.userIds.eve)).status).toBe(201)
    expect((await name(w.as[who], uuid('nobody'))).status).toBe(404)
  })
})
