// The copy that an import works on: its few indexes must still find every row that use cases look for.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import Database from 'better-sqlite3'
import { runImports } from '../../src/features/data/imports/jobs.ts'
import { createTestApp } from '../support/app.ts'

const { prepare, close } = Database.prototype
const rowsOf = (client: Database.Database, text: string, values: readonly null[] = []) =>
  (prepare.call(client, text) as Database.Statement<unknown[]>).all(...values)
const isShadow = (client: Database.Database): boolean =>
  rowsOf(client, "select 1 from sqlite_temp_master where name = 'touched'").length > 0
/** What was prepared on each database, and the plans of what was prepared on shadows, taken before they close. */
const texts = new WeakMap<Database.Database, Set<string>>()
const plans = new Map<string, string>()

beforeAll(() => {
  Database.prototype.prepare = function (this: Database.Database, text: string) {
    texts.set(this, (texts.get(this) ?? new Set()).add(text))
    return prepare.call(this, text)
  } as typeof prepare
  Database.prototype.close = function (this: Database.Database) {
    if (this.open && isShadow(this))
      for (const text of texts.get(this) ?? [])
        if (/^(select|update|delete) /.test(text) && !/\b(main|temp)\.|sqlite_|total_changes/.test(text)) {
          const values = Array.from({ length: text.split('?').length - 1 }, () => null)
          const steps = rowsOf(this, `explain query plan ${text}`, values) as { detail: string }[]
          plans.set(text, steps.map(({ detail }) => detail).join(' | '))
        }
    return close.call(this)
  }
})
afterAll(() => {
  Database.prototype.prepare = prepare
  Database.prototype.close = close
})

const FILES = [
  ['properties', 'Nom;Adresse;Ville;Type\nTour;Rue 1;Douala;Bureau\n'],
  ['units', 'Bien;Logement;Loyer\nTour;A;50000\nTour;B;50000\nTour;C;50000\n'],
  ['tenants', 'Nom;Téléphone\nAnne;677 12 34 56\nBruno;\n'],
  [
    'leases',
    'Bien;Logement;Locataire;Téléphone;Début;Solde initial;En vigueur\nTour;A;Anne;677 12 34 56;01/01/2026;5000;oui\nTour;B;Chloé;677 12 34 57;01/01/2026;;oui\nTour;C;Bruno;;01/01/2026;;non\n',
  ],
] as const

test.each(['OWNER.ana', 'MANAGER.mia'])('no use case walks a table of the copy: files of %s', async (who) => {
  const t = createTestApp()
  plans.clear()
  for (const [kind, csv] of FILES) {
    const { body } = await t.call<{ id: string }>(who, 'POST /api/v1/imports', { kind, csv })
    await runImports(t.deps)
    expect((await t.call(who, `GET /api/v1/imports/${body.id}`)).body).toMatchObject({ problems: [] })
  }
  const wide = [...plans].filter(
    ([text, plan]) =>
      // names of what is there are read once, whole
      !/^select "?id"? as "?id"?, "?(name|property_id|full_name)/.test(text) &&
      plan.split(' | ').some((step) => /^SCAN (?!json_each)|\((org_id|phone_number)=\?\)$/.test(step)) &&
      !/"(organization|app_user|invoice_counter|document_counter|webhook_endpoint)"/.test(text),
  )
  expect(plans.size).toBeGreaterThan(25)
  expect(wide).toEqual([])
})
