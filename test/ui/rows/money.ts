// Pages of the console: rents, payments, reminders, reports.
import { firstRow, type Row, sendAsIs } from './row.ts'

const SMS =
  'You have received 85,000 XAF from NGO BASSA MARIE (237677000004) on your mobile money account at 2026-03-05 16:30:51. Your new balance: 112,500 XAF. Financial Transaction Id: 7712345678.'
/** Several in one paste: one without a day, one that tells of no money received. */
const SEVERAL = [
  SMS,
  'You have received 40,000 XAF from A STRANGER (237699000004). Message from sender: . Your new balance: 152,500 XAF. Financial Transaction Id: 7712399999.',
  'You have sent 5,000 XAF to ENEO. Your new balance: 147,500 XAF. Financial Transaction Id: 7712400001.',
].join('\n')
export const MONEY: readonly Row[] = [
  { name: 'console-rents', as: 'OWNER', path: '/console/invoices' },
  { name: 'console-rents-none', as: 'OWNER', path: '/console/invoices?status=CANCELLED' },
  {
    name: 'console-invoice',
    as: 'OWNER',
    path: '/console/invoices?status=OVERDUE',
    act: (page) => firstRow(page).click(),
  },
  {
    name: 'console-invoice-by-hand',
    as: 'OWNER',
    path: '/console/invoices?status=OVERDUE',
    async act(page) {
      await firstRow(page).click()
      await page.locator('main section button', { hasText: 'WhatsApp' }).click()
      await page.locator('main a[href^="https://wa.me/"]').waitFor()
    },
  },
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
  {
    name: 'console-payment-messages',
    as: 'OWNER',
    path: '/console/payments/message',
    async act(page) {
      await page.locator('main textarea').fill(SEVERAL)
      await page.locator('main button[type=submit]').click()
      await page.locator('main input[type=date]').waitFor()
    },
  },
  {
    name: 'console-reminders',
    as: 'OWNER',
    path: '/console/reminders',
    async act(page) {
      await page.locator('[data-row] input[type=checkbox]').first().check()
      await page.locator('main section [role=status]').waitFor()
    },
  },
  { name: 'console-reports', as: 'OWNER', path: '/console/reports' },
  { name: 'console-report-collection', as: 'OWNER', path: '/console/reports/collection?period=half' },
  { name: 'console-report-arrears', as: 'OWNER', path: '/console/reports/arrears' },
  { name: 'console-report-owner', as: 'MANAGER', path: '/console/reports/owner-statement?period=year' },
  { name: 'console-report-account', as: 'OWNER', path: '/console/reports/owner-account?period=year' },
  { name: 'console-report-profit', as: 'OWNER', path: '/console/reports/profit-loss' },
  { name: 'console-expense', as: 'MANAGER', path: '/console/expenses', act: (page) => firstRow(page).click() },
  {
    name: 'console-expense-edit',
    as: 'MANAGER',
    path: '/console/expenses',
    async act(page) {
      await firstRow(page).click()
      await page.locator('main a[href$="/edit"]').click()
      await page.locator('main input[inputmode=numeric]').first().waitFor()
    },
  },
  { name: 'console-transfers', as: 'MANAGER', path: '/console/transfers' },
  { name: 'console-transfer-new', as: 'MANAGER', path: '/console/transfers/new', act: sendAsIs('main') },
]
