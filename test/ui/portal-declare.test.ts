// "I have paid": with a photo, without network, with a lost answer, with a session that ends; always one payment.
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { jpegOf } from '../support/files.ts'
import { temporaryFolder } from '../support/folder.ts'
import { inPortal, PASSWORD } from './portal.ts'

inPortal((world, api) => {
  const send = (page: Page) => page.locator('main button[type=submit]')
  /** A tenant with a rent to pay, on the page where it is declared. */
  async function debtor(size: 360 | 1280 = 360) {
    const { page, faults } = await world.newPage({ locale: 'en', size })
    const phone = await api.register('Paye', 'Loyer')
    await api.lease(phone, { activate: true })
    await world.signIn(page, { phone, password: PASSWORD }, '/portal')
    const token = await api.tokenOf(phone)
    const declared = async () => (await api.list(token, 'payments')).map(({ status, amount }) => [status, amount])
    await api.until(async () => {
      await page.reload()
      await page.locator('h1').waitFor()
      return (await page.getByRole('link', { name: 'I have paid', exact: true }).count()) > 0
    })
    const open = () => page.getByRole('link', { name: 'I have paid', exact: true }).click()
    return { page, faults, phone, token, declared, open }
  }
  const photo = async (name: string) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.from(await jpegOf(2400, 1800)),
  })

  test('a server that takes no photos for now: what was paid is told without one, and waits for nothing', async () => {
    const { page, faults, declared, open, token } = await debtor()
    const code = 'photos_unavailable'
    const refusal = {
      type: 'about:blank',
      title: 'x',
      status: 503,
      detail: 'Later.',
      instance: '/',
      code,
      requestId: 'x',
    }
    await page.route('**/api/v1/media', (route) => route.fulfill({ status: 503, json: refusal }))
    await open()
    const file = page.locator('main input[type=file]')
    const { buffer } = await photo('x')
    await file.setInputFiles({ name: 'broken.jpg', mimeType: 'image/jpeg', buffer: buffer.subarray(0, 400) })
    await page.getByText('This photo cannot be read.').waitFor()
    const large = Buffer.concat([buffer, Buffer.alloc(40 * 1024 * 1024)])
    await file.setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer: large }, { timeout: 60_000 })
    await page.getByText('Change the photo').waitFor()
    await send(page).click()
    await page.getByText('has not confirmed it yet').waitFor()
    expect(await declared()).toEqual([['PENDING', 50_000]])
    expect((await api.list(token, 'payments'))[0]?.proofMediaId).toBeUndefined()
    await page.reload()
    await page.getByText('has not confirmed it yet').waitFor()
    expect(await page.getByText('will be sent').count()).toBe(0)
    // They hear that the photo is not there, once.
    await page.getByText('without the photo').waitFor()
    await page.getByRole('button', { name: 'I understand' }).click()
    await page.getByText('without the photo').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('has not confirmed it yet').waitFor()
    expect(await page.getByText('without the photo').count()).toBe(0)
    expect(faults.filter((line) => !/503/.test(line))).toEqual([])
    await page.context().close()
  }, 150_000)

  test.each([360, 1280] as const)(
    'a photo goes along, is small, and shows to the landlord; then the portal may be installed (%d px)',
    async (size) => {
      const { page, faults, declared, open, token } = await debtor(size)
      expect(await page.getByText('Keep My rent at hand').count()).toBe(0)
      const manifest = await page.evaluate(() =>
        dispatchEvent(
          Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: () => Promise.resolve() }),
        ),
      )
      // the browser is not to ask by itself
      expect(manifest).toBe(false)
      expect(await page.getByText('Keep My rent at hand').count()).toBe(0)
      await open()
      const where = page.getByRole('region', { name: 'Where to pay' })
      await where.getByRole('button', { name: 'Copy 677 12 34 56' }).waitFor()
      expect(await world.look(page, `portal-declare-where-${size}`)).toEqual([])
      expect(await page.locator('input[inputmode=numeric]').inputValue()).toBe('50,000')
      const file = page.locator('main input[type=file]')
      await file.setInputFiles({ name: 'x.heic', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') })
      await page.getByText('This photo cannot be read.').waitFor()
      await file.setInputFiles(await photo('preuve.jpg'))
      await page.getByText('Change the photo').waitFor()
      await send(page).dblclick()
      await page.getByText('has not confirmed it yet').waitFor()
      expect(await declared()).toEqual([['PENDING', 50_000]])
      const [{ proofMediaId } = {}] = await api.list(token, 'payments')
      const media = await api.get(api.owner, `media/${proofMediaId}`)
      expect([media.contentType, Number(media.sizeBytes) < 1_000_000]).toEqual(['image/jpeg', true])
      await page.getByText('Keep My rent at hand').waitFor()
      await page.getByRole('button', { name: 'No thanks' }).click()
      // said on the page of the month too, so that nobody declares twice
      await page.getByRole('link', { name: 'I have paid this month' }).click()
      await page.getByText('You have declared FCFA 50,000 for this month already').waitFor()
      expect(faults).toEqual([])
      await page.context().close()
    },
    90_000,
  )

  test('a broken photo is told and sends nothing; one of 40 MB goes as a small one', async () => {
    const { page, faults, declared, open, token } = await debtor()
    await open()
    const { name, mimeType, buffer } = await photo('preuve.jpg')
    const file = page.locator('main input[type=file]')
    await file.setInputFiles({ name: 'moitié.jpg', mimeType, buffer: buffer.subarray(0, 200) })
    await page.getByText('This photo cannot be read.').waitFor()
    const large = join(temporaryFolder(), name)
    writeFileSync(large, Buffer.concat([buffer, Buffer.alloc(40_000_000 - buffer.length)]))
    await file.setInputFiles(large)
    await page.getByText('Change the photo').waitFor()
    await send(page).click()
    await page.getByText('has not confirmed it yet').waitFor()
    expect(await declared()).toEqual([['PENDING', 50_000]])
    const [{ proofMediaId } = {}] = await api.list(token, 'payments')
    expect(Number((await api.get(api.owner, `media/${proofMediaId}`)).sizeBytes)).toBeLessThan(1_000_000)
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('an answer that is cut off, and the page closed upon it: one payment', async () => {
    const { page, declared, open } = await debtor()
    await open()
    let cut = 0
    await page.route('**/payments', async (route) => {
      if (route.request().method() !== 'POST' || cut > 0) return route.continue()
      cut += 1
      await route.fetch()
      return route.abort()
    })
    await send(page).click()
    // it waits, and goes again under its key as soon as the page is there
    await page.waitForURL(`${world.base}/portal`)
    await page.reload()
    await page.getByText('has not confirmed it yet').waitFor()
    await page.getByText('will be sent when').waitFor({ state: 'detached' })
    expect([cut, await declared()]).toEqual([1, [['PENDING', 50_000]]])
    await page.context().close()
  }, 90_000)

  test('what was first tried a day ago is not sent by itself, nor by another person; two tabs send it once', async () => {
    const { page, declared, open, phone } = await debtor()
    const other = await api.register('Autre', 'Personne')
    await open()
    await send(page).waitFor()
    await page.context().setOffline(true)
    await send(page).click()
    await page.getByText('will be sent when there is network again').waitFor()
    const age = (hours: number) =>
      page.evaluate(
        (ms) =>
          new Promise<void>((done) => {
            const ask = indexedDB.open('loyer-portal')
            ask.onsuccess = () => {
              const kept = ask.result.transaction('kept', 'readwrite').objectStore('kept')
              const got = kept.get('waiting')
              got.onsuccess = () => {
                const changed = got.result.map((item: object) => ({ ...item, triedAt: Date.now() - ms }))
                kept.put(changed, 'waiting').onsuccess = () => done()
              }
            }
          }),
        hours * 3_600_000,
      )
    await age(24)
    await page.context().setOffline(false)
    await page.reload()
    await page.getByText('Please check: the answer was lost.').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await declared()).toEqual([])
    // a clock that was set back says nothing either
    await age(-24)
    await page.reload()
    await page.getByText('Please check: the answer was lost.').waitFor()
    await page.waitForLoadState('networkidle')
    await age(1)
    // the session is another person's now
    await page.context().clearCookies()
    await page.reload()
    await page.locator('#username').waitFor()
    await world.signIn(page, { phone: other, password: PASSWORD }, '/portal')
    await page.getByText('No rent yet').waitFor()
    expect([await page.getByText('50,000').count(), await declared()]).toEqual([0, []])
    await page.context().clearCookies()
    const second = await page.context().newPage()
    await world.signIn(second, { phone, password: PASSWORD }, '/portal')
    await Promise.all([page.goto(`${world.base}/portal`), second.reload()])
    await second.getByText('has not confirmed it yet').waitFor()
    await page.getByText('has not confirmed it yet').waitFor()
    expect(await declared()).toEqual([['PENDING', 50_000]])
    await page.context().close()
  }, 120_000)

  test('a token that ends inside the form is renewed under the same key', async () => {
    const { page, declared, open } = await debtor()
    await open()
    const keys: (string | undefined)[] = []
    await page.route('**/payments', (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      return keys.length === 1 ? route.fulfill({ status: 401, json: {} }) : route.continue()
    })
    await send(page).click()
    await page.getByText('has not confirmed it yet').waitFor()
    expect([keys.length, keys[0] === keys[1], await declared()]).toEqual([2, true, [['PENDING', 50_000]]])
    await page.context().close()
  }, 90_000)

  test('a session that ended elsewhere: after the sign-in one is back at the address, and what was typed is there', async () => {
    const { page, phone, token } = await debtor()
    await page.goto(`${world.base}/portal/me/name`)
    await page.getByLabel('First name').fill('Revenue')
    for (const { id } of await api.list(token, 'account/sessions'))
      await world.server.call(token, `DELETE /api/v1/account/sessions/${id}`)
    await page.context().clearCookies()
    await page.route('**/api/v1/me', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 401, json: {} }) : route.continue(),
    )
    await send(page).click()
    await page.locator('#username').waitFor()
    await page.unroute('**/api/v1/me')
    await page.locator('#username').fill(phone)
    await page.locator('#password').fill(PASSWORD)
    await page.locator('button[type=submit]').first().click()
    await page.waitForURL(`${world.base}/portal/me/name`)
    await page.getByText('This is what you had typed.').waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Revenue')
    await send(page).click()
    await page.waitForURL(`${world.base}/portal/me`)
    await page.getByText('Revenue Loyer').waitFor()
    await page.context().close()
  }, 90_000)

  test('a phone that refuses to keep anything declares all the same; sign-out leaves nothing behind', async () => {
    const { page, faults, declared, open } = await debtor()
    await page.addInitScript(() => {
      Object.defineProperty(IDBObjectStore.prototype, 'put', {
        value() {
          throw new DOMException('full', 'QuotaExceededError')
        },
      })
    })
    await page.reload()
    await open()
    await page.locator('main input[type=file]').setInputFiles(await photo('preuve.jpg'))
    await page.getByText('Change the photo').waitFor()
    await page.context().setOffline(true)
    await send(page).click()
    await page.getByText('No answer: it may be done already.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('has not confirmed it yet').waitFor()
    expect(await declared()).toEqual([['PENDING', 50_000]])
    await page.goto(`${world.base}/portal/me`)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('you are still signed in').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/portal'))
    const left = await page.evaluate(async () => {
      const all = await new Promise<unknown[]>((done) => {
        const ask = indexedDB.open('loyer-portal')
        ask.onsuccess = () => {
          const keys = ask.result.transaction('kept').objectStore('kept').getAllKeys()
          keys.onsuccess = () => done(keys.result)
        }
      })
      return [
        ...all,
        ...Object.keys(localStorage).filter((key) => key !== 'loyer.locale'),
        ...Object.keys(sessionStorage).filter((key) => key.startsWith('loyer.draft')),
      ]
    })
    expect([left, faults]).toEqual([[], []])
    await page.context().close()
  }, 90_000)
})
