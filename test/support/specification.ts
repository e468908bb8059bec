// The resources of the interface specification, member by member, to hold answers against.
const ROLES = ['TENANT', 'OWNER', 'MANAGER', 'ADMIN']

type Is = (value: unknown) => boolean
const matches =
  (pattern: RegExp): Is =>
  (v) =>
    typeof v === 'string' && pattern.test(v)
const string: Is = (v) => typeof v === 'string' && v !== ''
const number: Is = (v) => typeof v === 'number'
const integer: Is = Number.isSafeInteger
const boolean: Is = (v) => typeof v === 'boolean'
const uuid = matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const date = matches(/^\d{4}-\d\d-\d\d$/)
const dateTime = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const oneOf =
  (...words: string[]): Is =>
  (v) =>
    words.includes(v as string)
const arrayOf =
  (is: Is): Is =>
  (v) =>
    Array.isArray(v) && v.every(is)
const amount: Is = (v) => Number.isSafeInteger(v) && Number(v) >= 0

const VerificationDocument = {
  id: uuid,
  mediaObjectId: uuid,
  role: oneOf('SELF_ID', 'PROOF_OF_OWNERSHIP', 'ATTESTATION', 'OWNER_MANDATE', 'OWNER_ID', 'OTHER'),
  documentType: oneOf('NATIONAL_ID', 'PASSPORT', 'RESIDENCE_PERMIT', 'DRIVER_LICENSE'),
  certifyingAuthority: oneOf('POLICE', 'MAIRIE', 'NOTARY', 'NONE'),
  certificateRef: string,
  certifiedOn: date,
  expiresOn: date,
}

const RESOURCES = {
  Property: {
    id: uuid,
    orgId: uuid,
    ownerUserId: uuid,
    name: string,
    addressLine: string,
    city: string,
    province: string,
    quartier: string,
    latitude: number,
    longitude: number,
    amenities: arrayOf(string),
    createdAt: dateTime,
    status: oneOf('DRAFT', 'PUBLISHED', 'ARCHIVED'),
    type: oneOf('APARTMENT', 'STUDIO', 'HOUSE', 'VILLA', 'OFFICE', 'COMMERCIAL', 'LAND'),
  },
  Unit: {
    id: uuid,
    propertyId: uuid,
    label: string,
    areaSqm: number,
    bedrooms: integer,
    bathrooms: integer,
    rentAmount: amount,
    rentCurrency: oneOf('XAF'),
    status: oneOf('AVAILABLE', 'RESERVED', 'OCCUPIED', 'MAINTENANCE', 'ARCHIVED'),
  },
  Booking: {
    id: uuid,
    orgId: uuid,
    unitId: uuid,
    tenantUserId: uuid,
    startDate: date,
    endDate: date,
    rentAmount: amount,
    rentCurrency: oneOf('XAF'),
    depositAmount: amount,
    depositCurrency: oneOf('XAF'),
    status: oneOf('DRAFT', 'PENDING', 'ACTIVE', 'CANCELLED', 'TERMINATED'),
    createdAt: dateTime,
    activatedAt: dateTime,
    terminatedAt: dateTime,
  },
  Invoice: {
    id: uuid,
    orgId: uuid,
    bookingId: uuid,
    tenantUserId: uuid,
    currency: oneOf('XAF'),
    periodStart: date,
    periodEnd: date,
    dueDate: date,
    grossAmount: amount,
    netAmount: amount,
    tvaAmount: amount,
    tvaBasisPoints: amount,
    status: oneOf('ISSUED', 'OVERDUE', 'PAID', 'CANCELLED'),
    createdAt: dateTime,
    paidAt: dateTime,
  },
  'Media object': {
    id: uuid,
    orgId: uuid,
    ownerId: uuid,
    ownerType: oneOf('PROPERTY', 'UNIT', 'VERIFICATION', 'USER'),
    ownerUserId: uuid,
    kind: oneOf('PHOTO', 'DOCUMENT'),
    filename: string,
    contentType: string,
    sizeBytes: integer,
    status: oneOf('PENDING', 'AVAILABLE'),
    createdAt: dateTime,
  },
  'Download link': { url: matches(/^http:\/\/\S+$/) },
  Verification: {
    id: uuid,
    orgId: uuid,
    kind: oneOf('OWNER_KYC', 'PROPERTY_PROOF'),
    proofType: oneOf('OWNERSHIP', 'MANDATE'),
    propertyId: uuid,
    subjectUserId: uuid,
    status: oneOf(...['DRAFT', 'SUBMITTED', 'UNDER_REVIEW', 'MORE_INFO_REQUESTED', 'APPROVED', 'REJECTED', 'REVOKED']),
    assignedTo: string,
    reviewedBy: string,
    reviewNote: string,
    createdAt: dateTime,
    submittedAt: dateTime,
    reviewedAt: dateTime,
    documents: arrayOf((v) => broken(VerificationDocument, ['id', 'mediaObjectId', 'role'], v).length === 0),
  },
  'Current user': {
    id: uuid,
    subject: string,
    username: string,
    email: string,
    phoneNumber: matches(/^\+[1-9]\d{6,14}$/),
    phoneVerified: boolean,
    orgId: uuid,
    roles: arrayOf(oneOf(...ROLES)),
  },
  'Phone challenge': {
    challengeId: string,
    channel: oneOf('WHATSAPP', 'SMS'),
    expiresAt: dateTime,
    maskedDestination: matches(/^\+\d{1,3}•+\d\d$/),
  },
  Registered: { userId: string, username: string },
} satisfies Record<string, Record<string, Is>>
export type Resource = keyof typeof RESOURCES

function broken(members: Record<string, Is>, required: readonly string[], value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['is no object']
  const found = value as Record<string, unknown>
  return [
    ...required.filter((name) => !(name in found)).map((name) => `${name} is missing`),
    ...Object.entries(members)
      .filter(([name, is]) => name in found && !is(found[name]))
      .map(([name]) => `${name} is ${JSON.stringify(found[name])}`),
  ]
}

/** The differences between an answer and the specification; members may be absent only where it allows that. */
export const faultsOf = (resource: Resource, value: unknown, optional: readonly string[] = []): string[] => {
  const members: Record<string, Is> = RESOURCES[resource]
  return broken(
    members,
    Object.keys(members).filter((name) => !optional.includes(name)),
    value,
  )
}
