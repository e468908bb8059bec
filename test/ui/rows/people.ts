// Pages of the console: tenants, users, reviews, oneself.
import { firstRow, type Row, sendAsIs } from './row.ts'

export const PEOPLE: readonly Row[] = [
  { name: 'console-tenants', as: 'OWNER', path: '/console/tenants' },
  { name: 'console-tenants-none', as: 'OWNER', path: '/console/tenants?q=zzzz' },
  { name: 'console-tenant', as: 'OWNER', path: '/console/tenants', act: (page) => firstRow(page).click() },
  {
    name: 'console-tenant-new',
    as: 'OWNER',
    path: '/console/tenants/new',
    async act(page) {
      await page.locator('input[type=tel]').fill('12')
      await page.locator('main button[type=submit]').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  {
    name: 'console-tenant-company',
    as: 'OWNER',
    path: '/console/tenants/new',
    async act(page) {
      await page.locator('main input[type=radio][value=COMPANY]').check({ force: true })
      await page.locator('main button[type=submit]').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  { name: 'console-me', as: 'OWNER', path: '/console/me' },
  {
    name: 'console-me-phone',
    as: 'OWNER',
    path: '/console/me',
    act: (page) => page.locator('[aria-labelledby=person] .link').click(),
  },
  {
    name: 'console-me-close',
    as: 'OWNER',
    path: '/console/me',
    async act(page) {
      await page.locator('[aria-labelledby=data] .link').click()
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog [aria-invalid=true]').first().waitFor()
    },
  },
  { name: 'console-users', as: 'ADMIN', path: '/console/users' },
  { name: 'console-user', as: 'ADMIN', path: '/console/users?role=OWNER', act: (page) => firstRow(page).click() },
  {
    name: 'console-user-limited',
    as: 'ADMIN',
    path: '/console/users?role=MANAGER',
    async act(page) {
      await firstRow(page).click()
      await page.locator('main input[type=radio][value=SOME]').check({ force: true })
      await page.locator('main input[type=checkbox]').last().check()
    },
  },
  {
    name: 'console-user-new',
    as: 'ADMIN',
    path: '/console/users/new',
    act: sendAsIs('main'),
  },
  { name: 'console-reviews', as: 'ADMIN', path: '/console/reviews' },
]
