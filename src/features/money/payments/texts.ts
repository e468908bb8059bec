import { formatDate } from '../../../core/dates.ts'
import { formatMoney } from '../../../core/money.ts'
import { quotedPlace } from '../../../core/quoted.ts'

type Confirmed = {
  readonly amount: number
  /** WITHHELD: tax that the tenant pays to the State, never received. KEPT: taken from the deposit; no money came. */
  readonly how: 'RECEIVED' | 'WITHHELD' | 'KEPT'
  readonly unitLabel: string
  readonly propertyName: string
  /** The days that it pays for; undefined where it is kept for later. */
  readonly span: { readonly from: string; readonly to: string } | undefined
  /** Nothing is left to pay of what it went to: its receipt is a quittance. */
  readonly full: boolean
  readonly link: string
}

/** What tenants are told of their payments, in their language. */
export const TEXTS = {
  fr: {
    paymentConfirmed: (p: Confirmed) => {
      const sum = formatMoney(p.amount, 'fr')
      const got = {
        RECEIVED: `Nous avons bien reçu ${sum}`,
        WITHHELD: `Retenue à la source de ${sum} notée`,
        KEPT: `${sum} payés sur votre dépôt de garantie`,
      }[p.how]
      const time = p.span
        ? `, du ${formatDate(p.span.from, 'fr')} au ${formatDate(p.span.to, 'fr')}`
        : ', en avance sur les loyers à venir'
      return `${got} pour ${quotedPlace(p, 'fr')}${time}. ${p.full ? 'Quittance' : 'Reçu'} : ${p.link}`
    },
  },
  en: {
    paymentConfirmed: (p: Confirmed) => {
      const sum = formatMoney(p.amount, 'en')
      const got = {
        RECEIVED: `We have received ${sum}`,
        WITHHELD: `Tax of ${sum} withheld at source is noted`,
        KEPT: `${sum} paid from your deposit`,
      }[p.how]
      const time = p.span
        ? `, ${formatDate(p.span.from, 'en')} to ${formatDate(p.span.to, 'en')}`
        : ', in advance of coming rent'
      return `${got} for ${quotedPlace(p, 'en')}${time}. Receipt: ${p.link}`
    },
  },
} as const satisfies Record<'fr' | 'en', unknown>

/** Why more than the balance of an invoice is refused, and what to do with the rest. `balance` in francs. */
export const overpaid = (balance: number) => ({
  en: `This is more than what is left to pay of this invoice, ${formatMoney(balance, 'en')}. Record what goes beyond as an advance on the lease: it pays the coming months.`,
  fr: `Ce montant dépasse le reste à payer de cette facture, ${formatMoney(balance, 'fr')}. Enregistrez le surplus comme une avance sur le bail\u00a0: il paiera les mois à venir.`,
})
