// Who may come in: invited, given roles, shut out and let in again, helped with a code that is shown once; and one's own
// number, data and account.
import { beforeAll, expect, test } from 'bun:test'
import { spaced } from '../../src/ui/shared/phone.ts'
import { inBrowser, PHONES } from './browser.ts'
import { apiOf } from './portal.ts'

type Body = Record<string, unknown>

inBrowser((world) => {
  let admin: string
  beforeAll(async () => {
    admin = await world.server.token('ADMIN')
  }, 60_000)

  const users = async (): Promise<Body[]> => {
    const headers = { authorization: `Bearer ${admin}` }
    return (await (await fetch(`${world.base}/api/v1/admin/users?limit=100`, { headers })).json()) as Body[]
  }
  const find = async (phone: string): Promise<Body | undefined> =>
    (await users()).find(({ phoneNumber }) => phoneNumber === phone)
  /** The demo's owner, whose number is changed beside other tests. */
  const odile = async (): Promise<Body> => (await users()).find(({ lastName }) => lastName === 'Owona') ?? {}
  async function codeTo(phone: string): Promise<string> {
    const answer = await fetch(`${world.base}/api/v1/sandbox/messages?to=${encodeURIComponent(phone)}`)
    return ((await answer.json()) as { code?: string }[]).find(({ code }) => code !== undefined)?.code ?? ''
  }

  test('a person is invited by a local number, and the invitation taken back by name', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'ADMIN', '/console/users/new')
    await page.getByLabel('Phone').fill('677 44 55 66')
    await page.getByLabel('First name').fill('Rose')
    await page.getByLabel('Last name').fill('Ekambi')
    await page.locator('main button[type=submit]').click()
    await page.getByRole('heading', { name: 'Rose Ekambi' }).waitFor()
    expect([(await find('+237677445566'))?.status, (await find('+237677445566'))?.roles]).toEqual([
      'INVITED',
      ['MANAGER'],
    ])
    await page.getByRole('button', { name: 'Withdraw the invitation' }).click()
    await page.locator('dialog input').fill('Rose Ekambi')
    await page.locator('dialog button[type=submit]').click()
    await page.getByText('Invitation withdrawn.').waitFor()
    await page.waitForURL(`${world.base}/console/users`)
    expect(await find('+237677445566')).toBeUndefined()
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('an account is disabled, and let in again by "Undo"; a recovery code is shown once and not after a reload', async () => {
    // The demo's own people cannot be shut out.
    const phone = await apiOf(world).register('Rose', 'Mbarga')
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'ADMIN', `/console/users/${(await find(phone))?.id}`)
    await page.getByRole('button', { name: 'Disable the account' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect((await find(phone))?.status).toBe('DISABLED')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Disable the account' }).waitFor()
    expect((await find(phone))?.status).toBe('ACTIVE')
    await page.getByRole('button', { name: /recovery code/ }).click()
    const code = page.locator('.font-mono')
    await code.waitFor()
    const shown = (await code.textContent())?.trim() ?? ''
    expect(shown.length).toBeGreaterThan(5)
    await page.reload()
    await page.locator('h1').waitFor()
    expect((await page.locator('body').textContent())?.includes(shown)).toBe(false)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test.each([
    ['en', 360],
    ['fr', 1280],
  ] as const)(
    'a recovery code for another ADMIN waits, and is stopped in the list (%s, %i px)',
    async (locale, size) => {
      const phone = await apiOf(world).register('Rose', 'Mbarga')
      const of = await find(phone)
      await world.server.call(admin, `PATCH /api/v1/admin/users/${of?.id}`, { roles: ['ADMIN'] }, { 'if-match': '*' })
      const { page, faults } = await world.newPage({ locale, size })
      await world.signIn(page, 'ADMIN', `/console/users/${of?.id}`)
      await page.getByRole('button', { name: locale === 'en' ? /recovery code/ : /code de secours/ }).click()
      await page.getByText(locale === 'en' ? 'Valid from' : 'Valable à partir du').waitFor()
      const wrong = await world.look(page, `recovery-code-${size}`)
      const sent = await fetch(`${world.base}/api/v1/sandbox/messages?to=${encodeURIComponent(phone)}`)
      const link = /http\S+\/a\/\S+/.exec(((await sent.json()) as { text: string }[])[0]?.text ?? '')?.[0] ?? ''
      const { page: other } = await world.newPage({ locale, size })
      await other.goto(`${link}?lang=${locale}`)
      wrong.push(...(await world.look(other, `recovery-link-${size}`)))
      await page.goto(`${world.base}/console/users`)
      const waiting = page.locator('[aria-labelledby=recoveries]')
      await waiting.waitFor()
      wrong.push(...(await world.look(page, `recoveries-${size}`)))
      await waiting.getByRole('button').click()
      await waiting.waitFor({ state: 'detached' })
      await other.reload()
      expect(await other.locator('form').count()).toBe(0)
      expect([...wrong, ...faults]).toEqual([])
      await page.context().close()
      await other.context().close()
    },
    90_000,
  )

  test('an administrator enters what an owner’s papers say of them; who owns nothing has no such form', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'ADMIN', `/console/users/${(await odile()).id}`)
    const form = page.locator('[aria-labelledby=identity]')
    await form.getByLabel('Identity paper').selectOption({ label: 'National ID' })
    await form.getByLabel('Number of the paper').fill('100200300')
    await form.getByLabel('NIU').fill('P0471234567X')
    await form.getByLabel('Address').fill('BP 12, Bonapriso')
    await form.locator('button[type=submit]').click()
    await page.getByText('Identity saved.').waitFor()
    expect(await odile()).toMatchObject({
      ...{ idType: 'NATIONAL_ID', idNumber: '100200300', niu: 'P0471234567X', address: 'BP 12, Bonapriso' },
      roles: expect.arrayContaining(['OWNER']),
    })
    await page.goto(`${world.base}/console/users/${(await find(PHONES.MANAGER))?.id}`)
    await page.locator('#code').waitFor()
    expect(await form.count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('one’s own number is changed by a code sent to the new one; a wrong code changes nothing', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', '/console/me')
    await page.getByRole('button', { name: 'Change the number' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByLabel('New number').fill('677 88 99 00')
    await dialog.getByLabel('Current password').fill('loyer-demo-2026')
    await dialog.locator('button[type=submit]').click()
    await dialog.getByLabel('Code received').waitFor()
    const code = await codeTo('+237677889900')
    await dialog.getByLabel('Code received').fill(code === '000000' ? '000001' : '000000')
    await dialog.locator('button[type=submit]').click()
    await dialog.locator('[role=alert], [aria-invalid=true]').first().waitFor()
    expect(await find('+237677889900')).toBeUndefined()
    await dialog.getByLabel('Code received').fill(code)
    await dialog.locator('button[type=submit]').click()
    await page.getByText('Your number is changed.').waitFor()
    await page.getByText(spaced('+237677889900')).waitFor()
    expect([(await find('+237677889900'))?.roles, await find(PHONES.OWNER)]).toEqual([['OWNER'], undefined])
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('one’s data come as a file; an owner of buildings is told why the account stays open', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const { phone, password } = { phone: String((await odile()).phoneNumber), password: 'loyer-demo-2026' }
    await world.signIn(page, { phone, password }, '/console/me')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    expect((await saved).suggestedFilename()).toBe('loyer.zip')
    await page.getByRole('button', { name: 'Close my account' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByLabel(/^To confirm, type/).fill('Odile Owona')
    await dialog.getByLabel('Current password').fill(password)
    await dialog.locator('button[type=submit]').click()
    await dialog.locator('[role=alert]').waitFor()
    expect((await find(phone))?.status).toBe('ACTIVE')
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
