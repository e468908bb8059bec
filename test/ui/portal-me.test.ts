// One's own account on a phone: number, password, devices, a copy of one's data, and the end.
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { spaced } from '../../src/ui/shared/phone.ts'
import { inPortal, PASSWORD } from './portal.ts'

inPortal((world, api) => {
  const send = (page: Page) => page.locator('main button[type=submit]')
  async function enter(path: string) {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const phone = await api.register('Marie', 'Moi')
    await world.signIn(page, { phone, password: PASSWORD }, path)
    return { page, faults, phone }
  }
  /** As the server answers whose sign-in is older than five minutes. */
  const REFUSED = {
    type: 'urn:loyer:problem:reauthentication_required',
    title: 'Forbidden',
    status: 403,
    detail: 'You signed in more than five minutes ago.',
    code: 'reauthentication_required',
  }

  test.each(['password', 'code'] as const)(
    'another number, shown to be oneself by %s and the new number by a code',
    async (by) => {
      const { page, faults, phone } = await enter('/portal/me/phone')
      const next = phone.replace('6771', '6781')
      await page.getByText(`Present number: ${spaced(phone)}`).waitFor()
      await page.getByLabel('New number').fill(next.slice(4))
      await page.route('**/account/phone/otp', (route) => route.fulfill({ status: 403, json: REFUSED }))
      await send(page).click()
      await page.getByLabel('Present password').waitFor()
      await page.unroute('**/account/phone/otp')
      if (by === 'password') {
        await page.getByLabel('Present password').fill('pas-le-bon-mot')
        await send(page).click()
        await page.locator('input[type=password][aria-invalid=true]').waitFor()
        await page.getByLabel('Present password').fill(PASSWORD)
      } else {
        await page.getByRole('button', { name: 'Rather a code to my present number' }).click()
        const field = page.getByLabel('Code sent to the present number')
        await field.waitFor()
        await field.fill(await api.code(phone))
      }
      await send(page).click()
      await page.getByLabel('6-digit code').fill('000000')
      await send(page).click()
      await page.locator('input[inputmode=numeric][aria-invalid=true]').waitFor()
      await page.getByLabel('6-digit code').fill(await api.code(next))
      await send(page).click()
      await page.getByText('Your number is changed.').waitFor()
      expect((await api.get(await api.tokenOf(next), 'me')).phoneNumber).toBe(next)
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  test('the password is changed, and other devices are signed out', async () => {
    const { page, faults, phone } = await enter('/portal/me/password')
    await page.getByLabel('Present password').fill('pas-le-bon-mot')
    await page.getByLabel('New password').fill('quatre-papayes-vertes')
    await send(page).click()
    await page.locator('input[aria-invalid=true]').first().waitFor()
    await page.getByLabel('Present password').fill(PASSWORD)
    await send(page).click()
    await page.getByText('Your password is changed.').waitFor()
    const old = await world.server.call('', 'POST /api/v1/sandbox/token', { username: phone, password: PASSWORD })
    expect(old.status).not.toBe(200)
    await page.goto(`${world.base}/portal/me/devices`)
    await page.getByText('this device').waitFor()
    expect(await page.locator('main li').count()).toBe(1)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('a copy of everything is downloaded; the account is closed by name and password, and nothing else does it', async () => {
    const { page, faults, phone } = await enter('/portal/me/data')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const file = await download
    expect([file.suggestedFilename(), existsSync(await file.path())]).toEqual(['loyer.zip', true])
    await page.getByRole('button', { name: 'Close my account' }).click()
    await page.getByLabel('Present password').fill(PASSWORD)
    await page.getByLabel('To confirm, type').fill('Marie')
    await send(page).click()
    await page.getByLabel('To confirm, type').and(page.locator('[aria-invalid=true]')).waitFor()
    await page.getByLabel('To confirm, type').fill('marie moi')
    await page.getByLabel('Present password').fill('pas-le-bon-mot')
    await send(page).click()
    await page.locator('input[type=password][aria-invalid=true]').waitFor()
    await api.get(await api.tokenOf(phone), 'me')
    await page.getByLabel('Present password').fill(PASSWORD)
    await send(page).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/portal'))
    const gone = await world.server.call('', 'POST /api/v1/sandbox/token', { username: phone, password: PASSWORD })
    expect(gone.status).not.toBe(200)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
