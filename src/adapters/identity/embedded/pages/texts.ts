export type Lang = 'fr' | 'en'

/** Every sentence of the sign-in pages. */
export const TEXTS = {
  fr: {
    signIn: 'Connexion',
    signInLead: 'Entrez le numéro et le mot de passe de votre compte Loyer.',
    phone: 'Numéro de téléphone',
    phoneHint: 'Par exemple 677 12 34 56',
    password: 'Mot de passe',
    submit: 'Se connecter',
    forgotten: 'Mot de passe oublié ?',
    register: 'Créer un compte',
    noCodes:
      'Ce serveur n’envoie pas encore de codes. Pour ouvrir un compte, ou si vous avez oublié votre mot de passe, adressez-vous à votre bailleur.',
    otherLang: 'English',
    tagline: 'Vos biens, vos baux, vos loyers.',
    wrong:
      'Le numéro ou le mot de passe n’est pas le bon. Vérifiez-les, puis réessayez. Après cinq erreurs de suite, il faut patienter d’une à quinze minutes.',
    empty: 'Entrez votre numéro de téléphone et votre mot de passe.',
    tooMany: 'Trop d’essais ont été faits depuis votre connexion internet. Patientez une minute, puis réessayez.',
    busy: 'Trop de connexions à la fois en ce moment. Réessayez dans quelques secondes.',
    stale: 'Cette page est restée ouverte trop longtemps. Entrez de nouveau votre numéro et votre mot de passe.',
    expiredTitle: 'Cette page n’est plus valable',
    expired:
      'Elle est restée ouverte trop longtemps, ou vous étiez déjà connecté. Revenez à l’application et connectez-vous de nouveau.',
    errorTitle: 'La connexion n’a pas pu se faire',
    errorClient:
      'L’application qui vous a envoyé ici a fait une demande que Loyer ne peut pas accepter. Ce n’est pas de votre faute : revenez à l’application et réessayez. Si cela continue, prévenez la personne qui la gère.',
    errorServer: 'Un problème est survenu de notre côté. Réessayez dans un instant.',
    detail: 'Pour l’assistance :',
    home: 'Aller à l’accueil',
    signOut: 'Se déconnecter',
    signOutLead: 'Voulez-vous vous déconnecter de Loyer sur cet appareil ?',
    stay: 'Rester connecté',
    signedOut: 'Vous êtes déconnecté',
    signedOutLead: 'Vous pouvez fermer cette page.',
    switchTitle: 'Changer de compte',
    switchLead: 'Un autre compte est ouvert dans ce navigateur. Continuez pour le fermer et utiliser le vôtre.',
    proceed: 'Continuer',
    termsTitle: 'Nos conditions ont changé',
    termsLead: 'Lisez-les et acceptez-les pour continuer. Rien d’autre ne change pour vous.',
    acceptTerms: 'J’accepte les conditions d’utilisation',
    acceptPrivacy: 'J’ai lu comment mes données sont protégées',
    readText: 'Lire le texte',
    bothBoxes: 'Cochez les deux cases pour continuer.',
  },
  en: {
    signIn: 'Sign in',
    signInLead: 'Enter the phone number and password of your Loyer account.',
    phone: 'Phone number',
    phoneHint: 'For example 677 12 34 56',
    password: 'Password',
    submit: 'Sign in',
    forgotten: 'Forgot your password?',
    register: 'Create an account',
    noCodes:
      'This server does not send codes yet. To open an account, or if you forgot your password, ask your landlord.',
    otherLang: 'Français',
    tagline: 'Your homes, your leases, your rent.',
    wrong:
      'The phone number or the password is not right. Check them and try again. After five wrong tries in a row you have to wait, from one to fifteen minutes.',
    empty: 'Enter your phone number and your password.',
    tooMany: 'There were too many tries from your internet connection. Wait one minute, then try again.',
    busy: 'Too many sign-ins at the same time just now. Try again in a few seconds.',
    stale: 'This page was open for too long. Enter your phone number and password again.',
    expiredTitle: 'This page is no longer valid',
    expired: 'It was open for too long, or you were already signed in. Go back to the app and sign in again.',
    errorTitle: 'Signing in did not work',
    errorClient:
      'The app that sent you here asked for something that Loyer cannot accept. It is not your fault: go back to the app and try again. If it keeps happening, tell the person who runs it.',
    errorServer: 'Something went wrong on our side. Try again in a moment.',
    detail: 'For support:',
    home: 'Go to the start page',
    signOut: 'Sign out',
    signOutLead: 'Do you want to sign out of Loyer on this device?',
    stay: 'Stay signed in',
    signedOut: 'You are signed out',
    signedOutLead: 'You can close this page.',
    switchTitle: 'Switch accounts',
    switchLead: 'Another account is open in this browser. Continue to close it and use yours.',
    proceed: 'Continue',
    termsTitle: 'Our terms have changed',
    termsLead: 'Read and accept them to go on. Nothing else changes for you.',
    acceptTerms: 'I accept the terms of use',
    acceptPrivacy: 'I have read how my data are protected',
    readText: 'Read the text',
    bothBoxes: 'Tick both boxes to go on.',
  },
} as const
export type TextKey = keyof (typeof TEXTS)['fr']

const asLang = (tag: string | undefined): Lang | undefined => {
  const language = tag?.trim().toLowerCase().split('-')[0]
  return language === 'fr' || language === 'en' ? language : undefined
}

/**
 * The first supported language (French or English) of `ui_locales`, then of Accept-Language by weight; French
 * otherwise.
 */
export function chooseLang(lists: readonly (string | undefined)[], acceptLanguage: string | null): Lang {
  for (const list of lists) for (const tag of list?.split(' ') ?? []) if (asLang(tag)) return asLang(tag) ?? 'fr'
  const weighed = (acceptLanguage ?? '')
    .slice(0, 200)
    .split(',')
    .flatMap((part) => {
      const [tag, weight] = part.split(/;\s*q=/)
      const lang = asLang(tag)
      return lang ? [{ lang, weight: weight === undefined ? 1 : Number(weight) || 0 }] : []
    })
  return weighed.sort((a, b) => b.weight - a.weight)[0]?.lang ?? 'fr'
}
