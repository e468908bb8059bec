import { formatDate } from '../../../core/dates.ts'
import { formatMoney } from '../../../core/money.ts'
import { quotedPlace, readAt } from '../../../core/quoted.ts'

type Account = {
  readonly unitLabel: string
  readonly propertyName: string
  /** Deposit and credit less what is owed; below zero the tenant owes it. */
  readonly balance: number
  /** Where all of it can be read; undefined for a tenant without an account. */
  readonly url: string | undefined
}
type Ended = Account & { readonly endDate: string }
type Deducted = Account & { readonly amount: number }

/** What is left between the two. */
const LEFT = {
  fr: (balance: number): string =>
    balance === 0
      ? 'rien à payer ni à rendre'
      : `${formatMoney(Math.abs(balance), 'fr')} ${balance > 0 ? 'à vous rendre' : 'à payer'}`,
  en: (balance: number): string =>
    balance === 0
      ? 'nothing to pay or to give back'
      : `${formatMoney(Math.abs(balance), 'en')} ${balance > 0 ? 'to give back to you' : 'to be paid'}`,
} as const
const BALANCE = {
  fr: ({ balance }: Account): string => `Solde, dépôt compris\u00a0: ${LEFT.fr(balance)}.`,
  en: ({ balance }: Account): string => `Balance with the deposit: ${LEFT.en(balance)}.`,
} as const

/** What a tenant is told at the end of a lease, in their language. */
export const TEXTS = {
  fr: {
    leaseEnded: (l: Ended) =>
      `Votre bail pour ${quotedPlace(l, 'fr')} a pris fin le ${formatDate(l.endDate, 'fr')}. ${BALANCE.fr(l)}${readAt('Décompte\u00a0:', l.url)}`,
    depositDeducted: (l: Deducted) =>
      `${formatMoney(l.amount, 'fr')} sont retenus sur votre dépôt de garantie pour ${quotedPlace(l, 'fr')}. ${BALANCE.fr(l)}${readAt('Motif et décompte\u00a0:', l.url)}`,
  },
  en: {
    leaseEnded: (l: Ended) =>
      `Your lease of ${quotedPlace(l, 'en')} ended on ${formatDate(l.endDate, 'en')}. ${BALANCE.en(l)}${readAt('Account:', l.url)}`,
    depositDeducted: (l: Deducted) =>
      `${formatMoney(l.amount, 'en')} is kept of your deposit for ${quotedPlace(l, 'en')}. ${BALANCE.en(l)}${readAt('Reason and account:', l.url)}`,
  },
} as const satisfies Record<'fr' | 'en', unknown>
