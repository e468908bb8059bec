// Pages beside console and portal, as whoever was sent a link sees them, and those of the sign-in: in four looks.
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inBrowser } from './browser.ts'

const LOOKS = [
  { locale: 'fr', size: 360, dark: false },
  { locale: 'en', size: 360, dark: true },
  { locale: 'en', size: 1280, dark: false },
  { locale: 'fr', size: 1280, dark: true },
] as const
type Row = { readonly name: string; readonly path: string; readonly act?: (page: Page) => Promise<unknown> }

inBrowser((world) => {
  const PAGES: readonly Row[] = [
    { name: 'public-verify-enter', path: '/verify' },
    { name: 'public-verify-unknown', path: '/verify/AAAA-BBBB-CCCC' },
    { name: 'public-link-unknown', path: '/i/abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG' },
    {
      name: 'public-link',
      path: '/demo',
      act: async (page) => {
        const answer = await fetch(`${world.base}/api/v1/sandbox/messages?to=${encodeURIComponent('+237677000005')}`)
        const [link = '/i/none'] = /\/i\/[\w-]+/.exec(await answer.text()) ?? []
        await page.goto(world.base + link)
        await page.locator('main a[href^="https://wa.me/"]').waitFor()
      },
    },
    {
      name: 'public-home',
      path: '/demo',
      act: async (page) => {
        const headers = { authorization: `Bearer ${await world.server.token('OWNER')}` }
        const answer = await fetch(`${world.base}/api/v1/properties?status=PUBLISHED`, { headers })
        const [home] = (await answer.json()) as { id: string }[]
        await page.goto(`${world.base}/p/${home?.id}`)
        await page.locator('.photos').waitFor()
      },
    },
    {
      name: 'public-sign-out',
      path: '/console',
      act: async (page) => {
        await world.signIn(page, 'OWNER', '/console')
        await page.goto(`${world.base}/realms/svc/protocol/openid-connect/logout`)
      },
    },
    {
      name: 'public-second-factor',
      path: '/console',
      act: async (page) => {
        await world.signIn(page, 'OWNER', '/console')
        await page.goto(`${world.base}/realms/svc/account/security`)
        await page.locator('.qr').waitFor()
      },
    },
  ]
  describe.each(LOOKS)('$locale at $size px, dark: $dark', (look) => {
    test.each(PAGES)('$name', async ({ name, path, act }) => {
      const { page, faults } = await world.newPage(look)
      await page.goto(world.base + path)
      await act?.(page)
      const wrong = await world.look(page, `${name}-${look.size}-${look.locale}${look.dark ? '-dark' : ''}`)
      expect([...wrong, ...faults]).toEqual([])
      await page.context().close()
    })
  })
})
