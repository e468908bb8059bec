import { formatDate } from '../../../core/dates.ts'
import { quotedPlace, readAt } from '../../../core/message-text.ts'
import { formatMoney } from '../../../core/money.ts'

type Waived = {
  readonly unitLabel: string
  readonly propertyName: string
  /** Of the invoice. */
  readonly number: string
  readonly dueDate: string
  /** What is no longer asked for, and what still is, in francs. */
  readonly amount: number
  readonly balance: number
  /** Where the credit note can be read; undefined for a tenant without an account. */
  readonly url: string | undefined
}

/** What a tenant is told when the landlord waives a part of an invoice. */
export const TEXTS = {
  fr: {
    waived: ({ number, amount, balance, dueDate, url, ...lease }: Waived) => {
      const left =
        balance === 0
          ? 'il ne reste rien à payer'
          : `il reste ${formatMoney(balance, 'fr')} à payer, échéance le ${formatDate(dueDate, 'fr')}`
      return `Remise de ${formatMoney(amount, 'fr')} sur la facture ${number}, ${quotedPlace(lease, 'fr')}\u00a0: ${left}.${readAt('L’avoir\u00a0:', url)}`
    },
  },
  en: {
    waived: ({ number, amount, balance, dueDate, url, ...lease }: Waived) => {
      const left =
        balance === 0
          ? 'nothing is left to pay'
          : `${formatMoney(balance, 'en')} is left to pay, due on ${formatDate(dueDate, 'en')}`
      return `${formatMoney(amount, 'en')} of the invoice ${number} is waived, ${quotedPlace(lease, 'en')}: ${left}.${readAt('The credit note:', url)}`
    },
  },
} as const
