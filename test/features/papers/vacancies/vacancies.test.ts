// The page of a home to let and its photos, for people without an account.
import { expect, test } from 'bun:test'
import { createTestApp, uuid } from '../../../support/app.ts'
import { jpegOf, upload } from '../../../support/files.ts'

const ANA = 'OWNER.ana'
const ADA = 'ADMIN.ada'
const EVIL = '<script>alert(1)</script>"\'&'

async function start() {
  const t = createTestApp()
  for (const who of [ANA, ADA]) await t.call(who, 'GET /api/v1/me')
  await t.call(ADA, 'PATCH /api/v1/admin/organization', { name: `Agence ${EVIL}` })
  const made = await t.call(ANA, 'POST /api/v1/properties', {
    name: `Villa ${EVIL}`,
    addressLine: 'Rue secrète 12',
    city: 'Douala',
    quartier: 'Bonapriso',
    latitude: 4.02,
    longitude: 9.69,
    amenities: ['forage', EVIL],
  })
  const id = String(made.body.id)
  const unit = async (label: string, more: object = {}): Promise<string> =>
    String((await t.call(ANA, `POST /api/v1/properties/${id}/units`, { label, ...more })).body.id)
  const free = await unit('A2', { rentAmount: 90_000, bedrooms: 2, bathrooms: 1, areaSqm: 60 })
  await unit('A10', { rentAmount: 60_000 })
  const taken = await unit('B1', { rentAmount: 10_000 })
  await t.call(ANA, `PATCH /api/v1/units/${taken}`, { status: 'MAINTENANCE' })
  const photo = async (ownerType: string, ownerId: string): Promise<string> =>
    String(
      (await upload(t, ANA, { ownerType, ownerId, kind: 'PHOTO', contentType: 'image/jpeg' }, await jpegOf(900, 600)))
        .body.id,
    )
  const photos = [await photo('PROPERTY', id), await photo('PROPERTY', id), await photo('UNIT', free)]
  const hidden = await photo('UNIT', taken)
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await t.app.handle(new Request(`http://localhost${path}`, { headers, method }))
    return { response, status: response.status, text: await response.clone().text() }
  }
  const move = async (action: string) =>
    expect((await t.call(ANA, `POST /api/v1/properties/${id}/${action}`)).status).toBe(200)
  return { t, id, photos, hidden, get, move }
}

test('a published property has a page that tells what is vacant, and nothing private', async () => {
  const { t, id, photos, hidden, get, move } = await start()
  await move('publish')
  await t.call(ANA, `PATCH /api/v1/media/${photos[1]}`, { position: 0 })
  const { response, status, text } = await get(`/p/${id}`, { 'accept-language': 'fr' })
  expect(status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  )
  for (const said of ['2 logements libres', '60 000', '90 000', 'Bonapriso', 'Douala', '2 chambres', 'forage', 'A10'])
    expect(text.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(said)
  // What stays with the landlord: the address, the place on a map, people and numbers, what is not vacant.
  const me = (await t.call(ANA, 'GET /api/v1/me')).body
  for (const kept of ['secrète', '4.02', '9.69', String(me.phoneNumber), 'Ana', String(me.id), '10 000', 'B1<', hidden])
    expect([kept, text.includes(kept)]).toEqual([kept, false])
  expect(text).not.toMatch(/<script|\son\w+=|style=|javascript:/i)
  expect(text).toContain('Villa &lt;script&gt;')
  // By number: A2 before A10; the cover first.
  expect(text.indexOf('>A2<')).toBeLessThan(text.indexOf('>A10<'))
  const shown = [...text.matchAll(/<img src="\/media-files\/public\/([0-9a-f-]+)/g)].map(([, photo]) => photo)
  expect(shown).toEqual([photos[1], photos[0], photos[2]] as string[])
  const og = (name: string): string =>
    new RegExp(`<meta property="og:${name}" content="([^"]*)">`).exec(text)?.[1] ?? ''
  expect(og('url')).toBe(`http://localhost:3000/p/${id}`)
  expect(og('image')).toBe(`http://localhost:3000/media-files/public/${photos[1]}`)
  expect([og('image:type'), og('type'), og('locale')]).toEqual(['image/jpeg', 'website', 'fr_FR'])
  expect(og('title')).toStartWith('Villa &lt;script')
  for (const [, src] of text.matchAll(/(?:src|href)="([^"]+)"/g))
    expect(src).toMatch(/^(\/(?!\/)|data:,$|http:\/\/localhost:3000\/)/)
})

test('in the language asked for, else that chosen before, else that of the browser', async () => {
  const { id, get, move } = await start()
  await move('publish')
  const language = async (path: string, headers: Record<string, string>) =>
    (await get(path, headers)).response.headers.get('content-language')
  expect(await language(`/p/${id}?lang=en`, { 'accept-language': 'fr' })).toBe('en')
  expect(await language(`/p/${id}`, { 'accept-language': 'en' })).toBe('en')
  expect(await language(`/p/${id}`, { 'accept-language': 'en', cookie: 'a=b; loyer_lang=fr' })).toBe('fr')
  expect(await language(`/p/${id}?lang=xx`, { 'accept-language': 'en', cookie: 'loyer_lang=de' })).toBe('en')
  const { response } = await get(`/p/${id}?lang=en`)
  expect(response.headers.get('set-cookie')).toBe('loyer_lang=en; Path=/; Max-Age=31536000; SameSite=Lax')
  expect((await get(`/p/${id}`)).response.headers.get('set-cookie')).toBeNull()
})

test('what is not published is unknown alike, page and photos; so is what was', async () => {
  const { t, id, photos, get, move } = await start()
  const look = async () => {
    const seen: string[] = []
    for (const path of [`/p/${id}`, `/media-files/public/${photos[0]}`, `/media-files/public/${photos[0]}?size=320`])
      seen.push(`${(await get(path)).status}`)
    return seen.join(' ')
  }
  expect(await look()).toBe('404 404 404')
  await move('publish')
  expect(await look()).toBe('200 200 200')
  const photo = await get(`/media-files/public/${photos[0]}?size=800`)
  expect(photo.response.headers.get('cache-control')).toBe('public, max-age=300')
  expect(photo.response.headers.get('content-type')).toBe('image/webp')
  expect(photo.response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  const etag = photo.response.headers.get('etag') ?? ''
  expect((await get(`/media-files/public/${photos[0]}?size=800`, { 'if-none-match': etag })).status).toBe(304)
  expect((await get(`/media-files/public/${photos[0]}`, { range: 'bytes=0-9' })).status).toBe(206)
  expect((await get(`/media-files/public/${photos[0]}?size=7`)).status).toBe(422)
  await move('archive')
  expect(await look()).toBe('404 404 404')
  expect((await get(`/media-files/public/${photos[0]}`, { 'if-none-match': '*' })).status).toBe(404)
  const plain = async (path: string) =>
    (await get(path, { 'accept-language': 'fr' })).text
      .replaceAll(/\/p\/[^"?]*/g, '/p/x')
      .replaceAll(/[0-9a-f-]{36}/g, 'id')
  const pages = await Promise.all([`/p/${id}`, `/p/${uuid('nobody')}`, '/p/x'].map(plain))
  expect(new Set(pages).size).toBe(1)
  // Neither papers nor photos of people, whatever they belong to.
  await move('restore')
  await move('publish')
  const me = String((await t.call(ANA, 'GET /api/v1/me')).body.id)
  const own = { ownerType: 'VERIFICATION', ownerId: me, kind: 'PHOTO', contentType: 'image/jpeg' }
  const card = (await upload(t, ANA, own, await jpegOf(90, 60))).body.id
  const paper = { ownerType: 'PROPERTY', ownerId: id, kind: 'DOCUMENT', contentType: 'image/jpeg' }
  const title = (await upload(t, ANA, paper, await jpegOf(90, 60))).body.id
  for (const file of [card, title, uuid('nobody'), 'x'])
    expect([file, (await get(`/media-files/public/${file}`)).status]).toEqual([file, 404])
})

test('nothing vacant, no photo, no rent: the page says so', async () => {
  const { t, get } = await start()
  const { id } = (await t.call(ANA, 'POST /api/v1/properties', { name: 'Nu', addressLine: 'R', city: 'Kribi' })).body
  const unit = (await t.call(ANA, `POST /api/v1/properties/${id}/units`, { label: 'U' })).body
  await t.call(ANA, `POST /api/v1/properties/${id}/publish`)
  const open = await get(`/p/${id}?lang=en`)
  expect(open.text).toContain('Rent on request')
  expect(open.text).not.toContain('og:image')
  await t.call(ANA, `PATCH /api/v1/units/${unit.id}`, { status: 'MAINTENANCE' })
  const { text } = await get(`/p/${id}?lang=en`)
  expect(text).toContain('Nothing vacant at the moment')
  // nobody is asked to ask for what is let
  expect(text).not.toContain('Ask for this home')
  expect(text).toContain('href="/portal/homes">See other vacant homes')
})

test('a name whose hundredth sign is half of a pair leads to the request all the same', async () => {
  const { t, get } = await start()
  const name = `${'a'.repeat(99)}😀`
  const { id } = (await t.call(ANA, 'POST /api/v1/properties', { name, addressLine: 'R', city: 'Kribi' })).body
  await t.call(ANA, `POST /api/v1/properties/${id}/units`, { label: 'U' })
  await t.call(ANA, `POST /api/v1/properties/${id}/publish`)
  const { status, text } = await get(`/p/${id}`)
  expect([status, text.includes(`/portal/homes?q=${'a'.repeat(99)}`)]).toEqual([200, true])
})

test('a shop of a registered landlord shows what is to be paid, with the rent before VAT; a home never does', async () => {
  const { t, id, get, move } = await start()
  await t.call(ADA, 'PATCH /api/v1/admin/organization', { tvaRegistered: true })
  await t.call(ANA, `POST /api/v1/properties/${id}/units`, { label: 'C1', type: 'SHOP', rentAmount: 200_000 })
  await move('publish')
  const said = async (lang: string) => (await get(`/p/${id}?lang=${lang}`)).text.replaceAll(/[\u00a0\u202f]/g, ' ')
  expect(await said('fr')).toContain('238 500 FCFA / mois (200 000 FCFA hors TVA)')
  expect(await said('en')).toContain('FCFA 238,500 a month (FCFA 200,000 before VAT)')
  expect(await said('fr')).toContain('<strong>90 000 FCFA / mois</strong>')
  await t.call(ADA, 'PATCH /api/v1/admin/organization', { tvaRegistered: false })
  expect(await said('fr')).not.toContain('TVA')
})
