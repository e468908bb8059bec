// An account that comes to a tenant with hundreds of invoices, or is closed: none of them is left behind.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { PASSWORD } from '../../../support/oidc.ts'
import { ALI, atRest, createStaffApp } from '../../../support/people.ts'

setDefaultTimeout(60_000)
const { app, later } = await atRest(createStaffApp)
const house = await app.as(ALI, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' })
const client = () => app.deps.store.client

let homes = 0
/** A tenant with a running lease of two homes, each with as many invoices. */
async function tenant(phoneNumber: string | null, invoices: number) {
  const given = { fullName: 'Rose Ngo', ...(phoneNumber && { phoneNumber }) }
  const { id } = (await app.as(ALI, 'POST /api/v1/tenants', given)).body
  for (let n = 0; n < 2; n++) {
    homes += 1
    const home = { label: `A${homes}`, rentAmount: 50_000 }
    const unit = await app.as(ALI, `POST /api/v1/properties/${house.body.id}/units`, home)
    const lease = { unitId: unit.body.id, tenantId: id, startDate: '2026-03-01' }
    const booking = await app.as(ALI, 'POST /api/v1/bookings', lease)
    for (const step of ['submit', 'activate'])
      await app.as(ALI, `POST /api/v1/bookings/${booking.body.id}/${step}`, step === 'submit' ? { blanks: true } : {})
    fill(String(booking.body.id), invoices)
  }
  return String(id)
}
/** Cancelled invoices of earlier months, like one that stands. */
function fill(bookingId: string, n: number): void {
  const lease = app.rows('select * from booking where id = ?', bookingId)[0] ?? {}
  const same = ['org_id', 'unit_id', 'property_id', 'owner_user_id', 'tenant_id', 'tenant_user_id']
  const names = { unit_label: 'A', tenant_name: 'Rose Ngo', property_name: 'Villa', currency: 'XAF', lines: '[]' }
  const money = {
    gross_amount: 1,
    net_amount: 1,
    tva_amount: 0,
    tva_basis_points: 0,
    amount_paid: 0,
    credited_amount: 0,
  }
  for (let i = 0; i < n; i++) {
    const id = crypto.randomUUID()
    const days = {
      period_start: '2026-01-01',
      period_end: '2026-01-31',
      due_date: '2026-01-05',
      issued_on: '2026-01-01',
    }
    const row = {
      ...{ id, number: id, booking_id: bookingId, status: 'CANCELLED', cancelled_at: '2026-01-02T00:00:00.000Z' },
      ...Object.fromEntries(same.map((column) => [column, lease[column]])),
      ...{
        ...names,
        ...money,
        ...days,
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      },
    }
    const columns = Object.keys(row)
    client()
      .prepare(`insert into invoice (${columns}) values (${columns.map(() => '?')})`)
      .run(Object.values(row))
  }
}
/** Whose the tenant, their leases and their invoices are: one account where all agree. */
const accounts = (tenantId: string) =>
  [
    ...app.rows('select user_id u from tenant where id = ?', tenantId),
    ...app.rows('select distinct tenant_user_id u from booking where tenant_id = ?', tenantId),
    ...app.rows('select distinct tenant_user_id u from invoice where tenant_id = ?', tenantId),
  ].map(({ u }) => u)
const close = (phone: string) => app.as(phone, 'DELETE /api/v1/account', { password: PASSWORD })
const failed = () => app.rows('select kind, last_error from job where last_error is not null')

test('a person with 400 invoices registers, closes the account, and registers anew', async () => {
  const phone = app.newNumber()
  const id = await tenant(phone, 200)
  const first = await app.register(phone)
  expect(first.status).toBe(201)
  await app.work()
  const rose = first.body.userId
  expect(accounts(id)).toEqual([rose, rose, rose])
  expect((await app.as(phone, 'GET /api/v1/invoices?limit=100')).body).toHaveLength(100)

  const closed = await close(phone)
  expect(closed.status).toBe(204)
  // Before any job has run nobody signs in, nothing is left of the person, and the tenant keeps the name of the leases.
  expect((await app.as(phone, 'GET /api/v1/invoices').catch(() => ({ status: 401 }))).status).toBe(401)
  expect(app.rows('select status, first_name, phone_number from app_user where id = ?', rose)).toEqual([
    { status: 'ERASED', first_name: null, phone_number: null },
  ])
  await app.work()
  expect(accounts(id)).toEqual([null, null, null])
  expect(app.rows('select full_name from tenant where id = ?', id)).toEqual([{ full_name: 'Rose Ngo' }])

  later(61)
  const again = await app.register(phone)
  await app.work()
  const anew = again.body.userId
  expect(anew).not.toBe(rose)
  expect(accounts(id)).toEqual([anew, anew, anew])
  expect(failed()).toEqual([])
})

test('who registers anew gets the leases, each once', async () => {
  const phone = app.newNumber()
  const id = await tenant(phone, 200)
  await app.register(phone)
  await app.work()
  await close(phone)
  later(61)
  const anew = (await app.register(phone)).body.userId
  await app.work()
  expect(accounts(id)).toEqual([anew, anew, anew])
  expect(app.rows("select count(*) n from audit_entry where action = 'tenant.link' and subject_id = ?", id)).toEqual([
    { n: 2 },
  ])
  expect(failed()).toEqual([])
})

test('a landlord gives a tenant with 400 invoices the number of an account', async () => {
  const phone = app.newNumber()
  const id = await tenant(null, 200)
  const { userId } = (await app.register(phone)).body
  const named = await app.as(ALI, `PATCH /api/v1/tenants/${id}`, { phoneNumber: phone })
  expect(named.status).toBe(200)
  await app.work()
  expect(accounts(id)).toEqual([userId, userId, userId])
})

test('a person with a few invoices finds them at once, and loses them at once', async () => {
  const phone = app.newNumber()
  const id = await tenant(phone, 15)
  const { userId } = (await app.register(phone)).body
  expect(accounts(id)).toEqual([userId, userId, userId])
  await close(phone)
  expect(accounts(id)).toEqual([null, null, null])
})
