// What people are told of: those who let of what tenants do, tenants of what becomes of it, each as they chose.
import { describe, expect, test } from 'bun:test'
import { createTestApp } from '../../../support/app.ts'

const ANA = 'OWNER.ana'
const EVE = 'OWNER.eve'
const MIA = 'MANAGER.mia'
const ADA = 'ADMIN.ada'
const TOM = 'TENANT.tom'
const PATH = '/api/v1/me/notifications'

/** A lease of Ana's with Tom; who was told what, by the kind of the message. */
async function start() {
  const t = createTestApp()
  for (const who of [ANA, EVE, MIA, ADA, TOM]) await t.call(who, 'GET /api/v1/me')
  await t.call(ADA, 'PATCH /api/v1/admin/organization', { name: 'Agence Owona' })
  const numbers = new Map<string, string>()
  for (const who of [ANA, EVE, MIA, ADA, TOM])
    numbers.set(String((await t.call(who, 'GET /api/v1/me')).body.phoneNumber), who.split('.')[1] ?? '')
  const property = await t.call(ANA, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'R', city: 'Douala' })
  const unit = await t.call(ANA, `POST /api/v1/properties/${property.body.id}/units`, {
    label: 'A1',
    rentAmount: 60_000,
  })
  const me = await t.call(TOM, 'GET /api/v1/me')
  const made = await t.call(ADA, 'POST /api/v1/bookings', {
    unitId: unit.body.id,
    tenantUserId: me.body.id,
    startDate: '2026-03-10',
  })
  await t.call(ANA, `POST /api/v1/bookings/${made.body.id}/submit`)
  await t.call(ANA, `POST /api/v1/bookings/${made.body.id}/activate`)
  await t.work()
  const [invoice] = (await t.call<{ id: string }[]>(ANA, `GET /api/v1/invoices?bookingId=${made.body.id}`)).body
  t.sent.length = 0
  const told = () => t.sent.map(({ to, purpose }) => `${numbers.get(to)} ${purpose}`).sort()
  const declare = async (amount = 1_000) => {
    const body = { amount, method: 'CASH', paidOn: '2026-03-10' }
    const { body: payment } = await t.call(TOM, `POST /api/v1/invoices/${invoice?.id}/payments`, body)
    await t.work()
    return String(payment.id)
  }
  const choose = (who: string, kinds: object[], more: object = {}) => t.call(who, `PUT ${PATH}`, { kinds, ...more })
  /** The next morning at seven, Douala. */
  const morning = async () => {
    t.time.now += 24 * 3_600_000
    await t.work()
  }
  return { t, unit: String(unit.body.id), invoice: String(invoice?.id), told, declare, choose, morning }
}

describe('the choice', () => {
  test('what each role is told of, as usual, and what was chosen instead; nobody changes that of another', async () => {
    const { t, choose } = await start()
    const kinds = async (who: string) =>
      (await t.call<{ kinds: { kind: string; when: string }[] }>(who, `GET ${PATH}`)).body.kinds.map(
        ({ kind, when }) => `${kind} ${when}`,
      )
    expect(await kinds(ANA)).toEqual([
      'PAYMENT_DECLARED NOW',
      'LEASE_REQUESTED NOW',
      'LEASE_SIGNED NOW',
      'RENT_ANSWERED NOW',
      'NOTICE_GIVEN NOW',
      'MESSAGE_UNDELIVERED MORNING',
      'ADJUSTMENT_MADE NOW',
    ])
    // What managers do is no news for them.
    expect((await kinds(MIA)).join()).not.toContain('ADJUSTMENT_MADE')
    expect(await kinds(ADA)).toContain('ADJUSTMENT_MADE NOW')
    expect((await kinds(TOM)).every((one) => one.endsWith(' NOW'))).toBe(true)
    expect(await kinds(TOM)).not.toContain('PAYMENT_DECLARED NOW')
    const { status, body } = await choose(ANA, [{ kind: 'PAYMENT_DECLARED', when: 'OFF' }], { channel: 'SMS' })
    expect([status, body.channel, body.digestAt, body.sends]).toEqual([200, 'SMS', '07:00', true])
    expect(await kinds(ANA)).toContain('PAYMENT_DECLARED OFF')
    expect(await kinds(EVE)).toContain('PAYMENT_DECLARED NOW')
    // Staff are told of properties of others, which is not the usual of owners.
    expect(await kinds(MIA)).toContain('PAYMENT_DECLARED MORNING')
    expect(await kinds(ADA)).toContain('PAYMENT_DECLARED OFF')
    const chosen = async (who: string) =>
      (await t.call<{ kinds: { kind: string; chosen: boolean }[] }>(who, `GET ${PATH}`)).body.kinds.flatMap((one) =>
        one.chosen ? [one.kind] : [],
      )
    expect([await chosen(ANA), await chosen(EVE)]).toEqual([['PAYMENT_DECLARED'], []])
    await choose(ANA, [])
    expect(await kinds(ANA)).toContain('PAYMENT_DECLARED NOW')
  })

  const BAD: [name: string, who: string, kinds: object[], path: string][] = [
    ['a kind of other roles', TOM, [{ kind: 'PAYMENT_DECLARED', when: 'NOW' }], '/kinds/0/kind'],
    ['a time that it does not have', TOM, [{ kind: 'RENT_CALL', when: 'MORNING' }], '/kinds/0/when'],
    [
      'a kind twice',
      ANA,
      [
        { kind: 'LEASE_SIGNED', when: 'NOW' },
        { kind: 'LEASE_SIGNED', when: 'OFF' },
      ],
      '/kinds/1/kind',
    ],
    ['no kind at all', ANA, [{ kind: 'FORMAL_NOTICE', when: 'OFF' }], '/kinds/0/kind'],
  ]
  test.each(BAD)('%s is refused', async (_name, who, kinds, path) => {
    const { t, choose } = await start()
    const { status, body } = await choose(who, kinds)
    expect([status, (body.errors as { path: string }[])[0]?.path]).toEqual([422, path])
    expect((await t.call(who, `GET ${PATH}`)).text).not.toContain('"when":"OFF"')
  })
})

describe('those who let', () => {
  test('the owner at once, a manager in the morning, an administrator not, and no other owner ever', async () => {
    const s = await start()
    await s.declare(20_000)
    expect(s.told()).toEqual(['ana payment_declared'])
    expect(s.t.sent[0]?.text.replace(/\s/g, ' ')).toBe(
      'Le locataire de « A1 », « Villa » déclare avoir payé 20 000 FCFA. À confirmer ou refuser : http://localhost:3000/console/payments (Agence Owona)',
    )
    await s.declare(5_000)
    await s.morning()
    expect(s.told()).toEqual(['ana payment_declared', 'ana payment_declared', 'mia news_digest'])
    expect(s.t.sent.at(-1)?.text.replace(/\s/g, ' ')).toContain('2 paiements déclarés (25 000 FCFA)')
    // Told once: nothing is left for the next morning.
    await s.morning()
    expect(s.told().filter((one) => one.includes('digest'))).toHaveLength(1)
  })

  test('each as they chose: channel, in the morning, or not at all', async () => {
    const s = await start()
    await s.choose(ANA, [{ kind: 'PAYMENT_DECLARED', when: 'OFF' }])
    await s.choose(ADA, [{ kind: 'PAYMENT_DECLARED', when: 'NOW' }], { channel: 'SMS' })
    await s.choose(MIA, [{ kind: 'PAYMENT_DECLARED', when: 'OFF' }])
    await s.declare()
    await s.morning()
    expect(s.told()).toEqual(['ada payment_declared'])
    expect(s.t.sent[0]?.channel).toBe('SMS')
  })

  test('ten single messages a day; what exceeds them waits for the morning', async () => {
    const s = await start()
    for (let i = 0; i < 13; i++) await s.declare()
    expect(s.told()).toEqual(Array.from({ length: 10 }, () => 'ana payment_declared'))
    await s.morning()
    expect(s.told().filter((one) => one.endsWith('digest'))).toEqual(['ana news_digest', 'mia news_digest'])
    expect(s.told()).toHaveLength(12)
    const digests = s.t.sent.filter(({ purpose }) => purpose === 'news_digest').map(({ text }) => text)
    expect(digests.filter((text) => /résumé\s: 3 paiements/.test(text))).toHaveLength(1)
    expect(digests.filter((text) => /résumé\s: 13 paiements/.test(text))).toHaveLength(1)
  })

  test('a home requested; not in quiet hours, and nobody is told of what they did themselves', async () => {
    const s = await start()
    const property = await s.t.call(ANA, 'POST /api/v1/properties', { name: 'Tour', addressLine: 'R', city: 'Douala' })
    const unit = await s.t.call(ANA, `POST /api/v1/properties/${property.body.id}/units`, {
      label: 'B2',
      rentAmount: 1,
    })
    await s.t.call(ANA, `POST /api/v1/properties/${property.body.id}/publish`)
    // 22:00 in Douala.
    s.t.time.now += 13 * 3_600_000
    const asked = { unitId: unit.body.id, startDate: '2026-04-01' }
    expect((await s.t.call(TOM, 'POST /api/v1/bookings', asked)).status).toBe(201)
    await s.t.work()
    expect(s.told()).toEqual([])
    s.t.time.now += 9 * 3_600_000 + 1_000
    await s.t.work()
    expect(s.told()).toEqual(['ana lease_requested', 'mia news_digest'])
    // A draft of the landlord's own is no news.
    await s.t.call(ANA, 'POST /api/v1/bookings', { ...asked, tenantPhoneNumber: '+237677000111' })
    await s.t.work()
    expect(s.told()).toHaveLength(2)
  })
})

describe('the tenant', () => {
  test('of a declaration refused, with its reason, and of a payment reversed', async () => {
    const s = await start()
    const refused = await s.declare(20_000)
    await s.t.call(ANA, `POST /api/v1/payments/${refused}/reject`, { reason: 'Rien reçu sur ce numéro' })
    await s.t.work()
    expect(s.t.sent.at(-1)?.text.replace(/\s/g, ' ')).toBe(
      'Votre paiement de 20 000 FCFA du 10 mars 2026 pour « A1 », « Villa » n’est pas confirmé : le bailleur ne l’a pas reçu. « Rien reçu sur ce numéro » (Agence Owona)',
    )
    const counted = await s.declare(5_000)
    await s.t.call(ANA, `POST /api/v1/payments/${counted}/confirm`)
    await s.t.call(ANA, `POST /api/v1/payments/${counted}/reverse`, { reason: 'Chèque sans provision' })
    await s.t.work()
    expect(s.told().filter((one) => one.startsWith('tom'))).toEqual(['tom payment_refused', 'tom payment_reversed'])
    // Withdrawing is the tenant's own act: nobody is told.
    const before = s.t.sent.length
    await s.t.call(TOM, `POST /api/v1/payments/${await s.declare()}/withdraw`)
    await s.t.work()
    expect(s.t.sent.slice(before).map(({ purpose }) => purpose)).toEqual(['payment_declared'])
  })

  test('nothing that they turned off, but late rent always', async () => {
    const s = await start()
    await s.choose(
      TOM,
      [
        { kind: 'PAYMENT_REFUSED', when: 'OFF' },
        { kind: 'RENT_REMINDER', when: 'OFF' },
      ],
      { channel: 'SMS' },
    )
    await s.t.call(ANA, `POST /api/v1/payments/${await s.declare()}/reject`)
    await s.t.work()
    expect(s.told()).toEqual(['ana payment_declared'])
    // By hand it goes out, by the channel that the tenant chose.
    await s.t.call(ANA, `POST /api/v1/invoices/${s.invoice}/remind`, { step: 'UPCOMING' })
    await s.t.work()
    expect(s.t.sent.at(-1)).toMatchObject({ purpose: 'reminder_upcoming', channel: 'SMS' })
  })
})

test('who is disabled meanwhile is told nothing, and nothing of it is kept', async () => {
  const s = await start()
  await s.declare()
  s.t.store.client.exec("update app_user set status = 'DISABLED' where json_extract(roles, '$[0]') = 'MANAGER'")
  expect(s.t.rows('select kind from news_item')).toHaveLength(1)
  await s.morning()
  expect(s.told()).toEqual(['ana payment_declared'])
  expect(s.t.rows('select kind from news_item')).toEqual([])
})

describe('news that waited is told to nobody who has no part in it any more', () => {
  type Started = Awaited<ReturnType<typeof start>>
  const idOf = async ({ t }: Started, who: string) => String((await t.call(who, 'GET /api/v1/me')).body.id)
  const property = (s: Started) => s.t.rows('select property_id id from booking')[0]?.id
  const MEANWHILE: [what: string, meanwhile: (s: Started) => Promise<unknown>, told: string[]][] = [
    ['nothing', async () => {}, ['ana news_digest', 'mia news_digest']],
    [
      'a kind that was turned off',
      async (s) => {
        await s.choose(MIA, [{ kind: 'PAYMENT_DECLARED', when: 'OFF' }])
        await s.choose(ANA, [{ kind: 'PAYMENT_DECLARED', when: 'OFF' }])
      },
      [],
    ],
    [
      'another kind that was turned off',
      async (s) => void (await s.choose(MIA, [{ kind: 'LEASE_SIGNED', when: 'OFF' }])),
      ['ana news_digest', 'mia news_digest'],
    ],
    [
      'a manager who is only a tenant now',
      async (s) => void s.t.store.client.exec(`update app_user set roles = '["TENANT"]' where roles = '["MANAGER"]'`),
      ['ana news_digest'],
    ],
    [
      'a manager who is limited to another property',
      async (s) => {
        const body = { name: 'Tour', addressLine: 'R', city: 'Douala' }
        const other = await s.t.call(ANA, 'POST /api/v1/properties', body)
        await s.t.call(ADA, `PATCH /api/v1/admin/users/${await idOf(s, MIA)}`, { propertyIds: [other.body.id] })
      },
      ['ana news_digest'],
    ],
    [
      'a manager who is limited to this one',
      async (s) => s.t.call(ADA, `PATCH /api/v1/admin/users/${await idOf(s, MIA)}`, { propertyIds: [property(s)] }),
      ['ana news_digest', 'mia news_digest'],
    ],
    [
      'an owner who handed the property over',
      async (s) => s.t.call(ADA, `PATCH /api/v1/properties/${property(s)}`, { ownerUserId: await idOf(s, EVE) }),
      ['mia news_digest'],
    ],
  ]
  test.each(MEANWHILE)('%s', async (_what, meanwhile, told) => {
    const s = await start()
    await s.choose(ANA, [{ kind: 'PAYMENT_DECLARED', when: 'MORNING' }])
    await s.declare(20_000)
    const changed = (await meanwhile(s)) as { status: number; text: string } | undefined
    expect(changed?.text ?? '').not.toContain('"code"')
    s.t.sent.length = 0
    await s.morning()
    expect(s.told()).toEqual(told)
    expect(s.t.rows('select kind from news_item')).toEqual([])
  })

  test('cash that a manager recorded is refused after they were limited to another property', async () => {
    const s = await start()
    const record = async () => {
      const body = { amount: 1_000, method: 'CASH', paidOn: '2026-03-10', receivedBy: await idOf(s, ANA) }
      return (await s.t.call(MIA, `POST /api/v1/invoices/${s.invoice}/payments`, body)).body.id
    }
    await s.t.call(ADA, 'PATCH /api/v1/admin/organization', { confirmCash: true })
    const [first, second] = [await record(), await record()]
    await s.choose(MIA, [{ kind: 'PAYMENT_DECLARED', when: 'NOW' }])
    await s.t.call(ANA, `POST /api/v1/payments/${first}/reject`, { reason: 'Rien reçu' })
    await s.t.work()
    expect(s.told().filter((one) => one.startsWith('mia'))).toEqual(['mia payment_declared'])
    const other = await s.t.call(ANA, 'POST /api/v1/properties', { name: 'Tour', addressLine: 'R', city: 'Douala' })
    await s.t.call(ADA, `PATCH /api/v1/admin/users/${await idOf(s, MIA)}`, { propertyIds: [other.body.id] })
    await s.t.call(ANA, `POST /api/v1/payments/${second}/reject`, { reason: 'Rien reçu' })
    await s.morning()
    expect(s.told().filter((one) => one.startsWith('mia'))).toEqual(['mia payment_declared'])
  })
})
