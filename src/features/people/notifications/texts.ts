import { formatMoney } from '../../../core/money.ts'
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
  LEASE_REQUESTED: (n) => one(n, 'unit asked for', 'units asked for'),
  LEASE_SIGNED: (n) => one(n, 'lease signed', 'leases signed'),
  RENT_ANSWERED: (n) => one(n, 'change of rent answered', 'changes of rent answered'),
  NOTICE_GIVEN: (n) => one(n, 'notice given or withdrawn', 'notices given or withdrawn'),
  MESSAGE_UNDELIVERED: (n) => one(n, 'message not delivered', 'messages not delivered'),
  ADJUSTMENT_MADE: (n) => one(n, 'amount adjusted', 'amounts adjusted'),
}

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
