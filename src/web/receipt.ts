import { formatDate, spanOf } from '../core/dates.ts'
import { html } from '../core/html.ts'
import { formatMoney, type PAID_BY } from '../core/money.ts'
import { METHOD_NAMES } from '../core/payment-methods.ts'
import { answerPage } from './page.ts'
import {
  factList,
  type LandlordView,
  type Locale,
  landlordFact,
  linkNote,
  NOT_INDEXED,
  type PaperView,
  papersSection,
} from './shared-parts.ts'

type ReceiptContent = {
  readonly landlord: LandlordView
  readonly unit: string
  readonly property: string
  readonly amount: number
  readonly method: (typeof PAID_BY)[number]
  readonly paidOn: string
  readonly reference: string | null
  /** Who paid on the tenant's behalf. */
  readonly payer: string | null
  /** What it paid for: charges or an old balance, or else the days of rent; undefined while it is kept for later. */
  readonly paidFor: 'CHARGES' | 'BALANCE' | { readonly from: string; readonly to: string } | undefined
  /** The amount still to pay for these days. */
  readonly balanceAmount: number
  /** The link's last day, in local time. */
  readonly linkUntil: string
  readonly papers: readonly PaperView[]
}

const TEXTS = {
  fr: {
    ways: {
      RECEIVED: {
        title: 'Paiement reçu',
        heading: (sum: string) => `${sum} reçus`,
        lead: (day: string) => `Payé le ${day}. Merci.`,
      },
      WITHHOLDING: {
        title: 'Retenue à la source',
        heading: (sum: string) => `${sum} retenus à la source`,
        lead: (day: string) => `Retenue du ${day}, que vous versez à l’État pour le bailleur.`,
      },
      DEPOSIT: {
        title: 'Payé sur le dépôt',
        heading: (sum: string) => `${sum} payés sur le dépôt`,
        lead: (day: string) => `Retenu le ${day} sur votre dépôt de garantie.`,
      },
      SET_OFF: {
        title: 'Payé avec votre crédit',
        heading: (sum: string) => `${sum} payés avec votre crédit`,
        lead: (day: string) => `Pris le ${day} sur le crédit d’un autre de vos baux.`,
      },
    },
    unit: 'Logement ou local',
    method: 'Mode de paiement',
    payer: 'Reçu de',
    behalf: (payer: string) => `${payer}, pour votre compte`,
    reference: 'Référence',
    period: 'Période',
    span: (from: string, to: string) => `du ${spanOf(from, to, 'fr').join(' au ')}`,
    purpose: 'Payé pour',
    purposes: { CHARGES: 'Charges', BALANCE: 'Solde antérieur', LATER: 'Gardé en avance sur les loyers à venir' },
    balance: 'Reste à payer',
  },
  en: {
    ways: {
      RECEIVED: {
        title: 'Payment received',
        heading: (sum: string) => `${sum} received`,
        lead: (day: string) => `Paid on ${day}. Thank you.`,
      },
      WITHHOLDING: {
        title: 'Tax withheld at source',
        heading: (sum: string) => `${sum} withheld at source`,
        lead: (day: string) => `Withheld on ${day}: you pay it to the State for the landlord.`,
      },
      DEPOSIT: {
        title: 'Paid from the deposit',
        heading: (sum: string) => `${sum} paid from the deposit`,
        lead: (day: string) => `Taken on ${day} from your deposit.`,
      },
      SET_OFF: {
        title: 'Paid with your credit',
        heading: (sum: string) => `${sum} paid with your credit`,
        lead: (day: string) => `Taken on ${day} from the credit of another of your leases.`,
      },
    },
    unit: 'Premises',
    method: 'Paid by',
    payer: 'Received from',
    behalf: (payer: string) => `${payer}, on your behalf`,
    reference: 'Reference',
    period: 'Period',
    span: (from: string, to: string) => `from ${spanOf(from, to, 'en').join(' to ')}`,
    purpose: 'Paid for',
    purposes: { CHARGES: 'Charges', BALANCE: 'Balance brought forward', LATER: 'Kept as an advance on coming rent' },
    balance: 'Left to pay',
  },
} as const

/** GET /r/{token}: what was received, and its receipt, for the person who got the link. Works without scripts. */
export function receiptPage({
  locale,
  path,
  content,
}: {
  locale: Locale
  path: string
  content: ReceiptContent
}): Response {
  const t = TEXTS[locale]
  const date = (day: string): string => formatDate(day, locale).replaceAll(' ', '\u00a0')
  const sum = formatMoney(content.amount, locale)
  const { method } = content
  // Only what reached the landlord was received.
  const way = t.ways[method === 'WITHHOLDING' || method === 'DEPOSIT' || method === 'SET_OFF' ? method : 'RECEIVED']
  const { paidFor = 'LATER' } = content
  return answerPage({
    status: 200,
    locale,
    title: way.title,
    about: way.title,
    tone: 'paid',
    main: html`<h1>${way.heading(sum)}</h1>
<p class="lead">${way.lead(date(content.paidOn))}</p>
${papersSection(locale, path, content.papers)}
${factList([
  landlordFact(locale, content.landlord),
  [t.unit, `${content.unit}, ${content.property}`],
  typeof paidFor === 'string' ? [t.purpose, t.purposes[paidFor]] : [t.period, t.span(paidFor.from, paidFor.to)],
  ...(content.payer === null ? [] : [[t.payer, t.behalf(content.payer)] as const]),
  [t.method, METHOD_NAMES[locale][method]],
  ...(content.reference === null ? [] : [[t.reference, content.reference] as const]),
  ...(content.paidFor ? [[t.balance, formatMoney(content.balanceAmount, locale)] as const] : []),
])}`,
    note: linkNote(locale, date(content.linkUntil)),
    other: path,
    headers: NOT_INDEXED,
  })
}
