// By keyboard alone, on paper, on a very wide screen, and without motion.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  const at = (page: Page, path: string) => page.waitForURL(world.base + path)
  /** Where the focus is: the row's number in the list, else the id of the element. */
  const focus = (page: Page) =>
    page.evaluate(() => {
      const row = document.activeElement?.closest('[data-row]')
      return row ? [...document.querySelectorAll('[data-row]')].indexOf(row) : (document.activeElement?.id ?? '')
    })

  test('single keys go, walk along rows, open, record a payment and explain themselves; never while one types', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    await world.signIn(page, 'OWNER', '/console')
    await page.locator('h1').waitFor()
    for (const [key, path] of [
      ['t', '/console/tenants'],
      ['p', '/console/properties'],
      ['h', '/console'],
      ['r', '/console/invoices'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await at(page, path)
      await page.locator('h1').waitFor()
      await page.waitForFunction(() => document.activeElement?.id === 'main')
    }
    await page.goto(`${world.base}/console/invoices?status=OVERDUE`)
    await page.locator('[data-row]').nth(1).waitFor()
    const walked: unknown[] = []
    for (const key of ['j', 'j', 'k', 'k']) {
      await page.keyboard.press(key)
      walked.push(await focus(page))
    }
    expect(walked).toEqual([0, 1, 0, 0])
    await page.keyboard.press('p')
    await page.locator('dialog input').first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await focus(page)).toBe(0)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/invoices\/[0-9a-f-]{36}$/)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.locator('dialog [role=combobox]').fill('gr')
    expect(await page.locator('dialog [role=combobox]').inputValue()).toBe('gr')
    await page.keyboard.press('Escape')
    await page.goto(`${world.base}/console/tenants?q=`)
    await page.locator('main input[type=search]').pressSequentially('gr')
    expect(new URL(page.url()).pathname).toBe('/console/tenants')
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('the first Tab leads to the content, and the "+" menu works by keys', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    await world.signIn(page, 'OWNER', '/console')
    await page.locator('h1').waitFor()
    await page.goto(`${world.base}/console`)
    await page.locator('h1').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.getByRole('button', { name: 'Add', exact: true }).focus()
    await page.keyboard.press('Enter')
    const entry = page.getByRole('link', { name: 'Add a tenant' })
    await entry.waitFor()
    await page.keyboard.press('Escape')
    await entry.waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await entry.focus()
    await page.keyboard.press('Enter')
    await at(page, '/console/tenants/new')
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('on paper there is what one reads, nothing to press; at 1920 px nothing is lost at the sides', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    await world.signIn(page, 'OWNER', '/console/invoices?status=OVERDUE')
    await page.locator('[data-row] a').first().click()
    await page.waitForURL(/\/console\/invoices\/[0-9a-f-]{36}$/)
    await page.waitForLoadState('networkidle')
    await page.locator('h1').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('nav:visible, button:visible, header:visible').count()).toBe(0)
    expect(await page.locator('h1').isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    await page.setViewportSize({ width: 1920, height: 1080 })
    for (const path of ['', '/invoices', '/properties', '/bookings']) {
      await page.goto(`${world.base}/console${path}`)
      await page.locator('h1').waitFor()
      await page.waitForLoadState('networkidle')
      const { wide, moving } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        moving: document.getAnimations().filter(({ effect }) => Number(effect?.getTiming().duration) > 10).length,
      }))
      expect([path, wide, moving]).toEqual([path, 0, 0])
    }
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('a dialog gives the focus back to what opened it, however it is left', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    await world.signIn(page, 'OWNER', '/console/invoices?status=OVERDUE')
    const dialog = page.locator('dialog')
    const opener = page.locator('[data-pay]:visible').first()
    const isBack = () => opener.evaluate((one) => one === document.activeElement)
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 5),
      () => page.goBack(),
    ]) {
      await opener.focus()
      await page.keyboard.press('Enter')
      await dialog.locator('input').first().waitFor()
      expect(await isBack()).toBe(false)
      await leave()
      await dialog.waitFor({ state: 'detached' })
      expect([leave.toString(), await isBack()]).toEqual([leave.toString(), true])
    }
    // a part is paid: the row stays
    await opener.focus()
    await page.keyboard.press('Enter')
    await dialog.locator('input').first().fill('1 000')
    await dialog.locator('button[type=submit]').click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await isBack()).toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('a row that is paid or decided gives the focus to the next one, to its name and to no button; the last, to the page', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    const dialog = page.locator('dialog')
    const rows = page.locator('[data-row]')
    await world.signIn(page, 'OWNER', '/console/payments')
    await rows.first().waitFor()
    const waiting = await rows.count()
    await rows.first().getByRole('button', { name: 'Confirm' }).filter({ visible: true }).focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction((n) => document.querySelectorAll('[data-row]').length < n, waiting)
    await page.waitForFunction(() => document.activeElement !== document.body)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe(waiting > 1 ? 'A' : 'MAIN')
    await page.goto(`${world.base}/console/invoices?status=OVERDUE`)
    await rows.first().waitFor()
    for (let left = await rows.count(); left > 0; left -= 1) {
      const next = left > 1 ? await rows.nth(1).locator('a').first().getAttribute('href') : 'main'
      await rows.first().locator('[data-pay]').focus()
      await page.keyboard.press('Enter')
      await dialog.locator('button[type=submit]').click()
      await dialog.waitFor({ state: 'detached' })
      await page.waitForFunction((n) => document.querySelectorAll('[data-row]').length < n, left)
      await page.waitForFunction(() => document.activeElement !== document.body)
      expect(
        await page.evaluate(() => document.activeElement?.getAttribute('href') ?? document.activeElement?.id),
      ).toBe(String(next))
    }
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test.each([
    ['OWNER', '/console'],
    ['ADMIN', '/console/settings'],
    ['OWNER', '/console/invoices'],
    ['TENANT', '/portal'],
    ['TENANT', '/portal/me/messages'],
  ] as const)(
    'on a phone of %s, all that Tab reaches at %s is seen, marked and named',
    async (as, path) => {
      const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
      await world.signIn(page, as, path)
      await page.locator('h1').waitFor()
      await page.waitForLoadState('networkidle')
      const wrong: string[] = []
      let stops = 0
      for (; stops < 80; stops += 1) {
        await page.keyboard.press('Tab')
        const found = await page.evaluate(() => {
          const at = document.activeElement
          if (!at || at === document.body) return
          // what is hidden is shown and marked by its label
          const shown = at.classList.contains('sr-only') ? (at.closest('label') ?? at) : at
          const { left, top, width, height } = shown.getBoundingClientRect()
          const there = document.elementFromPoint(left + Math.min(width / 2, 30), top + height / 2)
          const { outlineStyle } = getComputedStyle(shown)
          const what = `${at.tagName} ${at.getAttribute('aria-label') ?? at.textContent?.trim().slice(0, 40)}`
          if (!there || !(shown.contains(there) || there.contains(shown)))
            return `${what}: behind ${there?.outerHTML.slice(0, 60)}`
          return outlineStyle === 'none' ? `${what}: not marked` : ''
        })
        if (found === undefined) break
        if (found !== '') wrong.push(found)
      }
      expect(stops).toBeGreaterThan(5)
      expect([...wrong, ...faults]).toEqual([])
      await page.context().close()
    },
    60_000,
  )
})
