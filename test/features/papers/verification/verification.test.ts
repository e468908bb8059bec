// Identity checks and proofs of ownership: every move by every role, the papers, and who is told.
import { describe, expect, test } from 'bun:test'
import { remindOfExpiries } from '../../../../src/features/papers/verification/jobs.ts'
import {
  VERIFICATION_STATUS,
  type VerificationStatus,
  verificationMoves,
} from '../../../../src/features/papers/verification/rules.ts'
import { type Answer, createTestApp, type TestApp, uuid } from '../../../support/app.ts'
import { PDF, upload } from '../../../support/files.ts'
import { traces } from '../../../support/world.ts'

const ANA = 'OWNER.ana'
const EVE = 'OWNER.eve'
const MIA = 'MANAGER.mia'
const ADA = 'ADMIN.ada'
const BEA = 'ADMIN.bea'
const TOM = 'TENANT.tom'
const idOf = (who: string): string => uuid(`${who.split('.')[1]}~organization`)
const OLIS = {
  ownerType: 'VERIFICATION',
  ownerId: uuid('oli~elsewhere'),
  kind: 'DOCUMENT',
  contentType: 'application/pdf',
}
const NOTE = { note: 'Illisible' }

async function start() {
  const t = createTestApp()
  for (const who of [ANA, EVE, MIA, ADA, BEA, TOM]) await t.call(who, 'GET /api/v1/me')
  const made = await t.call(ANA, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' })
  await t.call(ANA, `POST /api/v1/properties/${made.body.id}/units`, { label: 'A1' })
  return { t, property: String(made.body.id) }
}
const file = async (t: TestApp, who: string, ownerType = 'VERIFICATION'): Promise<string> =>
  String(
    (await upload(t, who, { ownerType, ownerId: idOf(who), kind: 'DOCUMENT', contentType: 'application/pdf' }, PDF))
      .body.id,
  )

/** A KYC case of someone, brought to a status. */
async function kyc(t: TestApp, who: string, status: VerificationStatus, more: object = {}): Promise<string> {
  const { body } = await t.call(who, 'POST /api/v1/verification/kyc')
  const id = String(body.id)
  await t.call(who, `POST /api/v1/verification/kyc/${id}/documents`, {
    mediaObjectId: await file(t, who),
    role: 'SELF_ID',
    ...more,
  })
  const ways: Record<VerificationStatus, string[]> = {
    DRAFT: [],
    SUBMITTED: ['submit'],
    UNDER_REVIEW: ['submit', 'start-review'],
    MORE_INFO_REQUESTED: ['submit', 'start-review', 'request-info'],
    APPROVED: ['submit', 'start-review', 'approve'],
    REJECTED: ['submit', 'start-review', 'reject'],
    REVOKED: ['submit', 'start-review', 'approve', 'revoke'],
  }
  for (const step of ways[status]) {
    const done =
      step === 'submit'
        ? await t.call(who, `POST /api/v1/verification/kyc/${id}/submit`)
        : await t.call(ADA, `POST /api/v1/admin/verification/${id}/${step}`, NOTE)
    if (done.status !== 200) throw new Error(`${step}: ${done.text}`)
  }
  return id
}

const ACTIONS = Object.keys(verificationMoves) as (keyof typeof verificationMoves)[]
const move = (t: TestApp, who: string, id: string, action: string): Promise<Answer> =>
  t.call(
    who,
    action === 'submit'
      ? `POST /api/v1/verification/kyc/${id}/submit`
      : `POST /api/v1/admin/verification/${id}/${action}`,
    action === 'submit' ? {} : NOTE,
  )

describe('every action in every status by every role', () => {
  for (const status of VERIFICATION_STATUS)
    test(status, async () => {
      for (const action of ACTIONS) {
        const { t } = await start()
        const id = await kyc(t, ANA, status)
        await t.work()
        const { from, to } = verificationMoves[action]
        const allowed = from.includes(status)
        const subject = action === 'submit'
        for (const who of [TOM, EVE, MIA, ANA, ADA]) {
          const mine = subject ? who === ANA : who === ADA
          if (mine) continue
          const before = traces(t)
          const answer = await move(t, who, id, action)
          expect([who, action, answer.status]).toEqual([who, action, subject ? 404 : 403])
          expect(traces(t)).toBe(before)
        }
        const before = traces(t)
        const who = subject ? ANA : BEA
        const answer = await move(t, who, id, action)
        if (allowed) {
          expect([action, answer.status, answer.body.status]).toEqual([action, 200, to])
          const once = traces(t)
          expect((await move(t, who, id, action)).body).toEqual(answer.body)
          expect(traces(t)).toBe(once)
        } else {
          const kept = status === to
          expect([action, answer.status, kept || answer.body.currentStatus]).toEqual([
            action,
            kept ? 200 : 409,
            kept || status,
          ])
          expect(traces(t)).toBe(before)
        }
      }
    })
})

test('the whole way, with what is written and said on it', async () => {
  const { t } = await start()
  const id = await kyc(t, ANA, 'UNDER_REVIEW')
  const read = (await t.call(ADA, `GET /api/v1/admin/verification/${id}`)).body
  expect(read).toMatchObject({
    kind: 'OWNER_KYC',
    subjectUserId: idOf(ANA),
    assignedTo: idOf(ADA),
    status: 'UNDER_REVIEW',
  })
  expect((await t.call(BEA, `POST /api/v1/admin/verification/${id}/request-info`)).body.errors).toMatchObject([
    { path: '/note' },
  ])
  await t.call(BEA, `POST /api/v1/admin/verification/${id}/request-info`, NOTE)
  await t.call(ANA, `POST /api/v1/verification/kyc/${id}/submit`)
  await t.call(ADA, `POST /api/v1/admin/verification/${id}/start-review`)
  const done = await t.call(ADA, `POST /api/v1/admin/verification/${id}/approve`)
  expect(done.body).toMatchObject({ status: 'APPROVED', reviewedBy: idOf(ADA) })
  expect(done.body.reviewNote).toBeUndefined()
  await t.call(ADA, `POST /api/v1/admin/verification/${id}/revoke`, { note: 'Faux' })
  await t.work()
  await t.work()
  expect(t.sent.map(({ text }) => text)).toEqual([
    'Votre vérification d’identité est incomplète\u00a0: «\u00a0Illisible\u00a0» (Loyer)',
    'Votre vérification d’identité est approuvée. (Loyer)',
    'L’approbation de votre vérification d’identité est retirée\u00a0: «\u00a0Faux\u00a0» (Loyer)',
  ])
  const actions = t.rows("select action from audit_entry where subject_type = 'verification' order by id")
  expect(actions.map(({ action }) => String(action).slice('verification.'.length))).toEqual(
    'create attach submit start-review request-info submit start-review approve revoke'.split(' '),
  )
  expect((await t.call<unknown[]>(ANA, 'GET /api/v1/verification/kyc/mine')).body).toHaveLength(1)
  expect((await t.call<unknown[]>(ADA, 'GET /api/v1/verification/kyc/mine')).body).toEqual([])
  const queue = await t.call<unknown[]>(
    ADA,
    `GET /api/v1/admin/verification?status=REVOKED&kind=OWNER_KYC&assignedTo=${idOf(ADA)}`,
  )
  expect(queue.body).toHaveLength(1)
})

test('nobody reviews their own, and one case is open at a time', async () => {
  const { t, property } = await start()
  const id = await kyc(t, ADA, 'SUBMITTED')
  expect((await t.call(ADA, `POST /api/v1/admin/verification/${id}/start-review`)).body.code).toBe('self_review')
  expect((await t.call(ADA, 'POST /api/v1/verification/kyc')).body.code).toBe('duplicate')
  await t.call(BEA, `POST /api/v1/admin/verification/${id}/start-review`)
  expect((await t.call(ADA, `POST /api/v1/admin/verification/${id}/approve`)).body.code).toBe('self_review')
  await t.call(BEA, `POST /api/v1/admin/verification/${id}/reject`, NOTE)
  expect((await t.call(ADA, 'POST /api/v1/verification/kyc')).status).toBe(201)
  const open = (who: string) => t.call(who, 'POST /api/v1/verification/property-proofs', { propertyId: property })
  const both = await Promise.all([open(ANA), open(MIA)])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  expect((await open(EVE)).status).toBe(404)
  expect((await open(TOM)).status).toBe(403)
})

test("papers are the caller's own files, uploaded for it, once and in time", async () => {
  const { t, property } = await start()
  const id = await kyc(t, ANA, 'DRAFT')
  const attach = (mediaObjectId: string, more: object = {}) =>
    t.call(ANA, `POST /api/v1/verification/kyc/${id}/documents`, { mediaObjectId, role: 'OTHER', ...more })
  const pending = await t.call(ANA, 'POST /api/v1/media', {
    ownerType: 'VERIFICATION',
    ownerId: idOf(ANA),
    kind: 'DOCUMENT',
    filename: 'f',
    contentType: 'application/pdf',
    sizeBytes: 9,
  })
  const elsewhere = await upload(t, 'OWNER.oli~elsewhere', OLIS, PDF)
  expect(elsewhere.status).toBe(200)
  for (const other of [
    await file(t, EVE),
    await file(t, ADA),
    String(elsewhere.body.id),
    await file(t, ANA, 'USER'),
    String(pending.body.id),
    uuid('nothing'),
  ])
    expect((await attach(other)).status).toBe(404)
  const mine = await file(t, ANA)
  expect((await attach(mine, { certifiedOn: '2026-03-11' })).status).toBe(422)
  expect((await attach(mine, { certifiedOn: '2026-03-01', expiresOn: '2026-02-01' })).status).toBe(422)
  expect((await attach(mine, { role: 'SELFIE' })).status).toBe(422)
  expect((await attach(mine)).status).toBe(200)
  expect((await attach(mine)).body.code).toBe('duplicate')
  const proof = await t.call(ANA, 'POST /api/v1/verification/property-proofs', { propertyId: property })
  const path = `POST /api/v1/verification/property-proofs/${proof.body.id}`
  expect((await t.call(ANA, `${path}/documents`, { mediaObjectId: mine, role: 'OTHER' })).body.code).toBe('duplicate')
  expect((await t.call(ANA, `DELETE /api/v1/media/${mine}`)).body.code).toBe('invalid_state')
  await t.call(ANA, `POST /api/v1/verification/kyc/${id}/submit`)
  expect((await attach(await file(t, ANA))).body.code).toBe('invalid_state')
  expect((await t.call(ANA, `${path}/submit`)).body.code).toBe('documents_missing')
  const add = async (role: string) =>
    (await t.call(ANA, `${path}/documents`, { mediaObjectId: await file(t, ANA), role })).body.proofType
  expect(await add('OWNER_ID')).toBe('OWNERSHIP')
  expect((await t.call(ANA, `${path}/submit`)).body.code).toBe('documents_missing')
  expect(await add('OWNER_MANDATE')).toBe('MANDATE')
  expect((await t.call(ANA, `${path}/submit`)).status).toBe(200)
})

test('papers are seen by their subject, and by an ADMIN while under review: each look leaves a trace', async () => {
  const { t } = await start()
  const id = await kyc(t, ANA, 'SUBMITTED')
  const paper = String(t.rows('select media_object_id as id from verification_document')[0]?.id)
  const look = async () => {
    const found: string[] = []
    for (const who of [ANA, EVE, MIA, ADA, TOM, 'ADMIN.bob~elsewhere'])
      if ((await t.call(who, `GET /api/v1/media/${paper}/download-url`)).status === 200) found.push(who)
    return found
  }
  const views = () =>
    t.rows("select actor_user_id as who from audit_entry where action = 'media.view' order by id").map(({ who }) => who)
  expect(await look()).toEqual([ANA])
  await t.call(ADA, `POST /api/v1/admin/verification/${id}/start-review`)
  expect(await look()).toEqual([ANA, ADA])
  expect((await t.call(ADA, `DELETE /api/v1/media/${paper}`)).status).toBe(403)
  await t.call(ADA, `POST /api/v1/admin/verification/${id}/approve`)
  expect(await look()).toEqual([ANA])
  expect(views()).toEqual([ANA, ANA, ADA, ANA].map(idOf))
  const { body } = await t.call(ANA, `GET /api/v1/media/${paper}/download-url`)
  const exp = Number(/exp=(\d+)/.exec(String(body.url))?.[1])
  expect(exp * 1000 - t.time.now).toBe(60_000)
})

test('an organization may ask for an approved proof before publishing', async () => {
  const { t, property } = await start()
  await t.call(ADA, 'PATCH /api/v1/admin/organization', { requireProof: true })
  const publish = () => t.call(ANA, `POST /api/v1/properties/${property}/publish`)
  expect((await publish()).body.code).toBe('proof_required')
  const { body } = await t.call(ANA, 'POST /api/v1/verification/property-proofs', { propertyId: property })
  const own = `POST /api/v1/verification/property-proofs/${body.id}`
  await t.call(ANA, `${own}/documents`, { mediaObjectId: await file(t, ANA), role: 'PROOF_OF_OWNERSHIP' })
  await t.call(ANA, `${own}/submit`)
  for (const action of ['start-review', 'approve']) {
    expect((await publish()).body.code).toBe('proof_required')
    await t.call(ADA, `POST /api/v1/admin/verification/${body.id}/${action}`)
  }
  expect((await publish()).body.status).toBe('PUBLISHED')
  const seen = async (who: string) =>
    (await t.call<unknown[]>(who, 'GET /api/v1/verification/property-proofs')).body.length
  expect([await seen(ANA), await seen(EVE), await seen(MIA), await seen(ADA)]).toEqual([1, 0, 1, 1])
  expect((await t.call(EVE, `GET /api/v1/verification/property-proofs/${body.id}`)).status).toBe(404)
})

test('the subject is reminded 30 and 7 days before a paper expires, and on the day; once each', async () => {
  const { t } = await start()
  await kyc(t, ANA, 'APPROVED', { expiresOn: '2026-06-01' })
  await t.work()
  t.sent.length = 0
  const dates: string[] = []
  for (let day = 0; day < 90; day++) {
    await remindOfExpiries(t.deps)
    await t.work()
    if (t.sent.length > dates.length) dates.push(new Date(t.time.now).toISOString().slice(0, 10))
    t.advance(1)
  }
  expect(dates).toEqual(['2026-05-02', '2026-05-25', '2026-06-01'])
  expect(t.sent[0]?.text).toBe(
    'Une pièce de votre vérification d’identité expire le 1er juin 2026. Pensez à la renouveler. (Loyer)',
  )
})
