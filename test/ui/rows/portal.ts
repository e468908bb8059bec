// Pages of the portal.
import type { Row } from './row.ts'

export const PORTAL: readonly Row[] = [
  { name: 'portal-rent', as: 'TENANT', path: '/portal' },
  { name: 'portal-declare', as: 'TENANT', path: '/portal', act: (page) => page.locator('section a').first().click() },
  {
    name: 'portal-declare-refused',
    as: 'TENANT',
    path: '/portal',
    async act(page) {
      await page.locator('section a').first().click()
      await page.locator('input[inputmode=numeric]').fill('0')
      await page.locator('input[type=date]').fill('2040-01-01')
      await page.locator('main button[type=submit]').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  { name: 'portal-papers', as: 'TENANT', path: '/portal/papers' },
  { name: 'portal-papers-none', as: 'TENANT', path: '/portal/papers?kind=STATEMENT' },
  { name: 'portal-lease', as: 'TENANT', path: '/portal/lease' },
  {
    name: 'portal-lease-leave',
    as: 'TENANT',
    path: '/portal/lease',
    act: (page) => page.locator('section[aria-labelledby=leave] button').click(),
  },
  {
    name: 'portal-charges',
    as: 'TENANT',
    path: '/portal/lease',
    act: (page) => page.locator('main a[href*="/charges/"]').click(),
  },
  { name: 'portal-inspections', as: 'TENANT', path: '/portal/inspections' },
  { name: 'portal-repairs', as: 'TENANT', path: '/portal/requests' },
  {
    name: 'portal-repair',
    as: 'TENANT',
    path: '/portal/requests',
    act: (page) => page.locator('main li a').first().click(),
  },
  {
    name: 'portal-repair-new',
    as: 'TENANT',
    path: '/portal/requests',
    async act(page) {
      await page.locator('main a.button').first().click()
      await page.locator('main button[type=submit]').click()
      await page.locator('main [aria-invalid=true]').first().waitFor()
    },
  },
  { name: 'portal-identity', as: 'TENANT', path: '/portal/identity' },
  { name: 'portal-homes', as: 'TENANT', path: '/portal/homes' },
  { name: 'portal-homes-none', as: 'TENANT', path: '/portal/homes?q=zzzz' },
  {
    name: 'portal-home',
    as: 'TENANT',
    path: '/portal/homes',
    act: (page) => page.locator('main a.card').first().click(),
  },
  { name: 'portal-me', as: 'TENANT', path: '/portal/me' },
  { name: 'portal-me-name', as: 'TENANT', path: '/portal/me/name' },
  { name: 'portal-me-phone', as: 'TENANT', path: '/portal/me/phone' },
  { name: 'portal-me-password', as: 'TENANT', path: '/portal/me/password' },
  { name: 'portal-me-devices', as: 'TENANT', path: '/portal/me/devices' },
  { name: 'portal-me-messages', as: 'TENANT', path: '/portal/me/messages' },
  {
    name: 'portal-me-data',
    as: 'TENANT',
    path: '/portal/me/data',
    async act(page) {
      await page.locator('main .button-bad').click()
      await page.locator('main button[type=submit]').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  { name: 'portal-missing', as: 'TENANT', path: '/portal/nowhere' },
]
