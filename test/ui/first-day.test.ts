// The first day on a phone: from the link in the terminal to who owes what, with nothing read before, in few presses; and
// a tenant who declares a payment.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { openWorld, type World, withBrowser } from './browser.ts'

const NAMES = ['Nadège F.', 'Paul N.', 'Thérèse T.', 'Jeanne E.', 'Samuel E.', 'Rose M.', 'Alain K.', 'Marie N.']
const HEADINGS = ['Bien', 'Logement', 'Locataire', 'Téléphone', 'Début', 'Facturer dès', 'En vigueur']

withBrowser(() => {
  let fresh: World
  let demo: World
  beforeAll(async () => {
    ;[fresh, demo] = await Promise.all([openWorld({ command: 'serve' }), openWorld()])
  }, 60_000)
  afterAll(() => Promise.all([fresh?.close(), demo?.close()]), 30_000)

  /** Counts what a person does with the hand. */
  function hand() {
    const done = { presses: 0, fields: 0 }
    return {
      done,
      async press(what: Locator): Promise<void> {
        done.presses += 1
        await what.click()
      },
      async fill(what: Locator, text: string): Promise<void> {
        done.fields += 1
        await what.fill(text)
      },
    }
  }

  test('set up, a building of 12 units, 8 tenants, who owes what: 8 presses and 11 fields', async () => {
    const { page, faults } = await fresh.newPage({ locale: 'fr', size: 360 })
    const { done, press, fill } = hand()
    const [link = ''] = /http:\/\/\S+\/setup#[\w-]{43}/.exec(fresh.server.output()) ?? []
    await page.goto(link)
    await fill(page.locator('#organizationName'), 'Owona')
    await fill(page.locator('#firstName'), 'Odile')
    await fill(page.locator('#lastName'), 'Owona')
    await fill(page.locator('#phoneNumber'), '677 00 00 01')
    await fill(page.locator('#password'), 'trois mangues mûres')
    await press(page.locator('main form button[type=submit]').first())

    await page.getByRole('heading', { name: 'Trois pas pour commencer' }).waitFor()
    const wrong = await fresh.look(page, 'console-first-360-fr')
    const steps = page.locator('main ol li')
    expect(await steps.locator('a').allTextContents()).toEqual([
      'Ajouter un bien',
      'Importer un tableau',
      'Ouvrir les réglages',
    ])
    await press(steps.getByRole('link', { name: 'Ajouter un bien' }))
    await fill(page.getByLabel('Nom', { exact: true }), 'Immeuble Makepe')
    await fill(page.getByLabel('Adresse ou point de repère'), 'Derrière la pharmacie')
    await fill(page.getByLabel('Ville'), 'Douala')
    await press(page.locator('main button[type=submit]'))
    await fill(page.getByLabel('Numéros des logements'), 'A1-A12')
    await fill(page.getByLabel('Loyer mensuel'), '60000')
    await press(page.getByRole('button', { name: /Créer.*12/ }))
    await page.locator('[data-row]').nth(11).waitFor()
    // newer news take the place of what was said before
    expect(await page.locator('[role=status] > div').count()).toBeLessThan(2)

    // Douala is an hour ahead
    const today = new Date(Date.now() + 3_600_000).toISOString().slice(0, 8)
    const first = `${today}01`.split('-').reverse().join('/')
    const rows = NAMES.map((name, i) => ['Immeuble Makepe', `A${i + 1}`, name, `67750001${i}`, first, first, 'oui'])
    await press(page.getByRole('link', { name: 'Importer les locataires' }))
    await fill(page.locator('textarea'), [HEADINGS, ...rows].map((row) => row.join('\t')).join('\n'))
    await press(page.getByRole('button', { name: 'Vérifier' }))
    await press(page.getByRole('button', { name: 'Importer les 8 lignes' }))
    await page.getByText('8 locataires, 8 baux').waitFor()
    await press(page.locator('nav a', { hasText: 'Accueil' }).last())
    await page.getByText('facture payée sur 8').waitFor()
    await page
      .getByText(/480\s000/)
      .first()
      .waitFor()
    expect(done).toEqual({ presses: 8, fields: 11 })
    expect(await steps.count()).toBe(0)
    expect([...wrong, ...faults]).toEqual([])

    // where there is nothing yet, nothing is offered to look for it; what other lists hold stays a press away
    await page.goto(`${fresh.base}/console/expenses`)
    await page.getByText('Aucune dépense').waitFor()
    expect(await page.getByRole('searchbox').count()).toBe(0)
    await page.goto(`${fresh.base}/console/inspections`)
    await page.getByText('Aucun état des lieux').waitFor()
    expect(await page.getByRole('button', { name: 'Brouillon' }).count()).toBe(0)
    await page.goto(`${fresh.base}/console/payments`)
    await page.getByText('Rien à confirmer').waitFor()
    expect(await page.getByRole('button', { name: 'Confirmés' }).count()).toBe(1)
    await page.goto(`${fresh.base}/console/expenses?q=eau`)
    await page.getByText('Rien ne correspond.').waitFor()
    expect(await page.getByRole('searchbox').count()).toBe(1)
    await page.context().close()
  }, 120_000)

  test('a tenant who is signed in declares a payment in two presses, with nothing to fill in', async () => {
    // what the demo's tenant declared is refused: the month is open again
    const owner = await demo.server.token('OWNER')
    const headers = { authorization: `Bearer ${owner}` }
    const waiting = (await (await fetch(`${demo.base}/api/v1/payments?status=PENDING`, { headers })).json()) as {
      id: string
    }[]
    for (const { id } of waiting) await demo.server.call(owner, `POST /api/v1/payments/${id}/reject`, {})
    const { page, faults } = await demo.newPage({ locale: 'fr', size: 360 })
    await demo.signIn(page, 'TENANT', '/portal')
    const { done, press } = hand()
    await press(page.locator('main a', { hasText: 'J’ai payé' }).first())
    await press(page.getByRole('button', { name: 'Dire à mon bailleur' }))
    await page.waitForURL(`${demo.base}/portal`)
    await page.getByText('ne l’a pas encore confirmé').first().waitFor()
    expect(done).toEqual({ presses: 2, fields: 0 })
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
