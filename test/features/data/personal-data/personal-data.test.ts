// A person's copy of their data, and the end of their account: what goes, what the law keeps, and whom it leaves alone.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { finishErasure } from '../../../../src/features/data/personal-data/service.ts'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { handlers } from '../../../../src/jobs/registry.ts'
import { createWorker } from '../../../../src/jobs/worker.ts'
import { PDF, pathOf } from '../../../support/files.ts'
import { PASSWORD } from '../../../support/oidc.ts'
import { ADA, ALI, atRest, createStaffApp, ZOE } from '../../../support/people.ts'

// Dozens of sign-ins, each with a password that is slow to check.
setDefaultTimeout(60_000)
let property = ''
const { app, later } = await atRest(createStaffApp)
const made = await app.as(ALI, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' })
property = String(made.body.id)

let units = 0
async function unit(): Promise<unknown> {
  const body = { label: `A${++units}`, rentAmount: 50_000 }
  const made = await app.as(ALI, `POST /api/v1/properties/${property}/units`, body)
  if (units === 1) await app.as(ALI, `POST /api/v1/properties/${property}/publish`, {})
  return made.body.id
}
async function upload(phone: string, ownerType: string, filename: string): Promise<unknown> {
  const me = (await app.as(phone, 'GET /api/v1/me')).body
  const about = { ownerType, ownerId: me.id, kind: 'DOCUMENT', contentType: 'application/pdf' }
  const made = await app.as(phone, 'POST /api/v1/media', { ...about, filename, sizeBytes: PDF.byteLength })
  const { url, headers } = made.body.upload as { url: string; headers: Record<string, string> }
  await app.send(new Request(`http://localhost${pathOf(url)}`, { method: 'PUT', headers, body: new Uint8Array(PDF) }))
  await app.as(phone, `POST /api/v1/media/${made.body.id}/complete`, {})
  return made.body.id
}
/** A tenant with an account, an active lease, an approved identity and two files. */
async function rose() {
  const phone = app.newNumber()
  const unitId = await unit()
  const tenant = await app.as(ALI, 'POST /api/v1/tenants', {
    fullName: `Rose ${phone.slice(-4)}`,
    phoneNumber: phone,
    idNumber: `CNI${phone.slice(-6)}`,
  })
  const lease = await app.as(ALI, 'POST /api/v1/bookings', {
    unitId,
    tenantId: tenant.body.id,
    startDate: '2026-03-01',
  })
  for (const step of ['submit', 'activate']) await app.as(ALI, `POST /api/v1/bookings/${lease.body.id}/${step}`, {})
  const { userId } = (await app.register(phone)).body
  const file = await upload(phone, 'USER', 'reçu <mars>.pdf')
  const paper = await upload(phone, 'VERIFICATION', 'cni.pdf')
  const kyc = await app.as(phone, 'POST /api/v1/verification/kyc', {})
  const documents = `POST /api/v1/verification/kyc/${kyc.body.id}/documents`
  await app.as(phone, documents, { mediaObjectId: paper, role: 'SELF_ID' })
  await app.as(phone, `POST /api/v1/verification/kyc/${kyc.body.id}/submit`, {})
  await app.as(ADA, `POST /api/v1/admin/verification/${kyc.body.id}/start-review`, {})
  await app.as(ADA, `POST /api/v1/admin/verification/${kyc.body.id}/approve`, { note: 'Bien lisible' })
  await app.work()
  return { phone, userId, tenant: tenant.body.id, lease: lease.body.id, file, paper, kyc: kyc.body.id }
}
async function exported(phone: string) {
  const token = await app.token(phone, PASSWORD)
  const headers = { authorization: `Bearer ${token}` }
  const response = await app.send(new Request('http://localhost/api/v1/account/export', { headers }))
  const files = response.status === 200 ? unzipSync(await response.bytes()) : {}
  const json = (name: string) =>
    JSON.parse(new TextDecoder().decode(files[`${name}.json`])) as Record<string, unknown>[]
  return {
    response,
    files,
    json,
    whole: Object.values(files)
      .map((b) => new TextDecoder().decode(b))
      .join('\n'),
  }
}
const close = async (phone: string, password?: string) =>
  app.as(phone, 'DELETE /api/v1/account', password === undefined ? {} : { password })
const one = (sql: string, ...args: unknown[]) => app.rows(sql, ...args)[0] ?? {}
const stored = (id: unknown): number => {
  const folder = join(app.deps.config.dataDir, 'media', String(id).slice(-2), String(id).slice(-4, -2))
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(String(id))).length : 0
}

test('an export holds everything about oneself, and nobody else’s', async () => {
  const [r, other] = [await rose(), await rose()]
  while ((await renderDocuments(app.deps)) > 0);
  const { response, files, json, whole } = await exported(r.phone)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="loyer-2026-03-10.zip"')
  expect(json('profile')).toMatchObject([{ id: r.userId, phoneNumber: r.phone, status: 'ACTIVE', lastName: 'Mbarga' }])
  expect(
    json('consents')
      .map((c) => c.document)
      .sort(),
  ).toEqual(['PRIVACY', 'TERMS'])
  expect(json('sessions').length).toBeGreaterThan(0)
  expect(json('tenant')).toMatchObject([{ id: r.tenant, userId: r.userId }])
  expect(json('leases')).toMatchObject([{ id: r.lease, status: 'ACTIVE' }])
  expect(json('documents').map(({ kind }) => kind)).toContain('LEASE_CONTRACT')
  const papers = Object.entries(files).filter(([name]) => name.startsWith('papers/'))
  expect(papers.map(([name]) => name).sort()).toEqual(
    json('documents')
      .map(({ number, kind }) => `papers/${kind === 'INVOICE' ? 'facture' : 'bail'}-${number}.pdf`)
      .sort(),
  )
  for (const [, bytes] of papers) expect(new TextDecoder().decode(bytes.subarray(0, 5))).toBe('%PDF-')
  expect(json('documents').every((d) => d.bookingId === r.lease)).toBe(true)
  expect(json('invoices').every((i) => i.bookingId === r.lease)).toBe(true)
  expect(json('verifications')).toMatchObject([
    { id: r.kyc, status: 'APPROVED', reviewNote: 'Bien lisible', documents: [{ mediaObjectId: r.paper }] },
  ])
  expect(json('uploads').map(({ id }) => id)).toEqual([r.file, r.paper])
  expect(files[`files/${r.file} reçu _mars_.pdf`]).toEqual(new Uint8Array(PDF))
  expect(json('messages').map((m) => m.purpose)).toContain('verification_decided')
  expect(json('done-by-me').map((a) => a.action)).toContain('user.export')
  expect(json('done-about-me').map((a) => a.action)).toContain('user.register')
  expect(json('properties')).toEqual([])
  for (const foreign of [other.phone, other.userId, other.tenant, other.lease, other.paper, ZOE])
    expect(whole).not.toContain(String(foreign))
  for (const secret of ['argon2', 'passwordHash', app.lastCode(r.phone)]) expect(whole).not.toContain(secret)
  expect((await app.call('GET /api/v1/account/export')).status).toBe(401)
})

test('long lists come whole, page by page', async () => {
  const phone = app.newNumber()
  await app.register(phone)
  const token = await app.token(phone, PASSWORD)
  for (let i = 0; i < 420; i++) await app.call('PATCH /api/v1/me', { lastName: `Mbarga ${i}` }, { token })
  const { json } = await exported(phone)
  const actions = json('done-by-me').map((a) => a.action)
  expect(actions.filter((a) => a === 'user.update')).toHaveLength(420)
  expect(new Set(json('done-by-me').map(({ id }) => id)).size).toBe(actions.length)
})

test('one export at a time; one given up makes room for the next', async () => {
  const { phone } = await rose()
  const headers = { authorization: `Bearer ${await app.token(phone, PASSWORD)}` }
  const ask = () => app.send(new Request('http://localhost/api/v1/account/export', { headers }))
  const first = await ask()
  const second = await ask()
  expect([first.status, second.status]).toEqual([200, 429])
  await first.body?.cancel()
  expect(unzipSync(await (await ask()).bytes())['profile.json']).toBeDefined()
})

test('a closed account: nobody signs in, the number is free, what is personal is gone, what the law keeps stays', async () => {
  const [r, other] = [await rose(), await rose()]
  const token = await app.token(r.phone, PASSWORD)
  const before = JSON.stringify(app.rows('select * from app_user'))
  for (const password of [undefined, 'pas la bonne'])
    expect(await close(r.phone, password)).toMatchObject({ status: 422, body: { errors: [{ path: '/password' }] } })
  expect(JSON.stringify(app.rows('select * from app_user'))).toBe(before)
  const consents = app.rows('select * from consent where user_id = ?', r.userId)
  const invoices = app.rows('select id, number, tenant_name, gross_amount from invoice where booking_id = ?', r.lease)
  const untouched = () =>
    ['media_object where owner_user_id', 'verification_case where subject_user_id', 'app_user where id'].map((of) =>
      app.rows(`select * from ${of} = ?`, other.userId),
    )
  const theirs = untouched()

  expect((await close(r.phone, PASSWORD)).status).toBe(204)
  expect((await app.call('GET /api/v1/me', undefined, { token })).status).toBe(401)
  expect((await app.call('POST /api/v1/sandbox/token', { username: r.phone, password: PASSWORD })).status).toBe(401)
  expect(app.inbox(r.phone)[0]?.purpose).toBe('account_closed')
  expect(one('select * from app_user where id = ?', r.userId)).toMatchObject({
    status: 'ERASED',
    username: null,
    email: null,
    first_name: null,
    last_name: null,
    phone_number: null,
    phone_verified: 0,
    roles: '[]',
  })
  await app.work()
  for (const of of ['credential where user_id', 'oidc_payload where account_id', 'media_object where owner_user_id'])
    expect([of, app.rows(`select * from ${of} = ?`, r.userId)]).toEqual([of, []])
  expect([stored(r.file), stored(r.paper)]).toEqual([0, 0])
  expect(app.rows('select * from verification_document where case_id = ?', r.kyc)).toEqual([])
  expect(one('select status, review_note from verification_case where id = ?', r.kyc)).toEqual({
    status: 'APPROVED',
    review_note: null,
  })
  // What the law keeps, and what proves that it was allowed.
  expect(app.rows('select id, number, tenant_name, gross_amount from invoice where booking_id = ?', r.lease)).toEqual(
    invoices,
  )
  expect(one('select full_name, id_number, user_id from tenant where id = ?', r.tenant)).toEqual({
    full_name: `Rose ${r.phone.slice(-4)}`,
    id_number: `CNI${r.phone.slice(-6)}`,
    user_id: null,
  })
  expect(one('select status, tenant_user_id from booking where id = ?', r.lease)).toEqual({
    status: 'ACTIVE',
    tenant_user_id: null,
  })
  expect(app.rows('select * from consent where user_id = ?', r.userId)).toEqual(consents)
  expect(
    app.rows("select action from audit_entry where subject_id = ? and action = 'user.erase'", r.userId),
  ).toHaveLength(1)
  expect(untouched()).toEqual(theirs)
  expect([stored(other.file), stored(other.paper)]).toEqual([1, 1])
  expect(app.rows("select kind, last_error from job where status = 'FAILED'")).toEqual([])

  // Done again it changes nothing; nobody brings the account back; the number begins anew and finds its lease.
  const settled = () => JSON.stringify([app.rows('select * from app_user'), app.rows('select * from audit_entry')])
  const after = settled()
  await finishErasure(app.deps, app.owner.orgId, String(r.userId))
  expect(settled()).toBe(after)
  const revive = await app.as(ADA, `PATCH /api/v1/admin/users/${r.userId}`, { status: 'ACTIVE' })
  expect(revive).toMatchObject({ status: 409, body: { currentStatus: 'ERASED' } })
  later(61)
  const again = await app.register(r.phone)
  expect(again.status).toBe(201)
  expect(again.body.userId).not.toBe(r.userId)
  expect(one('select user_id from tenant where id = ?', r.tenant)).toEqual({ user_id: again.body.userId })
})

test('whoever had no lease is forgotten whole; their request is taken back, their open verification too', async () => {
  const phone = app.newNumber()
  const { userId } = (await app.register(phone)).body
  const request = await app.as(phone, 'POST /api/v1/bookings', { unitId: await unit(), startDate: '2026-05-01' })
  expect(request.status).toBe(201)
  const kyc = await app.as(phone, 'POST /api/v1/verification/kyc', {})
  expect((await close(phone, PASSWORD)).status).toBe(204)
  await app.work()
  const row = one('select status, tenant_name, tenant_user_id from booking where id = ?', request.body.id)
  expect(row).toMatchObject({ status: 'CANCELLED', tenant_user_id: null })
  expect(String(row.tenant_name)).toMatch(/^(Personne effacée|Erased person)$/)
  expect(app.rows('select id from verification_case where id = ?', kyc.body.id)).toEqual([])
  const everything = ['tenant', 'app_user', 'booking'].map((table) => app.rows(`select * from ${table}`))
  expect(JSON.stringify(everything)).not.toContain(phone)
  expect(app.rows('select full_name from tenant where user_id = ?', userId)).toEqual([])
})

test('a provider that is down, or a process that dies, delays the rest and loses nothing of it', async () => {
  const r = await rose()
  await close(r.phone, PASSWORD)
  const { identity } = app.deps
  if (!identity) throw new Error('there is no provider')
  const down = async () => {
    throw new Error('down')
  }
  await createWorker(app.deps, handlers({ ...app.deps, identity: { ...identity, deleteAccount: down } })).drain()
  expect(one("select status from job where kind = 'user.erased' and source = ?", r.userId)).toEqual({ status: 'READY' })
  expect(stored(r.paper)).toBe(1)
  // Nobody is let in meanwhile.
  expect((await app.call('POST /api/v1/sandbox/token', { username: r.phone, password: PASSWORD })).status).toBe(401)
  later(2)
  await app.work()
  expect([stored(r.file), stored(r.paper)]).toEqual([0, 0])
  expect(app.rows('select * from credential where user_id = ?', r.userId)).toEqual([])
})

test('the last administrator stays, and an owner as long as something is theirs', async () => {
  expect((await close(ZOE, PASSWORD)).body.code).toBe('last_admin')
  expect((await close(ALI, PASSWORD)).body.code).toBe('properties_owned')
  expect(one('select status from app_user where phone_number = ?', ALI)).toEqual({ status: 'ACTIVE' })
  expect((await exported(ALI)).json('properties')).toMatchObject([{ id: property }])
})
