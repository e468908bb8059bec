import { typedPlain } from '../../../core/message-text.ts'

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

type Said = { readonly who: string; readonly whom: string; readonly when: string }
const short = (name: string): string => typedPlain(name, 40)
const WHAT = {
  fr: { RECOVERY_CODE: 'un code de secours', SECOND_FACTOR: 'le retrait de la deuxième étape de connexion' },
  en: { RECOVERY_CODE: 'a recovery code', SECOND_FACTOR: 'the removal of the second sign-in step' },
} as const
type RecoveryKind = keyof (typeof WHAT)['fr']
/** What people are told when an ADMIN asks to let another ADMIN back in; `asked`: to that person. */
export const RECOVERY_TEXTS = {
  fr: {
    asked: (kind: RecoveryKind, { who, when, url }: Said & { url: string }) =>
      `${short(who)} demande ${WHAT.fr[kind]} pour votre compte Loyer, avec effet le ${when}. Ce n’est pas voulu\u00a0? Arrêtez tout, ou confirmez\u00a0: ${url}`,
    askedOfOther: (kind: RecoveryKind, { who, whom, when, url }: Said & { url: string }) =>
      `${short(who)} demande ${WHAT.fr[kind]} pour le compte Loyer de ${short(whom)}, administrateur, avec effet le ${when}. À arrêter si ce n’est pas convenu\u00a0: ${url}`,
    stopped: (kind: RecoveryKind, { whom, by }: Said & { by: string }) =>
      `${short(by)} a tout arrêté\u00a0: ${WHAT.fr[kind]} pour le compte Loyer de ${short(whom)} est sans effet.`,
  },
  en: {
    asked: (kind: RecoveryKind, { who, when, url }: Said & { url: string }) =>
      `${short(who)} asks for ${WHAT.en[kind]} for your Loyer account, to take effect on ${when}. Not meant? Stop it, or confirm it: ${url}`,
    askedOfOther: (kind: RecoveryKind, { who, whom, when, url }: Said & { url: string }) =>
      `${short(who)} asks for ${WHAT.en[kind]} for the Loyer account of ${short(whom)}, an administrator, to take effect on ${when}. Stop it if it was not agreed: ${url}`,
    stopped: (kind: RecoveryKind, { whom, by }: Said & { by: string }) =>
      `${short(by)} stopped it: ${WHAT.en[kind]} for the Loyer account of ${short(whom)} has no effect.`,
  },
} as const
