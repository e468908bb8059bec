// Pages of the console: properties and units.
import { firstRow, type Row, sendAsIs } from './row.ts'

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
]
