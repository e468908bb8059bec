// Pages that guard an account, in four looks: changed terms, the second step and its codes, a number that was changed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { totp } from '../support/factors.ts'
import { temporaryFolder } from '../support/folder.ts'
import { openWorld, type World, withBrowser } from './browser.ts'
import { apiOf, PASSWORD } from './portal.ts'

const LOOKS = [
  { locale: 'fr', size: 360, dark: false },
  { locale: 'en', size: 360, dark: true },
  { locale: 'en', size: 1280, dark: false },
  { locale: 'fr', size: 1280, dark: true },
] as const
type Look = (typeof LOOKS)[number]
const SECURITY = '/realms/svc/account/security'

withBrowser(() => {
  let world: World
  const changed = new Map<Look, string>()
  const people = new Map<Look, { phone: string; password: string }>()
  let code = ''
  beforeAll(async () => {
    const data = temporaryFolder()
    world = await openWorld({ data })
    const api = apiOf(world)
    for (const look of LOOKS) {
      people.set(look, { phone: await api.register('Rose', 'Mbarga'), password: PASSWORD })
      changed.set(look, await changedNumber(api))
    }
    await api.until(async () => {
      const [paper] = await api.list(api.owner, 'documents?kind=RECEIPT&status=READY&limit=1')
      code = String(paper?.verificationCode)
      return paper !== undefined
    })
    // Terms of the operator's own, which came after these people signed up.
    await world.restart(async () => {
      for (const document of ['terms', 'privacy']) {
        const folder = join(data, 'legal', document)
        mkdirSync(folder, { recursive: true })
        for (const locale of ['fr', 'en']) writeFileSync(join(folder, `2026-12-01.${locale}.md`), TERMS)
      }
    })
  }, 120_000)
  afterAll(() => world?.close(), 30_000)
  const TERMS = `# Conditions\n\n1. **Objet.** ${'Un texte assez long pour être replié. '.repeat(20)}\n`

  /** Somebody changes their number. @returns the link that the number before was sent */
  async function changedNumber(api: ReturnType<typeof apiOf>): Promise<string> {
    const phone = await api.register('Alain', 'Kotto')
    const token = await api.tokenOf(phone)
    const newPhoneNumber = phone.replace('+23767', '+23769')
    const asked = await world.server.call(token, 'POST /api/v1/account/phone/otp', { newPhoneNumber })
    const body = { challengeId: asked.body.challengeId, code: await api.code(newPhoneNumber) }
    expect((await world.server.call(token, 'POST /api/v1/account/phone/verify', body)).status).toBe(200)
    let link: string | undefined
    await api.until(async () => {
      const texts = JSON.stringify(await api.list('', `sandbox/messages?to=${encodeURIComponent(phone)}`))
      link = /\/u\/[\w-]+/.exec(texts)?.[0]
      return link !== undefined
    })
    return String(link)
  }

  const submit = (page: Page) => page.locator('main form button[type=submit]').first().click()
  const nameOf = (name: string, { size, locale, dark }: Look): string =>
    `${name}-${size}-${locale}${dark ? '-dark' : ''}`

  describe.each(LOOKS)('$locale at $size px, dark: $dark', (look: Look) => {
    test('a paper that stands', async () => {
      const { page, faults } = await world.newPage(look)
      await page.goto(`${world.base}/verify/${code}`)
      expect([...(await world.look(page, nameOf('public-verify', look))), ...faults]).toEqual([])
      await page.context().close()
    }, 60_000)

    test('a number that was changed, taken back with another password', async () => {
      const { page, faults } = await world.newPage(look)
      const wrong: string[] = []
      const seen = async (name: string): Promise<void> => {
        const button = page.locator('main button').first()
        if ((await button.count()) > 0) await button.hover()
        wrong.push(...(await world.look(page, nameOf(name, look))))
      }
      await page.goto(world.base + changed.get(look))
      await seen('safety-number')
      await submit(page)
      await page.locator('input[name=code]').waitFor()
      await seen('safety-number-back')
      await page.locator('input[name=code]').fill('000000')
      await page.locator('input[name=newPassword]').fill('quatre papayes vertes')
      await submit(page)
      await page.locator('input[name=code]').waitFor()
      await seen('safety-number-wrong')
      await page.goto(world.base + changed.get(look))
      await seen('safety-number-undone')
      expect([...wrong, ...faults]).toEqual([])
      await page.context().close()
    }, 120_000)

    test('changed terms first, then a second step: put in place, its codes, asked for', async () => {
      const { page, faults } = await world.newPage(look)
      const wrong: string[] = []
      const seen = async (name: string): Promise<void> => {
        await page.locator('main button').first().hover()
        wrong.push(...(await world.look(page, nameOf(name, look))))
      }
      const person = people.get(look) ?? { phone: '', password: '' }
      const signIn = async (): Promise<void> => {
        await page.goto(`${world.base}/portal/me`)
        await page.locator('#username').fill(person.phone)
        await page.locator('#password').fill(person.password)
        await submit(page)
      }
      await signIn()
      await page.locator('input[name=terms]').waitFor()
      await seen('safety-terms')
      for (const box of ['terms', 'privacy']) await page.locator(`input[name=${box}]`).check()
      await submit(page)
      await page.waitForURL(`${world.base}/portal/me`)

      await page.goto(world.base + SECURITY)
      const secret = ((await page.locator('.key').first().textContent()) ?? '').replaceAll(' ', '')
      const form = page.locator('form', { has: page.locator('#code') })
      await page.locator('#code').fill('000000')
      await form.locator('button[type=submit]').click()
      await page.locator('#code').waitFor()
      await seen('safety-app-wrong')
      await page.locator('#code').fill(totp(secret))
      await form.locator('button[type=submit]').click()
      await page.locator('.codes').waitFor()
      await seen('safety-codes')
      await page.goto(world.base + SECURITY)
      await page.locator('h1').waitFor()
      await seen('safety-in-place')

      await page.context().clearCookies()
      await signIn()
      await page.locator('#code').waitFor()
      await seen('safety-asked')
      await page.locator('#code').fill('000000')
      await submit(page)
      await page.locator('#code').waitFor()
      await seen('safety-asked-wrong')
      expect([...wrong, ...faults]).toEqual([])
      await page.context().close()
    }, 120_000)
  })
})
