// Every member that a request may set is stored, read back and listed: by each route that changes or makes a resource.
import { describe, expect, test } from 'bun:test'
import { Kind, type TSchema } from '@sinclair/typebox'
import { CURRENCY } from '../../src/core/money.ts'
import type { TestApp } from '../support/app.ts'
import { fill, routesOf } from '../support/routes.ts'
import { room } from '../support/upkeep.ts'
import { samples, worldApp } from '../support/world.ts'

type Json = Record<string, unknown>
type Shape = TSchema & { anyOf?: TSchema[]; properties?: Record<string, TSchema>; minimum?: number; minLength?: number }

/** What one member is set to must not stand in the way of the next: each has a world of its own, with the same ids. */
const fresh = () => worldApp(['organization'], { webhookReach: 'ANY' })
const { t: example, w } = await fresh()
const routes = routesOf(example.app)
const all = samples(w)

/** What is sent where no value can be made up from the schema; members that only come together are sent together. */
const place = { latitude: 4.05, longitude: 9.7 }
const cost = { costAmount: 7, costCurrency: CURRENCY, costKind: 'LABOUR', costOn: '2026-03-02' }
const VALUES: Readonly<Record<string, Json>> = {
  'PATCH /api/v1/me email': { email: 'another@example.cm' },
  'PATCH /api/v1/admin/organization timeZone': { timeZone: 'Africa/Lagos' },
  'PATCH /api/v1/admin/organization reminderSchedule': { reminderSchedule: [-5, 1] },
  'PATCH /api/v1/admin/organization quietHours': { quietHours: { from: '21:00', to: '06:00' } },
  'PATCH /api/v1/admin/organization phoneNumber': { phoneNumber: '+237233421100' },
  'PATCH /api/v1/admin/organization messagesPerDay': { messagesPerDay: 300 },
  'PATCH /api/v1/admin/organization payTo': { payTo: [{ method: 'CASH', note: 'Au bureau' }] },
  'PATCH /api/v1/properties/:id payTo': { payTo: [{ method: 'MTN_MOMO', number: '677123456', holder: 'Ana' }] },
  'PATCH /api/v1/properties/:id latitude': place,
  'PATCH /api/v1/properties/:id longitude': { latitude: 4.06, longitude: 9.8 },
  'PATCH /api/v1/properties/:id amenities': { amenities: ['PARKING'] },
  'PATCH /api/v1/tenants/:id kind': { kind: 'COMPANY', representativeName: 'Odile Owona' },
  'PATCH /api/v1/tenants/:id phoneNumber': { phoneNumber: '+237677555444' },
  'PATCH /api/v1/bookings/:id startDate': { startDate: '2026-05-02' },
  'PATCH /api/v1/bookings/:id depositCurrency': { depositAmount: 7, depositCurrency: CURRENCY },
  'PATCH /api/v1/bookings/:id endDate': { endDate: '2027-05-01' },
  'PATCH /api/v1/bookings/:id billFrom': { billFrom: '2026-06-01' },
  'PATCH /api/v1/inspections/:id inspectedOn': { inspectedOn: '2026-03-02' },
  'PATCH /api/v1/inspections/:id rooms': { rooms: [room('01a1fc4b')] },
  'PATCH /api/v1/inspections/:id meters': { meters: [{ kind: 'WATER', number: 'C-1', reading: 12 }] },
  'PATCH /api/v1/requests/:id costCurrency': cost,
  'PATCH /api/v1/requests/:id costKind': cost,
  'PATCH /api/v1/requests/:id costOn': cost,
  'PATCH /api/v1/webhook-endpoints/:id url': { url: 'https://another.example.cm/loyer' },
  'PATCH /api/v1/webhook-endpoints/:id events': { events: ['invoice.issued'] },
  'PATCH /api/v1/properties/:id managementFees': {
    managementFees: [{ from: '2026-01-01', basisPoints: 1000, tvaBasisPoints: 0 }],
  },
  'PATCH /api/v1/meter-readings/:id readOn': { readOn: '2026-03-02' },
  'PATCH /api/v1/expenses/:id spentOn': { spentOn: '2026-03-02' },
  'PATCH /api/v1/expenses/:id unitId': { unitId: w.units.OCCUPIED },
  'PATCH /api/v1/properties/:id ownerUserId': { ownerUserId: w.userIds.eve },
  'PATCH /api/v1/bookings/:id reviewClause': { reviewClause: { formula: 'Indice des prix', from: '2028-01-01' } },
}
/** Members that a list leaves out, as they are long. */
const UNLISTED = ['PATCH /api/v1/inspections/:id rooms', 'PATCH /api/v1/inspections/:id meters']
/** Routes and members of which nothing can be read back here, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'PATCH /api/v1/ledger/accounts': 'answers a list: money/accounting.test.ts',
  'PATCH /api/v1/media/:id': 'orders photos alone: papers/media-shown.test.ts',
  'PATCH /api/v1/meters/:id retired': 'is read as `retiredAt`: lease/meters.test.ts',
  'PATCH /api/v1/meter-readings/:id mediaObjectId': 'needs an uploaded file: lease/meters.test.ts',
  'PATCH /api/v1/expenses/:id receiptMediaId': 'needs an uploaded file: money/expenses.test.ts',
  'PATCH /api/v1/expenses/:id repeat': 'is read as `repeatEvery` and `repeatUntil`: money/expenses.test.ts',
  'PATCH /api/v1/admin/organization tvaChange': 'is read as `tvaChanges`: people/organizations-tva.test.ts',
  'PATCH /api/v1/admin/users/:id': 'needs an identity provider: people/users.test.ts',
}

/** A value that fits the schema and is another than the present one. */
function another(given: TSchema, present: unknown): unknown {
  const s = given as Shape
  const kinds = s.anyOf?.filter(({ type }) => type !== 'null')
  // There is one currency.
  if (s.const !== undefined) return s.const
  if (kinds?.length === 1 && kinds[0]) return another(kinds[0], present)
  if (kinds) return kinds.map(({ const: word }) => word as unknown).find((word) => word !== present)
  if (s[Kind] === 'Text') return `another ${String(present ?? '').slice(0, 8)}`.trim()
  if (s.type === 'boolean') return present !== true
  if (s.type === 'integer' || s.type === 'number') return Math.max(s.minimum ?? 0, 7)
  return undefined
}
const membersOf = (schema: TSchema | undefined): [string, TSchema][] =>
  Object.entries((schema as Shape | undefined)?.properties ?? {})
const read = async (t: TestApp, path: string) => (await t.call(w.as.ada, `GET ${path}`)).body
/** The row of a list that has this id. */
const listed = async (t: TestApp, path: string, id: unknown) =>
  (await t.call<Json[]>(w.as.ada, `GET ${path}?limit=200`)).body.find((row) => row.id === id)
const has = (line: string): boolean => routes.some((route) => route.line === line)

/** What is made with all its members; a POST that is missing here takes a step and sets no columns of its own choosing. */
const MADE: Readonly<Record<string, { readonly body: Json; readonly not?: readonly string[] }>> = {
  'POST /api/v1/properties': {
    body: {
      name: 'Résidence',
      addressLine: 'Rue 1',
      city: 'Douala',
      ...place,
      amenities: ['PARKING'],
      ownerUserId: w.userIds.ana,
    },
  },
  'POST /api/v1/properties/:id/units': { body: { label: 'Z9', rentAmount: 60_000 }, not: ['labels'] },
  'POST /api/v1/tenants': { body: { fullName: 'Une Autre', phoneNumber: '+237677555333' }, not: ['tenantUserId'] },
  'POST /api/v1/bookings': {
    body: {
      unitId: w.units.SPARE,
      tenantId: w.tenants.INVITED,
      startDate: '2027-05-01',
      endDate: '2028-04-30',
      billFrom: '2027-06-01',
    },
    not: ['tenantUserId', 'tenantPhoneNumber'],
  },
  'POST /api/v1/webhook-endpoints': { body: { url: 'https://third.example.cm/loyer', events: ['payment.recorded'] } },
}
describe.each(Object.entries(MADE))('%s', (line, { body: given, not = [] }) => {
  test('stores every member', async () => {
    const { t } = await fresh()
    const route = routes.find((r) => r.line === line)
    const sample = all.find((s) => s.line === line)
    const members = membersOf(route?.body).filter(([name]) => !not.includes(name))
    const sent = Object.fromEntries(members.map(([name, schema]) => [name, given[name] ?? another(schema, undefined)]))
    const { status, body, headers, text } = await t.call(w.as.ada, fill(line, sample?.mine), sent)
    expect([status, text]).toEqual([201, text])
    const shown = { answered: body, read: await read(t, String(headers.get('location'))) }
    for (const [how, row] of Object.entries(shown))
      for (const [name] of members) expect([how, name, row[name]]).toEqual([how, name, sent[name]])
  })
})

const patches = routes.filter(({ method, line }) => method === 'PATCH' && !(line in LEFT_OUT))
describe.each(patches.map((route) => [route.line, route] as const))('%s', (line, { path, body: schema }) => {
  const sample = all.find((s) => s.line === line)
  const where = fill(path, sample?.mine)
  for (const [name, member] of membersOf(schema).filter(([name]) => !(`${line} ${name}` in LEFT_OUT)))
    test(`stores ${name}`, async () => {
      const key = `${line} ${name}`
      const { t } = await fresh()
      const before = await read(t, where)
      const sent = VALUES[key] ?? { [name]: another(member, before[name]) }
      const { status, body, text } = await t.call(w.as.ada, `PATCH ${where}`, sent)
      expect([status, text]).toEqual([200, text])
      const shown: [string, Json | undefined][] = [
        ['answered', body],
        ['read', await read(t, where)],
      ]
      const list = line.endsWith('/units/:id')
        ? `/api/v1/properties/${String(body.propertyId)}/units`
        : path.endsWith('/:id')
          ? path.slice(0, -4)
          : undefined
      if (!UNLISTED.includes(key) && list !== undefined && has(`GET ${list.replace(String(body.propertyId), ':id')}`))
        shown.push(['listed', await listed(t, list, sample?.mine)])
      for (const [how, row] of shown)
        for (const [k, value] of Object.entries(sent)) expect([how, k, row?.[k]]).toEqual([how, k, value])
      if (sent[name] !== CURRENCY) expect(sent[name]).not.toEqual(before[name])
    })
})
