// Pages of the console: leases.
import { firstRow, type Row, sendAsIs } from './row.ts'

export const LEASES: readonly Row[] = [
  { name: 'console-inspections', as: 'OWNER', path: '/console/inspections' },
  {
    name: 'console-inspection-sent',
    as: 'OWNER',
    path: '/console/inspections?status=PROPOSED',
    act: (page) => firstRow(page).click(),
  },
  { name: 'console-inspections-none', as: 'OWNER', path: '/console/inspections?status=SIGNED' },
  {
    name: 'console-inspection-fill',
    as: 'OWNER',
    path: '/console/bookings?stage=running',
    async act(page) {
      await firstRow(page).click()
      const begun = page.locator('section[aria-labelledby=inspections]')
      await begun.locator('li a, button').first().click()
      await page.locator('main select').first().waitFor()
      await page.locator('main section.card button.button-quiet').first().click()
    },
  },
  { name: 'console-expenses', as: 'OWNER', path: '/console/expenses' },
  { name: 'console-expense-new', as: 'OWNER', path: '/console/expenses/new', act: sendAsIs('main') },
  { name: 'console-repairs', as: 'OWNER', path: '/console/requests' },
  { name: 'console-repairs-none', as: 'OWNER', path: '/console/requests?status=REFUSED' },
  {
    name: 'console-repair-open',
    as: 'OWNER',
    path: '/console/requests?status=OPEN',
    act: (page) => firstRow(page).click(),
  },
  {
    name: 'console-repair-done',
    as: 'OWNER',
    path: '/console/requests?status=DONE',
    async act(page) {
      await firstRow(page).click()
      await page.locator('main button.button-quiet').last().click()
      await page.locator('main input[inputmode=numeric]').waitFor()
    },
  },
  { name: 'console-repair-new', as: 'OWNER', path: '/console/requests/new', act: sendAsIs('main') },
  { name: 'console-leases', as: 'OWNER', path: '/console/bookings' },
  {
    name: 'console-lease',
    as: 'OWNER',
    path: '/console/bookings?stage=running',
    act: (page) => firstRow(page).click(),
  },
  {
    name: 'console-lease-rent',
    as: 'OWNER',
    path: '/console/bookings?stage=running',
    async act(page) {
      await firstRow(page).click()
      await page.locator('section[aria-labelledby=running] button.button-quiet').first().click()
    },
  },
  {
    name: 'console-lease-notice',
    as: 'OWNER',
    path: '/console/bookings?stage=running',
    async act(page) {
      await firstRow(page).click()
      await page.locator('section[aria-labelledby=running] button.button-quiet').last().click()
    },
  },
  {
    name: 'console-lease-draft',
    as: 'OWNER',
    path: '/console/bookings?stage=requests',
    act: (page) => firstRow(page).click(),
  },
  {
    name: 'console-lease-party',
    as: 'OWNER',
    path: '/console/bookings?stage=requests',
    async act(page) {
      await firstRow(page).click()
      await page.locator('section[aria-labelledby=parties] button').first().click()
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog [aria-invalid=true]').first().waitFor()
    },
  },
  {
    name: 'console-lease-new',
    as: 'OWNER',
    path: '/console/bookings/new',
    act: (page) => page.locator('main button[type=submit]').click(),
  },
  {
    name: 'console-lease-tenant',
    as: 'OWNER',
    path: '/console/bookings/new?step=2',
    async act(page) {
      await page.getByRole('button', { name: /mes locataires|my tenants/ }).click()
      await page.locator('main li button').first().waitFor()
    },
  },
  {
    name: 'console-lease-end',
    as: 'OWNER',
    path: '/console/bookings?stage=running',
    async act(page) {
      await firstRow(page).click()
      await page.locator('a[href$="/terminate"]').click()
      await page.locator('main button[type=submit]').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  {
    name: 'console-lease-edit',
    as: 'OWNER',
    path: '/console/bookings?stage=requests',
    async act(page) {
      await firstRow(page).click()
      await page.locator('a[href$="/edit"]').click()
      await page.locator('main input[inputmode=numeric]').first().fill('')
      await page.locator('main button[type=submit]').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  {
    name: 'console-lease-correct',
    as: 'OWNER',
    path: '/console/bookings?stage=running',
    async act(page) {
      await firstRow(page).click()
      await page.locator('section[aria-labelledby=running]').waitFor()
      await page.goto(`${page.url().split('?')[0]}/edit`)
      await page.locator('main form button.link').first().click()
      await page.locator('main li button').first().waitFor()
    },
  },
  {
    name: 'console-advance',
    as: 'OWNER',
    path: '/console/bookings?stage=running',
    async act(page) {
      await firstRow(page).click()
      await page.locator('a[href*="advance="]').first().click()
      await page.locator('dialog dd').first().waitFor()
    },
  },
]
