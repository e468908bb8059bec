// Requests for repairs: who asks, who moves, who sees, what is told, and what floods, strangers and late requests come to.
import { describe, expect, test } from 'bun:test'
import { MOST_ENTRIES, MOST_PHOTOS } from '../../../../src/features/lease/repairs/rules.ts'
import { jpegOf, pathOf, upload } from '../../../support/files.ts'
import {
  type Json,
  letting,
  type Person,
  phoneOf,
  type Stage,
  scenario,
  stage,
  userId,
} from '../../../support/scenario.ts'

const given = letting({ startDate: '2026-03-01' })
const leak = { bookingId: '{lease}', title: 'Fuite sous l’évier', category: 'WATER', urgency: 'URGENT' }
const asked = async (s: Stage) => {
  await given(s)
  await s.make('tom', 'POST /requests', leak, 'leak')
}
/** A photo of somebody's own, uploaded. */
async function photo(s: Stage, who: Person, about: Json = {}): Promise<string> {
  const mine = { ownerType: 'USER', ownerId: userId(who), kind: 'PHOTO', contentType: 'image/jpeg', ...about }
  const { body, status } = await upload(s.t, s.wordOf(who), mine, await jpegOf(40, 30))
  expect(status).toBe(200)
  return String(body.id)
}

scenario('from the report to the end, and open again', { given }, [
  [
    'tom',
    'POST /requests',
    leak,
    201,
    {
      status: 'OPEN',
      urgency: 'URGENT',
      unitLabel: 'A1',
      propertyName: 'Villa',
      tenantUserId: '{tom}',
      reportedBy: '{tom}',
    },
    { audit: 'repair.create', jobs: 'repair.reported', as: 'leak', lacks: ['costAmount', 'ownerUserId'] },
  ],
  ['days', 0, { audit: '', sent: 'repair_reported' }],
  ['ana', 'POST /requests/{leak}/see', {}, 200, { status: 'SEEN' }, { audit: 'repair.see' }],
  ['ana', 'POST /requests/{leak}/see', {}, 200, { status: 'SEEN' }],
  ['ana', 'POST /requests/{leak}/plan', { plannedOn: '2026-03-09' }, 422, { code: 'validation_failed' }],
  ['ana', 'POST /requests/{leak}/plan', { plannedOn: '2027-03-11' }, 422, { code: 'validation_failed' }],
  [
    'ana',
    'POST /requests/{leak}/plan',
    { plannedOn: '2026-03-12', text: 'Le matin' },
    200,
    { status: 'PLANNED', plannedOn: '2026-03-12' },
    { audit: 'repair.plan', jobs: 'repair.moved' },
  ],
  // The same day again says nothing new.
  ['ana', 'POST /requests/{leak}/plan', { plannedOn: '2026-03-12' }, 200, { status: 'PLANNED' }],
  ['ana', 'POST /requests/{leak}/see', {}, 200, { status: 'PLANNED' }],
  ['days', 0, { sent: 'repair_planned' }],
  ['tom', 'POST /requests/{leak}/done', {}, 403],
  ['ana', 'POST /requests/{leak}/done', { doneOn: '2026-03-11' }, 422, { errors: [{ path: '/doneOn' }] }],
  ['ana', 'POST /requests/{leak}/done', { costKind: 'LABOUR' }, 422, { errors: [{ path: '/costAmount' }] }],
  [
    'mia',
    'POST /requests/{leak}/done',
    { text: 'Joint neuf', costAmount: 15_000, costKind: 'BOTH' },
    200,
    { status: 'DONE', doneOn: '2026-03-10', costAmount: 15_000, costCurrency: 'XAF', costOn: '2026-03-10' },
    { audit: 'repair.finish', jobs: 'repair.moved', lacks: ['plannedOn'] },
  ],
  ['days', 0, { sent: 'repair_done' }],
  // What it cost is the landlord's business.
  ['tom', 'GET /requests/{leak}', undefined, 200, { status: 'DONE' }, { lacks: ['costAmount', 'costKind', 'costOn'] }],
  ['ana', 'POST /requests/{leak}/refuse', { reason: 'Non' }, 409, { currentStatus: 'DONE', allowed: ['reopen'] }],
  [
    'tom',
    'POST /requests/{leak}/reopen',
    { reason: 'Coule encore' },
    200,
    { status: 'OPEN' },
    { audit: 'repair.reopen', jobs: 'repair.moved', lacks: ['doneOn', 'closedAt'] },
  ],
  ['days', 0, { sent: 'repair_reopened' }],
  [
    'ana',
    'POST /requests/{leak}/refuse',
    { reason: 'À votre charge' },
    200,
    { status: 'REFUSED', refusalReason: 'À votre charge' },
    { audit: 'repair.refuse', jobs: 'repair.moved' },
  ],
  ['days', 31, { audit: 'invoice.issue, invoice.overdue', jobs: 'invoice.issued', sent: 'repair_refused' }],
  ['tom', 'POST /requests/{leak}/reopen', { reason: 'Si' }, 409, { currentStatus: 'REFUSED' }],
])

scenario('a landlord notes it for a tenant, or for themselves', { given }, [
  [
    'ana',
    'POST /requests',
    { bookingId: '{lease}', title: 'Peinture' },
    201,
    { category: 'OTHER', urgency: 'NORMAL', tenantName: 'tom Test' },
    { audit: 'repair.create', jobs: 'repair.reported', as: 'paint' },
  ],
  ['days', 0, { sent: 'repair_noted' }],
  [
    'ana',
    'POST /requests',
    { unitId: '{a1}', title: 'Toiture' },
    201,
    { propertyName: 'Villa' },
    { audit: 'repair.create', as: 'roof', lacks: ['bookingId', 'tenantUserId', 'tenantName'] },
  ],
  ['tom', 'GET /requests/{roof}', undefined, 404],
  ['tom', 'GET /requests/{paint}', undefined, 200],
  [
    'ana',
    'PATCH /requests/{roof}',
    { urgency: 'LOW', costAmount: 80_000, costOn: '2026-03-01' },
    200,
    { urgency: 'LOW', costAmount: 80_000, costOn: '2026-03-01' },
    { audit: 'repair.update' },
  ],
  ['ana', 'PATCH /requests/{roof}', { urgency: 'LOW' }, 200, { urgency: 'LOW' }],
  ['ana', 'PATCH /requests/{roof}', { costOn: '2026-03-11' }, 422, { errors: [{ path: '/costOn' }] }],
  [
    'ana',
    'PATCH /requests/{roof}',
    { costAmount: null },
    200,
    {},
    { audit: 'repair.update', lacks: ['costAmount', 'costCurrency', 'costOn'] },
  ],
  ['ana', 'POST /requests', { title: 'Rien' }, 422, { errors: [{ path: '/bookingId' }] }],
  ['ana', 'POST /requests', { bookingId: '{lease}', unitId: '{a1}', title: 'Deux' }, 422],
  // A thread that no tenant reads tells nobody.
  ['ana', 'POST /requests/{roof}/entries', { text: 'Devis reçu' }, 201, {}, { audit: 'repair.message' }],
])

scenario('strangers learn nothing', { given: asked }, [
  ...(['eve', 'tia', 'zoe'] as const).flatMap((who) => [
    [who, 'GET /requests/{leak}', undefined, 404] as const,
    [who, 'GET /requests/{leak}/entries', undefined, 404] as const,
    [who, 'POST /requests/{leak}/entries', { text: 'Bonjour' }, 404] as const,
    [who, 'POST /requests/{leak}/reopen', { reason: 'x' }, 404] as const,
    [who, 'POST /requests', { bookingId: '{lease}', title: 'x' }, 404] as const,
    [who, 'GET /requests?bookingId={lease}', undefined, 200, []] as const,
  ]),
  ['eve', 'POST /requests/{leak}/see', {}, 404],
  ['eve', 'POST /requests', { unitId: '{a1}', title: 'x' }, 404],
  ['tom', 'POST /requests', { unitId: '{a1}', title: 'x' }, 422],
  ['tom', 'PATCH /requests/{leak}', { urgency: 'LOW' }, 403],
  // The property is sold: its new owner sees the request, the former no longer.
  ['mia', 'PATCH /properties/{villa}', { ownerUserId: '{eve}' }, 200, {}, { audit: 'property.update' }],
  ['ana', 'GET /requests/{leak}', undefined, 404],
  ['eve', 'GET /requests/{leak}', undefined, 200, { title: 'Fuite sous l’évier' }],
])

test('the tenants of a unit before and after see nothing of it', async () => {
  const s = await stage({ given: asked })
  await s.make('ana', 'POST /bookings/{lease}/terminate')
  await s.make('ana', 'POST /bookings', { unitId: '{a1}', tenantUserId: '{tia}', startDate: '2026-03-11' }, 'next')
  await s.make('ana', 'POST /bookings/{next}/submit')
  await s.make('ana', 'POST /bookings/{next}/activate')
  expect((await s.ask('tia', 'GET /requests')).body as unknown).toEqual([])
  expect((await s.ask('tia', 'GET /requests/{leak}')).status).toBe(404)
  await s.make('tia', 'POST /requests', { bookingId: '{next}', title: 'Serrure' }, 'lock')
  expect((await s.ask('tom', 'GET /requests/{lock}')).status).toBe(404)
  // The tenant of a lease that is over still reads their own, and adds nothing.
  expect((await s.ask('tom', 'GET /requests/{leak}')).status).toBe(200)
  for (const [line, body] of [
    ['POST /requests', leak],
    ['POST /requests/{leak}/entries', { text: 'Encore' }],
    ['POST /requests/{leak}/reopen', { reason: 'Encore' }],
  ] as const) {
    const { status, body: answer } = await s.ask('tom', line, body)
    expect([line, status, answer.code]).toEqual([line, 409, 'invalid_state'])
  }
  await s.work()
  const from = s.sent.length
  await s.make('ana', 'POST /requests/{leak}/done')
  await s.work()
  expect(s.sent.slice(from)).toEqual([])
})

test('messages go both ways; the other side is told once an hour', async () => {
  const s = await stage({ given: asked })
  const news = (): string[] =>
    s.sent
      .filter(({ purpose }) => purpose === 'repair_message')
      .map(({ to }) => (to === phoneOf('ana') ? 'ana' : to === phoneOf('tom') ? 'tom' : to))
  for (const [who, text] of [
    ['tom', 'Il y a quelqu’un ?'],
    ['tom', 'Allô ?'],
    ['ana', 'J’envoie le plombier.'],
    ['tom', 'Merci'],
  ] as const)
    await s.make(who, 'POST /requests/{leak}/entries', { text })
  await s.work()
  expect(news().sort()).toEqual(['ana', 'tom'])
  const { text = '' } = s.sent.find(({ purpose }) => purpose === 'repair_message') ?? {}
  expect(s.sent.filter(({ purpose, text }) => /^repair_/.test(purpose) && !/ \(ana Test\)$/.test(text))).toEqual([])
  // What somebody wrote stands behind the link alone.
  expect(text).not.toContain('Allô')
  expect(text).toContain('« Fuite sous l’évier »'.replaceAll(' »', '\u00a0»').replaceAll('« ', '«\u00a0'))
  const { body } = await s.ask('ana', 'GET /requests/{leak}/entries?order=asc')
  expect((body as unknown as Json[]).map((e) => [e.side, e.kind, e.text])).toEqual([
    ['TENANT', 'MESSAGE', 'Il y a quelqu’un ?'],
    ['TENANT', 'MESSAGE', 'Allô ?'],
    ['LANDLORD', 'MESSAGE', 'J’envoie le plombier.'],
    ['TENANT', 'MESSAGE', 'Merci'],
  ])
})

describe('photos', () => {
  test('are the sender’s own, seen by both parties and nobody else, and kept', async () => {
    const s = await stage({ given })
    const first = await photo(s, 'tom')
    const hers = await photo(s, 'ana')
    // Before it is shown, it is Tom's alone.
    expect((await s.ask('ana', `GET /media/${first}`)).status).toBe(404)
    await s.make('tom', 'POST /requests', { ...leak, mediaObjectIds: [first] }, 'leak')
    await s.make('ana', 'POST /requests/{leak}/entries', { mediaObjectId: hers })
    for (const who of ['tom', 'ana', 'mia', 'ada'] as const) {
      const { body } = await s.ask(who, 'GET /requests/{leak}/entries?order=asc')
      const urls = (body as unknown as Json[]).map(({ url }) => url)
      expect([who, urls.length]).toEqual([who, 2])
      for (const url of urls) {
        const { status, headers } = await s.t.app.handle(new Request(`http://localhost${pathOf(url)}`))
        expect([who, status, headers.get('content-type')]).toEqual([who, 200, 'image/webp'])
      }
      for (const id of [first, hers]) expect((await s.ask(who, `GET /media/${id}/download-url`)).status).toBe(200)
    }
    for (const who of ['eve', 'tia', 'zoe'] as const)
      for (const id of [first, hers]) expect((await s.ask(who, `GET /media/${id}`)).status).toBe(404)
    expect(await s.ask('tom', `DELETE /media/${first}`)).toMatchObject({ status: 409 })
    expect((await s.ask('ana', `DELETE /media/${first}`)).status).toBe(403)
  })

  test('nobody shows what is another’s, no photo, or not there', async () => {
    const s = await stage({ given: asked })
    const hers = await photo(s, 'tia')
    const paper = await photo(s, 'tom', { kind: 'DOCUMENT' })
    for (const [mediaObjectId, status] of [
      [hers, 404],
      ['{nobody}', 404],
      [paper, 422],
    ] as const) {
      expect((await s.ask('tom', 'POST /requests/{leak}/entries', { mediaObjectId })).status).toBe(status)
      const made = await s.ask('tom', 'POST /requests', { ...leak, mediaObjectIds: [mediaObjectId] })
      expect(made.status).toBe(status)
    }
    expect(s.rows('select count(*) n from repair')).toEqual([{ n: 1 }])
    expect((await s.ask('tom', 'POST /requests/{leak}/entries', {})).status).toBe(422)
    expect((await s.ask('tom', 'POST /requests/{leak}/entries', { text: 'x', mediaObjectId: paper })).status).toBe(422)
  })
})

describe('floods', () => {
  test('a tenant has ten open requests in a lease', async () => {
    const s = await stage({ given: asked })
    for (let n = 1; n < 10; n++) await s.make('tom', 'POST /requests', { ...leak, title: `Panne ${n}` })
    expect(await s.ask('tom', 'POST /requests', leak)).toMatchObject({
      status: 409,
      body: { code: 'too_many_repairs' },
    })
    await s.make('ana', 'POST /requests/{leak}/done')
    expect((await s.ask('tom', 'POST /requests', leak)).status).toBe(201)
  })

  test('sixty messages a day, then again the next', async () => {
    const s = await stage({ given: asked })
    for (let n = 0; n < 60; n++) await s.make('tom', 'POST /requests/{leak}/entries', { text: `Message ${n}` })
    const more = () => s.ask('tom', 'POST /requests/{leak}/entries', { text: 'Encore' })
    expect(await more()).toMatchObject({ status: 409, body: { code: 'too_many_repairs' } })
    expect((await s.ask('ana', 'POST /requests/{leak}/entries', { text: 'Oui ?' })).status).toBe(201)
    s.advance(1)
    expect((await more()).status).toBe(201)
  })

  test('a full thread takes no message and no photo, and can still be closed', async () => {
    const s = await stage({ given: asked })
    const pictures = [await photo(s, 'tom'), await photo(s, 'tom')]
    const fill = s.t.store.client.prepare(
      `insert into repair_entry (id, org_id, repair_id, kind, side, author_user_id, text, media_object_id, created_at, updated_at)
       select ?, org_id, id, ?, 'TENANT', tenant_user_id, 'x', ?, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' from repair`,
    )
    for (let n = 0; n < MOST_PHOTOS; n++) fill.run(`photo-${n}`, 'PHOTO', pictures[0])
    expect((await s.ask('tom', 'POST /requests/{leak}/entries', { mediaObjectId: pictures[1] })).status).toBe(409)
    for (let n = MOST_PHOTOS; n < MOST_ENTRIES; n++) fill.run(`text-${n}`, 'MESSAGE', null)
    for (const who of ['tom', 'ana'] as const)
      expect((await s.ask(who, 'POST /requests/{leak}/entries', { text: 'x' })).body.code).toBe('too_many_repairs')
    await s.make('ana', 'POST /requests/{leak}/done')
    for (let n = 0; n < 5; n++) fill.run(`again-${n}`, 'REOPENED', null)
    expect((await s.ask('tom', 'POST /requests/{leak}/reopen', { reason: 'x' })).body.code).toBe('too_many_repairs')
  })
})
