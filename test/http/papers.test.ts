// A paper under review: the subject's, and the reviewers' of the same organization; nobody else's, whatever their role.
import { beforeAll, describe, expect, test } from 'bun:test'
import { traces, worldApp } from '../support/world.ts'

const { t, w, other } = await worldApp(['organization', 'other'])
const pdf = `%PDF-1.4\n${'x'.repeat(80)}\n%%EOF\n`
const paths: Record<'paper' | 'link' | 'case' | 'kyc', string> = { paper: '', link: '', case: '', kyc: '' }

beforeAll(async () => {
  const { body } = await t.call<{ id: string; upload: { url: string } }>(w.as.tia, 'POST /api/v1/media', {
    ownerType: 'VERIFICATION',
    ownerId: w.userIds.tia,
    kind: 'DOCUMENT',
    filename: 'cni.pdf',
    contentType: 'application/pdf',
    sizeBytes: pdf.length,
  })
  const { pathname, search } = new URL(body.upload.url)
  const upload = new Request(`http://localhost${pathname}${search}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/pdf' },
    body: pdf,
  })
  expect((await t.app.handle(upload)).status).toBeLessThan(300)
  const kyc = `/api/v1/verification/kyc/${w.kyc.tia}`
  const steps: [as: string, line: string, body?: object][] = [
    [w.as.tia, `POST /api/v1/media/${body.id}/complete`],
    [w.as.tia, `POST ${kyc}/documents`, { mediaObjectId: body.id, role: 'SELF_ID' }],
    [w.as.tia, `POST ${kyc}/submit`],
    [w.as.ada, `POST /api/v1/admin/verification/${w.kyc.tia}/start-review`],
  ]
  for (const [as, line, given] of steps) expect([line, (await t.call(as, line, given)).status]).toEqual([line, 200])
  const paper = `/api/v1/media/${body.id}`
  Object.assign(paths, { paper, link: `${paper}/download-url`, case: `/api/v1/admin/verification/${w.kyc.tia}`, kyc })
})

type Name = keyof typeof w.as
const rows: [door: keyof typeof paths, mine: Partial<Record<Name, number>>][] = [
  ['paper', { tia: 200, ada: 200 }],
  ['link', { tia: 200, ada: 200 }],
  ['case', { ada: 200, tom: 403, tia: 403, ana: 403, eve: 403, mia: 403 }],
  ['kyc', { tia: 200 }],
]
describe.each(rows)('%s', (door, mine) => {
  test.each(Object.keys(w.as) as Name[])('as %s', async (name) => {
    expect((await t.call(w.as[name], `GET ${paths[door]}`)).status).toBe(mine[name] ?? 404)
  })
  test.each(Object.keys(other.as) as Name[])('as %s of another organization', async (name) => {
    const before = traces(t)
    expect((await t.call(other.as[name], `GET ${paths[door]}`)).status).toBe(mine[name] === 403 ? 403 : 404)
    expect(traces(t)).toBe(before)
  })
})

test('each look of a reviewer leaves a trace', async () => {
  const looks = () =>
    t.rows("select 1 from audit_entry where action = 'media.view' and actor_user_id = ?", w.userIds.ada).length
  const before = looks()
  await t.call(w.as.ada, `GET ${paths.link}`)
  expect(looks()).toBe(before + 1)
})
