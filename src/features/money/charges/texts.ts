import { spanOf } from '../../../core/dates.ts'
import { quotedPlace, readAt } from '../../../core/message-text.ts'
import { formatMoney } from '../../../core/money.ts'

type Shared = {
  readonly unitLabel: string
  readonly propertyName: string
  /** The first and the last day of the charges. */
  readonly from: string
  readonly to: string
  /** PAID: their share, that credit has paid in full. CREDIT: what provisions were higher. */
  readonly outcome: 'PAID' | 'CREDIT' | 'EVEN'
  /** Of PAID and CREDIT, with TVA. */
  readonly amount: number
  /** Where all of it can be read; undefined for a tenant without an account. */
  readonly url: string | undefined
}

/** What a tenant is told when charges were shared and nothing is left to pay; what is to be paid is told with its invoice. */
export const TEXTS = {
  fr: {
    chargesShared: ({ from, to, outcome, amount, ...l }: Shared) => {
      const result = {
        PAID: `${formatMoney(amount, 'fr')}, déjà payés par votre crédit`,
        CREDIT: `${formatMoney(amount, 'fr')} en votre faveur`,
        EVEN: 'rien à payer ni à rendre',
      }[outcome]
      return `Régularisation des charges pour ${quotedPlace(l, 'fr')}, du ${spanOf(from, to, 'fr').join(' au ')}\u00a0: ${result}.${readAt('Le détail\u00a0:', l.url)}`
    },
  },
  en: {
    chargesShared: ({ from, to, outcome, amount, ...l }: Shared) => {
      const result = {
        PAID: `${formatMoney(amount, 'en')}, already paid by your credit`,
        CREDIT: `${formatMoney(amount, 'en')} in your favour`,
        EVEN: 'nothing to pay or to return',
      }[outcome]
      return `Charges for ${quotedPlace(l, 'en')} worked out for ${spanOf(from, to, 'en').join(' to ')}: ${result}.${readAt('The details:', l.url)}`
    },
  },
} as const satisfies Record<'fr' | 'en', unknown>

/** Lines of an invoice of charges. */
export const LABELS = {
  fr: { share: 'quote-part', provisions: (from: string, to: string) => `Provisions du ${from} au ${to}` },
  en: { share: 'share', provisions: (from: string, to: string) => `Provisions from ${from} to ${to}` },
} as const
