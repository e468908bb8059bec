// The main pages walked through by Tab: everything that can be used is reached, in the order in which it is read, seen.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inBrowser } from './browser.ts'
import { opened } from './main-pages.ts'

/** What takes the focus, by its place in the document; of radio buttons the one of each group that does. */
const reachable = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLInputElement>('a[href], button, input, select, textarea, summary')]
    const isFirst = (one: HTMLInputElement): boolean => {
      const group = all.filter(({ type, name }) => type === 'radio' && name === one.name)
      return one.type !== 'radio' || one === (group.find(({ checked }) => checked) ?? group[0])
    }
    return all.flatMap((one, i) =>
      !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }) && isFirst(one)
        ? [i]
        : [],
    )
  })

/** What has the focus: its place among all that may, and what is wrong with how it shows. */
const focused = (page: Page) =>
  page.evaluate(() => {
    // less motion is still a frame of it
    for (const motion of document.getAnimations()) motion.finish()
    const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    const one = document.activeElement
    if (one === null || one === document.body) return
    // A hidden field shows by its label.
    const shown = one.closest('label') ?? one
    const { left, top, right, bottom, width, height } = shown.getBoundingClientRect()
    const isDrawn = [one, shown].some((element) => getComputedStyle(element).outlineStyle !== 'none')
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    const faults = [
      ...(isDrawn ? [] : ['no ring']),
      ...(width < 4 || height < 4 ? ['no size'] : []),
      ...(left < 0 || top < 0 || right > innerWidth || bottom > innerHeight ? ['not on the screen'] : []),
      ...(hit !== null && !shown.contains(hit) && !hit.contains(shown) ? ['covered'] : []),
    ]
    const name = one.getAttribute('aria-label') ?? one.textContent?.trim() ?? ''
    return {
      at: all.indexOf(one),
      faults: faults.map((fault) => `${one.localName} "${name}": ${fault}`),
    }
  })

/** The next Tab leads to the first stop, wherever the page has put the focus. */
const toTop = (page: Page) =>
  page.evaluate(() => {
    const top = document.createElement('span')
    top.tabIndex = -1
    document.body.prepend(top)
    top.focus()
    top.remove()
  })

async function walk(page: Page): Promise<{ readonly stops: number[]; readonly faults: string[] }> {
  const stops: number[] = []
  const faults: string[] = []
  for (let i = 0; i < 400; i += 1) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    // Behind the last one comes the browser's own frame, or the first one again.
    if (now === undefined && stops.length === 0) continue
    if (now === undefined || (stops.length > 1 && now.at === stops[0])) return { stops, faults }
    // a date has a stop for its day, its month, its year and its calendar
    if (now.at !== stops.at(-1)) stops.push(now.at)
    faults.push(...now.faults)
  }
  throw new Error('no way out by Tab')
}

inBrowser((world) => {
  test.each(['OWNER', 'ADMIN', 'TENANT'] as const)(
    'by Tab through the pages of %s',
    async (who) => {
      const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
      for await (const path of opened(world, page, who)) {
        await toTop(page)
        const all = await reachable(page)
        expect([path, await walk(page)]).toEqual([path, { stops: all, faults: [] }])
      }
      expect(faults).toEqual([])
      await page.context().close()
    },
    180_000,
  )

  test('a dialog keeps Tab within itself, and Escape leads out of it', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    await world.signIn(page, 'OWNER', '/console/invoices?status=OVERDUE')
    await page.locator('[data-row] [data-pay]').first().focus()
    await page.keyboard.press('Enter')
    await page.locator('dialog[open] input').first().waitFor()
    const where = () =>
      page.evaluate(() => (document.activeElement?.closest('dialog') ? 'dialog' : document.activeElement?.localName))
    const seen = new Set<string | undefined>()
    for (let i = 0; i < 30; i += 1) {
      await page.keyboard.press('Tab')
      seen.add(await where())
    }
    // `body` is the browser's own frame, between the last field and the first
    expect([...seen].filter((name) => name !== 'body')).toEqual(['dialog'])
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-pay'))).toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)
})
