// Signing: who may, with what code; two signatures make a lease ACTIVE, and nothing else of the kind does.
import { describe, expect, test } from 'bun:test'
import type { LeaseData } from '../../../../src/adapters/pdf/port.ts'
import { maskPhone } from '../../../../src/core/phone.ts'
import { makeReady } from '../../../support/contracts.ts'
import { type Person, phoneOf } from '../../../support/scenario.ts'
import { codeFor, OTP, outForSigning, SIGN, signs, told } from '../../../support/signers.ts'

const wrong = (code: string): string => (code === '000000' ? '111111' : '000000')

describe('both sign, and the lease is in force', () => {
  for (const order of [
    ['tom', 'ana'],
    ['ana', 'tom'],
    ['mia', 'tom'],
  ] as [Person, Person][])
    test(order.join(', then '), async () => {
      const { s, contract, status, signatures, contracts } = await outForSigning()
      const [first, second] = order
      const otp = await s.ask(first, OTP)
      expect(otp.body).toMatchObject({ channel: 'WHATSAPP', maskedDestination: maskPhone(phoneOf(first)) })
      expect(s.sent.at(-1)).toMatchObject({ to: phoneOf(first), purpose: 'signing' })
      expect(s.sent.at(-1)?.text).toContain(contract.number)
      const code = s.sent.at(-1)?.code ?? ''
      const one = await s.ask(first, SIGN, { challengeId: String(otp.body.challengeId), code, fullName: 'Nom Entier' })
      expect(one.status).toBe(201)
      expect(one.body).toMatchObject({
        documentId: contract.id,
        sha256: contract.sha256,
        party: first === 'tom' ? 'TENANT' : 'LANDLORD',
        onBehalf: first === 'mia',
        fullName: 'Nom Entier',
        maskedNumber: maskPhone(phoneOf(first)),
        signedAt: '2026-03-10T08:00:00.000Z',
        status: 'VALID',
      })
      // One signature is none.
      expect([status(), contracts()]).toEqual(['PENDING', ['PROPOSED READY']])
      expect(told(await signs(s, second))).toBe('201')
      expect([status(), contracts()]).toEqual(['ACTIVE', ['PROPOSED REPLACED', 'SIGNED PENDING']])
      expect(signatures()).toHaveLength(2)
      expect(
        s
          .rows("select action, actor, details from audit_entry where action like 'booking.%' order by rowid")
          .slice(-3)
          .map(({ action, actor }) => `${action} ${actor}`),
      ).toEqual([
        `booking.sign ${first === 'tom' ? 'TENANT' : first === 'mia' ? 'MANAGER' : 'OWNER'}`,
        `booking.sign ${second === 'tom' ? 'TENANT' : 'OWNER'}`,
        'booking.activate system',
      ])
      expect(s.rows("select details from audit_entry where action = 'booking.activate'")).toEqual([
        { details: '{"signed":"ELECTRONICALLY"}' },
      ])
      await s.work()
      expect(s.ledger()).toHaveLength(1)
      // The number itself and the code are kept nowhere with it.
      const kept =
        JSON.stringify(s.rows('select * from signature')) +
        JSON.stringify(
          s
            .rows("select data from document where variant = 'SIGNED'")
            .map(({ data }) => (JSON.parse(String(data)) as LeaseData).signatures),
        )
      expect(kept).not.toContain(phoneOf(first))
      expect(kept).not.toContain(code)
      // Who reads it: both parties and those who manage; nobody else.
      for (const who of ['ana', 'tom', 'mia', 'ada'] as const)
        expect((await s.ask(who, 'GET /bookings/{lease}/signatures')).body).toHaveLength(2)
      for (const who of ['eve', 'tia', 'zoe'] as const)
        expect((await s.ask(who, 'GET /bookings/{lease}/signatures')).status).toBe(404)
    })
})

describe('nobody signs', () => {
  const refusals: [string, Person, string][] = [
    ['another landlord', 'eve', '404 not_found'],
    ['another tenant', 'tia', '404 not_found'],
    ['another organization', 'zoe', '404 not_found'],
    ['an administrator', 'ada', '403 forbidden'],
  ]
  test.each(refusals)('%s', async (_who, who, expected) => {
    const { s, signatures } = await outForSigning()
    const { challengeId, code } = await codeFor(s, 'ana')
    const sent = s.sent.length
    const before = s.dump()
    expect(told(await s.ask(who, OTP))).toBe(expected)
    expect(told(await s.ask(who, SIGN, { challengeId, code, fullName: 'X Y' }))).toBe(expected)
    expect([s.sent.length, signatures(), s.dump()]).toEqual([sent, [], before])
  })
  test("with another person's code, nor with a code for something else", async () => {
    const { s, signatures, status } = await outForSigning()
    const anas = await codeFor(s, 'ana')
    expect(told(await s.ask('tom', SIGN, anas))).toBe('410 challenge_gone')
    expect(told(await s.ask('mia', SIGN, anas))).toBe('410 challenge_gone')
    const { body } = await s.ask('tom', 'POST /account/phone/verification/otp')
    const other = { challengeId: String(body.challengeId), code: s.sent.at(-1)?.code ?? '', fullName: 'X Y' }
    expect(told(await s.ask('tom', SIGN, other))).toBe('410 challenge_gone')
    // Nor does a signing code verify a number.
    const { challengeId, code } = await codeFor(s, 'tom')
    expect(told(await s.ask('tom', 'POST /account/phone/verification/verify', { challengeId, code }))).toBe(
      '410 challenge_gone',
    )
    expect([signatures(), status()]).toEqual([[], 'PENDING'])
  })
  test('with the code of another lease', async () => {
    const { s, signatures } = await outForSigning()
    const code = await codeFor(s, 'tom')
    await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tom}', startDate: '2026-03-01' }, 'second')
    await s.make('ana', 'POST /bookings/{second}/submit')
    await makeReady(s.t, s.names.get('second') ?? '')
    expect(told(await s.ask('tom', 'POST /bookings/{second}/signatures', code))).toBe('410 challenge_gone')
    expect(signatures()).toEqual([])
  })
  test('with a wrong code, after five of them, or too late', async () => {
    const { s, signatures } = await outForSigning()
    const code = await codeFor(s, 'tom')
    expect(told(await s.ask('tom', OTP))).toBe('429 too_many_requests')
    for (let i = 0; i < 5; i += 1)
      expect(told(await s.ask('tom', SIGN, { ...code, code: wrong(code.code) }))).toBe('422 wrong_code')
    expect(told(await s.ask('tom', SIGN, code))).toBe('429 attempts_exhausted')
    const late = await codeFor(s, 'ana')
    s.time.now += 600_000
    expect(told(await s.ask('ana', SIGN, late))).toBe('410 challenge_gone')
    expect(signatures()).toEqual([])
  })
  test.each([
    [{ fullName: '' }, '/fullName'],
    [{ fullName: '   ' }, '/fullName'],
    [{ fullName: 'Tom\u202eEntier' }, '/fullName'],
    [{ code: '12345' }, '/code'],
    [{ party: 'LANDLORD' }, '/party'],
  ])('with %j', async (more, path) => {
    const { s, signatures } = await outForSigning()
    const answer = await s.ask('tom', SIGN, { ...(await codeFor(s, 'tom')), ...more })
    expect([answer.status, answer.body.errors]).toMatchObject([422, [{ path }]])
    expect(signatures()).toEqual([])
  })
  test('what is no PENDING lease, or cannot be read yet', async () => {
    const { s } = await outForSigning()
    await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tom}', startDate: '2026-03-01' }, 'second')
    // It was not sent out yet: only its landlord knows of it.
    expect(told(await s.ask('tom', 'POST /bookings/{second}/signatures/otp'))).toBe('404 not_found')
    expect(told(await s.ask('ana', 'POST /bookings/{second}/signatures/otp'))).toBe('409 invalid_state')
    await s.make('ana', 'POST /bookings/{second}/submit')
    const sent = s.sent.length
    for (const [language, words] of [
      ['fr', 'en cours de préparation'],
      ['en', 'still being prepared'],
    ] as const) {
      const answer = await s.ask('tom', 'POST /bookings/{second}/signatures/otp', {}, { 'accept-language': language })
      expect(told(answer)).toBe('409 contract_not_ready')
      expect(answer.body.detail).toContain(words)
    }
    await s.make('ana', 'POST /bookings/{second}/activate')
    expect(told(await s.ask('tom', 'POST /bookings/{second}/signatures/otp'))).toBe('409 invalid_state')
    expect(s.sent).toHaveLength(sent)
  })
  test('twice', async () => {
    const { s, signatures } = await outForSigning()
    const code = await codeFor(s, 'ana')
    expect(told(await s.ask('ana', SIGN, code))).toBe('201')
    for (const who of ['ana', 'mia'] as const) {
      expect(told(await s.ask(who, SIGN, code))).toBe('409 duplicate')
      expect(told(await s.ask(who, OTP))).toBe('409 duplicate')
    }
    expect(signatures()).toEqual(['LANDLORD VALID'])
  })
})
