import { formatDate } from '../core/dates.ts'
import { type Html, html, inUrl } from '../core/html.ts'
import type { PAYMENT_METHODS } from '../core/money.ts'
import { METHOD_NAMES } from '../core/payment-methods.ts'
import { formatPhone } from '../core/phone.ts'
import { answerPage } from './page.ts'

export type Locale = 'fr' | 'en'
/** `agent`: the name is of whoever manages for the landlord. */
export type LandlordView = {
  readonly name: string
  readonly phoneNumber?: string | undefined
  readonly agent: boolean
}
/** A paper that a page offers; `file`: its name below the page's own address. */
export type PaperView = {
  readonly file: string
  readonly kind:
    | 'INVOICE'
    | 'LETTER'
    | 'RECEIPT'
    | 'PARTIAL'
    | 'REFUND'
    | 'LEASE_CONTRACT'
    | 'STATEMENT'
    | 'LEASE_NOTICE'
    | 'INSPECTION'
  readonly number: string
  readonly ready: boolean
}
export type PayWay = {
  readonly method: (typeof PAYMENT_METHODS)[number]
  readonly number?: string
  readonly holder?: string
  readonly note?: string
}

const TEXTS = {
  fr: {
    landlord: 'Bailleur',
    agent: 'Gestionnaire',
    call: 'Appeler',
    whatsapp: 'Écrire par WhatsApp',
    payTo: 'Où payer',
    payToChanged: (day: string) =>
      `Modifié le ${day}. Si vous n’en avez pas été averti, demandez à votre bailleur avant de payer.`,
    papers: 'Documents',
    kinds: {
      INVOICE: () => 'Facture (PDF)',
      LETTER: () => 'Lettre de mise en demeure (PDF)',
      RECEIPT: (n: string) => `Quittance ${n} (PDF)`,
      PARTIAL: (n: string) => `Reçu ${n} (PDF)`,
      REFUND: (n: string) => `Reçu de remboursement ${n} (PDF)`,
      LEASE_CONTRACT: () => 'Bail (PDF)',
      LEASE_NOTICE: (n: string) => `Avis, avenant ou congé ${n} (PDF)`,
      INSPECTION: (n: string) => `État des lieux ${n} (PDF)`,
      STATEMENT: () => 'Décompte de fin de bail (PDF)',
    },
    notYet: {
      INVOICE: 'Le PDF de la facture est en préparation.',
      LETTER: 'La lettre est en préparation.',
      RECEIPT: 'La quittance est en préparation.',
      PARTIAL: 'Le reçu est en préparation.',
      REFUND: 'Le reçu est en préparation.',
      LEASE_CONTRACT: 'Le PDF du bail est en préparation.',
      LEASE_NOTICE: 'Un avis est en préparation.',
      INSPECTION: 'L’état des lieux est en préparation.',
      STATEMENT: 'Le décompte est en préparation.',
    },
    note: (day: string) =>
      `Ce lien vous est réservé ; il reste ouvert jusqu’au ${day}. Les montants sont ceux de ce moment.`,
    about: 'Votre location',
    unknown: 'Lien inconnu',
    unknownLead:
      'Ce lien n’ouvre rien. Vérifiez que vous l’avez ouvert ou recopié en entier ; si c’est le cas, demandez-en un nouveau à votre bailleur.',
    closed: 'Ce lien n’est plus ouvert',
    closedLead: 'Il a expiré ou a été fermé. Demandez-en un nouveau à votre bailleur.',
    noteless: 'Cette page ne montre aucune donnée personnelle.',
  },
  en: {
    landlord: 'Landlord',
    agent: 'Agent',
    call: 'Call',
    whatsapp: 'Write by WhatsApp',
    payTo: 'Where to pay',
    payToChanged: (day: string) => `Changed on ${day}. If you were not told, ask your landlord before you pay.`,
    papers: 'Documents',
    kinds: {
      INVOICE: () => 'Invoice (PDF)',
      LETTER: () => 'Formal notice letter (PDF)',
      RECEIPT: (n: string) => `Receipt ${n} (PDF)`,
      PARTIAL: (n: string) => `Part receipt ${n} (PDF)`,
      REFUND: (n: string) => `Refund receipt ${n} (PDF)`,
      LEASE_CONTRACT: () => 'Lease (PDF)',
      LEASE_NOTICE: (n: string) => `Notice or amendment ${n} (PDF)`,
      INSPECTION: (n: string) => `Inspection ${n} (PDF)`,
      STATEMENT: () => 'Final statement (PDF)',
    },
    notYet: {
      INVOICE: 'The PDF of the invoice is being prepared.',
      LETTER: 'The letter is being prepared.',
      RECEIPT: 'The receipt is being prepared.',
      PARTIAL: 'The receipt is being prepared.',
      REFUND: 'The receipt is being prepared.',
      LEASE_CONTRACT: 'The PDF of the lease is being prepared.',
      LEASE_NOTICE: 'A notice is being prepared.',
      INSPECTION: 'The inspection is being prepared.',
      STATEMENT: 'The statement is being prepared.',
    },
    note: (day: string) =>
      `This link is meant for you; it stays open until ${day}. The amounts are those of this moment.`,
    about: 'Your tenancy',
    unknown: 'Unknown link',
    unknownLead:
      'This link opens nothing. Check that you opened or copied all of it; if you did, ask your landlord for a new one.',
    closed: 'This link is no longer open',
    closedLead: 'It has expired or was closed. Ask your landlord for a new one.',
    noteless: 'This page shows no personal data.',
  },
} as const

/** The note below every page that a message's link opens. */
export const linkNote = (locale: Locale, day: string): string => TEXTS[locale].note(day)
export const NOT_INDEXED = { 'x-robots-tag': 'noindex, nofollow' }

/** Names and values, one below the other. */
export const factList = (facts: readonly (readonly [string, string | Html])[]): Html =>
  html`<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** The landlord, with a link to call and one to write. */
export function landlordFact(
  locale: Locale,
  { name, phoneNumber, agent }: LandlordView,
): readonly [string, string | Html] {
  const t = TEXTS[locale]
  const role = agent ? t.agent : t.landlord
  if (phoneNumber === undefined) return [role, name]
  return [
    role,
    html`${name}<br><a href="tel:${phoneNumber}" aria-label="${t.call} ${formatPhone(phoneNumber)}">${formatPhone(phoneNumber)}</a> <a href="https://wa.me/${phoneNumber.slice(1)}">${t.whatsapp}</a>`,
  ]
}

/** Where the rent is paid; undefined if nobody entered that. */
export function payToSection(locale: Locale, ways: readonly PayWay[], changedOn?: string): Html | undefined {
  if (ways.length === 0) return undefined
  const t = TEXTS[locale]
  const rows = ways.map(({ method, number, holder, note }) => {
    const more = [holder, note].filter((line) => line !== undefined)
    return html`<div><dt>${METHOD_NAMES[locale][method]}</dt>${number !== undefined && html`<dd>${number}</dd>`}${more.map((line) => html`<dd class="more">${line}</dd>`)}</div>`
  })
  const said = changedOn !== undefined && html`<p class="note">${t.payToChanged(formatDate(changedOn, locale))}</p>`
  return html`<section><h2>${t.payTo}</h2><dl class="ways">${rows}</dl>${said}</section>`
}

/** The papers of a page at this address, each as a link or with the word that it is being made. */
export function papersSection(locale: Locale, path: string, papers: readonly PaperView[]): Html | undefined {
  if (papers.length === 0) return undefined
  const t = TEXTS[locale]
  const items = papers.map(({ file, kind, number, ready }) =>
    ready ? html`<a class="file" href="${path}/${file}">${t.kinds[kind](number)}</a>` : html`<p>${t.notYet[kind]}</p>`,
  )
  return html`<section><h2>${t.papers}</h2>${items}</section>`
}

/** The page for an unknown (404) or closed (410) link: it does not reveal what the link was. */
export function closedPage(locale: Locale, path: string, state: 'unknown' | 'closed'): Response {
  const t = TEXTS[locale]
  return answerPage({
    status: state === 'unknown' ? 404 : 410,
    locale,
    title: t[state],
    about: t.about,
    tone: 'unknown',
    main: html`<h1>${t[state]}</h1>
<p class="lead">${t[`${state}Lead`]}</p>`,
    note: t.noteless,
    other: path.slice(0, 3) + inUrl(path.slice(3), 64),
    headers: NOT_INDEXED,
  })
}
