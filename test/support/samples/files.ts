import { uuid } from '../app.ts'
import { get, type Json, refused, type Sample } from '../sample.ts'
import type { World } from '../world.ts'

/** Files, identity and proofs. */
export function fileSamples(w: World): Sample[] {
  const { properties } = w
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
  const paper = { mediaObjectId: uuid('nobody'), role: 'SELF_ID' }
  return [
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
  ]
}
