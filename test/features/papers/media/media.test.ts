// Photos and documents from announcement to deletion, and who sees which.
import { expect, spyOn, test } from 'bun:test'
import { createTestApp, uuid } from '../../../support/app.ts'
import { download, jpegOf, PDF, pathOf, sha256, upload, withExif } from '../../../support/files.ts'
import { contents } from '../../../support/folder.ts'

const ANA = 'OWNER.ana'
const EVE = 'OWNER.eve'
const MIA = 'MANAGER.mia'
const ADA = 'ADMIN.ada'
const TOM = 'TENANT.tom'
const idOf = (who: string): string => uuid(`${who.split('.')[1]}~organization`)

async function start() {
  const t = createTestApp()
  for (const who of [ANA, EVE, MIA, ADA, TOM]) await t.call(who, 'GET /api/v1/me')
  const made = await t.call(ANA, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' })
  const property = String(made.body.id)
  const unit = await t.call(ANA, `POST /api/v1/properties/${property}/units`, { label: 'A1' })
  const photo = { ownerType: 'PROPERTY', ownerId: property, kind: 'PHOTO', contentType: 'image/jpeg' }
  const pdf = { ownerType: 'PROPERTY', ownerId: property, kind: 'DOCUMENT', contentType: 'application/pdf' }
  const own = (who: string, ownerType = 'USER') => ({ ...pdf, ownerType, ownerId: idOf(who) })
  return { t, property, unit: String(unit.body.id), photo, pdf, own }
}

test('a photo loses its place, stands upright and gets thumbnails', async () => {
  const { t, photo } = await start()
  const given = withExif(await jpegOf(1200, 900), 6)
  expect(given.includes('GPSLatitude')).toBe(true)
  const { status, body } = await upload(t, ANA, photo, given)
  expect({ status, state: body.status }).toEqual({ status: 200, state: 'AVAILABLE' })
  expect(Object.keys(body).sort()).toEqual(
    'contentType createdAt filename id kind orgId ownerId ownerType ownerUserId sizeBytes status'.split(' '),
  )
  const { response, bytes } = await download(t, ANA, body.id)
  expect(response.headers.get('content-type')).toBe('image/jpeg')
  expect(bytes.byteLength).toBe(Number(body.sizeBytes))
  expect(Buffer.from(bytes).includes('GPS')).toBe(false)
  expect(await new Bun.Image(bytes).metadata()).toMatchObject({ width: 900, height: 1200 })
  for (const size of [320, 800]) {
    const small = await download(t, ANA, body.id, {}, `?size=${size}`)
    expect(small.response.headers.get('content-type')).toBe('image/webp')
    expect(await new Bun.Image(small.bytes).metadata()).toMatchObject({ width: (size * 3) / 4, height: size })
  }
  await t.work()
  expect(Object.keys(contents(t.mediaFolder))).toHaveLength(3)
})

test('a document is kept as it is, and served so that no browser runs it', async () => {
  const { t, pdf } = await start()
  const { body } = await upload(t, ANA, { ...pdf, filename: 'Bail "été".pdf' }, PDF)
  const { response, bytes, url } = await download(t, ANA, body.id)
  expect(sha256(bytes)).toBe(sha256(PDF))
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="Bail __t__.pdf"; filename*=UTF-8''Bail%20%22%C3%A9t%C3%A9%22.pdf`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
  })
  const get = (headers: Record<string, string>) => t.app.handle(new Request(`http://localhost${url}`, { headers }))
  const etag = response.headers.get('etag') ?? ''
  const size = PDF.length
  for (const [headers, status, range] of [
    [{ range: 'bytes=0-4' }, 206, `bytes 0-4/${size}`],
    [{ range: 'bytes=5-' }, 206, `bytes 5-${size - 1}/${size}`],
    [{ range: 'bytes=-6' }, 206, `bytes ${size - 6}-${size - 1}/${size}`],
    [{ range: 'bytes=0-999999' }, 206, `bytes 0-${size - 1}/${size}`],
    [{ range: `bytes=${size}-` }, 416, `bytes */${size}`],
    [{ range: 'bytes=0-1,3-4' }, 200, null],
    [{ range: 'bytes=4-2' }, 200, null],
    [{ range: 'bytes=0-4', 'if-range': etag }, 206, `bytes 0-4/${size}`],
    [{ range: 'bytes=0-4', 'if-range': '"other"' }, 200, null],
    [{ 'if-none-match': etag }, 304, null],
  ] as [Record<string, string>, number, string | null][]) {
    const answer = await get(headers)
    const length = (await answer.arrayBuffer()).byteLength
    expect([headers, answer.status, answer.headers.get('content-range')]).toEqual([headers, status, range])
    if (status === 206) expect(length).toBeLessThanOrEqual(size)
  }
  expect(await (await get({ range: 'bytes=0-4' })).text()).toBe('%PDF-')
})

test('links die with time and with the object; nothing is read for a bad one', async () => {
  const { t, pdf } = await start()
  const { body } = await upload(t, ANA, pdf, PDF)
  const { url } = await download(t, ANA, body.id)
  const ask = async (path: string) => {
    const answer = await t.app.handle(new Request(`http://localhost${path}`))
    return [answer.status, ((await answer.json()) as { code: string }).code]
  }
  expect(await ask(url.replace('sig=', 'sig=A'))).toEqual([403, 'link_invalid'])
  t.time.now += 300_000
  expect(await ask(url)).toEqual([410, 'link_expired'])
  const fresh = (await download(t, ANA, body.id)).url
  expect((await t.call(ANA, `DELETE /api/v1/media/${body.id}`)).status).toBe(204)
  expect(await ask(fresh)).toEqual([404, 'not_found'])
  await t.work()
  expect(contents(t.mediaFolder)).toEqual({})
  expect((await t.call(ANA, `DELETE /api/v1/media/${body.id}`)).status).toBe(404)
})

test('complete asks for the bytes, and for those that were announced; twice changes nothing', async () => {
  const { t, pdf } = await start()
  const about = { ...pdf, filename: 'f', sizeBytes: PDF.length }
  const made = await t.call(ANA, 'POST /api/v1/media', about)
  const complete = `POST /api/v1/media/${made.body.id}/complete`
  expect((await t.call(ANA, complete)).body.code).toBe('upload_missing')
  expect((await t.call(ANA, `GET /api/v1/media/${made.body.id}/download-url`)).body.code).toBe('invalid_state')
  const { url } = made.body.upload as { url: string }
  const put = async (body: Uint8Array, type = 'application/pdf') => {
    const sent = new Uint8Array(body)
    const request = new Request(`http://localhost${pathOf(url)}`, {
      method: 'PUT',
      headers: { 'content-type': type },
      body: sent,
    })
    return (await t.app.handle(request)).status
  }
  expect(await put(PDF, 'text/html')).toBe(415)
  expect(await put(Buffer.concat([PDF, PDF]))).toBe(413)
  expect(await put(PDF.subarray(1))).toBe(422)
  expect(await put(Buffer.alloc(PDF.length, 'x'))).toBe(204)
  expect((await t.call(ANA, complete)).body.code).toBe('content_mismatch')
  // A client that knows no type of the file says so; the bytes are judged all the same.
  expect(await put(Buffer.alloc(PDF.length, 'y'), 'application/octet-stream')).toBe(204)
  expect((await t.call(ANA, complete)).body.code).toBe('content_mismatch')
  expect(await put(PDF, 'application/octet-stream')).toBe(204)
  const [first, second] = await Promise.all([t.call(ANA, complete), t.call(ANA, complete)])
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
  expect(t.rows("select 1 from audit_entry where action = 'media.complete'")).toHaveLength(1)
  expect(await put(PDF)).toBe(409)
  expect((await t.call(ANA, `POST /api/v1/media/${made.body.id}/upload-url`)).status).toBe(409)
})

test('a repeated announcement is one object, with a link made afresh', async () => {
  const { t, pdf } = await start()
  const about = { ...pdf, filename: 'f', sizeBytes: PDF.length }
  const key = { 'idempotency-key': 'k1' }
  const first = await t.call(ANA, 'POST /api/v1/media', about, key)
  t.time.now += 60_000
  const again = await t.call(ANA, 'POST /api/v1/media', about, key)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.body.id).toBe(first.body.id)
  expect(again.body.upload).not.toEqual(first.body.upload)
  expect(JSON.stringify(t.rows('select body from idempotency'))).not.toContain('sig=')
})

test('what nobody completes is gone after a day; there is a limit to how much may be begun', async () => {
  const { t, own } = await start()
  const about = { ...own(TOM), filename: 'f', sizeBytes: 10 }
  for (let i = 0; i < 50; i++) expect((await t.call(TOM, 'POST /api/v1/media', about)).status).toBe(201)
  expect((await t.call(TOM, 'POST /api/v1/media', about)).body.code).toBe('quota_exceeded')
  const { purgeStaleMedia } = await import('../../../../src/features/papers/media/jobs.ts')
  expect(await purgeStaleMedia(t.deps)).toBe(0)
  t.time.now += 24 * 3600_000
  expect(await purgeStaleMedia(t.deps)).toBe(50)
  expect(t.rows('select 1 from media_object')).toEqual([])
})

const WRONG: [string, Record<string, unknown>][] = [
  ['a PDF as photo', { kind: 'PHOTO', contentType: 'application/pdf' }],
  ['another type', { contentType: 'image/svg+xml' }],
  ['no bytes', { sizeBytes: 0 }],
  ['a photo of more than 10 MiB', { kind: 'PHOTO', contentType: 'image/png', sizeBytes: 10 * 1024 * 1024 + 1 }],
  ['a document of more than 20 MiB', { sizeBytes: 20 * 1024 * 1024 + 1 }],
  ['an empty name', { filename: '' }],
  ['a name of 4 KB', { filename: 'x'.repeat(4096) }],
]
test.each(WRONG)('%s is refused at once', async (_what, wrong) => {
  const { t, pdf } = await start()
  expect((await t.call(ANA, 'POST /api/v1/media', { ...pdf, filename: 'f', sizeBytes: 9, ...wrong })).status).toBe(422)
})

test('who sees and changes which (decisions section 3)', async () => {
  const { t, photo, pdf, own, property, unit } = await start()
  const jpeg = await jpegOf(40, 30)
  const ids = {
    photo: (await upload(t, ANA, photo, jpeg)).body.id,
    unit: (await upload(t, ANA, { ...photo, ownerType: 'UNIT', ownerId: unit }, jpeg)).body.id,
    paper: (await upload(t, ANA, pdf, PDF)).body.id,
    anas: (await upload(t, ANA, own(ANA), PDF)).body.id,
    kyc: (await upload(t, ANA, own(ANA, 'VERIFICATION'), PDF)).body.id,
    toms: (await upload(t, TOM, own(TOM), PDF)).body.id,
  }
  const names = Object.keys(ids) as (keyof typeof ids)[]
  const seen = async (who: string) => {
    const found: string[] = []
    for (const name of names) if ((await t.call(who, `GET /api/v1/media/${ids[name]}`)).status === 200) found.push(name)
    const listed = (await t.call<{ id: string }[]>(who, 'GET /api/v1/media')).body.map(({ id }) => id)
    expect(names.filter((name) => listed.includes(String(ids[name])))).toEqual(found as never)
    return found.join(' ')
  }
  expect(await seen(ANA)).toBe('photo unit paper anas kyc')
  expect(await seen(EVE)).toBe('')
  expect(await seen(MIA)).toBe('photo unit paper')
  expect(await seen(ADA)).toBe('photo unit paper')
  expect(await seen(TOM)).toBe('toms')
  expect(await seen('ADMIN.bob~elsewhere')).toBe('')
  await t.call(ANA, `POST /api/v1/properties/${property}/publish`)
  expect(await seen(TOM)).toBe('photo unit toms')
  expect((await t.call(TOM, `DELETE /api/v1/media/${ids.photo}`)).status).toBe(403)
  expect((await t.call(TOM, 'POST /api/v1/media', { ...photo, filename: 'f', sizeBytes: 9 })).status).toBe(403)
  expect((await t.call(EVE, `DELETE /api/v1/media/${ids.photo}`)).status).toBe(404)
  expect((await t.call(EVE, 'POST /api/v1/media', { ...photo, filename: 'f', sizeBytes: 9 })).status).toBe(404)
  expect((await t.call(MIA, 'POST /api/v1/media', { ...own(ANA), filename: 'f', sizeBytes: 9 })).status).toBe(404)
  const only = await t.call<{ ownerType: string }[]>(ANA, 'GET /api/v1/media?ownerType=UNIT')
  expect(only.body.map(({ ownerType }) => ownerType)).toEqual(['UNIT'])
  expect((await t.call(ANA, 'GET /api/v1/media?ownerType=UNIT&ownerType=USER')).status).toBe(422)
})

test('the proof of a payment is a file of whoever names it', async () => {
  const { t, own, unit, property } = await start()
  await t.call(ANA, `POST /api/v1/properties/${property}/publish`)
  const lease = { unitId: unit, tenantUserId: idOf(TOM), startDate: '2026-03-01', rentAmount: 50_000 }
  const { body } = await t.call(ANA, 'POST /api/v1/bookings', lease)
  for (const step of ['submit', 'activate']) await t.call(ANA, `POST /api/v1/bookings/${body.id}/${step}`)
  await t.work()
  const [invoice] = (await t.call<{ id: string }[]>(TOM, 'GET /api/v1/invoices')).body
  const mine = (await upload(t, TOM, own(TOM), PDF)).body.id
  const hers = (await upload(t, ANA, own(ANA), PDF)).body.id
  const pay = (proofMediaId: unknown) =>
    t.call(TOM, `POST /api/v1/invoices/${invoice?.id}/payments`, {
      amount: 1,
      method: 'CASH',
      paidOn: '2026-03-09',
      proofMediaId,
    })
  expect((await pay(hers)).status).toBe(404)
  expect((await pay(uuid('nothing'))).status).toBe(404)
  const identity = (await upload(t, TOM, own(TOM, 'VERIFICATION'), PDF)).body.id
  expect((await pay(identity)).status).toBe(404)
  const sheet = (await upload(t, TOM, { ...own(TOM), contentType: 'text/csv' }, Buffer.from('montant\n1'))).body.id
  const refused = await pay(sheet)
  expect([refused.status, refused.body.errors]).toEqual([422, [expect.objectContaining({ path: '/proofMediaId' })]])
  expect((await t.call(ANA, `GET /api/v1/media/${mine}`)).status).toBe(404)
  expect(await pay(mine)).toMatchObject({ status: 201, body: { proofMediaId: mine } })

  // From here on it is read by whoever confirms that payment, each look leaves a trace, and nobody loses it.
  for (const who of [ANA, MIA, ADA]) {
    expect((await t.call(who, `GET /api/v1/media/${mine}`)).status).toBe(200)
    expect(sha256((await download(t, who, mine)).bytes)).toBe(sha256(PDF))
  }
  expect((await download(t, TOM, mine)).response.status).toBe(200)
  const views = t.rows("select actor_user_id u from audit_entry where action = 'media.view' order by rowid")
  expect(views.map(({ u }) => u)).toEqual([ANA, MIA, ADA].map(idOf))
  for (const line of [`GET /api/v1/media/${mine}`, `GET /api/v1/media/${mine}/download-url`])
    expect((await t.call(EVE, line)).status).toBe(404)
  expect((await t.call(ANA, `DELETE /api/v1/media/${mine}`)).status).toBe(403)
  const kept = await t.call(TOM, `DELETE /api/v1/media/${mine}`)
  expect([kept.status, kept.body.code]).toEqual([409, 'invalid_state'])
  expect((await t.call(TOM, `DELETE /api/v1/media/${identity}`)).status).toBe(204)
})

test('a link that was changed is refused before any row is read or file opened', async () => {
  const { t, pdf } = await start()
  const { body } = await upload(t, ANA, pdf, PDF)
  const other = await upload(t, ANA, { ...pdf, filename: 'other' }, PDF)
  const { url: good } = await download(t, ANA, body.id)
  const open = spyOn(t.blobs, 'open')
  const receive = spyOn(t.blobs, 'receive')
  // Whatever is changed, by whoever: id, expiry, method, a parameter twice, another key, every bit.
  const [path = '', query = ''] = good.split('?')
  const exp = Number(/exp=(\d+)/.exec(query)?.[1])
  const bits = Array.from({ length: good.length * 8 }, (_, n) => {
    const bytes = Buffer.from(good)
    bytes[n >> 3] = (bytes[n >> 3] ?? 0) ^ (1 << (n & 7))
    return bytes.toString('latin1')
  })
  const changed: [method: string, url: string][] = [
    ['GET', good.replace(String(body.id), String(other.body.id))],
    ['GET', `${path}?${query.replace(`exp=${exp}`, `exp=${exp + 1}`)}`],
    ['GET', `${good}&exp=${exp}`],
    ['GET', `${path}?exp=${exp}&${query}`],
    ['GET', good.replace(/kid=\d+/, 'kid=0')],
    ['PUT', good.replace('/media-files/', '/media-uploads/')],
    ...bits.map((url): [string, string] => ['GET', url]),
  ]
  for (const [method, url] of changed) {
    // What is no address any more never gets here; what names another path is none of these.
    if (!URL.canParse(`http://localhost${url}`) || !/^\/media-(files|uploads)\//.test(url)) continue
    const request = new Request(`http://localhost${url}`, { method, ...(method === 'PUT' ? { body: 'x' } : {}) })
    const { status } = await t.app.handle(request)
    // A path with more or fewer parts is another route's, and an id that is none is nobody's.
    expect({ method, url, refused: [403, 404].includes(status) }).toEqual({ method, url, refused: true })
  }
  for (const [method, url] of changed.slice(0, 6)) {
    const request = new Request(`http://localhost${url}`, { method, ...(method === 'PUT' ? { body: 'x' } : {}) })
    expect([url, (await t.app.handle(request)).status]).toEqual([url, 403])
  }
  t.time.now += 300_000
  expect((await t.app.handle(new Request(`http://localhost${good}`))).status).toBe(410)
  expect([open, receive].map((spy) => spy.mock.calls.length)).toEqual([0, 0])
  t.time.now -= 300_000
  expect((await t.app.handle(new Request(`http://localhost${good}`))).status).toBe(200)
  expect(open).toHaveBeenCalledTimes(1)
})
