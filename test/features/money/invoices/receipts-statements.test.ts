// The statement of a lease that has ended says what holds: whatever changes the balance replaces it, once.
import { describe, expect, test } from 'bun:test'
import { readPdf } from '../../../support/papers.ts'
import { routesOf } from '../../../support/routes.ts'
import { cash, type Json, letting, type Stage, stage } from '../../../support/scenario.ts'

const MOMO =
  'You have received 1000 XAF from TOM TEST (237677123456) on your mobile money account at 2026-03-10 06:30:51. Your new balance: 1,000,000 XAF. Financial Transaction Id: 7712345678.'

/** February paid, March cut by the end: replaced where it was open, credited where it was paid. */
async function ended(paid: boolean): Promise<Stage> {
  const terms = { startDate: '2026-02-01', billFrom: '2026-02-01', depositAmount: 100_000, dueDay: 28 }
  const s = await stage({ given: letting(terms) })
  await s.make('ana', 'POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 100_000, paidOn: '2026-02-01' })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(60_000))
  if (paid) await s.make('ana', 'POST /invoices/{i2}/payments', cash(60_000))
  await s.make('ana', 'POST /bookings/{lease}/terminate')
  return s
}
type Paper = { id: string; number: string; verificationCode: string; voidReason?: string }
async function papers(s: Stage, who: 'ana' | 'eve' = 'ana'): Promise<Paper[]> {
  return (await s.ask(who, 'GET /documents?kind=STATEMENT&bookingId={lease}&order=asc&limit=200'))
    .body as unknown as Paper[]
}
const page = async (s: Stage, code: string, lang: 'fr' | 'en'): Promise<string> =>
  (await s.t.app.handle(new Request(`http://localhost/verify/${code}?lang=${lang}`))).text()
const sum = (list: Json[], member: string): number => list.reduce((n, row) => n + Number(row[member] ?? 0), 0)

/** The newest paper stands alone and says what the lists say; the others say that they no longer do. */
async function expectTrue(s: Stage, who: 'ana' | 'eve' = 'ana'): Promise<void> {
  const all = await papers(s, who)
  const newest = all.at(-1)
  expect(all.filter((p) => p.voidReason === undefined).map((p) => p.number)).toEqual([String(newest?.number)])
  const [row] = s.rows('select data from document where id = ?', newest?.id)
  const list = async (path: string) => (await s.ask(who, `GET ${path}`)).body as unknown as Json[]
  const invoices = await list('/invoices?bookingId={lease}&limit=200')
  const payments = await list('/payments?bookingId={lease}&status=CONFIRMED&limit=200')
  const [deposit] = await list('/bookings/{lease}/deposit')
  const data = JSON.parse(String(row?.data)) as Json
  expect(data).toMatchObject({
    debtAmount: sum(invoices, 'balanceAmount'),
    creditAmount: (await s.ask(who, 'GET /bookings/{lease}')).body.creditAmount,
    heldAmount: deposit?.heldAmount ?? 0,
  })
  expect((data.payments as Json[]).length).toBe(payments.length)
  const before = all.at(-2)
  if (!before || !newest) return
  const [french, english] = [await page(s, before.verificationCode, 'fr'), await page(s, before.verificationCode, 'en')]
  expect(french).toContain('Cette pièce n’est plus valable')
  expect(english).toContain('This paper is no longer valid')
  for (const text of [french, english]) {
    expect(text).toContain(newest.number)
    expect(text).not.toContain(newest.verificationCode)
  }
  expect(await page(s, newest.verificationCode, 'fr')).toContain('Cette pièce est authentique')
}

type Step = readonly [request: string, body: Json, makes: 0 | 1, by?: 'ana' | 'tom', status?: number]
const deposit = (type: string, amount: number): Json => ({ type, amount, paidOn: '2026-03-10', reason: 'Vitre' })
/** What can be asked of an ended lease, in order; how many statements each makes. */
const OPEN: readonly Step[] = [
  ['POST /invoices/{i3}/charges', { label: 'Eau', amount: 4_500 }, 1],
  ['POST /invoices/{i3}/waive', { amount: 500, reason: 'Geste' }, 1],
  ['POST /invoices/{i3}/payments', cash(1_000), 1],
  ['POST /invoices/{i3}/payments', cash(2_000), 0, 'tom'],
  ['POST /payments/{p3}/confirm', {}, 1],
  ['POST /payments/{p3}/confirm', {}, 0],
  ['POST /invoices/{i3}/payments', cash(3_000), 0, 'tom'],
  ['POST /payments/{p4}/reject', {}, 0],
  ['POST /invoices/{i3}/payments', cash(3_000), 0, 'tom'],
  ['POST /payments/{p5}/withdraw', {}, 0, 'tom'],
  ['POST /payments/from-message', { text: MOMO, invoiceId: '{i3}' }, 1],
  ['POST /payments/{p6}/reverse', {}, 1],
  ['POST /payments/{p3}/reverse', {}, 1],
  ['POST /payments/{p2}/reverse', {}, 1],
  ['POST /payments/{p2}/reverse', {}, 0],
  ['POST /invoices/{i3}/payments', cash(100_000), 1],
  ['POST /payments/{p7}/reverse', {}, 1],
  ['POST /bookings/{lease}/payments', cash(1_000), 1],
  ['POST /payments/{p8}/reverse', {}, 1],
  ['POST /invoices/{i3}/cancel', {}, 1],
  ['POST /invoices/{i3}/cancel', {}, 0],
  ['POST /bookings/{lease}/invoices', { lines: [{ label: 'Eau', amount: 4_500 }] }, 1],
  ['POST /bookings/{lease}/terminate', {}, 0],
]
const PAID: readonly Step[] = [
  ['POST /bookings/{lease}/payments', cash(40_000, { type: 'REFUND' }), 1],
  ['POST /bookings/{lease}/payments', cash(40_000, { type: 'REFUND' }), 0, 'ana', 422],
  ['POST /payments/{p3}/reverse', {}, 1],
  ['POST /payments/{p2}/reverse', {}, 1],
  ['POST /bookings/{lease}/deposit', deposit('DEDUCTED', 10_000), 1],
  ['POST /bookings/{lease}/deposit', deposit('RETURNED', 80_000), 1],
  ['POST /bookings/{lease}/deposit', deposit('RECEIVED', 5_000), 1],
  ['POST /bookings/{lease}/deposit', deposit('RETURNED', 80_000), 0, 'ana', 422],
]
/** Operations on a lease and its money that change nothing of a lease that has ended, and why. */
const NEVER: Readonly<Record<string, string>> = {
  'POST /bookings/:id/submit': 'of a draft',
  'POST /bookings/:id/activate': 'of a lease that is out for signing',
  'POST /bookings/:id/cancel': 'of a lease that has not begun',
  'POST /bookings/:id/reinstate': 'the lease runs again and has no statement: endings.test.ts',
  'POST /bookings/:id/renew': 'of a running lease',
  'POST /bookings/:id/rent-changes': 'of a running lease',
  'POST /bookings/:id/correct': 'likewise',
  'POST /bookings/:id/notice': 'likewise',
  'POST /bookings/:id/signatures': 'of a lease that is out for signing',
  'POST /bookings/:id/signatures/otp': 'likewise',
  'POST /bookings/:id/signed-copy': 'a scan',
  'POST /invoices/:id/remind': 'a message',
  'POST /payments/parse': 'reads only',
  'POST /payments/unmatched/:id/dismiss': 'of a message that is no rent',
  'POST /payments/unmatched/:id/assign': 'records as from-message does',
}

describe.each([
  ['March open', false, OPEN],
  ['March paid', true, PAID],
])('%s', (_name, paid, steps) => {
  test('each change of the balance replaces the statement once, and nothing else does', async () => {
    const s = await ended(paid)
    await expectTrue(s)
    for (const [request, body, makes, by = 'ana', status] of steps) {
      const { length } = await papers(s)
      const [of, before] = [s.fill(request), s.dump()]
      const answer = await s.ask(by, request, body)
      expect(`${request} ${status === undefined ? answer.status < 300 : answer.status} ${answer.body.code ?? ''}`).toBe(
        `${request} ${status ?? true} ${answer.body.code ?? ''}`,
      )
      if (status !== undefined) expect(s.dump()).toBe(before)
      await s.work()
      s.nameAll()
      expect(`${of} ${(await papers(s)).length - length}`).toBe(`${of} ${makes}`)
      await expectTrue(s)
    }
  })
})

test('credit that the last invoice took in the very run that ended the lease is not told twice', async () => {
  const s = await stage({ given: letting({ startDate: '2026-03-10', endDate: '2026-04-20', autoRenew: false }) })
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(60_999))
  s.advance(60)
  await s.work()
  expect((await s.ask('ana', 'GET /bookings/{lease}')).body).toMatchObject({ status: 'TERMINATED', creditAmount: 0 })
  await expectTrue(s)
})

test('a property that goes to another owner leaves the statement true; the next change makes one in their name', async () => {
  const s = await ended(false)
  const [made] = await papers(s)
  const landlord = (paper?: Paper) => {
    const [{ data } = {}] = s.rows('select data from document where id = ?', paper?.id)
    return (JSON.parse(String(data)) as { landlord: { name: string } }).landlord.name
  }
  await s.make('mia', 'PATCH /properties/{villa}', { ownerUserId: '{eve}' })
  await s.work()
  expect((await papers(s, 'eve')).map(({ id }) => id)).toEqual([String(made?.id)])
  await expectTrue(s, 'eve')
  expect(await papers(s)).toEqual([])
  const facts = await page(s, String(made?.verificationCode), 'fr')
  expect(facts).toContain('Cette pièce est authentique')
  expect(landlord(made)).toBe('ana Test')

  await s.make('eve', 'POST /invoices/{i3}/payments', cash(1_000))
  await s.work()
  await expectTrue(s, 'eve')
  const [before, after] = await papers(s, 'eve')
  expect([before, after].map(landlord)).toEqual(['ana Test', 'eve Test'])
  expect((await s.ask('ana', 'POST /bookings/{lease}/deposit', deposit('RETURNED', 1_000))).status).toBe(404)
})

test('every operation on a lease, its invoices and its payments stands in one of the tables', async () => {
  const s = await stage()
  const here = [...OPEN, ...PAID].map(([request]) => request.replace(/\{\w+\}/g, ':id'))
  const routes = routesOf(s.t.app).flatMap(({ line }) => {
    const short = line.replace('/api/v1', '')
    return /^POST \/(bookings|invoices|payments)\/\S/.test(short) ? [short] : []
  })
  expect(routes.filter((line) => !here.includes(line) && !(line in NEVER))).toEqual([])
  expect(Object.keys(NEVER).filter((line) => !routes.includes(line))).toEqual([])
})

test('a renewal: the old statement says what was carried over, adds up, and nothing is returned', async () => {
  const s = await stage({
    now: '2026-03-05T08:00:00Z',
    given: letting({ startDate: '2026-02-10', endDate: '2026-03-09', autoRenew: false, depositAmount: 85_000 }),
  })
  await s.make('ana', 'POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 85_000, paidOn: '2026-03-05' })
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(148_000, { paidOn: '2026-03-05' }))
  await s.make('ana', 'POST /bookings/{lease}/renew', {}, 'next')
  await s.make('ana', 'POST /bookings/{next}/submit', {})
  await s.make('ana', 'POST /bookings/{next}/activate', {})
  s.t.advance(6)
  await s.t.work()
  const [row] = s.rows("select data, locale from document where kind = 'STATEMENT' and void_reason is null")
  const [contract] = s.rows(
    "select number from document where kind = 'LEASE_CONTRACT' and void_reason is null and booking_id = (select id from booking where renews_booking_id is not null)",
  )
  const data = JSON.parse(String(row?.data))
  expect(data).toMatchObject({
    carriedOut: { lease: contract?.number, depositAmount: 85_000, creditAmount: 88_000 },
    account: { receivedAmount: 85_000, rentOwedAmount: 0, deductedAmount: 0, returnedAmount: 0 },
    ...{ debtAmount: 0, creditAmount: 0, heldAmount: 0 },
  })
  for (const locale of ['fr', 'en'] as const) {
    const paper = { ...data, locale }
    const bytes = await s.t.deps.pdf.render('statement', paper, {
      url: 'http://localhost/verify/x',
      dataSha256: 'ab'.repeat(32),
    })
    const { text } = await readPdf(bytes)
    const said = {
      fr: [
        `Reporté au bail ${contract?.number} : dépôt 85 000 FCFA, avance 88 000 FCFA`,
        '-173 000 FCFA',
        'nouveau bail',
      ],
      en: [`Carried over to lease ${contract?.number}: deposit FCFA 85,000, advance FCFA 88,000`, 'new lease'],
    }[locale]
    for (const words of said) expect(text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll('−', '-')).toContain(words)
    for (const never of ['Dépôt rendu', 'Dépôt déjà rendu', 'Deposit returned', 'given back already'])
      expect(text).not.toContain(never)
  }
  const told = s.t.sent
    .filter(({ purpose }) => purpose === 'lease_ended')
    .map(({ text }) => text.replaceAll('\u00a0', ' '))
  expect(told).toEqual([
    expect.stringContaining(
      'Votre nouveau bail pour « A1 », « Villa » a commencé le 10 mars 2026. Votre dépôt (85 000 FCFA) et votre avance (88 000 FCFA) y sont reportés.',
    ),
  ])
  expect(told.join()).not.toMatch(/a pris fin|à rendre/)
})
