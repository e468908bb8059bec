// News that a landlord's act makes the service send: to whom, how much a day, and whose words it is in.
import { describe, expect, test } from 'bun:test'
import { dayOf } from '../../../../db/budgets.ts'
import { NEWS } from '../../../../src/core/budgets.ts'
import { smsLength, smsText } from '../../../../src/core/gsm.ts'
import { quoted, typedPlain } from '../../../../src/core/message-text.ts'
import { TEXTS as LEASE } from '../../../../src/features/lease/leases/texts.ts'
import { TEXTS as SIGNING } from '../../../../src/features/lease/signing/texts.ts'
import { SETTLEMENT_TEXTS as SETTLEMENTS } from '../../../../src/features/money/leaving/texts.ts'
import { TEXTS as PAYMENT } from '../../../../src/features/money/payments/texts.ts'
import { TEXTS as REMINDERS } from '../../../../src/features/news/reminders/texts.ts'
import { TEXTS as VERIFICATION } from '../../../../src/features/papers/verification/texts.ts'
import { planNews } from '../../../../src/features/people/messages/budgets.ts'
import { TEXTS as ACCOUNT } from '../../../../src/features/people/messages/texts.ts'
import { ORG } from '../../../support/app.ts'
import { ADA, start } from '../../../support/reminded.ts'

const DAY = 86_400_000
const ABROAD = '+33612345678'
const HOME_ONLY = { allowedPhonePrefixes: ['+237'] }
type World = Awaited<ReturnType<typeof start>>
type Told = { withheld?: string; sendAfter?: string; step: string }
const told = async ({ messages }: World) => (await messages()) as unknown as Told[]
const spend = ({ t }: World, budget: string, key: string, days: number): void => {
  for (let day = 0; day < days; day++)
    t.deps.store.client
      .prepare('insert or replace into budget_day values (?, ?, ?, 1000000)')
      .run(budget, key, dayOf(t.time.now) + day)
}

describe('a number outside of the allowed prefixes', () => {
  test('gets no news, by itself or by hand; the message says so, and the lease goes on', async () => {
    const w = await start({ phoneNumber: ABROAD }, {}, HOME_ONLY)
    expect(await told(w)).toMatchObject([{ step: 'RENT_CALL', withheld: 'NUMBER_NOT_ALLOWED' }])
    const byHand = await w.remind({ step: 'REMINDER' })
    expect([byHand.status, byHand.body]).toMatchObject([201, { withheld: 'NUMBER_NOT_ALLOWED' }])
    expect((await w.pay(1000)).status).toBe(201)
    await w.t.work()
    expect(w.t.sent).toEqual([])
    const trail = await w.t.call<{ action: string; details?: { reason?: string } }[]>(
      ADA,
      'GET /api/v1/admin/audit?action=message.withheld',
    )
    expect(trail.body.map(({ details }) => details?.reason)).toEqual(['NUMBER_NOT_ALLOWED'])
  })

  test('is told where it is the verified number of a member', async () => {
    const w = await start({ phoneNumber: ABROAD }, {}, HOME_ONLY)
    w.t.deps.store.client.prepare("update app_user set phone_number = ? where username = 'eve'").run(ABROAD)
    expect((await w.remind({ step: 'REMINDER' })).body).not.toHaveProperty('withheld')
    await w.t.work()
    expect(w.purposes()).toEqual(['reminder_reminder'])
  })
})

describe('more than a day’s messages', () => {
  test('go out the next day, which the message says; what is spent for three days is withheld', async () => {
    const w = await start()
    const before = w.purposes().length
    spend(w, 'news_service', 'all', 1)
    const later = await w.remind({ step: 'REMINDER' })
    expect(later.body).toMatchObject({ sendAfter: new Date(w.t.time.now + DAY).toISOString() })
    await w.t.work()
    expect(w.purposes()).toHaveLength(before)
    w.t.time.now += DAY
    await w.t.work()
    expect(w.purposes()).toHaveLength(before + 1)

    spend(w, 'news_service', 'all', 1 + NEWS.postponedDays)
    const never = await w.remind({ step: 'FINAL' })
    expect([never.status, never.body]).toMatchObject([201, { withheld: 'BUDGET_SPENT' }])
    w.t.time.now += 4 * DAY
    await w.t.work()
    expect(w.purposes()).toHaveLength(before + 1)
  })

  const table: [name: string, number: (i: number) => string, most: number][] = [
    ['one number', () => '+237677123456', NEWS.number],
    ['neighbours', (i) => `+23767712${1000 + i}`, NEWS.prefix],
    ['an organization', (i) => `+2376${50_000_000 + i * 10_000}`, NEWS.organization],
  ]
  test.each(table)('to %s are counted for each organization alone', async (_, number, most) => {
    const { t } = await start()
    const plan = (orgId: string, to: string) => t.deps.write(null, (tx) => planNews(t.deps, tx, { orgId, to }))
    const mine = []
    for (let i = 0; i <= most; i++) mine.push((await plan('0196a1b2-0000-7000-8000-00000000000a', number(i))).sendAtMs)
    expect(mine.slice(0, most)).toEqual(Array(most).fill(null))
    expect(mine[most]).toBe(t.time.now + DAY)
    expect(await plan('0196a1b2-0000-7000-8000-00000000000b', number(0))).toEqual({ withheld: null, sendAtMs: null })
  })
})

test('an organization may send fewer a day than the service allows, and nobody else is held to it', async () => {
  const { t } = await start()
  const plan = (orgId: string, to: string) => t.deps.write(null, (tx) => planNews(t.deps, tx, { orgId, to }))
  const set = (messagesPerDay: unknown) => t.call('ADMIN.ada', 'PATCH /api/v1/admin/organization', { messagesPerDay })
  expect([(await set(0)).status, (await set(1001)).status, (await set(2)).body.messagesPerDay]).toEqual([422, 422, 2])
  t.db.$client.exec("delete from budget_day where budget like 'news%'")
  const to = (i: number) => `+2376${50_000_000 + i * 10_000}`
  const when = []
  for (let i = 0; i < 6; i++) when.push((await plan(ORG, to(i))).sendAtMs)
  const now = t.time.now
  expect(when).toEqual([null, null, now + DAY, now + DAY, now + 2 * DAY, now + 2 * DAY])
  expect((await plan(ORG, to(7))).withheld).toBe('BUDGET_SPENT')
  expect((await plan('0196a1b2-0000-7000-8000-00000000000b', to(7))).withheld).toBeNull()
  await set(null)
  expect((await plan(ORG, to(7))).withheld).toBeNull()
})

describe('what a landlord types', () => {
  const nasty: [typed: string, plain: string][] = [
    ['A1', 'A1'],
    ['Appartement n° 12, bâtiment « Nord »', "Appartement n° 12, bâtiment ' Nord '"],
    ['Loyer: your account\nis closed', 'Loyer: your account is closed'],
    ['http://evil.example/pay', 'evil. example/pay'],
    ['www.evil.cm', 'evil. cm'],
    ['evil。com', 'evil. com'],
    ['appelez le 6 77 12 34 56', 'appelez le …'],
    ['+237677123456', '…'],
    ...['677/12/34/56', '677_12_34_56', '677·12·34·56', '677–12–34–56', '677,12,34,56', '677|12|34|56'].map(
      (number): [string, string] => [`Tel ${number}`, 'Tel …'],
    ),
    ['٦٧٧١٢٣٤٥٦', '…'],
    ['677\u034f123456', '…'],
    ['6️⃣7️⃣7️⃣1️⃣2️⃣3️⃣4️⃣', '…'],
    ['Composez *126#', 'Composez …'],
    ['‹Loyer› ❝x❞', "'Loyer' 'x'"],
    ['12/05/2026 - 31/12/2026', '12/05/2026 - 31/12/2026'],
    ['67/71/2345', '…'],
    ['Lot 12, 1er étage', 'Lot 12, 1er étage'],
    ['a\u202eb\u200bc', 'a b c'],
    [') Votre code est 123456 (', 'Votre code est 123456'],
    ['x'.repeat(2000), `${'x'.repeat(39)}…`],
  ]
  test.each(nasty)('%j', (typed, plain) => {
    expect(typedPlain(typed)).toBe(plain)
    expect(quoted(typed, 'en')).toBe(`“${plain}”`)
    expect(quoted(typed, 'fr')).toBe(`«\u00a0${plain}\u00a0»`)
  })

  test('stays a quoted name in every message, whatever it is', () => {
    const typed = 'Loyer”: your account is closed!\r\nPay at https://evil.example/x or call +237699999999. « Loyer'
    const lease = { unitLabel: typed, propertyName: typed, startDate: '2026-03-01', endDate: '2026-03-31' }
    const asks = { purpose: 'RENT', owed: 'RENT', time: { use: 'HOME', payBefore: '2026-03-09' } } as const
    const sums = {
      open: 1,
      depositAmount: 0,
      declared: 0,
      balance: 2,
      invoices: 2,
      dueDate: '2026-03-01',
      since: '2026-02-01',
    }
    const owed = { ...lease, ...asks, ...sums, number: 'F', landlord: typed, way: undefined, link: '' }
    const at = 'https://rent.example.cm'
    for (const locale of ['fr', 'en'] as const) {
      const n = { ...LEASE[locale], ...PAYMENT[locale], ...VERIFICATION[locale], ...ACCOUNT[locale] }
      const s = SIGNING[locale]
      const kyc = { kind: 'PROPERTY_PROOF', propertyName: typed, note: typed } as const
      const texts = [
        ...Object.values(REMINDERS[locale]).map((text) => text(owed)),
        n.paymentConfirmed({ ...lease, amount: 1, how: 'RECEIVED', paidFor: undefined, full: true, link: at }),
        n.invited(typed, at),
        ...Object.values(n.verificationDecided).map((text) => text(kyc)),
        n.verificationExpiring(kyc, '2026-03-31'),
        SETTLEMENTS[locale].leaseEnded({ ...lease, balance: 1, url: at }),
        s.proposed(lease, at),
        ...Object.values(s.signed).map((text) => text(lease, at)),
        s.unsigned(lease, at),
        s.agreed(lease),
        s.onPaper(lease),
      ]
      for (const text of texts) {
        expect(text).not.toMatch(/evil\.\S|\n|\r|699999999|: your account is closed!”/)
        expect(text.replaceAll(at, '')).not.toMatch(/:\/\//)
        expect(smsLength(smsText(text)).gsm).toBe(true)
      }
    }
  })
})
