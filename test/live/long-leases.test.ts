// A lease with hundreds of invoices is paid, ended, reinstated and corrected, each in one write.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { type Server, startServer } from '../support/server.ts'

afterAll(cleaner())

type Json = Record<string, unknown>
let s: Server
let owner = ''
let tenant = ''
beforeAll(async () => {
  s = await startServer({ data: temporaryFolder('long-leases') })
  owner = await s.token('OWNER')
  tenant = await s.token('TENANT')
}, 60_000)

const ago = (years: number, months = 0): string =>
  `${new Date().getUTCFullYear() - years}-${String(1 + months).padStart(2, '0')}-15`
const START = ago(9)
let tenants = 0
/** A lease, of nine years unless said otherwise, that is billed from its first day, of a unit and a tenant of its own: debts of one tenant are set off. */
async function lease(start = START, least = 100): Promise<string> {
  tenants += 1
  const place = { name: 'Vieille maison', addressLine: 'Rue 1', city: 'Douala' }
  const { body: house } = await s.call(owner, 'POST /api/v1/properties', place)
  const { body: unit } = await s.call(owner, `POST /api/v1/properties/${house.id}/units`, {
    label: 'A',
    rentAmount: 60_000,
  })
  const terms = { unitId: unit.id, tenantPhoneNumber: `+2376770009${90 + tenants}`, startDate: start, billFrom: start }
  const { body, status } = await s.call(owner, 'POST /api/v1/bookings', terms)
  expect({ status, body }).toMatchObject({ status: 201 })
  for (const step of ['submit', 'activate'])
    expect(
      (await s.call(owner, `POST /api/v1/bookings/${body.id}/${step}`, step === 'submit' ? { blanks: true } : {}))
        .status,
    ).toBe(200)
  const id = String(body.id)
  await billed(id, least)
  return id
}
/** The jobs bill it slice by slice. */
async function billed(id: string, least = 100): Promise<void> {
  const path = `GET /api/v1/invoices?bookingId=${id}&limit=1&count=true&status=ISSUED,OVERDUE`
  for (let seen = -1, n = 0; seen !== n || n <= least; await Bun.sleep(300)) {
    seen = n
    n = Number((await s.call(owner, path)).headers.get('x-total-count'))
  }
}
/** Every invoice of a lease that is not cancelled: its number, period and amount. */
async function standing(id: string): Promise<string[]> {
  const lines: string[] = []
  let after = ''
  do {
    const answer = await fetch(`${s.base}/api/v1/invoices?bookingId=${id}&limit=100${after}`, {
      headers: { authorization: `Bearer ${owner}` },
    })
    for (const { status, periodStart, periodEnd, grossAmount, number } of (await answer.json()) as Json[])
      if (status !== 'CANCELLED') lines.push(`${number} ${periodStart} ${periodEnd} ${grossAmount}`)
    const cursor = /[?&]cursor=([^&>]+)/.exec(answer.headers.get('link') ?? '')?.[1]
    after = cursor === undefined ? '' : `&cursor=${cursor}`
  } while (after !== '')
  return lines.toSorted((a, b) => String(a.split(' ')[1]).localeCompare(String(b.split(' ')[1])))
}
test('ended and reinstated after five years', async () => {
  const id = await lease(ago(6), 60)
  const before = await standing(id)
  const ended = await s.call(owner, `POST /api/v1/bookings/${id}/terminate`, { endDate: ago(6, 1), confirm: true })
  expect(ended).toMatchObject({ status: 200, body: { status: 'TERMINATED' } })
  expect((await standing(id)).length).toBe(2)
  const undone = await s.call(owner, `POST /api/v1/bookings/${id}/reinstate`, {})
  expect(undone).toMatchObject({ status: 200, body: { status: 'ACTIVE' } })
  expect(before.length).toBeGreaterThan(60)
  await billed(id, before.length - 1)
})

test('ended, told before, repeated and undone', async () => {
  const id = await lease()
  const of = `/api/v1/bookings/${id}`
  const before = await standing(id)
  expect(before.length).toBeGreaterThan(100)
  const body = { endDate: ago(9, 1), confirm: true }

  const told = await s.call(owner, `GET ${of}/settlement?endDate=${body.endDate}`)
  expect(told).toMatchObject({ status: 200, body: { needsConfirm: true, depositHeldAmount: 0 } })
  expect(await standing(id)).toEqual(before)

  // What is refused changes nothing.
  expect(await s.call(owner, `POST ${of}/terminate`, { endDate: body.endDate })).toMatchObject({
    status: 422,
    body: { code: 'validation_failed', errors: [{ path: '/confirm' }] },
  })
  expect(await s.call(owner, `POST ${of}/terminate`, body, { 'if-match': '"read.long.ago"' })).toMatchObject({
    status: 412,
  })
  expect((await s.call(tenant, `POST ${of}/terminate`, body)).status).toBe(403)
  expect((await s.call(tenant, `GET ${of}/settlement?endDate=${body.endDate}`)).status).toBe(404)
  expect(await standing(id)).toEqual(before)

  const key = { 'idempotency-key': 'end-1' }
  const ended = await s.call(owner, `POST ${of}/terminate`, body, key)
  expect(ended).toMatchObject({ status: 200, body: { id, status: 'TERMINATED', endDate: body.endDate } })
  expect(ended.headers.get('idempotency-replayed')).toBeNull()
  const after = await standing(id)
  const [first, last] = [before[0] ?? '', after.at(-1) ?? '']
  expect(after).toEqual([first, last])
  expect(last).toContain(` ${body.endDate} `)
  expect(told.body.invoices).toHaveLength(before.length + 1)

  const again = await s.call(owner, `POST ${of}/terminate`, body, key)
  expect(again).toMatchObject({ status: 200, body: ended.body })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.headers.get('etag')).toBe(ended.headers.get('etag'))
  const other = await s.call(owner, `POST ${of}/terminate`, { ...body, reason: 'Autre' }, key)
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })

  // Two at once are one.
  const undo = { 'idempotency-key': 'undo-1' }
  const twins = await Promise.all([1, 2].map(() => s.call(owner, `POST ${of}/reinstate`, {}, undo)))
  expect(twins.map(({ status, body }) => [status, body.status])).toEqual([
    [200, 'ACTIVE'],
    [200, 'ACTIVE'],
  ])
  expect(twins[1]?.body.version).toBe(twins[0]?.body.version)
  expect(await standing(id)).toEqual(before)
}, 120_000)

test('corrected', async () => {
  const id = await lease()
  const before = await standing(id)
  const corrected = await s.call(owner, `POST /api/v1/bookings/${id}/correct`, { rentAmount: 61_000 })
  expect(corrected).toMatchObject({ status: 200, body: { rentAmount: 61_000, status: 'ACTIVE' } })
  await billed(id)
  const periods = (lines: string[], rent: number) =>
    lines.filter((line) => line.endsWith(` ${rent}`)).map((line) => line.split(' ').slice(1, 3).join(' '))
  const after = await standing(id)
  expect(periods(after, 61_000)).toEqual(periods(before, 60_000))
  expect(periods(after, 60_000)).toEqual([])
}, 120_000)

const today = (): string => new Date().toISOString().slice(0, 10)
/** What is owed on a lease, and its credit. */
async function balance(id: string): Promise<number[]> {
  const { body } = await s.call(owner, `GET /api/v1/bookings/${id}/advance?months=0`)
  const { body: lease } = await s.call(owner, `GET /api/v1/bookings/${id}`)
  return [Number(body.openAmount), Number(lease.creditAmount ?? 0)]
}

test('paid at once, told again, taken back, and paid after its end', async () => {
  const id = await lease()
  const of = `/api/v1/bookings/${id}`
  const count = (await standing(id)).length
  const owed = count * 60_000
  expect(await balance(id)).toEqual([owed, 0])

  // What is refused changes nothing.
  const early = { amount: owed, method: 'CASH', paidOn: '1990-01-01' }
  expect(await s.call(owner, `POST ${of}/payments`, early)).toMatchObject({
    status: 422,
    body: { errors: [{ path: '/paidOn' }] },
  })
  const body = { amount: owed + 30 * 60_000 + 5, method: 'CASH', paidOn: today(), reference: 'R 1' }
  expect(await s.call(owner, `POST ${of}/payments`, body, { 'if-match': '"read.long.ago"' })).toMatchObject({
    status: 412,
  })
  expect((await s.call(tenant, `POST ${of}/payments`, body)).status).toBe(403)
  expect(await balance(id)).toEqual([owed, 0])

  const key = { 'idempotency-key': 'pay-1' }
  const advance = s.call(owner, `POST ${of}/payments`, body, key)
  const twin = s.call(owner, `POST ${of}/payments`, body, key)
  const done = await advance
  expect(done).toMatchObject({ status: 201, body: { creditAmount: 5 } })
  const payment = done.body.payment as Json
  expect(done.headers.get('location')).toBe(`/api/v1/payments/${payment.id}`)
  expect((done.body.invoiceIds as string[]).length).toBe(count + 30)
  expect(await twin).toMatchObject({ status: 201, body: done.body })
  const again = await s.call(owner, `POST ${of}/payments`, body, key)
  expect(again).toMatchObject({ status: 201, body: done.body })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await s.call(owner, `POST ${of}/payments`, { ...body, amount: 1 }, key)).toMatchObject({
    status: 422,
    body: { code: 'idempotency_mismatch' },
  })
  expect(await s.call(owner, `POST ${of}/payments`, body)).toMatchObject({ status: 409, body: { code: 'duplicate' } })
  expect(await balance(id)).toEqual([0, 5])

  const reverse = `POST /api/v1/payments/${payment.id}/reverse`
  expect((await s.call(tenant, reverse, {})).status).toBe(403)
  const reversed = await s.call(owner, reverse, { reason: 'Erreur' }, { 'idempotency-key': 'back-1' })
  expect(reversed).toMatchObject({ status: 200, body: { id: payment.id, status: 'REVERSED', note: 'Erreur' } })
  const seen = await s.call(owner, `GET /api/v1/payments/${payment.id}`)
  expect(reversed.body).toEqual(seen.body)
  expect(reversed.headers.get('etag')).toBe(seen.headers.get('etag'))
  expect(await s.call(owner, reverse, {})).toMatchObject({ status: 200, body: { status: 'REVERSED' } })
  const all = owed + 30 * 60_000
  expect(await balance(id)).toEqual([all, 0])

  // Once the lease has ended, money for one invoice pays what else is owed.
  const end = { endDate: today(), confirm: true }
  expect((await s.call(owner, `POST ${of}/terminate`, end)).status).toBe(200)
  const { body: settled } = await s.call(owner, `GET ${of}/advance?months=0`)
  const left = Number(settled.openAmount)
  const list = await fetch(`${s.base}/api/v1/invoices?bookingId=${id}&limit=1&status=ISSUED,OVERDUE`, {
    headers: { authorization: `Bearer ${owner}` },
  })
  const [invoice] = (await list.json()) as Json[]
  const whole = await s.call(owner, `POST /api/v1/invoices/${invoice?.id}/payments`, {
    amount: left + 7,
    method: 'CASH',
    paidOn: today(),
  })
  expect(whole).toMatchObject({ status: 201, body: { amount: left + 7, unallocatedAmount: 7, status: 'CONFIRMED' } })
  expect(whole.headers.get('etag')).toBe(
    (await s.call(owner, `GET /api/v1/payments/${whole.body.id}`)).headers.get('etag'),
  )
  expect(await balance(id)).toEqual([0, 7])
}, 120_000)
