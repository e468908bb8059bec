// Every message that the service writes, in both languages: who it is from, which unit of which building, amounts with
// their currency, the last day to pay, the typography of its language, and nothing that only a program reads.
import { describe, expect, test } from 'bun:test'
import { signedBy } from '../../../../src/core/message-text.ts'
import { TEXTS as INSPECTIONS } from '../../../../src/features/lease/inspections/texts.ts'
import { TEXTS as BOOKINGS } from '../../../../src/features/lease/leases/texts.ts'
import { TEXTS as REPAIRS } from '../../../../src/features/lease/repairs/texts.ts'
import { TEXTS as SIGNING } from '../../../../src/features/lease/signing/texts.ts'
import { TEXTS as ADJUSTMENTS } from '../../../../src/features/money/adjustments/texts.ts'
import { TEXTS as CHARGES } from '../../../../src/features/money/charges/texts.ts'
import {
  CORRECTION_TEXTS as CORRECTIONS,
  NOTICE_TEXTS as DEPARTURES,
  SETTLEMENT_TEXTS as SETTLEMENTS,
} from '../../../../src/features/money/leaving/texts.ts'
import { TEXTS as PAYMENTS } from '../../../../src/features/money/payments/texts.ts'
import { TEXTS as RENT_CHANGES } from '../../../../src/features/money/rents/texts.ts'
import { TEXTS as WAIVERS } from '../../../../src/features/money/waivers/texts.ts'
import { TEXTS as REMINDERS, UNDELIVERED_TEXTS as UNDELIVERED } from '../../../../src/features/news/reminders/texts.ts'
import { TEXTS as VERIFICATION } from '../../../../src/features/papers/verification/texts.ts'
import { FACTOR_NEWS, RECOVERY_TEXTS } from '../../../../src/features/people/accounts/texts.ts'
import { TEXTS as ACCOUNT } from '../../../../src/features/people/messages/texts.ts'
import { TEXTS as DIGEST, PAY_TO_TEXTS } from '../../../../src/features/people/notifications/texts.ts'

type Locale = 'fr' | 'en'
const LANDLORD = 'Agence Owona'
const URL = 'https://rent.example.cm/portal/lease/01999999-0000-7000-8000-000000000001'
const PLACE = { unitLabel: 'Appartement A1', propertyName: 'Villa Bonapriso' }
const [SUM, LESS, DAY, LATER] = [1_250_000, 60_000, '2026-03-15', '2026-09-30']
const LEASE = { ...PLACE, tvaBasisPoints: 0, startDate: DAY, endDate: LATER, rentAmount: SUM, url: URL, home: URL }
/** With a page of the portal to lead to, and without, for who has no account. */
const LED = [URL, undefined]
/** What a landlord reads always leads to a page of the console. */
const TO_LANDLORD = /^(REPORTED|declined)$/
const leadsNowhere = (one: unknown): boolean =>
  Object.entries(one ?? {}).some(([k, v]) => k === 'url' && v === undefined)
const PAID = {
  ...LEASE,
  amount: SUM,
  method: 'OTHER',
  paidOn: DAY,
  note: 'Numéro inconnu',
  link: URL,
  from: 'B2, Tour',
}
const OWED = {
  ...{ ...LEASE, number: '2026-000123', open: LESS, dueDate: DAY, balance: SUM, since: DAY, landlord: LANDLORD },
  ...{ link: URL, way: 'MTN MoMo 677 12 34 56 (Paul Owona)', time: { use: 'HOME', payBefore: LATER } },
}
const PURPOSES = ['RENT', 'CHARGES', 'BALANCE', 'RENT_AND_MORE']
const SPAN = { from: DAY, to: LATER }
const CASES = ['OWNER_KYC', 'PROPERTY_PROOF'].map((kind) => ({ kind, propertyName: 'Villa', note: 'Pièce illisible' }))

const ASKED = { who: 'Paul Mbarga', whom: 'Odile Owona', by: 'Odile Owona', when: '16 mars 2026 à 09:05', url: URL }

type Texts = Readonly<Record<Locale, object>>
/** The texts of a feature, and what each of them is given: every text of it is rendered with every row. */
type Told = readonly [feature: string, texts: Texts, given: readonly (readonly unknown[])[], from: 'LANDLORD' | 'LOYER']
const TOLD: readonly Told[] = [
  ['bookings', BOOKINGS, [true, false].map((autoRenew) => [{ ...LEASE, autoRenew }]), 'LANDLORD'],
  [
    'open lease',
    { fr: { t: BOOKINGS.fr.leaseTerm }, en: { t: BOOKINGS.en.leaseTerm } },
    [[{ ...LEASE, endDate: null }]],
    'LANDLORD',
  ],
  [
    'inspections',
    INSPECTIONS,
    [true, false].flatMap((exit) => LED.map((url) => [{ ...LEASE, exit, url }])),
    'LANDLORD',
  ],
  [
    'repairs',
    REPAIRS,
    [true, false].flatMap((urgent) =>
      LED.map((url) => [{ ...LEASE, title: 'Fuite d’eau', urgent, plannedOn: DAY, url }]),
    ),
    'LANDLORD',
  ],
  ['signing', SIGNING, [[LEASE, URL]], 'LANDLORD'],
  ['corrections', CORRECTIONS, [[LEASE], [{ ...LEASE, endDate: null }]], 'LANDLORD'],
  [
    'departures',
    DEPARTURES,
    [
      [LEASE, DAY, 'Tom Mbarga'],
      [LEASE, DAY, ''],
    ],
    'LANDLORD',
  ],
  [
    'payments',
    PAYMENTS,
    ['RECEIVED', 'WITHHELD', 'KEPT', 'CREDIT'].flatMap((how) =>
      [SPAN, undefined].flatMap((span) => [true, false].map((full) => [{ ...PAID, how, span, full }])),
    ),
    'LANDLORD',
  ],
  [
    'charges',
    CHARGES,
    ['PAID', 'CREDIT', 'EVEN'].flatMap((outcome) => LED.map((url) => [{ ...PAID, ...SPAN, outcome, url }])),
    'LANDLORD',
  ],
  [
    'waivers',
    WAIVERS,
    [SUM, 0].flatMap((balance) => LED.map((url) => [{ ...OWED, amount: LESS, balance, url }])),
    'LANDLORD',
  ],
  [
    'rent changes',
    RENT_CHANGES,
    LED.map((url) => [LEASE, { fromDate: DAY, rentAmount: SUM, previousAmount: LESS }, { url, home: URL }]),
    'LANDLORD',
  ],
  [
    'settlements',
    SETTLEMENTS,
    [SUM, -SUM, 0].flatMap((balance) =>
      LED.map((url) => [{ ...LEASE, amount: LESS, depositAmount: SUM, creditAmount: LESS, balance, url }]),
    ),
    'LANDLORD',
  ],
  [
    'reminders',
    REMINDERS,
    PURPOSES.flatMap((purpose) => [1, 2].map((invoices) => [{ ...OWED, purpose, owed: purpose, invoices }])),
    'LANDLORD',
  ],
  [
    'reminders of a business',
    REMINDERS,
    [[{ ...OWED, purpose: 'RENT', owed: 'RENT', invoices: 1, time: { use: 'BUSINESS', payBefore: LATER } }]],
    'LANDLORD',
  ],
  [
    'an invoice of shared charges',
    { fr: { t: REMINDERS.fr.RENT_CALL }, en: { t: REMINDERS.en.RENT_CALL } },
    [[{ ...OWED, purpose: 'CHARGES', owed: 'CHARGES', invoices: 2, shared: SPAN }]],
    'LANDLORD',
  ],
  ['undelivered', UNDELIVERED, [[{ ...PLACE, to: '+237•••••••56' }]], 'LANDLORD'],
  ['verification', VERIFICATION, CASES.map((one) => [one, DAY]), 'LANDLORD'],
  [
    'digest',
    DIGEST,
    [
      [
        [
          { kind: 'PAYMENT_DECLARED', n: 3, amount: SUM },
          { kind: 'NOTICE_GIVEN', n: 1, amount: null },
        ],
        URL,
      ],
    ],
    'LANDLORD',
  ],
  [
    'place to pay',
    PAY_TO_TEXTS,
    [PLACE.propertyName, undefined].flatMap((propertyName) =>
      [[], [{ method: 'BANK_TRANSFER', number: '10033 05201 02' }]].map((before) => [
        { propertyName, who: 'Paul Mbarga', before, after: [{ method: 'MTN_MOMO', number: '677123456' }], page: URL },
      ]),
    ),
    'LANDLORD',
  ],
  [
    'adjustments',
    ADJUSTMENTS,
    ['PAYMENT_REVERSED', 'RENT_LOWERED', 'FEES_CHANGED'].flatMap((kind) => [
      [{ ...PLACE, kind, actorName: 'Paul Mbarga', amount: SUM, reason: 'Saisi deux fois', url: URL }],
      [{ ...PLACE, kind, actorName: null, amount: null, reason: null, url: URL }],
    ]),
    'LANDLORD',
  ],
  ['account', ACCOUNT, [['+237•••••••56', URL]], 'LOYER'],
  ['second factor', FACTOR_NEWS, [[3]], 'LOYER'],
  ['recovery', RECOVERY_TEXTS, ['RECOVERY_CODE', 'SECOND_FACTOR'].map((kind) => [kind, ASKED]), 'LOYER'],
]
/** No single unit is meant: the whole of a morning, where all rents of a building are paid, a person's identity, a building, a person's account. */
const WITHOUT_UNIT = ['digest', 'place to pay', 'verification', 'account', 'second factor', 'recovery']

/** Every text below `of`, with the way to it. */
function leaves(of: object, path = ''): [path: string, text: unknown][] {
  return Object.entries(of).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' ? leaves(value, `${path}${key}.`) : [[`${path}${key}`, value]],
  )
}
const said = (text: unknown, given: readonly unknown[]): string =>
  typeof text === 'function' ? String(Reflect.apply(text, undefined, given)) : String(text)

const RULES: Readonly<Record<Locale, { readonly money: RegExp; readonly due: RegExp; readonly never: RegExp }>> = {
  fr: {
    money: /^\d{1,3}(\u00a0\d{3})*\u00a0FCFA$/,
    due: /au plus tard/,
    // A plain space, or none, before the marks that take one; quotes without theirs.
    never: /[^\u00a0][;?!»](?=\s|$)|[^\u00a0]:(?=\s|$)|«[^\u00a0]|["“”]/,
  },
  en: { money: /^FCFA\u00a0\d{1,3}(,\d{3})*$/, due: /at the latest/, never: /\s[:;?!]|[«»]/ },
}
/** Words in capitals that people read. */
const CAPITALS = /\b(?:FCFA|MTN|MISE EN DEMEURE|FORMAL NOTICE)\b/g

const messages = (locale: Locale) =>
  TOLD.flatMap(([feature, texts, rows, from]) =>
    leaves(texts[locale]).flatMap(([path, text]) =>
      rows.flatMap((given) => {
        if (TO_LANDLORD.test(path) && given.some(leadsNowhere)) return []
        const plain = said(text, given)
        // Reminders sign by themselves, an invitation begins with the name; the others are signed as they leave.
        const signs = from === 'LOYER' || feature.startsWith('reminders') || feature.startsWith('an invoice')
        return { feature, path, from, text: signs ? plain : signedBy(plain, LANDLORD) }
      }),
    ),
  )

describe.each(['fr', 'en'] as const)('%s', (locale) => {
  const { money, due, never } = RULES[locale]
  test.each(messages(locale))('$feature $path', ({ feature, path, from, text }) => {
    const words = text.replaceAll(URL, '').replaceAll('MTN MoMo 677 12 34 56', '')
    if (from === 'LANDLORD') expect(text).toEndWith(`(${LANDLORD})`)
    else expect(text).toContain('Loyer')
    if (!WITHOUT_UNIT.includes(feature))
      for (const name of Object.values(PLACE))
        expect(text).toContain(locale === 'fr' ? `«\u00a0${name}\u00a0»` : `“${name}”`)
    // Whatever is written with thousands is an amount, and has its currency.
    for (const [amount] of words.matchAll(/(?:FCFA\u00a0)?\d{1,3}(?:[\u00a0 ,.]\d{3})+(?:\u00a0FCFA)?|\d{5,}/g))
      if (amount !== '000123') expect([text, amount]).toEqual([text, expect.stringMatching(money)])
    if (
      feature !== 'reminders of a business' &&
      /RENT_CALL|UPCOMING|DUE|FORMAL_NOTICE|^t$/.test(path) &&
      /reminders|invoice/.test(feature)
    )
      expect(text).toMatch(due)
    expect([text, never.exec(words)?.[0]]).toEqual([text, undefined])
    expect(words.replace(CAPITALS, '')).not.toMatch(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/)
    expect(words).not.toMatch(/undefined|null|NaN|\[object|[0-9a-f]{8}-[0-9a-f]{4}-/)
  })
})

test('both languages have the same texts, and none is left out above', async () => {
  const seen = new Set(TOLD.map(([, texts]) => texts))
  for (const [, { fr, en }] of TOLD) expect(leaves(fr).map(([path]) => path)).toEqual(leaves(en).map(([path]) => path))
  // Papers, legal texts, a code and the ROOMS of an inspection are no messages.
  const NOT_MESSAGES = /\/(contracts|overview|reports|health|personal-data|legal|codes|lease-account)\//
  for await (const path of new Bun.Glob('src/features/*/*/texts.ts').scan(`${import.meta.dir}/../../../..`)) {
    if (NOT_MESSAGES.test(path)) continue
    const texts: Record<string, object> = await import(`../../../../${path}`)
    const missing = Object.keys(texts).filter(
      (name) => /TEXTS$|^FACTOR_NEWS$/.test(name) && !seen.has(texts[name] as never),
    )
    expect([path, missing]).toEqual([path, []])
  }
})
