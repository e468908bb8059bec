import { formatMoney } from '../../../core/money.ts'

/** `missing` in francs, negative where the parts are more than the amount. */
export const unequal = (missing: number) =>
  missing > 0
    ? {
        en: `${formatMoney(missing, 'en')} of the amount is in no part.`,
        fr: `${formatMoney(missing, 'fr')} du montant ne sont dans aucune part.`,
      }
    : {
        en: `The parts are ${formatMoney(-missing, 'en')} more than the amount.`,
        fr: `Les parts dépassent le montant de ${formatMoney(-missing, 'fr')}.`,
      }

export const NO_DEPOSIT = {
  WAITS: {
    en: 'This cash waits until its receiver confirms it. Record the deposit once it is confirmed.',
    fr: 'Ces espèces attendent la confirmation de qui les a reçues. Notez la caution une fois qu’elles sont confirmées.',
  },
  WITHHELD: {
    en: 'Withheld tax pays invoices alone.',
    fr: 'L’impôt retenu ne paie que des factures.',
  },
} as const

export const NO_REST = {
  WAITS: {
    en: 'This cash waits until its receiver confirms it. Name what all of it is for.',
    fr: 'Ces espèces attendent la confirmation de qui les a reçues\u00a0: indiquez à quoi sert toute la somme.',
  },
  WITHHELD: {
    en: 'Withheld tax pays invoices alone.',
    fr: 'L’impôt retenu ne paie que des factures.',
  },
} as const
