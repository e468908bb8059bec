// Sample data of the first run: made as people would, removed in one act with everything that hangs on them.
import { beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../../src/context.ts'
import { makeSamples } from '../../../../src/features/system/setup/sample-data.ts'
import { createTestApp, ORG, type TestApp, uuid } from '../../../support/app.ts'

const TABLES = [
  ...['property', 'unit', 'tenant', 'booking', 'invoice', 'transfer', 'payment', 'allocation', 'deposit_entry'],
  ...['document', 'signature', 'signed_copy', 'rent_message', 'letter', 'media_object', 'money_message'],
  ...['verification_case', 'verification_document'],
]
let t: TestApp
const counts = () =>
  Object.fromEntries(TABLES.map((name) => [name, t.deps.store.client.prepare(`select count(*) n from ${name}`).get()]))
beforeEach(async () => {
  t = createTestApp()
  // The first tokens make the organization and its people.
  await t.call('ADMIN', 'GET /api/v1/me')
  await t.call('OWNER', 'GET /api/v1/me')
})
const fill = () =>
  t.deps.write(ORG, (tx) => {
    const ctx = systemCtx(t.deps, tx, ORG, 'setup-sample')
    makeSamples({ ...ctx, caller: { ...ctx.caller, userId: uuid('owner~organization') } }, 'fr')
    return true
  })
type Row = Record<string, unknown>
const list = async (path: string): Promise<Row[]> => (await t.call<Row[]>('ADMIN', `GET /api/v1/${path}`)).body

test('they show a month as it is: paid, with something open, with hardly anything paid; nobody is written to', async () => {
  await fill()
  expect((await list('properties')).map(({ name, ownerUserId }) => [name, ownerUserId])).toEqual([
    ['Résidence d’exemple', uuid('owner~organization')],
  ])
  expect((await list('bookings')).map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE'])
  const invoices = await list('invoices')
  expect([...new Set(invoices.map(({ status }) => status))].sort()).toEqual(['OVERDUE', 'PAID'])
  await t.work()
  expect(t.sent).toEqual([])
})

test('without samples there is nothing to remove', async () => {
  expect((await t.call('ADMIN', 'GET /api/v1/admin/sample-data')).body).toEqual({ present: false })
  expect((await t.call('ADMIN', 'DELETE /api/v1/admin/sample-data')).status).toBe(404)
})

describe('removed', () => {
  test('everything goes, what people added too, and what is theirs stays', async () => {
    const own = { name: 'Villa Makepe', addressLine: 'Rue des palmiers', city: 'Douala' }
    const { body: villa } = await t.call('OWNER', 'POST /api/v1/properties', own)
    await t.call('OWNER', `POST /api/v1/properties/${villa.id}/units`, { labels: ['V1'], rentAmount: 90_000 })
    await t.call('OWNER', 'POST /api/v1/tenants', { fullName: 'Rose Mbarga', phoneNumber: '+237677123456' })
    const before = counts()
    await fill()
    const [open] = (await list('invoices')).filter(({ status }) => status !== 'PAID')
    await t.call('OWNER', `POST /api/v1/invoices/${open?.id}/payments`, {
      amount: 1_000,
      method: 'CASH',
      paidOn: '2026-03-09',
    })
    const [sample] = (await list('properties')).filter(({ name }) => name !== 'Villa Makepe')
    const proof = await t.call('OWNER', 'POST /api/v1/verification/property-proofs', { propertyId: sample?.id })
    expect(proof.status).toBe(201)
    await t.work()
    expect((await t.call('ADMIN', 'GET /api/v1/admin/sample-data')).body).toEqual({ present: true })
    for (const other of ['OWNER', 'MANAGER', 'TENANT', 'ADMIN.ada~otherorg'])
      expect([other, [403, 404].includes((await t.call(other, 'DELETE /api/v1/admin/sample-data')).status)]).toEqual([
        other,
        true,
      ])
    expect((await t.call('ADMIN', 'DELETE /api/v1/admin/sample-data')).status).toBe(204)
    expect(counts()).toEqual(before)
    expect((await list('properties')).map(({ name }) => name)).toEqual(['Villa Makepe'])
    expect((await list('tenants')).map(({ fullName }) => fullName)).toEqual(['Rose Mbarga'])
    await t.work()
    expect(counts()).toEqual(before)
    expect((await t.call('ADMIN', 'DELETE /api/v1/admin/sample-data')).status).toBe(404)
  })

  test('a tenant of one’s own in a sample unit: refused, and nothing goes', async () => {
    await fill()
    const { body: rose } = await t.call('OWNER', 'POST /api/v1/tenants', { fullName: 'Rose Mbarga' })
    const [sample] = await list('properties')
    const [free] = (await list(`properties/${sample?.id}/units`)).filter(({ status }) => status === 'AVAILABLE')
    const made = await t.call('OWNER', 'POST /api/v1/bookings', {
      unitId: free?.id,
      tenantId: rose.id,
      startDate: '2026-04-01',
    })
    expect(made.status).toBe(201)
    const before = counts()
    const answer = await t.call('ADMIN', 'DELETE /api/v1/admin/sample-data')
    expect([answer.status, answer.body.code]).toEqual([409, 'sample_data_in_use'])
    expect(counts()).toEqual(before)
  })
})
