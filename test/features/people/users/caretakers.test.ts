// A manager who is limited to some properties: who sets that, and what it takes away at once.
import { describe, expect, test } from 'bun:test'
import { runExports } from '../../../../src/features/data/exports/jobs.ts'
import { uuid } from '../../../support/app.ts'
import { type eves, marie, neighbours } from '../../../support/neighbours.ts'
import { PASSWORD } from '../../../support/oidc.ts'
import { ADA, createStaffApp, MIA as MIAS, USERS } from '../../../support/people.ts'
import { routesOf } from '../../../support/routes.ts'
import { phoneOf, scenario, stage } from '../../../support/scenario.ts'
import { worldApp } from '../../../support/world.ts'

const MIA = '/admin/users/{mia}'
const limited = async (s: Parameters<typeof eves>[0]): Promise<void> => {
  await neighbours(s)
  await s.make('eve', 'POST /tenants', { fullName: 'Chez Eve', phoneNumber: '+237699000001' }, 'hers')
  await s.make('eve', 'POST /bookings', { unitId: '{b1}', tenantId: '{hers}', startDate: '2026-03-01' }, 'eves')
  await s.make('eve', 'POST /bookings/{eves}/submit')
  await s.make('eve', 'POST /bookings/{eves}/activate')
  await s.make('ada', `PATCH ${MIA}`, { propertyIds: ['{villa}'] })
}

scenario('an administrator limits a manager to properties, and takes the limit away', { given: neighbours }, [
  ['mia', 'GET /properties/{case}', undefined, 200, { name: 'Case' }],
  ['mia', 'GET /me', undefined, 200, { roles: ['MANAGER'] }, { lacks: ['propertyIds'] }],
  ['ada', `PATCH ${MIA}`, { propertyIds: ['{villa}', '{nobody}'] }, 422, { errors: [{ path: '/propertyIds/1' }] }],
  ['ada', `PATCH ${MIA}`, { propertyIds: ['{villa}', '{villa}'] }, 422, { errors: [{ path: '/propertyIds' }] }],
  ['ada', 'PATCH /admin/users/{ana}', { propertyIds: ['{villa}'] }, 422, { errors: [{ path: '/propertyIds' }] }],
  ['ada', 'PATCH /admin/users/{ada}', { propertyIds: ['{villa}'] }, 422, { errors: [{ path: '/propertyIds' }] }],
  ['mia', `PATCH ${MIA}`, { propertyIds: ['{villa}'] }, 403],
  ['ada', `PATCH ${MIA}`, { propertyIds: ['{villa}'] }, 200, { propertyIds: ['{villa}'] }, { audit: 'user.limit' }],
  ['ada', `PATCH ${MIA}`, { propertyIds: ['{villa}'] }, 200, { propertyIds: ['{villa}'] }],
  ['mia', 'GET /me', undefined, 200, { roles: ['MANAGER'], propertyIds: ['{villa}'] }],
  ['mia', 'GET /properties/{villa}', undefined, 200],
  ['mia', 'GET /properties/{case}', undefined, 404],
  ['mia', `GET ${MIA}`, undefined, 403],
  ['ada', `PATCH ${MIA}`, { propertyIds: [] }, 200, { propertyIds: [] }, { audit: 'user.limit' }],
  ['mia', 'GET /properties/{villa}', undefined, 404],
  ['mia', 'GET /properties', undefined, 200, []],
  ['ada', `PATCH ${MIA}`, { propertyIds: null }, 200, {}, { audit: 'user.limit', lacks: ['propertyIds'] }],
  ['mia', 'GET /properties/{case}', undefined, 200],
])

scenario('a manager of some properties records there what a manager records', { given: limited }, [
  ['mia', 'GET /bookings/{anas}', undefined, 200, { tenantName: marie.fullName }],
  ['mia', 'GET /tenants/{marie}', undefined, 200],
  [
    'mia',
    'POST /invoices/{i1}/payments',
    { amount: 60_000, method: 'CASH', paidOn: '2026-03-10' },
    201,
    { status: 'CONFIRMED' },
    { audit: 'invoice.paid, payment.record', jobs: 'payment.confirmed' },
  ],
  ['mia', 'POST /requests', { unitId: '{a2}', title: 'Serrure' }, 201, { status: 'OPEN' }, { audit: 'repair.create' }],
  [
    'mia',
    'POST /expenses',
    { propertyId: '{villa}', amount: 5_000, kind: 'REPAIR', spentOn: '2026-03-09' },
    201,
    {},
    { audit: 'expense.create' },
  ],
  ['mia', 'PATCH /units/{a2}', { rentAmount: 65_000 }, 200, {}, { audit: 'unit.update' }],
])

scenario('and nothing of the rest, nor of the organization', { given: limited }, [
  ['mia', 'POST /properties', { name: 'N', addressLine: 'R', city: 'C' }, 403],
  ['mia', 'POST /properties/{villa}/duplicate', {}, 403],
  ['mia', 'PATCH /properties/{villa}', { ownerUserId: '{eve}' }, 403],
  ['mia', 'PATCH /properties/{villa}', { payTo: [] }, 403],
  ['mia', 'PATCH /properties/{villa}', { managementFees: [] }, 403],
  ['mia', 'POST /imports', { kind: 'tenants', dryRun: true, csv: 'Nom\nX' }, 403],
  ['mia', 'PUT /lease-templates/HOME', { clauses: [] }, 403],
  ['mia', 'GET /people', undefined, 403],
  ['mia', 'GET /webhook-endpoints', undefined, 403],
  ['mia', 'POST /verification/property-proofs', { propertyId: '{villa}' }, 403],
  ['mia', 'GET /bookings/{eves}', undefined, 404],
  ['mia', 'GET /tenants/{hers}', undefined, 404],
  ['mia', 'POST /bookings', { unitId: '{b2}', tenantId: '{marie}', startDate: '2026-04-01' }, 404],
  // A person without a lease there is a stranger.
  ['mia', 'POST /bookings', { unitId: '{a2}', tenantId: '{hers}', startDate: '2026-04-01' }, 404],
  ['mia', 'POST /expenses', { propertyId: '{case}', amount: 5_000, kind: 'REPAIR', spentOn: '2026-03-09' }, 404],
  ['mia', 'POST /requests', { unitId: '{b2}', title: 'Serrure' }, 404],
])

test('an edit of roles never lifts a limit: null alone does, and the trail says which properties it was about', async () => {
  const app = await createStaffApp()
  try {
    const id = app.ids[MIAS] ?? ''
    const change = async (body: object) => (await app.as(ADA, `PATCH ${USERS}/${id}`, body)).body.propertyIds
    const made = await app.as(ADA, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' })
    const villa = String(made.body.id)
    const sees = async () => (await app.as(MIAS, 'GET /api/v1/me')).body.propertyIds
    const last = () => app.rows('select action, details from audit_entry order by rowid desc limit 1')[0]
    expect(await change({ propertyIds: [villa] })).toEqual([villa])
    await app.as(ADA, `PATCH /api/v1/properties/${villa}`, { name: 'Villa 2' })
    for (const [roles, isShown] of [
      [['TENANT', 'MANAGER'], true],
      [['OWNER', 'MANAGER'], true],
      [['TENANT'], false],
      [['MANAGER', 'ADMIN'], false],
      [['MANAGER'], true],
    ] as const) {
      expect([roles, await change({ roles })]).toEqual([roles, [villa]])
      expect([roles, last()]).toEqual([
        roles,
        { action: 'user.roles', details: JSON.stringify({ roles: roles.join(','), properties: villa }) },
      ] as never)
      // Their own page tells of a limit that holds.
      expect([roles, await sees()]).toEqual([roles, isShown ? [villa] : undefined])
    }
    expect(await change({ status: 'DISABLED' })).toEqual([villa])
    expect(await change({ status: 'ACTIVE' })).toEqual([villa])
    expect(await change({ roles: ['OWNER', 'MANAGER'], propertyIds: null })).toBeUndefined()
    expect(last()).toEqual({
      action: 'user.roles',
      details: JSON.stringify({ roles: 'OWNER,MANAGER', formerProperties: villa }),
    } as never)
    await change({ roles: ['MANAGER'], propertyIds: [villa] })
    expect(await change({ propertyIds: null })).toBeUndefined()
    expect(last()).toEqual({ action: 'user.limit', details: JSON.stringify({ formerProperties: villa }) } as never)
  } finally {
    await app.close()
  }
})

test('what is taken away is gone at once: from tokens in use, and exports made before', async () => {
  const app = await createStaffApp()
  try {
    const id = app.ids[MIAS] ?? ''
    const change = (body: object) => app.as(ADA, `PATCH ${USERS}/${id}`, body)
    const made = await app.as(ADA, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' })
    const villa = String(made.body.id)
    const token = await app.token(MIAS, PASSWORD)
    const read = async () => (await app.call(`GET /api/v1/properties/${villa}`, undefined, { token })).status
    const exported = async () => {
      const run = await app.call('POST /api/v1/exports', {}, { token })
      await runExports(app.deps)
      return String(run.body.id)
    }
    const link = (run: string) => app.call(`GET /api/v1/exports/${run}/download-url`, undefined, { token })
    const open = async (url: unknown) => (await app.send(new Request(String(url)))).status
    const whole = await exported()
    const wholeUrl = (await link(whole)).body.url
    expect([await read(), await open(wholeUrl)]).toEqual([200, 200])
    expect((await change({ propertyIds: [villa] })).body.propertyIds).toEqual([villa])
    expect([await read(), (await link(whole)).status, await open(wholeUrl)]).toEqual([200, 403, 404])
    await Bun.sleep(5)
    const part = await exported()
    const partUrl = (await link(part)).body.url
    expect(await open(partUrl)).toBe(200)
    expect((await change({ propertyIds: [] })).body.propertyIds).toEqual([])
    expect([await read(), (await link(part)).status, await open(partUrl)]).toEqual([404, 403, 404])
    expect((await change({ roles: ['OWNER', 'MANAGER'], propertyIds: [villa] })).status).toBe(422)
    expect(app.rows('select count(*) n from assignment')).toEqual([{ n: 0 }])
    const invited = await app.invite(ADA, app.newNumber(), ['MANAGER'], { propertyIds: [villa] })
    expect([invited.status, invited.body.propertyIds]).toEqual([201, [villa]])
    expect((await app.as(ADA, `DELETE ${USERS}/${invited.body.id}`)).status).toBe(204)
    expect(app.rows('select count(*) n from assignment')).toEqual([{ n: 0 }])
  } finally {
    await app.close()
  }
})

test('a number of a stranger shows no name, and the search knows their own properties only', async () => {
  const s = await stage({ given: limited })
  const found = async (q: string) => (await s.ask('mia', `GET /search?q=${encodeURIComponent(q)}`)).text
  expect(await found('Secrette')).toContain('Secrette')
  for (const q of ['Chez Eve', 'B1', 'Case', '699000001', '2026-000002']) expect([q, await found(q)]).toEqual([q, '[]'])
  const draft = await s.ask('mia', 'POST /bookings', {
    unitId: '{a2}',
    tenantPhoneNumber: '+237699000001',
    startDate: '2026-04-01',
  })
  expect([draft.status, draft.text.includes('Chez Eve')]).toEqual([201, false])
})

test('a number that they type does not say whether it has an account', async () => {
  const s = await stage({ given: limited })
  const typed = async (phoneNumber: string) => {
    const { body } = await s.ask('mia', 'POST /tenants', { fullName: 'Voisin', phoneNumber })
    const lease = { unitId: '{a2}', tenantPhoneNumber: phoneNumber, startDate: '2026-04-01' }
    const drawn = await s.ask('mia', 'POST /bookings', lease)
    const read = await s.ask('mia', `GET /tenants/${body.id}`)
    return [body.userId, drawn.status, drawn.body.tenantUserId, read.body.userId]
  }
  expect(await typed(phoneOf('tia'))).toEqual(await typed('+237677000042'))
})

describe('every read of the manager of one property', async () => {
  const { t, w } = await worldApp()
  const CAL = 'MANAGER.cal'
  await t.call(CAL, 'GET /api/v1/me')
  await t.call(w.as.ada, `PATCH /api/v1/admin/users/${uuid('cal~organization')}`, {
    propertyIds: [w.properties.PUBLISHED],
  })
  const organizations = new Set([w.hers.endpoint, w.hers.delivery])
  const theirs = [...Object.values(w.hers), w.properties.DRAFT, w.properties.ARCHIVED].filter(
    (id) => id !== '' && !organizations.has(id),
  )
  const reads = routesOf(t.app).filter(
    ({ line, roles, hidden }) => line.startsWith('GET /api') && !line.includes(':') && !hidden && roles !== 'public',
  )
  const asks: Record<string, string> = {
    'GET /api/v1/search': '?q=a',
    'GET /api/v1/inspections': '',
  }
  test.each(reads.map(({ line }) => line))('%s', async (line) => {
    const { status, text } = await t.call(CAL, `${line}${asks[line] ?? ''}`)
    expect([200, 403, 404, 422]).toContain(status)
    expect(theirs.filter((id) => text.includes(id))).toEqual([])
    expect(text).not.toContain('Studio')
    expect(text).not.toContain('Chantier')
  })
  test.each(['rent-roll', 'arrears', 'collection', 'occupancy', 'tva-journal', 'owner-statement', 'profit-loss'])(
    'the report %s',
    async (name) => {
      const all = await t.call(CAL, `GET /api/v1/reports/${name}?from=2026-01-01&to=2026-12-31`)
      const one = await t.call(
        w.as.mia,
        `GET /api/v1/reports/${name}?from=2026-01-01&to=2026-12-31&propertyId=${w.properties.PUBLISHED}`,
      )
      expect([all.status, all.body.rows]).toEqual([200, one.body.rows])
      expect(
        (await t.call(CAL, `GET /api/v1/reports/${name}?from=2026-01-01&to=2026-12-31&propertyId=${w.hers.property}`))
          .status,
      ).toBe(404)
    },
  )
  const LISTS = ['bookings', 'invoices', 'payments', 'documents', 'units', 'requests', 'inspections', 'expenses']
  test.each(LISTS)('the list of %s is that of the property, page by page, and counted', async (list) => {
    const of = `propertyId=${w.properties.PUBLISHED}`
    const whole = await t.call<{ id: string }[]>(w.as.mia, `GET /api/v1/${list}?limit=200&count=true&${of}`)
    const paged: string[] = []
    let next = `/api/v1/${list}?limit=2&count=true`
    while (next) {
      const { body, headers } = await t.call<{ id: string }[]>(CAL, `GET ${next}`)
      paged.push(...body.map(({ id }) => id))
      expect(headers.get('x-total-count')).toBe(whole.headers.get('x-total-count'))
      next = /<[^>]*?(\/api[^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    expect(paged).toEqual(whole.body.map(({ id }) => id))
    expect(paged.length).toBeGreaterThan(0)
    const since = await t.call<{ id: string }[]>(CAL, `GET /api/v1/${list}?limit=200&updatedSince=2020-01-01T00:00:00Z`)
    expect(since.body.map(({ id }) => id).sort()).toEqual(paged.toSorted())
  })
})
