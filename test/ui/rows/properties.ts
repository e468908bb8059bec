// Pages of the console: properties, units, and their charges.
import type { Page } from 'playwright-core'
import { firstRow, type Row, sendAsIs } from './row.ts'

/** The charges of a property of the demo, whose units have water meters from the first time on. */
async function openCharges(page: Page): Promise<void> {
  await firstRow(page).click()
  await page.locator('main a[href$="/charges"]').click()
  await page.locator('#meters').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  if ((await page.locator('main [data-row]').count()) > 0) return
  await page.locator('main button.button').click()
  await page.locator('dialog button[type=submit]').click()
  await page.locator('main [data-row]').first().waitFor()
}
async function openReadings(page: Page): Promise<void> {
  await openCharges(page)
  await page.locator('main a[href$="/charges/readings"]').click()
  await page.locator('input[inputmode=decimal]').first().waitFor()
}
/** A charge of equal parts, and what it cost. */
async function openSharing(page: Page): Promise<void> {
  await openCharges(page)
  await page.locator('main a[href$="/charges/new"]').click()
  await page.locator('main input[value=EQUAL]').check({ force: true })
}
async function openPreview(page: Page): Promise<void> {
  await openSharing(page)
  await page.locator('main form section').nth(1).locator('input[type=text]').first().fill('Gardiennage')
  await page.locator('main form section').nth(1).locator('input[inputmode=numeric]').first().fill('60 000')
  await page.locator('main button[type=submit]').click()
  await page.locator('#shares').waitFor()
}

export const PROPERTIES: readonly Row[] = [
  { name: 'console-properties', as: 'OWNER', path: '/console/properties' },
  {
    name: 'console-property',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    act: (page) => page.getByText('Bonamoussadi').first().click(),
  },
  {
    name: 'console-property-proof',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    async act(page) {
      await firstRow(page).click()
      await page.locator('[aria-labelledby=proof] button').click()
      await page.locator('dialog label', { hasText: /mandat/i }).click()
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog [role=alert]').waitFor()
    },
  },
  {
    name: 'console-unit',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    async act(page) {
      await page.getByText('Bonamoussadi').first().click()
      await page.locator('[data-row] a[href*="unit="]').first().click()
      await page.locator('dialog input').first().fill('')
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog [aria-invalid=true]').first().waitFor()
    },
  },
  {
    name: 'console-property-fee',
    as: 'MANAGER',
    path: '/console/properties?q=Bonamoussadi',
    async act(page) {
      await firstRow(page).click()
      await page.locator('main a[href$="/edit"]').first().click()
      await page.locator('#fee').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'console-property-new',
    as: 'OWNER',
    path: '/console/properties/new',
    act: sendAsIs('main'),
  },
  {
    name: 'console-property-edit',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    async act(page) {
      await firstRow(page).click()
      await page.locator('a[href$="/edit"]').first().click()
      await page.locator('main select').first().selectOption('MTN_MOMO')
    },
  },
  { name: 'console-charges', as: 'OWNER', path: '/console/properties?q=Bonamoussadi', act: openCharges },
  { name: 'console-charges-choose', as: 'OWNER', path: '/console/charges' },
  {
    name: 'console-charges-meters',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    async act(page) {
      await openCharges(page)
      await page.locator('main button.link').first().click()
      await page.locator('dialog input[type=checkbox]').first().check()
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog [aria-invalid=true]').first().waitFor()
    },
  },
  {
    name: 'console-charges-readings',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    async act(page) {
      await openReadings(page)
      const fields = page.locator('input[inputmode=decimal]')
      await fields.nth(0).fill('1 245,5')
      await fields.nth(0).press('Enter')
      await page.locator('li .text-good').first().waitFor()
      await page.keyboard.type('12,34567')
      await page.keyboard.press('Enter')
      await page.locator('main [aria-invalid=true]').waitFor()
    },
  },
  {
    name: 'console-charges-sharing',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    async act(page) {
      await openSharing(page)
      await page.locator('main button[type=submit]').click()
      await page.locator('main [aria-invalid=true], main [role=alert]').first().waitFor()
    },
  },
  {
    name: 'console-charges-preview',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    act: openPreview,
  },
  {
    name: 'console-charges-one',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    async act(page) {
      await openPreview(page)
      await page.locator('section[aria-labelledby=check] button.button').click()
      await page.waitForURL(/\/charges\/[\da-f-]{36}$/)
    },
  },
]
