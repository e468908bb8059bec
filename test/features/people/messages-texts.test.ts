// Every text that goes to a phone, as SMS: in the GSM alphabet, and one message where its words allow it.
import { expect, test } from 'bun:test'
import { smsLength, smsText } from '../../../src/core/gsm.ts'
import { TEXTS as LEASE } from '../../../src/features/lease/bookings/texts.ts'
import { TEXTS as PAYMENT } from '../../../src/features/money/payments/texts.ts'
import { STEPS } from '../../../src/features/news/reminders/rules.ts'
import { TEXTS as REMINDERS } from '../../../src/features/news/reminders/texts.ts'
import { TEXTS as VERIFICATION } from '../../../src/features/papers/verification/texts.ts'
import { codeText } from '../../../src/features/people/challenges/texts.ts'
import { TEXTS as ACCOUNT } from '../../../src/features/people/notices/texts.ts'

/** Names as long as they are in life. */
const UNIT = 'Appartement A12, bâtiment Nord'
const PROPERTY = 'Résidence Makèpè-Missôkè'
const CASE = { kind: 'PROPERTY_PROOF', propertyName: PROPERTY, note: 'La pièce est illisible' } as const
const KYC = { ...CASE, kind: 'OWNER_KYC' } as const

type Sample = readonly [name: string, text: string]
const samples = (locale: 'fr' | 'en'): Sample[] => {
  const t = { ...LEASE[locale], ...PAYMENT[locale], ...VERIFICATION[locale], ...ACCOUNT[locale] }
  const given: { readonly [K in keyof typeof t]: readonly string[] } = {
    paymentConfirmed: [t.paymentConfirmed({ amount: 1_250_000, unitLabel: UNIT })],
    keptOfDeposit: [t.keptOfDeposit({ amount: 1_250_000, unitLabel: UNIT })],
    passwordChanged: [t.passwordChanged()],
    recoveryCodeIssued: [t.recoveryCodeIssued()],
    invited: [t.invited('Agence immobilière Owona & Fils', 'https://rent.example.cm')],
    accountClosed: [t.accountClosed()],
    phoneChanged: [t.phoneChanged('+237•••••••56')],
    phoneLost: [t.phoneLost('+237•••••••56', `https://rent.example.cm/u/${'aB3-_'.repeat(8)}xy`)],
    phoneRestored: [t.phoneRestored()],
    phoneUndone: [t.phoneUndone('+237•••••••56')],
    accountDisabled: [t.accountDisabled()],
    accountEnabled: [t.accountEnabled()],
    verificationDecided: Object.values(t.verificationDecided).flatMap((text) => [text(CASE), text(KYC)]),
    verificationExpiring: [t.verificationExpiring(CASE, '2026-09-30'), t.verificationExpiring(KYC, '2026-09-30')],
    leaseEnded: [t.leaseEnded({ unitLabel: UNIT, endDate: '2026-09-30' })],
    leaseReinstated: [t.leaseReinstated({ unitLabel: UNIT, endDate: '2026-09-30' })],
  }
  return [
    ['code', codeText('482913', { locale, purpose: 'REGISTRATION' })],
    ['code for a new number', codeText('482913', { locale, purpose: 'REAUTHENTICATION' })],
    ...Object.entries(given).flatMap(([name, texts]) => texts.map((text): Sample => [name, text])),
  ]
}

for (const locale of ['fr', 'en'] as const)
  for (const [name, text] of samples(locale))
    test(`${locale} ${name}: ${text.slice(0, 40)}…`, () => {
      expect({ text: smsText(text), ...smsLength(smsText(text)) }).toEqual({
        text: smsText(text),
        gsm: true,
        segments: 1,
      })
      // A name, whom not to share it with: what people look for.
      expect(text).not.toMatch(/undefined|null|NaN|\[object/)
    })

test('a code needs no letter written by another: it reads the same on every phone', () => {
  for (const locale of ['fr', 'en'] as const) {
    const text = codeText('482913', { locale, purpose: 'REGISTRATION' })
    expect(smsText(text)).toBe(text)
    expect(text).toMatch(/^Loyer ?: .*482913.*10 minutes/)
  }
})

test('a note of two thousand characters makes two messages and no more', () => {
  const text = VERIFICATION.fr.verificationDecided.REJECTED({ ...CASE, note: 'é'.repeat(2000) })
  expect(smsLength(smsText(text))).toEqual({ gsm: true, segments: 2 })
})

test('what is said about the rent takes two messages at most, with its link whole', () => {
  const link = `https://rent.example.cm/i/${'aB3-_'.repeat(8)}xy`
  const owed = { number: '2026-000123', unitLabel: UNIT, balance: 1_250_000, dueDate: '2026-09-30', link }
  for (const locale of ['fr', 'en'] as const)
    for (const step of STEPS)
      for (const landlord of [null, 'Agence immobilière Owona & Fils']) {
        const text = smsText(REMINDERS[locale][step]({ ...owed, landlord }))
        expect([step, smsLength(text).gsm, smsLength(text).segments <= 2]).toEqual([step, true, true])
        expect(text.split(' ')).toContain(link)
        expect(text).not.toMatch(/undefined|null|NaN|\[object/)
      }
})
