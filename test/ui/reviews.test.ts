// An identity from upload to approval, the paper beside the decision; photos of a home, and its page for everybody.
import { expect, test } from 'bun:test'
import { jpegOf, PDF } from '../support/files.ts'
import { inBrowser } from './browser.ts'

type Json = Record<string, unknown>

inBrowser((world) => {
  async function upload(token: string, about: Json, bytes: Uint8Array): Promise<string> {
    const { server } = world
    const { body } = await server.call(token, 'POST /api/v1/media', { ...about, sizeBytes: bytes.byteLength })
    const { url, headers } = body.upload as { url: string; headers: Record<string, string> }
    await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) })
    expect((await server.call(token, `POST /api/v1/media/${body.id}/complete`, {})).status).toBe(200)
    return String(body.id)
  }

  test('a case is taken, looked at, sent back, and approved', async () => {
    const { server, look } = world
    // the demo's owner has shown who they are
    const owner = await server.token('MANAGER')
    const me = String((await server.call(owner, 'GET /api/v1/me')).body.id)
    const kyc = String((await server.call(owner, 'POST /api/v1/verification/kyc', {})).body.id)
    const paper = { ownerType: 'VERIFICATION', ownerId: me }
    const photo = { ...paper, kind: 'PHOTO', filename: 'cni.jpg', contentType: 'image/jpeg' }
    const scan = { ...paper, kind: 'DOCUMENT', filename: 'cni.pdf', contentType: 'application/pdf' }
    for (const [about, bytes, role] of [
      [photo, await jpegOf(900, 600), 'SELF_ID'],
      [scan, PDF, 'ATTESTATION'],
    ] as const)
      await server.call(owner, `POST /api/v1/verification/kyc/${kyc}/documents`, {
        mediaObjectId: await upload(owner, about, bytes),
        role,
        documentType: 'NATIONAL_ID',
        expiresOn: '2031-05-17',
      })
    expect((await server.call(owner, `POST /api/v1/verification/kyc/${kyc}/submit`, {})).status).toBe(200)

    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'ADMIN', '/console/reviews?status=SUBMITTED')
    await page.locator(`[data-row] a[href$="${kyc}"]`).click()
    await page.getByRole('button', { name: 'Commencer l’examen' }).click()
    await page.locator('figure img').waitFor()
    const wrong = await look(page, 'console-review-360-fr')
    await page.setViewportSize({ width: 1280, height: 860 })
    wrong.push(...(await look(page, 'console-review-1280-fr')))
    // Without a note nothing is refused: the sentence stands beside the field.
    await page.getByRole('button', { name: 'Refuser' }).click()
    await page.locator('textarea[aria-invalid=true]').waitFor()
    await page.locator('textarea').fill('La photo est floue.')
    await page.getByRole('button', { name: 'Demander un complément' }).click()
    await page.getByText('La photo est floue.').waitFor()
    expect((await server.call(owner, `GET /api/v1/verification/kyc/${kyc}`)).body.status).toBe('MORE_INFO_REQUESTED')
    await server.call(owner, `POST /api/v1/verification/kyc/${kyc}/submit`, {})
    await page.reload()
    await page.getByRole('button', { name: 'Commencer l’examen' }).click()
    await page.getByRole('button', { name: 'Approuver' }).click()
    await page.getByRole('button', { name: 'Retirer l’approbation' }).waitFor()
    expect((await server.call(owner, `GET /api/v1/verification/kyc/${kyc}`)).body.status).toBe('APPROVED')
    expect([...wrong, ...faults]).toEqual([])
  }, 120_000)

  test('photos are added, ordered and taken back; the home is shared with everybody', async () => {
    const { server, look, base } = world
    const owner = await server.token('OWNER')
    const homes = await fetch(`${base}/api/v1/properties?status=PUBLISHED&limit=1`, {
      headers: { authorization: `Bearer ${owner}` },
    })
    const [home] = (await homes.json()) as { id: string; name: string }[]
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', `/console/properties/${home?.id}`)
    const field = page.locator('input[type=file][multiple]')
    await field.setInputFiles([
      { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: Buffer.from('....ftypheic broken') },
    ])
    await page.getByText('IMG_1.HEIC: This photo is in HEIC, the iPhone’s own format').waitFor()
    const picture = await jpegOf(2400, 1800)
    await field.setInputFiles([
      { name: 'a.jpg', mimeType: 'image/jpeg', buffer: picture },
      { name: 'b.jpg', mimeType: 'image/jpeg', buffer: await jpegOf(1200, 900) },
    ])
    await page.locator('#photos ~ ul li:nth-child(2) img').waitFor()
    const first = await page.locator('#photos ~ ul img').first().getAttribute('src')
    await page.getByRole('button', { name: 'Move photo 2 forward' }).click()
    await page.waitForFunction((src) => document.querySelector('#photos ~ ul img')?.getAttribute('src') !== src, first)
    await page.getByRole('button', { name: 'Delete photo 2' }).click()
    await page.getByRole('button', { name: /Undo/ }).click()
    await page.locator('#photos ~ ul li:nth-child(2) img').waitFor()
    const wrong = await look(page, 'console-property-photos-360-en')
    await page.setViewportSize({ width: 1280, height: 860 })
    wrong.push(...(await look(page, 'console-property-photos-1280-en')))
    expect(await page.locator('a[href^="https://wa.me/"]').getAttribute('href')).toContain(
      encodeURIComponent(`/p/${home?.id}`),
    )

    await page.setViewportSize({ width: 360, height: 740 })
    for (const lang of ['fr', 'en']) {
      await page.goto(`${base}/p/${home?.id}?lang=${lang}`)
      wrong.push(...(await look(page, `vacancy-360-${lang}`)))
    }
    await page.setViewportSize({ width: 1280, height: 860 })
    wrong.push(...(await look(page, 'vacancy-1280-en')))
    expect([...wrong, ...faults]).toEqual([])
  }, 120_000)

  test('a clause is changed, seen and published', async () => {
    const { look } = world
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'ADMIN', '/console/settings/clauses/HOME')
    await page.locator('main ol button[aria-expanded]').first().click()
    await page.locator('main ol input').first().fill('Objet du bail')
    const wrong = await look(page, 'console-clause-360-fr')
    await page.setViewportSize({ width: 1280, height: 860 })
    wrong.push(...(await look(page, 'console-clause-1280-fr')))
    const tab = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Aperçu (PDF)' }).click()
    await (await tab).waitForURL(/^blob:/)
    await page.getByRole('button', { name: 'Publier' }).click()
    await page.getByText('Version 1').waitFor()

    // somebody else publishes meanwhile: both versions are shown, and one of them goes on
    const admin = await world.server.token('ADMIN')
    const path = '/api/v1/lease-templates/HOME'
    const other = async (title_fr: string): Promise<void> => {
      const { body } = await world.server.call(admin, `GET ${path}`)
      const clauses = (body.clauses as Json[]).map((one, n) => (n === 0 ? { ...one, title_fr } : one))
      expect((await world.server.call(admin, `PUT ${path}`, { clauses }, { 'if-match': '*' })).status).toBe(200)
    }
    const draft = async (title: string): Promise<void> => {
      const field = page.locator('main ol input').first()
      if ((await field.count()) === 0) await page.locator('main ol button[aria-expanded]').first().click()
      await field.fill(title)
    }
    await draft('De l’objet')
    await other('Objet, par un autre')
    await page.getByRole('button', { name: 'Publier' }).click()
    const versions = page.locator('main [role=alert]')
    await versions.getByText('Objet, par un autre').waitFor()
    expect(await versions.getByText('De l’objet').count()).toBe(1)
    wrong.push(...(await look(page, 'console-clause-conflict-1280-fr')))
    await page.setViewportSize({ width: 360, height: 740 })
    wrong.push(...(await look(page, 'console-clause-conflict-360-fr')))
    await versions.getByRole('button').first().click()
    await page.getByText('Version 3').waitFor()
    await draft('Jamais publié')
    await other('Le leur')
    // The page may hear of it by itself, also between a look at the button and the press.
    await page
      .getByRole('button', { name: 'Publier' })
      .click({ timeout: 3000 })
      .catch(() => undefined)
    await versions.getByRole('button').last().click()
    await page.locator('main ol button', { hasText: 'Le leur' }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Publier' }).isDisabled()).toBe(true)
    await page.reload()
    await page.locator('main ol button', { hasText: 'Le leur' }).first().waitFor()
    expect([...wrong, ...faults]).toEqual([])
  }, 120_000)
})
