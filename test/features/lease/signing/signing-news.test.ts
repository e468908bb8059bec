// On the way to two signatures: whose turn it is, what no longer counts, and an owner who rents from another.
import { describe, expect, test } from 'bun:test'
import { handlers } from '../../../../src/jobs/registry.ts'
import type { JobRow } from '../../../../src/jobs/worker.ts'
import { makeReady } from '../../../support/contracts.ts'
import { type Json, letting, type Person, phoneOf, premises, type Stage, stage } from '../../../support/scenario.ts'
import { codeFor, OTP, outForSigning, SIGN, signs, told } from '../../../support/signers.ts'

/** Who was told what since a moment, but for codes. */
const news = (s: Stage, from = 0): string[] =>
  s.sent
    .slice(from)
    .filter(({ purpose }) => purpose.startsWith('lease_'))
    .map(({ to, purpose, locale, channel }) => {
      const who = (['ana', 'eve', 'mia', 'tom'] as Person[]).find((name) => phoneOf(name) === to)
      return `${who} ${purpose} ${locale} ${channel}`
    })
const audited = (s: Stage): string[] =>
  s
    .rows("select details from audit_entry where action = 'message.send' order by id")
    .map(({ details }) => String((JSON.parse(String(details)) as Json).purpose))

describe('whose turn it is', () => {
  const order: [first: Person, second: Person, turn: string, agreed: string[]][] = [
    ['tom', 'ana', 'ana lease_signed fr WHATSAPP', ['tom lease_agreed en SMS', 'ana lease_agreed fr WHATSAPP']],
    ['ana', 'tom', 'tom lease_signed en SMS', ['tom lease_agreed en SMS', 'ana lease_agreed fr WHATSAPP']],
    [
      'mia',
      'tom',
      'tom lease_signed en SMS',
      ['tom lease_agreed en SMS', 'ana lease_agreed fr WHATSAPP', 'mia lease_agreed fr WHATSAPP'],
    ],
  ]
  test.each(order)(
    '%s signs, then %s: each is told once, in their language and channel',
    async (a, b, turn, agreed) => {
      const { s } = await outForSigning()
      s.names.set('tenant', String((await s.ask('ana', 'GET /bookings/{lease}')).body.tenantId))
      await s.make('ana', 'PATCH /tenants/{tenant}', { locale: 'en', channel: 'SMS' })
      await s.work()
      expect(news(s)).toEqual(['tom lease_proposed en SMS'])
      await signs(s, a)
      // Nobody is told before it is written, nor twice.
      expect(news(s)).toHaveLength(1)
      await s.work()
      expect(news(s).slice(1)).toEqual([turn])
      expect(s.sent.at(-1)?.text).toContain(a === 'tom' ? 'Le locataire a signé' : 'The landlord has signed')
      await signs(s, b)
      await s.work()
      expect(news(s).slice(2).sort()).toEqual(agreed.toSorted())
      expect(audited(s)).toEqual(['lease_proposed', 'lease_signed', ...agreed.map(() => 'lease_agreed')])
      // A job that dies after its work runs again.
      for (const row of s.rows("select * from job where kind like 'lease.%'"))
        await handlers(s.t.deps)[String(row.kind)]?.({
          ...row,
          orgId: row.org_id,
          payload: JSON.parse(String(row.payload)),
        } as unknown as JobRow)
      await s.work()
      expect(news(s)).toHaveLength(2 + agreed.length)
      expect(audited(s)).toHaveLength(2 + agreed.length)
      // No number, code or typed name in the trail, none typed in a message.
      const trail = JSON.stringify(s.rows("select * from audit_entry where action = 'message.send'"))
      expect(trail).not.toContain(phoneOf('tom'))
      expect(s.sent.map(({ text }) => text).join()).not.toContain('Entier')
    },
  )

  test('both within a moment: nobody is asked to do what is done', async () => {
    const { s } = await outForSigning()
    await s.work()
    const from = s.sent.length
    await signs(s, 'tom')
    await signs(s, 'ana')
    await s.work()
    expect(news(s, from).sort()).toEqual(['ana lease_agreed fr WHATSAPP', 'tom lease_agreed fr WHATSAPP'])
  })

  test('on paper: the others are told, who says so is not; a lease that is in force already is no news', async () => {
    const { s } = await outForSigning()
    const scan = async (as: string) => {
      const body = {
        ownerType: 'USER',
        ownerId: '{mia}',
        kind: 'DOCUMENT',
        filename: 'bail.pdf',
        contentType: 'application/pdf',
        sizeBytes: 9,
      }
      await s.make('mia', 'POST /media', body, as)
      s.store.client
        .prepare("update media_object set status = 'AVAILABLE', purge_at = null, sha256 = 'ab' where id = ?")
        .run(s.names.get(as))
    }
    await scan('first')
    await scan('second')
    await s.work()
    const from = s.sent.length
    await s.make('mia', 'POST /bookings/{lease}/signed-copy', { mediaObjectId: '{first}' })
    await s.work()
    expect(news(s, from)).toEqual(['tom lease_agreed fr WHATSAPP', 'ana lease_agreed fr WHATSAPP'])
    expect(s.sent.at(-1)?.text).toContain('signé sur papier')
    await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tom}', startDate: '2026-03-01' }, 'lease')
    await s.make('ana', 'POST /bookings/{lease}/submit')
    await s.make('ana', 'POST /bookings/{lease}/activate')
    const before = s.sent.length
    await s.make('mia', 'POST /bookings/{lease}/signed-copy', { mediaObjectId: '{second}' })
    await s.work()
    expect(news(s, before)).toEqual([])
  })
})

describe('a signature under another text counts no longer', () => {
  const changes: [string, Person, string, Json][] = [
    ["the tenant's name", 'ana', 'PATCH /tenants/{tenant}', { fullName: 'Tom Nouveau' }],
    ["the tenant's NIU", 'ana', 'PATCH /tenants/{tenant}', { niu: 'P012345678901A' }],
    ["the unit's label", 'ana', 'PATCH /units/{a1}', { label: 'B7' }],
    ["the unit's area", 'ana', 'PATCH /units/{a1}', { areaSqm: 42 }],
    ["the property's address", 'ana', 'PATCH /properties/{villa}', { addressLine: 'Rue 2' }],
    ["the property's type", 'ana', 'PATCH /properties/{villa}', { type: 'OFFICE' }],
    ["the organization's name", 'ada', 'PATCH /admin/organization', { name: 'Agence Neuve' }],
    ["the landlord's NIU", 'ada', 'PATCH /admin/organization', { niu: 'M012345678901A' }],
    [
      'the clauses',
      'ada',
      'PUT /lease-templates/HOME',
      { clauses: [{ title_fr: 'A', body_fr: 'B', title_en: 'A', body_en: 'B' }] },
    ],
    ['the deposit', 'ana', 'PATCH /bookings/{lease}', { depositAmount: 1 }],
    ['the language', 'ana', 'PATCH /bookings/{lease}', { locale: 'en' }],
  ]
  for (const asked of [true, false])
    test.each(changes)(`%s changes, ${asked ? 'and somebody looks at once' : 'and nobody asks'}`, async (...change) => {
      const [, who, line, body] = change
      const { s, status, signatures } = await outForSigning()
      s.names.set('tenant', String((await s.ask('ana', 'GET /bookings/{lease}')).body.tenantId))
      await s.work()
      await signs(s, 'mia')
      await s.work()
      const from = s.sent.length
      const { headers } = await s.ask('tom', 'GET /bookings/{lease}/signatures')
      expect((await s.ask(who, line, body)).status).toBe(200)
      if (asked) {
        // Nor does an app that has the older list keep it.
        const known = { 'if-none-match': headers.get('etag') ?? '' }
        const { body: shown } = await s.ask('tom', 'GET /bookings/{lease}/signatures', undefined, known)
        expect((shown as unknown as Json[]).map((row) => `${row.status} ${row.voidReason}`)).toEqual(['VOID CHANGED'])
      } else await s.work()
      expect([signatures(), status()]).toEqual([['LANDLORD on behalf VOID CHANGED'], 'PENDING'])
      await s.work()
      // Who had signed is told, and nobody else.
      expect(news(s, from)).toEqual(['mia lease_unsigned fr WHATSAPP'])
      expect(s.rows("select count(*) n from audit_entry where action = 'signature.void'")).toEqual([{ n: 1 }])
      // One new text, whatever looks at it, and it is the one that is signed.
      await s.ask('tom', 'GET /bookings/{lease}/signatures')
      await s.work()
      const texts = s.rows("select sha256 from document where kind = 'LEASE_CONTRACT'")
      expect(texts).toHaveLength(2)
      const { sha256 } = await makeReady(s.t, s.names.get('lease') ?? '')
      const signed = await signs(s, 'mia')
      expect(signed.body.sha256).toBe(sha256)
      expect(sha256).not.toBe(texts[0]?.sha256)
    })

  test('what is no part of the text leaves it alone', async () => {
    const { s, signatures } = await outForSigning()
    s.names.set('tenant', String((await s.ask('ana', 'GET /bookings/{lease}')).body.tenantId))
    await signs(s, 'ana')
    for (const [who, line, body] of [
      ['ana', 'PATCH /tenants/{tenant}', { channel: 'SMS' }],
      ['ana', 'PATCH /units/{a2}', { label: 'B7' }],
      ['ana', 'PATCH /units/{a1}', { rentAmount: 61_000 }],
      ['ada', 'PATCH /admin/organization', { reminderSchedule: [1] }],
    ] as const) {
      expect((await s.ask(who, line, body)).status).toBe(200)
      await s.work()
    }
    expect(signatures()).toEqual(['LANDLORD VALID'])
    expect(s.rows("select * from document where kind = 'LEASE_CONTRACT'")).toHaveLength(1)
  })

  test('without a lease out for signing nothing is looked at', async () => {
    const s = await stage({ given: letting() })
    await s.make('ana', 'PATCH /properties/{villa}', { addressLine: 'Rue 2' })
    expect(s.rows("select * from job where kind = 'lease.check'")).toEqual([])
  })
})

describe('an owner who rents from another', () => {
  async function eveRents() {
    const s = await stage({ given: premises() })
    await s.make('mia', 'POST /bookings', { unitId: '{a1}', tenantUserId: '{eve}', startDate: '2026-03-01' }, 'lease')
    await s.make('ana', 'POST /bookings/{lease}/submit')
    await makeReady(s.t, s.names.get('lease') ?? '')
    return s
  }
  test('reads and signs as the tenant, and manages nothing of it', async () => {
    const s = await eveRents()
    for (const line of ['GET /bookings/{lease}', 'GET /bookings/{lease}/signatures', 'GET /bookings/{lease}/messages'])
      expect(`${line} ${(await s.ask('eve', line)).status}`).toBe(`${line} 200`)
    const ids = async (line: string) => ((await s.ask('eve', line)).body as unknown as Json[]).map(({ id }) => id)
    expect(await ids('GET /bookings?tenantUserId={eve}')).toEqual([s.names.get('lease')])
    expect(await ids('GET /bookings')).toEqual([])
    const [paper] = await ids('GET /documents?bookingId={lease}')
    expect((await s.ask('eve', `GET /documents/${paper}/download-url`)).status).toBe(200)
    for (const line of ['PATCH', 'POST /submit', 'POST /activate', 'POST /cancel', 'GET /file', 'POST /signed-copy']) {
      const [method, end = ''] = line.split(' ')
      const body = end === '/signed-copy' ? { mediaObjectId: '{nobody}' } : {}
      expect(`${line} ${(await s.ask('eve', `${method} /bookings/{lease}${end}`, body)).status}`).toBe(`${line} 404`)
    }
    const signed = await signs(s, 'eve')
    expect([signed.status, signed.body.party, signed.body.onBehalf]).toEqual([201, 'TENANT', false])
    await signs(s, 'ana')
    await s.work()
    const [invoice] = await ids('GET /invoices?bookingId={lease}')
    expect((await s.ask('eve', `GET /invoices/${invoice}`)).status).toBe(200)
    expect(await ids('GET /invoices')).toEqual([])
    // Of leases that are neither hers to let nor to rent she still knows nothing.
    await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tom}', startDate: '2026-03-01' }, 'toms')
    for (const line of ['GET /bookings/{toms}', 'GET /bookings/{toms}/signatures', 'GET /bookings/{toms}/messages'])
      expect((await s.ask('eve', line)).status).toBe(404)
    expect(await ids('GET /documents?bookingId={toms}')).toEqual([])
    expect(await ids('GET /bookings?tenantUserId={tom}')).toEqual([])
  })

  test.each(['ana', 'mia'] as const)('%s, who is both sides of a lease, signs one of them', async (who) => {
    const s = await stage({ given: premises() })
    await s.make(
      'mia',
      'POST /bookings',
      { unitId: '{a1}', tenantUserId: `{${who}}`, startDate: '2026-03-01' },
      'lease',
    )
    await s.make('ana', 'POST /bookings/{lease}/submit')
    await makeReady(s.t, s.names.get('lease') ?? '')
    expect((await signs(s, who)).body.party).toBe('TENANT')
    expect(told(await s.ask(who, OTP))).toBe('409 duplicate')
    expect(s.rows('select status from booking')).toEqual([{ status: 'PENDING' }])
  })

  test('who signed for the owner and became the tenant since cannot sign again', async () => {
    const { s, signatures } = await outForSigning()
    await signs(s, 'mia')
    s.store.client.prepare('update booking set tenant_user_id = ?').run(s.names.get('mia'))
    expect(told(await s.ask('mia', OTP))).toBe('403 forbidden')
    expect(
      told(await s.ask('mia', SIGN, { challengeId: s.names.get('lease') ?? '', code: '123456', fullName: 'X' })),
    ).toBe('403 forbidden')
    expect(signatures()).toEqual(['LANDLORD on behalf VALID'])
  })
})

test('the first signature twenty times at once: one, one line of the trail, one message', async () => {
  const { s, signatures } = await outForSigning()
  await s.work()
  const from = s.sent.length + 1
  const code = await codeFor(s, 'ana')
  const answers = await Promise.all(Array.from({ length: 20 }, () => s.ask('ana', SIGN, code)))
  expect(answers.map(told).sort()).toEqual(['201', ...Array.from({ length: 19 }, () => '409 duplicate')])
  await s.work()
  expect([signatures(), news(s, from)]).toEqual([['LANDLORD VALID'], ['tom lease_signed fr WHATSAPP']])
  expect(s.rows("select count(*) n from audit_entry where action = 'booking.sign'")).toEqual([{ n: 1 }])
})

describe('both sign while the rent is changed: the lease is in force by the rent that both signed, or by none', () => {
  const orders = ['ana tom rent', 'rent ana tom', 'ana rent tom', 'tom rent ana', 'ana tom rent rent']
  test.each(orders)('%s at once', async (order) => {
    const { s, contract, status, signatures } = await outForSigning()
    const codes = { ana: await codeFor(s, 'ana'), tom: await codeFor(s, 'tom') }
    const one = (word: string) =>
      word === 'rent'
        ? s.ask('ana', 'PATCH /bookings/{lease}', { rentAmount: 65_000 })
        : s.ask(word as Person, SIGN, codes[word as keyof typeof codes])
    const answers = await Promise.all(order.split(' ').map(one))
    await s.work()
    const { body } = await s.ask('tom', 'GET /bookings/{lease}/signatures')
    const valid = (body as unknown as Json[]).filter((row) => row.status === 'VALID')
    if (status() === 'ACTIVE') {
      expect(valid.map(({ sha256 }) => sha256)).toEqual([contract.sha256, contract.sha256])
      const [signed] = s.rows("select data from document where variant = 'SIGNED'")
      expect(JSON.parse(String(signed?.data))).toMatchObject({ rentAmount: 60_000, signedSha256: contract.sha256 })
      expect(s.rows('select rent_amount from booking')).toEqual([{ rent_amount: 60_000 }])
      for (const [i, word] of order.split(' ').entries())
        if (word === 'rent') expect(told(answers[i] as never)).toBe('409 invalid_state')
    } else {
      expect([valid, s.rows('select rent_amount from booking')]).toEqual([[], [{ rent_amount: 65_000 }]])
      expect(signatures().every((line) => line.endsWith('VOID CHANGED'))).toBe(true)
    }
    expect(s.rows("select * from audit_entry where action = 'booking.activate'").length).toBe(
      status() === 'ACTIVE' ? 1 : 0,
    )
  })
})
