// An import with errors, then without; all data in one file.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

const WRONG = 'Nom;Adresse;Ville;Latitude\nRésidence Essai;Rue des Écoles;Douala;ici\nImmeuble Sans Rue;;Yaoundé;\n'
const RIGHT = 'Nom;Adresse;Ville\nRésidence Essai;Rue des Écoles;Douala\nImmeuble Avec Rue;Rue 12;Yaoundé\n'

inBrowser((world) => {
  test('a file with errors tells them by row; without errors it comes in, once', async () => {
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'OWNER', '/console/imports')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Modèle Biens en CSV' }).click()
    expect((await saved).suggestedFilename()).toBe('properties.csv')
    // Nothing chosen, nothing pasted: said beside the field.
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await page.locator('textarea[aria-invalid=true]').waitFor()

    const field = page.locator('input[type=file]')
    const sheet = (text: string) => ({
      name: 'biens.csv',
      mimeType: 'application/vnd.ms-excel',
      buffer: Buffer.from(text),
    })
    await field.setInputFiles(sheet(WRONG))
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await page.locator('[data-problem]').nth(1).waitFor()
    expect(await page.locator('[data-problem]').allInnerTexts()).toEqual([
      expect.stringMatching(/^Ligne 2 · Latitude\s+Doit être un nombre/),
      expect.stringMatching(/^Ligne 3 · Adresse\s/),
    ])
    const bringIn = page.getByRole('button', { name: 'Importer les 2 lignes' })
    expect(await bringIn.count()).toBe(0)
    const wrong = await world.look(page, 'console-import-errors-360-fr')
    await page.setViewportSize({ width: 1280, height: 860 })
    wrong.push(...(await world.look(page, 'console-import-errors-1280-fr')))
    await page.emulateMedia({ colorScheme: 'dark' })
    wrong.push(...(await world.look(page, 'console-import-errors-1280-fr-dark')))
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 360, height: 740 })

    await page.getByRole('button', { name: 'Retirer le fichier' }).click()
    await field.setInputFiles(sheet(RIGHT))
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await bringIn.waitFor()
    wrong.push(...(await world.look(page, 'console-import-checked-360-fr')))
    // One may look elsewhere and come back.
    await page.goBack()
    await page.locator('[data-problem]').first().waitFor()
    await page.goForward()
    await bringIn.click()
    await page.getByText('Ont été ajoutés').waitFor()
    wrong.push(...(await world.look(page, 'console-import-done-360-fr')))
    await page.goBack()
    await page.getByText('Seront ajoutés').waitFor()
    expect(await bringIn.count()).toBe(0)
    await page.goForward()
    await page.getByRole('link', { name: 'Voir', exact: true }).click()
    await page.getByText('Immeuble Avec Rue').waitFor()
    // who went away meanwhile reads it on the home page
    await page.goto(`${world.base}/console`)
    await page.getByRole('link', { name: 'Votre import est terminé' }).click()
    // The home page has rows too.
    await page.locator('[data-row] a[href*="/imports?run="]').first().click()
    await page.getByText('Ont été ajoutés').waitFor()
    const headers = { authorization: `Bearer ${await world.server.token('OWNER')}` }
    const runs = await fetch(`${world.base}/api/v1/imports`, { headers })
    expect(await runs.json()).toMatchObject([
      { dryRun: false, status: 'SUCCEEDED', created: { properties: 2 } },
      { dryRun: true, status: 'SUCCEEDED' },
      { dryRun: true, status: 'FAILED', problemCount: 2 },
    ])
    expect([...wrong, ...faults]).toEqual([])
  }, 120_000)

  test('all data is packed while one waits, and saved', async () => {
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'OWNER', '/console/data')
    await page.getByRole('button', { name: 'Tout exporter' }).click()
    const link = page.getByRole('button', { name: /^Télécharger l’export/ })
    await link.waitFor()
    const saved = page.waitForEvent('download')
    await link.click()
    expect((await saved).suggestedFilename()).toMatch(/^loyer-.*\.zip$/)
    const wrong = await world.look(page, 'console-data-done-360-fr')
    await page.setViewportSize({ width: 1280, height: 860 })
    wrong.push(...(await world.look(page, 'console-data-done-1280-fr')))
    // Another person sees that it was made, and no button.
    const other = await world.newPage({ locale: 'en', size: 1280 })
    await world.signIn(other.page, 'MANAGER', '/console/data')
    await other.page.getByText('Made by somebody else').waitFor()
    expect(await other.page.getByRole('button', { name: /^Download/ }).count()).toBe(0)
    expect([...wrong, ...faults, ...other.faults]).toEqual([])
  }, 120_000)

  test('from a building with vacant units one press leads to the import of its tenants, by a file that names them', async () => {
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    const owner = await world.server.token('OWNER')
    const called = { name: 'Résidence Neuve', addressLine: 'Rue 4', city: 'Douala' }
    const { body: made } = await world.server.call(owner, 'POST /api/v1/properties', called)
    await world.signIn(page, 'OWNER', `/console/properties/${made.id}`)
    expect(await page.getByRole('link', { name: 'Importer les locataires' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Ajouter des logements' }).first().click()
    await page.getByLabel('Numéros des logements').fill('A1-A3')
    await page.getByRole('button', { name: /^Créer/ }).click()
    await page.getByRole('link', { name: 'Importer les locataires' }).waitFor()
    const wrong = await world.look(page, 'console-property-bring-in-360-fr')
    await page.getByRole('link', { name: 'Importer les locataires' }).click()
    await page.getByRole('radio', { name: 'Baux' }).waitFor()
    expect(await page.getByRole('radio', { name: 'Baux' }).isChecked()).toBe(true)
    wrong.push(...(await world.look(page, 'console-import-named-360-fr')))
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Modèle Baux en CSV' }).click()
    const file = await Bun.file((await (await saved).path()) ?? '').text()
    for (const unit of ['A1', 'A2', 'A3']) expect(file).toContain(`Résidence Neuve;${unit};`)
    // a draft of another kind does not come back over what the press asked for
    await page.goto(`${world.base}/console/imports?kind=leases&property=${made.id}`)
    await page.getByText('Modèle où vos logements libres figurent déjà').waitFor()
    await page.setViewportSize({ width: 1280, height: 860 })
    wrong.push(...(await world.look(page, 'console-import-named-1280-fr')))
    expect([...wrong, ...faults]).toEqual([])
    await page.context().close()
  }, 90_000)

  test('a repair noted by hand asks for its lease together with what is broken', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', '/console/requests/new')
    await page.locator('main button[type=submit]').click()
    await page.getByText('Say which lease it is about.').waitFor()
    expect(await page.locator('main [aria-invalid=true]').count()).toBe(2)
    const wrong = await world.look(page, 'console-request-new-wrong-360-en')
    await page.locator('main select').first().selectOption({ index: 1 })
    await page.getByLabel('What has to be repaired?').fill('The lock sticks')
    await page.locator('main button[type=submit]').click()
    await page.waitForURL(/requests\/[0-9a-f-]{36}$/)
    expect([...wrong, ...faults]).toEqual([])
    await page.context().close()
  }, 60_000)

  test('the columns that the page names are enough, typed by hand', async () => {
    const token = await world.server.token('OWNER')
    const place = { name: 'Villa Colonnes', addressLine: 'Rue 1', city: 'Douala' }
    const { id } = (await world.server.call(token, 'POST /api/v1/properties', place)).body
    const units = { labels: ['A1'], rentAmount: 50_000 }
    expect((await world.server.call(token, `POST /api/v1/properties/${id}/units`, units)).status).toBe(201)
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'OWNER', '/console/imports')
    for (const [kind, row] of [
      ['Biens', 'Résidence des Colonnes;Rue 2;Douala'],
      ['Logements', 'Villa Colonnes;A2;45 000'],
      ['Locataires', 'Rose Mbarga;677 90 00 01'],
      ['Baux', 'Villa Colonnes;A1;Rose Mbarga;677 90 00 01;01/11/2026;oui'],
    ] as const) {
      await page.locator('main fieldset').getByText(kind, { exact: true }).click()
      const hint = (await page.getByText('titres compris').textContent()) ?? ''
      const columns = /au moins\u00a0: ([^.]+)\./.exec(hint)?.[1]?.split(', ') ?? []
      await page.locator('textarea').fill(`${columns.join(';')}\n${row}`)
      await page.getByRole('button', { name: 'Vérifier' }).click()
      await page.getByRole('button', { name: 'Importer la ligne' }).waitFor()
      // and it is there to be pressed, above the bar of a phone
      await page.waitForFunction(() => {
        const button = [...document.querySelectorAll('main button')].find(
          (one) => one.textContent === 'Importer la ligne',
        )
        const { top = -1, bottom = 999 } = button?.getBoundingClientRect() ?? {}
        return top > 0 && bottom < 680
      })
      await page.goto(`${world.base}/console/imports`)
    }
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)
})
