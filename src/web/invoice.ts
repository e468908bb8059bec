import { formatDate, spanOf } from '../core/dates.ts'
import { type Html, html } from '../core/html.ts'
import { formatMoney } from '../core/money.ts'
import { answerPage } from './page.ts'
import {
  factList,
  type LandlordView,
  type Locale,
  landlordFact,
  linkNote,
  NOT_INDEXED,
  type PaperView,
  type PayWay,
  papersSection,
  payToSection,
} from './shared-parts.ts'

type Asking = 'RENT' | 'CHARGES' | 'BALANCE' | 'RENT_AND_MORE'
type Overdue = {
  readonly id: string
  readonly number: string
  readonly purpose: Asking
  readonly periodStart: string
  readonly periodEnd: string
  readonly dueDate: string
  readonly balanceAmount: number
}
type InvoiceContent = {
  readonly id: string
  /** The replacement of a cancelled invoice. */
  readonly instead: Pick<Overdue, 'number' | 'dueDate' | 'balanceAmount'> | undefined
  /** What was declared as paid and is not confirmed yet. */
  readonly waitingAmount: number
  /** What it asks for; an invoice of charges, or of a balance brought forward, is called so. */
  readonly purpose: Asking
  /** All that is overdue on the lease, the oldest first. */
  readonly overdue: readonly Overdue[]
  readonly landlord: LandlordView
  readonly payTo: readonly PayWay[]
  readonly payToChangedOn?: string
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
  readonly tvaRegistered: boolean
  readonly tvaAmount: number
  readonly grossAmount: number
  /** What credit notes gave back of it; amountPaid is without it. */
  readonly creditedAmount: number
  readonly amountPaid: number
  readonly balanceAmount: number
  /** Of an ended lease: what of the deposit counts against this invoice and all that is overdue, and what then remains. */
  readonly depositAmount: number
  readonly askedAmount: number
  readonly papers: readonly PaperView[]
}
type InvoicePage = { readonly locale: Locale; readonly path: string; readonly content: InvoiceContent }

const TEXTS = {
  fr: {
    titles: {
      RENT: 'Facture de loyer',
      CHARGES: 'Facture de charges',
      BALANCE: 'Solde antérieur',
      RENT_AND_MORE: 'Facture de loyer',
    },
    all: (sum: string, day: string) => `En retard en tout : ${sum}, depuis le ${day}`,
    allLead: 'Toutes les factures de ce bail dont l’échéance est passée, la plus ancienne d’abord.',
    of: { RENT: 'Loyer', CHARGES: 'Charges', BALANCE: 'Solde antérieur', RENT_AND_MORE: 'Loyer' },
    dueOn: (day: string) => `attendu le ${day}`,
    headings: {
      ISSUED: (sum: string) => `${sum} à payer`,
      OVERDUE: (sum: string) => `${sum} en retard`,
      PAID: () => 'Facture payée',
      CANCELLED: () => 'Facture annulée',
    },
    leads: {
      ISSUED: (day: string) => `À payer au plus tard le ${day}.`,
      OVERDUE: (day: string) => `Le paiement était attendu le ${day}. Déjà payé ? Dites-le à votre bailleur.`,
      PAID: (_day: string, credited?: string) =>
        credited
          ? `Il ne reste rien à payer sur cette facture\u00a0: ${credited} en sont déduits par avoir. Merci.`
          : 'Il ne reste rien à payer sur cette facture. Merci.',
      CANCELLED: () => 'Il n’y a rien à payer sur cette facture.',
    },
    still: (sum: string) => `${sum} restent dus`,
    covered: 'Rien à payer',
    counted: (sum: string) =>
      `Votre bail a pris fin\u00a0: ${sum} du dépôt de garantie que détient votre bailleur sont déjà comptés.`,
    covers: (sum: string) =>
      `Votre bail a pris fin\u00a0: le dépôt de garantie que détient votre bailleur couvre les ${sum} encore dus.`,
    waiting: (sum: string) => `Un paiement de ${sum} est déclaré\u00a0: votre bailleur doit encore le confirmer.`,
    instead: (number: string, sum: string, day: string) =>
      `La facture ${number} la remplace\u00a0: ${sum} à payer au plus tard le ${day}.`,
    insteadPaid: (number: string) => `La facture ${number} la remplace\u00a0; elle est payée.`,
    states: { ISSUED: 'À payer', OVERDUE: 'En retard', PAID: 'Payée', CANCELLED: 'Annulée' },
    havePaid: 'J’ai payé',
    unit: 'Logement ou local',
    number: 'Numéro de facture',
    period: 'Période',
    span: (from: string, to: string) => `du ${spanOf(from, to, 'fr').join(' au ')}`,
    due: 'Échéance',
    state: 'État',
    detail: 'Détail',
    lines: { RENT: 'Loyer', OPENING_BALANCE: 'Solde antérieur' },
    provisions: 'Provisions déjà facturées',
    share: '\u00a0: quote-part',
    tva: (rate: string) => `TVA ${rate} %`,
    exempt: 'Exonérée',
    noTva: 'TVA',
    gross: 'Total',
    paid: 'Payé',
    credited: 'Déduit par avoir',
    balance: 'Reste à payer',
  },
  en: {
    titles: {
      RENT: 'Rent invoice',
      CHARGES: 'Invoice of charges',
      BALANCE: 'Balance brought forward',
      RENT_AND_MORE: 'Rent invoice',
    },
    all: (sum: string, day: string) => `Overdue in all: ${sum}, since ${day}`,
    allLead: 'Every invoice of this lease that is past its due date, the oldest first.',
    of: { RENT: 'Rent', CHARGES: 'Charges', BALANCE: 'Balance brought forward', RENT_AND_MORE: 'Rent' },
    dueOn: (day: string) => `was due on ${day}`,
    headings: {
      ISSUED: (sum: string) => `${sum} to pay`,
      OVERDUE: (sum: string) => `${sum} overdue`,
      PAID: () => 'Invoice paid',
      CANCELLED: () => 'Invoice cancelled',
    },
    leads: {
      ISSUED: (day: string) => `To be paid by ${day}.`,
      OVERDUE: (day: string) => `Payment was expected on ${day}. Paid already? Tell your landlord.`,
      PAID: (_day: string, credited?: string) =>
        credited
          ? `Nothing is left to pay on this invoice: ${credited} of it is taken off by credit note. Thank you.`
          : 'Nothing is left to pay on this invoice. Thank you.',
      CANCELLED: () => 'There is nothing to pay on this invoice.',
    },
    still: (sum: string) => `${sum} still owed`,
    covered: 'Nothing to pay',
    counted: (sum: string) =>
      `Your lease has ended: ${sum} of the deposit that your landlord holds is counted already.`,
    covers: (sum: string) =>
      `Your lease has ended: the deposit that your landlord holds covers the ${sum} that is still owed.`,
    waiting: (sum: string) => `A payment of ${sum} is declared; your landlord has yet to confirm it.`,
    instead: (number: string, sum: string, day: string) =>
      `Invoice ${number} takes its place: ${sum} to be paid by ${day}.`,
    insteadPaid: (number: string) => `Invoice ${number} takes its place and is paid.`,
    states: { ISSUED: 'To be paid', OVERDUE: 'Overdue', PAID: 'Paid', CANCELLED: 'Cancelled' },
    havePaid: 'I have paid',
    unit: 'Premises',
    number: 'Invoice number',
    period: 'Period',
    span: (from: string, to: string) => `from ${spanOf(from, to, 'en').join(' to ')}`,
    due: 'Due date',
    state: 'State',
    detail: 'Details',
    lines: { RENT: 'Rent', OPENING_BALANCE: 'Balance brought forward' },
    provisions: 'Provisions already invoiced',
    share: ': share',
    tva: (rate: string) => `VAT (TVA) ${rate} %`,
    exempt: 'Exempt',
    noTva: 'VAT (TVA)',
    gross: 'Total',
    paid: 'Paid',
    credited: 'Taken off by credit note',
    balance: 'Left to pay',
  },
} as const
const TONES = { ISSUED: 'open', OVERDUE: 'overdue', PAID: 'paid', CANCELLED: 'void' } as const

/** What a line is for: in the landlord's own words, and the program's in the language of the page. */
function nameOf(
  { kind, label, amount }: InvoicePage['content']['lines'][number],
  t: (typeof TEXTS)['fr' | 'en'],
): string {
  if (kind !== 'CHARGE') return t.lines[kind]
  // Only the provisions that a regularisation sets off are below zero.
  return amount < 0 ? t.provisions : label.replace(/(?:\u00a0: quote-part|: share)$/, t.share)
}

function amounts({ locale, content }: InvoicePage): Html {
  const t = TEXTS[locale]
  const money = (amount: number): string => formatMoney(amount, locale)
  const row = (label: string, value: string): Html =>
    html`<tr><th scope="row">${label}</th><td>${value}</td></tr>
`
  const rate = String(content.tvaBasisPoints / 100).replace('.', locale === 'fr' ? ',' : '.')
  // Whoever is not registered for VAT claims no exemption.
  const exempt = content.tvaRegistered && row(t.noTva, t.exempt)
  const tva = content.tvaBasisPoints === 0 ? exempt : row(t.tva(rate), money(content.tvaAmount))
  return html`<section>
<h2>${t.detail}</h2>
<table>
<tbody>
${content.lines.map((line) => row(nameOf(line, t), money(line.amount)))}${tva}</tbody>
<tfoot>
${row(t.gross, money(content.grossAmount))}${content.creditedAmount > 0 && row(t.credited, money(content.creditedAmount))}${row(t.paid, money(content.amountPaid))}${row(t.balance, money(content.balanceAmount))}</tfoot>
</table>
</section>`
}

/** All that is overdue on the lease, where it is more than the invoice of the page. */
function overdueSection({ locale, content }: InvoicePage): Html | undefined {
  const { overdue, id } = content
  const [oldest] = overdue
  if (!oldest || (overdue.length === 1 && oldest.id === id)) return undefined
  const t = TEXTS[locale]
  const date = (day: string): string => formatDate(day, locale).replaceAll(' ', '\u00a0')
  const sum = overdue.reduce((all, { balanceAmount }) => all + balanceAmount, 0)
  const rows = overdue.map(({ number, purpose, dueDate, balanceAmount }) => {
    return html`<tr><th scope="row">${t.of[purpose]} ${number}, ${t.dueOn(date(dueDate))}</th><td>${formatMoney(balanceAmount, locale)}</td></tr>
`
  })
  return html`<section>
<h2>${t.all(formatMoney(sum, locale), date(oldest.dueDate))}</h2>
<p>${t.allLead}</p>
<table>
<tbody>
${rows}</tbody>
</table>
</section>`
}

/** What is to be done about the invoice, in a sentence. */
function leadOf({ locale, content }: InvoicePage): string {
  const t = TEXTS[locale]
  const date = (day: string): string => formatDate(day, locale).replaceAll(' ', '\u00a0')
  const { instead, status, waitingAmount, balanceAmount, dueDate, depositAmount, askedAmount } = content
  if (instead && instead.balanceAmount > 0)
    return t.instead(instead.number, formatMoney(instead.balanceAmount, locale), date(instead.dueDate))
  if (instead) return t.insteadPaid(instead.number)
  if (depositAmount > 0) return (askedAmount > 0 ? t.counted : t.covers)(formatMoney(depositAmount, locale))
  if (balanceAmount > 0 && waitingAmount > 0) return t.waiting(formatMoney(waitingAmount, locale))
  return t.leads[status](
    date(dueDate),
    content.creditedAmount > 0 ? formatMoney(content.creditedAmount, locale) : undefined,
  )
}

/** GET /i/{token}: the current state of an invoice, for the person who got the link. Works without scripts. */
export function invoicePage(input: InvoicePage): Response {
  const { locale, path, content } = input
  const t = TEXTS[locale]
  const { status } = content
  // Non-breaking spaces keep a date on one line.
  const date = (day: string): string => formatDate(day, locale).replaceAll(' ', '\u00a0')
  const { askedAmount, depositAmount } = content
  const heading =
    depositAmount === 0
      ? t.headings[status](formatMoney(content.balanceAmount, locale))
      : askedAmount > 0
        ? t.still(formatMoney(askedAmount, locale))
        : t.covered
  const lead = leadOf(input)
  const tells = content.balanceAmount > content.waitingAmount && askedAmount > 0
  const facts = [
    landlordFact(locale, content.landlord),
    [t.unit, `${content.unit}, ${content.property}`],
    [t.number, content.number],
    // Charges and a balance have no period.
    ...(content.purpose === 'RENT' ? [[t.period, t.span(content.periodStart, content.periodEnd)] as const] : []),
    [t.due, date(content.dueDate)],
    [t.state, t.states[status]],
  ] as const
  return answerPage({
    status: 200,
    locale,
    title: `${t.titles[content.purpose]} ${content.number}`,
    about: t.titles[content.purpose],
    tone: depositAmount > 0 && askedAmount === 0 ? 'paid' : TONES[status],
    main: html`<h1>${heading}</h1>
<p class="lead">${lead}</p>
${overdueSection(input)}
${askedAmount > 0 && payToSection(locale, content.payTo, content.payToChangedOn)}
${tells && html`<section><a class="file" href="${path}/declare">${t.havePaid}</a></section>`}
${factList(facts)}
${amounts(input)}
${papersSection(locale, path, content.papers)}`,
    note: linkNote(locale, date(content.linkUntil)),
    other: path,
    headers: NOT_INDEXED,
  })
}
