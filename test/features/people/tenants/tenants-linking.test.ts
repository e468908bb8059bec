// Who gets an account with an invited number finds their leases, invoices and payments.
import { expect, test } from 'bun:test'
import { createApp } from '../../../../src/app.ts'
import { resolveCaller } from '../../../../src/features/people/accounts/account.ts'
import { createAccess } from '../../../../src/http/auth.ts'
import { claimsOf, createTestApp, ORG, uuid } from '../../../support/app.ts'
import { cash, phoneOf, premises, stage } from '../../../support/scenario.ts'

const invited = async () => {
  const s = await stage({ given: premises() })
  const lease = { unitId: '{a1}', tenantPhoneNumber: phoneOf('paul'), startDate: '2026-03-01' }
  await s.make('ana', 'POST /bookings', lease, 'lease')
  await s.make('ana', 'POST /bookings/{lease}/submit', { blanks: true })
  await s.make('ana', 'POST /bookings/{lease}/activate')
  await s.t.work()
  const [invoice] = s.rows('select id from invoice')
  s.names.set('i1', String(invoice?.id))
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(1_000), 'paid')
  return s
}
const linked = (s: Awaited<ReturnType<typeof invited>>) =>
  ['booking', 'invoice', 'payment'].map((table) => s.rows(`select tenant_user_id u from ${table}`)[0]?.u)

test('at the first sight of a token with that number, everywhere at once', async () => {
  const s = await invited()
  expect(s.rows('select full_name, user_id from tenant')).toEqual([{ full_name: phoneOf('paul'), user_id: null }])
  expect(linked(s)).toEqual([null, null, null])
  expect((await s.ask('ana', 'GET /bookings/{lease}')).body.tenantUserId).toBeUndefined()
  const before = (await s.ask('ana', 'GET /bookings/{lease}')).headers.get('etag')

  const me = await s.t.call('TENANT.paul', 'GET /api/v1/me')
  expect(linked(s)).toEqual([me.body.id, me.body.id, me.body.id])
  for (const path of ['bookings', 'invoices', 'payments'])
    expect((await s.t.call<unknown[]>('TENANT.paul', `GET /api/v1/${path}`)).body).toHaveLength(1)
  expect((await s.ask('ana', 'GET /bookings/{lease}')).headers.get('etag')).not.toBe(before)
  expect(s.rows('select action from audit_entry order by rowid').slice(-2)).toEqual([
    { action: 'user.create' },
    { action: 'tenant.link' },
  ])
  // What follows is theirs from the beginning.
  s.t.advance(31)
  await s.t.work()
  expect(s.rows('select distinct tenant_user_id u from invoice')).toEqual([{ u: String(me.body.id) }])
})

test('a number that nobody has proved opens nothing, not even by a request for a unit', async () => {
  const s = await invited()
  const claims = { ...claimsOf('TENANT.paul', s.t.clock.wall), phoneVerified: false }
  const verifier = { cached: () => undefined, forget: () => {}, verify: async () => claims }
  const app = createApp({ ...s.deps, access: createAccess(verifier, resolveCaller(s.deps)) })
  const ask = (method: string, path: string, body?: object) =>
    app.handle(
      new Request(`http://localhost/api/v1${path}`, {
        method,
        headers: { authorization: 'Bearer paul', ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    )
  expect((await ask('GET', '/me')).status).toBe(200)
  expect((await ask('POST', '/bookings', { unitId: s.names.get('a2'), startDate: '2026-04-01' })).status).toBe(201)
  expect(linked(s)).toEqual([null, null, null])
  expect(((await (await ask('GET', '/bookings')).json()) as unknown[]).length).toBe(1)
  const tenants = s.rows('select phone_number, user_id is null unlinked from tenant order by rowid')
  expect(tenants).toEqual([
    { phone_number: phoneOf('paul'), unlinked: 1 },
    { phone_number: null, unlinked: 0 },
  ])
})

test('with an external provider an invitation is taken up by the first token of its proved number', async () => {
  const t = createTestApp()
  await t.call('ADMIN.ada', 'GET /api/v1/me')
  const phone = claimsOf('OWNER.rose', t.clock.wall).phoneNumber
  const at = new Date(t.clock.now()).toISOString()
  const invite = (id: string, org: string) =>
    t.store.client
      .prepare(
        `insert into app_user(id, org_id, subject, phone_number, phone_verified, roles, status, created_at, updated_at)
         values (?, ?, ?, ?, 0, '["MANAGER"]', 'INVITED', ?, ?)`,
      )
      .run(id, org, id, phone, at, at)
  invite(uuid('invitation'), ORG)
  // Nobody acts as an invited user, and no token of another organization takes it up.
  await t.call('OWNER.rose~other', 'GET /api/v1/me')
  expect(t.rows('select status from app_user where id = ?', uuid('invitation'))).toEqual([{ status: 'INVITED' }])
  const me = await t.call('OWNER.rose', 'GET /api/v1/me')
  // The token says the roles: the provider is theirs to ask.
  expect(me.body).toMatchObject({ id: uuid('invitation'), roles: ['OWNER'], phoneVerified: true })
  expect(t.rows('select count(*) n from app_user where phone_number = ? and org_id = ?', phone, ORG)).toEqual([
    { n: 1 },
  ])
})

test('of an external token older than the row, a role taken away meanwhile is gone', async () => {
  const t = createTestApp()
  await t.call('TENANT+MANAGER.mia', 'GET /api/v1/me')
  const at = new Date(t.clock.now() + 2_000).toISOString()
  t.store.client.prepare(`update app_user set roles = '["TENANT"]', updated_at = ?`).run(at)
  t.access.forget('')
  expect((await t.call('TENANT+MANAGER.mia', 'GET /api/v1/tenants')).status).toBe(403)
  // A later token of the provider counts again.
  t.time.now += 5_000
  t.access.forget('')
  expect((await t.call('MANAGER+TENANT.mia', 'GET /api/v1/tenants')).status).toBe(200)
})
