// Records that are never deleted: so many of one thing, and no more, however many days somebody takes for it.
import { expect, test } from 'bun:test'
import { RECORDS } from '../../../../src/core/budgets.ts'
import { remindTenants } from '../../../../src/features/news/reminders/jobs.ts'
import { createTestApp, ORG, type TestApp, uuid } from '../../../support/app.ts'

const [ANA, TOM, ADA] = ['OWNER.ana', 'TENANT.tom', 'ADMIN.ada']
type Given = Awaited<ReturnType<typeof lease>>
async function lease() {
  const t = createTestApp()
  for (const who of [ANA, TOM, ADA]) await t.call(who, 'GET /api/v1/me')
  const make = async (who: string, line: string, body: object = {}) => {
    const answer = await t.call(who, line, body)
    expect(`${line} ${answer.status} ${answer.text}`).toMatch(/ 20[01] /)
    return String(answer.body.id)
  }
  const villa = await make(ANA, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' })
  const unitId = await make(ANA, `POST /api/v1/properties/${villa}/units`, { label: 'A1', rentAmount: 50_000 })
  const tom = { tenantUserId: uuid('tom~organization'), startDate: '2026-03-01' }
  const bookingId = await make(ANA, 'POST /api/v1/bookings', { unitId, ...tom })
  for (const action of ['submit', 'activate']) await make(ANA, `POST /api/v1/bookings/${bookingId}/${action}`)
  return { t, make, villa, unitId, bookingId }
}
/** Copies of the one row of a table, or of the one like this, until there are `n`. */
function fill(t: TestApp, table: string, n: number, changes: Record<string, string> = {}, like = 'true'): void {
  const columns = t
    .rows(`select name from pragma_table_info('${table}') where name <> 'row'`)
    .map(({ name }) => String(name))
  const values = columns.map((c) => (c === 'id' ? `substr(id, 1, 24) || format('%012d', i.n)` : (changes[c] ?? c)))
  t.store.client.exec(`with recursive i (n) as (select 1 union all select n + 1 from i where n < ${n - 1})
    insert into ${table} (${columns.join()}) select ${values.join()} from ${table}, i where org_id = '${ORG}' and ${like}`)
  expect(t.rows(`select count(*) n from ${table} where org_id = ? and ${like}`, ORG)).toEqual([{ n }])
}
const codeOf = async ({ t }: Pick<Given, 't'>, who: string, line: string, body: object) => {
  const answer = await t.call(who, line, body)
  return `${answer.status} ${answer.body.code ?? ''}`.trim()
}

test('a deposit: beyond its entries only the one that leaves nothing held', async () => {
  const given = await lease()
  const line = `POST /api/v1/bookings/${given.bookingId}/deposit`
  const entry = (type: string, amount: number) => ({ type, amount, paidOn: '2026-03-10', reason: 'Erreur de saisie' })
  await given.make(ANA, line, entry('RECEIVED', 90_000))
  // Whoever moves one franc to and fro: in the end as much is held as in the beginning.
  fill(given.t, 'deposit_entry', RECORDS.deposit - 1, {
    type: `iif(i.n % 2, 'DEDUCTED', 'RECEIVED')`,
    amount: '1',
    reason: `''`,
  })
  expect(await codeOf(given, ANA, line, entry('DEDUCTED', 1))).toBe('201')
  const refused = await given.t.call(ANA, line, entry('RECEIVED', 1))
  expect([refused.status, refused.body.code, String(refused.body.detail)]).toEqual([
    409,
    'quota_exceeded',
    expect.stringContaining(`${RECORDS.deposit} entries`),
  ])
  expect(await codeOf(given, ANA, line, entry('DEDUCTED', 1))).toBe('409 quota_exceeded')
  expect(await codeOf(given, ANA, line, entry('RETURNED', 90_000))).toBe('422 deposit_exceeded')
  expect(await codeOf(given, ANA, line, entry('RETURNED', 89_999))).toBe('201')
  expect(await codeOf(given, ANA, line, entry('RECEIVED', 1))).toBe('409 quota_exceeded')
})

test('a meter: cancelled readings count, another meter of the unit goes on', async () => {
  const given = await lease()
  const meter = (number: string) =>
    given.make(ANA, 'POST /api/v1/meters', { unitId: given.unitId, kind: 'WATER', number })
  const [full, other] = [await meter('W-1'), await meter('W-2')]
  const line = 'POST /api/v1/meter-readings'
  await given.make(ANA, line, { meterId: full, value: 1 })
  fill(given.t, 'meter_reading', RECORDS.meter - 1, { status: `'CANCELLED'` })
  expect(await codeOf(given, ANA, line, { meterId: full, readOn: '2026-03-09', value: 1 })).toBe('201')
  expect(await codeOf(given, ANA, line, { meterId: full, readOn: '2026-03-08', value: 1 })).toBe('409 quota_exceeded')
  expect(await codeOf(given, ANA, line, { meterId: other, value: 1 })).toBe('201')
})

test('repairs: closed ones count; the landlord goes on where the tenant has to stop', async () => {
  const given = await lease()
  const line = 'POST /api/v1/requests'
  const leak = { bookingId: given.bookingId, title: 'Fuite', category: 'WATER' }
  await given.make(TOM, line, leak)
  fill(given.t, 'repair', RECORDS.repairs.TENANT - 1, { status: `'DONE'` })
  expect(await codeOf(given, TOM, line, leak)).toBe('201')
  expect(await codeOf(given, TOM, line, leak)).toBe('409 quota_exceeded')
  expect(await codeOf(given, ANA, line, leak)).toBe('201')
  given.t.store.client.exec(`delete from repair where status = 'DONE'`)
  const left = Number(given.t.rows('select count(*) n from repair')[0]?.n)
  expect(left).toBe(3)
  given.t.store.client.exec(`delete from repair where id not in (select max(id) from repair)`)
  fill(given.t, 'repair', RECORDS.repairs.LANDLORD, { status: `'DONE'` })
  expect(await codeOf(given, ANA, line, leak)).toBe('409 quota_exceeded')
  expect(await codeOf(given, ANA, line, { ...leak, bookingId: undefined, unitId: given.unitId })).toBe('201')
})

test('archives of the trail', async () => {
  const { t } = await lease()
  const line = 'POST /api/v1/admin/audit/archives'
  const insert = `insert into audit_entry (id, org_id, actor, action, subject_type, subject_id, request_id, created_at)
    values (?, ?, 'system', 'lease.check', 'booking', 'x', 'r', '2024-01-01T10:00:00.000Z')`
  const old = () => void t.store.client.prepare(insert).run(crypto.randomUUID(), ORG)
  old()
  expect((await t.call(ADA, line, { before: '2025-01-01' })).status).toBe(201)
  fill(t, 'audit_archive', RECORDS.archives - 1, { pruned_at: 'created_at' })
  t.store.client.exec(`update audit_archive set pruned_at = created_at where pruned_at is null`)
  old()
  expect(await codeOf({ t }, ADA, line, { before: '2025-01-01' })).toBe('201')
  t.store.client.exec(`update audit_archive set pruned_at = created_at where pruned_at is null`)
  const trail = () => t.rows("select count(*) n from audit_entry where created_at < '2025'")
  const before = trail()
  expect(await codeOf({ t }, ADA, line, { before: '2025-01-01' })).toBe('409 quota_exceeded')
  expect(trail()).toEqual(before)
})

test('charges: cancelled ones count, of the day and of the lease; the rent goes on', async () => {
  const given = await lease()
  const line = `POST /api/v1/bookings/${given.bookingId}/invoices`
  const water = { lines: [{ label: 'Eau', amount: 1_000 }] }
  const charges = "kind = 'CHARGES'"
  for (let i = 0; i < 20; i += 1)
    await given.make(ANA, `POST /api/v1/invoices/${await given.make(ANA, line, water)}/cancel`)
  expect(await codeOf(given, ANA, line, water)).toBe('409 quota_exceeded')
  given.t.advance(1)
  const kept = given.t.rows(`select min(id) id from invoice where ${charges}`)[0]?.id
  given.t.store.client.exec(`update invoice set kind = 'PERIOD' where ${charges} and id <> '${kept}'`)
  fill(given.t, 'invoice', RECORDS.charges - 1, { number: `'X-' || i.n` }, charges)
  expect(await codeOf(given, ANA, line, water)).toBe('201')
  const refused = await given.t.call(ANA, line, water)
  expect([refused.status, refused.body.code, String(refused.body.detail)]).toEqual([
    409,
    'quota_exceeded',
    expect.stringContaining(`A1 has ${RECORDS.charges} invoices`),
  ])
  const item = { label: 'Gardiennage', key: 'EQUAL', costs: [{ label: 'Gardien', amount: 9_000 }] }
  const year = { periodStart: '2026-03-01', periodEnd: '2026-03-10', items: [item] }
  expect(await codeOf(given, ANA, `POST /api/v1/properties/${given.villa}/regularisations`, year)).toBe(
    '409 quota_exceeded',
  )
  expect(given.t.rows('select * from regularisation')).toEqual([])
  const rents = () => Number(given.t.rows("select count(*) n from invoice where kind = 'PERIOD'")[0]?.n)
  const before = rents()
  given.t.advance(31)
  await given.t.work()
  expect(rents()).toBe(before + 1)
})

test('reminders by hand: those of the schedule go on', async () => {
  const given = await lease()
  await given.t.work()
  const invoices = await given.t.call<{ id: string }[]>(ANA, 'GET /api/v1/invoices')
  const line = `POST /api/v1/invoices/${invoices.body[0]?.id}/remind`
  await given.make(ANA, line, { step: 'UPCOMING' })
  const byHand = 'once is null'
  fill(given.t, 'rent_message', RECORDS.reminders - 1, { step: `'DUE'`, sent_on: `'2025-01-01'` }, byHand)
  expect(await codeOf(given, ANA, line, { step: 'REMINDER' })).toBe('201')
  expect(await codeOf(given, ANA, line, { step: 'FINAL' })).toBe('409 quota_exceeded')
  const many = { invoiceIds: [invoices.body[0]?.id], step: 'FINAL', channel: 'NONE' }
  const { body } = await given.t.call<{ problem: { code: string } }[]>(ANA, 'POST /api/v1/reminders', many)
  expect(body[0]?.problem.code).toBe('quota_exceeded')
  const scheduled = () => Number(given.t.rows('select count(*) n from rent_message where once is not null')[0]?.n)
  await remindTenants(given.t.deps)
  const before = scheduled()
  given.t.advance(8)
  await remindTenants(given.t.deps)
  expect(scheduled()).toBe(before + 1)
})

test('an inspection: it goes out so often, and what is out can still be signed or taken back', async () => {
  const given = await lease()
  const id = await given.make(ANA, 'POST /api/v1/inspections', { bookingId: given.bookingId, kind: 'ENTRY' })
  const { body } = await given.t.call<{ rooms: { items: { state: string }[] }[] }>(ANA, `GET /api/v1/inspections/${id}`)
  for (const item of body.rooms[0]?.items ?? []) item.state = 'GOOD'
  await given.make(ANA, `PATCH /api/v1/inspections/${id}`, { rooms: body.rooms })
  const line = `POST /api/v1/inspections/${id}`
  await given.make(ANA, `${line}/propose`)
  const papers = `source like 'inspection:%'`
  fill(given.t, 'document', RECORDS.inspection - 1, { source: `source || '-' || i.n`, code: 'code || i.n' }, papers)
  for (const step of ['revise', 'propose', 'revise']) await given.make(ANA, `${line}/${step}`)
  expect(await codeOf(given, ANA, `${line}/propose`, {})).toBe('409 quota_exceeded')
  const exit = await given.make(ANA, 'POST /api/v1/inspections', { bookingId: given.bookingId, kind: 'EXIT' })
  await given.make(ANA, `PATCH /api/v1/inspections/${exit}`, { rooms: body.rooms })
  expect(await codeOf(given, ANA, `POST /api/v1/inspections/${exit}/propose`, {})).toBe('200')
})

test('notices to leave: those taken back count, and a landlord cannot use up those of the tenant', async () => {
  const given = await lease()
  const path = `/api/v1/bookings/${given.bookingId}/notice`
  const back = async (who: string) => expect((await given.t.call(who, `DELETE ${path}`)).status).toBe(200)
  const leave = (by: string) => ({ by, leaveOn: '2026-09-30' })
  await given.make(ANA, `POST ${path}`, leave('LANDLORD'))
  await back(ANA)
  const papers = `source like 'leave:%'`
  const copies = { source: `source || '-' || i.n`, code: 'code || i.n' }
  fill(given.t, 'document', RECORDS.leaving.LANDLORD, copies, papers)
  const trail = () => given.t.rows("select count(*) n from audit_entry where action = 'booking.notice'")
  const before = trail()
  for (const by of ['LANDLORD', 'TENANT'])
    expect([by, await codeOf(given, ANA, `POST ${path}`, leave(by))]).toEqual([by, '409 quota_exceeded'])
  expect(trail()).toEqual(before)
  expect(await codeOf(given, TOM, `POST ${path}`, leave('TENANT'))).toBe('200')
  await back(TOM)
  const newest = `(select max(id) from document where ${papers})`
  given.t.store.client.exec(`delete from document where ${papers} and id <> ${newest}`)
  fill(given.t, 'document', RECORDS.leaving.TENANT, copies, papers)
  expect(await codeOf(given, TOM, `POST ${path}`, leave('TENANT'))).toBe('409 quota_exceeded')
  expect(await codeOf(given, ANA, `POST /api/v1/bookings/${given.bookingId}/terminate`, {})).toBe('200')
})

test('a lease is not ended and taken up again for ever; once ended, money still comes in', async () => {
  const given = await lease()
  await given.t.work()
  const line = `POST /api/v1/bookings/${given.bookingId}`
  for (const step of ['terminate', 'reinstate']) await given.make(ANA, `${line}/${step}`)
  const papers = `source like 'statement:%'`
  const copies = { source: `source || '-' || i.n`, code: 'code || i.n' }
  fill(given.t, 'document', RECORDS.statements - 2, copies, papers)
  for (const step of ['terminate', 'reinstate', 'terminate']) await given.make(ANA, `${line}/${step}`)
  const before = given.t.rows('select * from booking')
  expect(await codeOf(given, ANA, `${line}/reinstate`, {})).toBe('409 quota_exceeded')
  expect(given.t.rows('select * from booking')).toEqual(before)
  const { body } = await given.t.call<{ id: string }[]>(ANA, 'GET /api/v1/invoices?status=ISSUED,OVERDUE')
  const cash = { amount: 100, method: 'CASH', paidOn: '2026-03-10' }
  expect(await codeOf(given, ANA, `POST /api/v1/invoices/${body[0]?.id}/payments`, cash)).toBe('201')
})
