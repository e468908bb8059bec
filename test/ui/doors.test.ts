// The ways in, as people walk them in a real browser: first run, demo, signing up, recovery, an address that is none.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openWorld, type World, withBrowser } from './browser.ts'
import { apiOf } from './portal.ts'

const LOOKS = [
  { locale: 'fr', size: 360, dark: false },
  { locale: 'en', size: 360, dark: true },
  { locale: 'en', size: 1280, dark: false },
  { locale: 'fr', size: 1280, dark: true },
] as const
type Look = (typeof LOOKS)[number]
const PASSWORD = 'trois mangues mûres'
let next = 0
const newNumber = (): string => `+2376${String(60_000_000 + 13_457 * ++next).slice(0, 8)}`

const submit = (page: Page) => page.locator('main form button[type=submit]').first().click()
const close = (page: Page) => page.context().close()

withBrowser(() => {
  let demo: World
  let fresh: World
  let link: string
  beforeAll(async () => {
    ;[demo, fresh] = await Promise.all([openWorld(), openWorld({ command: 'serve' })])
    link = linkOf(fresh)
  }, 60_000)
  afterAll(() => Promise.all([demo?.close(), fresh?.close()]), 30_000)

  function linkOf(world: World): string {
    const [link = ''] = /http:\/\/\S+\/setup#[\w-]{43}/.exec(world.server.output()) ?? []
    expect(link).toStartWith(world.base)
    return link
  }
  /** The code that was sent last to a number. */
  async function codeFor(phone: string): Promise<string> {
    for (let tries = 0; tries < 50; tries++) {
      const answer = await fetch(`${demo.base}/api/v1/sandbox/messages?to=${encodeURIComponent(phone)}`)
      const [last] = (await answer.json()) as { code?: string }[]
      if (last?.code !== undefined) return last.code
      await Bun.sleep(100)
    }
    throw new Error('no code came')
  }
  async function askCode(page: Page, way: string, phone: string): Promise<void> {
    await page.goto(`${demo.base}/${way}`)
    await page.locator('#phoneNumber').fill(phone.slice(4))
    await submit(page)
    await page.locator('#code').waitFor()
  }
  async function toFinish(page: Page): Promise<string> {
    const phone = newNumber()
    await askCode(page, 'register', phone)
    await page.locator('#code').fill(await codeFor(phone))
    await submit(page)
    await page.locator('#firstName').waitFor()
    return phone
  }

  type Row = {
    readonly name: string
    readonly on: () => World
    readonly path: string
    readonly act?: (page: Page) => unknown
  }
  const PAGES: readonly Row[] = [
    { name: 'door-not-set-up', on: () => fresh, path: '/console' },
    { name: 'door-setup-without-link', on: () => fresh, path: '/setup' },
    {
      name: 'door-setup',
      on: () => fresh,
      path: '/setup',
      act: async (page) => {
        await page.goto('about:blank')
        await page.goto(link)
      },
    },
    {
      name: 'door-setup-errors',
      on: () => fresh,
      path: '/setup',
      act: async (page) => {
        await page.evaluate(() => document.querySelector('form')?.setAttribute('novalidate', ''))
        await page.locator('#phoneNumber').fill('12')
        await submit(page)
        await page.locator('.fault').first().waitFor()
      },
    },
    { name: 'door-demo', on: () => demo, path: '/' },
    { name: 'door-register', on: () => demo, path: '/register' },
    {
      name: 'door-register-wrong',
      on: () => demo,
      path: '/register',
      act: async (page) => {
        await page.locator('#phoneNumber').fill('12')
        await submit(page)
        await page.locator('.fault').waitFor()
      },
    },
    {
      name: 'door-register-code',
      on: () => demo,
      path: '/register',
      act: (page) => askCode(page, 'register', newNumber()),
    },
    { name: 'door-register-finish', on: () => demo, path: '/register', act: toFinish },
    { name: 'door-recover', on: () => demo, path: '/recover' },
    {
      name: 'door-recover-code',
      on: () => demo,
      path: '/recover',
      act: (page) => askCode(page, 'recover', newNumber()),
    },
    {
      name: 'door-sign-in',
      on: () => demo,
      path: '/console',
      act: async (page) => {
        await page.locator('nav.links a').first().waitFor()
      },
    },
    { name: 'door-not-found', on: () => demo, path: '/nowhere' },
  ]

  describe.each(LOOKS)('$locale at $size px, dark: $dark', (look: Look) => {
    test.each(PAGES)('$name', async ({ name, on, path, act }) => {
      const world = on()
      const { page, faults } = await world.newPage(look)
      await page.goto(world.base + path)
      await act?.(page)
      const button = page.locator('main button, main .button').first()
      if ((await button.count()) > 0) await button.hover()
      const wrong = await world.look(page, `${name}-${look.size}-${look.locale}${look.dark ? '-dark' : ''}`)
      // A 503 is no 4xx, and Chromium says so.
      const unexpected = faults.filter((line) => !/status of 503/.test(line))
      expect([...wrong, ...unexpected]).toEqual([])
      await close(page)
    })
  })

  test('one press in the demo, and one is there', async () => {
    const { page, faults } = await demo.newPage({ locale: 'en', size: 360 })
    for (const [name, place] of [
      ['Thérèse Tchoua', '/portal'],
      ['Odile Owona', '/console'],
    ] as const) {
      await page.goto(`${demo.base}/demo`)
      await page.getByRole('button', { name }).click()
      await page.waitForURL(demo.base + place)
      await page.locator('h1').first().waitFor()
      await page.goto(`${demo.base}/`)
      await page.waitForURL(demo.base + place)
    }
    expect(faults).toEqual([])
    await close(page)
  }, 60_000)

  test('from the sign-in page to an account and back to where one was going', async () => {
    const { page, faults } = await demo.newPage({ locale: 'en', size: 360 })
    const phone = newNumber()
    await page.goto(`${demo.base}/portal/me`)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.locator('#phoneNumber').fill(phone)
    await submit(page)
    const code = await codeFor(phone)
    // another app, and back
    await page.goto('about:blank')
    await page.goBack()
    await page.locator('#code').fill(code === '000000' ? '000001' : '000000')
    await submit(page)
    await page.getByText('The code is wrong').waitFor()
    await page.locator('#code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await submit(page)
    await page.locator('#firstName').fill('Rose')
    await page.locator('#lastName').fill('Mbarga')
    await page.locator('#password').fill(PASSWORD)
    await page.locator('input[name=terms]').check()
    await page.locator('input[name=privacy]').check()
    await submit(page)
    await page.waitForURL(`${demo.base}/portal/me`)
    await page.locator('h1').waitFor()
    expect(faults).toEqual([])
    await close(page)
  }, 60_000)

  test('a forgotten password: another one by code, and it signs in', async () => {
    const { page } = await demo.newPage({ locale: 'fr', size: 360 })
    // the demo keeps its own accounts as they are
    const phone = await apiOf(demo).register('Rose', 'Mbarga')
    const before = await codeFor(phone)
    await page.goto(`${demo.base}/portal`)
    await page.getByRole('link', { name: 'Mot de passe oublié' }).click()
    await page.locator('#phoneNumber').fill(phone)
    await submit(page)
    await page.locator('#code').waitFor()
    let code = before
    for (let tries = 0; code === before && tries < 50; tries++) {
      await Bun.sleep(100)
      code = await codeFor(phone)
    }
    await page.locator('#code').fill(code)
    await page.locator('#newPassword').fill('quatre papayes vertes')
    await submit(page)
    await page.getByRole('link', { name: 'Se connecter' }).click()
    await page.locator('#username').fill(phone)
    await page.locator('#password').fill('quatre papayes vertes')
    await submit(page)
    await page.waitForURL(`${demo.base}/portal`)
    expect(await page.locator('#username').count()).toBe(0)
    await close(page)
  }, 60_000)

  test('the terminal’s link sets up, once, and leads into the console, also when pressed twice', async () => {
    const { page, faults } = await fresh.newPage({ locale: 'fr', size: 360 })
    const fill = async (): Promise<void> => {
      await page.locator('#organizationName').fill('Agence Bonamoussadi')
      await page.locator('#firstName').fill('Odile')
      await page.locator('#lastName').fill('Owona')
      await page.locator('#phoneNumber').fill('677 00 00 01')
      await page.locator('#password').fill(PASSWORD)
    }
    await page.goto(link)
    expect(await page.locator('#token').isVisible()).toBe(false)
    await fill()
    await page.locator('footer a').click()
    await page.locator('h1', { hasText: 'Set up Loyer' }).waitFor()
    expect(await page.locator('#token').isVisible()).toBe(false)
    await fill()
    await page.locator('input[name=sampleData]').check()
    await page.locator('main form button[type=submit]').first().dblclick({ noWaitAfter: true })
    await page.waitForURL(`${fresh.base}/console`)
    await page.locator('h1').first().waitFor()
    await page.goto(`${fresh.base}/console/settings`)
    await page.getByRole('button', { name: 'Remove the samples' }).click()
    await page.locator('dialog input').fill('sample')
    await page.locator('dialog button[type=submit]').click()
    await page.locator('#samples').waitFor({ state: 'detached' })
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('heading', { name: 'already set up' }).waitFor()
    expect(faults).toEqual([])
    await close(page)
  }, 60_000)

  test('without scripts the link is pasted into the form', async () => {
    const world = await openWorld({ command: 'serve' })
    const { page } = await world.newPage({ locale: 'en', size: 360, scripts: false })
    await page.goto(`${world.base}/setup`)
    await page.locator('#token').fill(linkOf(world))
    for (const [name, text] of [
      ['organizationName', 'Agence'],
      ['firstName', 'Odile'],
      ['lastName', 'Owona'],
      ['phoneNumber', '677000001'],
      ['password', PASSWORD],
    ] as const)
      await page.locator(`#${name}`).fill(text)
    await submit(page)
    await page.waitForURL(`${world.base}/console`)
    expect((await fetch(`${world.base}/api/v1/me`)).status).toBe(401)
    await world.close()
  }, 60_000)
})
