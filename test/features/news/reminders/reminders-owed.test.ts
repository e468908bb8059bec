// What a lease owes in all: the same in messages, pages, letters and figures, debts brought in among it.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { drawLetters } from '../../../../src/features/news/reminders/jobs.ts'
import { readPdf } from '../../../support/papers.ts'
import { ADA, ANA, start } from '../../../support/reminded.ts'

setDefaultTimeout(60_000)
type Begun = Awaited<ReturnType<typeof start>>
type Invoice = { id: string; dueDate: string; status: string; grossAmount: number }
const plain = (text: string | undefined): string => (text ?? '').replace(/\s+/g, ' ')
const last = (s: Begun, purpose: string): string => plain(s.t.sent.findLast((m) => m.purpose === purpose)?.text)
const invoicesOf = async (s: Begun, lease = s.booking) =>
  (await s.t.call<Invoice[]>(ANA, `GET /api/v1/invoices?order=asc&bookingId=${lease}`)).body
const page = async (s: Begun, text: string): Promise<string> => {
  const path = /\/i\/[\w-]{42}/.exec(text)?.[0]
  return plain(await (await s.t.app.handle(new Request(`http://localhost${path}`))).text())
}

/** A lease of a unit of its own, in force, beside that of `start`. */
async function lease(s: Begun, unit: object, terms: object): Promise<string> {
  const [property] = (await s.t.call<{ id: string }[]>(ANA, 'GET /api/v1/properties')).body
  const made = await s.t.call(ANA, `POST /api/v1/properties/${property?.id}/units`, { rentAmount: 60_000, ...unit })
  const tenant = await s.t.call(ANA, 'POST /api/v1/tenants', { fullName: 'Paul', phoneNumber: '+237655443322' })
  const body = { unitId: made.body.id, tenantId: tenant.body.id, ...terms }
  const booking = String((await s.t.call(ANA, 'POST /api/v1/bookings', body)).body.id)
  await s.t.call(ANA, `POST /api/v1/bookings/${booking}/submit`)
  await s.t.call(ANA, `POST /api/v1/bookings/${booking}/activate`)
  await s.t.work()
  return booking
}

test('of two months that are late a reminder says the sum of both and since when, once a day', async () => {
  const s = await start()
  await s.days(21)
  const before = s.purposes().length
  await s.days(31)
  // Of the second month: called, reminded before, on the day and after.
  expect(s.purposes().slice(before)).toEqual([
    'invoice_issued',
    'reminder_upcoming',
    'reminder_due',
    'reminder_reminder',
    'reminder_reminder',
    'reminder_final',
  ])
  expect(last(s, 'invoice_issued')).toContain(
    'Loyer pour « A1 », « Villa » : 60 000 FCFA à payer au plus tard le 15/04/2026. Avec l’arriéré (dû depuis le 15/03/2026) : 120 000 FCFA.',
  )
  const text = last(s, 'reminder_reminder')
  expect(text).toContain('120 000 FCFA de loyer pour « A1 », « Villa » restent dus depuis le 15 mars 2026. Déjà payé ?')
  expect(text).not.toContain('60 000 FCFA')
  expect((await s.messages()).at(-1)?.amount).toBe(120_000)
  const shown = await page(s, text)
  expect(shown).toContain('En retard en tout : 120 000 FCFA, depuis le 15 mars 2026')
  expect(shown.indexOf('Loyer 2026-000001')).toBeLessThan(shown.indexOf('Loyer 2026-000002'))
  expect(shown).toContain('attendu le 15 mars 2026')
})

test('a reminder says what was declared; of what is declared whole the schedule is silent until it is refused', async () => {
  const s = await start(undefined, { confirmCash: true })
  const receivedBy = (await s.t.call<{ id: string }>(ADA, 'GET /api/v1/me')).body.id
  const declare = async (amount: number) => {
    const body = { amount, method: 'CASH', paidOn: '2026-03-10', receivedBy }
    return String((await s.t.call(ANA, `POST /api/v1/invoices/${s.invoice}/payments`, body)).body.id)
  }
  const part = await declare(20_000)
  await s.days(8)
  const text = last(s, 'reminder_reminder')
  expect(text).toContain('il reste 60 000 FCFA. 20 000 FCFA déclarés, à confirmer. http')
  expect(text).not.toContain('Déjà payé')
  await s.t.call(ADA, `POST /api/v1/payments/${part}/reject`, { reason: 'Rien reçu' })
  const whole = await declare(60_000)
  const before = s.purposes().filter((purpose) => purpose.startsWith('reminder')).length
  await s.days(5)
  expect(s.purposes().filter((purpose) => purpose.startsWith('reminder'))).toHaveLength(before)
  // By hand it goes out all the same.
  expect((await s.remind()).status).toBe(201)
  await s.t.call(ADA, `POST /api/v1/payments/${whole}/reject`, { reason: 'Rien reçu' })
  await s.days(8)
  expect(last(s, 'reminder_final')).toContain('60 000 FCFA de loyer pour « A1 », « Villa » restent dus')
  expect(last(s, 'reminder_final')).not.toContain('déclarés')
})

test('of one month that is late nothing is said twice, and what is not due yet is not asked for', async () => {
  const s = await start()
  await s.days(31)
  const text = last(s, 'reminder_final')
  expect(text).toContain(
    'Dernier rappel : 60 000 FCFA de loyer pour « A1 », « Villa » restent dus depuis le 15 mars 2026.',
  )
  expect(await page(s, text)).not.toContain('En retard en tout')
})

test('a balance brought in is overdue at once, in every figure, and the tenant is reminded of it', async () => {
  const s = await start()
  await s.pay(60_000)
  const sent = s.t.sent.length
  const id = await lease(
    s,
    { label: 'B1' },
    { startDate: '2024-05-20', billFrom: '2026-03-20', openingBalance: 75_000 },
  )
  const [balance] = await invoicesOf(s, id)
  await s.t.work()
  expect(balance).toMatchObject({ dueDate: '2026-03-09', grossAmount: 75_000 })
  const home = await s.t.call<{ overdueAmount: number; late: unknown[] }>(ANA, 'GET /api/v1/overview')
  expect(home.body.overdueAmount).toBe(75_000)
  expect(home.body.late).toMatchObject([{ bookingId: id, balanceAmount: 75_000, daysLate: 1 }])
  const report = await s.t.call<{ totals: object }>(ANA, 'GET /api/v1/reports/arrears?asOf=2026-03-10')
  expect(report.body.totals).toMatchObject({ balanceAmount: 75_000 })
  // Nobody is flooded on the day, nor told that something is due that was due long ago.
  expect(s.t.sent.slice(sent).filter(({ purpose }) => purpose !== 'payment_confirmed')).toEqual([])
  await s.days(3)
  expect(last(s, 'reminder_reminder')).toContain(
    '75 000 FCFA d’ancien solde pour « B1 », « Villa » restent dus depuis le 9 mars 2026.',
  )
  const formal = await s.t.call<{ amount: number }>(ANA, `POST /api/v1/invoices/${balance?.id}/remind`, {
    step: 'FORMAL_NOTICE',
  })
  expect([formal.status, formal.body.amount]).toEqual([201, 75_000])
  const shown = await page(s, last(s, 'reminder_reminder'))
  expect(shown).toContain('Solde antérieur')
  expect(shown).not.toContain('Facture de loyer')
})

test('months of a lease that is brought in with its debts make one message a day, of all of them', async () => {
  const s = await start()
  await s.pay(60_000)
  const id = await lease(s, { label: 'B1' }, { startDate: '2024-05-20', billFrom: '2025-11-20' })
  const sent = s.t.sent.length
  await s.days(3)
  const told = s.t.sent.slice(sent).filter(({ to }) => to === '+237655443322')
  expect(told.map(({ purpose }) => purpose)).toEqual(['reminder_reminder'])
  const owed = (await invoicesOf(s, id)).filter(({ status }) => status === 'OVERDUE')
  expect(owed).toHaveLength(4)
  expect(plain(told[0]?.text)).toContain(
    '240 000 FCFA de loyer pour « B1 », « Villa » restent dus depuis le 25 novembre 2025.',
  )
})

test.each([
  [
    'a home',
    {},
    'sous huit jours, au plus tard le 11/04/2026',
    ['huit (8) jours', '11 avril 2026'],
    ['133', 'un (1) mois'],
  ],
  [
    'business premises',
    { type: 'SHOP' },
    'sous un mois à compter de la réception',
    ['article 133', 'un (1) mois', '3 mai 2026', 'bref délai'],
    ['huit (8) jours'],
  ],
] as const)('a formal notice of %s: message, page and letter say the same', async (_name, unit, time, says, never) => {
  const s = await start()
  const id = await lease(s, { label: 'C1', ...unit }, { startDate: '2026-03-10' })
  s.t.advance(24)
  await s.t.work()
  const [invoice] = await invoicesOf(s, id)
  const made = await s.t.call(ANA, `POST /api/v1/invoices/${invoice?.id}/remind`, { step: 'FORMAL_NOTICE' })
  await s.t.work()
  const text = last(s, 'reminder_formal_notice')
  expect(text).toContain(
    `MISE EN DEMEURE : 60 000 FCFA de loyer pour « C1 », « Villa », dus depuis le 15/03/2026, à payer ${time}.`,
  )
  await drawLetters(s.t.deps)
  const link = await s.t.call<{ url: string }>(ANA, `GET /api/v1/messages/${made.body.id}/letter-url`)
  const { pathname, search } = new URL(link.body.url)
  const file = await s.t.app.handle(new Request(`http://localhost${pathname}${search}`))
  const letter = plain((await readPdf(new Uint8Array(await file.arrayBuffer()))).text)
  for (const words of ['60 000 FCFA', ...says]) expect(letter).toContain(words)
  for (const words of never) expect(letter).not.toContain(words)
})

test('charges are called charges', async () => {
  const s = await start()
  await s.pay(60_000)
  const lines = [{ label: 'Eau', amount: 4_500 }]
  await s.t.call(ANA, `POST /api/v1/bookings/${s.booking}/invoices`, { lines, dueDate: '2026-03-20' })
  await s.t.work()
  expect(last(s, 'invoice_issued')).toContain(
    'Charges pour « A1 », « Villa » : 4 500 FCFA à payer au plus tard le 20 mars 2026.',
  )
  const shown = await page(s, last(s, 'invoice_issued'))
  expect(shown).toContain('Facture de charges')
  expect(shown).not.toContain('Facture de loyer')
  await s.days(13)
  expect(last(s, 'reminder_reminder')).toContain(
    '4 500 FCFA de charges pour « A1 », « Villa » restent dus depuis le 20 mars 2026.',
  )
  expect(s.t.sent.map(({ text }) => text).join(' ')).not.toContain('loyer « A1 »')
  expect((await s.t.call(ADA, 'GET /api/v1/overview')).body.overdueAmount).toBe(4_500)
})
