import { quoted, typedPlain } from '../../../core/message-text.ts'

/** Why no code is sent where no vendor is connected. */
export const NO_VENDOR = {
  en: 'This server does not send codes yet: WhatsApp is not connected.',
  fr: 'Ce serveur n’envoie pas encore de codes\u00a0: WhatsApp n’y est pas branché.',
}

/** Messages to people about their own account, in their language. */
export const TEXTS = {
  fr: {
    passwordChanged: () =>
      'Votre mot de passe Loyer a été changé. Si ce n’était pas vous, demandez un nouveau code et prévenez votre bailleur.',
    phoneChanged: (masked: string) =>
      `Le numéro de votre compte Loyer est désormais ${masked}. Si ce n’était pas vous, prévenez votre bailleur.`,
    phoneLost: (masked: string, url: string) =>
      `Votre compte Loyer passe au ${masked}. Ce n’est pas vous\u00a0? Annulez sous 72 h\u00a0: ${url}`,
    phoneRestored: () =>
      'Votre compte Loyer a retrouvé ce numéro. L’ancien mot de passe n’ouvre plus rien\u00a0: choisissez-en un nouveau avec un code envoyé ici.',
    phoneUndone: (masked: string) =>
      `Votre compte Loyer a repris le numéro ${masked}, à la demande de ce numéro. Si c’est une erreur, prévenez votre bailleur.`,
    accountDisabled: () =>
      'Votre compte Loyer a été désactivé par un administrateur. Pour en connaître la raison, adressez-vous à votre bailleur.',
    adminRemoved: (who: string) =>
      `${typedPlain(who, 40)} vous a retiré le rôle d’administrateur sur Loyer. Si ce n’est pas convenu, prévenez les autres administrateurs ou l’exploitant.`,
    accountEnabled: () => 'Votre compte Loyer est de nouveau actif. Vous pouvez vous connecter.',
    recoveryCodeIssued: () =>
      'Un administrateur a préparé un code pour rouvrir votre compte Loyer. Si vous n’avez rien demandé, prévenez votre bailleur.',
    invited: (name: string, url: string) =>
      `${quoted(name, 'fr')} vous invite sur Loyer. Inscrivez-vous avec ce numéro\u00a0: ${url}`,
    accountClosed: () =>
      'Votre compte Loyer est fermé et vos données personnelles sont effacées. Baux et factures sont conservés dix ans, comme la loi l’exige.',
  },
  en: {
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
    adminRemoved: (who: string) =>
      `${typedPlain(who, 40)} took the role of administrator on Loyer from you. If this was not agreed, tell the other administrators or the operator.`,
    accountEnabled: () => 'Your Loyer account is active again. You can sign in.',
    recoveryCodeIssued: () =>
      'An administrator has made a code to reopen your Loyer account. If you did not ask for it, tell your landlord.',
    invited: (name: string, url: string) =>
      `${quoted(name, 'en')} invites you to Loyer. Sign up with this number: ${url}`,
    accountClosed: () =>
      'Your Loyer account is closed and your personal data are erased. Leases and invoices are kept for ten years, as the law asks.',
  },
} as const satisfies Record<'fr' | 'en', unknown>
