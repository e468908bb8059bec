import { formatDate, spanOf } from '../core/dates.ts'
import { type Html, html, inUrl } from '../core/html.ts'
import { formatMoney } from '../core/money.ts'
import type { WayPaid } from '../core/payment-methods.ts'
import { answerPage } from './page.ts'

type Locale = 'fr' | 'en'
type Facts = {
  readonly kind: 'LEASE_CONTRACT' | 'INVOICE' | 'RECEIPT' | 'STATEMENT' | 'LEASE_NOTICE' | 'INSPECTION'
  readonly variant: string | null
  readonly number: string
  readonly issuedOn: string
  readonly amount: number
  /** Of a receipt: how its money came. */
  readonly way: WayPaid | undefined
  /** Of a receipt: somebody else paid on the tenant's behalf. */
  readonly byOther: boolean
  readonly from: string | undefined
  readonly to: string | undefined
  /** SHA-256 of its file, in hex, then those of earlier drawings. Empty before it is drawn. */
  readonly digests: readonly string[]
  readonly state: keyof (typeof TEXTS)['fr']['states']
  /** Of an invoice: what credit notes have given back of it. */
  readonly creditedAmount: number
  /** The document that replaced it. */
  readonly replacement: { readonly number: string; readonly issuedOn: string } | undefined
}
type VerifyPage = {
  readonly locale: Locale
  readonly code: string
  /** Absent where no document has this code. */
  readonly facts: Facts | undefined
  /** The digest of the holder's own file, for comparison. */
  readonly sha256: string | undefined
}

const TEXTS = {
  fr: {
    title: 'Vérification d’une pièce',
    enter: 'Vérifier une pièce',
    enterLead:
      'Recopiez le code de la pièce, 26 lettres et chiffres, ou lisez son carré noir et blanc avec l’appareil photo de votre téléphone.',
    codeLabel: 'Code de la pièce',
    codeHint: 'Les majuscules, les espaces et les tirets ne comptent pas.',
    check: 'Vérifier',
    genuine: 'Cette pièce est authentique',
    genuineLead: 'Elle a été établie par ce service. Comparez ce qui suit à ce que vous avez sous les yeux.',
    void: 'Cette pièce n’est plus valable',
    voidLead: 'Elle a bien été établie par ce service, mais elle ne fait plus foi.',
    differs: 'Votre fichier n’est pas l’original',
    differsLead:
      'Il a été modifié, ou c’est une autre pièce. Voici ce que dit l’original qui porte ce code : comparez.',
    unknown: 'Pièce inconnue',
    unknownLead:
      'Aucune pièce de ce service ne porte ce code. Vérifiez que vous l’avez recopié en entier ; si c’est le cas, la pièce n’est pas authentique.',
    kind: 'Nature',
    number: 'Numéro',
    date: 'Date',
    amount: 'Montant',
    period: 'Période',
    state: 'État',
    replacedBy: 'Remplacée par',
    dated: (number: string, date: string) => `n° ${number} du ${date}`,
    payer: 'Payeur',
    byOther: 'Une autre personne, pour le compte du locataire',
    credited: 'Déduit par avoir',
    noPeriod: 'Avance, sans période',
    period2: (from: string, to: string) => (from === to ? `le ${from}` : `du ${from} au ${to}`),
    since: (from: string) => `depuis le ${from}`,
    kinds: {
      LEASE_CONTRACT: 'Contrat de bail',
      INVOICE: 'Facture',
      RECEIPT: 'Quittance',
      PARTIAL: 'Reçu',
      REFUND: 'Reçu de remboursement',
      DEPOSIT: 'Reçu de dépôt de garantie',
      DEPOSIT_RETURNED: 'Décharge de dépôt de garantie',
      CREDIT_NOTE: 'Avoir',
      STATEMENT: 'Décompte de fin de bail',
      LEASE_NOTICE: 'Avenant au bail : modification du loyer',
      INSPECTION: 'État des lieux',
      CHARGES: 'Facture de charges',
      RENT_CHANGE: 'Avis de modification du loyer',
      LEAVE: 'Congé',
    },
    amounts: {
      LEASE_CONTRACT: 'Loyer mensuel, taxes comprises',
      INVOICE: 'Total à payer, taxes comprises',
      RECEIPT: 'Montant reçu',
      REFUND: 'Montant rendu au locataire',
      CREDIT_NOTE: 'Montant de l’avoir, taxes comprises',
      STATEMENT: 'Solde',
      LEASE_NOTICE: 'Nouveau loyer mensuel, taxes comprises',
      INSPECTION: 'Retenues proposées sur le dépôt',
    },
    // What did not reach the landlord was not received.
    ways: {
      WITHHOLDING: { part: 'Retenue à la source prise en compte', amount: 'Montant retenu à la source' },
      DEPOSIT: { part: 'Paiement prélevé sur le dépôt de garantie', amount: 'Montant prélevé sur le dépôt' },
      SET_OFF: { part: 'Paiement par compensation', amount: 'Montant compensé' },
      CREDIT: { part: 'Affectation d’une avance', amount: 'Montant pris sur l’avance' },
    },
    leaveOn: 'Dernier jour du bail',
    owes: { tenant: 'dû par le locataire', landlord: 'dû par le bailleur' },
    states: {
      VALID: 'Valable',
      ISSUED: 'Émise, à payer',
      OVERDUE: 'Échue, non soldée',
      PAID: 'Payée',
      PROPOSED: 'Projet soumis à signature',
      IN_FORCE: 'En vigueur',
      ENDED: 'Bail terminé',
      CANCELLED: 'Annulée',
      REVERSED: 'Annulée : le paiement a été contre-passé',
      REPLACED: 'Remplacée par une pièce plus récente',
    },
    file: 'Le fichier lui-même',
    fileLead: 'Empreinte SHA-256 du fichier PDF authentique :',
    noFile: 'Le fichier PDF est en cours de préparation.',
    choose: 'Choisissez votre fichier PDF pour le comparer ; il ne quitte pas votre appareil.',
    paste: 'Empreinte de votre fichier',
    compare: 'Comparer',
    same: 'Votre fichier est identique à l’original.',
    privacy: 'Cette page ne montre aucune donnée personnelle.',
  },
  en: {
    title: 'Check a paper',
    enter: 'Check a paper',
    enterLead:
      'Copy the code of the paper, 26 letters and digits, or read its black and white square with the camera of your phone.',
    codeLabel: 'Code of the paper',
    codeHint: 'Capitals, spaces and dashes do not count.',
    check: 'Check',
    genuine: 'This paper is genuine',
    genuineLead: 'It was made out by this service. Compare what follows with the paper in your hands.',
    void: 'This paper is no longer valid',
    voidLead: 'It was made out by this service, but it no longer counts.',
    differs: 'Your file is not the original',
    differsLead: 'It was changed, or is another paper. This is what the original with this code says: compare.',
    unknown: 'Unknown paper',
    unknownLead:
      'No paper of this service has this code. Check that you copied all of it; if you did, the paper is not genuine.',
    kind: 'Kind',
    number: 'Number',
    date: 'Date',
    amount: 'Amount',
    period: 'Period',
    state: 'State',
    replacedBy: 'Replaced by',
    dated: (number: string, date: string) => `No. ${number} of ${date}`,
    payer: 'Paid by',
    byOther: 'Somebody else, on behalf of the tenant',
    credited: 'Taken off by credit note',
    noPeriod: 'Advance, no period',
    period2: (from: string, to: string) => (from === to ? from : `from ${from} to ${to}`),
    since: (from: string) => `since ${from}`,
    kinds: {
      LEASE_CONTRACT: 'Lease agreement',
      INVOICE: 'Invoice',
      RECEIPT: 'Rent receipt in full',
      PARTIAL: 'Receipt',
      REFUND: 'Receipt for a refund',
      DEPOSIT: 'Security deposit receipt',
      DEPOSIT_RETURNED: 'Discharge of the security deposit',
      CREDIT_NOTE: 'Credit note',
      STATEMENT: 'Statement at the end of the lease',
      LEASE_NOTICE: 'Amendment to the lease: rent change',
      INSPECTION: 'Inspection of the premises',
      CHARGES: 'Invoice of charges',
      RENT_CHANGE: 'Notice of rent change',
      LEAVE: 'Notice to leave',
    },
    amounts: {
      LEASE_CONTRACT: 'Monthly rent, taxes included',
      INVOICE: 'Total to pay, taxes included',
      RECEIPT: 'Amount received',
      REFUND: 'Amount given back to the tenant',
      CREDIT_NOTE: 'Credited, taxes included',
      STATEMENT: 'Balance',
      LEASE_NOTICE: 'New monthly rent, taxes included',
      INSPECTION: 'Deductions proposed',
    },
    ways: {
      WITHHOLDING: { part: 'Tax withheld at source, taken into account', amount: 'Amount withheld at source' },
      DEPOSIT: { part: 'Payment taken from the security deposit', amount: 'Amount taken from the deposit' },
      SET_OFF: { part: 'Payment by set-off', amount: 'Amount set off' },
      CREDIT: { part: 'Use of an advance', amount: 'Amount taken from the advance' },
    },
    leaveOn: 'Last day of the lease',
    owes: { tenant: 'due from the tenant', landlord: 'due from the landlord' },
    states: {
      VALID: 'Valid',
      ISSUED: 'Issued, to be paid',
      OVERDUE: 'Overdue, not settled',
      PAID: 'Paid',
      PROPOSED: 'Draft out for signature',
      IN_FORCE: 'In force',
      ENDED: 'Lease ended',
      CANCELLED: 'Cancelled',
      REVERSED: 'Void: the payment was reversed',
      REPLACED: 'Replaced by a more recent paper',
    },
    file: 'The file itself',
    fileLead: 'SHA-256 digest of the genuine PDF file:',
    noFile: 'The PDF file is being prepared.',
    choose: 'Choose your PDF file to compare it; it does not leave your device.',
    paste: 'Digest of your file',
    compare: 'Compare',
    same: 'Your file is identical to the original.',
    privacy: 'This page shows no personal data.',
  },
} as const

const VOID: readonly string[] = ['CANCELLED', 'REVERSED', 'REPLACED']

/** Variants with a name of their own. */
const OWN_NAME = [
  'PARTIAL',
  'REFUND',
  'DEPOSIT',
  'DEPOSIT_RETURNED',
  'CREDIT_NOTE',
  'CHARGES',
  'RENT_CHANGE',
  'LEAVE',
] as const

function factRows(facts: Facts, locale: Locale): Html[] {
  const t = TEXTS[locale]
  const { kind, from, to, amount } = facts
  const refund = facts.variant === 'REFUND' || facts.variant === 'DEPOSIT_RETURNED'
  const ofNoPeriod = refund || facts.variant === 'DEPOSIT'
  const named = OWN_NAME.find((variant) => variant === facts.variant)
  const date = (d: string): string => formatDate(d, locale).replaceAll(' ', '\u00a0')
  const period =
    from === undefined ? t.noPeriod : to === undefined ? t.since(date(from)) : t.period2(...spanOf(from, to, locale))
  const owes = kind !== 'STATEMENT' || amount === 0 ? '' : ` ${amount > 0 ? t.owes.tenant : t.owes.landlord}`
  const way = facts.way && facts.way !== 'RECEIVED' && !refund ? t.ways[facts.way] : undefined
  const rows: [string, string][] = [
    [t.kind, named === 'PARTIAL' && way ? way.part : t.kinds[named ?? kind]],
    [t.number, facts.number],
    [t.date, date(facts.issuedOn)],
    ...(named === 'LEAVE'
      ? []
      : [
          [
            way?.amount ?? t.amounts[refund ? 'REFUND' : named === 'CREDIT_NOTE' ? named : kind],
            `${formatMoney(Math.abs(amount), locale)}${owes}`,
          ] as [string, string],
        ]),
    ...(facts.byOther ? [[t.payer, t.byOther] as [string, string]] : []),
    ...(ofNoPeriod || (from === undefined && kind !== 'RECEIPT')
      ? []
      : [(named === 'LEAVE' ? [t.leaveOn, date(facts.to ?? '')] : [t.period, period]) as [string, string]]),
    [t.state, t.states[facts.state]],
    ...(facts.creditedAmount > 0 ? [[t.credited, formatMoney(facts.creditedAmount, locale)] as [string, string]] : []),
    ...(facts.replacement
      ? [[t.replacedBy, t.dated(facts.replacement.number, date(facts.replacement.issuedOn))] as [string, string]]
      : []),
  ]
  return rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)
}

const normalDigest = (sha256: string | undefined): string | undefined => sha256?.trim().toLowerCase() || undefined

function fileSection({ locale, code, sha256 }: VerifyPage, facts: Facts): Html {
  const t = TEXTS[locale]
  const [digest] = facts.digests
  if (digest === undefined) return html`<section><h2>${t.file}</h2><p>${t.noFile}</p></section>`
  return html`<section>
<h2>${t.file}</h2>
<p>${t.fileLead}</p>
<p><code>${digest}</code></p>
<form action="/verify/${encodeURIComponent(code)}">
<input type="hidden" name="lang" value="${locale}">
<label id="choose" hidden>${t.choose}<input type="file" accept="application/pdf"></label>
<label>${t.paste}<input name="sha256" maxlength="64" autocomplete="off" spellcheck="false" value="${normalDigest(sha256)}"></label>
<button type="submit">${t.compare}</button>
</form>
</section>`
}

/** Asks for the code; `typed`: an unknown code, to be corrected. */
function codeForm(locale: Locale, typed: string): Html {
  const t = TEXTS[locale]
  return html`<form action="/verify">
<label for="code">${t.codeLabel}</label>
<input id="code" name="code" required maxlength="200" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="hint" value="${typed}">
<p class="hint" id="hint">${t.codeHint}</p>
<button type="submit">${t.check}</button>
</form>`
}

/** GET /verify: for people who have a paper with its code, but no address to open. */
export function enterPage(locale: Locale): Response {
  const t = TEXTS[locale]
  return answerPage({
    status: 200,
    locale,
    title: t.enter,
    about: t.title,
    tone: 'calm',
    main: html`<h1>${t.enter}</h1>
<p class="lead">${t.enterLead}</p>
${codeForm(locale, '')}`,
    note: t.privacy,
    other: '/verify',
    form: true,
  })
}

/**
 * GET /verify/{code}: whether a document is genuine, and what it states. Works without scripts; reveals no person's
 * data.
 */
export function verifyPage(input: VerifyPage): Response {
  const { locale, facts, code } = input
  const t = TEXTS[locale]
  const path = inUrl(code, 64)
  const digest = facts && facts.digests.length > 0 ? normalDigest(input.sha256) : undefined
  const differs = digest !== undefined && !facts?.digests.includes(digest)
  const result = !facts ? 'unknown' : differs ? 'differs' : VOID.includes(facts.state) ? 'void' : 'genuine'
  return answerPage({
    status: facts ? 200 : 404,
    locale,
    title: t[result],
    about: t.title,
    tone: result,
    main: html`<h1>${t[result]}</h1>
<p class="lead">${t[`${result}Lead`]}</p>
${digest !== undefined && !differs && html`<p class="good" role="status">${t.same}</p>`}
${facts && html`<dl>${factRows(facts, locale)}</dl>`}
${facts ? fileSection(input, facts) : codeForm(locale, code.slice(0, 200))}`,
    note: t.privacy,
    other: `/verify/${path}`,
    script: 'verify/check.js',
  })
}
