// Charges of many leases are shared, issued and undone, each in one write.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { type Server, startServer } from '../support/server.ts'

afterAll(cleaner())

type Json = Record<string, unknown>
const LEASES = 30
let s: Server
let owner = ''
let house = ''
let of = ''
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  s = await startServer({ data: temporaryFolder('long-charges') })
  owner = await s.token('OWNER')
  const place = { name: 'Grande maison', addressLine: 'Rue 1', city: 'Douala' }
  house = String((await s.call(owner, 'POST /api/v1/properties', place)).body.id)
  of = `/api/v1/properties/${house}`
  for (let n = 0; n < LEASES; n++) {
    const unit = await s.call(owner, `POST ${of}/units`, { label: `A${n}`, rentAmount: 60_000 })
    const { body: tenant } = await s.call(owner, 'POST /api/v1/tenants', { fullName: `Locataire ${n}` })
    const terms = { unitId: unit.body.id, tenantId: tenant.id, startDate: dayAgo(60) }
    const { body: lease } = await s.call(owner, 'POST /api/v1/bookings', terms)
    for (const step of ['submit', 'activate'])
      expect(
        (await s.call(owner, `POST /api/v1/bookings/${lease.id}/${step}`, step === 'submit' ? { blanks: true } : {}))
          .status,
      ).toBe(200)
  }
}, 120_000)

const list = async (path: string): Promise<Json[]> =>
  (await fetch(`${s.base}${path}`, { headers: { authorization: `Bearer ${owner}` } })).json() as Promise<Json[]>
/** Regularisations of the house, and the invoices of charges that stand. */
async function counts(): Promise<number[]> {
  const invoices = await list(`/api/v1/invoices?propertyId=${house}&limit=200&status=ISSUED,OVERDUE,PAID`)
  return [
    (await list(`/api/v1/regularisations?propertyId=${house}`)).length,
    invoices.filter(({ kind }) => kind === 'CHARGES').length,
  ]
}

test('previewed, issued once for each key, and undone', async () => {
  const body = {
    periodStart: dayAgo(40),
    periodEnd: dayAgo(10),
    items: [{ label: 'Gardiennage', key: 'EQUAL', costs: [{ label: 'Gardien', amount: 90_000 }] }],
  }
  const told = await s.call(owner, `POST ${of}/regularisations/preview`, body)
  expect(told).toMatchObject({ status: 200, body: { costAmount: 90_000, chargedAmount: 90_000 } })
  expect(await counts()).toEqual([0, 0])

  // What is refused changes nothing.
  const late = { ...body, items: [{ label: 'Gardiennage', key: 'EQUAL', costs: [] }] }
  const refused = await s.call(owner, `POST ${of}/regularisations`, late)
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: '/items/0/costs' }] } })
  const stale = await s.call(owner, `POST ${of}/regularisations`, body, { 'if-match': '"read.long.ago"' })
  expect(stale.status).toBe(412)
  expect(await counts()).toEqual([0, 0])

  const key = { 'idempotency-key': 'charges-1' }
  const issuing = s.call(owner, `POST ${of}/regularisations`, body, key)
  const twin = s.call(owner, `POST ${of}/regularisations`, body, key)
  const issued = await issuing
  expect(issued).toMatchObject({ status: 201, body: { status: 'ISSUED', chargedAmount: 90_000 } })
  expect(await twin).toMatchObject({ status: 201, body: issued.body })
  expect(await counts()).toEqual([1, LEASES])
  const path = `/api/v1/regularisations/${issued.body.id}`
  expect(issued.headers.get('location')).toBe(path)
  const seen = await s.call(owner, `GET ${path}`)
  expect(issued.body).toEqual(seen.body)
  expect(issued.headers.get('etag')).toBe(seen.headers.get('etag'))
  const shares = seen.body.shares as Json[]
  expect(shares.map(({ grossAmount }) => grossAmount)).toEqual(Array(LEASES).fill(90_000 / LEASES))

  const tenant = await s.token('TENANT')
  expect((await s.call(tenant, `POST ${path}/cancel`, {})).status).toBe(403)
  const undone = await s.call(owner, `POST ${path}/cancel`, {}, { 'idempotency-key': 'undo-1' })
  expect(undone).toMatchObject({ status: 200, body: { id: issued.body.id, status: 'CANCELLED' } })
  expect(await counts()).toEqual([1, 0])
}, 120_000)
