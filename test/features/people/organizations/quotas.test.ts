// What one organization can make grow: rows are counted as they come, and refused beyond what an honest one ever has.
import { describe, expect, test } from 'bun:test'
import { KEPT_ANSWERS, ROWS, ROWS_SHARE, RUNS_KEPT } from '../../../../src/core/budgets.ts'
import { runImports } from '../../../../src/features/data/imports/jobs.ts'
import type { RowKind } from '../../../../src/features/people/organizations/quotas.ts'
import { createTestApp, ORG, type TestApp, uuid } from '../../../support/app.ts'
import { worldApp } from '../../../support/world.ts'

type Run = { status: string; problemCount: number; problems: { row: number; message: string }[] }
const KINDS = Object.keys(ROWS) as RowKind[]
const { t, w, other } = await worldApp(['organization', 'neighbour'])
const counted = (org: string) =>
  Object.fromEntries(t.rows('select kind, n from row_count where org_id = ?', org).map(({ kind, n }) => [kind, n]))
const set = (kind: string, n: number) =>
  t.store.client.prepare('update row_count set n = ? where org_id = ? and kind = ?').run(n, ORG, kind)
const columnsOf = (app: TestApp, table: string) =>
  app.rows(`select name from pragma_table_info('${table}')`).map(({ name }) => String(name))
const property = { name: 'Immeuble', addressLine: 'Rue 1', city: 'Douala' }

test('the counts are those of the tables, for each organization, and follow what goes', () => {
  for (const org of [w.orgId, other.orgId])
    for (const kind of KINDS)
      expect([kind, counted(org)[kind]]).toEqual([
        kind,
        t.rows(`select count(*) n from ${kind} where org_id = ?`, org)[0]?.n,
      ])
  const before = Number(counted(w.orgId).money_message)
  t.store.client.exec('savepoint s')
  t.store.client.prepare('delete from money_message where org_id = ?').run(w.orgId)
  expect([before > 0, counted(w.orgId).money_message]).toEqual([true, 0])
  t.store.client.exec('rollback to s; release s')
})

const CREATE: [kind: RowKind, line: string, body: object, word: string][] = [
  ['property', 'POST /api/v1/properties', property, '20000 properties'],
  ['unit', `POST /api/v1/properties/${w.properties.PUBLISHED}/units`, { label: 'Neuf' }, '50000 units'],
  ['unit', `POST /api/v1/properties/${w.properties.PUBLISHED}/units`, { labels: ['N1', 'N2'] }, '50000 units'],
  ['tenant', 'POST /api/v1/tenants', { fullName: 'Une Personne' }, '100000 tenants'],
  [
    'money_message',
    'POST /api/v1/payments/from-message',
    { text: 'You have received 700 XAF from A STRANGER at 2026-03-09 09:00:00. Financial Transaction Id: 9900000001.' },
    '500000 messages',
  ],
]
const withOwner = (line: string, body: object) =>
  line === 'POST /api/v1/properties' ? { ...body, ownerUserId: w.userIds.ana } : relabelled(body)
let labelled = 0
/** A label is not asked for twice in a building. */
const relabelled = (body: object) =>
  'labels' in body
    ? { labels: [`L${labelled++}`, `L${labelled++}`] }
    : 'label' in body
      ? { label: `L${labelled++}` }
      : body
test.each(CREATE)('%s: %s is refused at the bound, and one below it passes', async (kind, line, body, word) => {
  const size = 'labels' in body ? 2 : 1
  const is = Number(counted(ORG)[kind])
  set(kind, ROWS[kind] - size + 1)
  const before = JSON.stringify(t.rows(`select * from ${kind}`))
  const refused = await t.call(w.as.ana, line, body)
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    409,
    'quota_exceeded',
    expect.stringContaining(word),
  ])
  const french = await t.call(w.as.ana, line, body, { 'accept-language': 'fr' })
  expect(french.body.detail).toContain('l’exploitant de ce serveur')
  expect(JSON.stringify(t.rows(`select * from ${kind}`))).toBe(before)
  set(kind, ROWS[kind] - size)
  expect((await t.call(w.as.ana, line, body)).status).toBe(201)
  expect(counted(ORG)[kind]).toBe(ROWS[kind])
  set(kind, is + size)
})

test('leases: drafts, requests and renewals are refused at the bound', async () => {
  const is = Number(counted(ORG).booking)
  set('booking', ROWS.booking)
  const unit = t.rows(
    "select u.id from unit u join property p on p.id = u.property_id where u.status = 'AVAILABLE' and p.status = 'PUBLISHED' and u.org_id = ? and p.owner_user_id = ?",
    ORG,
    w.userIds.ana,
  )[0]?.id
  const draft = { unitId: unit, tenantPhoneNumber: '+237677112233', startDate: '2026-05-01', rentAmount: 1000 }
  for (const [who, body] of [
    [w.as.ana, draft],
    [w.as.tom, { unitId: unit, startDate: '2026-05-01' }],
  ] as const) {
    const { status, body: answer } = await t.call(who, 'POST /api/v1/bookings', body)
    expect([who, status, answer.code]).toEqual([who, 409, 'quota_exceeded'])
  }
  set('booking', is)
  expect((await t.call(w.as.ana, 'POST /api/v1/bookings', draft)).status).toBe(201)
})

describe('a share of the rows', () => {
  const share = (app: TestApp, kind: string, who: string, n: number) =>
    app.store.client
      .prepare(
        'insert into row_count values (?, ?, ?) on conflict (org_id, kind) do update set n = case when excluded.n < 0 then 0 else excluded.n end',
      )
      .run(ORG, `${kind} ${who}`, n)
  const entered = (app: TestApp, kind: string, who: string) =>
    Number(app.rows('select n from row_count where org_id = ? and kind = ?', ORG, `${kind} ${who}`)[0]?.n ?? 0)
  const LINES = CREATE.filter(([kind]) => kind !== 'money_message').concat([
    [
      'expense',
      'POST /api/v1/expenses',
      { propertyId: w.properties.PUBLISHED, kind: 'OTHER', amount: 500, spentOn: '2026-03-01' },
      '',
    ],
  ])

  test.each(LINES)(
    '%s: %s is refused to an OWNER who entered half of all, and to nobody else',
    async (kind, line, body) => {
      const size = 'labels' in body ? 2 : 1
      const before = entered(t, kind, w.userIds.ana)
      share(t, kind, w.userIds.ana, ROWS[kind] * ROWS_SHARE.landlord - size + 1)
      const rows = JSON.stringify(t.rows(`select * from ${kind}`))
      const refused = await t.call(w.as.ana, line, body)
      expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
        409,
        'quota_exceeded',
        expect.stringContaining('Ask a manager'),
      ])
      expect(JSON.stringify(t.rows(`select * from ${kind}`))).toBe(rows)
      expect((await t.call(w.as.mia, line, 'ownerUserId' in body ? body : withOwner(line, body))).status).toBe(201)
      share(t, kind, w.userIds.ana, ROWS[kind] * ROWS_SHARE.landlord - size)
      expect((await t.call(w.as.ana, line, relabelled(body))).status).toBe(201)
      expect(entered(t, kind, w.userIds.ana)).toBe(ROWS[kind] * ROWS_SHARE.landlord)
      share(t, kind, w.userIds.ana, before)
    },
  )

  test('all who reach a part together leave a quarter to the managers', async () => {
    const before = entered(t, 'property', 'parts')
    const own = entered(t, 'property', w.userIds.ana)
    share(t, 'property', 'parts', ROWS.property * ROWS_SHARE.all)
    for (const who of [w.as.ana, w.as.eve])
      expect((await t.call(who, 'POST /api/v1/properties', property)).body.code).toBe('quota_exceeded')
    expect((await t.call(w.as.ana, 'GET /api/v1/properties')).status).toBe(200)
    expect(
      (await t.call(w.as.mia, 'POST /api/v1/properties', withOwner('POST /api/v1/properties', property))).status,
    ).toBe(201)
    expect((await t.call(other.as.ana, 'POST /api/v1/properties', property)).status).toBe(201)
    expect(entered(t, 'property', 'parts')).toBe(ROWS.property * ROWS_SHARE.all)
    // What is refused counts for nobody.
    expect(entered(t, 'property', w.userIds.ana)).toBe(own)
    share(t, 'property', 'parts', before)
  })

  test('a file counts for who brings it in, and does not come in where it is too much', async () => {
    const app = createTestApp()
    await app.call('OWNER.ana', 'GET /api/v1/me')
    const ana = uuid('ana~organization')
    const bring = async (who: string, names: string[]) => {
      const csv = ['Nom;Adresse;Ville', ...names.map((n) => `${n};Rue 1;Douala`)].join('\n')
      const { body } = await app.call(who, 'POST /api/v1/imports', { kind: 'properties', csv })
      await runImports(app.deps)
      return (await app.call<Run>(who, `GET /api/v1/imports/${body.id}`)).body
    }
    expect(await bring('OWNER.ana', ['A', 'B'])).toMatchObject({ status: 'SUCCEEDED' })
    expect([entered(app, 'property', ana), entered(app, 'property', 'parts')]).toEqual([2, 2])
    share(app, 'property', ana, ROWS.property * ROWS_SHARE.landlord - 1)
    const refused = await bring('OWNER.ana', ['C', 'D'])
    expect(refused).toMatchObject({ status: 'FAILED' })
    expect(JSON.stringify(refused.problems)).toContain('Ask a manager')
    expect(app.rows("select 1 from property where name in ('C', 'D')")).toEqual([])
    expect(await bring('OWNER.ana', ['C'])).toMatchObject({ status: 'SUCCEEDED' })
    expect(entered(app, 'property', ana)).toBe(ROWS.property * ROWS_SHARE.landlord)
  })

  test('a tenant who asks and takes it back has a thousand requests', async () => {
    const unit = t.rows(
      "select u.id from unit u join property p on p.id = u.property_id where u.status = 'AVAILABLE' and p.status = 'PUBLISHED' and u.org_id = ?",
      ORG,
    )[0]?.id
    const ask = () => t.call(w.as.tom, 'POST /api/v1/bookings', { unitId: unit, startDate: '2026-05-01' })
    share(t, 'booking', w.userIds.tom, ROWS.booking * ROWS_SHARE.tenant - 1)
    const { status, body } = await ask()
    expect(status).toBe(201)
    expect((await t.call(w.as.tom, `POST /api/v1/bookings/${body.id}/cancel`)).status).toBe(200)
    expect((await ask()).body.code).toBe('quota_exceeded')
    expect((await t.call(w.as.tia, 'POST /api/v1/bookings', { unitId: unit, startDate: '2026-05-01' })).status).toBe(
      201,
    )
    expect((await t.call(w.as.tom, 'GET /api/v1/bookings')).status).toBe(200)
  })
})

test('one organization at its bound does not hold back another', async () => {
  const is = Number(counted(ORG).property)
  set('property', ROWS.property)
  expect((await t.call(w.as.ana, 'POST /api/v1/properties', property)).status).toBe(409)
  expect((await t.call(other.as.ana, 'POST /api/v1/properties', property)).status).toBe(201)
  set('property', is)
})

test('a file counts its rows as if they were entered by hand; one row too many keeps all of it out', async () => {
  const app = createTestApp()
  await app.call('OWNER.ana', 'GET /api/v1/me')
  const bring = async (names: string[]) => {
    const csv = ['Nom;Adresse;Ville', ...names.map((n) => `${n};Rue 1;Douala`)].join('\n')
    const { body } = await app.call('OWNER.ana', 'POST /api/v1/imports', { kind: 'properties', csv })
    await runImports(app.deps)
    return (await app.call<Run>('OWNER.ana', `GET /api/v1/imports/${body.id}`, undefined, { 'accept-language': 'fr' }))
      .body
  }
  const n = () => app.rows("select n from row_count where org_id = ? and kind = 'property'", ORG)[0]?.n
  expect(await bring(['A', 'B'])).toMatchObject({ status: 'SUCCEEDED' })
  expect(n()).toBe(2)
  // The copy that a file is gone through on counts what it finds, so the rows themselves are there.
  const put = app.store.client.prepare(
    `insert into property select ?, ${columnsOf(app, 'property').slice(1).join(', ')} from property limit 1`,
  )
  app.store.client.transaction(() => {
    for (let i = 0; i < ROWS.property - 3; i++) put.run(uuid(`property ${i}`))
  })()
  expect(n()).toBe(ROWS.property - 1)
  const refused = await bring(['C', 'D'])
  expect(refused).toMatchObject({ status: 'FAILED', problemCount: 1, problems: [{ row: 3 }] })
  expect(refused.problems[0]?.message).toContain('au plus 20000 biens')
  expect([n(), app.rows("select 1 from property where name = 'C'")]).toEqual([ROWS.property - 1, []])
  expect(await bring(['C'])).toMatchObject({ status: 'SUCCEEDED' })
  expect(n()).toBe(ROWS.property)
})

test.each([
  ['import_run', RUNS_KEPT.imports, { kind: 'properties', csv: 'Nom' }, 'imports', 'SUCCEEDED'],
  ['export_run', RUNS_KEPT.exports, {}, 'exports', 'EXPIRED'],
] as const)('of %s the newest %d are kept', async (table, kept, body, path, status) => {
  const ended = table === 'export_run' ? "status = 'FAILED', sha256 = null" : "status = 'FAILED'"
  t.store.client.prepare(`update ${table} set ${ended} where org_id = ?`).run(ORG)
  const columns = t.rows(`select * from ${table} where org_id = ? limit 1`, ORG)[0] ?? {}
  const names = Object.keys(columns)
  const put = t.store.client.prepare(
    `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
  )
  for (let i = 0; i < kept + 30; i++)
    put.run(
      ...(names.map((n) =>
        n === 'id' ? `00000000-0000-7000-8000-${String(i).padStart(12, '0')}` : n === 'status' ? status : columns[n],
      ) as string[]),
    )
  const theirs = t.rows(`select count(*) n from ${table} where org_id = ?`, other.orgId)[0]?.n
  expect((await t.call(w.as.ada, `POST /api/v1/${path}`, body)).status).toBe(202)
  const of = (where: string) => t.rows(`select count(*) n from ${table} where org_id = ? and ${where}`, ORG)[0]?.n
  expect([of("status not in ('QUEUED','RUNNING')"), of("status = 'QUEUED'")]).toEqual([kept, 1])
  expect(of("id = '00000000-0000-7000-8000-000000000000'")).toBe(0)
  expect(t.rows(`select count(*) n from ${table} where org_id = ?`, other.orgId)[0]?.n).toBe(theirs)
})

test('answers kept for Idempotency-Keys have a budget a day; without the header the work goes on', async () => {
  const limited = createTestApp({ config: { rateLimits: true } })
  for (const who of ['OWNER.ana', 'OWNER.eve', 'OWNER.zoe~elsewhere']) await limited.call(who, 'GET /api/v1/me')
  const create = (who: string, key?: string) =>
    limited.call(who, 'POST /api/v1/properties', property, key === undefined ? {} : { 'idempotency-key': key })
  const first = await create('OWNER.ana', 'k1')
  const spent = () => limited.rows("select key, spent from budget_day where budget = 'kept_answers' order by key")
  const bytes = Number(limited.rows('select length(body) n from idempotency')[0]?.n)
  expect(spent()).toEqual([ORG, uuid('ana~organization')].toSorted().map((key) => ({ key, spent: bytes })))
  const fill = (key: string, n: number) =>
    limited.store.client
      .prepare("update budget_day set spent = ? where budget = 'kept_answers' and key = ?")
      .run(n, key)
  fill(uuid('ana~organization'), KEPT_ANSWERS.person)
  const refused = await create('OWNER.ana', 'k2')
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers.get('retry-after'))).toBe(16 * 3600)
  // What was answered is answered again, and others go on.
  expect((await create('OWNER.ana', 'k1')).body.id).toBe(first.body.id)
  expect((await create('OWNER.ana')).status).toBe(201)
  expect((await create('OWNER.eve', 'k1')).status).toBe(201)
  fill(ORG, KEPT_ANSWERS.organization)
  expect((await create('OWNER.eve', 'k2')).status).toBe(429)
  expect((await create('OWNER.zoe~elsewhere', 'k1')).status).toBe(201)
  limited.advance(1)
  expect((await create('OWNER.ana', 'k3')).status).toBe(201)
})

test('200 units by labels, the largest of one request, take 512 KB, and little more to be found', async () => {
  const size = (where: string) => Number(t.rows(`select sum(pgsize) n from dbstat where ${where}`)[0]?.n)
  const sizes = () => [size("name not like 'search%'"), size("name like 'search%'")]
  const label = (i: number) => `${'🏠'.repeat(56)}${String(i).padStart(4, '0')}`
  const [stored = 0, indexed = 0] = sizes()
  const { status, text } = await t.call(
    w.as.ana,
    `POST /api/v1/properties/${w.properties.PUBLISHED}/units`,
    { labels: Array.from({ length: 200 }, (_, i) => label(i)) },
    { 'idempotency-key': 'large' },
  )
  expect(status).toBe(201)
  expect(text.length).toBeLessThan(100_000)
  const [storedNow = 0, indexedNow = 0] = sizes()
  expect(storedNow - stored).toBeLessThanOrEqual(512_000)
  // Every word is kept once, with its beginnings of one to three letters.
  expect(indexedNow - indexed).toBeLessThan(text.length * 2)
})
