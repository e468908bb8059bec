// Inspections: filled in, signed by both, compared at the end; who sees what, and what strangers, late ones and floods meet.
import { describe, expect, test } from 'bun:test'
import { createPdf } from '../../../../src/adapters/pdf/pool.ts'
import { makeReady } from '../../../support/contracts.ts'
import { jpegOf, upload } from '../../../support/files.ts'
import { readPdf, inspection as sample } from '../../../support/papers.ts'
import { type Json, letting, type Person, phoneOf, type Stage, stage, userId } from '../../../support/scenario.ts'
import { room } from '../../../support/upkeep.ts'

const given = letting({ startDate: '2026-03-01', depositAmount: 120_000 })
const kitchen = (state: string, more: Json = {}): Json[] => [room('01a1fc4b', 'Cuisine', { state, ...more })]
const started = async (s: Stage) => {
  await given(s)
  await s.make('ana', 'POST /inspections', { bookingId: '{lease}', kind: 'ENTRY' }, 'entry')
  await s.make('ana', 'PATCH /inspections/{entry}', {
    rooms: kitchen('GOOD'),
    meters: [{ kind: 'WATER', number: 'C-1', reading: 100 }],
    keyCount: 3,
  })
}
/** A party asks for a code and signs with it. */
async function signs(s: Stage, who: Person, id: string, more: Json = {}) {
  const { body, status } = await s.ask(who, `POST /inspections/${id}/signatures/otp`, {})
  if (status !== 200) return { status, body }
  const code = s.sent.findLast(({ to }) => to === phoneOf(who))?.code
  const signature = { challengeId: body.challengeId, code, fullName: `${who} Entier`, ...more }
  return s.ask(who, `POST /inspections/${id}/signatures`, signature as Json)
}
const out = async (s: Stage, name = 'entry') => {
  await s.make('ana', `POST /inspections/{${name}}/propose`)
  await makeReady(s.t, s.fill('{lease}'), 'INSPECTION')
}
const signed = async (s: Stage) => {
  await started(s)
  await out(s)
  await signs(s, 'tom', '{entry}')
  await signs(s, 'ana', '{entry}')
}
const codeOf = async (s: Stage, who: Person, line: string, body: Json = {}) => {
  const answer = await s.ask(who, line, body)
  return `${answer.status} ${answer.body.code ?? ''}`.trim()
}

describe('an inspection', () => {
  test('begins with the usual rooms, in the language of the lease, nothing checked', async () => {
    const s = await stage({ given })
    const { rooms } = (await s.make('ana', 'POST /inspections', { bookingId: '{lease}', kind: 'ENTRY' }, 'entry')) as {
      rooms: { name: string; items: Json[] }[]
    }
    expect(rooms.map(({ name }) => name)).toEqual(['Séjour', 'Chambre', 'Cuisine', 'Salle d’eau', 'Extérieur'])
    expect(new Set(rooms.flatMap(({ items }) => items.map(({ state }) => state)))).toEqual(new Set(['NOT_CHECKED']))
    expect(await codeOf(s, 'ana', 'POST /inspections/{entry}/propose')).toBe('422 validation_failed')
    const again = { bookingId: '{lease}', kind: 'ENTRY' }
    expect(await codeOf(s, 'ana', 'POST /inspections', again)).toBe('409 duplicate')
    const later = { bookingId: '{lease}', kind: 'EXIT', inspectedOn: '2026-03-11' }
    expect(await codeOf(s, 'ana', 'POST /inspections', later)).toBe('422 validation_failed')
  })

  test('is a draft that nobody but the landlord sees, then signed by both in either order', async () => {
    for (const [first, second] of [
      ['tom', 'ana'],
      ['mia', 'tom'],
    ] as const) {
      const s = await stage({ given: started })
      for (const who of ['tom', 'tia', 'eve', 'zoe'] as const)
        expect([who, await codeOf(s, who, 'GET /inspections/{entry}')]).toEqual([who, '404 not_found'])
      expect((await s.ask('tom', 'GET /inspections')).body as unknown).toEqual([])
      expect(await codeOf(s, 'ana', 'POST /inspections/{entry}/signatures/otp')).toBe('409 invalid_state')
      await s.make('ana', 'POST /inspections/{entry}/propose')
      // Nothing is signed before its paper can be read.
      expect(await codeOf(s, 'tom', 'POST /inspections/{entry}/signatures/otp')).toBe('409 contract_not_ready')
      await makeReady(s.t, s.fill('{lease}'), 'INSPECTION')
      await s.work()
      expect(s.sent.at(-1)).toMatchObject({ to: phoneOf('tom'), purpose: 'inspection_proposed' })
      expect((await signs(s, first, '{entry}')).status).toBe(200)
      expect((await signs(s, first, '{entry}')).body.code).toBe('duplicate')
      await s.work()
      for (const one of s.sent.filter(({ purpose }) => purpose.startsWith('inspection_')))
        expect(one.text).toEndWith(' (ana Test)')
      const done = await signs(s, second, '{entry}', { remarks: 'La peinture était déjà tachée.' })
      expect(done.body).toMatchObject({ status: 'SIGNED', signatures: [{ onBehalf: first === 'mia' }, {}] })
      expect(await codeOf(s, 'ana', 'PATCH /inspections/{entry}', { keyCount: 1 })).toBe('409 invalid_state')
      expect(await codeOf(s, 'ana', 'POST /inspections/{entry}/revise')).toBe('409 invalid_state')
      const papers = s.rows("select variant, void_reason, data from document where kind = 'INSPECTION' order by id")
      expect(papers.map(({ variant, void_reason: why }) => [variant, why])).toEqual([
        [null, 'REPLACED'],
        ['SIGNED', null],
      ])
      expect(String(papers[1]?.data)).toContain('déjà tachée')
    }
  })

  test('is signed by nobody else, and with no other code', async () => {
    const s = await stage({ given: started })
    await out(s)
    for (const who of ['eve', 'tia', 'zoe'] as const)
      expect([who, await codeOf(s, who, 'POST /inspections/{entry}/signatures/otp')]).toEqual([who, '404 not_found'])
    expect(await codeOf(s, 'ada', 'POST /inspections/{entry}/signatures/otp')).toBe('403 forbidden')
    const { body } = await s.ask('tom', 'POST /inspections/{entry}/signatures/otp', {})
    const { code = '', text = '' } = s.sent.findLast(({ to }) => to === phoneOf('tom')) ?? {}
    expect(text).toMatch(/pour signer l’état des lieux E-2026-\d{6} est/)
    const other = { challengeId: body.challengeId, code, fullName: 'Ana' } as Json
    expect(await codeOf(s, 'ana', 'POST /inspections/{entry}/signatures', other)).toStartWith('410')
    const wrong = { ...other, code: code === '000000' ? '111111' : '000000' }
    expect(await codeOf(s, 'tom', 'POST /inspections/{entry}/signatures', wrong)).toBe('422 wrong_code')
    expect(await codeOf(s, 'tom', 'PATCH /inspections/{entry}', { keyCount: 0 })).toStartWith('403')
    expect(s.rows('select count(*) n from inspection_signature')).toEqual([{ n: 0 }])
  })

  test('is taken back: the tenant sees it no more, and what was signed does not count', async () => {
    const s = await stage({ given: started })
    await out(s)
    const { body } = await s.ask('ana', 'POST /inspections/{entry}/signatures/otp', {})
    const code = s.sent.findLast(({ to }) => to === phoneOf('ana'))?.code
    await signs(s, 'tom', '{entry}')
    expect(await s.make('ana', 'POST /inspections/{entry}/revise')).toMatchObject({ status: 'DRAFT', signatures: [] })
    expect(await codeOf(s, 'tom', 'GET /inspections/{entry}')).toBe('404 not_found')
    await s.make('ana', 'PATCH /inspections/{entry}', { rooms: kitchen('WORN') })
    await out(s)
    // A code that was sent for the earlier text signs nothing.
    const late = { challengeId: body.challengeId, code, fullName: 'Ana' } as Json
    expect(await codeOf(s, 'ana', 'POST /inspections/{entry}/signatures', late)).toStartWith('410')
    expect((await signs(s, 'ana', '{entry}')).body).toMatchObject({
      status: 'PROPOSED',
      signatures: [{ party: 'LANDLORD' }],
    })
  })

  test.each<[string, Json, string]>([
    ['an id twice', { rooms: [...kitchen('GOOD'), ...kitchen('GOOD')] }, '/rooms/1/id'],
    ['a deduction at the beginning', { rooms: kitchen('DAMAGED', { deduction: 5 }) }, '/rooms/0/items/0/deduction'],
    ['an unknown state', { rooms: kitchen('PERFECT') }, '/rooms/0/items/0/state'],
    ['a day to come', { inspectedOn: '2026-03-11' }, '/inspectedOn'],
    ['too many rooms', { rooms: Array.from({ length: 31 }, () => kitchen('GOOD')[0]) }, '/rooms'],
  ])('refuses %s', async (_what, body, path) => {
    const s = await stage({ given: started })
    const answer = await s.ask('ana', 'PATCH /inspections/{entry}', body)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } })
  })
})

test('the end begins with the rooms of the beginning; what is proposed to be kept is read by both', async () => {
  const s = await stage({ given: signed })
  const none = { totalAmount: 0, items: [] }
  expect((await s.ask('ana', 'GET /bookings/{lease}/proposed-deductions')).body).toMatchObject(none)
  const exit = await s.make('ana', 'POST /inspections', { bookingId: '{lease}', kind: 'EXIT' }, 'exit')
  expect(exit).toMatchObject({
    rooms: [{ name: 'Cuisine', items: [{ name: 'Murs', state: 'NOT_CHECKED' }] }],
    entry: { keyCount: 3, rooms: [{ items: [{ state: 'GOOD' }] }] },
  })
  await s.make('ana', 'PATCH /inspections/{exit}', {
    rooms: kitchen('DAMAGED', { note: 'Fissure', deduction: 25_000 }),
  })
  const proposed = {
    status: 'DRAFT',
    totalAmount: 25_000,
    items: [{ room: 'Cuisine', item: 'Murs', before: 'GOOD', state: 'DAMAGED', note: 'Fissure', amount: 25_000 }],
  }
  expect((await s.ask('ana', 'GET /bookings/{lease}/proposed-deductions')).body).toMatchObject(proposed)
  // The tenant learns of it once it is out.
  expect((await s.ask('tom', 'GET /bookings/{lease}/proposed-deductions')).body).toMatchObject(none)
  await s.make('ana', 'POST /inspections/{exit}/propose')
  expect((await s.ask('tom', 'GET /bookings/{lease}/proposed-deductions')).body).toMatchObject({ totalAmount: 25_000 })
  for (const who of ['eve', 'tia', 'zoe'] as const)
    expect([who, await codeOf(s, who, 'GET /bookings/{lease}/proposed-deductions')]).toEqual([who, '404 not_found'])
})

test('photos are the landlord’s own, seen by the tenant once it is out, named by the paper, and then stay', async () => {
  const s = await stage({ given: started })
  const photo = async (who: Person): Promise<string> => {
    const mine = { ownerType: 'USER', ownerId: userId(who), kind: 'PHOTO', contentType: 'image/jpeg' }
    return String((await upload(s.t, s.wordOf(who), mine, await jpegOf(40, 30))).body.id)
  }
  const mine = await photo('ana')
  const hers = await photo('eve')
  const place = '01a1fc4b-0000-4000-8000-000000000002'
  const add = (mediaObjectId: string, at = place) =>
    codeOf(s, 'ana', 'POST /inspections/{entry}/photos', { place: at, mediaObjectId })
  expect(await add(hers)).toBe('404 not_found')
  expect(await add(mine, '01a1fc4b-0000-4000-8000-00000000000f')).toBe('422 validation_failed')
  expect(await add(mine)).toBe('201')
  expect(await add(mine)).toBe('409 duplicate')
  expect(await codeOf(s, 'tom', `GET /media/${mine}`)).toBe('404 not_found')
  await out(s)
  expect(await codeOf(s, 'tom', `GET /media/${mine}`)).toBe('200')
  expect(await codeOf(s, 'eve', `GET /media/${mine}`)).toBe('404 not_found')
  const { body } = await s.ask('tom', 'GET /inspections/{entry}/photos')
  const [row] = body as unknown as Json[]
  expect(row).toMatchObject({ place, mediaObjectId: mine })
  expect(String(s.rows("select data from document where kind = 'INSPECTION'")[0]?.data)).toContain(String(row?.sha256))
  expect(await codeOf(s, 'ana', `DELETE /inspections/{entry}/photos/${row?.id}`)).toBe('409 invalid_state')
  expect(await codeOf(s, 'ana', `DELETE /media/${mine}`)).toBe('409 invalid_state')
  await s.make('ana', 'POST /inspections/{entry}/revise')
  expect((await s.ask('ana', `DELETE /inspections/{entry}/photos/${row?.id}`)).status).toBe(204)
  expect((await s.ask('ana', `DELETE /media/${mine}`)).status).toBe(204)
})

test.each([
  ['fr', ['État des lieux de sortie', 'Dégradé', 'Bon état', 'Retenues proposées', '25 000 FCFA', 'Fêlé']],
  ['en', ['Move-out inspection', 'Damaged', 'Good', 'Deductions from the deposit', '25,000', 'Fêlé']],
] as const)('the paper in %s compares both and lists what is proposed', async (locale, words) => {
  const pdf = createPdf()
  const seal = { url: 'https://loyer.example.cm/verify/abc', dataSha256: 'b'.repeat(64) }
  const { text, marked } = await readPdf(await pdf.render('inspection', sample(locale), seal))
  await pdf.close()
  for (const word of words) expect(text).toContain(word)
  expect(text).toContain('aaaaaaaaaaaaaaaa')
  expect(marked).toBe(true)
})
