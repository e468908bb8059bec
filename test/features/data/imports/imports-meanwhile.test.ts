// What happens while a file is gone through: changes by colleagues, a full disk, no file handles.
import { expect, test } from 'bun:test'
import { AppError } from '../../../../src/errors.ts'
import { runImports } from '../../../../src/features/data/imports/jobs.ts'
import { type Answer, createTestApp, type TestApp } from '../../../support/app.ts'
import { begin, bring, count, LEASES, OWNER, PROPERTIES, type Run, UNITS } from '../../../support/imports.ts'

/** What colleagues do between the copy and the last step, and whether the run has to begin again for it. */
const MEANWHILE: readonly (readonly [
  string,
  (t: TestApp, id: Record<string, string>) => Promise<unknown>,
  again: boolean,
])[] = [
  ['enter another property', (t) => t.call(OWNER, 'POST /api/v1/properties', AT), false],
  [
    'rename another property',
    (t, id) => t.call(OWNER, `PATCH /api/v1/properties/${id.other}`, { name: 'Rien' }),
    false,
  ],
  ['change another unit', (t, id) => t.call(OWNER, `PATCH /api/v1/units/${id.a2}`, { bedrooms: 2 }), false],
  [
    'add a unit of the same label elsewhere',
    (t, id) => t.call(OWNER, `POST /api/v1/properties/${id.other}/units`, { label: 'B1' }),
    false,
  ],
  ['enter another tenant', (t) => t.call(OWNER, 'POST /api/v1/tenants', { fullName: 'Autre' }), false],
  [
    'draft a lease of another unit',
    (t, id) =>
      t.call(OWNER, 'POST /api/v1/bookings', {
        unitId: id.a2,
        tenantId: id.zoe,
        startDate: '2026-04-01',
      }),
    false,
  ],
  ['change the property', (t, id) => t.call(OWNER, `PATCH /api/v1/properties/${id.tour}`, { quartier: 'Akwa' }), true],
  ['change the unit', (t, id) => t.call(OWNER, `PATCH /api/v1/units/${id.b1}`, { bedrooms: 2 }), true],
  [
    'draft a lease of the unit',
    (t, id) =>
      t.call(OWNER, 'POST /api/v1/bookings', {
        unitId: id.b1,
        tenantId: id.zoe,
        startDate: '2026-04-01',
      }),
    true,
  ],
  [
    'enter somebody of the same name',
    (t) => t.call(OWNER, 'POST /api/v1/tenants', { fullName: 'SOCIÉTÉ Kribi' }),
    true,
  ],
  [
    'enter somebody of the same number',
    (t) => t.call(OWNER, 'POST /api/v1/tenants', { fullName: 'Anne', phoneNumber: '+237677123456' }),
    true,
  ],
  ['change the settings', (t) => t.call('ADMIN', 'PATCH /api/v1/admin/organization', { issueDaysBefore: 7 }), true],
]
const AT = { name: 'Villa', addressLine: 'Rue 9', city: 'Kribi' }

test.each(MEANWHILE)('colleagues who %s while a file of leases is gone through', async (_what, act, again) => {
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
  let writes = 0
  let read = 0
  let seen = 0
  const write: typeof t.write = async (orgId, fn) => {
    writes += 1
    // The third is the last step of the first try.
    if (writes === 3) seen = ((await act(t, { other, tour, zoe, ...units })) as Answer).status
    return t.write(orgId, fn)
  }
  const tables = {
    ...t.tables,
    read: (...given: Parameters<typeof t.tables.read>) => {
      read += 1
      return t.tables.read(...given)
    },
  }
  await runImports({ ...t.deps, write, tables })
  expect(seen).toBeOneOf([200, 201])
  expect(read).toBe(again ? 2 : 1)
  const run = (await t.call<Run>(OWNER, `GET /api/v1/imports/${body.id}`)).body
  if (!again) expect(run).toMatchObject({ status: 'SUCCEEDED', problems: [], created: { bookings: 2, invoices: 1 } })
  expect(t.store.client.pragma('foreign_key_check')).toEqual([])
})

test('with a write of colleagues before each last step a file comes in at the first try, and what they wrote stands', async () => {
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
  expect(entered).toBe(3)
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
  const importThread = { run: none, change: none, close: async () => {} }
  await expect(runImports({ ...t.deps, importThread })).rejects.toThrow()
  expect(await state()).toMatchObject({ status: 'QUEUED', problems: [] })
  expect(count(t, 'property')).toBe(0)
  const later = { ...t.deps.clock, wall: () => t.deps.clock.wall() + 5000 }
  expect(await runImports({ ...t.deps, clock: later })).toBe(1)
  expect(await state()).toMatchObject({ status: 'SUCCEEDED', created: { properties: 2 } })
  expect(count(t, 'property')).toBe(2)
})
