// Every page as a person sees it: at 360 and 1280 px, in both languages, light and dark. A picture of each is left in
// dist/shots; axe finds nothing, the browser's console stays empty, nothing is asked of another origin.
import { afterAll, describe, expect, test } from 'bun:test'
import { inBrowser, type World } from './browser.ts'
import { LEASES } from './rows/leases.ts'
import { MONEY } from './rows/money.ts'
import { OFFICE } from './rows/office.ts'
import { PEOPLE } from './rows/people.ts'
import { PORTAL } from './rows/portal.ts'
import { PROPERTIES } from './rows/properties.ts'

/** A new page needs a row in its group's file. */
const PAGES = [...OFFICE, ...MONEY, ...PROPERTIES, ...PEOPLE, ...LEASES, ...PORTAL]
const LOOKS = [
  { locale: 'fr', size: 360, dark: false },
  { locale: 'en', size: 360, dark: true },
  { locale: 'en', size: 1280, dark: false },
  { locale: 'fr', size: 1280, dark: true },
] as const

inBrowser((world) => {
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
