// Papers of people that nobody needs any more: gone half a year after the last change, and no others.
import { expect, test } from 'bun:test'
import { forgetLapsedCases } from '../../../../src/features/papers/verification/jobs.ts'
import { createTestApp, uuid } from '../../../support/app.ts'
import { PDF, upload } from '../../../support/files.ts'
import { contents } from '../../../support/folder.ts'

const ADA = 'ADMIN.ada'
const WAYS = {
  DRAFT: [],
  SUBMITTED: ['submit'],
  UNDER_REVIEW: ['submit', 'start-review'],
  MORE_INFO_REQUESTED: ['submit', 'start-review', 'request-info'],
  APPROVED: ['submit', 'start-review', 'approve'],
  REJECTED: ['submit', 'start-review', 'reject'],
  REVOKED: ['submit', 'start-review', 'approve', 'revoke'],
} as const

/** One person for each status, with a case brought there and one paper. */
async function start() {
  const t = createTestApp()
  await t.call(ADA, 'GET /api/v1/me')
  const cases: Record<string, string> = {}
  for (const [status, steps] of Object.entries(WAYS)) {
    const name = status.toLowerCase().replaceAll('_', '')
    const who = `OWNER.${name}`
    await t.call(who, 'GET /api/v1/me')
    const id = String((await t.call(who, 'POST /api/v1/verification/kyc', {})).body.id)
    const paper = { ownerType: 'VERIFICATION', ownerId: uuid(`${name}~organization`), kind: 'DOCUMENT' }
    const file = await upload(t, who, { ...paper, contentType: 'application/pdf' }, PDF)
    const attached = { mediaObjectId: file.body.id, role: 'SELF_ID' }
    await t.call(who, `POST /api/v1/verification/kyc/${id}/documents`, attached)
    for (const step of steps)
      if (step === 'submit') await t.call(who, `POST /api/v1/verification/kyc/${id}/submit`, {})
      else await t.call(ADA, `POST /api/v1/admin/verification/${id}/${step}`, { note: 'Illisible' })
    cases[status] = id
  }
  await t.work()
  const left = () =>
    Object.entries(cases).flatMap(([status, id]) => {
      const [row] = t.rows('select status, review_note note from verification_case where id = ?', id)
      const papers = t.rows('select 1 from verification_document where case_id = ?', id).length
      return row ? [`${status} ${papers}`] : []
    })
  return { t, left }
}

test('cases that came to nothing lose their papers after half a year, the others keep theirs', async () => {
  const { t, left } = await start()
  const all = Object.keys(WAYS).map((status) => `${status} 1`)
  t.advance(183)
  await forgetLapsedCases(t.deps)
  expect(left()).toEqual(all)
  t.advance(1)
  const entries = t.rows('select id from audit_entry').length
  await forgetLapsedCases(t.deps)
  await t.work()
  expect(left()).toEqual(['SUBMITTED 1', 'UNDER_REVIEW 1', 'APPROVED 1', 'REJECTED 0', 'REVOKED 1'])
  expect(t.rows("select review_note n from verification_case where status = 'REJECTED'")).toEqual([{ n: null }])
  expect(t.rows('select count(*) n from media_object')).toEqual([{ n: 4 }])
  expect(Object.keys(contents(t.mediaFolder))).toHaveLength(4)
  expect(
    t
      .rows('select action a from audit_entry order by rowid limit -1 offset ?', entries)
      .map(({ a }) => a)
      .sort(),
  ).toEqual([
    'media.delete',
    'media.delete',
    'media.delete',
    'verification.forget',
    'verification.forget',
    'verification.forget',
  ])
  // And it is done: nothing more happens, now or half a year later.
  const version = t.store.orgVersion(uuid('organization'))
  await forgetLapsedCases(t.deps)
  t.advance(400)
  await forgetLapsedCases(t.deps)
  expect(t.store.orgVersion(uuid('organization'))).toBe(version)
})

test('what is taken up again in time stays', async () => {
  const { t, left } = await start()
  t.advance(182)
  const id = String(t.rows("select id from verification_case where status = 'MORE_INFO_REQUESTED'")[0]?.id)
  await t.call('OWNER.moreinforequested', `POST /api/v1/verification/kyc/${id}/submit`, {})
  t.advance(5)
  await forgetLapsedCases(t.deps)
  expect(left()).toContain('MORE_INFO_REQUESTED 1')
})

test('one case that fails holds up no other', async () => {
  const { t, left } = await start()
  const id = String(t.rows("select id from verification_case where status = 'DRAFT'")[0]?.id)
  t.store.client.exec(
    `create trigger broken before delete on verification_document when old.case_id = '${id}' begin select raise(abort, 'broken'); end`,
  )
  t.advance(184)
  const told: string[] = []
  await forgetLapsedCases({ ...t.deps, log: { ...t.log, error: (event: string) => void told.push(event) } })
  expect(told).toEqual(['verification.lapse_failed'])
  expect(left()).toEqual(['DRAFT 1', 'SUBMITTED 1', 'UNDER_REVIEW 1', 'APPROVED 1', 'REJECTED 0', 'REVOKED 1'])
})
