/** Messages about changes to a person's second factor. They go by SMS, so they use no accents beyond its alphabet. */
export const FACTOR_NEWS = {
  fr: {
    ADDED:
      'Une deuxième étape de connexion a été ajoutée à votre compte Loyer. Si ce n’était pas vous, changez de mot de passe et prévenez votre administrateur.',
    REMOVED:
      'Une deuxième étape de connexion a été retirée de votre compte Loyer. Si ce n’était pas vous, changez de mot de passe et prévenez votre administrateur.',
    CODES_RENEWED:
      'De nouveaux codes de secours ont été créés pour votre compte Loyer. Si ce n’était pas vous, changez de mot de passe et prévenez votre administrateur.',
    RESET:
      'Un administrateur a retiré la deuxième étape de connexion de votre compte Loyer. Si vous n’avez rien demandé, prévenez-le et changez de mot de passe.',
    codeUsed: (left: number) =>
      `Un code de secours a servi à vous connecter à Loyer. Il en reste ${left}. Si ce n’était pas vous, changez de mot de passe et prévenez votre administrateur.`,
  },
  en: {
    ADDED:
      'A second sign-in step was added to your Loyer account. If it was not you, change your password and tell your administrator.',
    REMOVED:
      'A second sign-in step was removed from your Loyer account. If it was not you, change your password and tell your administrator.',
    CODES_RENEWED:
      'New recovery codes were made for your Loyer account. If it was not you, change your password and tell your administrator.',
    RESET:
      'An administrator took the second sign-in step off your Loyer account. If you did not ask for it, tell them and change your password.',
    codeUsed: (left: number) =>
      `A recovery code was used to sign in to Loyer. ${left} are left. If it was not you, change your password and tell your administrator.`,
  },
} as const
