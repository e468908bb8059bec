// Photos as phones have them: the iPhone's own format, far too large, broken. Each is sent, or said to be of no use.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { jpegOf } from '../support/files.ts'
import { inPortal } from './portal.ts'

const HEIC = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(64)])
const BROKEN = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(200, 7)])
const FILES = {
  iphone: { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: HEIC },
  renamed: { name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: HEIC },
  broken: { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: BROKEN },
  empty: { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
} as const
const SAID = {
  iphone: 'au format HEIC de l’iPhone',
  renamed: 'au format HEIC de l’iPhone',
  broken: 'Cette photo ne peut pas être lue.',
  empty: 'Cette photo ne peut pas être lue.',
} as const

inPortal((world, api) => {
  /** What a browser cannot read is said, and nothing of it is sent; the same field then takes a picture of 40 MB. */
  async function tries(page: Page, field: string): Promise<void> {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET' && /\/media/.test(request.url())) sent.push(request.url())
    })
    for (const kind of ['iphone', 'broken', 'renamed', 'empty'] as const) {
      await page.locator(field).first().locator('..').scrollIntoViewIfNeeded()
      await page.locator(field).first().setInputFiles(FILES[kind])
      await page.getByText(SAID[kind]).first().waitFor()
      // what is said stands where it is seen
      expect(
        await page
          .getByText(SAID[kind])
          .first()
          .evaluate((note) => note.getBoundingClientRect().top),
      ).toBeWithin(0, 740)
    }
    expect(sent).toEqual([])
    // what follows the end of a picture is read over
    const head = Buffer.from(await jpegOf(6000, 4000)).toString('base64')
    await page.evaluate(
      async ({ selector, head, size }) => {
        const bytes = Uint8Array.from(atob(head), (c) => c.charCodeAt(0))
        const file = new File([bytes, new Uint8Array(size)], 'grande.jpg', { type: 'image/jpeg' })
        const list = new DataTransfer()
        list.items.add(file)
        const input = document.querySelector<HTMLInputElement>(selector)
        if (!input) throw new Error('no field')
        input.files = list.files
        input.dispatchEvent(new Event('change', { bubbles: true }))
      },
      { selector: field, head, size: 40 * 1024 * 1024 },
    )
  }
  const newest = async (token: string) =>
    (await api.list(token, 'media?kind=PHOTO&limit=1')).map(({ contentType, sizeBytes }) => [
      contentType,
      Number(sizeBytes) < 1_500_000,
    ])

  test('of a repair, by the landlord', async () => {
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'OWNER', '/console/requests?status=OPEN')
    await page.locator('[data-row] a').first().click()
    await page.locator('main input[type=file]').waitFor({ state: 'attached' })
    await tries(page, 'main input[type=file]')
    await page.getByText('Photo envoyée').or(page.locator('[role=status] > div')).first().waitFor()
    expect(await newest(api.owner)).toEqual([['image/jpeg', true]])
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('of an inspection', async () => {
    const phone = await api.register('Ida', 'Mbella')
    const { id } = await api.lease(phone, { activate: true, name: 'Villa Photos' })
    const { body } = await world.server.call(api.owner, 'POST /api/v1/inspections', { bookingId: id, kind: 'ENTRY' })
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'OWNER', `/console/inspections/${body.id}`)
    await page.locator('main button[aria-expanded=false]').first().click()
    await page.locator('main input[type=file]').first().waitFor({ state: 'attached' })
    await tries(page, 'main input[type=file]')
    await page.locator('main img').first().waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('of a payment, by the tenant', async () => {
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'TENANT', '/portal')
    await page.locator('main a', { hasText: 'J’ai payé' }).first().click()
    await page.locator('main input[type=file]').waitFor({ state: 'attached' })
    await tries(page, 'main input[type=file]')
    await page.locator('main img').first().waitFor()
    // The whole month was declared before, so no amount stands there yet.
    await page.getByLabel('Combien avez-vous payé').fill('1000')
    await page.getByRole('button', { name: 'Dire à mon bailleur' }).click()
    await page.waitForURL(`${world.base}/portal`)
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('of a lease signed on paper, whose copy is sent as it is', async () => {
    const { id } = await api.lease(await api.register('Rose', 'Etame'), { name: 'Villa Copie' })
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'OWNER', `/console/bookings/${id}`)
    const sent: string[] = []
    page.on('request', (request) => void (/\/media/.test(request.url()) && sent.push(request.method())))
    const field = page.locator('section[aria-labelledby=papers] input[type=file]')
    await field.waitFor({ state: 'attached' })
    for (const kind of ['iphone', 'renamed'] as const) {
      await field.setInputFiles(FILES[kind])
      await page.getByText(SAID[kind]).first().waitFor()
      await page.waitForFunction(() => document.querySelector('section[aria-labelledby=papers] input:enabled'))
    }
    expect(sent).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)
})
