import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isObject, type Json } from './openapi-schemas.ts'

const id = (n: number): string => `01985f3a-7c00-7000-8000-${n.toString(16).padStart(12, '0')}`
const ABSENT = Symbol('absent')

/**
 * One lease in Douala in March 2026, by member name, so that all examples tell the same story. `Resource.member`
 * goes before `member`; a member that does not fit its schema is not used.
 */
const STORY: Readonly<Record<string, unknown>> = {
  orgId: id(1),
  'Organization.id': id(1),
  ownerUserId: id(2),
  actorUserId: id(2),
  recordedBy: id(2),
  decidedBy: id(2),
  'CurrentUser.id': id(2),
  tenantUserId: id(3),
  'Tenant.userId': id(3),
  propertyId: id(16),
  'Property.id': id(16),
  unitId: id(17),
  'Unit.id': id(17),
  tenantId: id(18),
  'Tenant.id': id(18),
  bookingId: id(19),
  'Booking.id': id(19),
  subjectId: id(19),
  'Invoice.id': id(20),
  invoiceId: id(20),
  invoiceIds: [id(20)],
  'Payment.id': id(21),
  proofMediaId: ABSENT,
  documentId: id(22),
  'AuditEntry.id': id(23),
  'SandboxMessage.id': id(24),
  renewsBookingId: ABSENT,
  requestedBy: ABSENT,
  subject: id(2),

  name: 'Résidence Bonamoussadi',
  propertyName: 'Résidence Bonamoussadi',
  addressLine: 'Derrière la pharmacie du rond-point',
  quartier: 'Bonamoussadi',
  city: 'Douala',
  province: 'Littoral',
  latitude: 4.0883,
  longitude: 9.7367,
  amenities: ['parking', 'forage', 'groupe électrogène'],
  'Property.type': 'APARTMENT',
  'Property.status': 'PUBLISHED',

  label: 'A1',
  unitLabel: 'A1',
  areaSqm: 42,
  bedrooms: 2,
  bathrooms: 1,
  'Unit.status': 'OCCUPIED',

  fullName: 'Ngo Bassa Marie-Claire',
  tenantName: 'Ngo Bassa Marie-Claire',
  phoneNumber: '+237677123456',
  idType: 'NATIONAL_ID',
  idNumber: '112345678',
  'Tenant.niu': 'P068012345678Q',
  'Tenant.address': 'Bonamoussadi, Douala',

  'CurrentUser.username': '+237699000011',
  'CurrentUser.phoneNumber': '+237699000011',
  email: 'e.mbarga@example.cm',
  firstName: 'Étienne',
  lastName: 'Mbarga',
  phoneVerified: true,
  locale: 'fr',
  roles: ['OWNER'],

  startDate: '2026-01-01',
  endDate: '2026-12-31',
  rentAmount: 85_000,
  rentCurrency: 'XAF',
  depositAmount: 170_000,
  depositCurrency: 'XAF',
  noticeMonths: 3,
  dueDay: 5,
  autoRenew: true,
  'Booking.status': 'ACTIVE',
  'Booking.createdAt': '2025-12-20T09:30:00.000Z',
  submittedAt: '2025-12-20T09:45:00.000Z',
  activatedAt: '2025-12-22T16:05:00.000Z',
  terminatedAt: ABSENT,
  terminationReason: ABSENT,
  cancelledAt: ABSENT,
  creditAmount: 0,
  openingBalance: 0,

  number: '2026-000123',
  currency: 'XAF',
  periodStart: '2026-03-01',
  periodEnd: '2026-03-31',
  dueDate: '2026-03-05',
  grossAmount: 85_000,
  netAmount: 85_000,
  tvaAmount: 0,
  tvaBasisPoints: 0,
  amountPaid: 85_000,
  balanceAmount: 0,
  creditedAmount: ABSENT,
  lines: [{ kind: 'RENT', label: 'Loyer mars 2026', amount: 85_000 }],
  'Invoice.status': 'PAID',
  'Invoice.createdAt': '2026-03-01T05:00:00.000Z',
  paidAt: '2026-03-04T10:12:30.000Z',

  'Payment.type': 'PAYMENT',
  'Payment.status': 'CONFIRMED',
  'Payment.createdAt': '2026-03-04T10:12:30.000Z',
  amount: 85_000,
  method: 'MTN_MOMO',
  paidOn: '2026-03-04',
  reference: '7712345678',
  unallocatedAmount: ABSENT,
  note: ABSENT,
  confirmedAt: '2026-03-04T10:12:30.000Z',
  closedAt: ABSENT,
  coveredUntil: '2026-03-31',

  'Organization.name': 'Wouri Gestion Immobilière',
  'Organization.address': 'Boulevard de la Liberté, Akwa, Douala',
  'Organization.niu': 'M011912345678K',
  rccm: 'RC/DLA/2019/B/1234',
  tvaRegistered: false,
  timeZone: 'Africa/Douala',
  issueDaysBefore: 0,
  requireProof: false,
  reminderSchedule: [-3, 1, 7, 15],

  actor: 'OWNER',
  action: 'booking.activate',
  subjectType: 'booking',
  'AuditEntry.details': { signed: true },
  beforeDigest: 'mXxS1pFMGCQYjvYbiZFvnDNo_Q9hYtGuXHZ2H1VvA2Y',
  afterDigest: 'u5mJ6tU7a1w9GJ6gk0yQ8bXvRkCk4s0dHfJmK1W3n8E',
  requestId: id(99),

  to: '+237677123456',
  channel: 'WHATSAPP',
  purpose: 'REGISTRATION',
  text: 'Loyer : votre code est 482913. Ne le donnez à personne.',
  code: '482913',
  access_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIwMTk4NWYzYSJ9.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_in: 300,
  scope: 'openid profile email',
  'Health.status': 'ok',
  createdAt: '2025-11-03T08:15:00.000Z',
  now: '2026-04-04T08:00:00.000Z',
}

const FORMATS: Readonly<Record<string, unknown>> = {
  uuid: id(64),
  date: '2026-03-04',
  'date-time': '2026-03-04T10:12:30.000Z',
}

const told = (owner: string, name: string): unknown => STORY[`${owner}.${name}`] ?? STORY[name]

/** A value that fits the schema, out of the story where it tells one; members it does not know are left out if they may be. */
export function sample(schema: TSchema, name = '', owner = ''): unknown {
  const value = told(owner, name)
  if (value !== undefined && value !== ABSENT && Value.Check(schema, value)) return value
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return sample(schema.anyOf[0] as TSchema, name, owner)
  switch (schema.type) {
    case 'object':
      return sampleObject(schema)
    case 'array':
      return schema.minItems === 0 || !isObject(schema.items) ? [] : [sample(schema.items as TSchema, name, owner)]
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    default:
      return (
        FORMATS[String(schema.format)] ?? 'exemple'.slice(0, schema.maxLength ?? 7).padEnd(schema.minLength ?? 0, '.')
      )
  }
}

function sampleObject(schema: TSchema): Json {
  const owner = schema.$id ?? ''
  const required: readonly string[] = schema.required ?? []
  const out: Json = {}
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>)) {
    const value = told(owner, name)
    if (required.includes(name) || (value !== ABSENT && value !== undefined && Value.Check(member, value)))
      out[name] = sample(member, name, owner)
  }
  return out
}

/** An example request: what is required, or one member to change where nothing is. */
export function sampleBody(schema: TSchema): unknown {
  if (Array.isArray(schema.anyOf)) return sampleBody(schema.anyOf[0] as TSchema)
  const members = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  const required: readonly string[] = schema.required ?? []
  const shown = required.length > 0 ? members.filter(([name]) => required.includes(name)) : members.slice(0, 1)
  return Object.fromEntries(shown.map(([name, member]) => [name, sample(member, name)]))
}
