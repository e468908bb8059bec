// What a screen reader is given, read from Chromium's accessibility tree: names, headings, landmarks, tables, news.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inBrowser, settled, type World } from './browser.ts'
import { opened } from './main-pages.ts'

type Value = { readonly value?: unknown }
type Node = {
  readonly nodeId: string
  readonly parentId?: string
  readonly ignored: boolean
  readonly role?: Value
  readonly name?: Value
  readonly description?: Value
  readonly properties?: readonly { readonly name: string; readonly value: Value }[]
}
const CONTROLS = new Set([
  ...['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'spinbutton', 'slider'],
  ...['switch', 'tab', 'menuitem', 'option', 'Date', 'InputTime', 'DisclosureTriangle', 'progressbar', 'meter'],
])
const NAMED = new Set([...CONTROLS, 'heading', 'image', 'dialog', 'alertdialog', 'radiogroup', 'table'])
const roleOf = (node: Node): string => String(node.role?.value ?? '')
const nameOf = (node: Node): string => String(node.name?.value ?? '').trim()
const property = (node: Node, name: string): unknown => node.properties?.find((one) => one.name === name)?.value.value

async function treeOf(page: Page): Promise<Node[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return (nodes as Node[]).filter(({ ignored }) => !ignored)
}

/** Headings begin with the only one of the first level, and none leaves a level out. */
function headingFaults(nodes: readonly Node[]): string[] {
  const levels = nodes.filter((node) => roleOf(node) === 'heading').map((node) => Number(property(node, 'level')))
  const firsts = levels.filter((level) => level === 1).length
  return [
    ...(levels[0] === 1 && firsts === 1 ? [] : [`${firsts} headings of the first level, the first is of ${levels[0]}`]),
    ...levels.flatMap((level, i) =>
      i > 0 && level > (levels[i - 1] ?? 0) + 1 ? [`h${levels[i - 1]} then h${level}`] : [],
    ),
  ]
}

/** One main part, ways to others, and a name for each of several landmarks of a kind. */
function landmarkFaults(nodes: readonly Node[]): string[] {
  const of = (role: string) => nodes.filter((node) => roleOf(node) === role)
  const unnamed = ['navigation', 'region', 'complementary'].flatMap((role) =>
    of(role).length > 1 && of(role).some((node) => nameOf(node) === '') ? [`a ${role} without a name`] : [],
  )
  const [mains, ways] = [of('main').length, of('navigation').length]
  return [...(mains === 1 && ways > 0 ? [] : [`${mains} main, ${ways} navigation`]), ...unnamed]
}

/** A table tells what its columns hold, and each of its rows what it is of. */
function tableFaults(nodes: readonly Node[]): string[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const tableOf = (node: Node | undefined): Node | undefined =>
    node === undefined || roleOf(node) === 'table' ? node : tableOf(byId.get(node.parentId ?? ''))
  const tables = nodes.filter((node) => roleOf(node) === 'table')
  return tables.flatMap((table) => {
    const within = nodes.filter((node) => tableOf(node) === table)
    const count = (role: string) => within.filter((node) => roleOf(node) === role).length
    return count('columnheader') > 0 || count('rowheader') > 0 ? [] : ['a table without headers']
  })
}

function faultsOf(nodes: readonly Node[]): string[] {
  const nameless = nodes
    .filter((node) => NAMED.has(roleOf(node)) && nameOf(node) === '' && roleOf(node) !== 'table')
    .map((node) => `a ${roleOf(node)} without a name`)
  return [...nameless, ...headingFaults(nodes), ...landmarkFaults(nodes), ...tableFaults(nodes)]
}

/** Keeps what is put into a live region from now on; one that is made together with its words counts if it is an alert. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    const LIVE = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive], output'
    const say = (region: Element | null | undefined): void => {
      const text = region?.textContent?.replace(/\s+/g, ' ').trim()
      if (text) heard.push(text)
    }
    new MutationObserver((changes) => {
      for (const { target, addedNodes, type } of changes) {
        const at = target instanceof Element ? target : target.parentElement
        if (at?.closest(LIVE)) say(at.closest(LIVE))
        if (type !== 'childList') continue
        for (const node of addedNodes)
          if (node instanceof Element)
            for (const one of [node, ...node.querySelectorAll('*')]) if (one.matches('[role=alert]')) say(one)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
const heardOf = (page: Page): Promise<string> =>
  page.evaluate(() => (window as unknown as { heard: string[] }).heard.join(' | '))

/** Addresses of the right form with nothing behind them. */
const NOWHERE = {
  OWNER: ['/console/invoices/none', '/console/none'],
  ADMIN: ['/console/users/none'],
  TENANT: ['/portal/requests/none', '/portal/none'],
} as const

inBrowser((world: World) => {
  test.each([
    ['OWNER', 1280],
    ['OWNER', 360],
    ['ADMIN', 1280],
    ['ADMIN', 360],
    ['TENANT', 360],
  ] as const)(
    'names, headings, landmarks and tables on the pages of %s at %d px, and on what their lists lead to',
    async (who, size) => {
      const { page, faults } = await world.newPage({ locale: 'en', size })
      page.setDefaultTimeout(90_000)
      const wrong: string[] = []
      const seen = new Set<string>()
      for await (const path of opened(world, page, who, NOWHERE[who])) {
        wrong.push(...faultsOf(await treeOf(page)).map((fault) => `${path}: ${fault}`))
        const isNowhere = path.endsWith('/none')
        const told = await page.getByRole('heading', { name: 'There is no such page' }).count()
        expect([path, told > 0]).toEqual([path, isNowhere])
        if (isNowhere || (size === 360 && who !== 'TENANT')) continue
        const next = await page
          .locator('main [data-row] a:visible, main a[href*="/new"]:visible, main a[href*="/declare/"]:visible')
          .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname))
        const fresh = [next.find((to) => !/new|declare/.test(to)), next.find((to) => /new|declare/.test(to))]
        for (const to of fresh) {
          if (to === undefined || seen.has(to) || to === path) continue
          seen.add(to)
          await page.goto(world.base + to)
          await settled(page)
          wrong.push(...faultsOf(await treeOf(page)).map((fault) => `${to}: ${fault}`))
        }
      }
      if (size === 1280 || who === 'TENANT') expect(seen.size).toBeGreaterThan(who === 'OWNER' ? 8 : 1)
      expect(wrong).toEqual([])
      expect(faults).toEqual([])
      await page.context().close()
    },
    480_000,
  )

  test('news are said: a list that is filtered, an error beside a field, a payment that is recorded', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    await world.signIn(page, 'OWNER', '/console/invoices')
    await settled(page)
    await listen(page)
    await page.locator('main').getByRole('searchbox').fill('nobody of this name')
    await page.getByText('Nothing fits').or(page.getByText('Nothing matches')).first().waitFor()
    expect(await heardOf(page)).toMatch(/0 invoices|Nothing/)

    await page.goto(`${world.base}/console/invoices?status=OVERDUE`)
    await settled(page)
    await listen(page)
    await page.locator('[data-row] [data-pay]').first().click()
    const amount = page.locator('dialog input[inputmode=numeric]').first()
    await amount.fill('')
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog [aria-invalid=true]').first().waitFor()
    const field = (await treeOf(page)).find((node) => property(node, 'invalid') === 'true')
    expect([nameOf(field as Node), String(field?.description?.value)]).toEqual([
      'Amount received',
      'Must not be empty.',
    ])
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    await amount.fill('1000')
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.locator('[role=status] p').first().waitFor()
    expect(await heardOf(page)).toMatch(/1,000/)
    expect(faults).toEqual([])
    await page.context().close()
  }, 240_000)
})
