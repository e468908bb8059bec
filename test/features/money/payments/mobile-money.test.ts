// Credit messages become payments: once, on the right lease, or they wait.
import { describe, expect, test } from 'bun:test'
import { createTestApp } from '../../../support/app.ts'
import { phoneOf } from '../../../support/scenario.ts'
import { traces } from '../../../support/world.ts'

const ANA = 'OWNER.ana'
const EVE = 'OWNER.eve'
const MIA = 'MANAGER.mia'
const TIA = 'TENANT.tia'

type Message = { id: string; status: string; paymentId?: string; amount: number }
const momo = (amount: number, more: { from?: string; id?: string; at?: string } = {}): string =>
  `You have received ${amount} XAF from ${more.from ?? 'NGO BASSA MARIE (237677123456)'} on your mobile money account at ${more.at ?? '2026-03-09 16:30:51'}. Your new balance: 1,000,000 XAF. Financial Transaction Id: ${more.id ?? '7712345678'}.`
const orange = (amount: number, id: string): string =>
  `Depot effectue par 677123456 NGO BASSA MARIE. Montant de transaction : ${amount} FCFA, ID transaction : ${id}, Frais : 0 FCFA.`

/** A lease of 60,000 a month by Ana to Marie, running since January, so with three invoices. */
async function start(
  leases = 1,
  {
    parties = [] as object[],
    ...agreed
  }: { parties?: object[]; depositAmount?: number; tenantPhoneNumber?: string } = {},
) {
  const t = createTestApp()
  for (const who of [ANA, EVE, MIA, TIA]) await t.call(who, 'GET /api/v1/me')
  const property = await t.call(ANA, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'R', city: 'Douala' })
  const bookings: string[] = []
  for (let i = 0; i < leases; i++) {
    const unit = await t.call(ANA, `POST /api/v1/properties/${property.body.id}/units`, {
      label: `A${i}`,
      rentAmount: 60_000,
    })
    const made = await t.call(ANA, 'POST /api/v1/bookings', {
      unitId: unit.body.id,
      tenantPhoneNumber: '+237677123456',
      startDate: '2026-01-01',
      billFrom: '2026-01-01',
      ...agreed,
    })
    const id = String(made.body.id)
    if (parties.length > 0) await t.call(ANA, `PUT /api/v1/bookings/${id}/parties`, { parties })
    await t.call(ANA, `POST /api/v1/bookings/${id}/submit`, { blanks: true })
    await t.call(ANA, `POST /api/v1/bookings/${id}/activate`)
    bookings.push(id)
  }
  await t.work()
  const [booking = ''] = bookings
  const invoices = async (of = booking) =>
    (
      await t.call<{ id: string; status: string; amountPaid: number }[]>(
        ANA,
        `GET /api/v1/invoices?order=asc&bookingId=${of}`,
      )
    ).body
  const take = (text: string, more: object = {}, who = ANA) =>
    t.call<Message>(who, 'POST /api/v1/payments/from-message', { text, ...more })
  const waiting = async (who = ANA) => (await t.call<Message[]>(who, 'GET /api/v1/payments/unmatched')).body
  return { t, booking, bookings, invoices, take, waiting }
}
const paid = async (s: { invoices: () => Promise<{ amountPaid: number }[]> }): Promise<number[]> =>
  (await s.invoices()).map(({ amountPaid }) => amountPaid)

describe('the payer is known', () => {
  test('what is read and whose it may be, without recording anything', async () => {
    const s = await start()
    const before = traces(s.t)
    const { status, body } = await s.t.call(ANA, 'POST /api/v1/payments/parse', { text: momo(60_000) })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      operator: 'MTN_MOMO',
      amount: 60_000,
      transactionId: '7712345678',
      payerNumber: '+237677123456',
      paidOn: '2026-03-09',
      candidates: [{ bookingId: s.booking, by: 'PHONE', openAmount: 180_000, unitLabel: 'A0' }],
    })
    expect(traces(s.t)).toBe(before)
    // Another owner's tenants are nobody.
    const hers = await s.t.call(EVE, 'POST /api/v1/payments/parse', { text: momo(60_000) })
    expect(hers.body.candidates).toEqual([])
  })

  test('one invoice, part of one, and several', async () => {
    const s = await start()
    const first = await s.take(momo(60_000))
    expect([first.status, first.body.status]).toEqual([201, 'MATCHED'])
    expect(await paid(s)).toEqual([60_000, 0, 0])
    await s.take(momo(20_000, { id: '7712399001', at: '2026-03-09 17:01:02' }))
    expect(await paid(s)).toEqual([60_000, 20_000, 0])
    await s.take(orange(100_000, 'CI260310.0700.A12345'))
    expect(await paid(s)).toEqual([60_000, 60_000, 60_000])
    const { body } = await s.t.call<{ method: string; reference: string; paidOn: string; status: string }[]>(
      ANA,
      'GET /api/v1/payments?order=asc',
    )
    expect(body.map(({ method, reference, paidOn, status }) => `${method} ${reference} ${paidOn} ${status}`)).toEqual([
      'MTN_MOMO 7712345678 2026-03-09 CONFIRMED',
      'MTN_MOMO 7712399001 2026-03-09 CONFIRMED',
      'ORANGE_MONEY CI260310.0700.A12345 2026-03-10 CONFIRMED',
    ])
    expect(await s.waiting()).toEqual([])
  })

  test('more than is open is an advance', async () => {
    const s = await start()
    await s.take(momo(200_000))
    expect(await paid(s)).toEqual([60_000, 60_000, 60_000])
    const { body } = await s.t.call(ANA, `GET /api/v1/bookings/${s.booking}`)
    expect(body.creditAmount).toBe(20_000)
  })

  test('two leases: the money waits until someone says which', async () => {
    const s = await start(2)
    const { body } = await s.take(momo(60_000))
    expect(body.status).toBe('UNMATCHED')
    expect(await paid(s)).toEqual([0, 0, 0])
    const wrong = await s.t.call(ANA, `POST /api/v1/payments/unmatched/${body.id}/assign`, {})
    expect(wrong.status).toBe(422)
    const done = await s.t.call<Message>(ANA, `POST /api/v1/payments/unmatched/${body.id}/assign`, {
      bookingId: s.bookings[1],
    })
    expect([done.status, done.body.status]).toEqual([200, 'MATCHED'])
    expect((await s.invoices(s.bookings[1])).map(({ amountPaid }) => amountPaid)).toEqual([60_000, 0, 0])
    expect(await paid(s)).toEqual([0, 0, 0])
    expect(await s.waiting()).toEqual([])
  })
})

describe('a transaction is taken once', () => {
  const again: [name: string, text: string][] = [
    ['the same message', momo(60_000)],
    ['another amount', momo(70_000)],
    ['another payer', momo(60_000, { from: 'SOMEBODY ELSE (237699000000)' })],
    ['another transaction id, all else the same to the second', momo(60_000, { id: '7712345679' })],
    ['another id and amount, but the same second and balance', momo(61_000, { id: '7712345679' })],
  ]
  test.each(again)('%s', async (_name, text) => {
    const s = await start()
    await s.take(momo(60_000))
    const before = traces(s.t)
    for (const more of [{}, { bookingId: s.booking }]) {
      const { status, body } = await s.take(text, more)
      expect([status, (body as unknown as { code: string }).code]).toEqual([409, 'duplicate'])
    }
    expect(traces(s.t)).toBe(before)
  })

  test('at the same time, two hundred times over', async () => {
    const s = await start()
    const answers = await Promise.all(Array.from({ length: 200 }, () => s.take(momo(60_000))))
    const count = (status: number): number => answers.filter((a) => a.status === status).length
    expect([count(201), count(409)]).toEqual([1, 199])
    expect(await paid(s)).toEqual([60_000, 0, 0])
  })

  test('a payment recorded by hand with its id counts', async () => {
    const s = await start()
    const [invoice] = await s.invoices()
    await s.t.call(ANA, `POST /api/v1/invoices/${invoice?.id}/payments`, {
      amount: 60_000,
      method: 'MTN_MOMO',
      paidOn: '2026-03-09',
      reference: '7712345678',
    })
    expect((await s.take(momo(60_000))).status).toBe(409)
    expect(s.t.rows('select * from money_message')).toEqual([])
  })

  test('an amount that was changed is told; another second or another balance is another payment', async () => {
    const s = await start()
    await s.take(momo(60_000))
    const changed = (await s.take(momo(90_000))).body as unknown as { detail: string }
    expect(changed.detail).toContain('60,000')
    expect((await s.take(momo(60_000, { id: '7712346009', at: '2026-03-09 16:30:52' }))).status).toBe(201)
    // Orange tells minutes only: the balance says whether it came twice.
    const om = (id: string, balance: string) => `${orange(30_000, id)} Nouveau Solde : ${balance} FCFA.`
    expect((await s.take(om('CI260309.0700.A12345', '90000.5'))).status).toBe(201)
    expect((await s.take(om('CI260309.0700.A12346', '90000.5'))).status).toBe(409)
    expect((await s.take(om('CI260309.0700.A12401', '90000.5'))).status).toBe(409)
    expect((await s.take(om('CI260309.0700.A12401', '120000.5'))).status).toBe(201)
    expect(await paid(s)).toEqual([60_000, 60_000, 60_000])
  })

  test.each([
    ['MTN', momo(60_000)],
    ['Orange', `${orange(60_000, 'CI260309.0700.A12345')} Nouveau Solde : 90000.5 FCFA.`],
  ])('%s: with any one digit changed it is not taken a second time, nor does it wait', async (_name, text) => {
    const s = await start()
    expect((await s.take(text)).body.status).toBe('MATCHED')
    const before = traces(s.t)
    for (const { 0: digit, index } of text.matchAll(/\d/g)) {
      const changed = `${text.slice(0, index)}${(Number(digit) + 9) % 10}${text.slice(index + 1)}`
      const { status } = await s.take(changed, { bookingId: s.booking })
      expect([changed, status >= 409]).toEqual([changed, true])
    }
    expect(traces(s.t)).toBe(before)
  })

  test.each([
    ['ORANGE_MONEY', ' ci260310 0700 a12345 '],
    ['ORANGE_MONEY', 'ID transaction : CI260310-0700-A12345'],
    ['MTN_MOMO', 'CI2603100700A12345'],
  ])('recorded by hand as %s «%s»', async (method, reference) => {
    const s = await start()
    const [invoice] = await s.invoices()
    const body = { amount: 60_000, method, paidOn: '2026-03-09', reference }
    const first = await s.t.call(ANA, `POST /api/v1/invoices/${invoice?.id}/payments`, body)
    expect([first.status, first.body.reference]).toEqual([201, 'CI260310.0700.A12345'])
    const text = orange(60_000, 'CI260310.0700.A12345')
    const parsed = await s.t.call(ANA, 'POST /api/v1/payments/parse', { text })
    expect(parsed.body.paymentId).toBe(first.body.id)
    for (const payload of [text, text.replace('677123456', '699000111')])
      expect((await s.take(payload)).status).toBe(409)
    expect(await s.waiting()).toEqual([])
    // Nor the other way round.
    await s.take(momo(60_000))
    const again = { ...body, method: 'MTN_MOMO', reference: 'ID: 7712 345 678' }
    expect((await s.t.call(ANA, `POST /api/v1/bookings/${s.booking}/payments`, again)).status).toBe(409)
  })

  test('put on the wrong invoice, reversed, then on the right one', async () => {
    const s = await start()
    const [first, second] = await s.invoices()
    const { body } = await s.take(momo(60_000), { invoiceId: second?.id })
    await s.t.call(ANA, `POST /api/v1/payments/${body.paymentId}/reverse`, { reason: 'Erreur' })
    const moved = await s.take(momo(60_000), { invoiceId: first?.id })
    expect([moved.status, moved.body.id]).toEqual([201, body.id])
    expect(await paid(s)).toEqual([60_000, 0, 0])
  })
})

describe('what waits', () => {
  test('unknown payers; a manager sees all, an owner what they entered, nobody else anything', async () => {
    const s = await start()
    const { body } = await s.take(momo(5_000, { from: 'A STRANGER' }))
    expect(body.status).toBe('UNMATCHED')
    expect((await s.waiting()).map(({ id }) => id)).toEqual([body.id])
    expect((await s.waiting(MIA)).map(({ id }) => id)).toEqual([body.id])
    expect(await s.waiting(EVE)).toEqual([])
    expect(await s.waiting('MANAGER.zoe~second')).toEqual([])
    const stolen = await s.t.call(EVE, `POST /api/v1/payments/unmatched/${body.id}/dismiss`)
    expect(stolen.status).toBe(404)
  })

  test('dismissed: off the queue, and still taken', async () => {
    const s = await start()
    const { body } = await s.take(momo(5_000, { from: 'A STRANGER' }))
    for (let i = 0; i < 2; i++) {
      const gone = await s.t.call<Message>(ANA, `POST /api/v1/payments/unmatched/${body.id}/dismiss`)
      expect([gone.status, gone.body.status]).toEqual([200, 'DISMISSED'])
    }
    expect(await s.waiting()).toEqual([])
    expect((await s.take(momo(5_000, { from: 'A STRANGER' }))).status).toBe(409)
  })

  test('a name alone is a hint, no match', async () => {
    const s = await start()
    const { body: tenants } = await s.t.call<{ id: string }[]>(ANA, 'GET /api/v1/tenants')
    await s.t.call(ANA, `PATCH /api/v1/tenants/${tenants[0]?.id}`, { fullName: 'Ngo Bassa Marie-Claire' })
    const text = momo(60_000, { from: 'MARIE NGO BASSA (237699000111)' })
    const parsed = await s.t.call(ANA, 'POST /api/v1/payments/parse', { text })
    expect(parsed.body.candidates).toMatchObject([{ by: 'NAME', bookingId: s.booking }])
    expect((await s.take(text)).body.status).toBe('UNMATCHED')
  })
})

describe('the tenant declared it before', () => {
  const told = momo(60_000, { from: `NGO BASSA MARIE (${phoneOf('tia').slice(1)})` })
  type Problem = { code: string; detail: string; paymentId?: string; errors?: { path: string }[] }
  const problem = ({ status, body }: { status: number; body: unknown }) => ({ status, ...(body as Problem) })
  async function declared(said: object = {}, leases = 1) {
    const s = await start(leases, { tenantPhoneNumber: phoneOf('tia') })
    const [invoice] = await s.invoices()
    const body = { amount: 60_000, method: 'MTN_MOMO', paidOn: '2026-03-09', ...said }
    const made = await s.t.call(TIA, `POST /api/v1/invoices/${invoice?.id}/payments`, body)
    expect([made.status, made.body.status]).toEqual([201, 'PENDING'])
    const id = String(made.body.id)
    const payments = async () =>
      (
        await s.t.call<{ id: string; status: string; method: string; reference?: string }[]>(
          ANA,
          'GET /api/v1/payments',
        )
      ).body
    return { ...s, id, invoice, payments }
  }

  test.each([
    ['as it is', '7712345678', 'MTN_MOMO'],
    ['spelt otherwise', 'Ref: 7712 345 678', 'MTN_MOMO'],
    ['under the other operator', '7712345678', 'ORANGE_MONEY'],
    ['under cash', 'n° 7712345678', 'CASH'],
  ])('with the id, %s: the message confirms it', async (_name, reference, method) => {
    const s = await declared({ reference, method })
    const parsed = await s.t.call(ANA, 'POST /api/v1/payments/parse', { text: told })
    expect(parsed.body).toMatchObject({ paymentId: s.id, paymentStatus: 'PENDING' })
    const taken = await s.take(told)
    expect([taken.status, taken.body.status, taken.body.paymentId]).toEqual([201, 'MATCHED', s.id])
    expect(await paid(s)).toEqual([60_000, 0, 0])
    expect(await s.payments()).toMatchObject([{ id: s.id, status: 'CONFIRMED' }])
    // Once more, or by hand, it is known.
    expect(problem(await s.take(told))).toMatchObject({ status: 409, code: 'duplicate' })
    expect((await s.t.call(ANA, `POST /api/v1/payments/${s.id}/confirm`)).status).toBe(200)
    expect(await paid(s)).toEqual([60_000, 0, 0])
  })

  test('with the id and another amount: refused, and both are said', async () => {
    const s = await declared({ reference: '7712345678', amount: 50_000 })
    const before = traces(s.t)
    for (const more of [{}, { bookingId: s.booking }, { same: s.id }, { distinct: true }]) {
      const refused = problem(await s.take(told, more))
      expect(refused).toMatchObject({ status: 409, code: 'duplicate', paymentId: s.id })
      for (const amount of ['50,000', '60,000']) expect(refused.detail).toContain(amount)
    }
    expect(traces(s.t)).toBe(before)
  })

  test('with the id, on another lease than the message is put on: refused', async () => {
    const s = await declared({ reference: '7712345678' }, 2)
    const before = traces(s.t)
    expect(problem(await s.take(told, { bookingId: s.bookings[1] }))).toMatchObject({ status: 409, paymentId: s.id })
    expect(traces(s.t)).toBe(before)
    // The payer's two leases leave no doubt where a declaration says which.
    expect((await s.take(told)).body.status).toBe('MATCHED')
    expect(await paid(s)).toEqual([60_000, 0, 0])
  })

  test.each([
    ['nothing', {}],
    ['a word of theirs', { reference: 'loyer mars' }],
    ['cash, as they paid at a kiosk', { method: 'CASH' }],
    ['three days before', { paidOn: '2026-03-06' }],
  ])('without the id, but with %s: asked, and either answer counts it rightly', async (_name, said) => {
    for (const more of [{}, { bookingId: 'B' }, { invoiceId: 'I' }]) {
      const s = await declared(said)
      const named = Object.fromEntries(Object.keys(more).map((k) => [k, k === 'bookingId' ? s.booking : s.invoice?.id]))
      const before = traces(s.t)
      expect(problem(await s.take(told, named))).toMatchObject({ status: 409, code: 'maybe_known', paymentId: s.id })
      expect(traces(s.t)).toBe(before)
      const same = await s.take(told, { ...named, same: s.id })
      expect([same.status, same.body.paymentId]).toEqual([201, s.id])
      expect(await paid(s)).toEqual([60_000, 0, 0])
      expect(await s.payments()).toMatchObject([{ status: 'CONFIRMED', method: 'MTN_MOMO', reference: '7712345678' }])
      const [row] = s.t.rows('select state, operator, trace, told from transfer')
      expect(row).toMatchObject({ state: 'POSTED', operator: 'MOMO', trace: '7712345678' })
      expect(JSON.parse(String(row?.told)).map(([door]: string[]) => door)).toEqual(['DECLARED', 'MESSAGE'])
      expect((await s.take(told)).status).toBe(409)
    }
    const s = await declared(said)
    expect((await s.take(told, { bookingId: s.booking, distinct: true })).body.status).toBe('MATCHED')
    expect((await s.payments()).map(({ status }) => status).sort()).toEqual(['CONFIRMED', 'PENDING'])
  })

  test.each([
    ['another amount', { amount: 50_000 }],
    ['four days before', { paidOn: '2026-03-05' }],
    ['a bank transfer', { method: 'BANK_TRANSFER' }],
    ['another id', { reference: '7700000000' }],
    ['another id, under cash', { reference: 'ID: 7700000000', method: 'CASH' }],
  ])('%s: not the same, and not asked', async (_name, said) => {
    const s = await declared(said)
    expect((await s.take(told)).body.status).toBe('MATCHED')
    expect((await s.payments()).map(({ status }) => status).sort()).toEqual(['CONFIRMED', 'PENDING'])
  })

  test('a message that waits confirms what is declared with its id later, however it is taken then', async () => {
    for (const way of ['pasted again', 'put on the lease', 'put on another lease'] as const) {
      const s = await start(2, { tenantPhoneNumber: phoneOf('tia') })
      const { body } = await s.take(told)
      expect(body.status).toBe('UNMATCHED')
      const [invoice] = await s.invoices()
      const made = await s.t.call(TIA, `POST /api/v1/invoices/${invoice?.id}/payments`, {
        ...{ amount: 60_000, method: 'MTN_MOMO', paidOn: '2026-03-09', reference: '7712345678' },
      })
      const bookingId = s.bookings[way === 'put on the lease' ? 0 : 1]
      const answer =
        way === 'pasted again'
          ? await s.take(told)
          : await s.t.call<Message>(ANA, `POST /api/v1/payments/unmatched/${body.id}/assign`, { bookingId })
      if (way === 'put on another lease') {
        expect(problem(answer)).toMatchObject({ status: 409, code: 'duplicate', paymentId: made.body.id })
        expect(await paid(s)).toEqual([0, 0, 0])
        continue
      }
      expect(answer.body).toMatchObject({ id: body.id, status: 'MATCHED', paymentId: made.body.id })
      expect(await paid(s)).toEqual([60_000, 0, 0])
      expect(await s.waiting()).toEqual([])
    }
  })

  test('a message that waits is asked about when it is put on the lease', async () => {
    const s = await declared()
    const { body } = await s.take(momo(60_000, { from: 'A STRANGER' }))
    expect(body.status).toBe('UNMATCHED')
    const assign = (to: object) => s.t.call<Message>(ANA, `POST /api/v1/payments/unmatched/${body.id}/assign`, to)
    expect(problem(await assign({ bookingId: s.booking }))).toMatchObject({
      status: 409,
      code: 'maybe_known',
      paymentId: s.id,
    })
    expect((await assign({ same: s.id })).body).toMatchObject({ status: 'MATCHED', paymentId: s.id })
    expect(await paid(s)).toEqual([60_000, 0, 0])
  })

  test.each([
    ['both answers', { distinct: true }, 422, '/distinct'],
    ['a payment that nobody has', { same: '01985f3a-7c00-7000-8000-000000000000' }, 404, undefined],
    ['another lease', { bookingId: 'other' }, 422, '/same'],
  ] as const)('refused: %s', async (_name, more, status, path) => {
    const s = await declared({}, 2)
    const before = traces(s.t)
    const named = 'bookingId' in more ? { bookingId: s.bookings[1] } : more
    const answer = problem(await s.take(told, { same: s.id, ...named }))
    expect([answer.status, answer.errors?.[0]?.path]).toEqual([status, path])
    expect(traces(s.t)).toBe(before)
  })

  test.each([
    ['the same money: refused, and counted once', 'reject', {}, 200, [30_000, 0, 0]],
    ['other money: counted too', 'confirm', { distinct: true }, 200, [60_000, 0, 0]],
    ['no answer: asked again', 'confirm', {}, 409, [30_000, 0, 0]],
  ] as const)('told by a message first, then declared without an id; %s', async (_name, way, body, status, sums) => {
    const s = await start(1, { tenantPhoneNumber: phoneOf('tia') })
    const [invoice] = await s.invoices()
    const half = momo(30_000, { from: `NGO BASSA MARIE (${phoneOf('tia').slice(1)})` })
    const taken = await s.take(half, { invoiceId: invoice?.id })
    const said = { amount: 30_000, method: 'MTN_MOMO', paidOn: '2026-03-10' }
    const made = await s.t.call(TIA, `POST /api/v1/invoices/${invoice?.id}/payments`, said)
    const before = traces(s.t)
    const asked = await s.t.call(ANA, `POST /api/v1/payments/${made.body.id}/confirm`, {})
    expect(problem(asked)).toMatchObject({ status: 409, code: 'maybe_known', paymentId: taken.body.paymentId })
    expect(traces(s.t)).toBe(before)
    expect((await s.t.call(ANA, `POST /api/v1/payments/${made.body.id}/${way}`, body)).status).toBe(status)
    expect(await paid(s)).toEqual([...sums])
  })

  test.each([
    ['another amount', { amount: 20_000 }, '2026-03-09 16:30:51'],
    ['four days after', { paidOn: '2026-03-10' }, '2026-03-06 16:30:51'],
    ['a cheque', { method: 'CHEQUE' }, '2026-03-09 16:30:51'],
    ['another id', { reference: '7700000000' }, '2026-03-09 16:30:51'],
  ])('told by a message first, then declared: %s is not asked about', async (_name, said, at) => {
    const s = await start(1, { tenantPhoneNumber: phoneOf('tia') })
    const [invoice] = await s.invoices()
    const half = momo(30_000, { from: `NGO BASSA MARIE (${phoneOf('tia').slice(1)})`, at })
    expect((await s.take(half, { invoiceId: invoice?.id })).status).toBe(201)
    const body = { amount: 30_000, method: 'MTN_MOMO', paidOn: '2026-03-09', ...said }
    const made = await s.t.call(TIA, `POST /api/v1/invoices/${invoice?.id}/payments`, body)
    expect((await s.t.call(ANA, `POST /api/v1/payments/${made.body.id}/confirm`, {})).status).toBe(200)
  })

  test('another owner learns nothing of it', async () => {
    const s = await declared({ reference: '7712345678' })
    expect(problem(await s.take(told, {}, EVE)).paymentId).toBeUndefined()
    expect((await s.take(told, { same: s.id }, EVE)).status).toBe(404)
    expect(await s.payments()).toMatchObject([{ status: 'PENDING' }])
  })

  test('message and declaration fifty times at once: one booking', async () => {
    const s = await start(1, { tenantPhoneNumber: phoneOf('tia') })
    const [invoice] = await s.invoices()
    const body = { amount: 60_000, method: 'MTN_MOMO', paidOn: '2026-03-09', reference: '7712345678' }
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        i % 2 ? s.take(told) : s.t.call(TIA, `POST /api/v1/invoices/${invoice?.id}/payments`, body),
      ),
    )
    await s.take(told)
    expect(await paid(s)).toEqual([60_000, 0, 0])
    expect(s.t.rows("select id from payment where status in ('PENDING', 'CONFIRMED')")).toHaveLength(1)
  })
})

describe('several messages in one paste', () => {
  const sent = 'You have sent 50,000 XAF to NGO BASSA (237677123456). Financial Transaction Id: 76662021700.'
  const other = momo(20_000, { id: '7712399001', from: 'A STRANGER (237699000000)', at: '2026-03-08 10:00:00' })
  const parse = (s: Awaited<ReturnType<typeof start>>, text: string) =>
    s.t.call(ANA, 'POST /api/v1/payments/parse', { text })

  test('all are read, in their order, and each is recorded by its own text', async () => {
    const s = await start()
    const before = traces(s.t)
    const { status, body } = await parse(s, `${sent}\n[09/03/2026 17:00] Papa: ${momo(60_000)}\n${other}`)
    expect([status, body.text, body.amount]).toEqual([200, momo(60_000), 60_000])
    expect(body.candidates).toHaveLength(1)
    expect(body.others).toEqual([
      { text: sent, unreadable: 'not_credit' },
      {
        text: other,
        message: expect.objectContaining({ amount: 20_000, transactionId: '7712399001', candidates: [] }),
      },
    ])
    expect(traces(s.t)).toBe(before)
    expect((await s.take(String(body.text))).body.status).toBe('MATCHED')
    expect((await s.take(other)).body.status).toBe('UNMATCHED')
    const again = await parse(s, `${momo(60_000)}\n${other}`)
    expect(again.body).toMatchObject({ paymentStatus: 'CONFIRMED' })
  })

  test('one answers as it always did', async () => {
    const { body } = await parse(await start(), momo(60_000))
    expect(Object.keys(body).filter((key) => ['text', 'others'].includes(key))).toEqual([])
  })

  test.each([
    ['several to record at once', 'from-message', `${momo(60_000)}\n${other}`, 422, 'message_unreadable'],
    ['none that can be read', 'parse', `${sent}\n${sent.replace('700', '701')}`, 422, 'message_unreadable'],
    [
      '21',
      'parse',
      Array.from({ length: 21 }, (_, i) => momo(1_000, { id: `77123990${10 + i}` })).join('\n'),
      422,
      'validation_failed',
    ],
  ] as const)('refused: %s', async (_name, path, text, status, code) => {
    const s = await start()
    const before = traces(s.t)
    const answer = await s.t.call(ANA, `POST /api/v1/payments/${path}`, { text })
    expect([answer.status, (answer.body as { code?: string }).code]).toEqual([status, code])
    expect(traces(s.t)).toBe(before)
  })

  test('20 are read', async () => {
    const text = Array.from({ length: 20 }, (_, i) => momo(1_000, { id: `77123990${10 + i}` })).join('\n')
    const { status, body } = await parse(await start(), text)
    expect([status, (body.others as unknown[]).length]).toEqual([200, 19])
  })
})

describe('the deposit is agreed and not received', () => {
  const deposit = (s: Awaited<ReturnType<typeof start>>, type: string, amount: number) =>
    s.t.call(ANA, `POST /api/v1/bookings/${s.booking}/deposit`, { type, amount, paidOn: '2026-03-09', reason: 'x' })
  test.each([
    ['nothing came: more than is open waits', [], 200_000, 'UNMATCHED', [0, 0, 0]],
    ['a part came', [['RECEIVED', 100_000]], 200_000, 'UNMATCHED', [0, 0, 0]],
    [
      'it came, and was given back as a mistake',
      [
        ['RECEIVED', 120_000],
        ['RETURNED', 120_000],
      ],
      200_000,
      'UNMATCHED',
      [0, 0, 0],
    ],
    ['no more than is open came', [], 180_000, 'MATCHED', [60_000, 60_000, 60_000]],
    ['all of it came', [['RECEIVED', 120_000]], 200_000, 'MATCHED', [60_000, 60_000, 60_000]],
    [
      'all of it came, and some was kept',
      [
        ['RECEIVED', 120_000],
        ['DEDUCTED', 20_000],
      ],
      200_000,
      'MATCHED',
      [60_000, 60_000, 60_000],
    ],
  ] as const)('%s', async (_name, moves, amount, status, invoices) => {
    const s = await start(1, { depositAmount: 120_000 })
    for (const [type, sum] of moves) expect((await deposit(s, type, sum)).status).toBe(201)
    expect((await s.take(momo(amount))).body.status).toBe(status)
    expect(await paid(s)).toEqual([...invoices])
    expect(await s.waiting()).toHaveLength(status === 'UNMATCHED' ? 1 : 0)
  })

  test('who names the lease, decides', async () => {
    const s = await start(1, { depositAmount: 120_000 })
    expect((await s.take(momo(200_000), { bookingId: s.booking })).body.status).toBe('MATCHED')
    expect(await paid(s)).toEqual([60_000, 60_000, 60_000])
  })
})

describe('a co-tenant pays', () => {
  const co = { role: 'CO_TENANT', fullName: 'Etame Paul', phoneNumber: '+237699111222' }
  const told = momo(60_000, { from: 'ETAME PAUL (237699111222)' })
  test('from their own number: found like the tenant, and booked', async () => {
    const s = await start(1, { parties: [co] })
    const { body } = await s.t.call(ANA, 'POST /api/v1/payments/parse', { text: told })
    expect(body.candidates).toMatchObject([{ bookingId: s.booking, by: 'PHONE' }])
    const hers = await s.t.call(EVE, 'POST /api/v1/payments/parse', { text: told })
    expect(hers.body.candidates).toEqual([])
    expect((await s.take(told)).body.status).toBe('MATCHED')
    expect(await paid(s)).toEqual([60_000, 0, 0])
  })

  test('a guarantor is none, nor who was taken off the lease', async () => {
    for (const [parties, after] of [
      [[{ ...co, role: 'GUARANTOR' }], undefined],
      [[co], []],
    ] as const) {
      const s = await start(1, { parties: [...parties] })
      if (after) s.t.rows("update lease_party set removed_at = '2026-03-01T00:00:00.000Z' returning id")
      expect((await s.take(told)).body.status).toBe('UNMATCHED')
      expect(await paid(s)).toEqual([0, 0, 0])
    }
  })

  test('who is tenant and co-tenant of one lease is one candidate', async () => {
    const s = await start(1, { parties: [{ ...co, phoneNumber: '+237677123456' }] })
    const { body } = await s.t.call(ANA, 'POST /api/v1/payments/parse', { text: momo(60_000) })
    expect(body.candidates).toHaveLength(1)
  })
})

describe('the day of a message', () => {
  const undated = momo(60_000).replace(' at 2026-03-09 16:30:51', '')
  test.each([
    ['without one: as said', undated, '2026-02-28', 201, '2026-02-28'],
    ['without one, and nothing said: today', undated, undefined, 201, '2026-03-10'],
    ['with one: the same', momo(60_000), '2026-03-09', 201, '2026-03-09'],
    ['with one: another is refused', momo(60_000), '2026-03-08', 422, '/paidOn'],
    ['a day to come', undated, '2026-03-11', 422, '/paidOn'],
    ['no day', undated, '2026-02-30', 422, '/paidOn'],
    ['years before the lease', undated, '2019-01-01', 422, '/paidOn'],
  ] as const)('%s', async (_name, text, paidOn, status, said) => {
    const s = await start()
    const before = traces(s.t)
    const answer = await s.take(text, { ...(paidOn && { paidOn }) })
    const body = answer.body as unknown as { paidOn?: string; errors?: { path: string }[] }
    expect([answer.status, body.paidOn ?? body.errors?.[0]?.path]).toEqual([status, said])
    if (status === 422) expect(traces(s.t)).toBe(before)
    else
      expect((await s.t.call<{ paidOn: string }[]>(ANA, 'GET /api/v1/payments')).body).toMatchObject([{ paidOn: said }])
  })
})

test("the sender's copy of a transfer is no credit: one of the landlord's own sent it, or a tenant got it", async () => {
  const s = await start()
  const from = (a: string, b: string) =>
    `Transfert de ${a} X Y vers ${b} Z reussi. Details: ID transaction: PP260309.0700.A12345, Montant Transaction: 60000FCFA, Frais: 0 FCFA, Montant Net: 60000 FCFA, Nouveau Solde: 1 FCFA.`
  const own = String((await s.t.call(ANA, 'GET /api/v1/me')).body.phoneNumber).slice(4)
  for (const text of [from(own, '699000111'), from('699000111', '677123456')]) {
    const { body } = await s.take(text, { bookingId: s.booking })
    expect((body as unknown as { code: string }).code).toBe('message_unreadable')
  }
  expect((await s.take(from('677123456', own))).body.status).toBe('MATCHED')
})

test.each([
  ['an invoice and a lease', momo(60_000), { invoiceId: 'I', bookingId: 'B' }, 422, 'validation_failed'],
  ['more than the invoice', momo(60_001), { invoiceId: 'I' }, 422, 'overpayment'],
  ['a day to come', momo(60_000, { at: '2026-03-11 10:00:00' }), {}, 422, 'validation_failed'],
  ['no credit message', 'Bonjour', {}, 422, 'message_unreadable'],
  ['nothing', '', {}, 422, 'validation_failed'],
  ['1,001 characters', `${momo(60_000)}${' '.repeat(1000)}x`, {}, 422, 'validation_failed'],
] as const)('refused: %s', async (_name, text, target, status, code) => {
  const s = await start()
  const [invoice] = await s.invoices()
  const ids: Record<string, string> = { I: invoice?.id ?? '', B: s.booking }
  const before = traces(s.t)
  const named = Object.fromEntries(Object.entries(target).map(([k, v]) => [k, ids[v]]))
  const answer = await s.take(text, named)
  expect([answer.status, (answer.body as unknown as { code: string }).code]).toEqual([status, code])
  expect(traces(s.t)).toBe(before)
})

test('a company that withholds tax: part by phone, part by certificate, and the invoice is PAID', async () => {
  const s = await start()
  const [invoice] = await s.invoices()
  await s.take(momo(54_000), { invoiceId: invoice?.id })
  await s.t.call(ANA, `POST /api/v1/invoices/${invoice?.id}/payments`, {
    amount: 6_000,
    method: 'WITHHOLDING',
    paidOn: '2026-03-09',
    reference: 'ATT-2026-0117',
  })
  expect((await s.invoices())[0]).toMatchObject({ status: 'PAID', amountPaid: 60_000 })
})
