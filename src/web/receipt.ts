import { formatDate } from '../core/dates.ts'
import { html } from '../core/html.ts'
import { formatMoney, type PAID_BY } from '../core/money.ts'
import { METHOD_NAMES } from '../core/pay-words.ts'
import { answerPage } from './page.ts'
import {
  factList,
  type LandlordShown,
  type Locale,
  landlordFact,
  linkNote,
  NOT_INDEXED,
  type PaperShown,
  papersSection,
} from './shared-parts.ts'

type Shown = {
  readonly landlord: LandlordShown
  readonly unit: string
  readonly property: string
  readonly amount: number
  readonly method: (typeof PAID_BY)[number]
  readonly paidOn: string
  readonly reference: string | null
  /** The days that it paid for; undefined where it is kept for later. */
  readonly span: { readonly from: string; readonly to: string } | undefined
  /** What is left to pay of these days. */
  readonly balanceAmount: number
  /** The link's last day, in local time. */
  readonly linkUntil: string
  readonly papers: readonly PaperShown[]
}

const TEXTS = {
  fr: {
    title: 'Paiement reçu',
    heading: (sum: string) => `${sum} reçus`,
    withheld: (sum: string) => `${sum} retenus à la source`,
    kept: (sum: string) => `${sum} payés sur le dépôt`,
    lead: (day: string) => `Payé le ${day}. Merci.`,
    withheldLead: (day: string) => `Retenue du ${day}, que vous versez à l’État pour le bailleur.`,
    keptLead: (day: string) => `Retenu le ${day} sur votre dépôt de garantie.`,
    credit: (sum: string) => `${sum} payés avec votre crédit`,
    creditLead: (day: string) => `Pris le ${day} sur le crédit d’un autre de vos baux.`,
    unit: 'Logement ou local',
    method: 'Mode de paiement',
    reference: 'Référence',
    period: 'Période',
    span: (from: string, to: string) => `du ${from} au ${to}`,
    later: 'Gardé en avance sur les loyers à venir',
    balance: 'Reste à payer',
  },
  en: {
    title: 'Payment received',
    heading: (sum: string) => `${sum} received`,
    withheld: (sum: string) => `${sum} withheld at source`,
    kept: (sum: string) => `${sum} paid from the deposit`,
    lead: (day: string) => `Paid on ${day}. Thank you.`,
    withheldLead: (day: string) => `Withheld on ${day}: you pay it to the State for the landlord.`,
    keptLead: (day: string) => `Taken on ${day} from your deposit.`,
    credit: (sum: string) => `${sum} paid with your credit`,
    creditLead: (day: string) => `Taken on ${day} from the credit of another of your leases.`,
    unit: 'Premises',
    method: 'Paid by',
    reference: 'Reference',
    period: 'Period',
    span: (from: string, to: string) => `from ${from} to ${to}`,
    later: 'Kept in advance of coming rent',
    balance: 'Left to pay',
  },
} as const

/** GET /r/{token}: what was received, and its receipt, for the person who got the link. Works without scripts. */
export function receiptPage({ locale, path, shown }: { locale: Locale; path: string; shown: Shown }): Response {
  const t = TEXTS[locale]
  const date = (day: string): string => formatDate(day, locale).replaceAll(' ', '\u00a0')
  const sum = formatMoney(shown.amount, locale)
  const [heading, lead] =
    shown.method === 'WITHHOLDING'
      ? [t.withheld, t.withheldLead]
      : shown.method === 'DEPOSIT'
        ? [t.kept, t.keptLead]
        : shown.method === 'SET_OFF'
          ? [t.credit, t.creditLead]
          : [t.heading, t.lead]
  const { span } = shown
  return answerPage({
    status: 200,
    locale,
    title: t.title,
    about: t.title,
    tone: 'paid',
    main: html`<h1>${heading(sum)}</h1>
<p class="lead">${lead(date(shown.paidOn))}</p>
${papersSection(locale, path, shown.papers)}
${factList([
  landlordFact(locale, shown.landlord),
  [t.unit, `${shown.unit}, ${shown.property}`],
  [t.period, span ? t.span(date(span.from), date(span.to)) : t.later],
  [t.method, METHOD_NAMES[locale][shown.method]],
  ...(shown.reference === null ? [] : [[t.reference, shown.reference] as const]),
  ...(span ? [[t.balance, formatMoney(shown.balanceAmount, locale)] as const] : []),
])}`,
    note: linkNote(locale, date(shown.linkUntil)),
    other: path,
    headers: NOT_INDEXED,
  })
}
