// Co-tenants and guarantors: who may name them, how they sign by their link, and that nobody signs in their place.
import { describe, expect, test } from 'bun:test'
import type { LeaseData } from '../../../../src/adapters/pdf/port.ts'
import { CODES } from '../../../../src/core/budgets.ts'
import { makeReady } from '../../../support/contracts.ts'
import { type Json, letting, type Stage, scenario, stage, userId } from '../../../support/scenario.ts'
import { codeFor, SIGN, told } from '../../../support/signers.ts'

const [GUY, LEA] = ['+237699000001', '+237699000002']
const guy = { role: 'GUARANTOR', fullName: 'Guy Garant', phoneNumber: GUY, idType: 'PASSPORT', idNumber: 'P77' }
const lea = { role: 'CO_TENANT', fullName: 'Léa Colocataire', phoneNumber: LEA }
const PUT = 'PUT /bookings/{lease}/parties'
const both = { parties: [lea, guy] }

scenario('who names them', { given: letting({}, 'DRAFT') }, [
  ['ana', 'GET /bookings/{lease}/parties', undefined, 200, { parties: [] }],
  ['eve', PUT, both, 404],
  ['zoe', PUT, both, 404],
  ['tom', PUT, both, 403],
  ['ana', PUT, { parties: [lea, { ...guy, phoneNumber: LEA }] }, 422, { errors: [{ path: '/parties/1/phoneNumber' }] }],
  ['ana', PUT, { parties: [{ ...guy, id: userId('eve') }] }, 422, { errors: [{ path: '/parties/0/id' }] }],
  ['ana', PUT, { parties: Array.from({ length: 7 }, (_, i) => ({ ...lea, phoneNumber: `+23769900001${i}` })) }, 422],
  ['ana', PUT, { parties: [{ ...lea, role: 'LANDLORD' }] }, 422],
  ['eve', 'GET /bookings/{lease}/parties', undefined, 404],
  ['tia', 'GET /bookings/{lease}/parties', undefined, 404],
])

test('the landlord and the tenant stand surety for nobody: their numbers are refused', async () => {
  const s = await stage({ given: letting({}, 'DRAFT') })
  for (const who of ['ana', 'tom'] as const) {
    const [{ phone_number } = {}] = s.rows('select phone_number from app_user where id = ?', userId(who))
    const answer = await s.ask('ana', PUT, { parties: [{ ...guy, phoneNumber: String(phone_number) }] })
    expect([answer.status, answer.body.errors]).toMatchObject([422, [{ path: '/parties/0/phoneNumber' }]])
  }
  expect(s.rows('select * from lease_party')).toEqual([])
})

/** Tom's lease out for signing with both on it, their links, and pages as strangers open them. */
async function invited(parties: Json = both) {
  const s = await stage({ given: letting({}, 'DRAFT') })
  await s.make('ana', PUT, parties)
  await s.make('ana', 'POST /bookings/{lease}/submit')
  await makeReady(s.t, s.names.get('lease') ?? '')
  await s.work()
  return s
}
const linkOf = (s: Stage, to: string): string =>
  new URL(
    String(
      /http\S+\/s\/[\w-]+/.exec(String(s.sent.findLast((m) => m.to === to && /\/s\//.test(m.text ?? ''))?.text))?.[0],
    ),
  ).pathname
const get = (s: Stage, path: string) => s.t.app.handle(new Request(`http://localhost${path}`))
const post = (s: Stage, path: string, form: Record<string, string> = {}) =>
  s.t.app.handle(new Request(`http://localhost${path}`, { method: 'POST', body: new URLSearchParams(form) }))
async function codeByLink(s: Stage, to: string) {
  const page = await (await post(s, `${linkOf(s, to)}/code`)).text()
  const challengeId = /name="challengeId" value="([^"]+)"/.exec(page)?.[1] ?? ''
  return { challengeId, code: s.sent.findLast((m) => m.to === to)?.code ?? '' }
}
const status = (s: Stage) => s.rows('select status from booking')[0]?.status
async function signsByLink(s: Stage, to: string, fullName: string) {
  return post(s, `${linkOf(s, to)}/sign`, { ...(await codeByLink(s, to)), fullName })
}

test('each signs by a link and a code to their own number; the lease is in force with the last signature', async () => {
  const s = await invited()
  expect(s.sent.map(({ to, purpose }) => `${to} ${purpose}`)).toEqual(
    expect.arrayContaining([`${GUY} lease_proposed`, `${LEA} lease_proposed`]),
  )
  const page = await get(s, linkOf(s, GUY))
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Guy Garant')
  expect((await get(s, `${linkOf(s, GUY)}/lease.pdf`)).status).toBe(303)
  expect(told(await s.ask('tom', SIGN, await codeFor(s, 'tom')))).toBe('201')
  expect(told(await s.ask('ana', SIGN, await codeFor(s, 'ana')))).toBe('201')
  expect(status(s)).toBe('PENDING')
  expect((await signsByLink(s, LEA, 'Léa Colocataire')).status).toBe(200)
  expect(status(s)).toBe('PENDING')
  expect((await signsByLink(s, GUY, 'Guy Garant')).status).toBe(200)
  expect(status(s)).toBe('ACTIVE')
  expect(s.rows('select party, full_name n, user_id u, masked_number m from signature order by id')).toMatchObject([
    { party: 'TENANT' },
    { party: 'LANDLORD' },
    { party: 'CO_TENANT', n: 'Léa Colocataire', u: null, m: '+237•••••••02' },
    { party: 'GUARANTOR', n: 'Guy Garant', u: null, m: '+237•••••••01' },
  ])
  const [{ data } = {}] = s.rows("select data from document where variant = 'SIGNED'")
  const text = JSON.parse(String(data)) as LeaseData
  expect(text.guarantors).toMatchObject([{ name: 'Guy Garant', idNumber: 'P77', phoneNumber: GUY }])
  expect(text.coTenants).toMatchObject([{ name: 'Léa Colocataire' }])
  expect(text.signatures.map(({ party }) => party)).toEqual(['TENANT', 'LANDLORD', 'CO_TENANT', 'GUARANTOR'])
  const { body } = await s.ask('tom', 'GET /bookings/{lease}/parties')
  expect(body.parties).toMatchObject([{ signedAt: expect.any(String) }, { signedAt: expect.any(String) }])
  // What is signed stays as it was signed.
  expect(told(await s.ask('ana', PUT, { parties: [] }))).toBe('409 invalid_state')
  // The link shows that it is done, and signs nothing any more.
  const after = await post(s, `${linkOf(s, GUY)}/code`)
  expect(await after.text()).toContain('Vous avez signé ce bail')
  expect(s.rows('select count(*) n from signature')).toEqual([{ n: 4 }])
  await s.work()
  expect(s.sent.filter(({ purpose }) => purpose === 'lease_agreed').map(({ to }) => to)).toEqual(
    expect.arrayContaining([GUY, LEA]),
  )
  // For sixty days it shows the lease, not for as long as that runs.
  const pdf = `${linkOf(s, GUY)}/lease.pdf`
  await makeReady(s.t, s.names.get('lease') ?? '')
  s.t.advance(59)
  expect([(await get(s, linkOf(s, GUY))).status, (await get(s, pdf)).status]).toEqual([200, 303])
  s.t.advance(1)
  const over = [await get(s, linkOf(s, GUY)), await get(s, pdf)]
  expect(over.map((page) => page.status)).toEqual([410, 410])
  expect(await over[0]?.text()).not.toContain('Garant')
})

describe('nobody signs in their place', () => {
  test("another's code, a wrong one, a code without a name", async () => {
    const s = await invited()
    const leas = await codeByLink(s, LEA)
    const guys = linkOf(s, GUY)
    expect((await post(s, `${guys}/sign`, { ...leas, fullName: 'Guy' })).status).toBe(422)
    const own = await codeByLink(s, GUY)
    const wrong = own.code === '000000' ? '111111' : '000000'
    expect((await post(s, `${guys}/sign`, { ...own, code: wrong, fullName: 'Guy' })).status).toBe(422)
    expect((await post(s, `${guys}/sign`, { ...own, fullName: ' ' })).status).toBe(422)
    expect((await post(s, `${guys}/sign`, { ...own, fullName: '677 00 00 77' })).status).toBe(422)
    expect((await post(s, `${guys}/sign`, { ...own, fullName: 'Guy\u202eX' })).status).toBe(422)
    // An account's own code signs nothing here, nor theirs for an account.
    expect(told(await s.ask('tom', SIGN, { ...own, fullName: 'Tom' }))).toBe('410 challenge_gone')
    expect(s.rows('select * from signature')).toEqual([])
    for (let i = 0; i < 4; i++) await post(s, `${guys}/sign`, { ...own, code: wrong, fullName: 'Guy' })
    expect((await post(s, `${guys}/sign`, { ...own, fullName: 'Guy' })).status).toBe(422)
    expect(s.rows('select * from signature')).toEqual([])
  })
  test('a link that is made up, cut short or of who was taken off the lease', async () => {
    const s = await invited()
    const link = linkOf(s, GUY)
    const flipped = link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A')
    for (const path of ['/s/x', link.slice(0, -1), flipped, `/s/${'a'.repeat(42)}`]) {
      const page = await get(s, path)
      expect(page.status).toBe(404)
      expect(await page.text()).not.toContain('Garant')
      expect((await post(s, `${path}/code`)).status).toBe(404)
    }
    const sent = s.sent.length
    await s.make('ana', PUT, { parties: [lea] })
    expect((await get(s, link)).status).toBe(410)
    expect((await post(s, `${link}/code`)).status).toBe(410)
    expect(s.sent.length).toBe(sent)
    await s.make('ana', 'POST /bookings/{lease}/cancel')
    expect((await get(s, linkOf(s, LEA))).status).toBe(410)
  })
})

test('a number that was mistyped: its link is closed, and the right number gets one', async () => {
  const s = await invited()
  const [old, wrong] = [linkOf(s, GUY), GUY]
  const { body } = await s.ask('ana', 'GET /bookings/{lease}/parties')
  const [one, two] = (body.parties as Json[]).map(({ signedAt: _s, ...party }) => party)
  const right = '+237699000009'
  await s.make('ana', PUT, { parties: [one, { ...two, phoneNumber: right }] })
  await s.work()
  expect((await get(s, old)).status).toBe(410)
  expect((await get(s, `${old}/lease.pdf`)).status).toBe(410)
  expect((await post(s, `${old}/code`)).status).toBe(410)
  expect(linkOf(s, right)).not.toBe(old)
  expect((await get(s, linkOf(s, right))).status).toBe(200)
  // Whoever kept their number keeps their link, and is not asked twice.
  expect((await get(s, linkOf(s, LEA))).status).toBe(200)
  expect(s.sent.filter((m) => m.purpose === 'lease_proposed' && m.to === LEA)).toHaveLength(1)
  expect(s.sent.filter((m) => m.purpose === 'lease_proposed' && m.to === wrong)).toHaveLength(1)
})

test('codes for people with a link are counted by organization; what is refused costs the others nothing', async () => {
  const s = await invited()
  const link = linkOf(s, GUY)
  const spent = () => s.rows("select sum(spent) n from budget_day where budget = 'link_codes'")[0]?.n
  for (let i = 0; i < 20; i++) await post(s, `${link}/code`)
  expect(spent()).toBe(1)
  s.t.deps.store.client.exec(`update budget_day set spent = ${CODES.linkHolders} where budget = 'link_codes'`)
  const sent = s.sent.length
  const refused = await post(s, `${linkOf(s, LEA)}/code`)
  expect(await refused.text()).toContain('Aucun code ne peut être envoyé')
  expect(s.sent).toHaveLength(sent)
  // Accounts have budgets of their own.
  expect(told(await s.ask('tom', SIGN, await codeFor(s, 'tom')))).toBe('201')
  s.t.advance(1)
  expect((await codeByLink(s, LEA)).code).toMatch(/^\d{6}$/)
})

test('a change makes the text anew: signatures before it no longer count, and who gave them is told', async () => {
  const s = await invited()
  await signsByLink(s, GUY, 'Guy Garant')
  const mark = s.sent.length
  const { body } = await s.ask('ana', 'GET /bookings/{lease}/parties')
  const [first, second] = body.parties as Json[]
  const { signedAt: _s, ...same } = second ?? {}
  await s.make('ana', PUT, { parties: [same] })
  expect(first).toMatchObject({ role: 'CO_TENANT' })
  expect(s.rows('select status, void_reason v from signature')).toEqual([{ status: 'VOID', v: 'CHANGED' }])
  await s.work()
  expect(s.sent.slice(mark).map(({ to, purpose }) => `${to} ${purpose}`)).toContain(`${GUY} lease_unsigned`)
  // Taken off after signing, the person stays with the signature, and is no party any more.
  await s.make('ana', PUT, { parties: [] })
  expect(s.rows('select full_name n, removed_at is not null r from lease_party')).toEqual([{ n: 'Guy Garant', r: 1 }])
  expect((await s.ask('ana', 'GET /bookings/{lease}/parties')).body).toMatchObject({ parties: [] })
})

test('without them two signatures are enough, and a renewal takes them over', async () => {
  const s = await stage({ given: letting({ endDate: '2026-12-31' }, 'DRAFT') })
  await s.make('ana', PUT, { parties: [guy] })
  await s.make('ana', 'POST /bookings/{lease}/submit')
  await s.make('ana', 'POST /bookings/{lease}/activate')
  await s.make('ana', 'POST /bookings/{lease}/renew', {}, 'next')
  const { body } = await s.ask('ana', 'GET /bookings/{next}/parties')
  expect(body.parties).toMatchObject([{ fullName: 'Guy Garant', idNumber: 'P77' }])
})

scenario("no lease goes out with a number in place of the tenant's name", { given: letting({}, 'DRAFT') }, [
  [
    'ana',
    'POST /bookings',
    { unitId: '{a2}', tenantPhoneNumber: '+237677000009', startDate: '2026-03-01' },
    201,
    { tenantName: '+237677000009' },
    { audit: 'tenant.create, booking.create', as: 'next' },
  ],
  [
    'ana',
    'POST /bookings/{next}/submit',
    { blanks: false },
    422,
    { code: 'tenant_unnamed', errors: [{ path: '/blanks' }] },
  ],
  // By choice of who sends nothing: the paper has a line for the name, and no number.
  ['ana', 'POST /bookings/{next}/submit', {}, 200, { status: 'PENDING' }, { audit: 'booking.submit' }],
  ['ana', 'POST /bookings/{lease}/submit', {}, 200, { status: 'PENDING' }, { audit: 'booking.submit' }],
])

test.each(['677 30 00 55', '677/30/00/55', 'Guy 677300055'])('%s is no name of who signs', async (name) => {
  const s = await stage({ given: letting({}, 'DRAFT') })
  const put = await s.ask('ana', 'PUT /bookings/{lease}/parties', { parties: [{ ...guy, fullName: name }] })
  expect([put.status, put.body.errors]).toEqual([422, [expect.objectContaining({ path: '/parties/0/fullName' })]])
  const company = { fullName: 'Sahel SARL', kind: 'COMPANY', representativeName: name }
  const made = await s.ask('ana', 'POST /tenants', company)
  expect([made.status, made.body.errors]).toEqual([422, [expect.objectContaining({ path: '/representativeName' })]])
  expect(s.rows('select id from lease_party')).toEqual([])
})

test('a number with words beside it is no name of a tenant either', async () => {
  const s = await stage({ given: letting({}, 'DRAFT') })
  const tenant = await s.make('ana', 'POST /tenants', { fullName: 'Tél. 677 30 00 55' })
  await s.make(
    'ana',
    'POST /bookings',
    { unitId: '{a2}', tenantId: String(tenant.id), startDate: '2026-03-01' },
    'next',
  )
  const sent = await s.ask('ana', 'POST /bookings/{next}/submit', { blanks: false })
  expect([sent.status, sent.body.code]).toEqual([422, 'tenant_unnamed'])
  await s.make('ana', 'POST /bookings/{next}/submit')
  const [paper] = s.rows("select data from document where kind = 'LEASE_CONTRACT' and voided_at is null")
  expect((JSON.parse(String(paper?.data)) as LeaseData).tenant.name).toBe('')
})

test('a blank on the paper is filled once the tenant has a name', async () => {
  const s = await stage({ given: letting({}, 'DRAFT') })
  const terms = { unitId: '{a2}', tenantPhoneNumber: '+237677000009', startDate: '2026-03-01' }
  const { tenantId } = await s.make('ana', 'POST /bookings', terms, 'next')
  await s.make('ana', 'POST /bookings/{next}/submit', { blanks: true })
  const names = () =>
    s
      .rows("select data from document where kind = 'LEASE_CONTRACT' and voided_at is null")
      .map(({ data }) => (JSON.parse(String(data)) as LeaseData).tenant.name)
  expect(names()).toEqual([''])
  await s.make('ana', `PATCH /tenants/${tenantId}`, { fullName: '677 00 00 09' })
  await s.work()
  expect(names()).toEqual([''])
  await s.make('ana', `PATCH /tenants/${tenantId}`, { fullName: 'Aline Nom' })
  await s.work()
  expect(names()).toEqual(['Aline Nom'])
})
