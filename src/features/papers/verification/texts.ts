import { NEWS } from '../../../core/budgets.ts'
import { formatDate } from '../../../core/dates.ts'
import { quoted } from '../../../core/message-text.ts'

type Case = { readonly kind: 'OWNER_KYC' | 'PROPERTY_PROOF'; readonly propertyName: string; readonly note: string }
const WHAT = {
  fr: (c: Case) =>
    c.kind === 'OWNER_KYC' ? 'vérification d’identité' : `preuve de propriété de ${quoted(c.propertyName, 'fr')}`,
  en: (c: Case) =>
    c.kind === 'OWNER_KYC' ? 'identity check' : `proof of ownership of ${quoted(c.propertyName, 'en')}`,
} as const

/** What the subject of a verification is told, in their language. */
export const TEXTS = {
  fr: {
    verificationDecided: {
      APPROVED: (c: Case) => `Votre ${WHAT.fr(c)} est approuvée.`,
      REJECTED: (c: Case) => `Votre ${WHAT.fr(c)} est refusée\u00a0: ${quoted(c.note, 'fr', NEWS.noteLength)}`,
      MORE_INFO_REQUESTED: (c: Case) =>
        `Votre ${WHAT.fr(c)} est incomplète\u00a0: ${quoted(c.note, 'fr', NEWS.noteLength)}`,
      REVOKED: (c: Case) =>
        `L’approbation de votre ${WHAT.fr(c)} est retirée\u00a0: ${quoted(c.note, 'fr', NEWS.noteLength)}`,
    },
    verificationExpiring: (c: Case, expiresOn: string) =>
      `Une pièce de votre ${WHAT.fr(c)} expire le ${formatDate(expiresOn, 'fr')}. Pensez à la renouveler.`,
  },
  en: {
    verificationDecided: {
      APPROVED: (c: Case) => `Your ${WHAT.en(c)} is approved.`,
      REJECTED: (c: Case) => `Your ${WHAT.en(c)} is rejected: ${quoted(c.note, 'en', NEWS.noteLength)}`,
      MORE_INFO_REQUESTED: (c: Case) => `Your ${WHAT.en(c)} is incomplete: ${quoted(c.note, 'en', NEWS.noteLength)}`,
      REVOKED: (c: Case) =>
        `The approval of your ${WHAT.en(c)} is taken back: ${quoted(c.note, 'en', NEWS.noteLength)}`,
    },
    verificationExpiring: (c: Case, expiresOn: string) =>
      `A document of your ${WHAT.en(c)} expires on ${formatDate(expiresOn, 'en')}. Please renew it.`,
  },
} as const satisfies Record<'fr' | 'en', unknown>
