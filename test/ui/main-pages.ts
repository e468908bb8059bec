import type { Page } from 'playwright-core'
import { settled, type World } from './browser.ts'

/** The pages that people use day by day, by who opens them. */
export const PAGES = {
  OWNER: [
    ...['', '/invoices', '/tenants', '/properties', '/bookings', '/payments', '/expenses', '/reports', '/requests'],
    ...[
      '/adjustments',
      '/charges',
      '/reminders',
      '/imports',
      '/more',
      '/me',
      '/properties/new',
      '/bookings/new',
      '/tenants/new',
    ],
  ].map((path) => `/console${path}`),
  ADMIN: [
    '/users',
    '/settings',
    '/settings/law',
    '/settings/clauses',
    '/settings/webhooks',
    '/settings/server',
    '/audit',
    '/reviews',
  ].map((path) => `/console${path}`),
  TENANT: ['', '/lease', '/me', '/requests', '/homes', '/papers', '/identity'].map((path) => `/portal${path}`),
} as const

/** Signs a person in, and opens their pages and `more` in turn. @returns the path of each that is settled */
export async function* opened(world: World, page: Page, who: keyof typeof PAGES, more: readonly string[] = []) {
  await world.signIn(page, who, PAGES[who][0] ?? '/')
  for (const path of [...PAGES[who], ...more]) {
    await page.goto(world.base + path)
    await settled(page).catch((error) => Promise.reject(new Error(`${path}: ${error}`)))
    yield path
  }
}
