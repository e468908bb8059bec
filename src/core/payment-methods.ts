import type { PAID_BY } from './money.ts'

type Names = Readonly<Record<(typeof PAID_BY)[number], string>>

/** The ways to pay, as papers, pages and messages name them. */
export const METHOD_NAMES: Readonly<Record<'fr' | 'en', Names>> = {
  fr: {
    CASH: 'Espèces',
    MTN_MOMO: 'MTN MoMo',
    ORANGE_MONEY: 'Orange Money',
    BANK_TRANSFER: 'Virement bancaire',
    CHEQUE: 'Chèque',
    WITHHOLDING: 'Retenue à la source',
    OTHER: 'Autre moyen',
    DEPOSIT: 'Dépôt de garantie',
    SET_OFF: 'Compensation entre baux',
  },
  en: {
    CASH: 'Cash',
    MTN_MOMO: 'MTN MoMo',
    ORANGE_MONEY: 'Orange Money',
    BANK_TRANSFER: 'Bank transfer',
    CHEQUE: 'Cheque',
    WITHHOLDING: 'Tax withheld at source',
    OTHER: 'Other means',
    DEPOSIT: 'Deposit',
    SET_OFF: 'Set off between leases',
  },
}
