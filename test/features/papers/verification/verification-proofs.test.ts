// Proofs of property: seven statuses, every action, every role; and what nobody does to a case of their own.
import { describe, expect, test } from 'bun:test'
import {
  VERIFICATION_STATUS,
  type VerificationAction,
  type VerificationStatus,
  verificationMoves,
} from '../../../../src/features/papers/verification/rules.ts'
import { createTestApp, type TestApp, uuid } from '../../../support/app.ts'
import { PDF, upload } from '../../../support/files.ts'
import { traces } from '../../../support/world.ts'

const [TOM, ANA, EVE, MIA, ADA, BEA] = [
  'TENANT.tom',
  'OWNER.ana',
  'OWNER.eve',
  'MANAGER.mia',
  'ADMIN.ada',
  'ADMIN.bea',
] as const
const NOTE = { note: 'Illisible' }
const WAYS: Record<VerificationStatus, VerificationAction[]> = {
  DRAFT: [],
  SUBMITTED: ['submit'],
  UNDER_REVIEW: ['submit', 'start-review'],
  MORE_INFO_REQUESTED: ['submit', 'start-review', 'request-info'],
  APPROVED: ['submit', 'start-review', 'approve'],
  REJECTED: ['submit', 'start-review', 'reject'],
  REVOKED: ['submit', 'start-review', 'approve', 'revoke'],
}
const ACTIONS = Object.keys(verificationMoves) as VerificationAction[]

const act = (t: TestApp, who: string, id: string, action: string) =>
  action === 'submit'
    ? t.call(who, `POST /api/v1/verification/property-proofs/${id}/submit`, {})
    : t.call(who, `POST /api/v1/admin/verification/${id}/${action}`, NOTE)

/** A proof of a property of somebody's, with its paper, brought to a status by ADMIN Bea. */
async function proofOf(t: TestApp, who: string, status: VerificationStatus): Promise<string> {
  for (const one of [TOM, ANA, EVE, MIA, ADA, BEA]) await t.call(one, 'GET /api/v1/me')
  const place = { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }
  const { body: property } = await t.call(who, 'POST /api/v1/properties', place)
  const { body } = await t.call(who, 'POST /api/v1/verification/property-proofs', { propertyId: property.id })
  const id = String(body.id)
  const ownerId = uuid(`${who.split('.')[1]}~organization`)
  const about = { ownerType: 'VERIFICATION', ownerId, kind: 'DOCUMENT', contentType: 'application/pdf' }
  const paper = await upload(t, who, about, PDF)
  await t.call(who, `POST /api/v1/verification/property-proofs/${id}/documents`, {
    mediaObjectId: paper.body.id,
    role: 'PROOF_OF_OWNERSHIP',
  })
  for (const step of WAYS[status]) {
    const { status: answered, text } = await act(t, step === 'submit' ? who : BEA, id, step)
    if (answered !== 200) throw new Error(`${step}: ${text}`)
  }
  await t.work()
  return id
}

/** Who may do what at all; whether the status takes it is asked afterwards. */
const REFUSED: Record<string, (action: VerificationAction) => number | undefined> = {
  [TOM]: () => 403,
  [EVE]: (action) => (action === 'submit' ? 404 : 403),
  [ANA]: (action) => (action === 'submit' ? undefined : 403),
  [MIA]: (action) => (action === 'submit' ? undefined : 403),
  [BEA]: () => undefined,
}

describe.each(VERIFICATION_STATUS.map((status) => [status]))('a proof that is %s', (status) => {
  test.each(ACTIONS.map((action) => [action]))('%s, by every role', async (action) => {
    const { from, to } = verificationMoves[action]
    for (const [who, refusal] of Object.entries(REFUSED)) {
      const t = createTestApp()
      const id = await proofOf(t, ANA, status)
      const before = traces(t)
      const { status: answered, body } = await act(t, who, id, action)
      const moved = refusal(action) === undefined && from.includes(status)
      const expected = refusal(action) ?? (moved || status === to ? 200 : 409)
      expect([who, answered]).toEqual([who, expected])
      if (expected === 200) expect(body.status).toBe(to)
      if (expected === 409) expect(body).toMatchObject({ code: 'invalid_state', currentStatus: status })
      if (!moved) expect(traces(t)).toBe(before)
    }
  })

  test('an ADMIN reviews none of their own', async () => {
    const t = createTestApp()
    const id = await proofOf(t, ADA, status)
    for (const action of ACTIONS.filter((name) => name !== 'submit')) {
      const before = traces(t)
      const { status: answered, body } = await act(t, ADA, id, action)
      expect([action, answered, body.code]).toEqual([action, 409, 'self_review'])
      expect(traces(t)).toBe(before)
    }
  })
})

describe('four eyes: who had a hand in a case does not decide it', () => {
  const open = async (t: TestApp) => {
    const id = await proofOf(t, ANA, 'DRAFT')
    const about = { ownerType: 'VERIFICATION', ownerId: uuid('ada~organization'), kind: 'DOCUMENT' }
    const paper = await upload(t, ADA, { ...about, contentType: 'application/pdf' }, PDF)
    return { id, attach: { mediaObjectId: paper.body.id, role: 'ATTESTATION' } }
  }
  test.each([
    ['an ADMIN who attached a paper', true, false],
    ['an ADMIN who handed it in', false, true],
    ['an ADMIN who did both', true, true],
  ])('%s', async (_name, attaches, submits) => {
    const t = createTestApp()
    const { id, attach } = await open(t)
    const documents = `POST /api/v1/verification/property-proofs/${id}/documents`
    if (attaches) expect((await t.call(ADA, documents, attach)).status).toBe(200)
    expect((await act(t, submits ? ADA : ANA, id, 'submit')).status).toBe(200)
    for (const action of ['start-review', 'approve', 'reject', 'request-info', 'revoke']) {
      const before = traces(t)
      const { status, body } = await act(t, ADA, id, action)
      expect([action, status, body.code]).toEqual([action, 409, 'self_review'])
      expect(traces(t)).toBe(before)
    }
    expect((await act(t, BEA, id, 'start-review')).status).toBe(200)
    // Taken in hand by another, it is still not theirs.
    expect((await act(t, ADA, id, 'approve')).body.code).toBe('self_review')
    const { body } = await act(t, BEA, id, 'approve')
    expect(body.status).toBe('APPROVED')
    expect(body).not.toHaveProperty('submittedBy')
  })
})

test.each([
  [['PROOF_OF_OWNERSHIP'], 200],
  [['OWNER_MANDATE', 'OWNER_ID'], 200],
  [['PROOF_OF_OWNERSHIP', 'OWNER_MANDATE'], 200],
  [['OWNER_MANDATE'], 422],
  [['OWNER_MANDATE', 'SELF_ID'], 422],
  [['OWNER_ID'], 422],
  [['ATTESTATION', 'OTHER'], 422],
  [[], 422],
])('of a property, %p are handed in: %d', async (roles, expected) => {
  const t = createTestApp()
  await t.call(ANA, 'GET /api/v1/me')
  const place = { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }
  const { body: property } = await t.call(ANA, 'POST /api/v1/properties', place)
  const { body } = await t.call(ANA, 'POST /api/v1/verification/property-proofs', { propertyId: property.id })
  const about = { ownerType: 'VERIFICATION', ownerId: uuid('ana~organization'), kind: 'DOCUMENT' }
  for (const role of roles) {
    const paper = await upload(t, ANA, { ...about, contentType: 'application/pdf' }, PDF)
    const attach = { mediaObjectId: paper.body.id, role }
    const path = `POST /api/v1/verification/property-proofs/${body.id}/documents`
    expect((await t.call(ANA, path, attach)).status).toBe(200)
  }
  const before = traces(t)
  const submitted = await act(t, ANA, String(body.id), 'submit')
  expect([submitted.status, submitted.body.code]).toEqual([
    expected,
    expected === 200 ? undefined : 'documents_missing',
  ])
  if (expected !== 200) expect(traces(t)).toBe(before)
})
