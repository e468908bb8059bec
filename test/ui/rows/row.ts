import type { Page } from 'playwright-core'
import type { PHONES } from '../browser.ts'

/** A page to be looked at. */
export type Row = {
  readonly name: string
  readonly as: keyof typeof PHONES
  readonly path: string
  /** What is done before the look. */
  readonly act?: (page: Page) => Promise<unknown>
}

export const firstRow = (page: Page) => page.locator('[data-row] a').first()

/** Presses the button of a form and waits for what the server says beside its fields. */
export const sendAsIs = (where: 'main' | 'dialog') => async (page: Page) => {
  await page.locator(`${where} button[type=submit]`).click()
  await page.locator(`${where} [aria-invalid=true]`).first().waitFor()
}
