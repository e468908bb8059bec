// Every page as a person sees it: at 360 and 1280 px, in both languages, light and dark. A picture of each is left in
// dist/shots; axe finds nothing, the browser's console stays empty, nothing is asked of another origin.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { missing, openWorld, type PHONES, type World } from './browser.ts'

type Row = {
  readonly name: string
  readonly as: keyof typeof PHONES
  readonly path: string
  /** What is done before the look. */
  readonly act?: (page: Page) => Promise<unknown>
}
const SMS =
  'You have received 85,000 XAF from NGO BASSA MARIE (237677000004) on your mobile money account at 2026-03-05 16:30:51. Your new balance: 112,500 XAF. Financial Transaction Id: 7712345678.'
const row = (page: Page) => page.locator('[data-row] a').first()
/** Presses the button of a form and waits for what the server says beside its fields. */
const sendAsIs = (where: 'main' | 'dialog') => async (page: Page) => {
  await page.locator(`${where} button[type=submit]`).click()
  await page.locator(`${where} [aria-invalid=true]`).first().waitFor()
}
const PAGES: readonly Row[] = [
  { name: 'console-home', as: 'OWNER', path: '/console' },
  { name: 'console-rents', as: 'OWNER', path: '/console/invoices' },
  { name: 'console-rents-none', as: 'OWNER', path: '/console/invoices?status=CANCELLED' },
  { name: 'console-invoice', as: 'OWNER', path: '/console/invoices?status=OVERDUE', act: (page) => row(page).click() },
  {
    name: 'console-pay',
    as: 'OWNER',
    path: '/console/invoices?status=OVERDUE',
    async act(page) {
      await page.locator('[data-pay]').first().click()
      await page.locator('dialog input').first().fill('0')
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog [aria-invalid=true]').waitFor()
    },
  },
  { name: 'console-properties', as: 'OWNER', path: '/console/properties' },
  {
    name: 'console-property',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    act: (page) => page.getByText('Bonamoussadi').first().click(),
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
    name: 'console-property-new',
    as: 'OWNER',
    path: '/console/properties/new',
    act: sendAsIs('main'),
  },
  { name: 'console-tenants', as: 'OWNER', path: '/console/tenants' },
  { name: 'console-tenants-none', as: 'OWNER', path: '/console/tenants?q=zzzz' },
  { name: 'console-tenant', as: 'OWNER', path: '/console/tenants', act: (page) => row(page).click() },
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
  { name: 'console-payments', as: 'OWNER', path: '/console/payments' },
  {
    name: 'console-payment-refuse',
    as: 'OWNER',
    path: '/console/payments',
    act: (page) => page.locator('[data-row] .button-quiet:visible').first().click(),
  },
  { name: 'console-payments-done', as: 'OWNER', path: '/console/payments?status=CONFIRMED' },
  {
    name: 'console-payment-message',
    as: 'OWNER',
    path: '/console/payments/message',
    async act(page) {
      await page.locator('main textarea').fill(SMS)
      await page.locator('main button[type=submit]').click()
      await page.locator('#read').waitFor()
    },
  },
  { name: 'console-papers', as: 'OWNER', path: '/console/documents' },
  {
    name: 'console-reminders',
    as: 'OWNER',
    path: '/console/reminders',
    async act(page) {
      await page.locator('[data-row] input[type=checkbox]').first().check()
      await page.locator('main section [role=status]').waitFor()
    },
  },
  {
    name: 'console-property-edit',
    as: 'OWNER',
    path: '/console/properties?q=Bonamoussadi',
    async act(page) {
      await row(page).click()
      await page.locator('a[href$="/edit"]').first().click()
      await page.locator('main select').first().selectOption('MTN_MOMO')
    },
  },
  { name: 'console-reports', as: 'OWNER', path: '/console/reports' },
  { name: 'console-report-collection', as: 'OWNER', path: '/console/reports/collection?period=half' },
  { name: 'console-report-arrears', as: 'OWNER', path: '/console/reports/arrears' },
  { name: 'console-imports', as: 'OWNER', path: '/console/imports' },
  { name: 'console-data', as: 'OWNER', path: '/console/data' },
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
  { name: 'console-settings', as: 'ADMIN', path: '/console/settings' },
  { name: 'console-settings-forbidden', as: 'OWNER', path: '/console/settings' },
  { name: 'console-users', as: 'ADMIN', path: '/console/users' },
  { name: 'console-user', as: 'ADMIN', path: '/console/users?role=OWNER', act: (page) => row(page).click() },
  {
    name: 'console-user-new',
    as: 'ADMIN',
    path: '/console/users/new',
    act: sendAsIs('main'),
  },
  { name: 'console-reviews', as: 'ADMIN', path: '/console/reviews' },
  { name: 'console-clauses', as: 'MANAGER', path: '/console/settings/clauses' },
  {
    name: 'console-clause',
    as: 'ADMIN',
    path: '/console/settings/clauses/BUSINESS',
    act: (page) => page.locator('main ol button[aria-expanded]').first().click(),
  },
  { name: 'console-webhooks', as: 'MANAGER', path: '/console/settings/webhooks' },
  {
    name: 'console-webhook-new',
    as: 'ADMIN',
    path: '/console/settings/webhooks?add=1',
    act: sendAsIs('dialog'),
  },
  { name: 'console-webhooks-forbidden', as: 'OWNER', path: '/console/settings/webhooks' },
  { name: 'console-audit', as: 'ADMIN', path: '/console/audit?q=Odile' },
  { name: 'console-audit-none', as: 'ADMIN', path: '/console/audit?q=zzzz&subjectType=payment' },
  { name: 'console-leases', as: 'OWNER', path: '/console/bookings' },
  { name: 'console-lease', as: 'OWNER', path: '/console/bookings?stage=running', act: (page) => row(page).click() },
  {
    name: 'console-lease-draft',
    as: 'OWNER',
    path: '/console/bookings?stage=requests',
    act: (page) => row(page).click(),
  },
  {
    name: 'console-lease-new',
    as: 'OWNER',
    path: '/console/bookings/new',
    act: (page) => page.locator('main button[type=submit]').click(),
  },
  {
    name: 'console-lease-end',
    as: 'OWNER',
    path: '/console/bookings?stage=running',
    async act(page) {
      await row(page).click()
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
      await row(page).click()
      await page.locator('a[href$="/edit"]').click()
      await page.locator('main input[inputmode=numeric]').first().fill('')
      await page.locator('main button[type=submit]').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  {
    name: 'console-advance',
    as: 'OWNER',
    path: '/console/bookings?stage=running',
    async act(page) {
      await row(page).click()
      await page.locator('a[href*="advance="]').first().click()
      await page.locator('dialog dd').first().waitFor()
    },
  },
  { name: 'console-more', as: 'ADMIN', path: '/console/more' },
  { name: 'console-missing', as: 'OWNER', path: '/console/nowhere' },
  {
    name: 'console-palette',
    as: 'OWNER',
    path: '/console',
    async act(page) {
      await page.locator('h1').waitFor()
      await page.keyboard.press('/')
      await page.locator('dialog [role=combobox]').fill('bona')
      await page.locator('dialog [role=option]').first().waitFor()
    },
  },
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
const LOOKS = [
  { locale: 'fr', size: 360, dark: false },
  { locale: 'en', size: 360, dark: true },
  { locale: 'en', size: 1280, dark: false },
  { locale: 'fr', size: 1280, dark: true },
] as const

describe.skipIf(missing !== undefined)(`in a browser${missing === undefined ? '' : ` (not here: ${missing})`}`, () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  }, 60_000)
  afterAll(() => world?.close(), 30_000)

  describe.each(LOOKS)('$locale at $size px, dark: $dark', (look) => {
    const pages = new Map<string, Awaited<ReturnType<World['newPage']>>>()
    afterAll(async () => {
      for (const { page } of pages.values()) await page.context().close()
    })
    test.each(PAGES)('$name', async ({ name, as, path, act }) => {
      let watched = pages.get(as)
      if (watched) await watched.page.goto(world.base + path)
      else {
        watched = await world.newPage(look)
        pages.set(as, watched)
        await world.signIn(watched.page, as, path)
      }
      const { page, faults } = watched
      await act?.(page)
      const wrong = await world.look(page, `${name}-${look.size}-${look.locale}${look.dark ? '-dark' : ''}`)
      expect([...wrong, ...faults.splice(0)]).toEqual([])
    })
  })
})
