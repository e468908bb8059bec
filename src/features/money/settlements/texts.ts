import { formatDate } from '../../../core/dates.ts'
import { formatMoney } from '../../../core/money.ts'
import { quotedPlace } from '../../../core/quoted.ts'

type Ended = {
  readonly unitLabel: string
  readonly propertyName: string
  readonly endDate: string
  /** Deposit and credit less what is owed; below zero the tenant owes it. */
  readonly balance: number
  /** Where all of it can be read. */
  readonly url: string
}

/** What a tenant is told at the end of a lease, in their language. */
export const TEXTS = {
  fr: {
    leaseEnded: ({ balance, ...l }: Ended) => {
      const left =
        balance === 0
          ? 'rien à payer ni à rendre'
          : `${formatMoney(Math.abs(balance), 'fr')} ${balance > 0 ? 'à vous rendre' : 'à payer'}`
      return `Votre bail pour ${quotedPlace(l, 'fr')} a pris fin le ${formatDate(l.endDate, 'fr')}. Solde, dépôt compris\u00a0: ${left}. Décompte\u00a0: ${l.url}`
    },
  },
  en: {
    leaseEnded: ({ balance, ...l }: Ended) => {
      const left =
        balance === 0
          ? 'nothing to pay or to give back'
          : `${formatMoney(Math.abs(balance), 'en')} ${balance > 0 ? 'to give back to you' : 'to be paid'}`
      return `Your lease of ${quotedPlace(l, 'en')} ended on ${formatDate(l.endDate, 'en')}. Balance with the deposit: ${left}. Account: ${l.url}`
    },
  },
} as const satisfies Record<'fr' | 'en', unknown>
