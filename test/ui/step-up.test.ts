// The second sign-in step that the server asks for inside a page: back at the same place, with a word that nothing was sent.
import { expect, test } from 'bun:test'
import { totp } from '../support/factors.ts'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  test('what asks for a second factor leads to it, and back to the form with what was typed', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', '/console/properties/new')
    await page.getByLabel('Name', { exact: true }).fill('Villa Makepe')
    await page.getByLabel('Address or landmark').fill('Rue des palmiers')
    await page.getByLabel('Town').fill('Douala')
    let refused = 0
    await page.route('**/api/v1/properties', (route) => {
      if (route.request().method() !== 'POST' || refused > 0) return route.continue()
      refused += 1
      return route.fulfill({ status: 401, contentType: 'application/problem+json', json: { code: 'step_up_required' } })
    })
    await page.locator('main button[type=submit]').click()
    // The owner has no second factor yet: the password first, then an app, then its recovery codes.
    await page.locator('#username').fill('+237677000001')
    await page.locator('#password').fill('loyer-demo-2026')
    await page.locator('main form button[type=submit]').first().click()
    const secret = ((await page.locator('.key').first().textContent()) ?? '').replaceAll(' ', '')
    await page.locator('#code').fill(totp(secret))
    await page
      .locator('form', { has: page.locator('#code') })
      .locator('button[type=submit]')
      .click()
    await page.locator('.codes').waitFor()
    await page.locator('main form button[type=submit]').first().click()
    await page.waitForURL(`${world.base}/console/properties/new`)
    // nothing was sent, and the page says so until it is
    await page.getByText('We know it is you. Nothing has been sent yet: press “').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Villa Makepe')
    await page.locator('main button[type=submit]').click()
    await page.getByRole('heading', { name: 'Villa Makepe' }).waitFor()
    expect([refused, faults]).toEqual([1, []])
    // a button without a form says it on top of its page, once
    await page.route('**/api/v1/exports', (route) => {
      if (route.request().method() !== 'POST' || refused > 1) return route.continue()
      refused += 1
      return route.fulfill({ status: 401, contentType: 'application/problem+json', json: { code: 'step_up_required' } })
    })
    await page.goto(`${world.base}/console/data`)
    const all = page.getByRole('button', { name: 'Export all' })
    await all.click()
    await page.getByText('Nothing has been done yet: press the button again.').waitFor()
    expect(await page.getByText('Nothing has been sent yet').count()).toBe(0)
    await all.click()
    await page.getByText('Nothing has been done yet').waitFor({ state: 'detached' })
    await page.reload()
    await all.waitFor()
    expect(await page.getByText('Nothing has been done yet').count()).toBe(0)
    await page.context().close()
  }, 60_000)

  test('a sign-in that is too old for where the rent is paid is renewed, and what was typed stays', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'ADMIN', '/console/settings')
    let refused = 0
    const sent: string[] = []
    await page.route('**/api/v1/admin/organization', (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      sent.push(route.request().postData() ?? '')
      if (refused > 0) return route.continue()
      refused += 1
      const json = { code: 'reauthentication_required', detail: 'You signed in more than five minutes ago.' }
      return route.fulfill({ status: 403, contentType: 'application/problem+json', json })
    })
    await page.getByLabel('Number or account').first().fill('677 99 88 77')
    await page.locator('main button[type=submit]').first().click()
    await page.getByText('We know it is you. Nothing has been sent yet: press “').waitFor()
    expect(await page.getByLabel('Number or account').first().inputValue()).toBe('677 99 88 77')
    await page.locator('main button[type=submit]').first().click()
    await page.getByText('Nothing has been sent yet').waitFor({ state: 'detached' })
    expect([refused, faults]).toEqual([1, []])
    expect(sent.map((body) => 'payTo' in JSON.parse(body))).toEqual([true, true])
    // What is not changed is not sent: a new name asks for no new sign-in.
    await page.getByLabel('Name', { exact: true }).fill('Agence du Wouri')
    await page.locator('main button[type=submit]').first().click()
    await page.waitForResponse((response) => response.request().method() === 'PATCH')
    expect('payTo' in JSON.parse(sent.at(-1) ?? '')).toBe(false)
    await page.context().close()
  }, 60_000)
})
