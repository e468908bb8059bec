// A tenant's papers, leases and identity, as people use them on a phone.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { jpegOf } from '../support/files.ts'
import { inPortal, PASSWORD } from './portal.ts'

inPortal((world, api) => {
  const enter = (page: Page, phone: string, path: string) => world.signIn(page, { phone, password: PASSWORD }, path)

  test.each([
    ['en', 360],
    ['fr', 1280],
  ] as const)(
    'a lease is read, then signed by code (%s, %d px)',
    async (locale, size) => {
      const { page, faults } = await world.newPage({ locale, size })
      const phone = await api.register('Signe', 'Bien')
      const { id, unit } = await api.lease(phone)
      await enter(page, phone, '/portal/lease')
      const t =
        locale === 'fr'
          ? {
              open: 'Ouvrir le bail',
              get: 'Recevoir le code',
              sign: 'Signer le bail',
              ready: 'Lisez le bail',
              signed: /Vous avez signé/,
              running: 'Ce bail est en cours.',
            }
          : {
              open: 'Open the lease',
              get: 'Get the code',
              sign: 'Sign the lease',
              ready: 'Read the lease',
              signed: /You signed on/,
              running: 'This lease is active.',
            }
      await page.getByText(unit).waitFor()
      // the text comes before the code
      await api.until(async () => {
        await page.reload()
        return page
          .getByText(t.ready)
          .waitFor({ timeout: 3000 })
          .then(
            () => true,
            () => false,
          )
      })
      expect(await page.getByRole('button', { name: t.get }).count()).toBe(0)
      const paper = page.waitForEvent('popup')
      await page.getByRole('button', { name: t.open }).click()
      await paper.then((tab) => tab.close())
      await page.getByRole('button', { name: t.get }).click()
      const code = page.locator('main input[inputmode=numeric]')
      expect(await world.look(page, `portal-lease-sign-${size}-${locale}`)).toEqual([])
      await code.fill('000000')
      await page.locator('main input[autocomplete=name]').fill('Signe Bien')
      await page.getByRole('button', { name: t.sign }).click()
      await page.locator('main input[inputmode=numeric][aria-invalid=true]').waitFor()
      await code.fill(await api.code(phone))
      await page.getByRole('button', { name: t.sign }).click()
      await page.getByText(t.signed).waitFor()
      expect((await api.get(api.owner, `bookings/${id}`)).status).toBe('PENDING')
      await api.signAsOwner(id)
      await page.reload()
      await page.getByText(t.running).waitFor()
      expect(faults).toEqual([])
      await page.context().close()
    },
    120_000,
  )

  test('a card is photographed, sent back, sent again and approved', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const phone = await api.register('Carte', 'Nette')
    await enter(page, phone, '/portal/identity')
    await page.getByRole('button', { name: 'Send my card' }).click()
    await page.getByText('Add a photo of your card.').waitFor()
    const photo = { name: 'card.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await jpegOf(2400, 1500)) }
    const field = page.locator('main input[type=file]').first()
    await field.setInputFiles({ name: 'card.heic', mimeType: 'image/jpeg', buffer: Buffer.from('ftypheic') })
    await page.getByText('This photo cannot be read.').waitFor()
    await field.setInputFiles(photo)
    await page.getByText('Change the photo').waitFor()
    // what was chosen outlives a reload
    await page.reload()
    await page.getByText('Change the photo').waitFor()
    await page.getByRole('button', { name: 'Send my card' }).dblclick()
    await page.getByText('Your card has arrived.').waitFor()
    const { id } = await api.onlyCase(phone)
    const review = (act: string, body = {}) =>
      world.server.call(api.admin, `POST /api/v1/admin/verification/${id}/${act}`, body)
    await review('start-review')
    await review('request-info', { reason: 'Le <b>verso</b> manque.' })
    await page.reload()
    await page.getByText('Le <b>verso</b> manque.').waitFor()
    expect(await world.look(page, 'portal-identity-more')).toEqual([])
    await page.locator('main input[type=file]').nth(1).setInputFiles(photo)
    await page.getByText('Change the photo').waitFor()
    await page.getByRole('button', { name: 'Send my card' }).click()
    await page.getByText('Your card has arrived.').waitFor()
    expect((await api.onlyCase(phone)).documents).toHaveLength(2)
    await review('start-review')
    await review('approve')
    await page.reload()
    await page.getByText('Your identity is verified.').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test('three leases, none, and an account that is landlord and tenant', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const phone = await api.register('Deux', 'Chapeaux')
    await enter(page, phone, '/portal')
    await page.getByText('No rent yet').waitFor()
    await page.goto(`${world.base}/portal/lease`)
    await page.getByText('You have no lease yet').waitFor()
    await page.goto(`${world.base}/portal/papers`)
    await page.getByText('No documents yet').waitFor()
    const long = `<img src=x onerror=alert(1)>${'Résidence '.repeat(20)}`.slice(0, 199)
    const leases = []
    for (const [i, name] of ['Villa Une', 'Villa Deux', long].entries())
      leases.push(await api.lease(phone, { name, activate: true, startDate: i === 0 ? '2026-01-01' : undefined }))
    await page.goto(`${world.base}/portal/lease`)
    await page.getByText('Villa Une').waitFor()
    expect(await page.locator('main li').count()).toBe(3)
    expect(await world.look(page, 'portal-lease-three')).toEqual([])
    await page.locator('main li a').first().click()
    await page.getByText('This lease is active.').waitFor()
    expect(await world.look(page, 'portal-lease-long')).toEqual([])
    // their landlord is another: as tenant they see their own alone, though they have houses to let
    await api.makeOwner(phone)
    await page.goto(`${world.base}/portal/lease`)
    await page.reload()
    await page.getByText('Villa Une').waitFor()
    expect(await page.locator('main li').count()).toBe(3)
    await page.goto(`${world.base}/portal`)
    await page.getByRole('heading', { name: 'You owe', exact: true }).waitFor()
    // three rents of one month are told apart by their homes
    for (const name of ['Villa Une', 'Villa Deux', '<img src=x'])
      expect([name, (await page.locator('main section li').filter({ hasText: name }).count()) > 0]).toEqual([
        name,
        true,
      ])
    expect(await world.look(page, 'portal-rent-three')).toEqual([])
    await page.locator('section a').first().click()
    await page.locator('main input[inputmode=numeric]').fill('1000')
    await page.locator('main button[type=submit]').click()
    await page.getByText('has not confirmed it yet').waitFor()
    await page.goto(`${world.base}/portal/papers`)
    await page.locator('main li').first().waitFor()
    await page.goto(`${world.base}/portal/me`)
    await page.getByRole('link', { name: 'Manage my properties' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test('a vacant home is asked for, and the request taken back', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const phone = await api.register('Cherche', 'Toit')
    await enter(page, phone, '/portal/homes')
    await page.getByRole('searchbox').fill('bonamoussadi')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('Résidence Bonamoussadi, A3').click()
    await page.getByRole('button', { name: 'Send my request' }).dblclick()
    await page.getByText('Your landlord has your request').waitFor()
    const mine = async () =>
      (await api.list(await api.tokenOf(phone), 'bookings')).map(({ status, unitLabel }) => [status, unitLabel])
    expect(await mine()).toEqual([['DRAFT', 'A3']])
    await page.getByRole('button', { name: 'Withdraw my request' }).click()
    await page.locator('dialog input').fill('a3')
    await page.locator('dialog button[type=submit]').click()
    await page.getByText('This request was withdrawn or refused.').waitFor()
    expect(await mine()).toEqual([['CANCELLED', 'A3']])
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('notice is given at the end of the page, then stands on top and takes the focus along; it is taken back', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const phone = await api.register('Part', 'Bientôt')
    const { id } = await api.lease(phone, { activate: true })
    const token = await api.tokenOf(phone)
    const leaving = async () =>
      ((await api.get(token, `bookings/${id}`)).notice as { leaveOn: string } | undefined)?.leaveOn
    await enter(page, phone, '/portal/lease')
    const section = page.locator('section[aria-labelledby=leave]')
    const isAbove = () =>
      page.evaluate(() => {
        const [terms, leave] = ['terms', 'leave'].map(
          (name) => document.getElementById(name)?.getBoundingClientRect().top ?? 0,
        )
        return Number(leave) < Number(terms)
      })
    await section.waitFor()
    expect([await isAbove(), await section.evaluate((one) => one === document.activeElement)]).toEqual([false, false])
    await section.getByRole('button', { name: 'Give notice' }).click()
    const day = new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10)
    await section.getByLabel('Last day').fill(day)
    expect(await leaving()).toBeUndefined()
    await section.getByRole('button', { name: 'Give notice' }).click()
    const withdraw = section.getByRole('button', { name: 'Withdraw' })
    await withdraw.waitFor()
    expect([await leaving(), await isAbove()]).toEqual([day, true])
    expect(await section.evaluate((one) => one === document.activeElement)).toBe(true)
    await withdraw.click()
    await section.getByRole('button', { name: 'Give notice' }).waitFor()
    expect([await leaving(), await isAbove()]).toEqual([undefined, false])
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test.each([
    ['en', 360, 'FCFA 15,000 kept on', 'Open the statement'],
    ['fr', 1280, '15 000 FCFA retenus le', 'Ouvrir le décompte'],
  ] as const)(
    'the account of an ended lease says what was kept and why, and opens its statement (%s, %d px)',
    async (locale, size, kept, statement) => {
      const { page, faults } = await world.newPage({ locale, size })
      await world.signIn(page, { phone: '+237677000006', password: 'loyer-demo-2026' }, '/portal/lease')
      await page.getByText('Résidence Bonamoussadi').click()
      await page.getByText(kept).waitFor()
      const said = String(await page.getByText(kept).textContent()).replace(/\s/g, ' ')
      expect(said).toMatch(/^\S.* \d{4} ?: .*\p{L}{4}/u)
      const paper = page.waitForEvent('popup')
      await page.getByRole('button', { name: statement }).click()
      await (await paper).waitForURL(/media-files|documents/)
      expect(await world.look(page, `portal-ended-${locale}-${size}`)).toEqual([])
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  test.each([
    ['en', 'Inspection', 'Signed lease'],
    ['fr', 'État des lieux', 'Bail signé'],
  ] as const)(
    'a signed inspection is not called a lease among the papers (%s)',
    async (locale, name, never) => {
      const { page, faults } = await world.newPage({ locale, size: 360 })
      const jeanne = { phone: '+237677000006', password: 'loyer-demo-2026' }
      await world.signIn(page, jeanne, '/portal/papers?kind=INSPECTION')
      await page.locator('main li', { hasText: name }).first().waitFor()
      expect(await page.locator('main li', { hasText: never }).count()).toBe(0)
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )
})
