// What happens while a file is gone through: changes by colleagues, a full disk, no file handles.
import { expect, test } from 'bun:test'
import { AppError } from '../../../../src/errors.ts'
import { runImports } from '../../../../src/features/data/imports/jobs.ts'
import { type Answer, createTestApp, type TestApp } from '../../../support/app.ts'
import { begin, bring, count, LEASES, OWNER, PROPERTIES, type Run, UNITS } from '../../../support/imports.ts'

/** What colleagues do before the rows are written, and whether it leaves the rows as they are. */
const MEANWHILE: readonly (readonly [
  string,
  (t: TestApp, id: Record<string, string>) => Promise<unknown>,
  apart: boolean,
])[] = [
  ['enter another property', (t) => t.call(OWNER, 'POST /api/v1/properties', AT), true],
  ['rename another property', (t, id) => t.call(OWNER, `PATCH /api/v1/properties/${id.other}`, { name: 'Rien' }), true],
  ['change another unit', (t, id) => t.call(OWNER, `PATCH /api/v1/units/${id.a2}`, { bedrooms: 2 }), true],
  [
    'add a unit of the same label elsewhere',
    (t, id) => t.call(OWNER, `POST /api/v1/properties/${id.other}/units`, { label: 'B1' }),
    true,
  ],
  ['enter another tenant', (t) => t.call(OWNER, 'POST /api/v1/tenants', { fullName: 'Autre' }), true],
  [
    'draft a lease of another unit',
    (t, id) =>
      t.call(OWNER, 'POST /api/v1/bookings', {
        unitId: id.a2,
        tenantId: id.zoe,
        startDate: '2026-04-01',
      }),
    true,
  ],
  ['change the property', (t, id) => t.call(OWNER, `PATCH /api/v1/properties/${id.tour}`, { quartier: 'Akwa' }), false],
  ['change the unit', (t, id) => t.call(OWNER, `PATCH /api/v1/units/${id.b1}`, { bedrooms: 2 }), false],
  [
    'draft a lease of the unit',
    (t, id) =>
      t.call(OWNER, 'POST /api/v1/bookings', {
        unitId: id.b1,
        tenantId: id.zoe,
        startDate: '2026-04-01',
      }),
    false,
  ],
  [
    'enter somebody of the same name',
    (t) => t.call(OWNER, 'POST /api/v1/tenants', { fullName: 'SOCIÉTÉ Kribi' }),
    false,
  ],
  [
    'enter somebody of the same number',
    (t) => t.call(OWNER, 'POST /api/v1/tenants', { fullName: 'Anne', phoneNumber: '+237677123456' }),
    false,
  ],
  ['change the settings', (t) => t.call('ADMIN', 'PATCH /api/v1/admin/organization', { issueDaysBefore: 7 }), false],
]
const AT = { name: 'Villa', addressLine: 'Rue 9', city: 'Kribi' }

test.each(MEANWHILE)('colleagues who %s while a file of leases is gone through', async (_what, act, apart) => {
  const t = createTestApp()
  await bring(t, { kind: 'properties', csv: `${PROPERTIES}Autre;Rue 3;Kribi;Bureau\n` })
  await bring(t, { kind: 'units', csv: UNITS })
  const { other = '', tour = '' } = Object.fromEntries(
    t
      .rows(
        "select id, case name when 'Tour' then 'tour' else 'other' end as word from property where name in ('Tour', 'Autre')",
      )
      .map((r) => [String(r.word), String(r.id)]),
  )
  const units = Object.fromEntries(
    t.rows('select lower(label) as label, id from unit').map((r) => [String(r.label), String(r.id)]),
  )
  const zoe = String((await t.call(OWNER, 'POST /api/v1/tenants', { fullName: 'Zoé' })).body.id)
  const { body } = await begin(t, { kind: 'leases', csv: LEASES })
  let seen = 0
  const tables = {
    ...t.tables,
    async read(...given: Parameters<typeof t.tables.read>) {
      seen = ((await act(t, { other, tour, zoe, ...units })) as Answer).status
      return t.tables.read(...given)
    },
  }
  await runImports({ ...t.deps, tables })
  expect(seen).toBeOneOf([200, 201])
  const run = (await t.call<Run>(OWNER, `GET /api/v1/imports/${body.id}`)).body
  if (apart) expect(run).toMatchObject({ status: 'SUCCEEDED', problems: [], created: { bookings: 2, invoices: 1 } })
  expect(t.store.client.pragma('foreign_key_check')).toEqual([])
})

test('with a write of colleagues before each step a file comes in, and what they wrote stands', async () => {
  const t = createTestApp()
  await bring(t, { kind: 'properties', csv: PROPERTIES })
  await bring(t, { kind: 'units', csv: UNITS })
  await begin(t, { kind: 'leases', csv: LEASES })
  let entered = 0
  const write: typeof t.write = async (orgId, fn) => {
    const { status } = await t.call(OWNER, 'POST /api/v1/tenants', { fullName: `Autre ${entered++}` })
    expect(status).toBe(201)
    return t.write(orgId, fn)
  }
  await runImports({ ...t.deps, write })
  expect(t.rows("select status from import_run where kind = 'leases'")).toEqual([{ status: 'SUCCEEDED' }])
  expect(entered).toBe(2)
  expect(count(t, 'tenant')).toBe(2 + entered)
})

test('while the disk is full a run waits, is tried less and less often, and comes in once there is room', async () => {
  const t = createTestApp()
  const { body } = await begin(t, { kind: 'properties', csv: PROPERTIES })
  let wall = t.deps.clock.wall()
  let tried = 0
  let notes = true
  const full = () => {
    tried += 1
    // The second time the disk refuses even to note that the run waits.
    notes = tried !== 2
    throw new AppError('storage_unavailable')
  }
  const deps = { ...t.deps, clock: { ...t.deps.clock, wall: () => wall } }
  const write: typeof t.write = async (orgId, fn) => {
    if (notes) return t.write(orgId, fn)
    throw new AppError('storage_unavailable')
  }
  const state = async () => (await t.call<Run>(OWNER, `GET /api/v1/imports/${body.id}`)).body
  const states: string[] = []
  for (const seconds of [5, 10, 20, 40, 80]) {
    await expect(runImports({ ...deps, write, tables: { ...t.tables, read: full } })).rejects.toThrow()
    notes = true
    states.push((await state()).status)
    wall += (seconds - 1) * 1000
    expect(await runImports(deps)).toBe(0)
    wall += 1000
  }
  expect([tried, ...states]).toEqual([5, 'QUEUED', 'RUNNING', 'QUEUED', 'QUEUED', 'QUEUED'])
  expect(await runImports(deps)).toBe(1)
  expect(await state()).toMatchObject({ status: 'SUCCEEDED', created: { properties: 2 } })
  expect(count(t, 'property')).toBe(2)
})

test('without file handles for its thread a run waits, and comes in once there are some', async () => {
  const t = createTestApp()
  const { body } = await begin(t, { kind: 'properties', csv: PROPERTIES })
  const state = async () => (await t.call<Run>(OWNER, `GET /api/v1/imports/${body.id}`)).body
  const none = () => Promise.reject(new AppError('overloaded'))
  const aside = { run: none, close: async () => {} }
  await expect(runImports({ ...t.deps, aside })).rejects.toThrow()
  expect(await state()).toMatchObject({ status: 'QUEUED', problems: [] })
  expect(count(t, 'property')).toBe(0)
  const later = { ...t.deps.clock, wall: () => t.deps.clock.wall() + 5000 }
  expect(await runImports({ ...t.deps, clock: later })).toBe(1)
  expect(await state()).toMatchObject({ status: 'SUCCEEDED', created: { properties: 2 } })
  expect(count(t, 'property')).toBe(2)
})
