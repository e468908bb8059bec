import { NEWS } from '../../../core/budgets.ts'
import { formatDate } from '../../../core/dates.ts'
import { formatMoney } from '../../../core/money.ts'
import { quoted } from '../../../core/quoted.ts'

type Locale = 'fr' | 'en'
type Payment = { readonly amount: number; readonly unitLabel: string }
type Lease = { readonly unitLabel: string; readonly endDate: string }

type Case = { readonly kind: 'OWNER_KYC' | 'PROPERTY_PROOF'; readonly propertyName: string; readonly note: string }
const WHAT = {
  fr: (c: Case) =>
    c.kind === 'OWNER_KYC' ? "vérification d'identité" : `preuve de propriété de ${quoted(c.propertyName, 'fr')}`,
  en: (c: Case) =>
    c.kind === 'OWNER_KYC' ? 'identity check' : `proof of ownership of ${quoted(c.propertyName, 'en')}`,
} as const

/** What tenants are told, in their language. */
export const TEXTS = {
  fr: {
    paymentConfirmed: (p: Payment) =>
      `Nous avons bien reçu ${formatMoney(p.amount, 'fr')} pour ${quoted(p.unitLabel, 'fr')}. Merci.`,
    verificationDecided: {
      APPROVED: (c: Case) => `Votre ${WHAT.fr(c)} est approuvée.`,
      REJECTED: (c: Case) => `Votre ${WHAT.fr(c)} est refusée : ${quoted(c.note, 'fr', NEWS.noteLength)}`,
      MORE_INFO_REQUESTED: (c: Case) =>
        `Il manque quelque chose à votre ${WHAT.fr(c)} : ${quoted(c.note, 'fr', NEWS.noteLength)}`,
      REVOKED: (c: Case) =>
        `L'approbation de votre ${WHAT.fr(c)} est retirée : ${quoted(c.note, 'fr', NEWS.noteLength)}`,
    },
    verificationExpiring: (c: Case, expiresOn: string) =>
      `Une pièce de votre ${WHAT.fr(c)} expire le ${formatDate(expiresOn, 'fr')}. Pensez à la renouveler.`,
    leaseEnded: (l: Lease) =>
      `Votre bail pour ${quoted(l.unitLabel, 'fr')} a pris fin le ${formatDate(l.endDate, 'fr')}.`,
    leaseReinstated: (l: Lease) =>
      `Votre bail pour ${quoted(l.unitLabel, 'fr')} continue : sa fin au ${formatDate(l.endDate, 'fr')} est annulée.`,
  },
  en: {
    paymentConfirmed: (p: Payment) =>
      `We have received ${formatMoney(p.amount, 'en')} for ${quoted(p.unitLabel, 'en')}. Thank you.`,
    verificationDecided: {
      APPROVED: (c: Case) => `Your ${WHAT.en(c)} is approved.`,
      REJECTED: (c: Case) => `Your ${WHAT.en(c)} is rejected: ${quoted(c.note, 'en', NEWS.noteLength)}`,
      MORE_INFO_REQUESTED: (c: Case) =>
        `Something is missing from your ${WHAT.en(c)}: ${quoted(c.note, 'en', NEWS.noteLength)}`,
      REVOKED: (c: Case) =>
        `The approval of your ${WHAT.en(c)} is taken back: ${quoted(c.note, 'en', NEWS.noteLength)}`,
    },
    verificationExpiring: (c: Case, expiresOn: string) =>
      `A document of your ${WHAT.en(c)} expires on ${formatDate(expiresOn, 'en')}. Please renew it.`,
    leaseEnded: (l: Lease) => `Your lease of ${quoted(l.unitLabel, 'en')} ended on ${formatDate(l.endDate, 'en')}.`,
    leaseReinstated: (l: Lease) =>
      `Your lease of ${quoted(l.unitLabel, 'en')} goes on: its end on ${formatDate(l.endDate, 'en')} is undone.`,
  },
} as const satisfies Record<Locale, unknown>
