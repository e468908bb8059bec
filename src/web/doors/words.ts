/** Words that several of these pages say. */
export const WORDS = {
  fr: {
    phone: 'Numéro de téléphone',
    phoneHint: 'Par exemple 677 12 34 56',
    wrongPhone:
      'Ce n’est pas un numéro de téléphone. Au Cameroun, il a neuf chiffres et commence par 6 : 677 12 34 56. Pour un autre pays, commencez par + et son indicatif.',
    firstName: 'Prénom',
    lastName: 'Nom',
    password: 'Mot de passe',
    newPassword: 'Nouveau mot de passe',
    passwordHint: 'Huit caractères au moins. Trois mots qui n’ont rien à voir font un bon mot de passe.',
    shortPassword: 'Le mot de passe doit avoir de 8 à 128 caractères.',
    missing: 'Ce champ est obligatoire.',
    wrongName: 'Indiquez un nom, pas un numéro.',
    bothBoxes: 'Cochez les deux cases pour continuer.',
    weakPassword: 'Ce mot de passe est trop facile à deviner. Choisissez-en un autre.',
  },
  en: {
    phone: 'Phone number',
    phoneHint: 'For example 677 12 34 56',
    wrongPhone:
      'This is no phone number. In Cameroon it has nine digits and begins with 6: 677 12 34 56. For another country, begin with + and its code.',
    firstName: 'First name',
    lastName: 'Last name',
    password: 'Password',
    newPassword: 'New password',
    passwordHint: 'At least eight characters. Three words that have nothing to do with each other make a good one.',
    shortPassword: 'The password must have 8 to 128 characters.',
    missing: 'This field is required.',
    wrongName: 'Give a name, not a number.',
    bothBoxes: 'Tick both boxes to go on.',
    weakPassword: 'This password is too easy to guess. Choose another.',
  },
} as const
