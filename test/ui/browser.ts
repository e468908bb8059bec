// A real browser on a demo server of its own: people sign in as people do, and each page is looked at as a whole.
import { afterAll, beforeAll, describe } from 'bun:test'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright-core'
import { keepMachineTime } from '../support/clock/own.ts'
import { temporaryFolder } from '../support/folder.ts'
import { launch, type Options, type Server, startServer } from '../support/server.ts'

// A browser's cookies end by the machine's clock.
keepMachineTime()

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const SHOTS = join(import.meta.dirname, '../../dist/shots')
const PASSWORD = 'loyer-demo-2026'
/** The demo's people. */
export const PHONES = {
  OWNER: '+237677000001',
  MANAGER: '+237677000002',
  ADMIN: '+237677000003',
  TENANT: '+237677000004',
} as const
const SIZES = { 360: { width: 360, height: 740 }, 1280: { width: 1280, height: 860 } } as const

const program = CHROMIUM.find((path) => existsSync(path))
const isBuilt = existsSync(join(import.meta.dirname, '../../dist/ui/console/index.html'))
/** Why the browser tests do not run here; undefined where they do. */
const missing = program === undefined ? 'no Chromium' : isBuilt ? undefined : 'the pages are not built: npm run ui'

/** Somebody who signs in. */
export type Person = { readonly phone: string; readonly password: string }
type Look = {
  readonly locale: 'fr' | 'en'
  readonly size: keyof typeof SIZES
  readonly dark?: boolean
  /** Lets the page hear of changes by the stream of events. */
  readonly streams?: boolean
  readonly scripts?: boolean
}
/** What a page did that it must not: lines in the browser's console, requests to other origins. */
type Watched = { readonly page: Page; readonly faults: string[] }

/**
 * Chromium writes a line for each answer of 4xx and each request without network, and where somebody types before the
 * page has put the caret into its first field, as a script does: these are expected.
 */
const EXPECTED =
  /Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED)|^Autofocus processing was blocked/

/** Waits until nothing of a page is on its way. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

/** A demo with its browser, for the tests of one file; or another server, as `options` say. */
export async function openWorld(options: Partial<Options> = {}) {
  const start: Options = { data: temporaryFolder(), command: 'demo', ...options }
  let server: Server = await startServer(start)
  const base = `http://localhost:${server.port}`
  const browser: Browser = await chromium.launch({
    ...(program === undefined ? {} : { executablePath: program }),
    args: ['--no-sandbox', '--disable-gpu', '--lang=fr'],
  })
  mkdirSync(SHOTS, { recursive: true })

  async function newPage({ locale, size, dark = false, scripts = true, streams = false }: Look): Promise<Watched> {
    const context = await browser.newContext({
      viewport: SIZES[size],
      locale: `${locale}-CM`,
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      javaScriptEnabled: scripts,
    })
    // A stream that stays open never leaves the network idle, by which `look` knows that a page is complete.
    if (!streams) await context.route('**/api/v1/events', (route) => route.fulfill({ status: 429, body: '' }))
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (line) => {
      if (!EXPECTED.test(line.text())) faults.push(`${line.type()}: ${line.text()}`)
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== base) faults.push(`a request to ${request.url()}`)
    })
    return { page, faults }
  }

  /** Goes to an address and signs in where asked, as a person of the demo does, or with a number and a password. */
  async function signIn(page: Page, who: keyof typeof PHONES | Person, path: string): Promise<void> {
    const { phone, password } = typeof who === 'string' ? { phone: PHONES[who], password: PASSWORD } : who
    await page.goto(base + path)
    await page.locator('#username').waitFor()
    await page.locator('#username').fill(phone)
    await page.locator('#password').fill(password)
    await page.locator('button[type=submit]').first().click()
    await page.waitForURL((url) => !url.pathname.startsWith('/realms/'))
  }

  /** Waits until nothing is on its way, looks for what axe objects to, and keeps a picture. @returns what is wrong */
  async function look(page: Page, name: string): Promise<string[]> {
    await settled(page)
    // As tall as the page, so that what stands at the bottom of the screen is at the bottom of the picture.
    const { width, height } = page.viewportSize() ?? SIZES[360]
    const all = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.max(height, all) })
    await page.screenshot({ path: join(SHOTS, `${name}.png`) })
    await page.setViewportSize({ width, height })
    const { violations } = await new AxeBuilder({ page }).analyze()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    return [
      ...violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
      ...(wide > 0 ? [`${name}: ${wide} px wider than the screen`] : []),
    ]
  }

  /** Stops the server, and starts it again on its folder and its port after `meanwhile`. */
  async function restart(meanwhile: () => Promise<unknown>): Promise<void> {
    const { port } = server
    await server.end('SIGTERM')
    await meanwhile()
    server = await startServer({ ...start, port })
  }

  return {
    get server() {
      return server
    },
    restart,
    base,
    newPage,
    signIn,
    look,
    async close(): Promise<void> {
      await browser.close()
      await server.end('SIGTERM')
    },
  }
}
export type World = Awaited<ReturnType<typeof openWorld>>

/** The tests of a file that need a browser: where there is none, each is skipped and says why. */
export const withBrowser = (scenarios: () => void): void =>
  describe.skipIf(missing !== undefined)(
    `in a browser${missing === undefined ? '' : ` (not here: ${missing})`}`,
    scenarios,
  )

/** The same, with one server for all of them; `world` is there as soon as the first one runs. */
export function inBrowser(scenarios: (world: World) => void, options?: () => Promise<Partial<Options>>): void {
  withBrowser(() => {
    const world = {} as World
    beforeAll(async () => {
      // The getters as they are: the server is another one after a restart.
      Object.defineProperties(world, Object.getOwnPropertyDescriptors(await openWorld(await options?.())))
    }, 60_000)
    afterAll(() => world.close?.(), 30_000)
    scenarios(world)
  })
}

/** A server that serves an organization with nothing but its owner. */
export async function foundedBy({ phone, password }: Person, roles: string, name: string): Promise<Partial<Options>> {
  const data = temporaryFolder()
  const who = ['--phone', phone, '--password', password, '--first-name', 'Odile', '--last-name', 'Owona']
  const made = launch({ data, command: 'user create', args: [...who, '--role', roles, '--org-name', name] })
  const { code } = await made.end()
  if (code !== 0) throw new Error(made.output())
  return { data, command: 'serve' }
}
