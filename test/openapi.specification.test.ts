// What interface.md fixes, as tables, against the OpenAPI document.
import { expect, test } from 'bun:test'
import { document, type Json, resolved } from './support/documented.ts'

type Row = [line: string, request: string, status: number, answer: string]
/** The endpoints of the specification: request members, success status, and the schema that is answered. */
const TABLE: Row[] = [
  ['POST /api/v1/properties', 'name addressLine amenities city latitude longitude province quartier', 201, 'Property'],
  ['GET /api/v1/properties', '', 200, 'Property[]'],
  ['POST /api/v1/properties/{id}/archive', '', 200, 'Property'],
  ['GET /api/v1/properties/{id}/units', '', 200, 'Unit[]'],
  ['POST /api/v1/bookings/{id}/terminate', '', 200, 'Booking'],
  ['GET /api/v1/invoices', '', 200, 'Invoice[]'],
  ['GET /api/v1/invoices/{id}', '', 200, 'Invoice'],
  ['GET /api/v1/media', '', 200, 'MediaObject[]'],
  ['POST /api/v1/media/{id}/complete', '', 200, 'MediaObject'],
  ['GET /api/v1/media/{id}/download-url', '', 200, '{url}'],
  ['POST /api/v1/verification/property-proofs', 'propertyId', 201, 'Verification'],
  [
    'POST /api/v1/verification/property-proofs/{id}/documents',
    'mediaObjectId role documentType certifyingAuthority certificateRef certifiedOn expiresOn',
    200,
    'Verification',
  ],
  ['POST /api/v1/verification/property-proofs/{id}/submit', '', 200, 'Verification'],
  ['GET /api/v1/verification/kyc/mine', '', 200, 'Verification[]'],
  ['GET /api/v1/admin/verification/{id}', '', 200, 'Verification'],
  ['GET /api/v1/me', '', 200, 'CurrentUser'],
  ['POST /api/v1/account/phone/otp', 'newPhoneNumber', 200, '{challengeId channel expiresAt maskedDestination}'],
  [
    'POST /api/v1/registration/complete',
    'ticket firstName lastName password acceptedTermsVersion acceptedPrivacyVersion email',
    201,
    '{userId username}',
  ],
  ['POST /api/v1/account/password-reset/complete', 'challengeId code newPassword', 204, ''],
  ['POST /webhooks/smsvendor/dlr', '', 200, '*'],
]
/** The resources' members and lists of words, as the specification has them. */
const MEMBERS: Readonly<Record<string, string>> = {
  Property:
    'id orgId ownerUserId name addressLine city province quartier latitude longitude amenities createdAt status=DRAFT|PUBLISHED|ARCHIVED type=APARTMENT|STUDIO|HOUSE|VILLA|OFFICE|COMMERCIAL|LAND',
  Unit: 'id propertyId label areaSqm bedrooms bathrooms rentAmount rentCurrency status=AVAILABLE|RESERVED|OCCUPIED|MAINTENANCE|ARCHIVED',
  Booking:
    'id orgId unitId tenantUserId startDate endDate rentAmount rentCurrency depositAmount depositCurrency status=DRAFT|PENDING|ACTIVE|CANCELLED|TERMINATED createdAt activatedAt terminatedAt',
  Invoice:
    'id orgId bookingId tenantUserId currency periodStart periodEnd dueDate grossAmount netAmount tvaAmount tvaBasisPoints status=ISSUED|OVERDUE|PAID|CANCELLED createdAt paidAt',
  MediaObject:
    'id orgId ownerId ownerType=PROPERTY|UNIT|VERIFICATION|USER ownerUserId kind=PHOTO|DOCUMENT filename contentType sizeBytes status=PENDING|AVAILABLE createdAt',
  Verification:
    'id orgId kind=OWNER_KYC|PROPERTY_PROOF proofType=OWNERSHIP|MANDATE propertyId subjectUserId status=DRAFT|SUBMITTED|UNDER_REVIEW|MORE_INFO_REQUESTED|APPROVED|REJECTED|REVOKED assignedTo reviewedBy reviewNote createdAt submittedAt reviewedAt documents',
  CurrentUser: 'id subject username email phoneNumber phoneVerified orgId roles',
}
function membersOf(schema: Json | undefined): string[] {
  const { properties = {}, oneOf = [] } = resolved(schema ?? {}) as { properties?: Json; oneOf?: Json[] }
  return [...Object.keys(properties), ...oneOf.flatMap(membersOf)]
}

for (const [line, request, status, answer] of TABLE) {
  const [method = '', path = ''] = line.split(' ')
  const operation = document.paths[path]?.[method.toLowerCase()]
  test(`specification: ${line}`, () => {
    if (!operation) throw new Error('there is no such operation')
    const body = operation.requestBody?.content['application/json']?.schema
    for (const name of request.split(' ').filter(Boolean)) expect(membersOf(body)).toContain(name)
    const given = operation.responses[status]
    const schema = given && resolved(given).content?.['application/json']?.schema
    if (answer === '') return expect(given && resolved(given).content).toBeUndefined()
    if (answer.startsWith('{'))
      return expect(membersOf(schema)).toEqual(expect.arrayContaining(answer.slice(1, -1).split(' ')))
    if (answer === '*') return expect(given).toBeDefined()
    const $ref = `#/components/schemas/${answer.replace('[]', '')}`
    return expect(schema).toEqual(answer.endsWith('[]') ? { type: 'array', items: { $ref } } : { $ref })
  })
}

for (const [name, members] of Object.entries(MEMBERS)) {
  const schema = document.components.schemas?.[name]
  test(`specification: members of ${name}`, () => {
    if (!schema) throw new Error('there is no such schema')
    for (const member of members.split(' ')) {
      const [key = '', words] = member.split('=')
      const found = ((schema.properties ?? {}) as Record<string, { $ref?: string; enum?: string[] }>)[key]
      expect([key, found !== undefined]).toEqual([key, true])
      if (words) expect(found && resolved(found).enum).toEqual(words.split('|'))
    }
  })
}
