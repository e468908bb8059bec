// An inspection that both signed by hand: its scan is kept, and it is signed with it.
import { expect, test } from 'bun:test'
import { makeReady } from '../../../support/contracts.ts'
import { type Json, letting, type Person, phoneOf, type Stage, stage, userId } from '../../../support/scenario.ts'
import { room } from '../../../support/upkeep.ts'

const COPY = 'POST /inspections/{entry}/signed-copy'
const begun = () =>
  stage({
    given: async (s) => {
      await letting({ startDate: '2026-03-01' })(s)
      await s.make('ana', 'POST /inspections', { bookingId: '{lease}', kind: 'ENTRY' }, 'entry')
      await s.make('ana', 'PATCH /inspections/{entry}', { rooms: [room('01a1fc4b', 'Cuisine', { state: 'GOOD' })] })
    },
  })
/** A file of somebody's, as it is once it was uploaded. */
async function file(s: Stage, who: Person, as: string, more: Json = {}): Promise<void> {
  const terms = { ownerType: 'USER', ownerId: userId(who), kind: 'DOCUMENT', contentType: 'application/pdf' }
  await s.make(who, 'POST /media', { ...terms, filename: 'a.pdf', sizeBytes: 100, ...more }, as)
  s.store.client
    .prepare("update media_object set status = 'AVAILABLE', purge_at = null, sha256 = 'ab' where id = ?")
    .run(s.names.get(as))
}
const told = async (s: Stage, who: Person, line: string, body?: Json): Promise<string> => {
  const answer = await s.ask(who, line, body)
  return `${answer.status} ${answer.body.code ?? ''}`.trim()
}

test('the scan signs it, is seen by whoever sees the inspection, and is no photo of the premises', async () => {
  const s = await begun()
  await file(s, 'ana', 'scan')
  await file(s, 'ana', 'other')
  await file(s, 'ana', 'photo', { kind: 'PHOTO', contentType: 'image/jpeg', filename: 'a.jpg' })
  await file(s, 'tom', 'theirs')
  expect(await told(s, 'ana', COPY, { mediaObjectId: '{scan}' })).toBe('409 invalid_state')
  await s.make('ana', 'POST /inspections/{entry}/propose')
  await makeReady(s.t, s.fill('{lease}'), 'INSPECTION')
  expect(await told(s, 'ana', COPY, { mediaObjectId: '{photo}' })).toBe('422 validation_failed')
  expect(await told(s, 'ana', COPY, { mediaObjectId: '{theirs}' })).toBe('404 not_found')
  for (const [who, code] of [
    ['tom', '403 forbidden'],
    ['eve', '404 not_found'],
    ['zoe', '404 not_found'],
  ] as const)
    expect([who, await told(s, who, COPY, { mediaObjectId: '{scan}' })]).toEqual([who, code])
  expect((await s.ask('ana', 'GET /inspections/{entry}')).body).toMatchObject({ status: 'PROPOSED' })

  const done = await s.ask('ana', COPY, { mediaObjectId: '{scan}' })
  expect([done.status, done.body.status, done.body.signedCopyMediaId]).toEqual([200, 'SIGNED', s.names.get('scan')])
  expect((await s.ask('ana', COPY, { mediaObjectId: '{scan}' })).body).toEqual(done.body)
  expect(await told(s, 'ana', COPY, { mediaObjectId: '{other}' })).toBe('409 invalid_state')
  await s.work()
  expect(s.sent.filter(({ purpose }) => purpose === 'inspection_signed').map(({ to }) => to)).toEqual([phoneOf('tom')])
  expect(s.rows("select count(*) n from audit_entry where action = 'inspection.signed_copy'")).toEqual([{ n: 1 }])
  for (const who of ['tom', 'ana', 'mia', 'ada'] as const) {
    expect((await s.ask(who, 'GET /inspections/{entry}')).body.signedCopyMediaId).toBe(s.names.get('scan'))
    expect((await s.ask(who, 'GET /inspections/{entry}/photos')).body as unknown).toEqual([])
    expect([who, await told(s, who, 'GET /media/{scan}/download-url')]).toEqual([who, '200'])
  }
  for (const who of ['tia', 'eve', 'zoe'] as const)
    expect([who, await told(s, who, 'GET /media/{scan}/download-url')]).toEqual([who, '404 not_found'])
  // Kept with the inspection, and the paper that it is of is no draft any more.
  expect(await told(s, 'ana', 'DELETE /media/{scan}')).toBe('409 invalid_state')
  const [paper] = (await s.ask('ana', 'GET /documents?kind=INSPECTION')).body as unknown as Json[]
  expect(paper?.signedCopyMediaId).toBe(s.names.get('scan'))
  const page = await s.t.app.handle(new Request(`http://localhost/verify/${paper?.verificationCode}`))
  const text = await page.text()
  expect(text).toContain('<dd>Valable</dd>')
  expect(text).not.toContain('Projet')
})
