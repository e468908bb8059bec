/** The sample building, its flats and their tenants, who have no number, so that nothing is ever sent. */
export const SAMPLE = {
  fr: {
    property: 'Résidence d’exemple',
    address: 'Derrière la pharmacie',
    people: ['Aline', 'Bruno', 'Célestin'],
    repair: 'Robinet de la cuisine qui fuit',
  },
  en: {
    property: 'Sample residence',
    address: 'Behind the pharmacy',
    people: ['Aline', 'Bruno', 'Celestine'],
    repair: 'The kitchen tap leaks',
  },
} as const
export const SURNAME = { fr: 'Exemple', en: 'Sample' } as const
export const LABELS = ['A1', 'A2', 'A3', 'A4']
export const RENT = 60_000
