import { quoted, typedPlain } from '../../../core/message-text.ts'
import { formatMoney } from '../../../core/money.ts'
import { METHOD_NAMES } from '../../../core/payment-methods.ts'
import { maskNumber } from '../../../core/phone.ts'
import type { LandlordKind } from './rules.ts'

type Waiting = { readonly kind: LandlordKind; readonly n: number; readonly amount: number | null }
const one = (n: number, single: string, several: string): string => `${n} ${n > 1 ? several : single}`
const inBrackets = (amount: number | null, locale: 'fr' | 'en'): string =>
  amount === null ? '' : ` (${formatMoney(amount, locale)})`

const FR: Readonly<Record<LandlordKind, (n: number) => string>> = {
  PAYMENT_DECLARED: (n) => one(n, 'paiement déclaré', 'paiements déclarés'),
  LEASE_REQUESTED: (n) => one(n, 'logement demandé', 'logements demandés'),
  LEASE_SIGNED: (n) => one(n, 'bail signé', 'baux signés'),
  RENT_ANSWERED: (n) => one(n, 'réponse à un changement de loyer', 'réponses à des changements de loyer'),
  NOTICE_GIVEN: (n) => one(n, 'congé donné ou retiré', 'congés donnés ou retirés'),
  MESSAGE_UNDELIVERED: (n) => one(n, 'message non remis', 'messages non remis'),
  ADJUSTMENT_MADE: (n) => one(n, 'somme corrigée', 'sommes corrigées'),
}
const EN: Readonly<Record<LandlordKind, (n: number) => string>> = {
  PAYMENT_DECLARED: (n) => one(n, 'payment declared', 'payments declared'),
  LEASE_REQUESTED: (n) => one(n, 'home requested', 'homes requested'),
  LEASE_SIGNED: (n) => one(n, 'lease signed', 'leases signed'),
  RENT_ANSWERED: (n) => one(n, 'change of rent answered', 'changes of rent answered'),
  NOTICE_GIVEN: (n) => one(n, 'notice given or withdrawn', 'notices given or withdrawn'),
  MESSAGE_UNDELIVERED: (n) => one(n, 'message not delivered', 'messages not delivered'),
  ADJUSTMENT_MADE: (n) => one(n, 'amount adjusted', 'amounts adjusted'),
}

type Way = { readonly method: keyof (typeof METHOD_NAMES)['fr']; readonly number?: string }
type PayTo = {
  /** Undefined for all properties without a way to pay of their own. */
  readonly propertyName: string | undefined
  readonly who: string
  readonly before: readonly Way[]
  readonly after: readonly Way[]
  readonly page: string
}
/** The ways to pay in one line, of numbers only the last digits: a message is read by others too. */
const waysIn = (ways: readonly Way[], locale: 'fr' | 'en', none: string): string =>
  ways
    .map(({ method, number }) => [METHOD_NAMES[locale][method], number && maskNumber(number)].filter(Boolean).join(' '))
    .join(', ') || none

/** The morning message for landlords: how much happened of each kind, and where to see it. */
export const TEXTS = {
  fr: {
    digest: (all: readonly Waiting[], url: string) =>
      `Depuis votre dernier résumé\u00a0: ${all.map(({ kind, n, amount }) => `${FR[kind](n)}${inBrackets(amount, 'fr')}`).join(', ')}. À voir sur ${url}`,
  },
  en: {
    digest: (all: readonly Waiting[], url: string) =>
      `Since your last digest: ${all.map(({ kind, n, amount }) => `${EN[kind](n)}${inBrackets(amount, 'en')}`).join(', ')}. See ${url}`,
  },
} as const satisfies Record<'fr' | 'en', unknown>

/** What administrators and owners are told of a changed place to pay. */
export const PAY_TO_TEXTS = {
  fr: {
    changed: ({ propertyName, who, before, after, page }: PayTo) =>
      `Le loyer ${propertyName === undefined ? 'se paie' : `de ${quoted(propertyName, 'fr')} se paie`} désormais ainsi\u00a0: ${waysIn(after, 'fr', 'rien d’indiqué')} (avant\u00a0: ${waysIn(before, 'fr', 'rien d’indiqué')}). Modifié par ${typedPlain(who)}. Si ce changement n’est pas voulu, corrigez-le aussitôt\u00a0: ${page}`,
  },
  en: {
    changed: ({ propertyName, who, before, after, page }: PayTo) =>
      `The rent ${propertyName === undefined ? 'is' : `of ${quoted(propertyName, 'en')} is`} now paid as follows: ${waysIn(after, 'en', 'nothing stated')} (before: ${waysIn(before, 'en', 'nothing stated')}). Changed by ${typedPlain(who)}. If this is not meant, correct it at once: ${page}`,
  },
} as const satisfies Record<'fr' | 'en', unknown>
