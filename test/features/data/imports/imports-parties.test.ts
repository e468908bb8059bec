// Companies, co-tenants and guarantors in files of rows, and files that name the vacant units of a building.
import { describe, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../../../support/app.ts'
import { bring, count, OWNER, PROPERTIES, told, UNITS } from '../../../support/imports.ts'

describe('companies, co-tenants and guarantors', () => {
  const HEAD =
    'Bien;Logement;Locataire;Téléphone;Début;NIU;Personne ou société;RCCM;Représentant;Qualité du représentant;' +
    'Colocataire;Téléphone du colocataire;Garant;Téléphone du garant;Type de pièce du garant;Numéro de pièce du garant\n'
  const setUp = async (): Promise<TestApp> => {
    const t = createTestApp()
    await bring(t, { kind: 'properties', csv: PROPERTIES })
    await bring(t, { kind: 'units', csv: UNITS })
    return t
  }
  const parties = async (t: TestApp) => {
    const [lease] = (await t.call<{ id: string }[]>(OWNER, 'GET /api/v1/bookings')).body
    return (await t.call<{ parties: object[] }>(OWNER, `GET /api/v1/bookings/${lease?.id}/parties`)).body.parties
  }

  test.each([
    ['the other word for a co-tenant', HEAD.replaceAll('olocataire', 'otitulaire')],
    ['English', HEAD.replace('Colocataire;Téléphone du colocataire', 'Co-tenant;Co-tenant phone')],
    ['accents and capitals left out', HEAD.replace('Téléphone du colocataire', 'TELEPHONE DU COLOCATAIRE')],
  ])('headings are read in %s', async (_, head) => {
    const t = await setUp()
    const row = 'Tour;B1;Jean;677 12 34 57;01/03/2026;;;;;;Ngo Awa;699 00 00 01;;;;\n'
    const run = await bring(t, { kind: 'leases', csv: head + row })
    expect([run.status, ...told(run)]).toEqual(['SUCCEEDED'])
    expect(await parties(t)).toMatchObject([{ role: 'CO_TENANT', fullName: 'Ngo Awa', phoneNumber: '+237699000001' }])
  })

  test('come in with their lease, and stand on its paper', async () => {
    const t = await setUp()
    const row =
      'Tour;B1;Sahel Négoce SARL;677 12 34 57;01/03/2026;M012200012345A;Société;RC/DLA/2022/B/1234;Oumarou Bello;gérant;' +
      'Ngo Awa;699 00 00 01;Mbarga Étienne;699 12 34 56;CNI;112233445\n'
    const run = await bring(t, { kind: 'leases', csv: HEAD + row })
    expect([run.status, ...told(run)]).toEqual(['SUCCEEDED'])
    expect((await t.call<object[]>(OWNER, 'GET /api/v1/tenants')).body).toMatchObject([
      {
        kind: 'COMPANY',
        fullName: 'Sahel Négoce SARL',
        niu: 'M012200012345A',
        rccm: 'RC/DLA/2022/B/1234',
        representativeName: 'Oumarou Bello',
        representativeRole: 'gérant',
      },
    ])
    expect(await parties(t)).toMatchObject([
      { role: 'CO_TENANT', fullName: 'Ngo Awa', phoneNumber: '+237699000001' },
      {
        role: 'GUARANTOR',
        fullName: 'Mbarga Étienne',
        phoneNumber: '+237699123456',
        idType: 'NATIONAL_ID',
        idNumber: '112233445',
      },
    ])
    expect(t.rows("select count(*) n from audit_entry where action = 'lease_party.create'")).toEqual([{ n: 2 }])
    await t.work()
    expect(t.rows("select count(*) n from document where kind = 'LEASE_CONTRACT'")).toEqual([{ n: 1 }])
  })

  test.each([
    [
      'a company without somebody who signs',
      'SARL X;;01/03/2026;;Société;;;;;;;;;',
      '2 Représentant Say who signs for the company.',
    ],
    ['a word that is neither', 'SARL X;;01/03/2026;;Autre chose;;;;;;;;;', '2 Personne ou société '],
    ['a co-tenant without a number', 'Jean;;01/03/2026;;;;;;Ngo Awa;;;;;', '2 Téléphone du colocataire '],
    ['a number of nobody', 'Jean;;01/03/2026;;;;;;;699 00 00 01;;;;', '2 Colocataire '],
    ['a number that is none', 'Jean;;01/03/2026;;;;;;;;Paul;12;;', '2 Téléphone du garant Is no phone number'],
    [
      'the tenant’s own number',
      'Jean;677 12 34 57;01/03/2026;;;;;;;;Paul;677 12 34 57;;',
      '2 Téléphone du garant Each party signs with a number of their own',
    ],
    [
      'one number for two',
      'Jean;;01/03/2026;;;;;;Ngo;699 00 00 01;Paul;699 00 00 01;;',
      '2 Téléphone du garant Each party signs with a number of their own',
    ],
    ['a piece that is none', 'Jean;;01/03/2026;;;;;;;;Paul;699 00 00 01;Carte bleue;1', '2 Type de pièce du garant '],
  ])('%s: the problem stands beside its cell, and nothing comes in', async (_, cells, problem) => {
    const t = await setUp()
    const run = await bring(t, { kind: 'leases', csv: `${HEAD}Tour;B1;${cells}\n` })
    expect([run.status, ...told(run)]).toEqual(['FAILED', expect.stringContaining(problem)])
    expect(['tenant', 'booking', 'lease_party'].map((table) => count(t, table))).toEqual([0, 0, 0])
  })

  test('a tenant with a representative and no word of it is a company', async () => {
    const t = await setUp()
    const run = await bring(t, { kind: 'tenants', csv: 'Name;Representative\nKribi Ltd;Ann Lee\n' })
    expect([run.status, ...told(run)]).toEqual(['SUCCEEDED'])
    expect(t.rows('select kind, representative_name r from tenant')).toEqual([{ kind: 'COMPANY', r: 'Ann Lee' }])
  })

  test('a template names the vacant units of one’s property; what is left vacant brings nothing in', async () => {
    const t = await setUp()
    const id = String(t.rows("select id from property where name = 'Résidence Makepe'")[0]?.id)
    const template = (who: string, kind = 'leases') =>
      t.call(who, `GET /api/v1/imports/templates/${kind}?propertyId=${id}`, undefined, { 'accept-language': 'fr' })
    const text = (await template(OWNER)).text.replace('\ufeff', '')
    const [head = '', ...rows] = text.trim().split(/\r?\n/)
    expect(rows.map((row) => row.split(';').filter((cell) => cell !== ''))).toEqual([
      ['Résidence Makepe', 'A1', '60000'],
      ['Résidence Makepe', 'A2', '70000'],
    ])
    expect((await template('OWNER.eve')).status).toBe(404)
    expect((await template('TENANT.tom')).status).toBe(403)
    expect((await template(OWNER, 'units')).text).toContain('A1')
    const at = (name: string) => head.split(';').indexOf(name)
    const filled = rows[1]
      ?.split(';')
      .map((cell, i) => (i === at('Locataire') ? 'Anne' : i === at('Début') ? '01/03/2026' : cell))
    const run = await bring(t, { kind: 'leases', csv: [head, rows[0], filled?.join(';')].join('\n') })
    expect([run.status, run.rows, ...told(run)]).toEqual(['SUCCEEDED', 1])
    expect(run.created).toMatchObject({ bookings: 1, tenants: 1 })
    // nobody in any row is an empty file, and a tenant without a lease's day is no vacant unit
    expect(told(await bring(t, { kind: 'leases', csv: [head, rows[0]].join('\n') }))).toEqual([
      '0 - The file has no rows.',
    ])
    const half = rows[0]?.split(';').map((cell, i) => (i === at('Téléphone') ? '677 12 34 58' : cell))
    expect((await bring(t, { kind: 'leases', csv: [head, half?.join(';')].join('\n') })).status).toBe('FAILED')
    // what is let since does not stand there any more
    expect((await template(OWNER)).text).not.toContain('A2')
  })
})
