import { formatDate } from '../core/dates.ts'
import { type Html, html } from '../core/html.ts'
import { formatMoney } from '../core/money.ts'
import { answerPage } from './page.ts'

type Locale = 'fr' | 'en'
type Shown = {
  readonly landlord: string
  readonly unit: string
  readonly property: string
  readonly number: string
  readonly status: 'ISSUED' | 'OVERDUE' | 'PAID' | 'CANCELLED'
  readonly periodStart: string
  readonly periodEnd: string
  readonly dueDate: string
  /** The link's last day, in local time. */
  readonly linkUntil: string
  readonly lines: readonly {
    readonly kind: 'RENT' | 'CHARGE' | 'OPENING_BALANCE'
    readonly label: string
    readonly amount: number
  }[]
  readonly tvaBasisPoints: number
  readonly tvaAmount: number
  readonly grossAmount: number
  readonly amountPaid: number
  readonly balanceAmount: number
  /** Whether each document can be downloaded; absent where there will be none. */
  readonly papers: { readonly invoice?: boolean | undefined; readonly letter?: boolean | undefined }
}
type Asked = { readonly locale: Locale; readonly token: string; readonly shown: Shown }

const TEXTS = {
  fr: {
    title: 'Facture de loyer',
    headings: {
      ISSUED: (sum: string) => `${sum} à payer`,
      OVERDUE: (sum: string) => `${sum} en retard`,
      PAID: () => 'Facture payée',
      CANCELLED: () => 'Facture annulée',
    },
    leads: {
      ISSUED: (day: string) => `À payer au plus tard le ${day}.`,
      OVERDUE: (day: string) => `Le paiement était attendu le ${day}. Déjà payé ? Dites-le à votre bailleur.`,
      PAID: () => 'Il ne reste rien à payer sur cette facture. Merci.',
      CANCELLED: () => 'Il n’y a rien à payer sur cette facture.',
    },
    states: { ISSUED: 'À payer', OVERDUE: 'En retard', PAID: 'Payée', CANCELLED: 'Annulée' },
    landlord: 'Bailleur',
    unit: 'Logement ou local',
    number: 'Numéro de facture',
    period: 'Période',
    span: (from: string, to: string) => `du ${from} au ${to}`,
    due: 'Échéance',
    state: 'État',
    detail: 'Détail',
    lines: { RENT: 'Loyer', OPENING_BALANCE: 'Solde antérieur' },
    tva: (rate: string) => `TVA ${rate} %`,
    exempt: 'Exonérée',
    noTva: 'TVA',
    gross: 'Total',
    paid: 'Payé',
    balance: 'Reste à payer',
    papers: 'Documents',
    invoice: 'Facture (PDF)',
    letter: 'Lettre de mise en demeure (PDF)',
    notYet: { invoice: 'Le PDF de la facture est en préparation.', letter: 'La lettre est en préparation.' },
    note: (day: string) =>
      `Ce lien vous est réservé ; il reste ouvert jusqu’au ${day}. Les montants sont ceux de ce moment.`,
    unknown: 'Lien inconnu',
    unknownLead:
      'Ce lien n’ouvre rien. Vérifiez que vous l’avez ouvert ou recopié en entier ; si c’est le cas, demandez-en un nouveau à votre bailleur.',
    closed: 'Ce lien n’est plus ouvert',
    closedLead: 'Il a expiré ou a été fermé. Demandez-en un nouveau à votre bailleur.',
    noteless: 'Cette page ne montre aucune donnée personnelle.',
  },
  en: {
    title: 'Rent invoice',
    headings: {
      ISSUED: (sum: string) => `${sum} to pay`,
      OVERDUE: (sum: string) => `${sum} overdue`,
      PAID: () => 'Invoice paid',
      CANCELLED: () => 'Invoice cancelled',
    },
    leads: {
      ISSUED: (day: string) => `To be paid by ${day}.`,
      OVERDUE: (day: string) => `Payment was expected on ${day}. Paid already? Tell your landlord.`,
      PAID: () => 'Nothing is left to pay on this invoice. Thank you.',
      CANCELLED: () => 'There is nothing to pay on this invoice.',
    },
    states: { ISSUED: 'To be paid', OVERDUE: 'Overdue', PAID: 'Paid', CANCELLED: 'Cancelled' },
    landlord: 'Landlord',
    unit: 'Premises',
    number: 'Invoice number',
    period: 'Period',
    span: (from: string, to: string) => `from ${from} to ${to}`,
    due: 'Due date',
    state: 'State',
    detail: 'Details',
    lines: { RENT: 'Rent', OPENING_BALANCE: 'Balance brought forward' },
    tva: (rate: string) => `VAT (TVA) ${rate} %`,
    exempt: 'Exempt',
    noTva: 'VAT (TVA)',
    gross: 'Total',
    paid: 'Paid',
    balance: 'Left to pay',
    papers: 'Documents',
    invoice: 'Invoice (PDF)',
    letter: 'Formal notice letter (PDF)',
    notYet: { invoice: 'The PDF of the invoice is being prepared.', letter: 'The letter is being prepared.' },
    note: (day: string) =>
      `This link is meant for you; it stays open until ${day}. The amounts are those of this moment.`,
    unknown: 'Unknown link',
    unknownLead:
      'This link opens nothing. Check that you opened or copied all of it; if you did, ask your landlord for a new one.',
    closed: 'This link is no longer open',
    closedLead: 'It has expired or was closed. Ask your landlord for a new one.',
    noteless: 'This page shows no personal data.',
  },
} as const
const TONES = { ISSUED: 'open', OVERDUE: 'overdue', PAID: 'paid', CANCELLED: 'void' } as const
const HEADERS = { 'x-robots-tag': 'noindex, nofollow' }
const PAPERS = ['invoice', 'letter'] as const

function amounts({ locale, shown }: Asked): Html {
  const t = TEXTS[locale]
  const money = (amount: number): string => formatMoney(amount, locale)
  const row = (label: string, value: string): Html =>
    html`<tr><th scope="row">${label}</th><td>${value}</td></tr>
`
  const rate = String(shown.tvaBasisPoints / 100).replace('.', locale === 'fr' ? ',' : '.')
  const tva = shown.tvaBasisPoints === 0 ? row(t.noTva, t.exempt) : row(t.tva(rate), money(shown.tvaAmount))
  return html`<section>
<h2>${t.detail}</h2>
<table>
<tbody>
${shown.lines.map(({ kind, label, amount }) => row(kind === 'CHARGE' ? label : t.lines[kind], money(amount)))}${tva}</tbody>
<tfoot>
${row(t.gross, money(shown.grossAmount))}${row(t.paid, money(shown.amountPaid))}${row(t.balance, money(shown.balanceAmount))}</tfoot>
</table>
</section>`
}

function papers({ locale, token, shown }: Asked): Html | undefined {
  const t = TEXTS[locale]
  const items = PAPERS.flatMap((paper) => {
    const ready = shown.papers[paper]
    if (ready === undefined) return []
    return ready
      ? html`<a class="file" href="/i/${token}/${paper}.pdf">${t[paper]}</a>`
      : html`<p>${t.notYet[paper]}</p>`
  })
  return items.length > 0 ? html`<section><h2>${t.papers}</h2>${items}</section>` : undefined
}

/** GET /i/{token}: the current state of an invoice, for the person who got the link. Works without scripts. */
export function invoicePage(asked: Asked): Response {
  const { locale, token, shown } = asked
  const t = TEXTS[locale]
  const { status } = shown
  // Non-breaking spaces keep a date on one line.
  const date = (day: string): string => formatDate(day, locale).replaceAll(' ', '\u00a0')
  const heading = t.headings[status](formatMoney(shown.balanceAmount, locale))
  const facts: [string, string][] = [
    [t.landlord, shown.landlord],
    [t.unit, `${shown.unit}, ${shown.property}`],
    [t.number, shown.number],
    [t.period, t.span(date(shown.periodStart), date(shown.periodEnd))],
    [t.due, date(shown.dueDate)],
    [t.state, t.states[status]],
  ]
  return answerPage({
    status: 200,
    locale,
    title: `${t.title} ${shown.number}`,
    about: t.title,
    tone: TONES[status],
    main: html`<h1>${heading}</h1>
<p class="lead">${t.leads[status](date(shown.dueDate))}</p>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${amounts(asked)}
${papers(asked)}`,
    note: t.note(date(shown.linkUntil)),
    other: `/i/${token}`,
    headers: HEADERS,
  })
}

/** The same page for an unknown (404) or expired (410) link: it does not reveal what the link was. */
export function noInvoicePage(locale: Locale, token: string, found: 'unknown' | 'closed'): Response {
  const t = TEXTS[locale]
  return answerPage({
    status: found === 'unknown' ? 404 : 410,
    locale,
    title: t[found],
    about: t.title,
    tone: 'unknown',
    main: html`<h1>${t[found]}</h1>
<p class="lead">${t[`${found}Lead`]}</p>`,
    note: t.noteless,
    other: `/i/${encodeURIComponent(token.slice(0, 64))}`,
    headers: HEADERS,
  })
}
