// Pages of the console: home, papers, lists in and out, settings, webhooks, audit.
import { type Row, sendAsIs } from './row.ts'

export const OFFICE: readonly Row[] = [
  { name: 'console-home', as: 'OWNER', path: '/console' },
  { name: 'console-papers', as: 'OWNER', path: '/console/documents' },
  { name: 'console-imports', as: 'OWNER', path: '/console/imports' },
  { name: 'console-data', as: 'OWNER', path: '/console/data' },
  { name: 'console-settings', as: 'ADMIN', path: '/console/settings' },
  { name: 'console-settings-forbidden', as: 'OWNER', path: '/console/settings' },
  { name: 'console-clauses', as: 'MANAGER', path: '/console/settings/clauses' },
  { name: 'console-law', as: 'ADMIN', path: '/console/settings/law' },
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
  { name: 'console-archives', as: 'ADMIN', path: '/console/audit/archives' },
  { name: 'console-audit-none', as: 'ADMIN', path: '/console/audit?q=zzzz&subjectType=payment' },
  { name: 'console-server', as: 'ADMIN', path: '/console/settings/server' },
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
]
