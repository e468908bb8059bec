// The right to let a property, shown by its papers: handed in, sent back, completed, approved.
import { expect, test } from 'bun:test'
import { jpegOf, PDF } from '../support/files.ts'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  test('a title in PDF; then a mandate with a photo, where more is asked for', async () => {
    const { server } = world
    const [owner, admin] = [await server.token('OWNER'), await server.token('ADMIN')]
    const house = { name: 'Villa du titre', addressLine: 'Rue 1', city: 'Douala' }
    const { id } = (await server.call(owner, 'POST /api/v1/properties', house)).body
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', `/console/properties/${id}`)
    await page.getByRole('button', { name: 'Add a proof' }).click()
    const dialog = page.locator('dialog')
    const submit = () => dialog.locator('button[type=submit]').click()
    await submit()
    await dialog.getByText('Add this paper.').waitFor()
    const file = (n: number) => dialog.locator('input[type=file]').nth(n)
    await file(0).setInputFiles({ name: 'a.heic', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') })
    await dialog.getByText('This photo cannot be read').waitFor()
    await file(0).setInputFiles({
      name: 'b.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.alloc(20 * 1024 * 1024 + 1),
    })
    await dialog.getByText('larger than 20 MB').waitFor()
    await file(0).setInputFiles({ name: 'titre.pdf', mimeType: 'application/pdf', buffer: Buffer.from(PDF) })
    await dialog.getByText('titre.pdf').waitFor()
    await dialog.getByLabel('Certified by').selectOption('NOTARY')
    await dialog.locator('button[type=submit]').dblclick()
    await page.getByText('The proof is sent.').waitFor()
    const cases = async () => {
      const headers = { authorization: `Bearer ${admin}` }
      const path = `${world.base}/api/v1/verification/property-proofs?propertyId=${id}`
      return (await (await fetch(path, { headers })).json()) as { id: string; status: string; documents: Paper[] }[]
    }
    type Paper = { role: string; certifyingAuthority?: string }
    const [first] = await cases()
    expect([(await cases()).length, first?.status, first?.documents.map(({ role }) => role)]).toEqual([
      1,
      'SUBMITTED',
      ['PROOF_OF_OWNERSHIP'],
    ])
    expect(first?.documents[0]?.certifyingAuthority).toBe('NOTARY')
    expect(await world.look(page, 'console-property-proof-sent-360-en')).toEqual([])

    const decide = (verb: string, note?: string) =>
      server.call(admin, `POST /api/v1/admin/verification/${first?.id}/${verb}`, note === undefined ? {} : { note })
    await decide('start-review')
    expect((await decide('request-info', 'Il manque le mandat.')).status).toBe(200)
    await page.reload()
    await page.getByText('Il manque le mandat.').waitFor()
    await page.getByRole('button', { name: 'Complete the proof' }).click()
    await dialog.locator('label', { hasText: 'I have a mandate' }).click()
    await file(0).setInputFiles({ name: 'mandat.jpg', mimeType: 'image/jpeg', buffer: await jpegOf(2400, 1800) })
    await dialog.getByText('mandat.jpg').waitFor()
    await submit()
    await dialog.getByText('Add this paper.').waitFor()
    await file(0).setInputFiles({ name: 'cni.png', mimeType: 'image/png', buffer: await jpegOf(900, 600) })
    await dialog.getByText('cni.jpg').waitFor()
    await submit()
    await page.getByText('The proof is sent.').waitFor()
    const [second] = await cases()
    expect([second?.id, second?.status, second?.documents.length]).toEqual([first?.id, 'SUBMITTED', 3])
    await decide('start-review')
    expect((await decide('approve')).status).toBe(200)
    await page.reload()
    await page.getByText('Verified').waitFor()
    expect(await page.getByRole('button', { name: /proof/ }).count()).toBe(0)
    expect(faults).toEqual([])
  }, 90_000)
})
