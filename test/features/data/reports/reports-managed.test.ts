// The TVA journal of a manager of many properties: theirs alone, read once, however many they are.
import { expect, test } from 'bun:test'
import type { Scope } from '../../../../src/core/scope.ts'
import { jsonOf, readReport } from '../../../../src/features/data/reports/service.ts'
import { createTestApp, ORG, uuid } from '../../../support/app.ts'

const [ANA, TOM, MAX] = ['OWNER.ana', 'TENANT.tom', 'MANAGER.max']
const [FROM, TO] = ['2026-01-01', '2026-12-31']

test('as one journal, in one reading', async () => {
  const t = createTestApp()
  for (const who of [ANA, TOM, MAX]) await t.call(who, 'GET /api/v1/me')
  const make = async (line: string, body: object = {}) => {
    const answer = await t.call(ANA, line, body)
    expect(`${line} ${answer.status} ${answer.text}`).toMatch(/ 20[01] /)
    return String(answer.body.id)
  }
  const properties: string[] = []
  for (const name of ['Villa', 'Tour', 'Cour', 'Autre']) {
    const id = await make('POST /api/v1/properties', { name, addressLine: 'Rue 1', city: 'Douala' })
    const unitId = await make(`POST /api/v1/properties/${id}/units`, { label: 'A1', rentAmount: 50_000 })
    const lease = { unitId, tenantUserId: uuid('tom~organization'), startDate: '2026-02-01', billFrom: '2026-02-01' }
    const booking = await make('POST /api/v1/bookings', lease)
    for (const action of ['submit', 'activate']) await make(`POST /api/v1/bookings/${booking}/${action}`)
    properties.push(id)
  }
  await t.work()
  const given = properties.slice(0, 3)
  const userId = uuid('max~organization')
  const assign = t.store.client.prepare(
    `insert into assignment (org_id, user_id, property_id, created_by, created_at) values (?, ?, ?, ?, '')`,
  )
  for (const id of given) assign.run(ORG, userId, id, userId)

  type Line = { propertyId: string; invoiceNumber: string }
  async function read(scope: Scope, propertyId?: string) {
    let pauses = 0
    const rest = async (): Promise<void> => {
      pauses += 1
    }
    const asked = { orgId: ORG, scope, from: FROM, to: TO, propertyId, timeZone: 'Africa/Douala', today: '2026-03-10' }
    const about = { report: 'tva-journal' as const, from: FROM, to: TO, propertyId, currency: 'XAF' }
    const parts = readReport('tva-journal')(t.store.db, asked, rest)
    const text = (await Array.fromAsync(jsonOf('tva-journal', about, parts)))
      .map((piece) => (typeof piece === 'string' ? piece : new TextDecoder().decode(piece)))
      .join('')
    const { rows, totals } = JSON.parse(text) as { rows: Line[]; totals: Record<string, number> }
    return { rows, totals, pauses }
  }
  const limited: Scope = { kind: 'limited', userId, properties: given }
  const [all, mine] = [await read({ kind: 'all', userId }), await read(limited)]
  expect(new Set(all.rows.map(({ propertyId }) => propertyId))).toEqual(new Set(properties))
  expect(mine.rows).toEqual(all.rows.filter(({ propertyId }) => given.includes(propertyId)))
  expect(mine.rows.length).toBeGreaterThan(3)
  expect(mine.pauses).toBe(all.pauses)
  const each = await Promise.all(given.map((id) => read(limited, id)))
  for (const [name, sum] of Object.entries(mine.totals))
    expect([name, sum]).toEqual([name, each.reduce((n, { totals }) => n + (totals[name] ?? 0), 0)])
})
