// What a tenant is asked for once a lease has ended and its deposit is still held: what its statement says is still owed.
// The rent is 60,000 from 10 March; the lease ends on 9 April with 60,000 owed.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { drawLetters } from '../../../../src/features/news/reminders/jobs.ts'
import { readPdf } from '../../../support/papers.ts'
import { ANA, start } from '../../../support/reminded.ts'
import { letting, stage } from '../../../support/scenario.ts'

setDefaultTimeout(60_000)
type Begun = Awaited<ReturnType<typeof start>>
type Reminded = { text?: string; problem?: { code: string; detail: string } }
const plain = (text: string | undefined): string => (text ?? '').replace(/\s+/g, ' ')
const post = async (s: Begun, path: string, body: object = {}) => {
  const made = await s.t.call(ANA, `POST /api/v1/bookings/${s.booking}/${path}`, body)
  expect([path, made.status < 300, made.body.detail]).toEqual([path, true, undefined])
  await s.t.work()
  return made.body
}
const deposit = (s: Begun, type: string, amount: number, more: object = {}) =>
  post(s, 'deposit', { type, amount, paidOn: '2026-03-10', ...more })
/** An ended lease of which a month is late. */
async function ended(held: number, tenant: object = { phoneNumber: '+237677123456' }): Promise<Begun> {
  const s = await start(tenant)
  if (held > 0) await deposit(s, 'RECEIVED', held)
  s.t.advance(31)
  await s.t.work()
  await post(s, 'terminate', { endDate: '2026-04-09' })
  return s
}
const dry = async (s: Begun, step: string, language = 'fr') =>
  (
    await s.t.call<Reminded[]>(
      ANA,
      'POST /api/v1/reminders',
      { invoiceIds: [s.invoice], step, dryRun: true },
      { 'accept-language': language },
    )
  ).body[0]
const pageOf = async (s: Begun, text: string | undefined): Promise<string> => {
  const path = /\/i\/[\w-]{42}/.exec(text ?? '')?.[0]
  return plain(await (await s.t.app.handle(new Request(`http://localhost${path}`))).text())
}
const late = async (s: Begun) =>
  (await s.t.call<{ late: Record<string, number>[]; overdueAmount: number }>(ANA, 'GET /api/v1/overview')).body
const balance = async (s: Begun): Promise<number> =>
  Number((await s.t.call(ANA, `GET /api/v1/bookings/${s.booking}/settlement`)).body.balanceAmount)

const COUNTED = 'Dépôt compté : 25 000 FCFA.'
type Step = {
  readonly name: string
  readonly held: number
  readonly after?: (s: Begun) => Promise<unknown>
  /** What is asked for; 0: the deposit covers it. */
  readonly asked: number
  readonly counted: number
}
const STEPS: readonly Step[] = [
  { name: 'no deposit: all that is owed', held: 0, asked: 60_000, counted: 0 },
  { name: 'a deposit below the debt is counted', held: 25_000, asked: 35_000, counted: 25_000 },
  { name: 'a deposit equal to the debt leaves nothing to ask for', held: 60_000, asked: 0, counted: 60_000 },
  { name: 'a deposit above the debt leaves nothing to ask for', held: 90_000, asked: 0, counted: 60_000 },
  {
    name: 'what was given back is not counted',
    held: 90_000,
    after: (s) => deposit(s, 'RETURNED', 90_000),
    asked: 60_000,
    counted: 0,
  },
  {
    name: 'what was kept for a damage is not counted',
    held: 90_000,
    after: (s) => deposit(s, 'DEDUCTED', 80_000, { reason: 'Porte' }),
    asked: 50_000,
    counted: 10_000,
  },
  {
    name: 'what paid the invoice is not counted twice',
    held: 25_000,
    after: (s) => deposit(s, 'DEDUCTED', 25_000, { invoiceIds: [s.invoice] }),
    asked: 35_000,
    counted: 0,
  },
  {
    name: 'an end that is undone brings all of it back',
    held: 25_000,
    after: (s) => post(s, 'reinstate'),
    asked: 60_000,
    counted: 0,
  },
]
test.each(STEPS)('$name', async ({ held, after, asked, counted }) => {
  const s = await ended(held)
  await after?.(s)
  const row = await dry(s, 'REMINDER')
  if (asked === 0) {
    expect(row?.problem?.code).toBe('deposit_covers')
    expect(plain(row?.problem?.detail)).toContain('Déduisez plutôt 60 000 FCFA du dépôt.')
  } else expect(plain(row?.text)).toContain(`${asked / 1000} 000 FCFA`)
  expect(plain(row?.text).includes('Dépôt compté')).toBe(asked > 0 && counted > 0)
  const overview = await late(s)
  expect(overview.late).toMatchObject([{ askedAmount: asked, depositAmount: counted, balanceAmount: asked + counted }])
  // The sum of the arrears stays that of the invoices.
  expect(overview.overdueAmount).toBe(asked + counted)
  const lease = await s.t.call(ANA, `GET /api/v1/bookings/${s.booking}`)
  if (lease.body.status === 'TERMINATED') expect(Math.max(0, -(await balance(s)))).toBe(asked)
})

test('every way of asking says the same: by hand, many at once, the letter, the page', async () => {
  const s = await ended(25_000)
  const formal = await s.remind({ step: 'FORMAL_NOTICE' })
  expect([formal.status, formal.body.amount]).toEqual([201, 35_000])
  await s.t.work()
  const many = await s.t.call<Reminded[]>(ANA, 'POST /api/v1/reminders', { invoiceIds: [s.invoice], channel: 'NONE' })
  const texts = [s.t.sent.findLast((m) => m.purpose === 'reminder_formal_notice')?.text, many.body[0]?.text]
  for (const text of texts) {
    expect(plain(text)).toContain('35 000 FCFA')
    expect(plain(text)).toContain(COUNTED)
    expect(plain(text)).not.toContain('60 000')
  }
  await drawLetters(s.t.deps)
  const link = await s.t.call<{ url: string }>(ANA, `GET /api/v1/messages/${formal.body.id}/letter-url`)
  const { pathname, search } = new URL(link.body.url)
  const file = await s.t.app.handle(new Request(`http://localhost${pathname}${search}`))
  const letter = plain((await readPdf(new Uint8Array(await file.arrayBuffer()))).text)
  expect(letter).toContain(
    'Total des factures : 60 000 FCFA. Le bail a pris fin : le dépôt de garantie détenu, 25 000 FCFA, en est déduit.',
  )
  expect(letter).toContain('trente-cinq mille')
  expect(letter).not.toContain('soixante mille')
  const page = await pageOf(s, texts[0])
  expect(page).toContain('<h1>35 000 FCFA restent dus</h1>')
  expect(page).toContain('25 000 FCFA du dépôt de garantie que détient votre bailleur sont déjà comptés.')
  expect(page).not.toContain('Rien à payer')
})

test('a lease that runs counts no deposit, nor does another lease of the same tenant', async () => {
  const s = await start()
  await deposit(s, 'RECEIVED', 500_000)
  await s.days(10)
  const text = plain(s.t.sent.findLast((m) => m.purpose === 'reminder_reminder')?.text)
  expect(text).toContain('il reste 60 000 FCFA.')
  expect(text).not.toContain('dépôt')
  expect((await late(s)).late).toMatchObject([{ askedAmount: 60_000, depositAmount: 0 }])
  const [property] = (await s.t.call<{ id: string }[]>(ANA, 'GET /api/v1/properties')).body
  const [row] = (await s.t.call<{ tenantId: string }[]>(ANA, 'GET /api/v1/bookings')).body
  const unit = await s.t.call(ANA, `POST /api/v1/properties/${property?.id}/units`, { label: 'B1', rentAmount: 40_000 })
  const other = await s.t.call(ANA, 'POST /api/v1/bookings', {
    unitId: unit.body.id,
    tenantId: row?.tenantId,
    startDate: '2026-03-10',
  })
  for (const act of ['submit', 'activate', 'terminate'])
    await s.t.call(ANA, `POST /api/v1/bookings/${other.body.id}/${act}`)
  await s.t.work()
  const b1 = (await late(s)).late.find((one) => String(one.bookingId) === other.body.id)
  expect(b1?.depositAmount).toBe(0)
  expect(b1?.askedAmount).toBe(b1?.balanceAmount ?? 0)
})

test('the schedule asks for nothing while the deposit covers it, and goes on once it was given back', async () => {
  const s = await start()
  await deposit(s, 'RECEIVED', 90_000)
  s.t.advance(5)
  await post(s, 'terminate', { endDate: '2026-03-14' })
  const before = s.t.sent.length
  await s.days(8)
  expect(s.t.sent.slice(before).filter(({ purpose }) => purpose.startsWith('reminder_'))).toEqual([])
  const [open] = (await s.t.call<{ id: string }[]>(ANA, `GET /api/v1/invoices?bookingId=${s.booking}&status=OVERDUE`))
    .body
  const byHand = await s.t.call(ANA, `POST /api/v1/invoices/${open?.id}/remind`, {})
  expect([byHand.status, byHand.body.code]).toEqual([422, 'deposit_covers'])
  expect(await s.messages()).toHaveLength(1)
  await deposit(s, 'RETURNED', 90_000)
  await s.days(10)
  const told = s.t.sent.slice(before).filter(({ purpose }) => purpose.startsWith('reminder_'))
  expect(told.length).toBeGreaterThan(0)
  for (const { text } of told) expect(text).not.toContain('Dépôt')
})

test('charges invoiced after the end are told of, with what the deposit leaves of them', async () => {
  const s = await start()
  await s.pay(60_000)
  await deposit(s, 'RECEIVED', 30_000)
  s.t.advance(31)
  await s.t.work()
  await post(s, 'terminate', { endDate: '2026-04-09' })
  const told = () => plain(s.t.sent.findLast((m) => m.purpose === 'invoice_issued')?.text)
  await post(s, 'invoices', { lines: [{ label: 'Eau', amount: 20_000 }], dueDate: '2026-05-01' })
  expect(told()).toContain('20 000 FCFA. Votre dépôt de garantie couvre cette somme : rien à payer.')
  await post(s, 'invoices', { lines: [{ label: 'Peinture', amount: 45_000 }], dueDate: '2026-05-01' })
  // What covers the water covers no paint.
  expect(told()).toContain('35 000 FCFA à payer au plus tard le 01/05/2026. Dépôt compté : 10 000 FCFA.')
  expect(await balance(s)).toBe(-35_000)
})

test('the arrears report keeps what the invoices ask for, with the deposit held beside it', async () => {
  const s = await ended(25_000)
  const report = async (format = '') =>
    s.t.call<{ rows: Record<string, number>[]; totals: Record<string, number> }>(
      ANA,
      `GET /api/v1/reports/arrears?asOf=2026-04-10${format}`,
    )
  const { rows, totals } = (await report()).body
  expect(rows).toMatchObject([{ balanceAmount: 60_000, depositHeldAmount: 25_000 }])
  expect(totals).toMatchObject({ balanceAmount: 60_000 })
  expect(totals).not.toHaveProperty('depositHeldAmount')
  await post(s, 'reinstate')
  expect((await report()).body.rows[0]).not.toHaveProperty('depositHeldAmount')
})

test('the portal leads with what the deposit leaves once the lease has ended, and with all of it before', async () => {
  const s = await stage({ given: letting({ startDate: '2026-02-01', billFrom: '2026-02-01' }) })
  const portal = async () => (await s.ask('tom', 'GET /overview')).body
  const held = { type: 'RECEIVED', amount: 50_000, paidOn: '2026-03-10' }
  await s.make('ana', 'POST /bookings/{lease}/deposit', held)
  expect(await portal()).toMatchObject({ owedAmount: 120_000, depositAmount: 0 })
  await s.make('ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-02-28' })
  expect(await portal()).toMatchObject({ owedAmount: 10_000, depositAmount: 50_000 })
  await s.make('ana', 'POST /bookings/{lease}/deposit', { ...held, amount: 40_000 })
  expect(await portal()).toMatchObject({ owedAmount: 0, depositAmount: 60_000 })
  await s.make('ana', 'POST /bookings/{lease}/deposit', { ...held, type: 'RETURNED', amount: 90_000 })
  expect(await portal()).toMatchObject({ owedAmount: 60_000, depositAmount: 0 })
})
