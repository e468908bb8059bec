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
    passwordChanged: () =>
      "Votre mot de passe Loyer a été changé. Si ce n'était pas vous, demandez un nouveau code et prévenez votre bailleur.",
    phoneChanged: (masked: string) =>
      `Le numéro de votre compte Loyer est désormais ${masked}. Si ce n'était pas vous, prévenez votre bailleur.`,
    phoneLost: (masked: string, url: string) =>
      `Votre compte Loyer passe au ${masked}. Ce n'est pas vous ? Annulez sous 72 h : ${url}`,
    phoneRestored: () =>
      "Votre compte Loyer a retrouvé ce numéro. L'ancien mot de passe n'ouvre plus rien : choisissez-en un nouveau avec un code envoyé ici.",
    phoneUndone: (masked: string) =>
      `Votre compte Loyer a repris le numéro ${masked}, à la demande de ce numéro. Si c'est une erreur, prévenez votre bailleur.`,
    accountDisabled: () =>
      'Votre compte Loyer a été désactivé par un administrateur. Pour en connaître la raison, adressez-vous à votre bailleur.',
    accountEnabled: () => 'Votre compte Loyer est de nouveau actif. Vous pouvez vous connecter.',
    recoveryCodeIssued: () =>
      "Un administrateur a préparé un code pour rouvrir votre compte Loyer. Si vous n'avez rien demandé, prévenez votre bailleur.",
    invited: (name: string, url: string) =>
      `${quoted(name, 'fr')} vous invite sur Loyer. Inscrivez-vous avec ce numéro : ${url}`,
    accountClosed: () =>
      "Votre compte Loyer est fermé et vos données personnelles sont effacées. Baux et factures sont conservés dix ans, comme la loi l'exige.",
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
    passwordChanged: () =>
      'Your Loyer password was changed. If it was not you, ask for a new code and tell your landlord.',
    phoneChanged: (masked: string) =>
      `The number of your Loyer account is now ${masked}. If it was not you, tell your landlord.`,
    phoneLost: (masked: string, url: string) =>
      `Your Loyer account moves to ${masked}. Not you? Undo it within 72 hours: ${url}`,
    phoneRestored: () =>
      'Your Loyer account has this number again. The old password no longer opens anything: choose a new one with a code sent here.',
    phoneUndone: (masked: string) =>
      `Your Loyer account went back to the number ${masked}, as that number asked. If this is a mistake, tell your landlord.`,
    accountDisabled: () => 'Your Loyer account was disabled by an administrator. To learn why, ask your landlord.',
    accountEnabled: () => 'Your Loyer account is active again. You can sign in.',
    recoveryCodeIssued: () =>
      'An administrator has made a code to reopen your Loyer account. If you did not ask for it, tell your landlord.',
    invited: (name: string, url: string) =>
      `${quoted(name, 'en')} invites you to Loyer. Sign up with this number: ${url}`,
    accountClosed: () =>
      'Your Loyer account is closed and your personal data are erased. Leases and invoices are kept for ten years, as the law asks.',
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
