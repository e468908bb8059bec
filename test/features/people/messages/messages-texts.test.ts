// Every text that goes to a phone, as SMS: in the GSM alphabet, and one message where its words allow it.
import { expect, test } from 'bun:test'
import { ADJUSTMENTS } from '../../../../src/core/adjustments.ts'
import { momentOf } from '../../../../src/core/dates.ts'
import { smsLength, smsText } from '../../../../src/core/gsm.ts'
import { signedBy } from '../../../../src/core/message-text.ts'
import { PAYMENT_METHODS } from '../../../../src/core/money.ts'
import { TEXTS as LEASE } from '../../../../src/features/lease/leases/texts.ts'
import { TEXTS as ADJUSTMENT } from '../../../../src/features/money/adjustments/texts.ts'
import { TEXTS as CHARGES } from '../../../../src/features/money/charges/texts.ts'
import { SETTLEMENT_TEXTS as SETTLEMENT } from '../../../../src/features/money/leaving/texts.ts'
import { TEXTS as PAYMENT } from '../../../../src/features/money/payments/texts.ts'
import { STEPS } from '../../../../src/features/news/reminders/rules.ts'
import { TEXTS as REMINDERS, UNDELIVERED_TEXTS as UNDELIVERED } from '../../../../src/features/news/reminders/texts.ts'
import { TEXTS as VERIFICATION } from '../../../../src/features/papers/verification/texts.ts'
import { RECOVERY_TEXTS as RECOVERY } from '../../../../src/features/people/accounts/texts.ts'
import { RECOVERY_KINDS } from '../../../../src/features/people/codes/rules.ts'
import { codeText } from '../../../../src/features/people/codes/texts.ts'
import { TEXTS as ACCOUNT } from '../../../../src/features/people/messages/texts.ts'
import { TEXTS as DIGEST } from '../../../../src/features/people/notifications/texts.ts'

/** Names as long as they are in life. */
const UNIT = 'Appartement A12, bâtiment Nord'
const PROPERTY = 'Résidence Makèpè-Missôkè'
const AGENCY = 'Agence immobilière Owona & Fils'
const PLACE = { unitLabel: UNIT, propertyName: PROPERTY }
const CASE = { kind: 'PROPERTY_PROOF', propertyName: PROPERTY, note: 'La pièce est illisible' } as const
const KYC = { ...CASE, kind: 'OWNER_KYC' } as const

type Sample = readonly [name: string, text: string]
const samples = (locale: 'fr' | 'en'): Sample[] => {
  const t = { ...LEASE[locale], ...PAYMENT[locale], ...VERIFICATION[locale], ...ACCOUNT[locale] }
  const given: { readonly [K in keyof typeof t]: readonly string[] } = {
    // These carry a link or a note, so they are looked at below.
    paymentConfirmed: [],
    paymentDeclared: [],
    cashToConfirm: [],
    cashTaken: [],
    cashRefused: [],
    paymentRefused: [],
    paymentReversed: [],
    requested: [],
    passwordChanged: [t.passwordChanged(AGENCY)],
    recoveryCodeIssued: [t.recoveryCodeIssued(AGENCY)],
    invited: [t.invited(AGENCY, 'https://rent.example.cm')],
    accountClosed: [t.accountClosed('dix')],
    phoneChanged: [t.phoneChanged('+237•••••••56', AGENCY)],
    phoneLost: [t.phoneLost('+237•••••••56', `https://rent.example.cm/u/${'aB3-_'.repeat(8)}xy`)],
    phoneRestored: [t.phoneRestored()],
    phoneUndone: [t.phoneUndone('+237•••••••56', AGENCY)],
    accountDisabled: [t.accountDisabled(AGENCY)],
    accountEnabled: [t.accountEnabled()],
    adminRemoved: [],
    verificationDecided: Object.values(t.verificationDecided).flatMap((text) => [text(CASE), text(KYC)]),
    verificationExpiring: [t.verificationExpiring(CASE, '2026-09-30'), t.verificationExpiring(KYC, '2026-09-30')],
    leaseReinstated: [t.leaseReinstated({ ...PLACE, endDate: '2026-09-30' })],
    leaseTerm: [true, false].flatMap((autoRenew) =>
      [null, '2026-09-30'].map((endDate) => t.leaseTerm({ ...PLACE, endDate, autoRenew })),
    ),
  }
  return [
    ['code', codeText('482913', { locale, purpose: 'REGISTRATION' })],
    ...(['LEASE', 'RIDER', 'INSPECTION'] as const).map((kind): Sample => {
      const number = { LEASE: 'L-2026-000123-v2', RIDER: 'A-2026-000123', INSPECTION: 'E-2026-000123' }[kind]
      return [`code to sign a ${kind}`, codeText('482913', { locale, purpose: 'SIGNING', signs: { kind, number } })]
    }),
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
    // An SMS has one kind of space; it reads as the one that does not break.
    expect(smsText(text)).toBe(text.replaceAll('\u00a0', ' '))
    expect(text).toMatch(/^Loyer\s?: .*482913.*10 minutes/)
  }
})

test('a note of two thousand characters makes two messages and no more', () => {
  const text = VERIFICATION.fr.verificationDecided.REJECTED({ ...CASE, note: 'é'.repeat(2000) })
  expect(smsLength(smsText(text))).toEqual({ gsm: true, segments: 2 })
})

/** As long as they are in life. */
const SENDERS = ['Loyer', 'Agence immobilière Owona & Fils']

test('what is said about the rent takes two messages at most, with its link whole', () => {
  const link = `https://rent.example.cm/i/${'aB3-_'.repeat(8)}xy`
  const sums = { open: 1_250_000, balance: 12_250_000, dueDate: '2026-09-30', since: '2026-09-30' }
  const time = [
    { use: 'HOME', payBefore: '2026-09-30' },
    { use: 'BUSINESS', payBefore: '2026-09-30' },
  ] as const
  const kinds = ['RENT', 'CHARGES', 'BALANCE', 'RENT_AND_MORE'] as const
  const owings = kinds.flatMap((owed) =>
    time.flatMap((one) =>
      [1, 12].flatMap((invoices) =>
        [0, 1_250_000].flatMap((depositAmount) =>
          [0, 1_250_000].map((declared) => {
            const purpose = owed === 'RENT_AND_MORE' ? 'RENT' : owed
            return { owed, purpose, time: one, invoices, depositAmount, declared } as const
          }),
        ),
      ),
    ),
  )
  for (const locale of ['fr', 'en'] as const)
    for (const [step, landlord, way, of] of STEPS.flatMap((one) =>
      SENDERS.flatMap((landlord) =>
        [undefined, 'MTN MoMo 677 12 34 56 (Agence Owona)'].flatMap((way) =>
          owings.map((of) => [one, landlord, way, of] as const),
        ),
      ),
    )) {
      // A formal notice says nothing of what was only declared.
      if (step === 'FORMAL_NOTICE' && of.declared > 0) continue
      const owed = { ...PLACE, ...sums, ...of, number: '2026-000123', link }
      const text = smsText(REMINDERS[locale][step]({ ...owed, landlord, way }))
      expect([text, smsLength(text).gsm, smsLength(text).segments <= 2]).toEqual([text, true, true])
      expect(text.split(' ')).toContain(link)
      expect(text.includes('MTN MoMo 677 12 34 56')).toBe(
        way !== undefined && step !== 'FORMAL_NOTICE' && of.depositAmount + of.declared === 0,
      )
      expect(text.includes('Déjà payé') || text.includes('Paid already')).toBe(step === 'REMINDER' && of.declared === 0)
      expect(text).toEndWith(`(${landlord})`)
      expect(text).not.toMatch(/undefined|null|NaN|\[object/)
    }
})

test('what is said of a payment takes two messages at most: sum, place, time, and the way to its receipt', () => {
  const link = `https://rent.example.cm/r/${'aB3-_'.repeat(8)}xy`
  const months = { from: '2026-09-01', to: '2027-08-31' }
  for (const [locale, sum] of [
    ['fr', '1 250 000 FCFA'],
    ['en', 'FCFA 1,250,000'],
  ] as const)
    for (const how of ['RECEIVED', 'WITHHELD', 'KEPT'] as const)
      for (const paidFor of [months, 'CHARGES', 'BALANCE', undefined] as const)
        for (const [sender, payer] of SENDERS.flatMap(
          (s) =>
            [
              [s, null],
              [s, 'Société Camerounaise de Distribution'],
            ] as const,
        )) {
          const paid = { ...PLACE, amount: 1_250_000, how, paidFor, full: true, link, payer }
          const text = smsText(signedBy(PAYMENT[locale].paymentConfirmed(paid), sender))
          expect([text, smsLength(text).gsm, smsLength(text).segments <= 2]).toEqual([text, true, true])
          for (const said of [sum, 'Appartement A12', 'Missok', link, `(${sender})`]) expect(text).toContain(said)
          expect(text.includes('2027')).toBe(paidFor === months)
          // Tax goes to the State: the landlord never has it.
          expect(/bien re[cç]u|have received/.test(text)).toBe(how === 'RECEIVED')
          expect(text).not.toMatch(/undefined|null|NaN|\[object/)
        }
})

test('what an ADMIN does to another takes two messages at most', () => {
  const names = { who: 'Marie-Claire Ngo Bassa épouse Owona', whom: 'Étienne Mbarga Essomba de Nkolbisson' }
  const url = `https://rent.example.cm/a/${'aB3-_'.repeat(8)}xy`
  for (const locale of ['fr', 'en'] as const) {
    const t = RECOVERY[locale]
    const said = { ...names, when: momentOf(Date.parse('2026-11-29T09:15:00Z'), locale, 'Africa/Douala') }
    const texts = RECOVERY_KINDS.flatMap((kind) => [
      t.asked(kind, { ...said, url }),
      t.askedOfOther(kind, { ...said, url: 'https://rent.example.cm/console/users' }),
      t.stopped(kind, { ...said, by: names.whom }),
    ])
    for (const long of [...texts, ACCOUNT[locale].adminRemoved(names.who)]) {
      const text = smsText(long)
      expect([text, smsLength(text).gsm, smsLength(text).segments <= 2]).toEqual([text, true, true])
    }
    // The link that stops it is for the person alone.
    expect(texts.filter((text) => text.includes(url))).toEqual(
      RECOVERY_KINDS.map((kind) => t.asked(kind, { ...said, url })),
    )
  }
})

test('news to those who let, and of payments that do not count, takes two messages at most', () => {
  const url = 'https://rent.example.cm/console/payments'
  const undone = { ...PLACE, amount: 1_250_000, paidOn: '2026-09-30', note: 'Le numéro de la transaction est inconnu' }
  const all = (
    [
      'PAYMENT_DECLARED',
      'LEASE_REQUESTED',
      'LEASE_SIGNED',
      'RENT_ANSWERED',
      'NOTICE_GIVEN',
      'MESSAGE_UNDELIVERED',
      'ADJUSTMENT_MADE',
    ] as const
  ).map((kind) => ({
    kind,
    n: 200,
    amount: kind === 'PAYMENT_DECLARED' ? 25_000_000 : null,
  }))
  for (const locale of ['fr', 'en'] as const) {
    const told = [
      PAYMENT[locale].paymentDeclared({ ...PLACE, amount: 1_250_000, url }),
      ...PAYMENT_METHODS.map((method) => PAYMENT[locale].cashTaken({ ...PLACE, amount: 1_250_000, method, url })),
      ...ADJUSTMENTS.map((kind) =>
        ADJUSTMENT[locale].adjustment({
          ...{ ...PLACE, kind, amount: 1_250_000, actorName: 'Marie-Claire Ngo Bassa' },
          ...{ reason: undone.note, url: 'https://rent.example.cm/console/adjustments' },
        }),
      ),
      PAYMENT[locale].paymentReversed({ ...undone, note: null }),
      PAYMENT[locale].paymentRefused(undone),
      LEASE[locale].requested({ ...PLACE, url }),
      ...[-1, 0, 1].map((sign) =>
        SETTLEMENT[locale].leaseEnded({
          ...{ ...PLACE, endDate: '2026-09-30', balance: sign * 12_250_000 },
          url: 'https://rent.example.cm/portal/lease/01999999-0000-7000-8000-000000000001',
        }),
      ),
      ...[0, -1].map((sign) =>
        SETTLEMENT[locale].leaseRenewed({
          ...{
            ...PLACE,
            startDate: '2026-09-30',
            balance: sign * 1_250_000,
            depositAmount: 85_000,
            creditAmount: sign === 0 ? 88_000 : 0,
          },
          url: 'https://rent.example.cm/portal/lease/01999999-0000-7000-8000-000000000001',
        }),
      ),
      ...[-1, 0, 1].map((sign) =>
        SETTLEMENT[locale].depositDeducted({
          ...{ ...PLACE, amount: 250_000, balance: sign * 12_250_000 },
          url: 'https://rent.example.cm/portal/lease/01999999-0000-7000-8000-000000000001',
        }),
      ),
      ...(['PAID', 'CREDIT', 'EVEN'] as const).map((outcome) =>
        CHARGES[locale].chargesShared({
          ...{ ...PLACE, from: '2026-01-01', to: '2026-09-30', outcome, amount: 12_250_000 },
          url: 'https://rent.example.cm/portal/charges/01999999-0000-7000-8000-000000000001',
        }),
      ),
      UNDELIVERED[locale].undelivered({ ...PLACE, to: '+237•••••••56' }),
      DIGEST[locale].digest(all, 'https://rent.example.cm/console'),
    ]
    for (const text of told.map((one) => smsText(signedBy(one, 'Agence immobilière Owona & Fils')))) {
      expect([text, smsLength(text).gsm, smsLength(text).segments <= 2]).toEqual([text, true, true])
      expect(text).not.toMatch(/undefined|null|NaN|\[object/)
    }
  }
  expect(PAYMENT.fr.paymentRefused(undone)).toContain('Le numéro de la transaction est inconnu')
})
