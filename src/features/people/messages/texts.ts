import { quoted, typedPlain } from '../../../core/message-text.ts'

/** Why no code is sent where no vendor is connected. */
export const NO_VENDOR = {
  en: 'This server does not send codes yet: WhatsApp is not connected.',
  fr: 'Ce serveur n’envoie pas encore de codes\u00a0: WhatsApp n’y est pas branché.',
}

/** Whom to tell, in the organization of the account: whoever reads it may be a tenant, a landlord or a manager. */
const admin = {
  fr: (organization: string): string =>
    organization === '' ? 'un administrateur' : `l’administrateur de ${quoted(organization, 'fr')}`,
  en: (organization: string): string =>
    organization === '' ? 'an administrator' : `the administrator of ${quoted(organization, 'en')}`,
} as const

/** Messages to people about their own account, in their language. */
export const TEXTS = {
  fr: {
    passwordChanged: (organization: string) =>
      `Votre mot de passe Loyer a été changé. Ce n’était pas vous\u00a0? Demandez un nouveau code et prévenez ${admin.fr(organization)}.`,
    phoneChanged: (masked: string, organization: string) =>
      `Le numéro de votre compte Loyer est désormais ${masked}. Si ce n’était pas vous, prévenez ${admin.fr(organization)}.`,
    phoneLost: (masked: string, url: string) =>
      `Votre compte Loyer passe au ${masked}. Ce n’est pas vous\u00a0? Annulez sous 72 h\u00a0: ${url}`,
    phoneRestored: () =>
      'Votre compte Loyer a retrouvé ce numéro. L’ancien mot de passe n’ouvre plus rien\u00a0: choisissez-en un nouveau avec un code envoyé ici.',
    phoneUndone: (masked: string, organization: string) =>
      `Votre compte Loyer a repris le numéro ${masked}, à sa demande. Si c’est une erreur, prévenez ${admin.fr(organization)}.`,
    accountDisabled: (organization: string) =>
      `Votre compte Loyer a été désactivé. Pour en connaître la raison, adressez-vous à ${admin.fr(organization)}.`,
    adminRemoved: (who: string) =>
      `${typedPlain(who, 40)} vous a retiré le rôle d’administrateur sur Loyer. Si ce n’est pas convenu, prévenez les autres administrateurs ou l’exploitant.`,
    accountEnabled: () => 'Votre compte Loyer est de nouveau actif. Vous pouvez vous connecter.',
    recoveryCodeIssued: (organization: string) =>
      `Un code a été préparé pour rouvrir votre compte Loyer. Si vous n’avez rien demandé, prévenez ${admin.fr(organization)}.`,
    invited: (name: string, url: string) =>
      `${quoted(name, 'fr')} vous invite sur Loyer. Inscrivez-vous avec ce numéro\u00a0: ${url}`,
    accountClosed: (years: string) =>
      `Votre compte Loyer est fermé et vos données personnelles sont effacées. Baux et factures sont conservés ${years} ans, comme la loi l’exige.`,
  },
  en: {
    passwordChanged: (organization: string) =>
      `Your Loyer password was changed. If it wasn’t you, ask for a new code and tell ${admin.en(organization)}.`,
    phoneChanged: (masked: string, organization: string) =>
      `The number of your Loyer account is now ${masked}. If it wasn’t you, tell ${admin.en(organization)}.`,
    phoneLost: (masked: string, url: string) =>
      `Your Loyer account moves to ${masked}. Not you? Undo it within 72 hours: ${url}`,
    phoneRestored: () =>
      'Your Loyer account has this number again. The old password no longer opens anything: choose a new one with a code sent here.',
    phoneUndone: (masked: string, organization: string) =>
      `Your Loyer account went back to the number ${masked}, at its request. If this is wrong, tell ${admin.en(organization)}.`,
    accountDisabled: (organization: string) =>
      `Your Loyer account was disabled. To learn why, ask ${admin.en(organization)}.`,
    adminRemoved: (who: string) =>
      `${typedPlain(who, 40)} took the role of administrator on Loyer from you. If this was not agreed, tell the other administrators or the operator.`,
    accountEnabled: () => 'Your Loyer account is active again. You can sign in.',
    recoveryCodeIssued: (organization: string) =>
      `A code was made to reopen your Loyer account. If you did not ask for it, tell ${admin.en(organization)}.`,
    invited: (name: string, url: string) =>
      `${quoted(name, 'en')} invites you to Loyer. Sign up with this number: ${url}`,
    accountClosed: (years: string) =>
      `Your Loyer account is closed and your personal data are erased. Leases and invoices are kept for ${years} years, as the law asks.`,
  },
} as const satisfies Record<'fr' | 'en', unknown>
