// Sheets as landlords keep them: titles above, columns of their own, totals, merged cells, months that are ticked.
import { describe, expect, test } from 'bun:test'
import type { ReadSheet } from '../../../../src/adapters/tables/port.ts'
import {
  billFromAfter,
  kindOfSheet,
  type LineOptions,
  readHeadings,
  readLines,
} from '../../../../src/features/data/imports/sheets.ts'
import { createTestApp } from '../../../support/app.ts'
import { bring, count, OWNER, told } from '../../../support/imports.ts'

const sheetOf = (lines: readonly string[], more: Partial<ReadSheet> = {}): ReadSheet => ({
  name: 'x',
  isHidden: false,
  rows: lines.map((line) => line.split(';')),
  hiddenLines: new Set(),
  merged: [],
  uncomputed: new Set(),
  ...more,
})
const readOf = (sheet: ReadSheet, options: Partial<LineOptions> = {}) => {
  const head = readHeadings('leases', sheet)
  return { head, lines: readLines('leases', sheet, head, { year: 2026, ...options }) }
}
const members = (sheet: ReadSheet) =>
  Object.fromEntries(
    readHeadings('leases', sheet).columns.map(({ heading, letter, member, certain }) => [
      heading || letter,
      `${member ?? '-'}${certain ? '' : '?'}`,
    ]),
  )

describe('headings', () => {
  test.each<[string, string, string]>([
    ['Loyer (FCFA)', '85 000', 'rentAmount'],
    ['LOYER MENSUEL FCFA', '85 000', 'rentAmount'],
    ['Montant du loyer', '85 000', 'rentAmount'],
    ['Nom et prénoms', 'Essama', 'tenant'],
    ['Noms', 'Essama', 'tenant'],
    ['Nom du locataire', 'Essama', 'tenant'],
    ['N° de téléphone', '677123456', 'phoneNumber'],
    ['Tél.', '677123456', 'phoneNumber'],
    ['Contacts', '677123456', 'phoneNumber'],
    ['Appart', 'A1', 'unit'],
    ['N° porte', 'A1', 'unit'],
    ['Date d’entrée', '01/11/2026', 'startDate'],
    ['Entrée', 'juin 2023', 'startDate'],
    ['Move-in date', '01/11/2026', 'startDate'],
    ['Caution (2 mois)', '170 000', 'depositAmount'],
    ['Reste à payer', '5 000', 'openingBalance'],
    ['Payé jusqu’à', 'octobre 2026', 'paidUntil'],
    ['Observations', 'paie le 10', '-'],
    ['N°', '1', '-'],
    // Numbers of rows are no phone numbers; values that do not fit leave the guess unsure.
    ['Numéro', '1', '-'],
    ['Loyer', 'voir bail', 'rentAmount?'],
    ['?', '677 12 34 56', 'phoneNumber?'],
    ['Date de naissance', '01/01/1980', '-'],
  ])('%s above %s is %s', (heading, value, member) => {
    const read = members(sheetOf([`Client;Lot;${heading}`, `Ali;x y;${value}`, `Eve;y z;${value}`]))
    expect(read[heading]).toBe(['tenant', 'unit'].includes(member) ? '-?' : member)
    // Alone, with no other column of that meaning.
    if (member === 'tenant') expect(members(sheetOf([`${heading};Lot`, `${value};x`]))[heading]).toBe(member)
    if (member === 'unit') expect(members(sheetOf([`Client;${heading}`, `Ali;${value}`]))[heading]).toBe(member)
  })

  test('the line of the headings is that of the first ones that names most', () => {
    const sheet = sheetOf([
      'Loyers 2026',
      '',
      ';Immeuble Makepe',
      'N°;Nom;Tél;Appart;Loyer',
      '1;Ali;677123456;A1;85000',
    ])
    expect(readHeadings('leases', sheet).line).toBe(3)
    const late = sheetOf([...Array.from({ length: 15 }, () => ''), 'Nom;Tél;Appart'])
    expect(readHeadings('leases', late).line).toBe(15)
  })

  test('the caller decides what a column is, and what is left aside', () => {
    const sheet = sheetOf(['a;b;Loyer', 'A1;Ali;1'])
    const mapping = [
      { column: 0, member: 'unit' },
      { column: 1, member: 'tenant' },
      { column: 2, member: null },
    ]
    const { columns } = readHeadings('leases', sheet, { mapping })
    expect(columns.map(({ member, by }) => `${member} ${by}`)).toEqual([
      'unit CALLER',
      'tenant CALLER',
      'undefined CALLER',
    ])
  })

  test.each<[string, string]>([
    ['Nom;Adresse;Ville', 'properties'],
    ['Bien;Logement;Loyer', 'units'],
    ['N°;Nom;Téléphone;Observations', 'tenants'],
    ['Nom;Tél;Appart;Loyer', 'leases'],
    ['Bien;Logement;Locataire;Début', 'leases'],
  ])('%s are %s', (line, kind) => {
    expect(kindOfSheet([line.split(';')])).toBe(kind as never)
  })
})

describe('rows', () => {
  const HEAD = 'Immeuble;Appart;Nom;Entrée;Loyer;Caution'
  test('empty rows, totals, hidden rows and vacant homes are left out, and said', () => {
    const { lines } = readOf(
      sheetOf(
        [
          'N°;Immeuble;Appart;Nom;Entrée;Loyer;Caution',
          '1;Makepe;A1;Ali;01/11/2026;85 000;170000',
          '2;;;;;;',
          '3;Makepe;A2;Total Énergies SA;01/11/2026;15 000; - ',
          '4;Makepe;A3;libre;;85000;',
          '5;Makepe;A4;Eve;01/11/2026;1;1',
          ';;;;;185 000;170 000',
          ';TOTAL;;;;100 000;',
          'Total général;;;;;9;',
        ],
        { hiddenLines: new Set([5]) },
      ),
    )
    expect(lines.map(({ at, outcome }) => `${at} ${outcome}`)).toEqual([
      '2 undefined',
      '3 EMPTY',
      '4 undefined',
      '5 VACANT',
      '6 HIDDEN',
      '7 TOTAL',
      '8 TOTAL',
      '9 TOTAL',
    ])
    expect(lines.flatMap(({ problems }) => problems)).toEqual([])
    expect(lines[2]?.values).not.toHaveProperty('depositAmount')
  })

  test('merged cells are filled down for names, never for amounts', () => {
    const merged = [0, 1, 4].map((column) => ({ column, from: 1, to: 2 }))
    const { lines } = readOf(sheetOf([HEAD, 'Makepe;A1;Ali;01/11/2026;85000;', ';;Eve;01/11/2026;;'], { merged }))
    expect(lines[1]?.values).toEqual({ property: 'Makepe', unit: 'A1', tenant: 'Eve', startDate: '2026-11-01' })
  })

  test('a formula that nobody computed is asked about, and never zero', () => {
    const sheet = sheetOf([HEAD, 'Makepe;A1;Ali;01/11/2026;0;'], { uncomputed: new Set(['1:4']) })
    const { lines } = readOf(sheet)
    expect(lines[0]?.values).not.toHaveProperty('rentAmount')
    expect(lines[0]?.problems).toMatchObject([{ row: 2, column: 'Loyer' }])
    expect(lines[0]?.problems[0]?.message.en).toStartWith('This formula was never computed.')
    const fixed = readOf(sheet, { fixes: [{ row: 2, member: 'rentAmount', value: '85 000' }] }).lines[0]
    expect([fixed?.values.rentAmount, fixed?.problems]).toEqual([85_000, []])
  })

  test.each<[string, string, object]>([
    ['janv.;févr.;mars', 'x;ok;', { paidUntil: '2026-02' }],
    ['01/2026;02/2026;03/2026', '85 000;85000;', { paidUntil: '2026-02' }],
    ['2026-01-01;2026-02-01;2026-03-01', '85000;15 000;0', { paidUntil: '2026-02', openingBalance: 70_000 }],
    ['Janvier 2026;Février 2026;Mars 2026', ';05/02/2026;', { paidUntil: '2026-02' }],
    ['oct-26;nov-26;déc-26', 'payé;;payé', { paidUntil: '2026-10' }],
    ['janv;févr;mars', ';;', {}],
  ])('months %s with %s', (months, cells, said) => {
    const { lines } = readOf(sheetOf([`Nom;Appart;Entrée;Loyer;${months}`, `Ali;A1;01/11/2025;85 000;${cells}`]))
    const { paidUntil, openingBalance } = lines[0]?.values ?? {}
    expect({ ...(paidUntil ? { paidUntil } : {}), ...(openingBalance ? { openingBalance } : {}) }).toEqual(said)
  })

  test('a name in two columns is one name', () => {
    const { lines } = readOf(sheetOf(['Nom;Prénom;Appart;Entrée', 'Essama;Paul;A1;2026-11-01 00:00:00']))
    expect(lines[0]?.values).toMatchObject({ tenant: 'Essama Paul', startDate: '2026-11-01' })
  })

  test.each([
    ['2025-03-15', '2026-10', '2026-11-15'],
    ['2025-01-31', '2026-01', '2026-02-28'],
    ['2026-11-01', '2026-10', undefined],
    ['2026-11-20', '2026-11', '2026-12-20'],
  ])('a lease of %s that is paid until %s is billed from %s', (start, until, from) => {
    expect(billFromAfter(start, until)).toBe(from as never)
  })
})

const LIST = [
  'Locataires Makepe 2026',
  '',
  'N°;Nom et prénom;Tél;Appart;Loyer (FCFA);Caution;Entrée;Observations',
  '1;NGO BASSA Marie;677 12 34 56 / 699 00 00 01;A1;85.000;170 000;01/03/2025;paie le 10',
  '2;TCHOUA Thérèse;699-88-77-00;A2;85 000 F;170000;15/10/2024;',
  '3;;;A3;85000;;;',
  ';;;;;;;',
  ';TOTAL;;;255 000;340 000;;',
].join('\n')
const ONE_DOOR = {
  csv: LIST,
  property: { name: 'Immeuble Makepe', city: 'Douala' },
  createUnits: true,
  paidUntil: '2026-10',
  depositsHeld: true,
}

describe('one door', () => {
  test('one sheet makes the building, homes, people, leases and deposits; again it makes nothing', async () => {
    const t = createTestApp({ now: '2026-11-28T08:00:00Z' })
    const dry = await bring(t, { ...ONE_DOOR, dryRun: true })
    expect(dry).toMatchObject({
      status: 'SUCCEEDED',
      kind: 'leases',
      problems: [],
      sheet: { headingRow: 3, others: [] },
      outcomes: { NEW: 2, VACANT: 1, EMPTY: 1, TOTAL: 1 },
      created: { properties: 1, units: 3, tenants: 2, bookings: 2 },
    })
    expect(dry.columns?.map(({ heading, member }) => `${heading}: ${member ?? '-'}`)).toEqual([
      'N°: -',
      'Nom et prénom: tenant',
      'Tél: phoneNumber',
      'Appart: unit',
      'Loyer (FCFA): rentAmount',
      'Caution: depositAmount',
      'Entrée: startDate',
      'Observations: -',
    ])
    expect(dry.columns?.[5]?.values).toEqual(['170 000', '170000', '340 000'])
    expect(dry.read?.[0]).toMatchObject({
      row: 4,
      outcome: 'NEW',
      values: { tenant: 'NGO BASSA Marie', rentAmount: 85_000 },
    })
    for (const table of ['property', 'unit', 'tenant', 'booking', 'deposit_entry', 'invoice'])
      expect(`${table} ${count(t, table)}`).toBe(`${table} 0`)

    expect(await bring(t, ONE_DOOR)).toMatchObject({ status: 'SUCCEEDED', outcomes: { NEW: 2, VACANT: 1 } })
    await t.work()
    const { body } = await t.call<Record<string, unknown>[]>(OWNER, 'GET /api/v1/bookings?order=asc')
    expect(body).toMatchObject([
      { status: 'ACTIVE', unitLabel: 'A1', billFrom: '2026-11-01', rentAmount: 85_000 },
      { status: 'ACTIVE', unitLabel: 'A2', billFrom: '2026-11-15', depositAmount: 170_000 },
    ])
    expect(t.rows('select type, amount, paid_on p, reason from deposit_entry order by id')).toEqual([
      { type: 'RECEIVED', amount: 170_000, p: '2025-03-01', reason: 'Repris de votre tableau' },
      { type: 'RECEIVED', amount: 170_000, p: '2024-10-15', reason: 'Repris de votre tableau' },
    ])
    // What was paid before is not asked for again, and no receipt is made.
    expect(t.rows('select min(period_start) p, count(*) n from invoice')).toEqual([{ p: '2026-11-01', n: 2 }])
    expect(t.rows("select 1 from document where kind like '%RECEIPT%'")).toEqual([])

    const again = await bring(t, { ...ONE_DOOR, csv: `${LIST}\n4;MVONDO Solange;675303030;A4;95000;;01/09/2026;` })
    expect(again).toMatchObject({ created: { units: 1, tenants: 1, bookings: 1 }, outcomes: { KNOWN: 2, NEW: 1 } })
    expect(count(t, 'booking')).toBe(3)
    expect(count(t, 'deposit_entry')).toBe(2)
  })

  test('nobody is late who has paid; who paid ahead is billed when that is used up', async () => {
    const t = createTestApp({ now: '2026-11-28T08:00:00Z' })
    const csv =
      'Nom;Appart;Loyer;Entrée;Payé jusqu’à\nAli;A1;50 000;01/01/2024;novembre 2026\nEve;A2;50 000;01/01/2024;01/2027\n'
    const run = await bring(t, { ...ONE_DOOR, csv, paidUntil: '2026-10' })
    expect([run.status, ...told(run)]).toEqual(['SUCCEEDED'])
    await t.work()
    expect(t.rows('select bill_from b from booking order by id')).toEqual([{ b: '2026-12-01' }, { b: '2027-02-01' }])
    expect(t.rows("select 1 from invoice where due_date < '2026-11-28'")).toEqual([])
  })

  test('an ended lease does not come back, a home that somebody lives in stays theirs, and leases never overlap', async () => {
    const t = createTestApp({ now: '2026-11-28T08:00:00Z' })
    const row = (name: string, phone: string, unit: string, start: string, rent = '50000') =>
      `${name};${phone};${unit};${rent};${start}\n`
    const head = 'Nom;Tél;Appart;Loyer;Entrée\n'
    const first = head + row('Ali', '677123456', 'A1', '01/01/2025') + row('Eve', '677123457', 'A2', '01/01/2025')
    expect((await bring(t, { ...ONE_DOOR, csv: first })).status).toBe('SUCCEEDED')
    const [{ id }] = t.rows("select id from booking where unit_label = 'A2'") as [{ id: string }]
    const ended = await t.call(OWNER, `POST /api/v1/bookings/${id}/terminate`, { endDate: '2026-11-20' })
    expect(ended.status).toBe(200)
    const second =
      head +
      row('ALI', '677123456', 'a1', '01/01/2025', '60000') +
      row('Eve', '677123457', 'A2', '01/01/2025') +
      row('Rose', '677123458', 'A1', '01/02/2026') +
      row('Paul', '677123459', 'A2', '21/11/2026')
    const run = await bring(t, { ...ONE_DOOR, csv: second })
    expect(run.read?.map(({ outcome, message, differs }) => ({ outcome, message, differs }))).toEqual([
      {
        outcome: 'KNOWN',
        message: 'Already there: nothing to do.',
        differs: [{ member: 'rentAmount', here: 50_000, sheet: 60_000 }],
      },
      { outcome: 'ENDED', message: 'This lease ended on 20 November 2026: it does not come back.', differs: undefined },
      { outcome: 'OCCUPIED', message: 'Ali lives there.', differs: undefined },
      { outcome: 'NEW', message: undefined, differs: undefined },
    ])
    expect(t.rows('select rent_amount r from booking order by id')).toHaveLength(3)
    expect(t.rows('select max(rent_amount) r from booking')).toEqual([{ r: 50_000 }])
    const over = await bring(t, { ...ONE_DOOR, csv: head + row('Zoe', '677123460', 'A2', '15/11/2026') })
    // Paul lives there by now; without him the ended lease would be in the way.
    expect(over.outcomes).toEqual({ OCCUPIED: 1 })
    t.store.client
      .prepare("update booking set status = 'CANCELLED', version = version + 1 where tenant_name = 'Paul'")
      .run()
    const inside = await bring(t, { ...ONE_DOOR, csv: head + row('Zoe', '677123460', 'A2', '15/11/2026') })
    expect(told(inside)).toEqual([
      '2 Entrée Another lease of this home ran until the day before: begin on 21 November 2026 or later.',
    ])
    expect(count(t, 'booking')).toBe(3)
  })

  test('a mapping is remembered by its headings; a wrong cell is mended, or its row left out', async () => {
    const t = createTestApp({ now: '2026-11-28T08:00:00Z' })
    const csv = 'Qui;Où;Combien\nAli;A1;50 000\nEve;A2;beaucoup\n'
    const mapping = [
      { column: 0, member: 'tenant' },
      { column: 1, member: 'unit' },
      { column: 2, member: 'rentAmount' },
    ]
    const asked = { ...ONE_DOOR, kind: 'leases', csv, mapping }
    const wrong = await bring(t, asked)
    expect([wrong.status, wrong.outcomes]).toEqual(['FAILED', { NEW: 1, PROBLEM: 1 }])
    expect(count(t, 'booking')).toBe(0)
    // Nothing is remembered of what did not come in.
    expect((await bring(t, { ...asked, mapping: null, dryRun: true })).columns?.[2]?.by).toBe('NONE')
    expect((await bring(t, { ...asked, leaveOut: [3] })).outcomes).toEqual({ NEW: 1 })
    const fixes = [{ row: 3, member: 'rentAmount', value: '45 000' }]
    const next = await bring(t, { ...asked, mapping: null, fixes })
    expect(next.columns?.map(({ member, by }) => `${member} ${by}`)).toEqual([
      'tenant REMEMBERED',
      'unit REMEMBERED',
      'rentAmount REMEMBERED',
    ])
    expect(next.outcomes).toEqual({ KNOWN: 1, NEW: 1 })
    expect(t.rows('select rent_amount r, start_date s from booking order by id')).toEqual([
      { r: 50_000, s: '2026-10-01' },
      { r: 45_000, s: '2026-10-01' },
    ])
  })

  test('the property must be said where there are several, or none', async () => {
    const t = createTestApp({ now: '2026-11-28T08:00:00Z' })
    const { property: _, ...asked } = ONE_DOOR
    expect(told(await bring(t, asked))).toEqual(['3 Property The column Property is missing.'])
    const place = { name: 'Tour', addressLine: 'Rue 1', city: 'Kribi' }
    const made = await t.call<{ id: string }>(OWNER, 'POST /api/v1/properties', place)
    expect((await bring(t, { ...asked, dryRun: true })).status).toBe('SUCCEEDED')
    await t.call(OWNER, 'POST /api/v1/properties', { ...place, name: 'Villa' })
    expect((await bring(t, asked)).status).toBe('FAILED')
    expect((await bring(t, { ...asked, propertyId: made.body.id })).status).toBe('SUCCEEDED')
    expect(t.rows('select distinct property_name p from booking')).toEqual([{ p: 'Tour' }])
  })
})
