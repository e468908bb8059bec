// A fault is reported where it is found, with network or without: it reaches the landlord once.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { jpegOf } from '../support/files.ts'
import { inPortal, PASSWORD } from './portal.ts'

inPortal((world, api) => {
  const TITLE = 'The sink leaks'
  const send = (page: Page) => page.locator('main button[type=submit]')
  const waits = (page: Page) => page.getByText('will be sent when there is network again')
  /** A tenant on the page where a fault is reported, its title typed. */
  async function atHome() {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const phone = await api.register('Rita', 'Panne')
    const lease = await api.lease(phone, { activate: true })
    const token = await api.tokenOf(phone)
    await world.signIn(page, { phone, password: PASSWORD }, '/portal/requests')
    const report = async () => {
      await page.getByRole('link', { name: 'Report a fault' }).click()
      await page.getByLabel('What has to be repaired?').fill(TITLE)
    }
    await report()
    const made = async () => {
      const all = await api.list(token, 'requests')
      return Promise.all(
        all.map(async ({ id, title }) => {
          const entries = await api.list(token, `requests/${id}/entries`)
          return [title, entries.filter(({ mediaObjectId }) => mediaObjectId !== undefined).length]
        }),
      )
    }
    return { page, faults, phone, lease, made, token, report }
  }

  test('without network it waits with its photo, is not another person’s to send, and goes once', async () => {
    const { page, faults, phone, made } = await atHome()
    const other = await api.register('Autre', 'Locataire')
    const buffer = Buffer.from(await jpegOf(1200, 900))
    await page.locator('input[type=file]').setInputFiles({ name: 'fuite.jpg', mimeType: 'image/jpeg', buffer })
    await page.locator('main img').first().waitFor()
    await page.context().setOffline(true)
    // nothing said is nothing to wait for
    await page.getByLabel('What has to be repaired?').fill(' ')
    await send(page).click()
    await page.getByText('Must not be empty.').waitFor()
    await page.getByLabel('What has to be repaired?').fill(TITLE)
    await send(page).click()
    await page.waitForURL(`${world.base}/portal/requests`)
    await waits(page).waitFor()
    expect(await world.look(page, 'portal-request-waits-360-en')).toEqual([])
    expect(await made()).toEqual([])
    // The session is another person's: nothing of it is shown, nothing is sent.
    await page.context().clearCookies()
    await page.context().setOffline(false)
    await page.reload()
    await world.signIn(page, { phone: other, password: PASSWORD }, '/portal/requests')
    await page.getByText('Nothing to repair').waitFor()
    expect([await page.getByText(TITLE).count(), await made()]).toEqual([0, []])
    // Home sends it, too: the page of requests need not be opened again.
    await page.context().clearCookies()
    const second = await page.context().newPage()
    await world.signIn(second, { phone, password: PASSWORD }, '/portal')
    await Promise.all([page.goto(`${world.base}/portal/requests`), second.reload()])
    await page.getByRole('link', { name: TITLE }).waitFor()
    await waits(page).waitFor({ state: 'detached' })
    expect(await made()).toEqual([[TITLE, 1]])
    // The browser asks for the worker once more, also without network.
    expect(faults.filter((line) => !/fetching the script/.test(line))).toEqual([])
    await page.context().close()
  }, 120_000)

  test('an answer that is cut off: it goes again under its key, and is one request', async () => {
    const { page, made } = await atHome()
    let cut = 0
    await page.route('**/api/v1/requests', async (route) => {
      if (route.request().method() !== 'POST' || cut > 0) return route.continue()
      cut += 1
      await route.fetch()
      return route.abort()
    })
    await send(page).click()
    await page.waitForURL(`${world.base}/portal/requests`)
    await page.reload()
    await page.getByRole('link', { name: TITLE }).waitFor()
    await waits(page).waitFor({ state: 'detached' })
    expect([cut, await made()]).toEqual([1, [[TITLE, 0]]])
    await page.context().close()
  }, 90_000)

  test('a lease that ended meanwhile: why it was refused is told until it is read', async () => {
    const { page, made, lease } = await atHome()
    await page.context().setOffline(true)
    await send(page).click()
    await waits(page).waitFor()
    const ended = await world.server.call(api.owner, `POST /api/v1/bookings/${lease.id}/terminate`, { confirm: true })
    expect(ended.status).toBe(200)
    await page.context().setOffline(false)
    await page.reload()
    await page.getByText(`“${TITLE}” was not accepted.`).waitFor()
    expect(await made()).toEqual([])
    await page.getByRole('button', { name: 'I understand' }).click()
    await page.getByText(TITLE).waitFor({ state: 'detached' })
    await page.context().close()
  }, 90_000)

  test('what is said of it waits for network as well, and comes once, also where the answer is cut off', async () => {
    const { page, faults, token } = await atHome()
    await send(page).click()
    await page.waitForURL(/\/requests\/[\da-f-]{36}$/)
    const entries = `requests/${page.url().split('/').at(-1)}/entries`
    const said = async () => (await api.list(token, entries)).map(({ text }) => text)
    const write = async (text: string) => {
      await page.getByLabel('Your message').fill(text)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByText(`“${text}” will be sent`).waitFor()
      expect(await page.getByLabel('Your message').inputValue()).toBe('')
    }
    await page.getByText('No message yet.').waitFor()
    await page.context().setOffline(true)
    await write('I am at home after six')
    await write('Ring twice')
    expect(await world.look(page, 'portal-request-message-waits-360-en')).toEqual([])
    expect(await said()).toEqual([])
    // The page of all requests shows it, too, and the network comes back there.
    await page.getByRole('link', { name: 'Repairs' }).click()
    await page.getByText('“Ring twice” will be sent').waitFor()
    await page.context().setOffline(false)
    await waits(page).first().waitFor({ state: 'detached' })
    expect((await said()).toSorted()).toEqual(['I am at home after six', 'Ring twice'])

    await page.getByRole('link', { name: TITLE }).click()
    let cut = 0
    await page.route('**/entries', async (route) => {
      if (route.request().method() !== 'POST' || cut > 0) return route.continue()
      cut += 1
      await route.fetch()
      return route.abort()
    })
    await page.getByLabel('Your message').fill('It drips faster')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('It drips faster', { exact: true }).waitFor()
    await waits(page).waitFor({ state: 'detached' })
    expect([cut, (await said()).filter((text) => text === 'It drips faster')]).toEqual([1, ['It drips faster']])
    expect(faults.filter((line) => !/fetching the script|ERR_FAILED/.test(line))).toEqual([])
    await page.context().close()
  }, 120_000)
})
