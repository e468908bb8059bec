// What is shown and not saved, thumbnails in lists, and the order of photos.
import { describe, expect, test } from 'bun:test'
import { createTestApp, uuid } from '../../../support/app.ts'
import { download, jpegOf, PDF, pathOf, upload } from '../../../support/files.ts'

const ANA = 'OWNER.ana'
const EVE = 'OWNER.eve'
const MIA = 'MANAGER.mia'
const TOM = 'TENANT.tom'
const ZOE = 'OWNER.zoe~elsewhere'
type Listed = { id: string; ownerId: string; url?: string; position?: number }

async function start() {
  const t = createTestApp()
  for (const who of [ANA, EVE, MIA, TOM, ZOE]) await t.call(who, 'GET /api/v1/me')
  const home = async (who: string, name: string): Promise<string> =>
    String((await t.call(who, 'POST /api/v1/properties', { name, addressLine: 'R', city: 'C' })).body.id)
  const [villa, studio, hers, far] = [
    await home(ANA, 'Villa'),
    await home(ANA, 'Studio'),
    await home(EVE, 'Sienne'),
    await home(ZOE, 'Ailleurs'),
  ]
  const jpeg = await jpegOf(400, 300)
  const photo = async (who: string, ownerId: string): Promise<string> => {
    const about = { ownerType: 'PROPERTY', ownerId, kind: 'PHOTO', contentType: 'image/jpeg' }
    return String((await upload(t, who, about, jpeg)).body.id)
  }
  const list = (who: string, query: string) => t.call<Listed[]>(who, `GET /api/v1/media?${query}`)
  const get = async (url: unknown) => t.app.handle(new Request(`http://localhost${pathOf(url)}`))
  return { t, villa, studio, hers, far, photo, list, get }
}

describe('a paper that is shown', () => {
  test('is so by the signature alone, and never what a browser could run', async () => {
    const { t, villa, get } = await start()
    const pdf = { ownerType: 'PROPERTY', ownerId: villa, kind: 'DOCUMENT', contentType: 'application/pdf' }
    const { id } = (await upload(t, ANA, { ...pdf, filename: 'titre.pdf' }, PDF)).body
    const shown = await download(t, ANA, id, {}, '?inline=true')
    expect(shown.response.headers.get('content-disposition')).toBe(
      `inline; filename="titre.pdf"; filename*=UTF-8''titre.pdf`,
    )
    expect(shown.response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(shown.response.headers.get('x-content-type-options')).toBe('nosniff')
    for (const query of ['', '?inline=false']) {
      const { response, url } = await download(t, ANA, id, {}, query)
      expect(response.headers.get('content-disposition')).toStartWith('attachment')
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      // Forged: added, put in another place, or taken from another link.
      for (const forged of [
        `${url}&disposition=inline`,
        url.replace('&sig=', '&disposition=inline&sig='),
        url.replace('?v=1', '?disposition=inline&v=1'),
        shown.url.replace('&disposition=inline', ''),
        shown.url.replace('disposition=inline', 'disposition=attachment'),
      ])
        expect([forged, (await get(forged)).status]).toEqual([forged, 403])
    }
    expect((await t.call(ANA, `GET /api/v1/media/${id}/download-url?inline=1`)).status).toBe(422)
    expect((await t.call(EVE, `GET /api/v1/media/${id}/download-url?inline=true`)).status).toBe(404)
  })

  test('is no sheet', async () => {
    const { t } = await start()
    const own = { ownerType: 'USER', ownerId: uuid('tom~organization'), kind: 'DOCUMENT', contentType: 'text/csv' }
    const { id } = (await upload(t, TOM, own, Buffer.from('a;b\n1;2'))).body
    const refused = await t.call(TOM, `GET /api/v1/media/${id}/download-url?inline=true`)
    expect([refused.status, refused.body.errors]).toEqual([422, [expect.objectContaining({ path: '/inline' })]])
    expect((await download(t, TOM, id)).response.headers.get('content-disposition')).toStartWith('attachment')
  })
})

describe('a list with links', () => {
  test('has a thumbnail of each photo of the owners asked for, and of no other', async () => {
    const { t, villa, studio, hers, far, photo, list, get } = await start()
    const mine = [await photo(ANA, villa), await photo(ANA, studio)]
    await photo(EVE, hers)
    await photo(ZOE, far)
    const all = `ownerId=${[villa, studio, hers, far, uuid('nobody')].join()}&links=320`
    const { status, body, headers } = await list(ANA, all)
    const etag = headers.get('etag') ?? ''
    expect([status, body.map(({ id }) => id)]).toEqual([200, mine.toReversed()])
    for (const { url } of body) {
      const file = await get(url)
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect(file.headers.get('cache-control')).toBe('private, max-age=150')
    }
    // The same link for a while, so that a browser has the picture already; never longer than five minutes.
    const [first] = body
    const exp = Number(/exp=(\d+)/.exec(first?.url ?? '')?.[1]) * 1000 - t.time.now
    expect(exp).toBeGreaterThanOrEqual(150_000 - 1000)
    expect(exp).toBeLessThanOrEqual(300_000)
    expect((await list(ANA, all)).body[0]?.url).toBe(first?.url)
    const again = (): Promise<{ status: number }> =>
      t.call(ANA, `GET /api/v1/media?${all}`, undefined, { 'if-none-match': etag })
    expect((await again()).status).toBe(304)
    t.time.now += 150_000
    expect((await again()).status).toBe(200)
    expect((await list(ANA, all)).body[0]?.url).not.toBe(first?.url)
    // Who manages sees both owners; another organization neither; without `links` there are none.
    expect((await list(MIA, all)).body).toHaveLength(3)
    expect((await list(ZOE, all)).body.map(({ ownerId }) => ownerId)).toEqual([far])
    expect((await list(TOM, all)).body).toEqual([])
    expect((await list(ANA, `ownerId=${villa},${studio}`)).body.flatMap(({ url }) => url ?? [])).toEqual([])
    // Page by page as any list.
    const page = await list(ANA, `${all}&limit=1`)
    const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    const second = await t.call<Listed[]>(ANA, `GET ${pathOf(next)}`)
    expect([...page.body, ...second.body].map(({ id }) => id)).toEqual(mine.toReversed())
    expect((await list(ANA, `${all}&links=800&links=320`)).status).toBe(422)
  })

  test('has none for papers of people, each look at which is recorded', async () => {
    const { t, list } = await start()
    const id = uuid('tom~organization')
    const own = { ownerType: 'VERIFICATION', ownerId: id, kind: 'PHOTO', contentType: 'image/jpeg' }
    await upload(t, TOM, own, await jpegOf(400, 300))
    const { body } = await list(TOM, `ownerId=${id}&links=320`)
    expect([body.length, body[0]?.url]).toEqual([1, undefined])
    expect(t.rows("select 1 from audit_entry where action = 'media.view'")).toEqual([])
  })

  test.each([
    ['51 owners', Array.from({ length: 51 }, (_, i) => uuid(`o${i}`)).join()],
    ['thousands', Array.from({ length: 5_000 }, (_, i) => uuid(`o${i}`)).join()],
    ['an empty place', `${uuid('a')},,${uuid('b')}`],
    ['none', ''],
    ['no id', `${uuid('a')},x`],
    ['a condition', `${uuid('a')}') or 1=1 --`],
  ])('refuses %s', async (_what, ids) => {
    const { list } = await start()
    const { status, body } = await list(ANA, `ownerId=${encodeURIComponent(ids)}&links=320`)
    expect([status, (body as unknown as { errors: { path: string }[] }).errors[0]?.path]).toEqual([422, '/ownerId'])
  })
})

test('photos stand where they are put, the others make room', async () => {
  const { t, villa, studio, photo, list } = await start()
  const [a = '', b = '', c = '', d = ''] = [
    await photo(ANA, villa),
    await photo(ANA, villa),
    await photo(ANA, villa),
    await photo(ANA, villa),
  ]
  const other = await photo(ANA, studio)
  const names = new Map([
    [a, 'a'],
    [b, 'b'],
    [c, 'c'],
    [d, 'd'],
  ])
  const order = async (): Promise<string> =>
    (await list(ANA, `ownerId=${villa}&order=asc`)).body
      .toSorted((x, y) => (x.position ?? 99) - (y.position ?? 99))
      .map(({ id, position }) => `${names.get(id)}${position ?? ''}`)
      .join(' ')
  const move = (who: string, id: string, body: object) => t.call(who, `PATCH /api/v1/media/${id}`, body)
  const coverOf = async () =>
    names.get(
      (await t.call<{ id: string; coverMediaId?: string }[]>(ANA, 'GET /api/v1/properties')).body.find(
        ({ id }) => id === villa,
      )?.coverMediaId ?? '',
    )
  expect([await order(), await coverOf()]).toEqual(['a b c d', 'a'])
  const cover = await move(ANA, c, { position: 0 })
  expect([cover.status, cover.body.position]).toEqual([200, 0])
  expect([await order(), await coverOf()]).toEqual(['c0 a1 b2 d3', 'c'])
  await move(MIA, a, { position: 3 })
  expect(await order()).toBe('c0 b1 d2 a3')
  await move(ANA, d, { position: 50 })
  expect(await order()).toBe('c0 b1 a2 d50')
  await move(ANA, c, { position: null })
  expect([await order(), await coverOf()]).toEqual(['b1 a2 d50 c', 'b'])
  // What was deleted leaves a gap; what comes later stands last.
  await t.call(ANA, `DELETE /api/v1/media/${b}`)
  expect(await order()).toBe('a2 d50 c')
  expect((await list(ANA, `ownerId=${studio}`)).body).toEqual([
    expect.not.objectContaining({ position: expect.anything() }),
  ])
  expect((await t.call(ANA, `GET /api/v1/media/${a}`)).body.position).toBe(2)
  // One line in the trail for each move that changed something, of the photo that was moved.
  await move(ANA, a, { position: 2 })
  expect((await move(ANA, a, {})).status).toBe(200)
  expect(
    t.rows("select subject_id s from audit_entry where action = 'media.move' order by rowid").map(({ s }) => s),
  ).toEqual([c, a, d, c])
  for (const [who, status] of [
    [EVE, 404],
    [TOM, 404],
    [ZOE, 404],
  ] as const)
    expect([who, (await move(who, other, { position: 0 })).status]).toEqual([who, status])
  for (const position of [-1, 1.5, '1', 10_000])
    expect([position, (await move(ANA, other, { position })).status]).toEqual([position, 422])
  expect((await list(ANA, `ownerId=${studio}`)).body[0]?.position).toBeUndefined()
  const stale = await t.call(ANA, `PATCH /api/v1/media/${other}`, { position: 1 }, { 'if-match': '"old.1"' })
  expect(stale.status).toBe(412)
})
