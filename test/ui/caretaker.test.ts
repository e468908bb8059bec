// A manager of some properties walks every page of the console: no answer is a refusal, no press asks for what the role
// table refuses them.
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inBrowser, type Person } from './browser.ts'
import { apiOf, PASSWORD } from './portal.ts'

type Body = Record<string, unknown>
type Operations = Record<string, Record<string, { description?: string }>>
/** What the document says of a call that such a manager may not make. */
const REFUSED = /Not for a MANAGER who is limited|^For (?:ADMIN|MANAGER, ADMIN)\./m
const OTHERS = /^(?:Cette page n’est pas pour votre rôle|This page is not for your role)$/
/** What pages for the whole organization are called. */
const WHOLE = /imports|users|settings|audit|reviews|properties\/new|transfers\/new/

inBrowser((world) => {
  let caretaker: Person
  let managed: string
  let refused: { readonly method: string; readonly pattern: RegExp }[]
  beforeAll(async () => {
    const admin = await world.server.token('ADMIN')
    const read = async (path: string): Promise<Body[]> => {
      const answer = await fetch(`${world.base}/api/v1${path}`, { headers: { authorization: `Bearer ${admin}` } })
      return (await answer.json()) as Body[]
    }
    caretaker = { phone: await apiOf(world).register('Basile', 'Etoa'), password: PASSWORD }
    const user = (await read('/admin/users?limit=100')).find(({ phoneNumber }) => phoneNumber === caretaker.phone)
    const all = await read('/properties?limit=100')
    const properties = all.filter(({ unitCount }) => Number(unitCount) > 0).map(({ id }) => String(id))
    managed = properties[0] ?? ''
    const given = { roles: ['MANAGER'], propertyIds: properties.slice(0, 2) }
    const set = await world.server.call(admin, `PATCH /api/v1/admin/users/${user?.id}`, given)
    if (set.status !== 200) throw new Error(JSON.stringify(set.body))
    const { paths } = (await (await fetch(`${world.base}/openapi.json`)).json()) as { paths: Operations }
    refused = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { description = '' }]) => REFUSED.test(description))
        .map(([method]) => ({
          method: method.toUpperCase(),
          pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        })),
    )
  }, 60_000)

  const isRefused = (method: string, path: string): boolean =>
    refused.some((one) => one.method === method && one.pattern.test(path))
  const still = async (page: Page): Promise<void> => {
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle')
  }
  /** Addresses that differ by their ids or by what a filter says are one page. */
  const kindOf = (path: string): string => path.replace(/[0-9a-f-]{36}/g, ':id').replace(/=[^&]*/g, '')

  /** Signs in and follows every link of the console. @returns what was refused, and the pages */
  async function walk(look: { locale: 'fr' | 'en'; size: 360 | 1280 }) {
    const { page, faults } = await world.newPage(look)
    const wrong: string[] = []
    let where = ''
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url())
      if (answer.status() === 403) wrong.push(`${where}: 403 to ${answer.request().method()} ${pathname}`)
    })
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (isRefused(request.method(), pathname)) wrong.push(`${where}: asks ${request.method()} ${pathname}`)
    })
    await world.signIn(page, caretaker, '/console')
    const seen = new Set<string>()
    const waiting = ['/console']
    const known = new Set(waiting)
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const kind = kindOf(path)
      if (seen.has(kind)) continue
      seen.add(kind)
      where = path
      await page.goto(world.base + path)
      await still(page)
      if ((await page.getByText(OTHERS).count()) > 0) wrong.push(`${path}: a page for others`)
      const links = await page
        .locator('a[href^="/console"]')
        .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
      for (const link of links.map((href) => href.replace(/#.*/, '')))
        if (!known.has(link)) {
          known.add(link)
          waiting.push(link)
        }
    }
    wrong.push(...faults)
    await page.context().close()
    return { wrong, seen: [...seen] }
  }

  test('at 360 px: every page that a link leads to answers, and none is for others', async () => {
    const { wrong, seen } = await walk({ locale: 'fr', size: 360 })
    expect(wrong).toEqual([])
    for (const path of ['/properties/:id', '/properties/:id/edit', '/bookings/:id', '/tenants/:id', '/expenses/new'])
      expect(seen).toContain(`/console${path}`)
    expect(seen.filter((path) => WHOLE.test(path))).toEqual([])
  }, 240_000)

  test('at 1280 px: no button where they change something asks for what the role table refuses', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    const asked: string[] = []
    // a press shows what it asks for, and changes nothing
    await page.route('**/api/v1/**', (route) => {
      const method = route.request().method()
      if (method === 'GET') return route.fallback()
      asked.push(`${method} ${new URL(route.request().url()).pathname}`)
      return route.fulfill({ status: 422, json: { status: 422, code: 'validation_failed', title: '', detail: '' } })
    })
    await world.signIn(page, caretaker, `/console/properties/${managed}/edit`)
    await page.locator('main button[type=submit]').click()
    await page.locator('[role=alert]').first().waitFor()
    expect(asked.splice(0)).toEqual([`PATCH /api/v1/properties/${managed}`])
    expect(await page.getByLabel(/holder|owner|management fee/i).count()).toBe(0)
    for (const path of [`/properties/${managed}`, '/transfers', '/properties', '/bookings/new', '/']) {
      await page.goto(`${world.base}/console${path}`)
      await still(page)
      const buttons = await page.locator('main button:visible').allTextContents()
      const links = await page.locator('main a:visible').allTextContents()
      expect([...buttons, ...links].filter((text) => /proof|duplicat|add a property|handed over/i.test(text))).toEqual(
        [],
      )
    }
    await page.goto(`${world.base}/console/properties/${managed}`)
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.locator('[role=alert]').first().waitFor()
    expect(asked.filter((line) => isRefused(line.split(' ')[0] ?? '', line.split(' ')[1] ?? ''))).toEqual([])
    expect(asked).toHaveLength(1)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('the palette and the + offer them nothing of the whole, nor do addresses typed by hand', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    await world.signIn(page, caretaker, '/console')
    await still(page)
    await page.getByRole('button', { name: 'Add', exact: true }).first().click()
    const begun = await page.locator('#add a').allTextContents()
    expect(begun.map((text) => text.trim())).toContain('Record a payment')
    expect(begun.filter((text) => /property|handed/i.test(text))).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.locator('dialog [role=option]').first().waitFor()
    const offered = (await page.locator('dialog [role=option]').allTextContents()).map((text) => text.trim())
    expect(offered).toContain('Leases')
    expect(offered.filter((text) => /import|a property|users|webhook|clause|audit/i.test(text))).toEqual([])
    for (const path of ['imports', 'properties/new', 'transfers/new', 'settings/clauses', 'settings/webhooks']) {
      await page.goto(`${world.base}/console/${path}`)
      await page.getByText(OTHERS).waitFor()
    }
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('a manager of everything keeps it all', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'MANAGER', '/console/properties')
    await page.locator('main').getByRole('link', { name: 'Add a property' }).first().waitFor()
    await page.goto(`${world.base}/console/imports`)
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
    expect(await page.getByText(OTHERS).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
