// What an export holds is what its maker's lists and files show in the API: table by table, file by file.
import { describe, expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { transferTables } from '../../../../db/transfer/transfer.ts'
import { runExports } from '../../../../src/features/data/exports/jobs.ts'
import { createTestApp } from '../../../support/app.ts'
import { allPages, pack, packAll, type Row, restore, rowsIn, textOf } from '../../../support/archives.ts'
import { jpegOf, PDF, upload } from '../../../support/files.ts'
import { LISTS } from '../../../support/lists.ts'
import { worldApp } from '../../../support/world.ts'

const { t, w } = await worldApp()
type Person = keyof typeof w.as
const PEOPLE = Object.keys(w.as) as Person[]

/** One file of each kind of owner and state of review, of each of three people. */
const files: Record<string, string> = {}
async function put(who: Person, ownerType: string, ownerId: string, kind: 'PHOTO' | 'DOCUMENT', name: string) {
  const picture = { ownerType, ownerId, kind, contentType: kind === 'PHOTO' ? 'image/jpeg' : 'application/pdf' }
  const done = await upload(t, w.as[who], picture, kind === 'PHOTO' ? await jpegOf(60, 40) : PDF)
  expect([name, done.status]).toEqual([name, 200])
  files[name] = String(done.body.id)
}
const act = async (who: Person, line: string, body: object = {}) => {
  const answer = await t.call(w.as[who], line, body)
  expect([line, answer.status < 300, answer.text]).toEqual([line, true, answer.text])
  return answer.body
}
for (const who of ['ana', 'mia', 'ada', 'tom', 'tia'] as const) {
  await put(who, 'USER', w.userIds[who], 'DOCUMENT', `${who} user`)
  await put(who, 'VERIFICATION', w.userIds[who], 'PHOTO', `${who} card`)
}
await put('ana', 'PROPERTY', w.properties.PUBLISHED, 'PHOTO', 'property')
await put('ana', 'UNIT', w.units.OCCUPIED, 'PHOTO', 'unit')
await put('eve', 'PROPERTY', w.hers.property, 'PHOTO', 'her property')
await put('tom', 'USER', w.userIds.tom, 'PHOTO', 'proof of payment')
await act('tom', `POST /api/v1/invoices/${w.invoices.ISSUED}/payments`, {
  amount: 10,
  method: 'CASH',
  paidOn: '2026-03-09',
  proofMediaId: files['proof of payment'],
})
await put('ana', 'USER', w.userIds.ana, 'DOCUMENT', 'scan')
await act('ana', `POST /api/v1/bookings/${w.bookings.UNSIGNED}/signed-copy`, { mediaObjectId: files.scan })
const PAPER = { role: 'SELF_ID', documentType: 'NATIONAL_ID' }
for (const who of ['tom', 'tia'] as const) {
  await act(who, `POST /api/v1/verification/kyc/${w.kyc[who]}/documents`, {
    mediaObjectId: files[`${who} card`],
    ...PAPER,
  })
  await act(who, `POST /api/v1/verification/kyc/${w.kyc[who]}/submit`)
}
// Tia's is under review, Tom's was: an ADMIN no longer sees it.
for (const who of ['tom', 'tia'] as const)
  await act('ada', `POST /api/v1/admin/verification/${w.kyc[who]}/start-review`)
await act('ada', `POST /api/v1/admin/verification/${w.kyc.tom}/approve`)
await t.work()

const ids = (rows: readonly Row[]) => [...new Set(rows.map((r) => String(r.id)))].sort()
/** What the API lists to somebody, for each object of a path where it has one. */
async function listed(who: Person, line: string, parents: readonly string[] = ['']): Promise<Row[]> {
  const all: Row[] = []
  for (const id of parents) {
    const answer = await allPages(t, w.as[who], `${line.replace(':id', id)}?limit=200`)
    if (answer.status === 200) all.push(...answer.body)
  }
  return all
}
const PARENTS: Record<string, string> = { properties: 'property', bookings: 'booking', requests: 'repair' }

describe.each(['ana', 'eve', 'mia', 'ada'] as const)('an export of %s', async (who) => {
  const archive = await pack(t, w.as[who])
  const names = Object.keys(unzipSync(archive))
  const admin = who === 'ada'
  const lines = LISTS.filter(
    (l) =>
      // Names to choose from are no users' data; a timeline shows rows of other lists.
      /^GET \/api\/v1\/(?!webhook-endpoints\/|invoices\/|people$|bookings\/:id\/timeline$)/.test(l.line) &&
      !/^media_object$|^audit_archive$|_run$/.test(l.table),
  )
  const tables = Map.groupBy(lines, ({ table }) => table)
  test.each([...tables])('holds of %s what the lists show', async (table, lists) => {
    const shown: Row[] = []
    for (const { line } of lists) {
      const parent = PARENTS[line.split('/')[3] ?? '']
      const ofParent = line.includes(':id') ? t.rows(`select id from ${parent}`).map((r) => String(r.id)) : ['']
      shown.push(...(await listed(who, line, ofParent)))
    }
    // Everybody reads themselves at /me.
    if (table === 'app_user' && !admin) shown.push({ id: w.userIds[who] })
    const held = rowsIn(archive, table)
    // What exports themselves wrote since.
    const since = (r: Row) => !/^(export|media)\.|^organization\.export$/.test(String(r.action))
    // An ADMIN moves house with the messages that were matched, too.
    const open = (r: Row) => table !== 'money_message' || r.status === 'UNMATCHED'
    const newest = (rows: Row[]) =>
      table === 'audit_entry' ? ids(rows.filter(since)).slice(-100) : ids(rows.filter(open))
    expect(newest(held)).toEqual(newest(shown))
    if (['property', 'booking', 'invoice', 'payment', 'document'].includes(table))
      expect(held.length).toBeGreaterThan(0)
  })
  test('holds the files that the API hands out, and no others', async () => {
    const shown: string[] = []
    for (const { id, status } of t.rows('select id, status from media_object'))
      if (status === 'AVAILABLE' && (await t.call(w.as[who], `GET /api/v1/media/${id}/download-url`)).status === 200)
        shown.push(String(id))
    expect(ids(rowsIn(archive, 'media_object'))).toEqual(shown.sort())
    const stored = names.filter((n) => n.startsWith('files/media_object/')).map((n) => n.split('/')[2]?.slice(0, 36))
    expect([...new Set(stored)].sort()).toEqual(shown)
    for (const paper of rowsIn(archive, 'verification_document')) expect(shown).toContain(String(paper.media_object_id))
  })
  test('holds nothing of a table that the API has for others only', () => {
    const rest = ['organization', 'audit_entry', 'consent', 'invoice_counter', 'document_counter']
    for (const table of rest) expect([table, names.includes(`data/${table}.json`)]).toEqual([table, admin])
    if (admin) expect(names.filter((n) => n.startsWith('data/')).length).toBe(transferTables.length)
    if (who === 'ana' || who === 'eve') expect(rowsIn(archive, 'webhook_endpoint')).toEqual([])
  })
  test('is told in the trail with its role and how many papers of others it holds', async () => {
    const trail = await listed('ada', 'GET /api/v1/admin/audit')
    const mine = trail.find((r) => r.action === 'export.finish' && heldBy(r) === w.userIds[who])
    const role = { ana: 'OWNER', eve: 'OWNER', mia: 'MANAGER', ada: 'ADMIN' }[who]
    expect(mine?.details).toMatchObject({ madeAs: role, papersOfOthers: { ana: 1, eve: 0, mia: 2, ada: 3 }[who] })
  })
})
const heldBy = (r: Row) => t.rows('select created_by from export_run where id = ?', String(r.subjectId))[0]?.created_by

test('who sees whose papers', async () => {
  const holds = async (who: Person) => {
    const has = new Set(ids(rowsIn(await pack(t, w.as[who]), 'media_object')))
    return Object.keys(files).filter((name) => has.has(files[name] ?? ''))
  }
  const shared = ['property', 'unit', 'her property', 'proof of payment', 'scan']
  expect((await holds('mia')).sort()).toEqual(['mia user', 'mia card', ...shared].sort())
  expect((await holds('ada')).sort()).toEqual(['ada user', 'ada card', 'tia card', ...shared].sort())
  expect((await holds('ana')).sort()).toEqual(
    ['ana user', 'ana card', 'property', 'unit', 'proof of payment', 'scan'].sort(),
  )
  expect(await holds('eve')).toEqual(['her property'])
})

test('an ADMIN moves house without the papers that they do not see; the operator with all', async () => {
  const there = createTestApp()
  await restore(there, await pack(t, w.as.ada))
  const cases = 'GET /api/v1/admin/verification?limit=200'
  const without = (rows: Row[]) => rows.map(({ documents: _, ...r }) => r)
  const [here, its] = [await t.call<Row[]>(w.as.ada, cases), await there.call<Row[]>(w.as.ada, cases)]
  expect(without(its.body)).toEqual(without(here.body))
  for (const name of ['rent-roll', 'arrears', 'collection', 'occupancy', 'tva-journal', 'owner-statement']) {
    const query = `GET /api/v1/reports/${name}?from=2025-12-01&to=2026-06-30`
    expect((await there.call(w.as.mia, query)).body).toEqual((await t.call(w.as.mia, query)).body)
  }
  expect(there.rows('pragma foreign_key_check')).toEqual([])
  expect((await there.call(w.as.tom, `GET /api/v1/media/${files['tom card']}`)).status).toBe(404)
  const whole = createTestApp()
  await restore(whole, await packAll(t, w.orgId))
  for (const who of PEOPLE) {
    const line = 'GET /api/v1/media?limit=200&status=AVAILABLE'
    expect((await whole.call<Row[]>(w.as[who], line)).body).toEqual((await t.call<Row[]>(w.as[who], line)).body)
  }
})

test.each(['ana', 'mia'] as const)('the part of %s is for reading', async (who) => {
  await expect(restore(createTestApp(), await pack(t, w.as[who]))).rejects.toThrow("one person's part")
})

describe('the file of an export', async () => {
  const { t: own, w: o } = await worldApp()
  const make = async (who: string) => {
    const { body } = await own.call<{ id: string }>(who, 'POST /api/v1/exports', {})
    await runExports(own.deps)
    return body.id
  }
  const link = (who: string, id: string) => own.call<{ url: string }>(who, `GET /api/v1/exports/${id}/download-url`)
  const fetched = async (url: string) => (await own.app.handle(new Request(url))).status

  test('is its maker’s alone', async () => {
    const [mias, adas] = [await make(o.as.mia), await make(o.as.ada)]
    expect((await link(o.as.ada, adas)).status).toBe(200)
    expect((await link(o.as.mia, mias)).status).toBe(200)
    for (const [who, id, status] of [
      [o.as.ada, mias, 403],
      [o.as.mia, adas, 403],
      [o.as.ana, adas, 404],
      [o.as.ana, mias, 404],
      [o.as.tom, adas, 403],
    ] as const)
      expect([who, (await link(who, id)).status]).toEqual([who, status])
    // How far it is may be seen by who sees everything of the organization.
    expect((await own.call(o.as.mia, `GET /api/v1/exports/${adas}`)).status).toBe(200)
  })
  test('goes with the role it was made with, also where a link was handed out', async () => {
    const word = 'ADMIN.zoe'
    await own.call(word, 'GET /api/v1/me')
    const id = await make(word)
    const { url } = (await link(word, id)).body
    expect(await fetched(url)).toBe(200)
    // As an issuer's next token, or an ADMIN, would have it.
    const set = own.store.client.prepare("update app_user set roles = ?, status = ? where first_name = 'zoe'")
    const patch = ({ roles = ['ADMIN'], status = 'ACTIVE' }) => void set.run(JSON.stringify(roles), status)
    patch({ roles: ['OWNER'] })
    expect(await fetched(url)).toBe(404)
    const refused = await link('OWNER.zoe', id)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Make a new one')])
    patch({ roles: ['ADMIN'] })
    expect(await fetched(url)).toBe(200)
    patch({ status: 'DISABLED' })
    expect(await fetched(url)).toBe(404)
  })
  test('is made with the role at the time of packing', async () => {
    const { body } = await own.call<{ id: string }>('ADMIN.zac', 'POST /api/v1/exports', {})
    own.store.client.prepare("update app_user set roles = '[\"TENANT\"]' where first_name = 'zac'").run()
    await runExports(own.deps)
    expect((await own.call(o.as.ada, `GET /api/v1/exports/${body.id}`)).body).toMatchObject({ status: 'FAILED' })
  })
})

test('nothing that an OWNER or MANAGER packs names the trail, other users or consents', async () => {
  for (const who of ['ana', 'mia'] as const) {
    const all = unzipSync(await pack(t, w.as[who]))
    const users = JSON.parse(textOf(all['data/app_user.json'])) as Row[]
    expect(ids(users)).toEqual([w.userIds[who]])
    expect(Object.keys(all).some((n) => /audit|consent|organization\.json|counter/.test(n))).toBe(false)
  }
})

test('an owner packs no name that they do not read: of a cancelled lease with a tenant of another owner', async () => {
  const { t: own, w: o } = await worldApp()
  const lease = { unitId: o.hers.unit, tenantId: o.tenants.LINKED, startDate: '2027-01-01' }
  const { body, status } = await own.call<{ id: string }>(o.as.mia, 'POST /api/v1/bookings', lease)
  expect(status).toBe(201)
  expect((await own.call(o.as.mia, `POST /api/v1/bookings/${body.id}/cancel`, {})).status).toBe(200)
  const named = own.rows('select tenant_name, tenant_user_id from booking where id = ?', body.id)[0]
  const shown = (await own.call(o.as.eve, `GET /api/v1/bookings/${body.id}`)).body
  const archive = await pack(own, o.as.eve)
  const held = rowsIn(archive, 'booking').find((r) => r.id === body.id)
  expect([held?.tenant_name, held?.tenant_user_id]).toEqual([shown.tenantName, null])
  expect(held?.tenant_name).not.toBe(named?.tenant_name)
  const all = textOf(Buffer.concat(Object.values(unzipSync(archive))))
  expect(all).not.toContain(String(named?.tenant_user_id))
  // A manager reads it, and packs it.
  const whole = rowsIn(await pack(own, o.as.mia), 'booking').find((r) => r.id === body.id)
  expect(whole?.tenant_name).toBe(named?.tenant_name)
})
