// Files of rows: what comes in, what is told of what cannot, and that it is all or nothing.
import { describe, expect, test } from 'bun:test'
import { runImports } from '../../../../src/features/data/imports/jobs.ts'
import { createTestApp } from '../../../support/app.ts'
import { begin, bring, count, LEASES, OWNER, PROPERTIES, type Run, told, UNITS } from '../../../support/imports.ts'

test('a building with its leases and what was owed comes in, and is billed as if it had been entered by hand', async () => {
  const t = createTestApp()
  expect(await bring(t, { kind: 'properties', csv: PROPERTIES })).toMatchObject({
    status: 'SUCCEEDED',
    rows: 2,
    rowsDone: 2,
    created: { properties: 2 },
  })
  expect((await bring(t, { kind: 'units', csv: UNITS })).created).toEqual({ units: 3 })
  const run = await bring(t, { kind: 'leases', csv: LEASES })
  expect(run).toMatchObject({ status: 'SUCCEEDED', problems: [], created: { tenants: 2, bookings: 2, invoices: 1 } })
  await t.work()
  const { body } = await t.call<Record<string, unknown>[]>(OWNER, 'GET /api/v1/bookings?order=asc')
  expect(body).toMatchObject([
    { status: 'ACTIVE', tenantName: 'Ngo Bassa Marie', rentAmount: 60_000, openingBalance: 75_000, locale: 'fr' },
    { status: 'ACTIVE', tenantName: 'Société Kribi', unitLabel: 'B1', startDate: '2025-02-15', locale: 'en' },
  ])
  expect(t.rows('select status from unit order by label')).toEqual([
    { status: 'OCCUPIED' },
    { status: 'AVAILABLE' },
    { status: 'OCCUPIED' },
  ])
  expect(t.rows("select type from property where name = 'Tour'")).toEqual([{ type: 'OFFICE' }])
  const invoices = t.rows('select number, gross_amount g, period_start p from invoice order by number')
  expect(invoices).toEqual([
    { number: '2026-000001', g: 75_000, p: '2024-01-01' },
    { number: '2026-000002', g: 100_000, p: '2026-02-15' },
  ])
  // Each lease gets one contract, a moment later.
  expect(t.rows("select variant, void_reason from document where kind = 'LEASE_CONTRACT'")).toEqual([
    { variant: 'UNSIGNED', void_reason: null },
    { variant: 'UNSIGNED', void_reason: null },
  ])
  const actions = t.rows(
    "select action, actor_user_id who from audit_entry where action like '%lease%' or action = 'booking.activate'",
  )
  expect(actions).toHaveLength(2)
})

test('a dry run tells every problem by row and column, in both languages, and leaves nothing behind', async () => {
  const t = createTestApp()
  await bring(t, { kind: 'properties', csv: PROPERTIES })
  await bring(t, { kind: 'units', csv: UNITS })
  const before = ['property', 'unit', 'tenant', 'booking', 'invoice', 'job'].map((table) => count(t, table))
  const csv =
    'Bien;Logement;Locataire;Téléphone;Début;Fin;Loyer;Reconduction\n' +
    'Tour;B1;Jean;67712;31/02/2026;;150 0000;peut-être\n' +
    '\n' +
    'Nulle part;B1;Jean;;01/01/2026;;;\n' +
    'Tour;Z9;Jean;;01/01/2026;;;\n' +
    'Tour;B1;;;01/01/2026;;;\n' +
    'Tour;B1;Jean;;01/03/2026;01/02/2026;;\n' +
    'Tour;B1;Jean;;01/03/26;;;\n' +
    'Tour;B1;Jean;;01/03/2026;;;\n' +
    'Tour;B1;Paul;;01/04/2026;;;\n'
  const run = await bring(t, { kind: 'leases', csv, dryRun: true })
  expect(run).toMatchObject({ status: 'FAILED', rows: 8, rowsDone: 8, created: {} })
  expect(told(run)).toEqual([
    '2 Téléphone Is no phone number, such as 677 12 34 56.',
    '2 Début Must be a date or a month, such as 31/12/2026 or December 2026.',
    '2 Loyer Must be a whole number of francs, such as 150 000.',
    '2 Reconduction Must be yes or no.',
    '4 Bien Nothing of this name is there.',
    '5 Logement Nothing of this name is there.',
    '6 Locataire Must be filled in.',
    '7 Fin Cannot be before the start.',
    '8 Début Must be a date or a month, such as 31/12/2026 or December 2026.',
    '10 Logement The unit is not available on these dates.',
  ])
  const french = await t.call<Run>(OWNER, `GET /api/v1/imports/${run.id}`, undefined, { 'accept-language': 'fr' })
  expect(french.body.problems[4]?.message).toBe('Rien de ce nom n’existe.')
  expect(['property', 'unit', 'tenant', 'booking', 'invoice', 'job'].map((table) => count(t, table))).toEqual(before)
})

test('one wrong row keeps all the others out', async () => {
  const t = createTestApp()
  const run = await bring(t, { kind: 'properties', csv: `${PROPERTIES}Sans ville;Rue 3;;Villa\n` })
  expect(told(run)).toEqual(['4 Ville Must be filled in.'])
  expect([run.status, count(t, 'property')]).toEqual(['FAILED', 0])
})

test('the same file twice comes in once', async () => {
  const t = createTestApp()
  await bring(t, { kind: 'properties', csv: PROPERTIES })
  const again = await bring(t, { kind: 'properties', csv: PROPERTIES })
  expect([again.status, ...told(again)]).toEqual(['SUCCEEDED'])
  expect(again).toMatchObject({ created: {}, outcomes: { KNOWN: 2 } })
  expect(again.read?.map(({ row, outcome, message }) => `${row} ${outcome} ${message}`)).toEqual([
    '2 KNOWN Already there: nothing to do.',
    '3 KNOWN Already there: nothing to do.',
  ])
  expect(count(t, 'property')).toBe(2)
  // One that the file itself names twice is a mistake in it.
  const twice = await bring(t, { kind: 'properties', csv: 'Nom;Adresse;Ville\nA;Rue;Kribi\na;Rue;Kribi\n' })
  expect(told(twice)).toEqual(['3 Nom This is there already.'])
  expect(count(t, 'property')).toBe(2)
})

test('a dry run of a good file says what would come in', async () => {
  const t = createTestApp()
  const run = await bring(t, { kind: 'properties', csv: PROPERTIES, dryRun: true })
  expect([run.status, run.created, count(t, 'property')]).toEqual(['SUCCEEDED', { properties: 2 }, 0])
})

test.each([
  ['semicolons, English headings, another order', 'City;Name;Address\nDouala;Villa;Rue 1'],
  ['commas', 'Nom,Adresse,Ville\nVilla,"Rue 1, porte 2",Douala'],
  ['tabs', 'Nom\tAdresse\tVille\nVilla\tRue 1\tDouala'],
  [
    'headings without accents, in capitals, with blanks',
    ' NOM ;ADRESSE;VILLE;REGION\r\nVilla;Rue 1;Douala;Littoral\r\n',
  ],
  ['names of the API', 'name;addressLine;city\nVilla;Rue 1;Douala'],
])('a file with %s', async (_name, csv) => {
  const t = createTestApp()
  expect((await bring(t, { kind: 'properties', csv })).created).toEqual({ properties: 1 })
})

test.each([
  ['Nom;Nom;Ville\nA;B;C', ['1 Nom This column is there twice.', '1 Address The column Address is missing.']],
  ['Nom;Adresse;Ville\n', ['0 - The file has no rows.']],
  [
    'Villa;Rue 1;Douala\nTour;Rue 2;Kribi',
    [
      '1 - No line with the headings of the columns was found: Name, Address, City. Take them from the template, or say which column is what.',
    ],
  ],
  ['', ['1 Name The column Name is missing.']],
])('headings that cannot be: %j', async (csv, problems) => {
  const t = createTestApp()
  if (csv === '') expect((await begin(t, { kind: 'properties', csv })).status).toBe(422)
  else expect(told(await bring(t, { kind: 'properties', csv }))).toEqual(problems)
})

test('a problem names the column as the file does; without a heading by its letter; of a missing one by the template', async () => {
  const t = createTestApp()
  await bring(t, { kind: 'properties', csv: PROPERTIES })
  await bring(t, { kind: 'units', csv: UNITS })
  const english =
    'Property,Unit,Tenant,Phone number,Start date,\nTour,B1,Ann,12,31/02/2026,more\nTour,B1,Ann,,01/01/2026,,again\n'
  expect(told(await bring(t, { kind: 'leases', csv: english, dryRun: true }))).toEqual([
    '2 Phone number Is no phone number, such as 677 12 34 56.',
    '2 Start date Must be a date or a month, such as 31/12/2026 or December 2026.',
    '3 G There is no heading above this cell.',
  ])
  const twice = 'NOM;Numéro\nAnne;677 12 34 56\nAnna;677 12 34 56\n'
  expect(told(await bring(t, { kind: 'tenants', csv: twice, dryRun: true }))).toEqual([
    expect.stringContaining('3 Numéro A tenant with this number'),
  ])
  const bare = await bring(t, { kind: 'leases', csv: 'Bien;Logement;Locataire\nTour;B1;Anne\n', dryRun: true })
  expect(told(bare)).toEqual(['1 Start The column Start is missing.'])
  const french = await t.call<Run>(OWNER, `GET /api/v1/imports/${bare.id}`, undefined, { 'accept-language': 'fr' })
  expect(told(french.body)).toEqual(['1 Début La colonne Début manque.'])
})

test('a formula comes in as the text it is', async () => {
  const t = createTestApp()
  await bring(t, { kind: 'properties', csv: "Nom;Adresse;Ville\n=cmd|'/C calc'!A0;'=1+1;Douala" })
  expect(t.rows('select name, address_line a from property')).toEqual([{ name: "=cmd|'/C calc'!A0", a: '=1+1' }])
})

test('one import at a time a person; nobody keeps others from theirs, and organizations take turns', async () => {
  const t = createTestApp()
  const ids: string[] = []
  for (const who of [OWNER, 'MANAGER.mia', 'OWNER.eve', 'OWNER.zoe~elsewhere']) {
    const begun = await begin(t, { kind: 'properties', csv: PROPERTIES }, who)
    expect([who, begun.status]).toEqual([who, 202])
    ids.push(begun.body.id)
  }
  expect((await begin(t, { kind: 'properties', csv: PROPERTIES })).body as unknown).toMatchObject({
    status: 409,
    code: 'already_running',
  })
  expect(await runImports(t.deps)).toBe(4)
  const ended = t.rows("select subject_id from audit_entry where action = 'import.finish' order by id")
  expect(ended.map((e) => ids.indexOf(String(e.subject_id)))).toEqual([0, 3, 1, 2])
  expect((await begin(t, { kind: 'properties', csv: PROPERTIES })).status).toBe(202)
})

test('an owner brings leases into what is theirs, and sees their own imports only', async () => {
  const t = createTestApp()
  await bring(t, { kind: 'properties', csv: PROPERTIES })
  const eve = await bring(t, { kind: 'units', csv: 'Bien;Logement\nTour;X' }, 'OWNER.eve')
  expect(told(eve)).toEqual(['2 Bien Nothing of this name is there.'])
  for (const [who, status] of [
    ['OWNER.ana', 404],
    ['OWNER.eve', 200],
    ['MANAGER.mia', 200],
    ['OWNER.zoe~elsewhere', 404],
    ['TENANT.tom', 403],
  ] as const)
    expect(`${who} ${(await t.call(who, `GET /api/v1/imports/${eve.id}`)).status}`).toBe(`${who} ${status}`)
})

test('what others do before the rows are written is seen', async () => {
  const t = createTestApp()
  await begin(t, { kind: 'properties', csv: PROPERTIES })
  let times = 0
  const write: typeof t.write = async (orgId, fn) => {
    const done = await t.write(orgId, fn)
    // As the run begins, another hand enters a property of the same name.
    if (times++ === 0)
      await t.call(OWNER, 'POST /api/v1/properties', { name: 'Tour', addressLine: 'Rue 9', city: 'Kribi' })
    return done
  }
  await runImports({ ...t.deps, write })
  expect(t.rows("select status, json_extract(reading, '$.outcomes') o from import_run")).toEqual([
    { status: 'SUCCEEDED', o: '{"NEW":1,"KNOWN":1}' },
  ])
  expect(t.rows("select address_line a from property where name = 'Tour'")).toEqual([{ a: 'Rue 9' }])
})

test('a run whose process died is not begun again: it ends with a sentence, and the next one runs', async () => {
  const t = createTestApp()
  const { body } = await begin(t, { kind: 'properties', csv: PROPERTIES })
  const read = () => {
    throw new Error('must not be read again')
  }
  t.store.client.prepare("update import_run set status = 'RUNNING', attempts = 1, rows_done = 1").run()
  await runImports({ ...t.deps, tables: { ...t.tables, read } })
  const given = (await t.call<Run>(OWNER, `GET /api/v1/imports/${body.id}`)).body
  expect(given.status).toBe('FAILED')
  expect(told(given)[0]).toStartWith('0 - The service stopped during this import')
  expect(count(t, 'property')).toBe(0)
  expect((await bring(t, { kind: 'properties', csv: PROPERTIES })).status).toBe('SUCCEEDED')
})

describe('templates', () => {
  for (const kind of ['properties', 'units', 'tenants', 'leases'])
    for (const language of ['fr', 'en'])
      test(`${kind} in ${language} is a file that its own import takes`, async () => {
        const t = createTestApp()
        await bring(t, { kind: 'properties', csv: 'Nom;Adresse;Ville\nRésidence Makepe;Rue;Douala' })
        if (kind === 'leases') await bring(t, { kind: 'units', csv: 'Bien;Logement\nRésidence Makepe;A1' })
        if (kind === 'properties') t.store.client.prepare("update property set name = 'Autre', version = 2").run()
        const answer = await t.call(OWNER, `GET /api/v1/imports/templates/${kind}`, undefined, {
          'accept-language': language,
        })
        const run = await bring(t, { kind, csv: answer.text.replace('\ufeff', ''), dryRun: true })
        expect([run.status, ...told(run)]).toEqual(['SUCCEEDED'])
      })
})

test('runs are listed newest first, page by page, without their problems; of everybody to a manager alone', async () => {
  const t = createTestApp()
  const other = 'OWNER.eve'
  const first = await bring(t, { kind: 'properties', csv: PROPERTIES })
  const wrong = await bring(t, { kind: 'units', csv: 'Bien\nNulle part', dryRun: true })
  expect(wrong.problems.length).toBeGreaterThan(0)
  const list = (who: string, query = '') => t.call<Record<string, unknown>[]>(who, `GET /api/v1/imports${query}`)
  const { body, headers } = await list(OWNER, '?limit=1')
  expect(body).toEqual([
    expect.objectContaining({ id: wrong.id, status: 'FAILED', dryRun: true, problemCount: wrong.problems.length }),
  ])
  for (const hidden of ['problems', 'csv', 'createdBy', 'mediaObjectId']) expect(body[0]).not.toHaveProperty(hidden)
  const next = /[?&](cursor=[^&>]+)/.exec(headers.get('link') ?? '')?.[1]
  expect((await list(OWNER, `?limit=1&${next}`)).body).toMatchObject([{ id: first.id, created: { properties: 2 } }])
  expect((await list(other)).body).toEqual([])
  expect((await list(other, `?limit=1&${next}`)).status).toBe(422)
  expect((await list('MANAGER.mia')).body.map(({ id }) => id)).toEqual([wrong.id, first.id])
  expect((await list('TENANT.tom')).status).toBe(403)
})
